"""DP-BO's published setting λ̃: its probabilities under V and V′ are known, so what a pair costs is exact."""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from privbo_core.data import TuningTask
from privbo_core.errors import Array
from privbo_core.gp import Kernel
from privbo_core.privacy import Choice, Exponential
from privbo_core.release import Noisy, Tuning, noisy, optimise, removals, sample_pair, two_task_roots

ROUNDING = 1e-12
"""The relative error that computed probabilities may have: a pair that uses all of ε is not one that breaks it."""


@dataclass(frozen=True, eq=False)
class ChoiceLoss:
    """Pr[λ̃ = λ] of every candidate under V and V′ (``here``, ``there``), and what a reader can conclude at most.

    ``epsilon`` = max_λ |log Pr[λ | V] − log Pr[λ | V′]|, the ε that the pair really costs at δ = 0. ``delta`` is the
    least δ with which the pair keeps the claimed ε for every *set* of outcomes, in both directions.
    """

    here: Array
    there: Array
    epsilon: float
    delta: float

    @classmethod
    def of(cls, here: Choice, there: Choice, claim: float) -> "ChoiceLoss":
        """Compare two mechanisms over the same candidates exactly. O(|Λ|)."""
        p, p_other = here.probabilities, there.probabilities
        factor = math.exp(min(claim, 700.0))
        excess = (np.maximum(a - factor * b, 0.0).sum() for a, b in ((p, p_other), (p_other, p)))
        loss = float(np.abs(here.log_probabilities - there.log_probabilities).max())
        return cls(p, p_other, loss, float(max(excess)))

    def refutes(self, claim: float, delta: float) -> bool:
        """Return whether this pair alone breaks Pr[λ | V] ≤ e^ε Pr[λ | V′] + δ for some λ, by more than rounding."""
        factor = math.exp(min(claim, 700.0)) * (1.0 + ROUNDING)
        worst = max(np.max(self.here - factor * self.there), np.max(self.there - factor * self.here))
        return bool(worst > delta)


def prior_losses(
    points: ArrayLike,
    *,
    kernel: Kernel,
    k1: float,
    tuning: Tuning,
    epsilon: float,
    pairs: int,
    rng: np.random.Generator,
) -> Iterator[ChoiceLoss]:
    """Yield the exact loss of λ̃ for ``pairs`` pairs (f, f′) drawn from the prior that the theorem assumes.

    Each pair is tuned twice with independent observation noise, as the theorem allows; the probabilities compared are
    those after the two searches. The promise may fail for a share δ of the pairs, so it is refuted by a
    `privbo_core.release.Share` of the pairs that keep it, with its limits, and not by one pair. O(n³) once, then O(nT²)
    a pair.
    """
    root = two_task_roots(points, kernel)
    for _ in range(pairs):
        plans = [_plan(points, objective, kernel, tuning, k1, epsilon, rng) for objective in sample_pair(root, k1, rng)]
        yield ChoiceLoss.of(plans[0].choice, plans[1].choice, epsilon)


def task_losses(
    task: TuningTask, records: Sequence[int], tuning: Tuning, epsilon: float, rng: np.random.Generator
) -> Iterator[tuple[int, ChoiceLoss]]:
    """Yield (record, exact loss of λ̃) for a real task tuned with and without each record, under the same noise.

    It tells what the release costs on this dataset and with this observation noise. The promise is made over draws of
    both, so one large loss is a warning and no refutation. O(nT²) a record.
    """
    for record, moved in removals(task, records, tuning, rng):
        plan = noisy(moved.before, epsilon=epsilon, k1=tuning.k1, variant=tuning.variant, gamma=tuning.gamma)
        other = Exponential(moved.after.mean, plan.choice.sensitivity, epsilon)
        yield record, ChoiceLoss.of(plan.choice, other, epsilon)


def _plan(
    points: ArrayLike,
    objective: Array,
    kernel: Kernel,
    tuning: Tuning,
    k1: float,
    epsilon: float,
    rng: np.random.Generator,
) -> Noisy:
    found = optimise(
        points,
        objective,
        kernel=kernel,
        sigma=tuning.sigma,
        iterations=tuning.iterations,
        delta=tuning.delta,
        rng=rng,
    )
    return noisy(found, epsilon=epsilon, k1=k1, variant=tuning.variant, gamma=tuning.gamma)
