"""A number that a person types into a field: with a decimal point or comma, and thousands apart where one can tell."""

import re

from privbo_core.data.columns import SPACES

_EXPONENT = r"(?:[eE][+-]?\d+)?"
_SPACED = re.compile(rf"[+-]?\d{{1,3}}(?:[{SPACES}]\d{{3}})+(?:[.,]\d*)?")
_GROUPS = re.compile(r"[+-]?[1-9]\d{0,2}(?:(,\d{3})+(?:\.\d*)?|(\.\d{3})+(?:,\d*)?)")
_EITHER = re.compile(r"[+-]?[1-9]\d{0,2}[.,]\d{3}")
_PLAIN = re.compile(rf"[+-]?(?:\d+[.,]?\d*|[.,]\d+){_EXPONENT}")
_WORDS = {"nan", "inf", "infinity"}


def readings(text: str, mark: str = ".") -> tuple[float, ...]:
    """Return the numbers that a typed text may stand for: one, none, or two where nobody can tell.

    1,5 and 1.234,5 and 1 234 have one reading each. So has 1.234 where ``mark``, the decimal mark of the table in use,
    is the point; 1,234 is then 1234 or 1.234, and the other way round.
    """
    text = text.strip().replace("\u2212", "-")
    if text.lower().lstrip("+-") in _WORDS:
        return (float(text),)  # a number, though hardly ever one that can be used: whoever takes it says so
    if _SPACED.fullmatch(text):
        text = re.sub(f"[{SPACES}]", "", text)
    if _EITHER.fullmatch(text):
        decimal = float(text.replace(",", "."))
        return (decimal,) if mark in text else (float(re.sub("[.,]", "", text)), decimal)
    if found := _GROUPS.fullmatch(text):
        group, decimal_mark = (",", ".") if found[1] else (".", ",")
        return (float(text.replace(group, "").replace(decimal_mark, ".")),)
    return (float(text.replace(",", ".")),) if _PLAIN.fullmatch(text) else ()
