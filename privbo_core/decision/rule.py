"""The recommendation: the strongest protection that costs less than a limit, if it protects as much as is asked for."""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from privbo_core.decision.costs import Weighed, Weighing
from privbo_core.errors import positive
from privbo_core.privacy import Strength
from privbo_core.privacy.strength import WORDS
from privbo_core.tradeoff import Answer, solve

SHARE = 0.1
"""The limit that is proposed: this share of what the search without privacy finds more than chance."""
LEAST = 3
"""The level of `pb.privacy.strength` that is asked for unless somebody asks for another: moderate."""


@dataclass(frozen=True, eq=False)
class Recommendation:
    """``chosen``: the candidate that is recommended, None if none keeps to the ``limit`` and protects at ``least``.

    ``limit`` is in the outcome's unit, ``least`` a level of protection. ``kept``: the last candidate that keeps to the
    limit, whatever it protects, and how much that is (``protects``); ``failed``: the first one that does not. Each None
    if there is none. ``smallest``: between which ε the cost falls below the limit, from a monotone fit through the
    candidates and with an interval of its own.
    """

    limit: float
    least: int
    kept: Weighed | None
    protects: Strength | None
    failed: Weighed | None
    smallest: Answer

    @property
    def chosen(self) -> Weighed | None:
        """The candidate that is recommended: the one that keeps to the limit, if it protects enough."""
        return self.kept if self.protects is not None and self.protects.level >= self.least else None


def recommend(
    known: Sequence[Weighed], limit: float, protects: Callable[[float], Strength], least: int = LEAST
) -> Recommendation:
    """Go from the largest ε to the smallest while the whole 95 % interval of the cost lies below ``limit``.

    The last one that does is recommended if it protects at level ``least`` or more (``protects``: how strongly an ε
    does); otherwise none is, for the larger ones protect still less. So none is recommended that is cheap because it
    hides hardly anything. To stop at the first that does not keep to the limit is what keeps the confidence when
    several are tried in a row (a fixed sequence of tests): the chance that the one recommended truly costs more than
    the limit is 2.5 % at most, however many candidates there are; asking for protection besides only lowers it.
    ``known``: in order of ε, with at least two runs each. O(resamples · candidates · runs). Raises ValueError for a
    limit that is not above 0, for a level that is none, and without candidates.
    """
    positive("limit", limit)
    if not 1 <= least < len(WORDS):
        raise ValueError(f"least is {least!r}; it must be a level of protection, 1 to {len(WORDS) - 1}.")
    kept = failed = None
    for each in reversed(known):
        if not each.cost.high < limit:
            failed = each
            break
        kept = each
    strength = protects(kept.epsilon) if kept else None
    return Recommendation(limit, least, kept, strength, failed, solve([each.mark for each in known], limit))


def proposed_limit(weighing: Weighing) -> float | None:
    """Return a limit to begin with, in the outcome's unit: a tenth of the search's gain over chance, to one digit.

    None while that is not known, and where the search gains nothing: then no limit can be read off it.
    """
    if weighing.gain is None or not weighing.gain.mean > 0:
        return None
    share = SHARE * weighing.gain.mean
    return float(f"{share:.0e}") if math.isfinite(share) and share > 0 else None
