"""The values of ε that a decision is taken between: a handful, from strong protection to weak."""

import re

from privbo_core.errors import DataError
from privbo_core.files import short

EPSILONS = (0.5, 1.0, 2.0, 5.0, 10.0)
"""From an attacker who is right 56 times in 100 to one who nearly always is."""
MOST = 8
"""More candidates than these do not fit on a page, and nobody chooses between them."""


def read_candidates(text: str, low: float, high: float) -> tuple[float, ...]:
    """Return the values of ε in a text such as ``0.5, 1, 2``, each once and in order.

    Raises DataError, a sentence, for a text without any, for more than `MOST`, and for a value outside ``low`` …
    ``high``.
    """
    found = []
    for word in re.split(r"[;,\s]+", text.strip(" ;,\t\r\n")):
        try:
            value = float(word)
        except ValueError:
            said = f"has {short(word)} in it" if word else "is empty"
            raise DataError(
                f"The list of candidates {said}; write values of ε with a point and commas between them, such as "
                "0.5, 1, 2."
            ) from None
        if not low <= value <= high:
            raise DataError(f"The candidate ε = {value:g} is out of range; it must lie between {low:g} and {high:g}.")
        found.append(float(f"{value:.6g}"))
    chosen = tuple(sorted(set(found)))
    if len(chosen) > MOST:
        raise DataError(
            f"There are {len(chosen)} candidates; keep {MOST} at most, so that one can choose between them."
        )
    return chosen
