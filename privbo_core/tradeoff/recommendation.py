"""Recommend the candidate for ε that protects most within a limit of cost, if its protection is strong enough."""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from privbo_core.data.numbers import typed_numbers
from privbo_core.errors import DataError, positive, short
from privbo_core.privacy import Strength
from privbo_core.privacy.guarantee import WORDS
from privbo_core.tradeoff.candidates import Weighed
from privbo_core.tradeoff.solve import Answer, solve

EPSILONS = (0.5, 1.0, 2.0, 5.0, 10.0)
"""Usual candidates. With a small δ, the best attacker is right 62 times in 100 at most at ε = 0.5, and nearly always at
ε = 10."""
MAX_CANDIDATES = 8
"""More candidates do not fit on a page, and are too many to choose between."""
DEFAULT_LEVEL = 3
"""The level of `pb.privacy.strength` that a recommendation needs by default, which is moderate."""
_HINT = "Write numbers such as 0.5, 1, 2, or with decimal commas 0,5; 1; 2."
_SEPARATING_COMMA = re.compile(r"\s*,\s+|\s+,|,(?=[;,]|$)")
"""A comma that cannot be a decimal comma, because it has a blank before or after it or is not followed by a number."""


def read_candidates(text: str, low: float, high: float) -> tuple[float, ...]:
    """Return the distinct values of ε in a text such as ``0.5, 1, 2`` or ``0,5; 1; 2``, in increasing order.

    Values are separated by commas, semicolons or blanks. If semicolons or blanks separate them, a comma between two
    digits is a decimal comma. If a number next to a comma has a decimal point, the comma is a separator. Raises
    DataError for a text that can be read in two ways or has no values, for more than `MAX_CANDIDATES`, and for a value
    outside ``low`` … ``high``.
    """
    values = []
    for word in _words(text):
        numbers = typed_numbers(word, "," if "," in word else ".")
        if len(numbers) != 1:
            raise DataError(f"The list of candidates has {short(word)} in it, which is not a number. {_HINT}")
        value = numbers[0]
        if not low <= value <= high:
            raise DataError(f"The candidate ε = {value:g} is out of range. It must lie between {low:g} and {high:g}.")
        values.append(float(f"{value:.6g}"))
    candidates = tuple(sorted(set(values)))
    if len(candidates) > MAX_CANDIDATES:
        raise DataError(f"There are {len(candidates)} candidates. Keep at most {MAX_CANDIDATES} of them.")
    return candidates


def _words(text: str) -> list[str]:
    """Return the candidates in a text as they are written. Raises DataError if there are none, or two readings."""
    text = text.strip()
    words = [word for word in re.split(r"[;\s]+", _SEPARATING_COMMA.sub(" ", text)) if word]
    if not words:
        raise DataError(f"The list of candidates is empty. {_HINT}")
    if re.search(r"[;\s]", _SEPARATING_COMMA.sub("", text)):
        # Semicolons or blanks separate the candidates, so a comma between two digits is a decimal comma.
        return words
    for word in words:
        parts = word.split(",")
        if len(parts) > 1 and "." not in word and all(typed_numbers(part) for part in parts if part):
            raise DataError(f"The candidates {short(text)} can be read in two ways. {_HINT}")
    return [part for word in words for part in word.split(",") if part]


@dataclass(frozen=True, eq=False)
class Recommendation:
    """The candidate for ε that `recommend` chooses, and the candidates that it is based on.

    ``limit`` is the limit of cost, in the unit of the costs, and ``least`` is the lowest level of protection that is
    accepted. ``within`` is the smallest ε that stays within the limit, and ``protects`` is the strength of its
    protection. ``failed`` is the next smaller candidate, which does not. Each is None if there is none. ``smallest`` is
    the ε at which the cost falls below the limit, from a monotone fit to all candidates, with an interval of its own.
    """

    limit: float
    least: int
    within: Weighed | None
    protects: Strength | None
    failed: Weighed | None
    smallest: Answer

    @property
    def chosen(self) -> Weighed | None:
        """The recommended candidate: ``within`` if its protection reaches the level ``least``, and otherwise None."""
        if self.protects is None or self.protects.level < self.least:
            return None
        return self.within


def recommend(
    known: Sequence[Weighed], limit: float, protects: Callable[[float], Strength], least: int = DEFAULT_LEVEL
) -> Recommendation:
    """Recommend the smallest ε whose cost is below ``limit``, if its protection reaches the level ``least``.

    The candidates are tested from the largest ε to the smallest, up to the first one that fails. A candidate passes if
    the whole 95% interval of its cost lies below the limit. If there is a further reference, the whole interval of the
    gain over it must lie above 0 too. ``protects`` returns the strength of protection at an ε. If the last candidate
    that passes protects too little, none is recommended, because larger ε protect even less. A candidate that is cheap
    only because it hides very little is therefore never recommended.

    Such a fixed sequence of tests keeps its confidence for any number of candidates. The chance that the recommended
    candidate really costs more than the limit is at most 2.5%, if the intervals have their confidence level
    (`Difference`). The demand for protection only makes it smaller.

    ``known`` is in order of ε, with at least two runs for each. O(resamples · candidates · runs). Raises ValueError for
    a limit that is not above 0, for an unknown level, and without candidates.
    """
    positive("limit", limit)
    if not 1 <= least < len(WORDS):
        raise ValueError(f"least is {least!r}, but it must be a level of protection from 1 to {len(WORDS) - 1}.")
    within = failed = None
    for candidate in reversed(known):
        if not (candidate.cost.high < limit and candidate.gains):
            failed = candidate
            break
        within = candidate
    strength = protects(within.epsilon) if within else None
    return Recommendation(limit, least, within, strength, failed, solve([each.mark for each in known], limit))
