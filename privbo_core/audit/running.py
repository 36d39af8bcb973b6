"""Run an attack in portions of trials, with a bound on ε that is valid after each portion."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from privbo_core.audit.least_error import LeastError, least_error
from privbo_core.audit.lower_bound import Audited, LowerBound, judged, portions
from privbo_core.errors import Array
from privbo_core.release import Look


@dataclass(frozen=True, eq=False)
class Attack:
    """A mechanism of scalars with the two neighbouring datasets that an attack distinguishes.

    ``mechanism`` makes one release for each trial and returns the attacker's statistic of it, a single number.
    ``delta`` is the claimed δ. ``gaussian`` states that the noise is Gaussian, so that the bound may go through the
    trade-off curve. ``first`` is the size of the first portion of trials, and each portion is ``factor`` times the one
    before.
    """

    mechanism: Audited
    datasets: tuple[Any, Any]
    delta: float
    gaussian: bool = False
    first: int = 1000
    factor: float = 2.0

    def sizes(self, total: int) -> tuple[int, ...]:
        """Return the sizes of the portions for this total number of trials."""
        return tuple(portions(total, min(self.first, total), self.factor))


@dataclass(frozen=True, eq=False)
class Progress:
    """The results of the trials so far.

    ``here`` and ``there`` are the attacker's numbers under the two datasets. ``last`` is the bound of this ``look``,
    ``most`` the largest bound of all looks so far, and ``bounds`` has (trials, largest bound) of each look. All looks
    hold together, so ``most`` is valid and what one look refuted stays refuted. ``least`` is the error of the test that
    errs least, on all trials so far.
    """

    here: Array
    there: Array
    look: Look
    last: LowerBound
    most: LowerBound
    least: LeastError
    bounds: tuple[tuple[int, float], ...]

    @property
    def trials(self) -> int:
        """The number of trials on each dataset so far."""
        return len(self.here)

    @property
    def complete(self) -> bool:
        """Whether all trials are in."""
        return self.look.number == self.look.of

    @property
    def epsilon(self) -> float:
        """The largest lower bound on ε so far."""
        return self.most.epsilon

    @property
    def flawless(self) -> bool:
        """Whether no test has erred yet."""
        return self.least.error == 0 and self.last.observed_alarms == self.last.observed_misses == 0

    def refutes(self, claim: float) -> bool:
        """Return whether the trials so far refute that ε = ``claim``."""
        return self.most.verdict(claim) == "refuted"


def run(
    attack: Attack, total: int, *, seed: int = 0, confidence: float = 0.95, known: Progress | None = None
) -> Iterator[Progress]:
    """Run ``total`` trials on each dataset, and yield the progress after each portion.

    Each portion has its own generators, made of ``seed`` and its number, so a stopped run that continues from its last
    progress, ``known``, gives the same numbers. ``known`` must come from the same attack with the same total and seed.
    The chance that any look refutes a true claim is at most 1 − ``confidence``. Raises ValueError for fewer than 10
    trials.
    """
    sizes = attack.sizes(total)
    looks = Look.all(len(sizes))
    if known is not None and known.look.of != len(looks):
        raise ValueError(f"known has {known.look.of} looks in all, and this run has {len(looks)}.")
    here, there = (known.here, known.there) if known else (np.empty(0), np.empty(0))
    most, bounds = (known.most, known.bounds) if known else (None, ())
    for size, look in list(zip(sizes, looks, strict=True))[known.look.number if known else 0 :]:
        made = [
            attack.mechanism(data, size, np.random.default_rng([seed, look.number, which]))
            for which, data in enumerate(attack.datasets)
        ]
        here, there = (_frozen(np.append(*each)) for each in zip((here, there), made, strict=True))
        last = judged(here, there, attack.delta, look, confidence=confidence, gaussian=attack.gaussian)
        most = last if most is None or last.epsilon > most.epsilon else most
        bounds = (*bounds, (len(here), most.epsilon))
        yield Progress(here, there, look, last, most, least_error(here, there, look, confidence=confidence), bounds)


def _frozen(values: Array) -> Array:
    values.flags.writeable = False
    return values
