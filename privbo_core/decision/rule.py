"""The recommendation: the strongest protection whose cost stays below a limit, as far as the searches can tell."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

from privbo_core.decision.costs import Weighed, Weighing
from privbo_core.errors import positive
from privbo_core.tradeoff import Answer, solve

SHARE = 0.1
"""The limit that is proposed: this share of what the search without privacy finds more than chance."""


@dataclass(frozen=True, eq=False)
class Recommendation:
    """``chosen``: the candidate that is recommended, None if none keeps to the ``limit`` (in the outcome's unit).

    ``failed``: the first one that does not, None if all do. ``smallest``: between which ε the cost falls below the
    limit, from a monotone fit through the candidates and with an interval of its own.
    """

    limit: float
    chosen: Weighed | None
    failed: Weighed | None
    smallest: Answer


def recommend(known: Sequence[Weighed], limit: float) -> Recommendation:
    """Go from the largest ε to the smallest while the whole 95 % interval of the cost lies below ``limit``.

    The last one that does is recommended. To stop at the first that does not is what keeps the confidence when several
    are tried in a row (a fixed sequence of tests): the chance that the one recommended truly costs more than the limit
    is 2.5 % at most, however many candidates there are. ``known``: in order of ε, with at least two runs each.
    O(resamples · candidates · runs). Raises ValueError for a limit that is not above 0, and without candidates.
    """
    positive("limit", limit)
    chosen = failed = None
    for each in reversed(known):
        if not each.cost.high < limit:
            failed = each
            break
        chosen = each
    return Recommendation(limit, chosen, failed, solve([each.mark for each in known], limit))


def proposed_limit(weighing: Weighing) -> float | None:
    """Return a limit to begin with, in the outcome's unit: a tenth of the search's gain over chance, to one digit.

    None while that is not known, and where the search gains nothing: then there is nothing to lose either.
    """
    if weighing.gain is None or not weighing.gain.mean > 0:
        return None
    share = SHARE * weighing.gain.mean
    return float(f"{share:.0e}") if math.isfinite(share) and share > 0 else None
