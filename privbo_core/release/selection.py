"""Private selection, the baseline for the three algorithms. It needs no prior and no kernel, and has δ = 0."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from privbo_core.errors import Array, DataError, positive, row_indices, vector, whole
from privbo_core.privacy import Choice, Exponential, Guarantee, Laplace, PermuteAndFlip, Status
from privbo_core.release.theory import (
    MEANS,
    NEIGHBOURS,
    NOT_HIDDEN,
    PICKED,
    RECORD,
    Bound,
    Term,
    check_candidates,
    readers,
)

Way = Literal["exponential", "permute-and-flip"]
"""The mechanism that draws one of the candidates."""
_WAYS: dict[Way, tuple[type[Choice], str]] = {
    "exponential": (Exponential, "McSherry and Talwar (2007)"),
    "permute-and-flip": (PermuteAndFlip, "McKenna and Sheldon (2020)"),
}


@dataclass(frozen=True, eq=False)
class Selection:
    """The plan of private selection: ``choice`` draws one of the evaluated ``rows``, and its score gets Laplace noise.

    A score is a mean of m terms in [0, largest_loss], up to its sign. Replacing a record therefore moves each score by
    at most largest_loss/m, which is the sensitivity of both steps. ``scores`` belong to ``rows``, in units of f_V.
    """

    rows: NDArray[np.int64]
    scores: Array
    records: int
    epsilon: float
    choice: Choice
    value: Laplace

    @property
    def way(self) -> Way:
        """The name of the mechanism that draws the setting."""
        return next(way for way, (kind, _) in _WAYS.items() if isinstance(self.choice, kind))

    @property
    def delta(self) -> float:
        """The δ of the guarantee, which is 0."""
        return 0.0

    def at(self, epsilon: float) -> "Selection":
        """Return this plan at another ε."""
        sensitivity = self.value.sensitivity
        choice, value = type(self.choice)(self.scores, sensitivity, epsilon), Laplace(sensitivity, epsilon)
        return Selection(self.rows, self.scores, self.records, epsilon, choice, value)

    def bounds(self, a: float) -> tuple[Bound]:
        """Return max f_V over the rows − f_V(λ̃) ≤ (2Δ/ε)(log n + a), w.p. ≥ 1 − e^{−a} (McSherry and Talwar 2007).

        The same holds for permute-and-flip, because such a loss needs one of n exponential noises to exceed it.
        """
        size = 2.0 * self.value.sensitivity / self.epsilon * (math.log(len(self.rows)) + positive("a", a))
        term = Term("selection", "(2Δ/ε)(log n + a)", size, falls=True)
        return (Bound(2, "max f_V − f_V(λ̃)", (term,), 1.0 - math.exp(-a), self.epsilon),)

    def guarantee(self, released: int = 2) -> Guarantee:
        """Return the guarantee of the setting alone (``released`` = 1), or of setting and score together (2)."""
        if released not in (1, 2):
            raise ValueError(f"released is {released!r}. It must be 1 (the setting) or 2 (the setting and its score).")
        return Guarantee(
            protects=RECORD,
            against=readers("setting" if released == 1 else "setting and score"),
            neighbours=NEIGHBOURS,
            epsilon=released * self.epsilon,
            delta=0.0,
            assumptions=NOT_HIDDEN,
            status=Status.PROVED,
            source=source_of(self.choice) + "; Dwork et al. (2006)",
            conditions=(PICKED, MEANS),
        )


def choosing(way: Way, scores: ArrayLike, sensitivity: float, epsilon: float) -> Choice:
    """Return the mechanism of that name. Raises ValueError for an unknown name, or for unusable scores."""
    if way not in _WAYS:
        raise ValueError(f"way is {way!r}. It must be one of {', '.join(map(repr, _WAYS))}.")
    return _WAYS[way][0](np.asarray(scores, dtype=float), sensitivity, epsilon)


def source_of(choice: Choice) -> str:
    """Return the source of the proof that a mechanism keeps its ε."""
    return next(source for kind, source in _WAYS.values() if isinstance(choice, kind))


def selection(
    scores: ArrayLike,
    *,
    records: int,
    epsilon: float,
    rows: Sequence[int] | None = None,
    largest_loss: float = 1.0,
    way: Way = "exponential",
) -> Selection:
    """Set up private selection among the candidates ``rows`` (all, if None) of a task's n ``scores``.

    ``rows`` must not depend on the sensitive records (`random_rows` draws them). ``records`` is m, and ``largest_loss``
    is the width of the range of one record's contribution. If the scores were rounded to d decimals, ``largest_loss``
    must be larger by m·10^−d. At the same ε, the expected loss of "permute-and-flip" is at most that of "exponential".
    Raises ValueError or DataError on unusable input.
    """
    known = vector("scores", scores, max(1, np.size(scores)))
    candidates = range(len(known)) if rows is None else row_indices("rows", rows, len(known))
    check_candidates(len(candidates))
    if len(set(candidates)) < len(candidates):
        raise DataError("rows names a candidate twice. Each can be drawn once.")
    sensitivity = positive("largest_loss", largest_loss) / whole("records (m)", records)
    chosen = np.asarray(candidates, dtype=np.int64)
    return Selection(
        rows=chosen,
        scores=known[chosen],
        records=int(records),
        epsilon=epsilon,
        choice=choosing(way, known[chosen], sensitivity, epsilon),
        value=Laplace(sensitivity, epsilon),
    )


def random_rows(n: int, count: int, rng: np.random.Generator) -> NDArray[np.int64]:
    """Return ``count`` distinct candidates of n in ascending order, drawn uniformly without looking at any score."""
    if whole("count", count, least=2) > check_candidates(n):
        raise ValueError(f"count is {count}. There are {n} candidates, so at most {n} can be drawn.")
    return np.sort(rng.choice(n, count, replace=False))
