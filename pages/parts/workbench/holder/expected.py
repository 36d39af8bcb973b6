"""What privacy is expected to cost the search: simulated on the holder's own table, for the holder's eyes only."""

from collections.abc import Callable
from dataclasses import replace
from functools import partial

from pages.parts.live.sliders import Controls
from pages.parts.live.work import Live
from pages.parts.outsourced import view as outsourced
from pages.parts.outsourced.figures import ranks
from pages.parts.outsourced.setup import Case, pick_searching
from pages.parts.outsourced.view import View
from pages.parts.system import usual
from pages.parts.table.diagnostics import judged
from pages.parts.views.drawing import Place
from pages.parts.views.views import Fact, Figure, Finding, Tile
from pages.parts.workbench.holder.table import Held
from privbo_core.decision import Simulated
from privbo_core.outsourced import Setting, Simulation
from privbo_core.privacy import Noise

SLOT = "expected"


def expected_cost(view: View) -> Fact:
    """Return what privacy costs, as far as it is known."""
    return replace(view.cost, about="What it will cost, simulated")


def expected_tile(view: View) -> Tile:
    """Return the regret that privacy is expected to add, as Trade-off has it at this ε."""
    return Tile(f"Expected extra regret, {view.tests}", *view.lost, "inside")


def simulated(held: Held) -> Simulated | None:
    """Return how searches on a table are simulated here; None where nobody knows the outcomes."""
    if held.simulation is None:
        return None
    problem = held.simulation.problem
    searching = pick_searching(problem, shown=False)
    return Simulated(held.starts, searching.search, searching.once)


def expected(held: Held, simulation: Simulation, controls: Controls, shape: Noise) -> View:
    """Return the view of the searches that are to be simulated, for a table and what the sliders say."""
    rows = simulation.problem.n
    tests = usual.tests(rows, controls.whole("T"))
    setting = Setting(controls["epsilon"], controls["delta"], usual.R, tests, initial=usual.initial(rows), shape=shape)
    searching = pick_searching(simulation.problem, shown=False)
    worth = partial(judged, simulation)
    return View(Case(simulation, searching.of(setting), ("noisy",), usual.RUNS, worth=worth), wording=held.sample)


def follow_searches(view: View, live: Live, place: Place, say: Callable[[View], None]) -> None:
    """Draw the searches as they are simulated; ``say``: what else follows them."""

    def draw(now: View) -> None:
        say(now)
        note = f"Median of {now.runs} simulated searches on this table."
        place.draw(Figure(SLOT, Finding(now.answer, "inside", note, now.luck), ranks(now), now.alt))

    place.dim()
    last = outsourced.follow_searches(live, view, draw)
    live.remember(comparison=last.comparison)
    live.rest()
