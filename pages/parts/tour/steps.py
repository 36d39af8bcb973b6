"""The eight steps of the tour: each one figure and one sentence, made of what is computed there and then."""

import re
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import dataclass, field

import numpy as np

from pages.parts.audit.attacks import MECHANISMS, Panel, Scene
from pages.parts.controls.live_sliders import Controls, Mark, Slider
from pages.parts.outsourced import figures
from pages.parts.show.look import SIGMA_Y, Palette, finding, scientific
from pages.parts.tour import figures as tour_figures
from privbo_core.bo import Band, Trace, band
from privbo_core.outsourced import Comparison, Setting, Simulation, distance_distortion, omega, smallest_epsilon
from privbo_core.outsourced.simulation import Mechanism, Policy
from privbo_core.privacy import worst_case_belief

DELTA = 1e-5
FIRST_RUNS = 4  # what the first picture of a curve is made of
SWEPT_R = (1, 2, 4, 8, 15, 30, 60, 100)
SWEPT_EPSILON = (0.5, 1.0, 2.0, 5.0, 10.0, 20.0, 50.0, 100.0)


@dataclass(frozen=True)
class Stop:
    """Where the tour stands: data, settings of this step, theme, and what a held thumb must not change."""

    simulation: Simulation
    controls: Controls
    colours: Palette
    held: dict[str, float] = field(default_factory=dict)
    pause: Callable[[], None] = lambda: None  # called between runs: the place to give way to a newer setting

    def setting(self) -> Setting:
        """Return the setting; what the step has no slider for is at its default."""
        values = self.controls.values
        return Setting(
            values.get("epsilon", 3.0),
            DELTA,
            int(values.get("r", 10)),
            int(values.get("T", min(50, self.simulation.problem.n))),
            protected_distance=values.get("distance", 1.0),
        )

    @property
    def runs(self) -> int:
        """How many runs are averaged."""
        return int(self.controls.values.get("runs", 30))


@dataclass(frozen=True)
class Step:
    """A step: its name in the list, its sliders for a simulation, and its views, better and better ones."""

    name: str
    sliders: Callable[[Simulation], list[Slider]]
    run: Callable[[Stop], Iterator[Panel]]


def _epsilon(simulation: Simulation, value: float = 3.0, marked: bool = True) -> Slider:
    smallest = smallest_epsilon(simulation.spectrum.sigma_min, DELTA, 10)
    marks = (Mark(smallest, "σ_min = ω at r = 10"),) if marked else ()
    return Slider(
        "epsilon",
        "ε",
        0.4,
        148,
        value,
        "more private",
        "more useful",
        "Privacy loss.",
        step=0.01,
        log=True,
        marks=marks,
    )


def _r() -> Slider:
    return Slider(
        "r",
        "r",
        1,
        100,
        10,
        "fewer dimensions",
        "truer distances, larger ω",
        "Dimension of the projection.",
        whole=True,
    )


def _T(simulation: Simulation) -> Slider:  # noqa: N802 - the paper's letter
    most = min(200, simulation.problem.n)
    return Slider(
        "T",
        "T",
        5,
        most,
        min(50, most),
        "fewer evaluations",
        "more evaluations",
        "Evaluations after five initial ones.",
        whole=True,
    )


RUNS = Slider("runs", "runs", 5, 100, 30, "faster", "thinner bands", "Runs averaged.", whole=True)
DISTANCE = Slider("distance", "protected distance", 0.1, 25, 1, "less is hidden", "more is hidden",
                  "How far one record may move and stay hidden; the farthest lies at 25.", step=0.02, log=True)  # fmt: skip
LOSS = Slider("loss", "acceptable extra regret (σ_y)", 0.01, 3, 0.1, "demand more", "accept more",
              "How much worse than the non-private search the result may be.", step=0.02, log=True)  # fmt: skip


def who_sees_what(stop: Stop) -> Iterator[Panel]:
    """Draw the records with their outcomes beside what the modeler is given."""
    problem, setting = stop.simulation.problem, stop.setting()
    z = stop.simulation.release(setting, 0).Z
    numbers = f"{setting.r} numbers" if setting.r > 1 else "1 number"
    title = f"The curator keeps {problem.n:,} records; the modeler gets {numbers} for each, and outcomes only by asking"
    picture, drawn = tour_figures.two_sides(problem, z, stop.colours)
    part = f" {drawn:,} of {problem.n:,} drawn." if drawn < problem.n else ""
    note = f"Left: records, coloured by outcome. Right: their random projection, in its two widest directions.{part}"
    yield Panel(
        finding(title, "curator", note),
        "Records coloured by outcome, beside their projection without colours.",
        picture,
    )


def search_beats_chance(stop: Stop) -> Iterator[Panel]:
    """Draw the non-private search against random search."""
    for comparison in _comparisons(stop, ()):
        ends = [float(comparison.band(policy).mean[-1]) for policy in ("plain", "random")]
        lead = _difference(comparison.random, comparison.plain, comparison.sigma_y)
        T, sure = stop.setting().iterations, abs(lead.mean[-1]) >= 2 * lead.standard_error[-1]
        if not sure:
            title = f"After {T} evaluations no clear lead: search {ends[0]:.2f} {SIGMA_Y} from the best, chance {ends[1]:.2f}"
        elif lead.mean[-1] > 0:
            title = f"After {T} evaluations the search is {ends[0]:.2f} {SIGMA_Y} from the best there is, chance {ends[1]:.2f}"
        else:
            title = f"After {T} evaluations chance is ahead: {ends[1]:.2f} {SIGMA_Y} from the best, the search still {ends[0]:.2f}"
        yield _regret(stop, comparison, title, "No privacy yet.")


def distances_survive(stop: Stop) -> Iterator[Panel]:
    """Draw what the release does to distances, and say whether the condition holds."""
    simulation, setting = stop.simulation, stop.setting()
    z = simulation.release(setting, 0).Z
    measured = distance_distortion(simulation.problem.points, z, 20_000, np.random.default_rng(0))
    low, high = (float(np.quantile(measured.ratios, share)) for share in (0.05, 0.95))
    sigma_min, threshold = simulation.spectrum.sigma_min, omega(setting.epsilon, DELTA, setting.r)
    factors = f"nine of ten squared distances × {low:.2g} to {high:.2g}"
    if sigma_min >= threshold:
        title = f"σ_min = {sigma_min:.0f} ≥ ω = {threshold:.0f}: projected as they are, {factors}"
    else:
        title = f"σ_min = {sigma_min:.0f} &lt; ω = {threshold:.0f}: inflated first, {factors}"
    note = f"{measured.pairs:,} random pairs of records, one projection to r = {setting.r}, ε = {setting.epsilon:.3g}."
    picture = figures.distances(measured, 0.0, 0.0, False, stop.colours)
    yield Panel(
        finding(title, "curator", note),
        f"Histogram of how squared distances change; 90 % between {low:.2g} and {high:.2g}.",
        picture,
    )


def what_it_costs(stop: Stop) -> Iterator[Panel]:
    """Draw private against non-private search."""
    setting = stop.setting()
    for comparison in _comparisons(stop, ("private",)):
        cost = _cost(comparison.extra())
        yield _regret(
            stop,
            comparison,
            f"At ε = {setting.epsilon:.3g} the projection {cost} after {setting.iterations} evaluations",
        )


def which_r(stop: Stop) -> Iterator[Panel]:
    """Draw final regret against r, with more and more runs."""
    setting, simulation = stop.setting(), stop.simulation
    sigma_y, sigma_min = simulation.problem.sigma_y, simulation.spectrum.sigma_min
    feasible = sum(sigma_min >= omega(setting.epsilon, DELTA, r) for r in range(1, SWEPT_R[-1] + 1))
    where = f"σ_min ≥ ω up to r = {feasible}." if feasible else "σ_min ≥ ω for no r."
    for runs in _growing(stop.runs):
        plain = band([trace.simple_regret / sigma_y for trace in _traces(stop, "plain", setting, runs)])
        at = {float(r): Setting(setting.epsilon, DELTA, r, setting.iterations) for r in SWEPT_R}
        done = {r: _traces(stop, "private", changed, runs) for r, changed in at.items()}
        results = {r: band([trace.simple_regret / sigma_y for trace in traces]) for r, traces in done.items()}
        best = min(results, key=lambda r: float(results[r].mean[-1]))
        title = f"r = {best:g} leaves least regret, {results[best].mean[-1]:.2f} {SIGMA_Y}"
        for end in sorted({min(done), max(done)} - {best}):
            more = _difference(done[end], done[best], sigma_y)
            clear = more.mean[-1] >= 2 * more.standard_error[-1]
            title += f"; r = {end:g} {more.mean[-1]:.2f} more" if clear else f"; r = {end:g} not clearly more"
        picture = figures.sweep(
            list(done), results, float(plain.mean[-1]), best, float(feasible), False, "projection dimension r", SIGMA_Y, stop.colours
        )  # fmt: skip
        note = f"ε = {setting.epsilon:.3g}, {_of(runs, stop.runs)} each, ± 1 s.e. {where}"
        yield Panel(finding(title, "simulation", note), "Final simple regret against r.", picture)


def told_apart(stop: Stop) -> Iterator[Panel]:
    """Run the audit's test on releases of two neighbours."""
    values = {
        "epsilon": stop.setting().epsilon,
        "delta": DELTA,
        "r": float(stop.setting().r),
        "trials": stop.controls["trials"],
    }
    scene = Scene(Controls(values), stop.simulation, stop.colours)
    for view in MECHANISMS["projection"][1]["tell"].run(scene):
        yield Panel(
            finding(title_of(view.left), "curator", title_of(view.right) + "."), view.left.alt, view.left.picture
        )


def promise_kept(stop: Stop) -> Iterator[Panel]:
    """Draw what the release whose promise is proved costs, beside the refuted one."""
    setting, d = stop.setting(), stop.simulation.problem.d
    for comparison in _comparisons(stop, ("private", "noisy")):
        noisy, projected = (_cost(comparison.extra(mechanism=mechanism)) for mechanism in ("noisy", "private"))
        title = f"Proved: noise {noisy}. Refuted: the projection {projected}"
        note = f"ε = {setting.epsilon:.3g}; noise σ = {setting.noise(d):.3g} in each coordinate hides a move of {setting.protected_distance:.3g}."
        yield _regret(stop, comparison, title, note)


def what_would_you_choose(stop: Stop) -> Iterator[Panel]:
    """Draw what the proved release costs at each ε, and say which ε the acceptable loss asks for."""
    setting, loss = stop.setting(), stop.controls["loss"]
    for runs in _growing(stop.runs):
        plain = _traces(stop, "plain", setting, runs)
        costs: dict[float, Band] = {}
        for epsilon in SWEPT_EPSILON:
            noisy = _traces(stop, "noisy", Setting(epsilon, DELTA, 10, setting.iterations), runs)
            costs[epsilon] = _difference(noisy, plain, stop.simulation.problem.sigma_y)
        title, note = choice_words(costs, loss)
        note += f" {_of(runs, stop.runs)} each, {setting.iterations} evaluations, ± 1 s.e."
        picture = tour_figures.costs(costs, loss, stop.colours)
        yield Panel(finding(title, "simulation", note.strip()), "Extra regret of the noisy release against ε.", picture)


def choice_words(costs: dict[float, Band], loss: float) -> tuple[str, str]:
    """Return the sentence about the smallest ε from which on no cost exceeds the loss, and what that ε means."""
    chosen = None
    for epsilon in sorted(costs, reverse=True):
        if float(costs[epsilon].mean[-1]) > loss:
            break
        chosen = epsilon
    if chosen is None:
        top = max(costs)
        return (
            f"Even at ε = {top:g} the proved release costs more than {loss:.2g} {SIGMA_Y}: {float(costs[top].mean[-1]):.2f}",
            "",
        )
    belief = 100 * worst_case_belief(0.5, chosen)
    sure = f"{belief:.1f} %" if belief < 99.9 else "more than 99.9 %"
    if chosen == min(costs):
        said = f"Even ε = {chosen:g}, the smallest tried, costs at most {loss:.2g} {SIGMA_Y}, and is proved"
    else:
        said = f"To lose at most {loss:.2g} {SIGMA_Y}, the proved release asks for ε = {chosen:g}"
    return (
        said,
        f"Somebody who was 50 % sure of a record may then become {sure} sure (δ = {scientific(DELTA)}).",
    )


def title_of(panel: Panel) -> str:
    """Return the sentence in a panel's title."""
    found = re.search(r"<h3>(.*?)</h3>", panel.title)
    return found[1] if found else ""


def _comparisons(stop: Stop, mechanisms: tuple[Mechanism, ...]) -> Iterator[Comparison]:
    """Yield comparisons worth drawing: not of one run, nor of less than is known already."""
    simulation, setting, runs = stop.simulation, stop.setting(), stop.runs
    policies: tuple[Policy, ...] = (*mechanisms, "plain", "random")
    known = min(simulation.finished(policy, setting, runs) for policy in policies)
    with closing(simulation.compare(setting, runs, mechanisms)) as comparisons:
        for comparison in comparisons:
            if comparison.runs >= min(runs, max(known, FIRST_RUNS)):
                yield comparison


def _traces(stop: Stop, policy: Policy, setting: Setting, runs: int) -> list[Trace]:
    traces = []
    with closing(stop.simulation.stream(policy, setting, runs)) as finished:
        for trace in finished:
            traces.append(trace)
            stop.pause()
    return traces


def _growing(runs: int) -> Iterator[int]:
    """Yield numbers of runs to draw after, each about twice the one before."""
    now = FIRST_RUNS
    while now < runs:
        yield now
        now *= 2
    yield runs


def _of(now: int, runs: int) -> str:
    return f"{runs} runs" if now == runs else f"{now} of {runs} runs"


def _difference(more: tuple[Trace, ...] | list[Trace], less: tuple[Trace, ...] | list[Trace], unit: float) -> Band:
    """Return the mean of run-by-run differences in simple regret, in units of σ_y."""
    return band([(a.simple_regret - b.simple_regret) / unit for a, b in zip(more, less, strict=True)])


def _cost(extra: Band) -> str:
    mean, error = float(extra.mean[-1]), float(extra.standard_error[-1])
    if abs(mean) < 2 * error or abs(mean) < 0.005:
        return f"has no clear cost ({mean:+.2f} ± {error:.2f} {SIGMA_Y})".replace("-", "−")
    return f"{'costs' if mean > 0 else 'happens to save'} {abs(mean):.2f} {SIGMA_Y} (± {error:.2f})"


def _regret(stop: Stop, comparison: Comparison, title: str, note: str = "") -> Panel:
    top = stop.held.get("top") if stop.controls.dragging else None
    picture = figures.regret(comparison, None, "simple", top, SIGMA_Y, stop.colours)
    if not stop.controls.dragging:
        stop.held["top"] = figures.regret_top(comparison, "simple")
    of = _of(comparison.runs, stop.runs)
    return Panel(
        finding(title, "simulation", f"{note} {of}, bands ± 1 standard error.".strip()),
        "Regret over the evaluations.",
        picture,
    )


TRIALS = next(slider for slider in MECHANISMS["projection"][1]["tell"].sliders if slider.key == "trials")
STEPS = (
    Step("Who sees what", lambda simulation: [_r()], who_sees_what),
    Step("Search against chance", lambda simulation: [_T(simulation), RUNS], search_beats_chance),
    Step("Distances", lambda simulation: [_epsilon(simulation, _enough(simulation)), _r()], distances_survive),
    Step("Drag ε: what it costs", lambda simulation: [_epsilon(simulation), _T(simulation), RUNS], what_it_costs),
    Step("r, too small or too large", lambda simulation: [_epsilon(simulation), RUNS], which_r),
    Step("The promise refuted", lambda simulation: [_epsilon(simulation, marked=False), _r(), TRIALS], told_apart),
    Step("A promise kept", lambda simulation: [_epsilon(simulation, marked=False), DISTANCE, RUNS], promise_kept),
    Step("What would you choose?", lambda simulation: [LOSS, RUNS], what_would_you_choose),
)
"""In their order."""


def _enough(simulation: Simulation) -> float:
    """Return an ε at which σ_min ≥ ω for r = 10, if there is one on the slider."""
    return min(max(1.05 * smallest_epsilon(simulation.spectrum.sigma_min, DELTA, 10), 0.4), 148.0)
