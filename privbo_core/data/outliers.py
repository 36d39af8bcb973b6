"""Numbers that may not mean what they are: codes for missing values, and values in another unit."""

import numpy as np

from privbo_core.errors import Array

MAX_CODES = 4
"""The number of the smallest, and of the largest, values that may be codes for missing values."""
MIN_BULK = 10
"""The number of values that show what size is usual in a column."""
MIN_GAP = 5.0
"""The least ratio between values that are a hundred times too large and all others."""
MAX_BULK_RATIO = 50.0
"""The greatest ratio among the other values."""
MAX_SCALED_SHARE = 0.25
"""The greatest share of numbers that may be a hundred times too small."""


def missing_codes(amounts: Array) -> tuple[float, ...]:
    """Return the numbers of nines alone that are far from all others, or the only ones below 0."""
    values = np.unique(amounts[np.isfinite(amounts)])
    ends = np.concatenate([values[:MAX_CODES], values[-MAX_CODES:]])
    nines = np.array([value for value in ends if abs(value) < 1e15 and set(f"{abs(value):.15g}") == {"9"}])
    others = values[~np.isin(values, nines)]
    if not len(nines) or not len(others):
        return ()
    low, high = others[0], others[-1]
    far = (np.abs(nines) > 100) & (np.maximum(low - nines, nines - high) > high - low)
    return tuple(np.unique(nines[far | (nines < min(low, 0)) & (low >= 0)]).tolist())


def hundredfold(amounts: Array) -> tuple[float, ...]:
    """Return the numbers that lost their decimal point: a hundred times as large as the others, and without decimals.

    The others have decimals, and are of a similar size.
    """
    values = np.unique(amounts[np.isfinite(amounts) & (amounts > 0)])
    if len(values) <= MIN_BULK:
        return ()
    gap = int(np.argmax(np.diff(np.log(values)))) + 1
    bulk, large = values[:gap], values[gap:]
    usual = len(bulk) >= max(MIN_BULK, len(large)) and bulk[-1] <= MAX_BULK_RATIO * bulk[0]
    apart = large[0] >= MIN_GAP * bulk[-1] and bulk[0] / 2 <= large[0] / 100 and large[-1] / 100 <= 2 * bulk[-1]
    decimals = bool((bulk % 1 > 0).mean() > 0.5) and bool((large % 1 == 0).all())
    return tuple(large.tolist()) if usual and apart and decimals else ()


def hundredth(amounts: Array) -> tuple[float, ...]:
    """Return the numbers that are a hundred times as small as the others, and with decimals.

    The others are of a similar size, and much more frequent.
    """
    finite = amounts[np.isfinite(amounts) & (amounts > 0)]
    values = np.unique(finite)
    if len(values) <= MIN_BULK:
        return ()
    gap = int(np.argmax(np.diff(np.log(values)))) + 1
    small, bulk = values[:gap], values[gap:]
    share = float((finite <= small[-1]).mean())
    usual = len(bulk) >= MIN_BULK and share < MAX_SCALED_SHARE and bulk[-1] <= MAX_BULK_RATIO * bulk[0]
    apart = bulk[0] >= MIN_GAP * small[-1] and bulk[0] / 2 <= small[0] * 100 and small[-1] * 100 <= 2 * bulk[-1]
    decimals = bool((small % 1 > 0).mean() > 0.5)
    return tuple(small.tolist()) if usual and apart and decimals else ()
