"""The verdict on a table: it carries an answer, weakly, not at all, or has too few rows to tell."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

import numpy as np

from privbo_core.bo import Search
from privbo_core.data import Problem
from privbo_core.outsourced import Simulation
from privbo_core.worth.learned import Learned, learned
from privbo_core.worth.searched import Searched, searched
from privbo_core.worth.shuffled import Shuffled, shuffled

Verdict = Literal["carries", "weak", "nothing", "too few"]
LEAST_ROWS = 30
"""With so many, three inputs that explain half of an outcome are told from noise in 6 of 10 tables; with 60, in 9."""
ROWS_PER_INPUT = 10
"""Loeppky, Sacks and Welch (2009), "Choosing the sample size of a computer experiment": ten rows for each input."""
SHARE_TESTED = 4
"""A search is judged by how it does with a test for every so many rows at most: who tests all rows needs no search."""


@dataclass(frozen=True)
class Worth:
    """What can be said of a table before any curve. It is computed from the data: for their holder's eyes alone.

    "too few": ``rows`` are fewer than ``needed``, and nothing else is computed. "nothing": the inputs tell nothing of
    the outcome, so that no search can rely on them, and where one looks ahead of chance it is luck with this table.
    "weak": they tell something, and yet the search is not clearly ahead of chance. "carries": both.
    It says nothing of what a release protects: guarantees hold whatever the verdict.
    """

    verdict: Verdict
    rows: int
    needed: int
    shuffled: Shuffled | None = None
    learned: Learned | None = None
    searched: Searched | None = None

    @property
    def least(self) -> int:
        """How many rows are needed however few the inputs are."""
        return LEAST_ROWS

    @property
    def something_to_lose(self) -> bool:
        """Whether a search wins anything here that privacy could cost."""
        return self.verdict == "carries"


def rows_needed(inputs: int) -> int:
    """Return how many rows a table with so many inputs needs for a verdict: 10 for each, and 30 at least."""
    return max(LEAST_ROWS, ROWS_PER_INPUT * inputs)


def judge(
    problem: Problem,
    *,
    tests: int = 30,
    search: Search = "ucb/5",
    simulation: Simulation | None = None,
    meanwhile: Callable[[], None] = lambda: None,
) -> Worth:
    """Return whether a table can carry an answer: always the same one for the same table, within a second or two.

    Are there enough rows; do the inputs explain the outcome more than they do shuffled ones (`shuffled`); how much,
    and which do (`learned`); is a ``search`` without privacy ahead of chance after so many ``tests``, or one for every
    four rows (`searched`; ``simulation`` as there). ``meanwhile`` is called now and then; what it raises ends it.
    """
    needed = rows_needed(problem.d)
    if problem.n < needed:
        return Worth("too few", problem.n, needed)
    told = shuffled(problem.points, problem.objective, rng=np.random.default_rng(0), meanwhile=meanwhile)
    known = learned(problem, meanwhile=meanwhile)
    tests = max(1, min(tests, problem.n // SHARE_TESTED))
    found = searched(problem, tests=tests, search=search, simulation=simulation, meanwhile=meanwhile)
    verdict: Verdict = "nothing" if not told.clear else "carries" if found.clear else "weak"
    return Worth(verdict, problem.n, needed, told, known, found)
