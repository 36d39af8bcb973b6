"""Tuning where training is private too: logistic regression by noisy gradients, the best of a random number of tries.

A guarantee for the validation records says nothing of those that trained the models. Here a try draws its setting
without looking, trains with noise in every gradient and is scored with noise on other records; each record either
trains or validates, so one Gaussian release of multiplier z bounds what a try tells of any of them. The number of tries
is random, and only the best is published (`privbo_core.privacy.tries`).

Written by hand because no kept library serves: objective and output perturbation (diffprivlib's) promise their ε for an
exact minimum and for real numbers, and pure ε composes worse here than a Gaussian.
"""

import math
import secrets
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from scipy.special import expit

from privbo_core.data import Frame
from privbo_core.errors import Array, DataError, matrix, positive, vector, whole
from privbo_core.privacy import Condition, Guarantee, Status, release
from privbo_core.privacy.tries import Tries, noise_for_tries
from privbo_core.tuning.published import best_try

AddNoise = Callable[[Array, float, float], Array]
"""Adds Gaussian noise to values: (values, sensitivity, multiplier) with σ = multiplier · sensitivity."""


@dataclass(frozen=True)
class Descent:
    """A setting of gradient descent: how many ``steps``, of what ``rate``, with what ``penalty`` λ on ‖w‖²/2."""

    steps: int
    rate: float
    penalty: float = 0.0

    def __post_init__(self) -> None:
        whole("steps", self.steps)
        positive("rate", self.rate)
        if not 0 <= self.penalty < math.inf:
            raise ValueError(f"penalty is {self.penalty!r}; it must be a finite number of at least 0.")

    def __str__(self) -> str:
        return f"{self.steps} steps of rate {self.rate:g}, penalty {self.penalty:g}"


@dataclass(frozen=True, eq=False)
class Labelled:
    """Records: ``features`` n×p of norm at most 1, ``labels`` ±1."""

    features: Array
    labels: Array

    def __post_init__(self) -> None:
        features = matrix("features", self.features)
        labels = vector("labels", self.labels, len(features))
        if not np.isin(labels, (-1.0, 1.0)).all():
            raise DataError("labels holds something else than −1 and 1; give each record one of them.")
        longest = float(np.linalg.norm(features, axis=1).max())
        if longest > 1 + 1e-9:
            raise DataError(f"A record's features have norm {longest:.3g}; scale them so that none is longer than 1.")

    @classmethod
    def placed(cls, frame: Frame, data: Array, labels: Array) -> "Labelled":
        """Return records in a frame: each column from −1 to 1 by its public range, a constant, norm at most 1."""
        placed = frame.place(data) / frame.bounds[:, 1]
        features = np.column_stack([placed, np.ones(len(placed))]) / math.sqrt(frame.d + 1)
        return cls(features, labels)

    @property
    def n(self) -> int:
        """How many records there are."""
        return len(self.labels)


def train(records: Labelled, setting: Descent, multiplier: float, add_noise: AddNoise) -> Array:
    """Return the weights after noisy gradient descent from 0, as private as one Gaussian release of ``multiplier``.

    Of w ↦ mean log(1 + exp(−y wᵀx)) + λ‖w‖²/2. A record's gradient is no longer than ‖x‖ ≤ 1, so replacing it moves
    their sum by at most 2; T steps with noise of s.d. 2 z √T tell as much as one with 2 z, however each follows from
    those before. ``multiplier`` 0 trains without noise, and without privacy. O(T n p).
    """
    signed = records.features * records.labels[:, None]
    w = np.zeros(signed.shape[1])
    for _ in range(setting.steps):
        gradient = -signed.T @ expit(-(signed @ w))
        if multiplier:
            gradient = add_noise(gradient, 2.0, multiplier * math.sqrt(setting.steps))
        w = w - setting.rate * (gradient / records.n + setting.penalty * w)
    return w


def accuracy(records: Labelled, w: Array) -> float:
    """Return the share of records whose label these weights tell."""
    return float(np.mean(np.where(records.features @ w > 0, 1.0, -1.0) == records.labels))


@dataclass(frozen=True, eq=False)
class TrainedTuning:
    """Tuning set up but not done: the best of ``tries`` tries of ``settings``, all of it (ε, δ)-private.

    ``trainers`` train and ``validators`` validate: no record may be in both. Raises DataError or ValueError, naming
    what is wrong.
    """

    trainers: Labelled
    validators: Labelled
    settings: Sequence[Descent]
    tries: Tries
    epsilon: float
    delta: float

    def __post_init__(self) -> None:
        if not self.settings:
            raise DataError("settings is empty; give at least one to try.")
        if self.trainers.features.shape[1] != self.validators.features.shape[1]:
            raise DataError("The records that train and those that validate have different numbers of features.")
        positive("multiplier", self.multiplier)

    @cached_property
    def multiplier(self) -> float:
        """The z of one try: its noise in units of what one record can move, for training as for the score."""
        return noise_for_tries(self.tries, self.epsilon, self.delta)

    @property
    def guarantee(self) -> Guarantee:
        """What is promised of the published setting, weights and score."""
        return Guarantee(
            protects="each record, whether it trains or validates",
            against="everybody who sees the published setting, weights and score",
            neighbours="tables that differ in the values of one record",
            epsilon=self.epsilon,
            delta=self.delta,
            assumptions=(),
            status=Status.PROVED,
            source="Papernot, Steinke (ICLR 2022), Theorems 2 and 6; Gaussian composition (Dong, Roth, Su 2022)",
            conditions=(
                Condition(
                    "ranges, settings and who trains were fixed beforehand",
                    "Features are scaled by a range that was known before anyone looked at the data. The list of "
                    "settings, who trains and who validates were fixed without looking at the data.",
                ),
                Condition(
                    "only the best try is told",
                    "Only the best try is published: no other score, and not how many tries there were.",
                ),
            ),
        )

    def attempt(self, setting: Descent, add_noise: AddNoise) -> tuple[Array, float]:
        """Return one try's weights and noisy score; private by itself, as one Gaussian release of the multiplier is."""
        w = train(self.trainers, setting, self.multiplier, add_noise)
        exact = np.array([accuracy(self.validators, w)])
        (score,) = add_noise(exact, 1.0 / self.validators.n, self.multiplier)
        return w, float(score)


@dataclass(frozen=True, eq=False)
class Tuned:
    """What may be published: the best try's ``setting``, ``weights`` and noisy ``score``, at this guarantee."""

    setting: Descent
    weights: Array
    score: float
    guarantee: Guarantee


def publish_trained(plan: TrainedTuning) -> Tuned | None:
    """Tune for real and return the best try: all dice from the operating system. It cannot be repeated.

    None if the number of tries came out as none, which Poisson tries allow: that, too, is published. A second call
    costs twice. About a millisecond a step, after the noise library has been loaded.
    """

    def attempt() -> Tuned:
        setting = secrets.choice(plan.settings)
        w, score = plan.attempt(setting, release.noisy)
        return Tuned(setting, w, score, plan.guarantee)

    return best_try(plan.tries, attempt, lambda made: made.score)


def simulated_noise(rng: np.random.Generator) -> AddNoise:
    """Return noise with a seed: for pictures, never for what is published."""
    return lambda values, sensitivity, multiplier: (
        values + sensitivity * multiplier * rng.standard_normal(np.shape(values))
    )
