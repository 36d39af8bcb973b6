"""Three decisions on ε, and those about other tables: who is protected from whom, and what it costs.

The costs are those of the systems' pages and of Start, by the same functions of the engine at the same settings.
"""

from pages.ui.stories.schools import Schools
from pages.ui.stories.searches import Searches
from pages.ui.stories.story import Cost, Costs, Story, decades, too_short, written
from pages.ui.stories.team import Team
from privbo_core.outsourced import Simulation

__all__ = [
    "FINE", "Cost", "Costs", "Story", "Team", "decades", "hospital", "schools", "table", "team", "too_short", "written",
]  # fmt: skip
FINE, COARSE = (1.0, 1.5, 2.0, 3.0, 5.0, 7.0), (1.0, 3.0)
"""The values of ε in each decade at which the cost is computed."""
AXIS = (0.1, 100.0)


def hospital(simulation: Simulation) -> Searches:
    """Return the story of the hospital, on its sample."""
    unit = ("extra test", "extra tests")
    return Searches("hospital", "the company", unit, AXIS, decades(*AXIS, FINE), simulation=simulation)


def table(simulation: Simulation) -> Searches:
    """Return the story of another table."""
    unit = ("extra evaluation", "extra evaluations")
    return Searches("table", "the analyst", unit, AXIS, decades(*AXIS, FINE), simulation=simulation)


def team() -> Team:
    """Return the story of the team."""
    axis = (0.01, 10.0)
    return Team("team", "the team", ("point", "points"), axis, decades(*axis, FINE))


def schools() -> Schools:
    """Return the story of the schools."""
    return Schools("schools", "the schools", ("extra round", "extra rounds"), AXIS, decades(*AXIS, COARSE))
