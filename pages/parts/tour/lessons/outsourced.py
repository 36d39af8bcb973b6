"""Where the lesson about outsourced optimisation stands: the data, the sliders, and averages over more and more runs."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass, replace

from pages.parts.controls.live_sliders import Controls, Notch, Slider, human_above
from pages.parts.frame.live import Steps
from pages.parts.outsourced.setup import PUBLISHED, Case, Searching
from pages.parts.outsourced.view import FIRST_RUNS, View, compute
from pages.parts.system import usual
from privbo_core.bo import Band, Trace, band
from privbo_core.outsourced import Setting, Simulation, smallest_epsilon
from privbo_core.outsourced.simulation import Mechanism, Policy

DELTA = usual.DELTA


@dataclass(frozen=True)
class Station:
    """Where the tour stands: the data and the settings of this step; ``put_axis`` and ``pause`` as in `Stop`."""

    simulation: Simulation
    controls: Controls
    searching: Searching = PUBLISHED
    put_axis: Callable[[float], float] = lambda top: top
    pause: Callable[[], None] = lambda: None

    def setting(self) -> Setting:
        """Return the setting; what the step has no slider for is at its default."""
        values = self.controls.values
        setting = Setting(
            values.get("epsilon", usual.EPSILON),
            DELTA,
            int(values.get("r", usual.R)),
            int(values.get("T", min(usual.STEPS, self.simulation.problem.n))),
            protected_distance=values.get("distance", 1.0),
        )
        return self.searching.of(setting)

    def case(self, *mechanisms: Mechanism) -> Case:
        """Return what is compared where these releases are."""
        return Case(self.simulation, self.setting(), mechanisms, self.runs)

    @property
    def runs(self) -> int:
        """How many runs are averaged."""
        return int(self.controls.values.get("runs", usual.RUNS))


RUNS = Slider("runs", "runs", 5, 100, usual.RUNS, "faster", "thinner bands", "Runs averaged.", whole=True)
DISTANCE = Slider("distance", "protected distance", 0.1, 25, 1, "less is hidden", "more is hidden",
                  "By how many hidden changes of the frame one record may move and stay hidden.", step=0.02, log=True)  # fmt: skip
LOSS = Slider("loss", "acceptable extra regret (σ_y)", 0.01, 3, 0.1, "demand more", "accept more",
              "How much worse than the non-private search the result may be.", step=0.02, log=True)  # fmt: skip
DIMENSION = Slider("r", "r", 1, 100, usual.R, "fewer dimensions", "truer distances, larger ω",
                   "Dimension of the projection.", whole=True)  # fmt: skip
EPSILON = Slider(
    "epsilon", "ε", *usual.EPSILONS, usual.EPSILON, "more private", "more useful", "Privacy loss.", step=0.01, log=True
)


def marked_epsilon(simulation: Simulation, value: float = EPSILON.value) -> Slider:
    """Return the slider of ε with the place marked where σ_min = ω."""
    turn = Notch(smallest_epsilon(simulation.spectrum.sigma_min, DELTA, 10), "σ_min = ω at r = 10")
    return replace(EPSILON, value=value, marks=(turn,))


def enough_epsilon(simulation: Simulation) -> float:
    """Return an ε at which σ_min ≥ ω for r = 10, if there is one on the slider."""
    enough = human_above(1.05 * smallest_epsilon(simulation.spectrum.sigma_min, DELTA, 10))
    return min(max(enough, EPSILON.min), EPSILON.max)


def evaluations(simulation: Simulation) -> Slider:
    """Return the slider of T. It cannot exceed the number of records."""
    most = min(200, simulation.problem.n)
    return Slider("T", "T", 5, most, min(usual.STEPS, most), "fewer evaluations", "more evaluations",
                  "Evaluations after five initial ones.", whole=True)  # fmt: skip


def searched(case: Case) -> Steps[View]:
    """Yield views of a case that are worth drawing: not of one run, nor of less than is known already."""
    simulation, runs = case.simulation, case.runs
    known = min(simulation.finished(policy, case.setting, runs) for policy in simulation.policies(case.mechanisms))
    with closing(compute(View(case))) as steps:
        for view in steps:
            if view.runs >= min(runs, max(known, FIRST_RUNS)):
                yield view


def traces(station: Station, policy: Policy, setting: Setting, runs: int) -> list[Trace]:
    """Return the traces of the first runs, giving way between them."""
    found = []
    with closing(station.simulation.stream(policy, setting, runs)) as finished:
        for trace in finished:
            found.append(trace)
            station.pause()
    return found


def growing(runs: int) -> Iterator[int]:
    """Yield numbers of runs to draw after, each about twice the one before."""
    now = FIRST_RUNS
    while now < runs:
        yield now
        now *= 2
    yield runs


def of_runs(now: int, runs: int) -> str:
    """Return in words how many runs are finished."""
    return f"{runs} runs" if now == runs else f"{now} of {runs} runs"


def difference(more: Sequence[Trace], less: Sequence[Trace], unit: float) -> Band:
    """Return the mean of run-by-run differences in simple regret, in ``unit``."""
    return band([(a.simple_regret - b.simple_regret) / unit for a, b in zip(more, less, strict=True)])
