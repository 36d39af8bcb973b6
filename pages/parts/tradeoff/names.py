"""Where the names of curves are written: beside them, as far as possible from everything else that is drawn."""

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from privbo_core.errors import Array

Point = tuple[float, float]
PIXELS = (840, 290)
"""About how many pixels the axes span."""
LETTER, LINE = 3.6, 7.0
"""Half the width of a letter, half the height of a line, in pixels."""
ASIDE, APART = 6, 13
"""How far from its place on the curve a name begins, and how far above or below its middle lies, in pixels."""
ENOUGH = 12.0
"""With so many pixels around it a name stands as well as with more."""


@dataclass(frozen=True)
class Spot:
    """Where a name stands: beside a point of its curve; ``side``: 1 to its right and above it, −1 to its left and below."""

    x: float
    y: float
    side: int


class Room:
    """The area that axes span, from ``low`` to ``high`` (x, y), and all that is drawn in it, names that were placed too."""

    def __init__(self, low: Point, high: Point, drawn: Iterable[Point]) -> None:
        self._scale = np.array([PIXELS[0] / (high[0] - low[0] or 1.0), PIXELS[1] / (high[1] - low[1])])
        self._low, self._high = low * self._scale, high * self._scale
        self._taken = np.array(list(drawn)).reshape(-1, 2) * self._scale

    def place(self, text: str, x: Array, y: Array) -> Spot | None:
        """Take the best place beside a curve for its name and return it; None where there is none. y is NaN off the curve."""
        half = LETTER * len(text)
        best: tuple[float, Spot] | None = None
        for at, height in zip(x.tolist(), y.tolist(), strict=True):
            for side in (1, -1) if np.isfinite(height) else ():
                spot = Spot(at, height, side)
                middle = self._middle(spot, half)
                if not self._holds(middle, half):
                    continue
                away = np.maximum(np.abs(self._taken - middle) - (half, LINE), 0)
                room = min(float(np.hypot(*away.T).min(initial=ENOUGH)), ENOUGH)
                if best is None or room > best[0]:
                    best = room, spot
        if best is None:
            return None
        written = self._middle(best[1], half) + np.linspace(-half, half, 9)[:, None] * (1, 0)
        self._taken = np.vstack([self._taken, written])
        return best[1]

    def _middle(self, spot: Spot, half: float) -> Array:
        x, y = spot.x * self._scale[0], spot.y * self._scale[1]
        return np.array([x + spot.side * (half + ASIDE), y + spot.side * APART])

    def _holds(self, middle: Array, half: float) -> bool:
        margin = (half, LINE + 1)
        return bool((self._low + margin < middle).all() and (middle + margin < self._high).all())
