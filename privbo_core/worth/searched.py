"""Is a search without privacy better than chance on these rows? What it cannot win, privacy cannot cost."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from privbo_core.bo import Search
from privbo_core.data import Problem
from privbo_core.outsourced import Difference, Setting, Simulation

INITIAL = 5
RUNS = 40
MOST = 10_000


@dataclass(frozen=True)
class Searched:
    """What a search without privacy finds in so many ``tests``, beside as many rows drawn by chance.

    ``lead``: by how much chance ends with more regret, in σ_y, run by run; above 0 the search is ahead. ``rank`` and
    ``chance``: the typical (median) rank of the best row found, 1 being the best of the ``rows``.
    """

    lead: Difference
    rank: float
    chance: float
    tests: int
    rows: int

    @property
    def clear(self) -> bool:
        """Whether the search is ahead of chance for certain, on these rows: luck with one table is not ruled out."""
        return self.lead.clear and self.lead.mean > 0


def searched(
    problem: Problem,
    *,
    tests: int,
    search: Search = "ucb/5",
    simulation: Simulation | None = None,
    meanwhile: Callable[[], None] = lambda: None,
) -> Searched:
    """Return how the plain search does against chance after ``tests`` tests (and five initial ones): 40 runs of each.

    ``simulation``: one of this problem, whose runs are used and remembered; without one, those of a new one, on at most
    `MOST` rows, always the same. O(runs · rows · tests²). ``meanwhile`` is called now and then; what it raises ends it.
    """
    simulation = simulation or Simulation(_some(problem))
    # Neither ε nor δ nor r matters to a search without privacy. No row twice, as one does who tests people.
    initial = min(INITIAL, simulation.problem.n)
    setting = Setting(1.0, 1e-5, 1, tests, initial=initial, search=search, once=True)
    *_, found = simulation.compare(setting, RUNS, (), meanwhile)
    ranks = [float(found.typical_rank(policy).median) for policy in ("plain", "random")]
    return Searched(found.lead("plain"), ranks[0], ranks[1], tests, simulation.problem.n)


def _some(problem: Problem) -> Problem:
    """Return the problem on some of its rows if there are more than `MOST`."""
    if problem.n <= MOST:
        return problem
    rows = np.sort(np.random.default_rng(0).choice(problem.n, MOST, replace=False))
    return Problem(
        problem.title, problem.points[rows], problem.objective[rows], problem.kernel, problem.noise_variance,
        problem.names, problem.units, problem.original[rows], problem.unit_distance, problem.output, problem.maximize,
    )  # fmt: skip
