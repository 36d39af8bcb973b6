"""Numbers as people write them."""

import math

from pages.parts.values.text import minus

_RISEN = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")


def whole_text(value: float) -> str:
    """Return a number as a whole one, as numbers are written everywhere: 88, 1,031, −4,711."""
    return minus(f"{round(value):,}")


def in_formula(value: float, digits: int = 1) -> str:
    """Return a number for a formula in LaTeX: 1{,}030.9 keeps its digits together there."""
    return f"{value:,.{digits}f}".replace(",", "{,}")


def scientific(value: float) -> str:
    """Return a small number as people write it: 1e-05 as 10⁻⁵, 2.5e-4 as 2.5·10⁻⁴; others with three digits: 0.742, 8,720."""
    rounded = float(f"{value:.3g}")
    if value == 0 or 1e-3 <= abs(rounded) < 1e6:
        return f"{rounded:,.0f}" if abs(rounded) >= 1000 else f"{rounded:.3g}"
    mantissa, exponent = f"{value:.1e}".split("e")
    power = "10" + str(int(exponent)).translate(_RISEN)
    return power if mantissa == "1.0" else f"{mantissa.removesuffix('.0')}·{power}"


def epsilon_text(value: float) -> str:
    """Return ε to three significant digits."""
    if math.isinf(value):
        return "∞"
    if value >= 1000:
        return scientific(value) if value >= 1e6 else f"{float(f'{value:.3g}'):,.0f}"
    return f"{value:#.3g}".rstrip(".")


def rounded_up(value: float) -> float:
    """Return a number above 0 to two digits, never less than it is: for what is said to be at most so much."""
    step = 10.0 ** (math.floor(math.log10(value)) - 1)
    return step * math.ceil(value / step - 1e-9)


def two_digits(value: float) -> str:
    """Return a number with the two digits it deserves: 0.093, 7.7, 130, 1.2·10⁶."""
    if value == 0 or not math.isfinite(value):
        return "0" if value == 0 else "∞"
    rounded = float(f"{value:.2g}")
    if 1e-3 <= abs(rounded) < 1e4:
        text = f"{rounded:.0f}" if abs(rounded) >= 10 else f"{rounded:#.2g}"
    else:
        mantissa, exponent = f"{value:.1e}".split("e")
        text = f"{mantissa.removesuffix('.0')}·10{str(int(exponent)).translate(_RISEN)}"
    return minus(text)


def to_its_error(value: float, error: float, signed: bool = False) -> str:
    """Return a number to two decimals, or to the first digit of its standard error if that is finer."""
    digits = 2
    if math.isfinite(error) and error > 0:
        digits = min(5, max(2, -math.floor(math.log10(error))))
    return minus(f"{value:{'+' if signed else ''}.{digits}f}")


def cost_text(value: float, error: float, signed: bool = True) -> str:
    """Return a cost with as many digits as its error deserves: two decimals at least, or three digits above 100."""
    sign = "+" if signed else ""
    if value and abs(value) >= 100:
        return minus(f"{float(f'{value:.3g}'):{sign},.0f}")
    digits = 2 if not (math.isfinite(error) and error > 0) else min(5, max(2, 1 - math.floor(math.log10(error))))
    return minus(f"{value:{sign}.{digits}f}")


def best(rank: float) -> str:
    """Return a rank in words."""
    return "the best" if rank < 1.5 else f"one of the best {rank:,.0f}"
