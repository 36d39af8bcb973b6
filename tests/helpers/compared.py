"""What Outsourced shows of searches on a problem, computed as the page does."""

from pages.parts.outsourced.setup import Case
from pages.parts.outsourced.view import View
from privbo_core.outsourced import Setting, Simulation


def compared(problem, mechanisms=("noisy",), *, epsilon=3.0, T=10, runs=12, measure="simple", **setting):
    """Return the view when all runs are in; ``setting``: what else a `Setting` has."""
    simulation = problem if isinstance(problem, Simulation) else Simulation(problem)
    now = Setting(epsilon, 1e-5, setting.pop("r", 10), T, **{"once": True} | setting)
    *_, comparison = simulation.compare(now, runs, mechanisms)
    return View(Case(simulation, now, mechanisms, runs), comparison, measure)
