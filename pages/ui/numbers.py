"""Read and write numbers as people and papers write them."""

import math
import re

MINUS = "−"
_POWER = re.compile(r"(?P<base>e|10)\s*\^\s*\(?(?P<power>[+-]?[0-9]+(?:[.,][0-9]+)?)\)?")
_TIMES = re.compile(r"(?P<factor>[+-]?[0-9]+(?:[.,][0-9]+)?)\s*[×x*·]\s*(?P<rest>.+)")
_GROUPS = re.compile(r"[+-]?[1-9][0-9]{0,2}(?:[,\s'’][0-9]{3})+(?:\.[0-9]+)?")
_SUPERSCRIPTS = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹⁻", "0123456789-")
_LONGEST = 40


def parse_number(text: str) -> float:
    """Read a number such as 3, 0,5, 1e-5, 10^-5, e^1.1 or 6,524. Raise ValueError for anything else.

    A comma followed by exactly three digits groups thousands, unless a zero stands before it. Any other comma is a
    decimal comma.
    """
    words = text.strip().replace(MINUS, "-").replace("–", "-")
    if not words or len(words) > _LONGEST:
        raise ValueError("not a number")
    words = re.sub(r"(?<=10)[⁰¹²³⁴⁵⁶⁷⁸⁹⁻]+", lambda found: "^" + found[0].translate(_SUPERSCRIPTS), words)
    value = _parse(words.lower())
    if not math.isfinite(value):
        raise ValueError("not a finite number")
    return value


def _parse(words: str) -> float:
    if product := _TIMES.fullmatch(words):
        return _parse(product["factor"]) * _parse(product["rest"])
    if power := _POWER.fullmatch(words):
        base = math.e if power["base"] == "e" else 10.0
        exponent = float(power["power"].replace(",", "."))
        if abs(exponent) > 300:
            raise ValueError("out of range")
        return float(base**exponent)
    if _GROUPS.fullmatch(words):
        return float(re.sub(r"[,\s'’]", "", words))
    if not re.fullmatch(r"[+-]?(?:[0-9]+[.,]?[0-9]*|[.,][0-9]+)(?:e[+-]?[0-9]{1,3})?", words):
        raise ValueError("not a number")
    return float(words.replace(",", "."))


def signed(value: float, digits: int) -> str:
    """Return a number with so many decimals and a true minus sign."""
    text = f"{abs(value):.{digits}f}"
    return f"{MINUS}{text}" if value < 0 and float(text) != 0 else text


def with_error(value: float, standard_error: float) -> str:
    """Return a number with as many decimals as its standard error supports, and at most four.

    The last decimal is at most a third of the standard error.
    """
    if not (math.isfinite(standard_error) and standard_error > 0):
        return signed(value, 3)
    digits = -math.floor(math.log10(standard_error / 3.0))
    return signed(value, min(max(digits, 0), 4))


def rounded_up(value: float) -> float:
    """Return a positive number with four digits that is no smaller, such as noise that has to protect enough."""
    power = 10.0 ** (math.floor(math.log10(value)) - 3)
    return float(f"{math.ceil(value / power - 1e-9) * power:.6g}")


def significant(value: float, digits: int = 3) -> str:
    """Return a number with so many significant digits, and without an exponent below a billion: 0.0123, 3,090."""
    rounded = float(f"{value:.{digits}g}")
    size = abs(rounded)
    if size >= 1e9 or 0 < size < 1e-4:
        return power_of_ten(rounded)
    shown = f"{size:,.0f}" if size >= 1000 else f"{size:.{digits}g}" if size < 10**digits else f"{size:.0f}"
    return f"{MINUS}{shown}" if rounded < 0 else shown


def power_of_ten(value: float) -> str:
    """Return 0.00001 as 10⁻⁵ and 0.00002 as 2 × 10⁻⁵, and numbers from 0.001 to 100,000 as they are."""
    size, sign = abs(value), MINUS if value < 0 else ""
    if size == 0 or 1e-3 <= size < 1e5:
        return f"{sign}{size:,.4g}" if size < 9999.5 else f"{sign}{size:,.0f}"
    factor, exponent = (float(part) for part in f"{size:.2e}".split("e"))
    power = "10" + str(round(exponent)).translate(str.maketrans("0123456789-", "⁰¹²³⁴⁵⁶⁷⁸⁹⁻"))
    return f"{sign}{power}" if factor == 1 else f"{sign}{factor:.3g} × {power}"


def count(number: int, one: str, many: str) -> str:
    """Return a count with its noun: 1 extra test, 7 extra tests."""
    return f"{number:,} {one if number == 1 else many}".replace("-", MINUS)


def in_100(share: float) -> str:
    """Return how often of 100 something happens. Rounding alone makes nothing certain."""
    percent = round(100.0 * share)
    return f"{percent}" if percent < 100 else "more than 99"
