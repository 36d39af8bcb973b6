"""What the axes and labels of figures have in common."""

import math
from typing import Any

from pages.parts.values.palette import Colour
from pages.parts.values.text import minus, sup

ONE_TWO_FIVE = (0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 50, 100, 200, 500, 1000)
"""Tick marks of a logarithmic axis that are easy to read."""
SAMPLES = {"solid": "━", "dash": "╍", "longdashdot": "━·", "dot": "┈"}
"""What a line of each style looks like, for a label beside it."""

End = tuple[float, str, Colour]
"""Where a curve ends, its name, its colour."""


def spread_labels(ends: list[End], gap: float) -> list[End]:
    """Move labels at the ends of curves apart until each has ``gap`` to the next."""
    placed: list[End] = []
    for y, name, colour in sorted(ends, key=lambda end: end[:2]):
        placed.append((max(y, placed[-1][0] + gap) if placed else y, name, colour))
    return placed


def at_least_three(low: float, high: float) -> dict[str, Any]:
    """Return tick marks of a logarithmic axis from ``low`` to ``high``: the roundest numbers of which three or more lie there.

    Powers of ten alone, then with 2 and 5, else equal steps of 1, 2, 5, … between the ends. ``low`` and ``high`` are above 0.
    """
    for steps in ((1,), (1, 2, 5)):
        first, last = math.floor(math.log10(low)), math.ceil(math.log10(high))
        ticks = [s * 10.0**k for k in range(first, last + 1) for s in steps if low <= s * 10.0**k <= high]
        if len(ticks) >= 3:
            break
    else:
        step = nice((high - low) / 6)
        ticks = [step * k for k in range(math.ceil(low / step), math.floor(high / step) + 1)]
    if len(ticks) > 8:  # as many decades as there is room for
        ticks = ticks[:: math.ceil(len(ticks) / 8)]
    return {"tickvals": ticks, "ticktext": [_tick(each) for each in ticks]}


def _tick(value: float) -> str:
    power = round(math.log10(value), 9)
    if power.is_integer() and not -3 <= power <= 5:
        return f"10{sup(minus(str(int(power))))}"
    return f"{value:,.0f}" if value >= 1000 else f"{value:.6g}"


def nice(value: float) -> float:
    """Return the next of 1, 2, 5, 10, 20, … that is not below ``value``."""
    power = 10.0 ** math.floor(math.log10(value))
    return next(step * power for step in (1, 2, 5, 10) if step * power >= value * (1 - 1e-9))


def decades(low: float, high: float, most: int = 8) -> dict[str, Any]:
    """Return tick marks at powers of ten from ``low`` to ``high``, ``most`` of them at most, written as people write them."""
    powers = range(math.ceil(math.log10(low) - 1e-9), math.floor(math.log10(high) + 1e-9) + 1)
    kept = [k for k in powers if k % math.ceil(len(powers) / most or 1) == 0]
    text = [f"{10.0**k:g}" if -3 <= k <= 3 else f"10{sup(minus(str(k)))}" for k in kept]
    return {"tickvals": [10.0**k for k in kept], "ticktext": text}
