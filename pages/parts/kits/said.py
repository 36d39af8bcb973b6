"""How a kit writes its numbers."""

from pages.parts.values.numbers import two_digits, whole_text


def number(value: float) -> str:
    """Return a number with three digits, or as a whole one from 100 on."""
    return whole_text(value) if abs(value) >= 100 else f"{value:.3g}"


def percent(share: float) -> str:
    """Return a share in whole per cent, or with two digits below one."""
    return f"{100 * share:.0f} %" if share >= 0.01 else f"{two_digits(100 * share)} %"


def in_hundred(share: float) -> str:
    """Return a share as so many times in 100."""
    return f"{100 * share:.0f} times in 100"
