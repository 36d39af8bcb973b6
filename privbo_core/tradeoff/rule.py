"""From candidates of ε to a recommendation: the strongest protection below a limit of cost, if it is enough."""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from privbo_core.data.numbers import typed_numbers
from privbo_core.errors import DataError, positive
from privbo_core.files import short
from privbo_core.privacy import Strength
from privbo_core.privacy.guarantee import WORDS
from privbo_core.tradeoff.costs import Weighed
from privbo_core.tradeoff.solve import Answer, solve

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
        numbers = typed_numbers(word, "," if "," in word else ".")
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
        if len(parts) > 1 and "." not in word and all(typed_numbers(part) for part in parts if part):
            raise DataError(f"The candidates {short(text)} can be read in two ways; {_WRITE}.")
    return [part for word in words for part in word.split(",") if part]


LEAST = 3
"""The level of `pb.privacy.strength` that is asked for unless somebody asks for another: moderate."""


@dataclass(frozen=True, eq=False)
class Recommendation:
    """``chosen``: the candidate that is recommended, None if none keeps to the ``limit`` and protects at ``least``.

    ``limit`` is in the outcome's unit, ``least`` a level of protection. ``within``: the last candidate that keeps to
    the limit, whatever it protects, and how much that is (``protects``); ``failed``: the first one that does not. Each
    None if there is none. ``smallest``: between which ε the cost falls below the limit, from a monotone fit through the
    candidates and with an interval of its own.
    """

    limit: float
    least: int
    within: Weighed | None
    protects: Strength | None
    failed: Weighed | None
    smallest: Answer

    @property
    def chosen(self) -> Weighed | None:
        """The candidate that is recommended: the one that keeps to the limit, if it protects enough."""
        return self.within if self.protects is not None and self.protects.level >= self.least else None


def recommend(
    known: Sequence[Weighed], limit: float, protects: Callable[[float], Strength], least: int = LEAST
) -> Recommendation:
    """Go from the largest ε to the smallest while the whole 95 % interval of the cost lies below ``limit``.

    And, where there is another way to search, while more is gained than by that, with its whole interval, too. The last
    one that does is recommended if it protects at level ``least`` or more (``protects``: how strongly an ε does);
    otherwise none is, for the larger ones protect still less. So none is recommended that is cheap because it hides
    hardly anything. To stop at the first that does not keep to the limit is what keeps the confidence when several are
    tried in a row (a fixed sequence of tests): the chance that the one recommended truly costs more than the limit is
    2.5 % at most, however many candidates there are; asking for protection besides only lowers it. ``known``: in order
    of ε, with at least two runs each. O(resamples · candidates · runs). Raises ValueError for a limit that is not above
    0, for a level that is none, and without candidates.
    """
    positive("limit", limit)
    if not 1 <= least < len(WORDS):
        raise ValueError(f"least is {least!r}; it must be a level of protection, 1 to {len(WORDS) - 1}.")
    kept = failed = None
    for each in reversed(known):
        if not (each.cost.high < limit and each.gains):
            failed = each
            break
        kept = each
    strength = protects(kept.epsilon) if kept else None
    return Recommendation(limit, least, kept, strength, failed, solve([each.mark for each in known], limit))
