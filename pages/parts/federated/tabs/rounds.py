"""The tabs that look into the rounds: clipping and noise, weights of explorers, who asked where. With their figures."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import streamlit as st

from pages.parts.controls.live_sliders import Slider, read_controls, show_sliders
from pages.parts.federated.figures import MARGIN
from pages.parts.federated.setup import Setup
from pages.parts.frame.live import Live
from pages.parts.frame.undocumented import give_way
from pages.parts.show.explained import explaining
from pages.parts.show.show import Place
from pages.parts.values.axes import SAMPLES, spread_labels
from pages.parts.values.palette import NON_PRIVATE, PAPER, PRIVATE, RANDOM, REFUTED, Colour
from pages.parts.values.picture import Picture
from pages.parts.values.text import sub
from pages.parts.values.views import Figure, Finding
from privbo_core.bo import Band
from privbo_core.errors import Array
from privbo_core.federated import FederatedProblem, Progress, Settings, region_weights, temperature
from privbo_core.federated.beliefs import Rows
from privbo_core.federated.simulation import Measure

MEASURED: tuple[Measure, Measure] = ("signal", "noise")


def show_server(setup: Setup, progress: Progress) -> None:
    """Draw, over the rounds, how many vectors are clipped, and how loud the noise is."""
    if progress.band("DP-FTS-DE", "clipped") is None:
        st.info("Nothing has been computed yet: press “Go on” above.")
        return
    left, right = st.columns(2, gap="medium")
    with left:
        Place("clipped").draw(clipped_figure(setup.settings, progress))
    with right:
        Place("noise").draw(noise_figure(setup.settings, progress))


def clipped_figure(settings: Settings, progress: Progress) -> Figure:
    """Return how many vectors are clipped, with sub-regions and without."""
    clipped, without = _known(progress, "clipped"), progress.band("DP-FTS", "clipped")
    curves = [("DP-FTS-DE", clipped, PRIVATE, "solid")]
    if without is not None:
        curves.append(("DP-FTS", without, PRIVATE, "dot"))
    first, last = (f"{100 * clipped.mean[t]:.0f} %" for t in (0, -1))
    limit = settings.S / math.sqrt(settings.P)
    finding = Finding(
        f"{first} of the vectors are clipped in round 1, {last} in round {settings.iterations}",
        "curator",
        f"Longer than S/√P = {limit:.3g}.",
    )
    return Figure("clipped", finding, over_rounds(curves, "% of vectors clipped", True), "Share clipped.")


def noise_figure(settings: Settings, progress: Progress) -> Figure:
    """Return how long the two parts of what the server sends are: signal and noise."""
    signal, noise = (_known(progress, measure) for measure in MEASURED)
    share = noise.mean / np.maximum(signal.mean, 1e-12)
    first, last = share[0], share[-1]
    if settings.z == 0:
        title = "No noise at all"
    elif first > last and first > 1:
        title = f"The noise drowns the signal early: {first:.2f} to 1 in round 1, {last:.2f} to 1 at the end"
    elif first > last:
        title = f"The noise fades: {first:.2f} to 1 in round 1, {last:.2f} to 1 at the end"
    else:
        title = f"Noise to signal: {first:.2f} to 1 in round 1, {last:.2f} to 1 at the end"
    curves = [("signal", signal, NON_PRIVATE, "dash"), ("noise", noise, PRIVATE, "solid")]
    alt = "Length of the signal and of the noise over the rounds."
    return Figure("noise", Finding(title, "curator"), over_rounds(curves, "length of what is sent", False), alt)


def _known(progress: Progress, measure: Measure) -> Band:
    found = progress.band("DP-FTS-DE", measure)
    assert found is not None
    return found


def show_weights(setup: Setup) -> None:
    """Draw what share of each sub-region's vector comes from the agents that started there."""
    settings = setup.settings
    Place("weights").draw(weights_figure(settings, setup.N))
    with explaining("weights") as say:
        say(
            f"""For sub-region $i$ agent $n$ counts $\\varphi_n^{{(i)}} \\propto \\exp(a\\cdot 1[n\\text{{ started in }}i]/\\mathcal T)$,
with a = {settings.a:.3g}; the weights of a sub-region add up to 1. The temperature $\\mathcal T$ is 1 for {settings.hold} rounds;
then $1/\\mathcal T$ falls to 0 over {settings.fade} more, for later on everybody knows something about the whole domain. Concentrated
weights have a price: one agent can contribute more, so $\\varphi_{{\\max}}$ and the noise are larger. *Dai, Low, Jaillet (NeurIPS
2021), Section 3.2.*"""
        )


def weights_figure(settings: Settings, N: int) -> Figure:
    """Return whom each sub-region hears, round by round."""
    explores = np.arange(N) % settings.P
    inside = np.empty((settings.P, settings.iterations))
    largest = np.empty(settings.iterations)
    for t in range(1, settings.iterations + 1):
        now = region_weights(explores, settings.P, settings.a, temperature(t, settings.hold, settings.fade))
        inside[:, t - 1] = [now[i, explores == i].sum() for i in range(settings.P)]
        largest[t - 1] = now.max()
    if settings.P == 1:
        title = "With one sub-region all agents count alike throughout"
    else:
        first, last = (f"{100 * inside[0, t]:.0f} %" for t in (0, -1))
        everyone = inside[0, -1] < 1 / settings.P + 0.02
        later_on = "in the end everyone" if everyone else f"still in round {settings.iterations}"
        title = f"A sub-region first hears its own explorers ({first}), {later_on} ({last})"
    note = (
        f"The largest weight of one agent falls from {largest[0]:.3g} to {largest[-1]:.3g}, and the noise, "
        f"z·φ{sub('max')}·S/q, with it. Settings alone decide this, not the data."
    )
    alt = "Share of each sub-region’s weight on its own explorers."
    return Figure("weights", Finding(title, "share", note), weights(inside), alt)


@dataclass(frozen=True, eq=False)
class Asking:
    """Who asked where in one round: rows of the domain, and which agents ``followed`` the server.

    ``selected``: how many were drawn to send. ``initial``: where each agent started. ``regions``: of each row.
    """

    queries: Rows
    followed: np.ndarray
    selected: int
    initial: Rows
    regions: Rows


def show_map(setup: Setup) -> None:
    """Draw the sub-regions and who asked where in a round of run 0."""
    T = setup.settings.iterations
    steps = Slider("t", "round t", 0, T, min(1, T), "where agents start", "last round",
                   "Show the queries of this round.", whole=True, play=True)  # fmt: skip
    panel_place, shown_place = st.columns([1, 3])
    controls = read_controls("federated-map", [steps])
    rounds = _rounds(setup)
    with shown_place:
        Place("regions").draw(map_figure(setup, rounds, controls.whole("t")))
    with panel_place:
        show_sliders("federated-map", [steps], controls)


def _rounds(setup: Setup) -> list[Asking]:
    """Return all rounds of run 0, computed once as long as the settings stay."""
    live = Live("federated map", (setup.agents.name, setup.simulation, setup.settings, setup.N))
    found: list[Asking] | None = live.before("rounds")
    if found is None:
        found = []
        for each in setup.simulation.rounds(setup.settings, setup.N, 0):
            give_way()
            found.append(Asking(each.queries, each.followed, int(each.selected.sum()), each.initial, each.regions))
        live.remember(rounds=found)
    return found


def map_figure(setup: Setup, rounds: Sequence[Asking], t: int) -> Figure:
    """Return where agents start (t = 0), or who asked where in round t."""
    problem, settings, N = setup.simulation.first, setup.settings, setup.N
    now = rounds[max(t, 1) - 1]
    queries, followed = now.queries, now.followed
    if t == 0:
        groups = [("starts here", now.initial.ravel(), NON_PRIVATE, "circle")]
        title = f"Each agent starts from {settings.initial} points of its own sub-region"
        note = "Circles: where the agents start; larger where several do."
    else:
        groups = [
            ("own choice", queries[~followed], NON_PRIVATE, "circle"),
            ("follows the server", queries[followed], PRIVATE, "square"),
        ]
        title = f"Round {t}: {int(followed.sum())} of {N} agents follow the server"
        if followed.any():
            at = problem.original[queries[followed][0]]
            title += ", to " + ", ".join(f"{name} = {x:.2g}" for name, x in zip(problem.names, at, strict=True))
        note = (
            f"{now.selected} agents were drawn to send. Dark circles: own choices; square: the point the server’s vectors "
            "promise most. Larger: more agents."
        )
    boxes = f" Dashed: the {settings.P} sub-regions." if settings.P > 1 else " One sub-region."
    more = " First two parameters." if len(problem.names) > 2 else ""
    finding = Finding(title, "simulation", f"{note}{boxes}{more} One run.")
    picture = region_map(problem, problem.objectives[:N].mean(axis=0), now.regions, groups)
    return Figure("regions", finding, picture, title)


def over_rounds(curves: Sequence[tuple[str, Band, Colour, str]], title: str, percent: bool) -> Picture:
    """Draw quantities of the server's over the rounds: (name, band, colour, dash) each."""
    picture = Picture(margin=MARGIN)
    factor = 100.0 if percent else 1.0
    ends, highest = [], 0.0
    for name, band, colour, dash in curves:
        scaled = Band(band.mean * factor, band.standard_error * factor, band.runs)
        picture.band([float(t) for t in range(1, len(band.mean) + 1)], scaled, colour, dash, name)
        ends.append((float(scaled.mean[-1]), f"{SAMPLES[dash]} {name}", colour))
        highest = max(highest, float(scaled.mean.max()))
    top = 104.0 if percent else max(1.1 * highest, 1e-9)
    for y, name, colour in spread_labels(ends, top * 0.085):
        picture.label(1, min(y, top), name, colour, xref="paper", xshift=4)
    picture.axis("xaxis", "rounds t", range=[1, max(len(curves[0][1].mean), 2)])
    picture.axis("yaxis", title, range=[-0.02 * top, top])
    return picture


def weights(inside: Array) -> Picture:
    """Draw, for each sub-region (rows of ``inside``), what share of its vector its own explorers and all others make up."""
    picture = Picture(margin=MARGIN | {"r": 130})
    T = inside.shape[1]
    x = [float(t) for t in range(1, T + 1)]
    for number, row in enumerate(100 * inside, start=1):
        picture.line(x, row, PRIVATE, name=f"region {number}, own explorers",
                     hovertemplate=f"region {number}: %{{y:.0f}} % from its own explorers")  # fmt: skip
        picture.line(x, 100 - row, RANDOM, dash="dash", name=f"region {number}, all others",
                     hovertemplate=f"region {number}: %{{y:.0f}} % from all others")  # fmt: skip
    last = float(100 * inside[0, -1])
    ends = [(last, "━ own explorers", PRIVATE), (100 - last, "╍ all others", RANDOM)]
    for y, text, colour in spread_labels(ends, 9):
        picture.label(1, y, text, colour, xref="paper", xshift=4)
    picture.axis("xaxis", "rounds t", range=[1, max(T, 2)])
    picture.axis("yaxis", "% of a sub-region’s weight", range=[-3, 104])
    return picture


def region_map(
    problem: FederatedProblem, mean: Array, regions: Rows, groups: Sequence[tuple[str, Rows, Colour, str]],
) -> Picture:  # fmt: skip
    """Draw the first two parameters: the agents' mean objective, the sub-regions, and who asked where.

    ``groups``: (name, rows, colour, symbol) each; a point that several agents ask for is drawn larger.
    """
    picture = Picture(height=440)
    flat = problem.original[:, :2] if problem.original.shape[1] > 1 else np.column_stack([problem.original[:, 0], mean])
    levels = [np.unique(flat[:, j]) for j in (0, 1)]
    shading = {
        "colorscale": "Cividis",
        "colorbar": {"title": {"text": "mean over agents", "side": "right"}, "thickness": 10, "outlinewidth": 0},
    }
    if problem.original.shape[1] == 2 and len(flat) == len(levels[0]) * len(levels[1]):
        table = np.empty((len(levels[1]), len(levels[0])))
        table[np.searchsorted(levels[1], flat[:, 1]), np.searchsorted(levels[0], flat[:, 0])] = mean
        picture.add(
            "heatmap", x=levels[0], y=levels[1], z=[row.tolist() for row in table], opacity=0.8, hoverinfo="skip", **shading
        )  # fmt: skip
    else:
        marker = {"size": 5, "symbol": "square", "color": mean, "opacity": 0.75} | shading
        picture.add("scatter", x=flat[:, 0], y=flat[:, 1], mode="markers", hoverinfo="skip", marker=marker)
    steps = [_step(flat[:, j]) / 2 for j in (0, 1)]
    for region in np.unique(regions):
        own = flat[regions == region]
        (x0, y0), (x1, y1) = own.min(axis=0) - steps, own.max(axis=0) + steps
        picture.box((x0, x1, y0, y1), line={"color": REFUTED, "width": 2, "dash": "dash"}, layer="above")
    for name, rows, colour, symbol in groups:
        places, count = np.unique(rows, return_counts=True)
        if len(places):
            picture.add(
                "scatter", x=flat[places, 0], y=flat[places, 1], mode="markers", name=name, customdata=count,
                marker={
                    "size": np.minimum(6 + 2.5 * np.sqrt(count), 34), "color": colour.faded(0.9), "symbol": symbol,
                    "line": {"color": PAPER, "width": 1.2},
                },
                hovertemplate=f"{name}: %{{customdata}} agents",
            )  # fmt: skip
    picture.axis("xaxis", problem.names[0])
    picture.axis("yaxis", problem.names[1] if problem.original.shape[1] > 1 else "mean over agents")
    return picture


def _step(values: Array) -> float:
    levels = np.unique(values)
    return float(np.diff(levels).min()) if 1 < len(levels) <= 500 else 0.0
