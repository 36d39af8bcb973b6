"""The values of ε that a decision is taken between: a handful, from strong protection to weak."""

import re

from privbo_core.data.reading.typed import readings
from privbo_core.errors import DataError
from privbo_core.files import short

EPSILONS = (0.5, 1.0, 2.0, 5.0, 10.0)
"""From an attacker who is right 56 times in 100 to one who nearly always is."""
MOST = 8
"""More candidates than these do not fit on a page, and nobody chooses between them."""
_WRITE = "write 0.5, 1, 2 or 0,5; 1; 2"
_COMMA = re.compile(r"\s*,\s+|\s+,|,(?=[;,]|$)")
"""A comma that can be no decimal one: with a blank beside it, or nothing after it."""


def read_candidates(text: str, low: float, high: float) -> tuple[float, ...]:
    """Return the values of ε in a text such as ``0.5, 1, 2`` or ``0,5; 1; 2``, each once and in order.

    Between two of them stands a comma, a semicolon or a blank. A comma between two digits is a decimal one where
    semicolons or blanks separate, and separates where the number before or after it has a point. Raises DataError, a
    sentence, for a text that can be read in two ways, for one without any, for more than `MOST`, and for a value
    outside ``low`` … ``high``.
    """
    found = []
    for word in _words(text):
        numbers = readings(word, "," if "," in word else ".")
        if len(numbers) != 1:
            raise DataError(f"The list of candidates has {short(word)} in it; {_WRITE}.")
        value = numbers[0]
        if not low <= value <= high:
            raise DataError(f"The candidate ε = {value:g} is out of range; it must lie between {low:g} and {high:g}.")
        found.append(float(f"{value:.6g}"))
    chosen = tuple(sorted(set(found)))
    if len(chosen) > MOST:
        raise DataError(
            f"There are {len(chosen)} candidates; keep {MOST} at most, so that one can choose between them."
        )
    return chosen


def _words(text: str) -> list[str]:
    """Return the candidates in a text, one by one, as they are written. Raises DataError if that cannot be told."""
    text = text.strip()
    words = [word for word in re.split(r"[;\s]+", _COMMA.sub(" ", text)) if word]
    if not words:
        raise DataError(f"The list of candidates is empty; {_WRITE}.")
    if re.search(r"[;\s]", _COMMA.sub("", text)):  # then a comma between two digits is a decimal one
        return words
    for word in words:
        parts = word.split(",")
        if len(parts) > 1 and "." not in word and all(readings(part) for part in parts if part):
            raise DataError(f"The candidates {short(text)} can be read in two ways; {_WRITE}.")
    return [part for word in words for part in word.split(",") if part]
