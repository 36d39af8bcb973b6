"""The steps about outsourced optimisation, and what is handed out in it."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import streamlit as st

from pages.parts.live.sliders import Controls, Notch, Slider, human_above
from pages.parts.live.work import Steps
from pages.parts.outsourced.details import distances
from pages.parts.outsourced.maps import flat, principal
from pages.parts.outsourced.setup import EPSILON as ASKED_EPSILON
from pages.parts.outsourced.setup import PUBLISHED, Case, Searching
from pages.parts.outsourced.view import FIRST_RUNS, View, compute
from pages.parts.shell.address import choose
from pages.parts.system import system
from pages.parts.system.lesson import one_figure
from pages.parts.system.trial_figures import SEED, clouds
from pages.parts.table.own_table import public_simulation
from pages.parts.views.picture import RANDOM, Picture
from pages.parts.views.text import scientific, two_digits, whole_text
from pages.parts.views.views import REFUTED_STAMP, Finding, Views
from privbo_core import audit
from privbo_core.bo import Band, Trace, band
from privbo_core.errors import Array
from privbo_core.outsourced import Setting, Simulation, distance_distortion, omega, smallest_epsilon
from privbo_core.outsourced.comparison import Mechanism, Policy

DELTA = system.DELTA


@dataclass(frozen=True)
class SearchSituation:
    """Where the tour stands: the data and the settings of this step; ``put_axis`` and ``pause`` as in `Situation`."""

    simulation: Simulation
    controls: Controls
    searching: Searching = PUBLISHED
    put_axis: Callable[[float], float] = lambda top: top
    pause: Callable[[], None] = lambda: None

    def setting(self) -> Setting:
        """Return the setting; what the step has no slider for is at its default."""
        values = self.controls.values
        setting = Setting(
            values.get("epsilon", system.EPSILON),
            DELTA,
            int(values.get("r", system.R)),
            int(values.get("T", min(system.STEPS, self.simulation.problem.n))),
            protected_distance=values.get("distance", 1.0),
        )
        return self.searching.of(setting)

    def case(self, *mechanisms: Mechanism) -> Case:
        return Case(self.simulation, self.setting(), mechanisms, self.runs)

    @property
    def runs(self) -> int:
        return int(self.controls.values.get("runs", system.RUNS))


RUNS = Slider.of("outsourced.runs-lesson_steps", 5, 100, system.RUNS, key="runs", whole=True)
EPSILON = replace(ASKED_EPSILON, exponential=False)
LOSS = Slider.of("outsourced.loss", 0.01, 3, 0.1, step=0.02, log=True)


def marked_epsilon(simulation: Simulation, value: float = EPSILON.value) -> Slider:
    """Return the slider of ε with the place marked where σ_min = ω."""
    turn = Notch(smallest_epsilon(simulation.spectrum.sigma_min, DELTA, 10), "σ_min = ω at r = 10")
    return replace(EPSILON, value=value, marks=(turn,))


def enough_epsilon(simulation: Simulation) -> float:
    """Return an ε at which σ_min ≥ ω for r = 10, if there is one on the slider."""
    enough = human_above(1.05 * smallest_epsilon(simulation.spectrum.sigma_min, DELTA, 10))
    return min(max(enough, EPSILON.min), EPSILON.max)


def evaluations(simulation: Simulation) -> Slider:
    most = min(200, simulation.problem.n)
    return Slider.of("outsourced.T-lesson_steps", 5, most, min(system.STEPS, most), key="T", whole=True)


def searched(case: Case) -> Steps[View]:
    """Yield views of a case that are worth drawing: not of one run, nor of less than is known already."""
    simulation, runs = case.simulation, case.runs
    known = min(simulation.finished(policy, case.setting, runs) for policy in simulation.policies(case.mechanisms))
    with closing(compute(View(case))) as steps:
        for view in steps:
            if view.runs >= min(runs, max(known, FIRST_RUNS)):
                yield view


def traces(here: SearchSituation, policy: Policy, setting: Setting, runs: int) -> list[Trace]:
    """Return the traces of the first runs, giving way between them."""
    found = []
    with closing(here.simulation.stream(policy, setting, runs)) as finished:
        for trace in finished:
            found.append(trace)
            here.pause()
    return found


def growing(runs: int) -> Iterator[int]:
    """Yield numbers of runs to draw after, each about twice the one before."""
    now = FIRST_RUNS
    while now < runs:
        yield now
        now *= 2
    yield runs


def of_runs(now: int, runs: int) -> str:
    return f"{runs} runs" if now == runs else f"{now} of {runs} runs"


def difference(more: Sequence[Trace], less: Sequence[Trace], unit: float) -> Band:
    """Return the mean of run-by-run differences in simple regret, in ``unit``."""
    return band([(a.simple_regret - b.simple_regret) / unit for a, b in zip(more, less, strict=True)])


def pick(names: Sequence[str], key: str) -> tuple[str, Simulation]:
    """Let a person choose one of these samples; ``key``: of that choice."""
    words = {name: name.capitalize() for name in names}
    data = choose(st.segmented_control, "Data", words, key=key, required=True, persist_state="session")
    return data, public_simulation(data)


MOST_POINTS = 1500
NAMES = ("X", "neighbour X′")
TRIALS = Slider.of("system.trials", 50, 2000, 200, step=0.02, log=True, whole=True)


def who_sees_what(here: SearchSituation) -> Views:
    problem, setting = here.simulation.problem, here.setting()
    z = here.simulation.release(setting, 0).Z
    numbers = f"{setting.r} numbers" if setting.r > 1 else "1 number"
    title = f"The curator keeps {problem.n:,} records; the modeler gets {numbers} for each, and outcomes only by asking"
    keep = np.random.default_rng(0).permutation(problem.n)[:MOST_POINTS]
    picture, (places, names), released = Picture(), flat(problem), principal(z)
    outcomes: dict[str, Any] = {"color": problem.objective[keep], "colorscale": "Cividis", "opacity": 0.85}
    picture.marks(places[keep, 0], places[keep, 1], "curator", size=6, **outcomes)
    where = {"xaxis": "x2", "yaxis": "y2"}
    picture.marks(released[keep, 0], released[keep, 1], "modeler", size=6, color=RANDOM.faded(0.6), **where)
    picture.axis("xaxis", names[0], domain=[0, 0.46])
    picture.axis("yaxis", names[1])
    picture.axis("xaxis2", "first direction of Z", domain=[0.56, 1], anchor="y2")
    picture.axis("yaxis2", "second direction of Z", anchor="x2")
    part = f" {len(keep):,} of {problem.n:,} drawn." if len(keep) < problem.n else ""
    note = f"Left: records, coloured by outcome. Right: their random projection, in its two widest directions.{part}"
    alt = "Records coloured by outcome, beside their projection without colours."
    right = handed_out(problem.points, problem.objective, z)
    yield one_figure(Finding(title, "curator", note, REFUTED_STAMP), picture, alt, right)


def distances_survive(here: SearchSituation) -> Views:
    simulation, setting = here.simulation, here.setting()
    z = simulation.release(setting, 0).Z
    measured = distance_distortion(simulation.problem.points, z, 20_000, np.random.default_rng(0))
    low, high = (float(np.quantile(measured.ratios, share)) for share in (0.05, 0.95))
    sigma_min, threshold = simulation.spectrum.sigma_min, omega(setting.epsilon, DELTA, setting.r)
    factors = f"nine of ten squared distances × {two_digits(low)} to {two_digits(high)}"
    met = f"σ_min = {whole_text(sigma_min)}"
    if sigma_min >= threshold:
        title = f"{met} ≥ ω = {whole_text(threshold)}: projected as they are, {factors}"
    else:
        title = f"{met} < ω = {whole_text(threshold)}: inflated first, {factors}"
    note = f"{measured.pairs:,} random pairs of records, one projection to r = {setting.r}, ε = {setting.epsilon:.3g}."
    picture = distances(measured, 0.0, 0.0, promise=False)
    alt = f"Histogram of how squared distances change; 90 % between {two_digits(low)} and {two_digits(high)}."
    factor = max(high, 1 / max(low, 1e-12)) ** 0.5  # by which distances move, of which these are squares
    right = "kept" if factor <= 1.1 else "rough" if factor <= 2 else "lost"
    yield one_figure(Finding(title, "curator", note, REFUTED_STAMP), picture, alt, right)


def handed_out(points: Array, objective: Array, z: Array) -> str:
    """Return which of these a release holds: it is looked for in its columns."""
    *values, outcome = (any(np.allclose(column, each) for each in z.T) for column in (*points.T, objective))
    return ("outcome" if outcome else "values") if all(values) else "mixed"


def tell_apart(here: SearchSituation) -> Views:
    yield from told_apart(here.case("private"), here.controls.whole("trials"))


def told_apart(case: Case, trials: int = int(TRIALS.value)) -> Views:
    """Tell projections of two neighbouring tables apart by the column space of one of them."""
    points, setting = case.simulation.problem.points, case.setting
    neighbour, _, _ = audit.move_one(points, np.random.default_rng(SEED))
    release = audit.Projection(setting.epsilon, DELTA, setting.r)
    for seen in audit.run(audit.attack_column_space(points, neighbour, release), trials, seed=SEED):
        title = "The two clouds overlap"
        if seen.here.max() < seen.there.min():
            under, beside = (scientific(float(f"{10 ** np.median(side):.0e}")) for side in (seen.here, seen.there))
            title = f"Told apart every time: {under} under X, {beside} under its neighbour"
        claim, shown = f"{setting.epsilon:.3g}", f"ε is at least {seen.epsilon:.2f}"
        note = f"Never wrong, so {shown}, and rising with every trial." if seen.flawless else f"{shown}."
        if seen.refutes(setting.epsilon):
            note = f"{shown}: the claim of {claim} is refuted."
        picture = clouds(seen.here, seen.there, NAMES, "share of Z outside col(X)", seen.least.threshold, powers=True)
        right = "always" if seen.flawless else "often" if seen.least.error < 0.45 else "never"
        alt = "Two histograms of residuals, under X and under its neighbour."
        yield one_figure(Finding(title, "curator", note, REFUTED_STAMP), picture, alt, right)
