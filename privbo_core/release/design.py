"""Everything that is decided before a team publishes what its tuning found: the mechanism and its constants."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal, get_args

import numpy as np

from privbo_core.data import LipschitzLoss, TuningTask
from privbo_core.errors import DataError
from privbo_core.release.draw import Plan
from privbo_core.release.lipschitz import lipschitz
from privbo_core.release.noise_free import noise_free
from privbo_core.release.noisy import noisy
from privbo_core.release.prior import Coverage, coverage
from privbo_core.release.publication import Publication
from privbo_core.release.search import Search, Tuning, optimise
from privbo_core.release.selection import Way, selection
from privbo_core.release.theory import Variant

Mechanism = Literal["selection", "noisy", "noise-free", "lipschitz"]
"""Private selection, or one of DP-BO's Algorithms 1 to 3."""
MAX_PAIR_CANDIDATES = 1000
"""The largest number of candidates on which pairs of functions are drawn."""


@dataclass(frozen=True)
class Design:
    """A mechanism, what is published by it, and all constants that it depends on.

    ``epsilon`` is that of each publication, so a ``setting`` and a ``score`` together cost 2ε. A mechanism ignores the
    constants that it doesn't have. ``loss`` and ``records`` are what Algorithm 3 is told. None means those of the task.
    Raises ValueError for an unknown mechanism.
    """

    mechanism: Mechanism
    epsilon: float
    setting: bool = True
    score: bool = True
    variant: Variant = "icml"
    way: Way = "permute-and-flip"
    delta: float = 1e-3
    k1: float = 0.99
    sigma: float = 0.1
    iterations: int = 50
    A: float = 1.0
    tau: float = 0.1
    loss: LipschitzLoss | None = None
    records: int | None = None

    def __post_init__(self) -> None:
        if self.mechanism not in get_args(Mechanism):
            known = ", ".join(map(repr, get_args(Mechanism)))
            raise ValueError(f"mechanism is {self.mechanism!r}. It must be one of {known}.")

    @property
    def searches(self) -> bool:
        """Whether the mechanism publishes what a search found. Private selection needs none."""
        return self.mechanism != "selection"

    @property
    def tuning(self) -> Tuning:
        """The parameters of the search and of Algorithms 1 and 2. Only Algorithm 1 has noisy evaluations."""
        sigma = self.sigma if self.mechanism == "noisy" else 0.0
        return Tuning(self.k1, sigma, self.iterations, self.delta, self.variant, A=self.A, tau=self.tau)

    def search(self, task: TuningTask, run: int = 0) -> Search:
        """Return one search. Runs differ in their observation noise, and those of `released_question` are the same."""
        tuning, rng = self.tuning, np.random.default_rng([0, run])
        return optimise(
            task.points,
            task.objective,
            kernel=task.kernel,
            sigma=tuning.sigma,
            iterations=min(tuning.iterations, task.n),
            delta=tuning.delta,
            rng=rng,
        )

    def publication(self, task: TuningTask, search: Search | None = None) -> Publication:
        """Return what is published after a search, which is run here if it isn't given.

        Raises DataError if the mechanism doesn't apply to the task.
        """
        return Publication(task, self._plan(task, search), self.setting, self.score)

    def _plan(self, task: TuningTask, search: Search | None) -> Plan:
        if self.mechanism == "selection":
            if task.records is None:
                raise DataError("Private selection needs m, the number of records behind each score.")
            m, width = task.records, task.largest_loss
            return selection(task.scores, records=m, epsilon=self.epsilon, largest_loss=width, way=self.way)
        found = search if search is not None else self.search(task)
        if self.mechanism == "noisy":
            return noisy(found, epsilon=self.epsilon, k1=self.k1, variant=self.variant)
        if self.mechanism == "noise-free":
            constants = {"k1": self.k1, "A": self.A, "tau": self.tau}
            return noise_free(found, epsilon=self.epsilon, variant=self.variant, **constants)
        loss, records = self.loss or task.loss, self.records or task.records
        if loss is None or records is None:
            raise DataError("Algorithm 3 needs a regularised model with a Lipschitz loss, and the number of records m.")
        return lipschitz(task.scores[found.rows], loss=loss, records=records, epsilon=self.epsilon)

    def pairs(self, task: TuningTask, count: int) -> Iterator[Coverage]:
        """Yield how far things move between functions of ``count`` pairs drawn from the prior (`coverage`)."""
        points = task.points
        if len(points) > MAX_PAIR_CANDIDATES:
            points = points[np.linspace(0, len(points) - 1, MAX_PAIR_CANDIDATES).round().astype(int)]
        return coverage(points, self.tuning, kernel=task.kernel, pairs=count, rng=np.random.default_rng(0))
