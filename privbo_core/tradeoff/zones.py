"""The ranges of ε in which a guarantee has one word for its strength."""

import math
from collections.abc import Callable
from dataclasses import dataclass

from privbo_core.errors import positive
from privbo_core.privacy import Strength

PRECISION = 1e-4
"""The relative precision of the end of a zone."""


@dataclass(frozen=True)
class Zone:
    """The ε from ``low`` to ``high``, where the protection has one ``word`` and ``level`` (`privacy.Strength`)."""

    low: float
    high: float
    word: str
    level: int


def strength_zones(strength_at: Callable[[float], Strength], low: float, high: float) -> tuple[Zone, ...]:
    """Return the zones of strength between two values of ε, in order of ε.

    ``strength_at`` gives the strength at an ε, and its level must not rise with ε. It is called about 17 times for each
    zone.
    """
    if not positive("low", low) < high < math.inf:
        raise ValueError(f"high is {high!r}, but it must be finite and above low, {low!r}.")
    zones: list[Zone] = []
    start = low
    while start < high:
        found = strength_at(start)
        end, next_start = _last(strength_at, found.level, start, high)
        zones.append(Zone(zones[-1].high if zones else low, end, found.word, found.level))
        start = next_start
    return tuple(zones)


def _last(strength_at: Callable[[float], Strength], level: int, low: float, high: float) -> tuple[float, float]:
    """Return the largest ε that has the level, and the smallest that hasn't, up to the precision."""
    if strength_at(high).level == level:
        return high, high
    while high / low > 1.0 + PRECISION:
        middle = math.sqrt(low * high)
        if strength_at(middle).level == level:
            low = middle
        else:
            high = middle
    return low, high
