"""What tuning costs where training is private too: whose blood has much free light chain, of the hospital sample."""

import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import product

import numpy as np
import pandas as pd
from scipy.special import expit

from privbo_core.data import Frame, sample
from privbo_core.data.samples import FOLDER
from privbo_core.errors import Array
from privbo_core.privacy import PermuteAndFlip, gaussian_sigma
from privbo_core.privacy.tries import PoissonTries, Tries, TruncatedNegativeBinomial, noise_for_tries
from tests.benchmarks import ways
from tests.benchmarks.keeping import mean_and_error
from tests.benchmarks.ways import DELTA, EPSILONS, MEAN, TRAINERS, VALIDATORS, Reached

Way = Callable[[int], float]


@dataclass(frozen=True)
class Descent:
    """A setting of gradient descent: the number of steps, and their rate."""

    steps: int
    rate: float


SETTINGS = tuple(Descent(steps, rate) for steps, rate in ways.SETTINGS)
MANY = tuple(Descent(steps, float(rate)) for steps, rate in product((5, 10, 30, 100), np.geomspace(0.3, 30.0, 50)))
"""A list so long that trying each setting once is expensive. The cost of random tries does not depend on its length."""


@dataclass(frozen=True, eq=False)
class Labelled:
    """Records: ``features`` n×p of norm at most 1, ``labels`` ±1."""

    features: Array
    labels: Array

    @classmethod
    def placed(cls, frame: Frame, data: Array, labels: Array) -> "Labelled":
        """Return records in a frame: each column from −1 to 1 by its public range, a constant, norm at most 1."""
        placed = frame.place(data) / frame.bounds[:, 1]
        return cls(np.column_stack([placed, np.ones(len(placed))]) / math.sqrt(frame.d + 1), labels)

    @property
    def n(self) -> int:
        return len(self.labels)


def train(records: Labelled, setting: Descent, multiplier: float, rng: np.random.Generator) -> Array:
    """Return the weights of a logistic regression after noisy gradient descent from 0.

    The gradient of one record is no longer than ‖x‖ ≤ 1, so replacing the record moves their sum by at most 2. T steps
    with noise of standard deviation 2 z √T reveal as much as one Gaussian release of ``multiplier`` z.
    """
    signed = records.features * records.labels[:, None]
    w = np.zeros(signed.shape[1])
    for _ in range(setting.steps):
        gradient = -signed.T @ expit(-(signed @ w))
        gradient += 2.0 * multiplier * math.sqrt(setting.steps) * rng.standard_normal(len(gradient))
        w = w - setting.rate * gradient / records.n
    return w


def accuracy(records: Labelled, w: Array) -> float:
    """Return the share of records whose label these weights predict."""
    return float(np.mean(np.where(records.features @ w > 0, 1.0, -1.0) == records.labels))


def reached(runs: int) -> Iterator[Reached]:
    """Yield how good each way's model is, as it is computed. About a second for each run."""
    split = _splits(runs)
    everybody, nobody = "training and validation", "nobody"
    free = (ways.NOT_PRIVATE, nobody, None, 0.0)
    yield _summary(free, runs, lambda run: _best(split[run], SETTINGS, 0.0, np.random.default_rng(0)))
    for epsilon in EPSILONS:
        promise = (everybody, epsilon, DELTA)
        single = gaussian_sigma(epsilon, DELTA, 1.0)
        yield _summary((ways.UNTUNED, *promise), runs, _untuned(split, single))
        for way, settings in ((ways.EACH, SETTINGS), (ways.EACH_OF_MANY, MANY)):
            composed = gaussian_sigma(epsilon, DELTA, math.sqrt(len(settings)))
            yield _summary((way, *promise), runs, _each(split, settings, composed))
        tries: dict[str, Tries] = {
            ways.GEOMETRIC: TruncatedNegativeBinomial.of_mean(1.0, MEAN),
            ways.LOGARITHMIC: TruncatedNegativeBinomial.of_mean(0.0, MEAN),
            ways.POISSON: PoissonTries(MEAN),
        }
        for way, number in tries.items():
            noise = noise_for_tries(number, epsilon, DELTA)
            yield _summary((way, *promise), runs, _tries(split, SETTINGS, number, noise))
        yield _summary((ways.TRIES_OF_MANY, *promise), runs, _tries(split, MANY, number, noise))
        yield _summary((ways.VALIDATION_ONLY, "validation", epsilon, 0.0), runs, _validated(split, epsilon))


@dataclass(frozen=True, eq=False)
class _Split:
    trainers: Labelled
    validators: Labelled
    others: Labelled


def _splits(runs: int) -> list[_Split]:
    frame = sample("hospital").frame
    table = pd.read_csv(FOLDER / "hospital.csv", usecols=[*frame.names, "free_light_chain"]).dropna()
    features = table[list(frame.names)].to_numpy()
    labels = np.where(table["free_light_chain"] > ways.THRESHOLD, 1.0, -1.0)
    splits = []
    for run in range(runs):
        order = np.random.default_rng([3, run]).permutation(len(table))
        parts = np.split(order, [TRAINERS, TRAINERS + VALIDATORS])
        splits.append(_Split(*(Labelled.placed(frame, features[rows], labels[rows]) for rows in parts)))
    return splits


def _attempt(split: _Split, setting: Descent, multiplier: float, rng: np.random.Generator) -> tuple[float, float]:
    """Return one try's noisy score on the validation records, and its accuracy on others."""
    w = train(split.trainers, setting, multiplier, rng)
    score = accuracy(split.validators, w) + multiplier / split.validators.n * rng.standard_normal()
    return score, accuracy(split.others, w)


def _best(split: _Split, settings: Iterable[Descent], multiplier: float, rng: np.random.Generator) -> float:
    return max(_attempt(split, setting, multiplier, rng) for setting in settings)[1]


def _untuned(splits: list[_Split], multiplier: float) -> Way:
    def share(run: int) -> float:
        rng = np.random.default_rng([4, run])
        return _best(splits[run], [SETTINGS[rng.integers(len(SETTINGS))]], multiplier, rng)

    return share


def _each(splits: list[_Split], settings: Sequence[Descent], multiplier: float) -> Way:
    return lambda run: _best(splits[run], settings, multiplier, np.random.default_rng([5, run]))


def _tries(splits: list[_Split], settings: Sequence[Descent], number: Tries, multiplier: float) -> Way:
    def share(run: int) -> float:
        rng = np.random.default_rng([6, run])
        (count,) = number.draw(1, rng)
        if not count:  # nothing is published: the more frequent label is guessed
            return float(max(np.mean(splits[run].others.labels > 0), np.mean(splits[run].others.labels < 0)))
        picked = [settings[place] for place in rng.integers(len(settings), size=count)]
        return _best(splits[run], picked, multiplier, rng)

    return share


def _validated(splits: list[_Split], epsilon: float) -> Way:
    def share(run: int) -> float:
        split = splits[run]
        models = [_attempt(split, setting, 0.0, np.random.default_rng(0)) for setting in SETTINGS]
        scores, shares = np.array(models).T
        choice = PermuteAndFlip(scores, 1.0 / split.validators.n, epsilon)
        return float(choice.probabilities @ shares)

    return share


def _summary(what: tuple[str, str, float | None, float], runs: int, share: Way) -> Reached:
    return Reached(*what, runs, *mean_and_error([share(run) for run in range(runs)]))


def table(results: list[Reached]) -> str:
    heads = " | ".join(f"ε = {epsilon:g}" for epsilon in EPSILONS)
    lines = [f"| way | covers | {heads} |", "|---|---|---|---|---|"]
    for way, covers in dict.fromkeys((each.way, each.covers) for each in results):
        cells = [f"{100 * each.mean:.1f} ± {100 * each.standard_error:.1f}%" for each in results if each.way == way]
        if len(cells) == 1:
            cells *= len(EPSILONS)
        lines.append(f"| {way} | {covers} | {' | '.join(cells)} |")
    return "\n".join(lines) + "\n"
