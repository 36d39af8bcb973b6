"""Other settings than the present one: regret against ε while one goes through a range, and which a wanted ε allows."""

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import streamlit as st

from pages.parts.export.offer import arguments
from pages.parts.federated.agents import pick_agents
from pages.parts.federated.figures import MARGIN, STYLES
from pages.parts.federated.script import agents_lines
from pages.parts.federated.setup import ALONE, PLAIN, PRIVATE, Setup, sliders, starting
from pages.parts.federated.view import PATIENCE, exactly
from pages.parts.live.meaning import show_meaning
from pages.parts.live.sliders import read_controls, start_from
from pages.parts.live.work import Steps, follow, later, wait
from pages.parts.shell.address import choose
from pages.parts.system.question import (
    Inquiry,
    Measure,
    Stroke,
    Unit,
    panel_key,
    range_of,
    shared_sliders,
    steps_slider,
)
from pages.parts.views.drawing import Place, show
from pages.parts.views.picture import NOTHING, ONE_TWO_FIVE, REFUTED, SAMPLES, TEXT, End, Picture, spread_labels
from pages.parts.views.picture import PRIVATE as BLUE
from pages.parts.views.text import as_markdown, epsilon_text, scientific, to_its_error
from pages.parts.views.views import Figure, Finding
from privbo_core.federated import Progress, Record, Sensitivity, Settings, delta_for, guarantee, noise_needed, variants
from privbo_core.federated.simulation import EARLY
from privbo_core.privacy import Method, noise_for, rate_for, steps_for
from privbo_core.tradeoff import federated_question

SWEPT = {"z": (0.5, 0.7, 1.0, 1.4, 2.0, 3.0, 4.0), "q": (0.05, 0.1, 0.15, 0.25, 0.35, 0.5, 1.0)}
SWEPT_RUNS = 10
UNPROTECTED = (ALONE, PLAIN)  # What the sweep is set against: tuning alone, and sharing without privacy.


@dataclass(frozen=True)
class Point:
    """DP-FTS-DE with one value of the setting that is swept: its ε, its regret with the standard error of that."""

    value: float
    epsilon: float
    regret: float
    error: float


class Sweep:
    """DP-FTS-DE with each value of one setting, the present one included, beside what needs no protection.

    A value whose ε cannot be counted exactly in time is left out.
    """

    def __init__(self, setup: Setup, symbol: str, runs: int) -> None:
        self.setup, self.symbol, self.runs = setup, symbol, runs
        self.now: float = getattr(setup.settings, symbol)
        values = sorted({*SWEPT[symbol], round(self.now, 6)} - {0.0})
        self._values = {f"{symbol} = {value:.6g}": value for value in values}
        swept = {name: replace(setup.settings, **{symbol: value}) for name, value in self._values.items()}
        counted = {name: exactly(each, setup.N, PATIENCE) for name, each in swept.items() if each.z > 0}
        self._losses = {name: found.epsilon for name, found in counted.items() if found}
        self._all: dict[str, Settings] = swept | {name: variants(setup.settings)[name] for name in UNPROTECTED}

    def steps(self, stopped: bool) -> Steps[Progress]:
        """Yield the runs as they are computed; only those that are known if somebody has ``stopped`` them."""
        if stopped:
            yield self.setup.simulation.finished(self._all, self.setup.N, self.runs)
        else:
            yield from self.setup.simulation.compare(self._all, self.setup.N, self.runs)

    def points(self, progress: Progress) -> list[Point]:
        """Return what there is of the values swept, where ε has a place on a logarithmic axis: neither ∞ nor 0."""
        return [
            Point(self._values[name], epsilon, *self._regret(progress.finished[name]))
            for name, epsilon in self._losses.items()
            if progress.finished[name] and epsilon > 0
        ]

    def levels(self, progress: Progress) -> dict[str, float]:
        return {name: self._regret(progress.finished[name])[0] for name in UNPROTECTED if progress.finished[name]}

    def _regret(self, records: Sequence[Record]) -> tuple[float, float]:
        each = np.array([record.simple[: self.setup.early].mean() for record in records]) * self.setup.agents.scale
        error = float(each.std(ddof=1) / math.sqrt(len(each))) if len(each) > 1 else 0.0
        return float(each.mean()), error


def show_sweep(setup: Setup, stopped: bool) -> None:
    symbol = choose(st.segmented_control, "Sweep over", list(SWEPT), key="federated_sweep", required=True)
    place = Place("trade-off")
    with st.spinner("ε is being counted exactly …"):
        sweep = Sweep(setup, symbol, min(setup.runs, SWEPT_RUNS))
    follow(sweep.steps(stopped), lambda progress: place.draw(sweep_figure(sweep, progress)))


def sweep_figure(sweep: Sweep, progress: Progress) -> Figure:
    points, agents = sweep.points(progress), sweep.setup.agents
    note = f"{progress.runs} of {sweep.runs} runs each, bars ± 1 standard error. Circle: the present setting."
    title = "The first points are on their way"
    if len(points) > 1:
        private, useful = min(points, key=lambda p: p.epsilon), max(points, key=lambda p: p.epsilon)
        error = max(private.error, useful.error)
        title = (
            f"From ε = {epsilon_text(private.epsilon)} to ε = {epsilon_text(useful.epsilon)} the regret goes from "
            f"{to_its_error(private.regret, error)} to {to_its_error(useful.regret, error)} {agents.in_unit}"
        )
    axis = f"regret, mean of rounds 1–{sweep.setup.early} ({agents.unit})"
    picture = trade_off(points, sweep.levels(progress), sweep.symbol, sweep.now, axis)
    alt = f"Regret against ε while {sweep.symbol} varies."
    return Figure("trade-off", Finding(title, "simulation", note), picture, alt)


def trade_off(points: Sequence[Point], levels: Mapping[str, float], symbol: str, now: float, title: str) -> Picture:
    """Draw regret against ε for a sweep of ``symbol``, which is ``now`` at present; ``levels``: without privacy."""
    picture = Picture(height=340, margin=MARGIN)
    points = sorted(points, key=lambda point: point.epsilon)
    spans = [math.log10(point.epsilon) for point in points] or [0.0, 1.0]
    low, high = min(spans) - 0.12, max(spans) + 0.12
    places, heights = [p.epsilon for p in points], [p.regret for p in points]
    error, said = {"array": [p.error for p in points]}, {"name": PRIVATE, "hovertemplate": "ε = %{x:.3g}: %{y:.3f}"}
    text = [f"{symbol} = {p.value:.3g}" for p in points]
    named = {"text": text, "textposition": "top right", "textfont": {"size": 11, "color": TEXT}}
    drawn = {"mode": "lines+markers+text", "marker": {"size": 8}}
    picture.points(places, heights, BLUE, 2, error, **drawn, **said, **named)
    for present in (point for point in points if abs(point.value - now) < 1e-6):
        around = {"color": REFUTED, "width": 3}
        picture.marks([present.epsilon], [present.regret], "now", "now", size=17, color=NOTHING, line=around)
        picture.upright(present.epsilon, REFUTED, dash="dot", width=1.5)
        picture.label(math.log10(present.epsilon), 0, "now", REFUTED, yref="paper", xshift=4, yanchor="bottom")
    highest = max([p.regret + p.error for p in points] + list(levels.values()), default=1.0)
    ends: list[End] = []
    for name, level in levels.items():
        _, colour, dash = STYLES[name]
        picture.level(level, colour, dash=dash)
        ends.append((level, f"{SAMPLES[dash]} {name}", colour))
    for y, name, colour in spread_labels(ends, highest * 0.09):
        picture.label(1, y, name, colour, xref="paper", xshift=4)
    ticks = {"type": "log", "range": [low, high], "tickvals": ONE_TWO_FIVE}
    picture.axis("xaxis", "ε, counted exactly (log scale): more useful →", **ticks)
    picture.axis("yaxis", title, range=[0, 1.15 * highest])
    return picture


COUNTED_BY: dict[str, Method] = {"moments (the paper’s)": "moments", "loss distributions": "pld"}


def show_solutions(setup: Setup) -> None:
    settings, N, delta = setup.settings, setup.N, delta_for(setup.N)
    left, right = st.columns([1, 2.2], gap="medium")
    with left:
        wanted = st.number_input(
            "ε that you want to keep", 0.01, 1000.0, 5.0, step=0.5, key="federated_wanted", bind="query-params"
        )
        method = COUNTED_BY[choose(st.radio, "Counted by", list(COUNTED_BY), key="federated_accountant")]
    q, z, T = settings.q, settings.z, settings.iterations

    def solve() -> list[tuple[str, str, str]]:
        ways = (
            ("z", f"q = {q:.3g}, T = {T}", lambda: f"z = {_up(noise_for(wanted, q, T, delta, method))} or more"),
            ("q", f"z = {z:.3g}, T = {T}", lambda: f"q = {_down(rate_for(wanted, z, T, delta, method))} or less"),
            ("T", f"z = {z:.3g}, q = {q:.3g}", lambda: _rounds(steps_for(wanted, q, z, delta, method))),
            ("z, counted exactly", f"q = {q:.3g}, T = {T}, P = {settings.P}", lambda: _exactly(setup, wanted, method)),
        )
        return [(name, stays, answered(way)) for name, stays, way in ways]

    key = ("solve", wanted, method, q, z, T, N, settings.P, settings.a, settings.calibration)
    answers = later().ask(key, solve)
    with right:
        place = st.empty()
        while answers is None:
            place.info("Being solved…")
            wait(0.1)
            answers = later().ask(key, solve)
        if isinstance(answers, Exception):
            place.warning(as_markdown(str(answers)))
            return
        rows = "\n".join(f"| {name} | {stays} | {text} |" for name, stays, text in answers)
        possible = sum(not text.startswith("not ") for *_, text in answers[:3])
        ways = ("no way", "one way", "two ways", "three ways")[possible]
        with place.container():
            note = (
                f"δ = N^−1.1 = {delta:.4f}, N = {N}. Type the answer into the box beside the slider. Counted exactly: "
                "this project’s calibration, by loss distributions and one agent’s share of all P vectors together."
            )
            show(Finding(f"ε = {wanted:g} can be kept in {ways} by changing a single slider", "share", note))
            st.markdown(f"| change | keep | so that ε ≤ {wanted:g} |\n|---|---|---|\n{rows}")


def _exactly(setup: Setup, wanted: float, method: Method) -> str:
    settings, N = setup.settings, setup.N
    exact = noise_needed(settings, N, wanted, "pld", "exact")
    try:
        usual = noise_needed(settings, N, wanted, method)
    except ValueError:
        return f"z = {_up(exact)} or more; the accountant chosen finds none"
    return f"z = {_up(exact)} or more, {100 * exact / usual:.0f} % of the noise above"


def answered(solve: Callable[[], str]) -> str:
    try:
        return solve()
    except ValueError as problem:
        return f"not possible: {as_markdown(str(problem))}"


def _up(value: float) -> str:
    return f"{math.ceil(value * 1000) / 1000:g}"


def _down(value: float) -> str:
    return f"{math.floor(value * 10000) / 10000:g}" if value >= 0.001 else scientific(value)


def _rounds(steps: int) -> str:
    return f"T = {steps:,} round{'' if steps == 1 else 's'} or fewer" if steps else "not even one round"


TASK = "Federated"
ACCOUNTANTS: dict[str, tuple[Method, Sensitivity, str]] = {
    "Exact (this project’s)": ("pld", "exact", "exactly"),
    "Moments (the paper’s)": ("moments", "paper", "by moments, as the paper does"),
    "Loss distributions": ("pld", "paper", "by loss distributions"),
}
"""How ε can be counted: the accountant, whose sensitivity, and how that is said."""
HETEROGENEITY = 0.1
A = 15.0


def question(measure: Measure) -> Inquiry:
    agents = pick_agents()
    accountant = choose(st.selectbox, "ε counted by", list(ACCOUNTANTS), key="tradeoff_accountant")
    method, sensitivity, counted = ACCOUNTANTS[accountant]
    first, start, known = agents.first, starting(agents), {slider.key: slider for slider in sliders(agents)}
    # The page's own sliders for what stays while ε is swept: z while q varies, and q while z does.
    panel = [
        replace(known["z"], label="z, while q varies", min=0.3, max=8, step=0.01, log=True),
        replace(known["q"], label="q, while z varies"),
        known["N"],
        steps_slider("T, rounds", 100, agents.start.iterations if agents.start else 10),
        *shared_sliders(0.1, 100, 10, 40),
    ]
    start_from(panel_key(TASK), panel)
    controls = read_controls(panel_key(TASK), panel)
    low, high = range_of(controls)
    N, T = controls.whole("N"), controls.whole("T")
    P = max(cut for cut in agents.cuts if cut <= min(N, start.P))
    settings = agents.settings(T, start.features, q=controls["q"], z=controls["z"], S=start.S, P=P, a=A)
    simulation, scale = agents.simulation(HETEROGENEITY), agents.in_words
    how: dict[str, Any] = {"measure": measure, "method": method, "sensitivity": sensitivity, "scale": scale}
    return Inquiry(
        task=TASK,
        question=federated_question(simulation, settings, N, **how),
        of=(simulation, measure, settings, N, accountant, controls.whole("runs"), low, high),
        panel=panel,
        controls=controls,
        low=low,
        high=high,
        size=scale * float(first.objectives.std(axis=1).mean()),
        summed=T if measure == "cumulative" else None,
        units=(Unit(agents.wording.unit),),
        cost_is={
            "early": f"regret in the first {min(EARLY, T)} rounds",
            "simple": f"simple regret after {T} rounds",
            "cumulative": f"regret summed over {T} rounds",
        }[measure],
        epsilon_is=f"ε after {T} rounds, counted {counted}",
        relation=f"One agent takes part in the whole run, or stays away. δ = N^−1.1 = {N**-1.1:.3g}.",
        data=first.title,
        own=agents.columns is not None,
        lines=lambda: (
            [
                "from privbo_core.federated import Settings, Simulation",
                "from privbo_core.tradeoff import federated_question, measure, settle, sweep",
            ],
            [
                *agents_lines(agents, HETEROGENEITY, settings),
                f"question = federated_question(simulation, settings, {N}, {arguments(how)})",
            ],
        ),
        show_meaning=lambda epsilon: show_meaning(
            guarantee(settings, N, method, sensitivity, problem=first, counted=epsilon), "that an agent took part"
        ),
        strokes={"by rate q": Stroke("dash", "square")},
        remarks=(f"S = {start.S:g}, P = {P}, M = {start.features}, a = {A:g}, where the Federated page starts.",),
    )
