"""Means and differences of the Reproduce page as people write them."""

import math

from pages.parts.values.text import minus


def value_text(mean: float | None, error: float | None, exact: int | None) -> str:
    """Return a mean ± its standard error with as many decimals as the error deserves."""
    if mean is None:
        return "–"
    if exact is not None:
        return f"{mean:.{exact}f}"
    if error is None or math.isnan(error):
        return minus(f"{mean:.3g}")
    if error <= 1e-9 * abs(mean):
        return minus(f"{mean:.4g} every time")
    decimals = min(max(2 - math.ceil(math.log10(error)), 0), 6)
    return minus(f"{mean:.{decimals}f} ± {error:.{decimals}f}")


def difference_text(difference: float | None, error: float | None) -> str:
    """Return a difference ± its standard error, with its sign; nothing where it is not known."""
    if difference is None or error is None:
        return ""
    text = value_text(difference, error, None)
    return text if text.startswith("−") else f"+{text}"
