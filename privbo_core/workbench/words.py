"""How the commands say numbers."""

import math
from collections.abc import Sequence
from pathlib import Path

PROGRAM = "python -m privbo_core.workbench"


def number(value: float) -> str:
    """Return a number with all its digits, to be noted down or passed on; ∞ for none."""
    if math.isinf(value):
        return "∞" if value > 0 else "−∞"
    return f"{value:.15g}"


def rough(value: float) -> str:
    """Return a number that is not to be noted down: three digits, thousands set apart."""
    if math.isinf(value):
        return "∞"
    return f"{value:,.0f}" if abs(value) >= 1000 else f"{value:.3g}"


def amount(value: float, unit: str) -> str:
    """Return a number and its unit."""
    return f"{number(value)} {unit}".rstrip()


def about(value: float, unit: str) -> str:
    """Return a rough number and its unit."""
    return f"{rough(value)} {unit}".rstrip()


def count(many: int, one: str, more: str = "") -> str:
    """Return how many there are of a thing: ``1 row``, ``7,874 rows``."""
    return f"{many:,} {one if many == 1 else more or one + 's'}"


def listed(items: Sequence[object], most: int = 12) -> str:
    """Return things one after another: ``4, 8 and 15``; of very many, the first and how many more there are."""
    shown = [str(item) for item in items[:most]]
    if len(items) > most:
        return f"{', '.join(shown)} and {len(items) - most:,} more"
    return shown[0] if len(shown) == 1 else f"{', '.join(shown[:-1])} and {shown[-1]}" if shown else "none"


def cost_of(epsilon: float) -> str:
    """Return a loss that was computed, as a person reads it: ``ε = 1.73``."""
    return f"ε = {rough(epsilon)}"


def size(path: Path) -> str:
    """Return how large a file is."""
    held = path.stat().st_size
    return f"{held / 1e6:.1f} MB" if held >= 1_000_000 else f"{max(held / 1e3, 0.1):.1f} kB"
