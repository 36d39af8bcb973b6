"""Algorithm 3: release the best validation score of a regularised model, without a Gaussian-process assumption."""

import math
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from privbo_core.data import LipschitzLoss, TuningTask
from privbo_core.errors import DataError, positive, vector, whole
from privbo_core.privacy import Condition, Guarantee, Laplace, Status
from privbo_core.release.theory import NEIGHBOURS, RECORD, Bound, range_term, readers, record_term, theorem_7, theorem_8


@dataclass(frozen=True)
class Lipschitz:
    """The plan of Algorithm 3: ``value`` adds Laplace noise to ``best`` = max_t f_V(w_{λ_t}), in units of f_V.

    Only the score is released, not the setting. Only a draw may be published. The rest is for the data holder alone.
    """

    loss: LipschitzLoss
    records: int
    epsilon: float
    best: float
    value: Laplace

    @property
    def delta(self) -> float:
        """The δ of the guarantee, which is 0."""
        return 0.0

    @property
    def choice(self) -> None:
        """None, because Algorithm 3 does not release λ."""
        return

    @property
    def sound(self) -> bool:
        """Whether the noise covers the bound that the proof yields: min{g*/m, 2L/(mλ_min)} plus the range term."""
        return self.value.sensitivity >= self._proven_sensitivity * (1.0 - 1e-12)

    @property
    def informative(self) -> bool:
        """Whether the sensitivity is below g*, the most by which any two scores in [−g*, 0] can differ."""
        return self.value.sensitivity < self.loss.largest

    @property
    def informative_above(self) -> float:
        """The λ_min above which the sensitivity is below g*, at the same λ_max and m."""
        loss, m = self.loss, self.records
        width = loss.largest + loss.slope / loss.lambda_max
        # The smaller of the two record terms of Theorem 7 counts, so it is enough if either of them is small.
        return loss.slope / max(width - loss.largest / m, width / (1.0 + 1.0 / m))

    @property
    def _proven_sensitivity(self) -> float:
        loss = self.loss
        record = record_term(
            slope=loss.slope, largest=loss.largest, lambda_min=loss.lambda_min, records=self.records, printed=False
        )
        # No score moves by more than the width of its range, so noise of that size always suffices.
        between = range_term(slope=loss.slope, lambda_min=loss.lambda_min, lambda_max=loss.lambda_max)
        return min(loss.largest, record + between)

    def at(self, epsilon: float) -> "Lipschitz":
        """Return this plan at another ε."""
        return Lipschitz(self.loss, self.records, epsilon, self.best, Laplace(self.value.sensitivity, epsilon))

    def bounds(self, a: float) -> tuple[Bound, Bound]:
        """Return Theorems 7 and 8 for this plan, in O(1)."""
        known = {**vars(self.loss), "records": self.records}
        return theorem_7(**known), theorem_8(**known, epsilon=self.epsilon, a=a)

    def guarantee(self) -> Guarantee:
        """Return the guarantee of ε-differential privacy. It is proven if `sound`, and otherwise the paper's claim."""
        remarks = (
            ()
            if self.sound
            else (
                "Here the paper's term L/(mλ_min) is used, although its argument yields twice as much. Theorem 7 has a "
                "counterexample in that range, so this ε is a claim. The release keeps 2ε at most.",
            )
        )
        return Guarantee(
            protects=RECORD,
            against=readers("score"),
            neighbours=NEIGHBOURS,
            epsilon=self.epsilon,
            delta=0.0,
            assumptions=("Nothing is assumed about V.", *remarks),
            status=Status.PROVED if self.sound else Status.CLAIMED,
            source="Kusner, Gardner, Garnett, Weinberger (ICML 2015), Algorithm 3, Theorem 7 and Corollary 4",
            conditions=(
                Condition(
                    "the training set is public and fixed",
                    "The training set is public and fixed, and so are L, g*, λ_min, λ_max and m.",
                ),
                Condition(
                    "the losses are convex and Lipschitz",
                    "The training loss is convex and 1-Lipschitz in w, and the validation loss is L-Lipschitz in w "
                    "(Assumption 2). The validation loss also lies in [0, g*] and is equal for all records at w = 0, "
                    "which the proof needs and the paper doesn't state.",
                ),
            ),
        )


def lipschitz(evaluated: ArrayLike, *, loss: LipschitzLoss, records: int, epsilon: float) -> Lipschitz:
    """Set up Algorithm 3's release of the best of ``evaluated`` = f_V(w_{λ_t}), the exact scores of any search.

    ``loss`` holds L, g*, λ_min and λ_max, and ``records`` is m. Raises ValueError for parameters out of range, and
    DataError for scores that are not finite.
    """
    scores = vector("evaluated", evaluated, max(1, np.size(evaluated)))
    known = {**vars(loss), "records": whole("records (m)", records)}
    sensitivity = math.fsum(term.value for term in theorem_7(**known).terms)
    return Lipschitz(
        loss, int(records), positive("epsilon", epsilon), float(scores.max()), Laplace(sensitivity, epsilon)
    )


def unmet_constants(task: TuningTask, loss: LipschitzLoss, records: int) -> tuple[str, ...]:
    """Return a sentence for each constant that asks for less noise than the task needs, or none if all are sound.

    ``loss`` and ``records`` are what Algorithm 3 is told. The task knows the L and g* of its own loss, and its own m.
    """
    if task.loss is None or task.records is None:
        return ()
    too_small = [
        f"{name} = {given:.3g} is below {least:.3g}, that of the task's own loss."
        for name, given, least in (("L", loss.slope, task.loss.slope), ("g*", loss.largest, task.loss.largest))
        if given < least * (1.0 - 1e-6)
    ]
    if records > task.records:
        too_small.append(f"m = {records:,} exceeds the {task.records:,} records that the task has.")
    return tuple(too_small)


def restrict(task: TuningTask, low: float, high: float) -> TuningTask:
    """Return the task with only those candidates whose first parameter lies in [low, high], up to rounding.

    Raises DataError if that leaves fewer than 2 candidates.
    """
    values = task.parameters[:, 0]
    inside: NDArray[np.bool_] = (values >= low * (1 - 1e-6)) & (values <= high * (1 + 1e-6))
    if inside.all():
        return task
    if inside.sum() < 2:
        raise DataError(f"{low:.3g} to {high:.3g} leaves {int(inside.sum())} candidates. At least 2 are needed.")
    kept: dict[str, Any] = {name: getattr(task, name)[inside] for name in ("parameters", "points", "scores")}
    for name, by_record in (("losses", task.losses), ("reserve", task.reserve)):
        kept[name] = None if by_record is None else by_record[:, inside]
    return replace(task, **kept)
