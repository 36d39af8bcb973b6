"""The numbers in a text, whatever words stand around them."""

import re
from html import unescape

_STYLES = re.compile(r"<style.*?</style>", re.DOTALL)
_ELEMENTS = re.compile(r"</?[a-zA-Z][^>]*>")
_POWER = r"10[⁻⁰¹²³⁴-⁹]+"
_NUMBER = re.compile(rf"(?<![\w.])(?:{_POWER}|[−-]?\d+(?:,\d{{3}})*(?:\.\d+)?(?:e[−+-]?\d+|·{_POWER})?)")
_RAISED = str.maketrans("⁻⁰¹²³⁴⁵⁶⁷⁸⁹", "-0123456789")


def written(text):
    """Return each number of a text as it is written, in order; elements and their attributes are no text."""
    plain = unescape(_ELEMENTS.sub(" ", _STYLES.sub(" ", str(text))))
    return [found.group() for found in _NUMBER.finditer(plain)]


def value_of(number):
    plain = number.replace("−", "-").replace(",", "")
    if "10" in plain and plain[-1] in "⁰¹²³⁴⁵⁶⁷⁸⁹":
        mantissa, _, power = plain.rpartition("10")
        return float(mantissa.rstrip("·") or 1) * 10.0 ** int(power.translate(_RAISED))
    return float(plain)


def numbers(text):
    return [value_of(number) for number in written(text)]


def _half_a_digit(number):
    """Return how far a number may be from what it was rounded from; zeros at the end of a whole one may be rounded."""
    digits, _, power = re.sub("·10", "e", number.replace(",", "")).translate(_RAISED).partition("e")
    _, _, decimals = digits.partition(".")
    places = -len(decimals) if decimals else len(digits) - len(digits.rstrip("0"))
    return 0.5 * 10.0 ** (places + int(power.replace("−", "-") or 0))


def _significant(number):
    digits = re.sub(r"·10.*|e.*|[^\d.]", "", number)
    return len((digits if "." in digits else digits.rstrip("0")).replace(".", "").lstrip("0"))


def tells(text, *values):
    """Return whether each value stands in a text: exactly, or rounded to two digits or more."""
    found = [(value_of(number), _half_a_digit(number), _significant(number)) for number in written(text)]
    return all(
        any(
            abs(number - value) <= (1.001 * half if digits > 1 else 1e-9 * abs(value)) for number, half, digits in found
        )
        for value in values
    )
