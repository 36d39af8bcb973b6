"""What privacy is expected to cost the search: simulated on the holder's own table, for the holder's eyes only."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial

from pages.parts.bring.worth.judged import judged
from pages.parts.controls.live_sliders import Controls
from pages.parts.frame.live import Live
from pages.parts.frame.undocumented import give_way
from pages.parts.outsourced.plain.picture import found
from pages.parts.outsourced.plain.words import Words
from pages.parts.outsourced.regret import COMING, Regret
from pages.parts.outsourced.searching import pick_searching
from pages.parts.outsourced.sliders import Case
from pages.parts.show.show import Place
from pages.parts.system import usual
from pages.parts.values.views import Fact, Figure, Finding, Tile
from pages.parts.workbench.holder.table import Held
from privbo_core.decision import Simulated
from privbo_core.outsourced import Comparison, Setting, Simulation
from privbo_core.privacy import Noise

SLOT = "expected"
FIRST_RUNS = 4


@dataclass(frozen=True)
class Expected:
    """The simulated searches at one setting."""

    held: Held
    case: Case

    @property
    def words(self) -> Words:
        """What is said of them."""
        return Words(self.case, self.held.told)

    def cost(self, comparison: Comparison | None) -> Fact:
        """Return what privacy costs, as far as it is known."""
        return replace(self.words.cost(comparison), about="What it will cost, simulated")

    def tile(self, comparison: Comparison | None) -> Tile:
        """Return the regret that privacy is expected to add, as Trade-off has it at this ε."""
        value, sure = Regret(comparison, self.case, "simple").cost if comparison else COMING
        return Tile(
            f"Expected extra regret, {self.case.setting.iterations} {self.held.told.tests}", value, sure, "inside"
        )

    def figure(self, comparison: Comparison) -> Figure:
        """Return the picture: what is found with and without privacy, test by test."""
        told, n = self.held.told, self.case.simulation.problem.n
        picture = found(comparison, n, (told.one, told.tests))
        note = f"Median of {comparison.runs} simulated searches on this table."
        return Figure(SLOT, Finding(self.words.answer(comparison), "inside", note), picture, self.words.alt)


def simulated(held: Held) -> Simulated | None:
    """Return how searches on a table are simulated here; None where nobody knows the outcomes."""
    if held.simulation is None:
        return None
    problem = held.simulation.problem
    searching = pick_searching(problem, shown=False)
    return Simulated(held.starts, searching.search, searching.once)


def expected(held: Held, simulation: Simulation, controls: Controls, shape: Noise) -> Expected:
    """Return the simulated searches for a table and what the sliders say."""
    rows = simulation.problem.n
    tests = usual.tests(rows, controls.whole("T"))
    setting = Setting(controls["epsilon"], controls["delta"], usual.R, tests, initial=usual.initial(rows), shape=shape)
    searching = pick_searching(simulation.problem, shown=False)
    worth = partial(judged, simulation)
    return Expected(held, Case(simulation, searching.of(setting), ("noisy",), usual.RUNS, worth=worth))


def follow_searches(expected: Expected, live: Live, place: Place, say: Callable[[Comparison], None]) -> None:
    """Draw the searches as they are simulated; ``say``: what else follows them."""
    case = expected.case

    def draw(comparison: Comparison) -> None:
        say(comparison)
        place.draw(expected.figure(comparison))

    place.dim()
    known = case.simulation.finished("noisy", case.setting, case.runs)
    last = live.follow(
        case.simulation.compare(case.setting, case.runs, case.mechanisms, give_way), draw,
        ready=lambda now: now.runs >= max(known, FIRST_RUNS), whole=lambda now: now.runs >= case.runs,
    )  # fmt: skip
    live.remember(comparison=last)
    live.rest()
