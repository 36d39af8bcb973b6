"""Bound ε from below by trials, with a threshold test whose two error rates are bounded by Clopper and Pearson."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.special import betaincinv, ndtri

from privbo_core.errors import Array, DataError, matrix, positive, probability, whole
from privbo_core.privacy import gaussian_epsilon
from privbo_core.release import Look

Audited = Callable[[Any, int, np.random.Generator], Array]
"""A mechanism to audit: ``mechanism(data, trials, rng)`` returns ``trials`` independent scalar outputs as one array.

A mechanism that releases more than one number is audited through a scalar function of its release. The best one is the
logarithm of the likelihood ratio of the two datasets: a threshold on it is the most powerful test there is.
"""

CHOOSING_SHARE = 0.1
"""The share of the trials that choose the threshold. The bound comes from the others alone."""
MAX_THRESHOLDS = 400
"""The largest number of thresholds that are tried."""


@dataclass(frozen=True)
class LowerBound:
    """The result of an audit: with probability ``confidence`` the mechanism is not (ε, δ)-private below ``epsilon``.

    ``strongest`` is the greatest ε that so many trials could have shown if the test had never erred. Such an audit
    cannot refute a larger claim, however wrong it is. There were ``trials`` per dataset, and ``tested`` of them count
    for the bound. The test answers "neighbour" for outputs ``side`` ("above" or "below") ``threshold``. An output equal
    to the threshold counts as below it. ``false_alarms`` and ``misses`` are upper limits of the two error rates,
    ``observed_alarms`` and ``observed_misses`` are the observed rates.
    """

    epsilon: float
    delta: float
    confidence: float
    trials: int
    tested: int
    strongest: float
    threshold: float
    side: Literal["above", "below"]
    false_alarms: float
    misses: float
    observed_alarms: float
    observed_misses: float

    @property
    def limits(self) -> tuple[float, float, float, float]:
        """The Clopper–Pearson limits of both error rates: false alarms from and to, and misses from and to."""
        seen = np.array([self.observed_alarms, self.observed_misses])
        right = np.rint((1.0 - seen) * self.tested)
        alarms, misses = (1.0 - upper_limits(right, self.tested, self.confidence)).tolist()
        return alarms, self.false_alarms, misses, self.misses

    def verdict(self, claim: float) -> Literal["refuted", "not refuted"]:
        """Return "refuted" if the bound exceeds the claimed ε, "not refuted" otherwise. Never "proved"."""
        return "refuted" if self.epsilon > claim else "not refuted"

    def could_refute(self, claim: float) -> bool:
        """Return whether this many trials could have refuted the claim at all."""
        return self.strongest > claim


def epsilon_lower_bound(
    mechanism: Audited,
    x: object,
    neighbour: object,
    delta: float,
    trials: int,
    confidence: float,
    rng: np.random.Generator,
) -> LowerBound:
    """Return a lower bound on ε that holds with probability ``confidence``, from ``trials`` runs on each dataset.

    A test that answers "neighbour" for outputs above (or below) t has false alarms under ``x`` and misses under
    ``neighbour``. An (ε, δ)-private mechanism has 1 − δ − FPR ≤ e^ε FNR, and the same with both rates exchanged. Hence
    ε ≥ log((1 − δ − FPR⁺)/FNR⁺) with the upper Clopper–Pearson limits of both rates, each at error (1 − confidence)/2.
    A tenth of the trials chooses t and the side, and the others count the rates. The bound assumes nothing about the
    mechanism and is 0 where the trials show nothing. It costs the mechanism's trials and O(trials log trials).

    Raises ValueError for δ outside [0, 1), a confidence outside (0, 1) or fewer than 10 trials, and DataError for
    outputs that are not ``trials`` finite numbers.
    """
    _check(delta, trials, confidence)
    return _bound(*_outputs(mechanism, (x, neighbour), trials, rng), delta, confidence)


def gaussian_lower_bound(
    mechanism: Audited,
    x: object,
    neighbour: object,
    delta: float,
    trials: int,
    confidence: float,
    rng: np.random.Generator,
) -> LowerBound:
    """Return a lower bound on ε for a mechanism that adds Gaussian noise: the same audit, through the trade-off curve.

    Gaussian noise of s.d. σ on outputs Δ apart has FNR = Φ(Φ⁻¹(1 − FPR) − μ) with μ = Δ/σ (Dong, Roth, Su 2022). So μ ≥
    Φ⁻¹(1 − FPR⁺) − Φ⁻¹(FNR⁺), and ε at δ follows exactly (`gaussian_epsilon`). This is far stronger than
    `epsilon_lower_bound` where δ is small, but it is valid only if the noise is Gaussian. The best threshold then lies
    half-way between the two centres, which are estimated by the medians of the trials that do not count. ``delta`` must
    be above 0.
    """
    _check(probability("delta", delta), trials, confidence)
    return _bound(*_outputs(mechanism, (x, neighbour), trials, rng), delta, confidence, gaussian=True)


def strongest_bound(trials: int, delta: float, confidence: float) -> float:
    """Return the greatest ε that `epsilon_lower_bound` can show with that many trials: a test without errors."""
    return _without_errors(_any_loss, trials, delta, confidence)


def strongest_gaussian_bound(trials: int, delta: float, confidence: float) -> float:
    """Return the greatest ε that `gaussian_lower_bound` can show with that many trials."""
    return _without_errors(_gaussian_loss, trials, delta, confidence)


Loss = Callable[[Array, Array, float], Array]
"""From upper limits of false alarms and misses, and δ, to the ε that they show."""


def _without_errors(loss: Loss, trials: int, delta: float, confidence: float) -> float:
    limit = upper_limits(np.zeros(1), trials - _chosen_on(trials), confidence)
    return float(loss(limit, limit, delta)[0])


def _chosen_on(trials: int) -> int:
    return max(1, round(CHOOSING_SHARE * trials))


def _any_loss(alarms: Array, misses: Array, delta: float) -> Array:
    one = np.log(np.maximum(1.0 - delta - alarms, 1e-300) / misses)
    other = np.log(np.maximum(1.0 - delta - misses, 1e-300) / alarms)
    return np.maximum(np.maximum(one, other), 0.0)


def _gaussian_loss(alarms: Array, misses: Array, delta: float) -> Array:
    return np.array([gaussian_epsilon(delta, 1.0, mu) if mu > 0 else 0.0 for mu in -ndtri(alarms) - ndtri(misses)])


def _bound(here: Array, there: Array, delta: float, confidence: float, *, gaussian: bool = False) -> LowerBound:
    trials, loss = len(here), _gaussian_loss if gaussian else _any_loss
    chosen = _chosen_on(trials)
    ours, theirs = here[:chosen], there[:chosen]
    threshold, sign = _between(ours, theirs) if gaussian else _choose(ours, theirs, delta, confidence)
    rates, limits = tested_errors(here[chosen:], there[chosen:], threshold, sign, confidence)
    return LowerBound(
        epsilon=float(loss(limits[:1], limits[1:], delta)[0]),
        delta=float(delta),
        confidence=float(confidence),
        trials=trials,
        tested=trials - chosen,
        strongest=_without_errors(loss, trials, delta, confidence),
        threshold=threshold,
        side="above" if sign > 0 else "below",
        false_alarms=float(limits[0]),
        misses=float(limits[1]),
        observed_alarms=float(rates[0]),
        observed_misses=float(rates[1]),
    )


def tested_errors(here: Array, there: Array, threshold: float, sign: int, confidence: float) -> tuple[Array, Array]:
    """Return the shares of false alarms and of misses of a threshold test on equally many outputs, and their limits."""
    alarms, caught = ((outputs > threshold if sign > 0 else outputs <= threshold).sum() for outputs in (here, there))
    errors = np.array([alarms, len(there) - caught])
    return errors / len(here), upper_limits(errors, len(here), confidence)


def _check(delta: float, trials: int, confidence: float) -> None:
    if not 0 <= delta < 1:
        raise ValueError(f"delta is {delta!r}. It must be at least 0 and below 1.")
    probability("confidence", confidence)
    whole("trials", trials, least=10)


def _outputs(
    mechanism: Audited, datasets: tuple[Any, Any], trials: int, rng: np.random.Generator
) -> tuple[Array, Array]:
    here, there = (np.asarray(mechanism(data, trials, rng), dtype=float) for data in datasets)
    for outputs in (here, there):
        if outputs.shape != (trials,) or not np.isfinite(outputs).all():
            raise DataError(
                f"mechanism returned an array of shape {outputs.shape}. It must return trials = {trials} finite "
                "numbers."
            )
    return here, there


def _between(here: Array, there: Array) -> tuple[float, int]:
    """Return the place half-way between the two medians, and the side."""
    one, other = float(np.median(here)), float(np.median(there))
    return 0.5 * one + 0.5 * other, 1 if other >= one else -1


def _choose(here: Array, there: Array, delta: float, confidence: float) -> tuple[float, int]:
    """Return the threshold and the side (+1 for above) with the best bound on these trials alone.

    Among many thresholds, one with few observed errors may look best by chance. Each is therefore judged at a far
    stricter confidence than the bound will have.
    """
    pooled, trials = np.sort(np.concatenate([here, there])), len(here)
    # The middle one, where datasets that are told apart completely part, and others spread over all outputs.
    places = np.unique(np.append(np.linspace(1, 2 * trials - 1, MAX_THRESHOLDS).astype(int), trials))
    # A threshold lies strictly between two outputs that differ: on one that occurs often, it would cut through nothing.
    gaps = np.flatnonzero(pooled[1:] > pooled[:-1]) + 1
    if not len(gaps):
        return float(pooled[0]), 1
    places = (
        gaps if len(gaps) <= MAX_THRESHOLDS else np.unique(gaps[np.searchsorted(gaps, places).clip(max=len(gaps) - 1)])
    )
    thresholds = between(pooled[places - 1], pooled[places])
    strict = 1.0 - (1.0 - confidence) / 100.0
    above_here, above_there = (trials - np.searchsorted(np.sort(a), thresholds, side="right") for a in (here, there))
    best, threshold, sign = -2.0, float(thresholds[0]), 1
    for direction in (1, -1):
        alarms = above_here if direction > 0 else trials - above_here
        misses = trials - above_there if direction > 0 else above_there
        shown = _any_loss(upper_limits(alarms, trials, strict), upper_limits(misses, trials, strict), delta)
        shown[alarms + misses >= trials] = -1.0  # no better than a coin
        # Where few trials show nothing at any threshold, the one with the fewest errors is the best guess.
        shown -= 1e-9 * (alarms + misses) / trials
        top = int(shown.argmax())
        if shown[top] > best:
            best, threshold, sign = float(shown[top]), float(thresholds[top]), direction
    return threshold, sign


def between(lower: Array, upper: Array) -> Array:
    """Return thresholds at least ``lower`` and below ``upper``, half-way if a number lies there.

    Outputs equal to a threshold count as below it, so a threshold parts adjacent floating-point numbers too.
    """
    middle = 0.5 * lower + 0.5 * upper
    return np.where(middle < upper, middle, lower)


def upper_limits(errors: NDArray[Any], trials: int, confidence: float) -> Array:
    """Return the upper Clopper–Pearson limit of a rate, exceeded with probability at most (1 − confidence)/2."""
    errors = np.asarray(errors, dtype=float)
    limit = np.ones(len(errors))
    some = errors < trials
    limit[some] = betaincinv(errors[some] + 1.0, trials - errors[some], 0.5 * (1.0 + confidence))
    return limit


MAX_ROW_CHOICES = 40
"""The number of random choices of d + 1 rows that `spread_rows` compares."""


def portions(total: int, first: int, factor: float = 2.0) -> Iterator[int]:
    """Yield the sizes of portions that add up to ``total``, each ``factor`` times the one before, at most an eighth."""
    total, done, size = whole("total", total), 0, float(whole("first", first))
    positive("factor", factor)
    while done < total:
        portion = min(int(size), total - done)
        yield portion
        done += portion
        size = min(size * factor, max(first, total / 8))


def in_portions(
    mechanism: Audited, datasets: tuple[Any, Any], sizes: Iterable[int], seed: int
) -> Iterator[tuple[Array, Array]]:
    """Yield all outputs so far on the two datasets after each portion, with a separate generator for each dataset.

    The same ``seed`` and sizes give the same outputs. Closing the generator ends the trials. A caller that judges after
    each portion must pass `judged` a `Look` for each of them, or it errs more often than stated.
    """
    rngs = [np.random.default_rng([seed, which]) for which in (0, 1)]
    here, there = np.empty(0), np.empty(0)
    for size in sizes:
        here = np.append(here, mechanism(datasets[0], size, rngs[0]))
        there = np.append(there, mechanism(datasets[1], size, rngs[1]))
        yield here, there


def move_one(points: ArrayLike, rng: np.random.Generator) -> tuple[Array, int, Array]:
    """Return a neighbour of the points with one row moved by a distance of 1, that row, and the move (length d)."""
    points = matrix("points", points)
    row, d = int(rng.integers(len(points))), int(points.shape[1])
    move = rng.standard_normal(d)
    move /= np.linalg.norm(move)
    neighbour = points.copy()
    neighbour[row] += move
    return neighbour, row, move


def spread_rows(points: ArrayLike, rng: np.random.Generator) -> NDArray[np.int64]:
    """Return d + 1 rows in general position: the best conditioned of a few random choices."""
    points = matrix("points", points)
    d = points.shape[1]
    choices = [rng.choice(len(points), d + 1, replace=False) for _ in range(MAX_ROW_CHOICES)]

    def condition(rows: NDArray[np.int64]) -> float:
        values = np.linalg.svd(points[rows[1:]] - points[rows[0]], compute_uv=False)
        return float(values[0] / max(values[-1], 1e-300))

    return min(choices, key=condition)


def judged(
    here: Array,
    there: Array,
    delta: float,
    look: Look | None = None,
    *,
    confidence: float = 0.95,
    gaussian: bool = False,
) -> LowerBound:
    """Return the bound on ε that all trials so far (`in_portions`) show, at one of several looks at them.

    ``here`` and ``there`` are the outputs on the two datasets, equally many, at least 10. ``look`` gives the number of
    this look and of all looks, which is the number of portions and must be fixed in advance. Without it there is one
    look. The bounds of all looks hold together with probability ``confidence``, so the chance that any of them refutes
    a true claim is at most 1 − ``confidence``. A claim that one look refuted stays refuted, and the greatest bound so
    far is valid. The `LowerBound`'s own ``confidence`` is that of this look alone. With ``gaussian`` the bound goes
    through the trade-off curve (`gaussian_lower_bound`), for Gaussian noise only. O(trials log trials). Raises
    ValueError or DataError.
    """
    if len(here) != len(there):
        raise DataError(f"here has {len(here)} outputs and there {len(there)}. An audit needs equally many of each.")
    alone = (look or Look()).confidence(confidence)
    _check(probability("delta", delta) if gaussian else delta, len(here), alone)
    return _bound(here, there, delta, alone, gaussian=gaussian)
