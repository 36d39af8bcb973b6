"""The trade-off curve that a class decides on: the same searches, as often, as on the pages about the hospital."""

from dataclasses import replace
from functools import partial

from pages.parts.bring.problems import public_simulation
from pages.parts.bring.worth.suited import suited
from pages.parts.frame.later import later
from pages.parts.outsourced.setup import Searching
from pages.parts.system import usual
from privbo_core.classroom.accept import EPSILONS, Accept, Offer
from privbo_core.outsourced import Setting, Simulation

SAMPLE = "hospital"


def usual_setting(simulation: Simulation) -> Setting:
    """Return what the pages about these data are set to until somebody sets them otherwise."""
    searching = Searching(suited(simulation.problem), once=True)
    return searching.of(Setting(usual.EPSILON, usual.DELTA, usual.R, min(usual.STEPS, simulation.problem.n)))


def curve(simulation: Simulation, setting: Setting) -> tuple[Offer, ...]:
    """Return what each ε costs in tests, by simulated searches. A second or two."""
    offers = []
    for epsilon in EPSILONS:
        *_, found = simulation.compare(replace(setting, epsilon=epsilon), usual.RUNS, ("noisy",))
        needed = found.tests_needed("noisy")
        # No cost that has been measured is none, as the pages say it.
        more = needed.more if needed.low > 0 else 0
        offers.append(Offer(epsilon, more, min(needed.low, more), max(needed.high, more)))
    return tuple(offers)


def offered(simulation: Simulation) -> tuple[Offer, ...] | None:
    """Return the curve if it has been computed. If not, begin with it beside everything else, and return None."""
    setting = usual_setting(simulation)
    found = later().ask(("what would you accept", setting), partial(curve, simulation, setting))
    return found if isinstance(found, tuple) else None


def start() -> Accept:
    """Return the experiment; its curve is handed in once it is there."""
    return Accept(partial(offered, public_simulation(SAMPLE)))
