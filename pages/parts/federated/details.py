"""What lies below the first screen of the Federated page: explanations, and a tab for each closer look.

With the figures of those that look into the rounds (clipping and noise, weights of explorers, who asked where), and
the theorems with today's numbers.
"""

import math
from collections.abc import Callable, Sequence
from dataclasses import replace

import numpy as np
import streamlit as st

from pages.parts.federated.figures import MARGIN, Curve, quantities, rounds
from pages.parts.federated.question import answered, show_solutions, show_sweep
from pages.parts.federated.setup import PRIVATE, Setup
from pages.parts.federated.view import View, most_saved
from pages.parts.live.sliders import Slider, read_controls, show_sliders
from pages.parts.live.work import Live
from pages.parts.shell.undocumented import give_way
from pages.parts.views.content import explanation, prose
from pages.parts.views.drawing import Place, show
from pages.parts.views.picture import NON_PRIVATE, PAPER, RANDOM, REFUTED, Colour, Picture, spread_labels
from pages.parts.views.picture import PRIVATE as BLUE
from pages.parts.views.templates import explain, explain_beside
from pages.parts.views.text import epsilon_text, sub
from pages.parts.views.views import Figure, Finding
from privbo_core.bo import Band
from privbo_core.errors import Array
from privbo_core.federated import FederatedProblem, Progress, Settings, delta_for, region_weights, temperature
from privbo_core.federated.agents import Rows
from privbo_core.federated.run import Round
from privbo_core.federated.simulation import Measure
from privbo_core.privacy import epsilon, noise_for


def show_details(view: View) -> None:
    """Draw the explanations and the open tab. Only the open one is computed."""
    setup, settings, N = view.setup, view.setup.settings, view.setup.N
    delta, saved = delta_for(N), most_saved(setup) if settings.P > 1 else 1
    now = epsilon_text(epsilon(settings.q, settings.z, settings.iterations, delta))
    explain_beside(
        explanation("federated", "ε over the rounds", settings=settings, delta=delta, N=N, epsilon=now, saved=saved),
        explanation("federated", "regret", settings=settings, agents=setup.agents, N=N),
    )
    details: dict[str, Callable[[], object]] = {
        "Clipping and noise": lambda: show_server(setup, view.progress),
        "Weights": lambda: show_weights(setup),
        "Map": lambda: show_map(setup),
        "Privacy against utility": lambda: show_sweep(setup, view.stopped),
        "Solve": lambda: show_solutions(setup),
        "Theory": lambda: show_theory(view),
        "Honest notes": lambda: st.markdown(prose("federated", "honest notes")),
    }
    tabs = st.tabs(list(details), key="federated_tab", on_change="rerun", bind="query-params")
    for tab, draw in zip(tabs, details.values(), strict=True):
        if tab.open:
            with tab:
                draw()


def show_server(setup: Setup, progress: Progress) -> None:
    if progress.band(PRIVATE, "clipped") is None:
        st.info("Nothing has been computed yet: press “Go on” above.")
        return
    left, right = st.columns(2, gap="medium")
    with left:
        Place("clipped").draw(clipped_figure(setup, progress))
    with right:
        Place("noise").draw(noise_figure(setup.settings, progress))


def clipped_figure(setup: Setup, progress: Progress) -> Figure:
    clipped, without = _known(progress, "clipped"), progress.band("DP-FTS", "clipped")
    curves = [Curve(PRIVATE, clipped, BLUE, "solid"), *([Curve("DP-FTS", without, BLUE, "dot")] if without else [])]
    first, last = (f"{100 * clipped.mean[t]:.0f} %" for t in (0, -1))
    title = f"{first} of the vectors are clipped in round 1, {last} in round {setup.settings.iterations}"
    finding = Finding(title, "curator", f"Longer than S/√P = {setup.limit:.3g}.")
    return Figure("clipped", finding, quantities(curves, "% of vectors clipped", True), "Share clipped.")


def noise_figure(settings: Settings, progress: Progress) -> Figure:
    signal, noise = _known(progress, "signal"), _known(progress, "noise")
    first, last = (noise.mean / np.maximum(signal.mean, 1e-12))[[0, -1]]
    begins = "Noise to signal"
    if first > last:
        begins = "The noise drowns the signal early" if first > 1 else "The noise fades"
    title = f"{begins}: {first:.2f} to 1 in round 1, {last:.2f} to 1 at the end"
    title = title if settings.z > 0 else "No noise at all"
    curves = [Curve("signal", signal, NON_PRIVATE, "dash"), Curve("noise", noise, BLUE, "solid")]
    alt = "Length of the signal and of the noise over the rounds."
    return Figure("noise", Finding(title, "curator"), quantities(curves, "length of what is sent", False), alt)


def _known(progress: Progress, measure: Measure) -> Band:
    band = progress.band(PRIVATE, measure)
    assert band is not None
    return band


def show_weights(setup: Setup) -> None:
    Place("weights").draw(weights_figure(setup.settings, setup.N))
    explain(*explanation("federated", "weights", settings=setup.settings))


def weights_figure(settings: Settings, N: int) -> Figure:
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
    picture, x = Picture(margin=MARGIN | {"r": 130}), rounds(largest)
    own, others = "own explorers", "all others"
    for number, row in enumerate(100 * inside, start=1):
        region, hover = f"region {number}", f"region {number}: %{{y:.0f}} % from "
        picture.line(x, row, BLUE, name=f"{region}, {own}", hovertemplate=f"{hover}its {own}")
        picture.line(x, 100 - row, RANDOM, dash="dash", name=f"{region}, {others}", hovertemplate=f"{hover}{others}")
    end = float(100 * inside[0, -1])
    for y, text, colour in spread_labels([(end, f"━ {own}", BLUE), (100 - end, f"╍ {others}", RANDOM)], 9):
        picture.label(1, y, text, colour, xref="paper", xshift=4)
    picture.axis("xaxis", "rounds t", range=[1, max(len(x), 2)])
    picture.axis("yaxis", "% of a sub-region’s weight", range=[-3, 104])
    alt = "Share of each sub-region’s weight on its own explorers."
    return Figure("weights", Finding(title, "share", note), picture, alt)


def show_map(setup: Setup) -> None:
    T = setup.settings.iterations
    steps = Slider.of("federated.t", 0, T, min(1, T), whole=True, play=True)
    panel_place, shown_place = st.columns([1, 3])
    controls = read_controls("federated-map", [steps])
    each = _each_round(setup)
    with shown_place:
        Place("regions").draw(map_figure(setup, each, controls.whole("t")))
    with panel_place:
        show_sliders("federated-map", [steps], controls)


def _each_round(setup: Setup) -> list[Round]:
    """Return all rounds of run 0, computed once as long as the settings stay; without the weights, which are large."""
    live = Live("federated map", (setup.agents.name, setup.simulation, setup.settings, setup.N))
    known: list[Round] | None = live.before("rounds")
    if known is None:
        known = []
        for each in setup.simulation.rounds(setup.settings, setup.N, 0):
            give_way()
            known.append(replace(each, weights=np.empty(0)))
        live.remember(rounds=known)
    return known


def map_figure(setup: Setup, each: Sequence[Round], t: int) -> Figure:
    problem, settings, N = setup.simulation.problem(0), setup.settings, setup.N
    now = each[max(t, 1) - 1]
    queries, followed = now.queries, now.followed
    if t == 0:
        groups = [("starts here", now.initial.ravel(), NON_PRIVATE, "circle")]
        title = f"Each agent starts from {settings.initial} points of its own sub-region"
        note = "Circles: where the agents start; larger where several do."
    else:
        groups = [
            ("own choice", queries[~followed], NON_PRIVATE, "circle"),
            ("follows the server", queries[followed], BLUE, "square"),
        ]
        title = f"Round {t}: {int(followed.sum())} of {N} agents follow the server"
        if followed.any():
            at = problem.original[queries[followed][0]]
            title += ", to " + ", ".join(f"{name} = {x:.2g}" for name, x in zip(problem.names, at, strict=True))
        squares = "square: the point the server’s vectors promise most. Larger: more agents."
        note = f"{now.selected.sum()} agents were drawn to send. Dark circles: own choices; {squares}"
    boxes = f" Dashed: the {settings.P} sub-regions." if settings.P > 1 else " One sub-region."
    more = " First two parameters." if len(problem.names) > 2 else ""
    finding = Finding(title, "simulation", f"{note}{boxes}{more} One run.")
    picture = region_map(problem, problem.objectives[:N].mean(axis=0), now.regions, groups)
    return Figure("regions", finding, picture, title)


def show_theory(view: View) -> None:
    left, right = st.columns(2, gap="large")
    with left:
        _show_proposition(view.setup.settings, view.setup.N)
    setup, settings, limit = view.setup, view.setup.settings, view.setup.limit
    clipped = view.progress.band(PRIVATE, "clipped")
    share = "being computed" if clipped is None else f"{100 * clipped.mean.mean():.0f} % of the vectors"
    noise = settings.z * settings.S * math.sqrt(settings.features)
    with right:
        note = "Theorem 1 hides its constants: it says which way each slider pushes, not how far."
        show(Finding("More privacy means a larger term ψ in the regret bound", "share", note))
        said = prose("federated", "Theorem 1", settings=settings, noise=noise, clipped=share, limit=limit, N=setup.N)
        st.markdown(said)


def _show_proposition(settings: Settings, N: int) -> None:
    delta, q, z, T = delta_for(N), settings.q, settings.z, settings.iterations
    if z == 0:
        show(Finding("Proposition 1 needs noise: z is 0", "share"))
        return
    now = epsilon(q, z, T, delta)
    constant = z * now / (q * math.sqrt(T * math.log(1 / delta)))
    changes = (
        ("as it is now", q, T, now, z),
        ("q doubled", min(1.0, 2 * q), T, now, z * min(2.0, 1 / q)),
        ("T four times", q, 4 * T, now, 2 * z),
        ("ε halved", q, T, now / 2, 2 * z),
    )
    rows = [
        (name, proportion, answered(lambda: f"{noise_for(loss, rate, steps, delta):.2f}"))  # noqa: B023
        for name, rate, steps, loss, proportion in changes
    ]
    note = "The noise z that keeps ε, by Proposition 1’s proportions and by the moments accountant."
    show(Finding("Proposition 1 gives the direction, the accountant the number", "share", note))
    st.markdown(prose("federated", "Proposition 1", changes=rows, epsilon=epsilon_text(now), constant=constant))


def region_map(
    problem: FederatedProblem, mean: Array, regions: Rows, groups: Sequence[tuple[str, Rows, Colour, str]]
) -> Picture:
    """Draw the first two parameters: the agents' mean objective, the sub-regions, and who asked where.

    ``groups``: (name, rows, colour, symbol) each; a point that several agents ask for is drawn larger.
    """
    picture = Picture(height=440)
    flat = problem.original[:, :2] if problem.original.shape[1] > 1 else np.column_stack([problem.original[:, 0], mean])
    levels = [np.unique(flat[:, j]) for j in (0, 1)]
    bar = {"title": {"text": "mean over agents", "side": "right"}, "thickness": 10, "outlinewidth": 0}
    shading = {"colorscale": "Cividis", "colorbar": bar}
    if problem.original.shape[1] == 2 and len(flat) == len(levels[0]) * len(levels[1]):
        table = np.empty((len(levels[1]), len(levels[0])))
        table[np.searchsorted(levels[1], flat[:, 1]), np.searchsorted(levels[0], flat[:, 0])] = mean
        x, y = levels
        picture.add("heatmap", x=x, y=y, z=table.tolist(), opacity=0.8, hoverinfo="skip", **shading)
    else:
        marker = {"size": 5, "symbol": "square", "color": mean, "opacity": 0.75} | shading
        picture.add("scatter", x=flat[:, 0], y=flat[:, 1], mode="markers", hoverinfo="skip", marker=marker)
    steps = [float(np.diff(level).min()) / 2 if 1 < len(level) <= 500 else 0.0 for level in levels]
    for region in np.unique(regions):
        own = flat[regions == region]
        (x0, y0), (x1, y1) = own.min(axis=0) - steps, own.max(axis=0) + steps
        picture.box((x0, x1, y0, y1), line={"color": REFUTED, "width": 2, "dash": "dash"}, layer="above")
    for name, rows, colour, symbol in groups:
        places, count = np.unique(rows, return_counts=True)
        if len(places):
            size, around = np.minimum(6 + 2.5 * np.sqrt(count), 34), {"color": PAPER, "width": 1.2}
            marker = {"size": size, "color": colour.faded(0.9), "symbol": symbol, "line": around}
            hover = {"customdata": count, "hovertemplate": f"{name}: %{{customdata}} agents"}
            x, y = flat[places].T
            picture.add("scatter", x=x, y=y, mode="markers", name=name, marker=marker, **hover)
    picture.axis("xaxis", problem.names[0])
    picture.axis("yaxis", problem.names[1] if problem.original.shape[1] > 1 else "mean over agents")
    return picture
