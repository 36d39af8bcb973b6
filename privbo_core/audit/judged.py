"""Judging an audit while one looks: each look at the trials so far spends a part of the error."""

import numpy as np

from privbo_core.audit.lower_bound import LowerBound, epsilon_lower_bound, gaussian_lower_bound
from privbo_core.audit.trials import recorded
from privbo_core.errors import Array, DataError
from privbo_core.release import Look


def judged(
    here: Array,
    there: Array,
    delta: float,
    look: Look | None = None,
    *,
    confidence: float = 0.95,
    gaussian: bool = False,
) -> LowerBound:
    """Return what all trials so far (`in_portions`) show about ε, at one of the looks that will be taken at them.

    ``here`` and ``there``: the outputs on the two datasets, equally many, at least 10. ``look`` says which look this is
    and how many there will be (the number of portions, which must be settled beforehand); left out, there is one. The
    bounds of all looks hold together with probability ``confidence``, so the chance that any of them refutes a true
    claim is at most 1 − ``confidence``; what one look refuted stays refuted, and the greatest bound so far is one.
    The `LowerBound`'s own ``confidence`` is that of this look alone. ``gaussian``: through the trade-off curve
    (`gaussian_lower_bound`), for Gaussian noise only. O(trials log trials). Raises ValueError or DataError.
    """
    if len(here) != len(there):
        raise DataError(f"here has {len(here)} outputs and there {len(there)}; an audit needs as many of each.")
    bound = gaussian_lower_bound if gaussian else epsilon_lower_bound
    alone = (look or Look()).confidence(confidence)
    # The trials have been made: nothing is left to draw.
    return bound(recorded(here, there), 0, 1, delta, len(here), alone, np.random.default_rng(0))
