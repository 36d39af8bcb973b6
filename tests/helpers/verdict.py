"""What a measurement under load ends with: whether all of it held up and, if not, what did not."""

from collections.abc import Iterable, Mapping

import numpy as np


def broken(faults: Mapping[str, int], measured: Iterable[tuple[str, float, float, str]]) -> list[str]:
    """Return what did not hold: each fault, and what is not below its limit of (name, value, limit, unit)."""
    return [
        *(f"{count} × {fault}" for fault, count in faults.items() if count),
        *(f"{name} {_figure(value)} {unit} (limit {limit:g} {unit})" for name, value, limit, unit in measured
          if not value < limit),
    ]  # fmt: skip


def verdict(failed: Iterable[str]) -> str:
    said = "; ".join(failed)
    return f"DID NOT HOLD UP: {said}" if said else "Held up"


def figures(values: list[float]) -> str:
    """Return median, 95th percentile and largest of some seconds."""
    median, p95 = np.quantile(values, (0.5, 0.95))
    return f"p50 {median:.2f} s, p95 {p95:.2f} s, max {max(values):.2f} s ({len(values)})"


def _figure(value: float) -> str:
    return f"{value:.0f}" if value >= 10 else f"{value:.2f}"
