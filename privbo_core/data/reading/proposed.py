"""How the numbers of a column seem to be written, by all of its cells: proposed to whoever knows, and never assumed."""

import numpy as np
import pandas as pd

from privbo_core.data.columns import Numbers, as_text
from privbo_core.data.marks import PLAIN, THOUSANDS, Marks
from privbo_core.errors import Array

LOOKED_AT = 20_000
"""So many cells tell what stands between thousands."""
MOST_PROPOSED = 4
"""So many codes are proposed for a column."""


def proposed_marks(column: pd.Series, read: Numbers) -> Marks:
    """Return the marks that go with how a column was ``read``; plain ones for a column of words."""
    amounts = read.amounts[np.isfinite(read.amounts)]
    if not len(amounts):
        return PLAIN
    missing = _codes(amounts)
    if not isinstance(column.dtype, pd.StringDtype):
        return Marks(missing=missing)
    decimal = read.mark
    text = as_text(column.iloc[:LOOKED_AT])
    text = text.str.replace(read.unit, "", regex=False).str.strip() if read.unit else text
    counts = {
        sign: int(text.str.fullmatch(rf"[+-]?[0-9]{{1,3}}(?:{group}[0-9]{{3}})+(?:[{decimal}][0-9]*)?").sum())
        for sign, group in THOUSANDS.items()
        if group and sign != decimal
    }
    best = max(counts, key=lambda sign: counts[sign])
    return Marks(decimal, best if counts[best] else "", read.unit, missing)


def _codes(amounts: Array) -> tuple[str, ...]:
    """Return the numbers of nothing but nines that are far from all others, or below 0 where no other number is."""
    values = np.unique(amounts)
    ends = np.concatenate([values[:MOST_PROPOSED], values[-MOST_PROPOSED:]])
    nines = np.array([value for value in ends if abs(value) < 1e15 and set(f"{abs(value):.15g}") == {"9"}])
    others = values[~np.isin(values, nines)]
    if not len(others):
        return ()
    low, high = others[0], others[-1]
    far = (np.abs(nines) > 100) & (np.maximum(low - nines, nines - high) > high - low)
    return tuple(f"{code:.0f}" for code in np.unique(nines[far | (nines < min(low, 0)) & (low >= 0)]))
