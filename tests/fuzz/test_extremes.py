"""Whatever number, text or gap is given for a part of a frame, it ends in a search or in a sentence."""

import math
from contextlib import suppress
from dataclasses import fields, replace

import numpy as np
import pytest

from privbo_core.data import Frame, FrameColumn
from privbo_core.errors import DataError
from privbo_core.outsourced import Modeler, noisy_release

FRAME = Frame((FrameColumn("dose", "mg", 0.0, 10.0, 1.0), FrameColumn("age", "years", 0.0, 100.0, 4.0)))
SMALL, LARGE = (0, 5e-324, 1e-300, 1e-99), (-1e100, 1e100, 10**17, 10**400)
EXTREMES = [*SMALL, *LARGE, -1, 0.5, True, None, "x", "", [], {}, ["scatter"], math.inf, math.nan]


def search_in(frame):
    """Search a release in a frame whose limits may be anything that a frame can have."""
    points = np.random.default_rng(0).uniform(*frame.bounds.T, (20, frame.d))
    release = noisy_release(points, 3.0, 1e-5, bounds=frame.bounds, rng=np.random.default_rng(1))
    modeler = Modeler(release, frame)
    for row, outcome in ((1, 5e-324), (2, 1e100), (3, -1e100)):
        modeler.tell(row, outcome)
        modeler.ask()


@pytest.mark.parametrize("part", [field.name for field in fields(FrameColumn)])
def test_extreme_parts_of_a_column_are_searched_or_refused(part):
    first, *others = FRAME.columns
    for value in EXTREMES:
        with suppress(DataError):
            search_in(Frame((replace(first, **{part: value}), *others)))


@pytest.mark.parametrize(
    ("low", "high", "hide"), [(0, 5e-324, 5e-324), (0, 1e-300, 1e-301), (-1e100, 1e100, 1e99), (0, 1e-99, 1e-100)]
)
def test_extreme_ranges_are_searched_or_refused(low, high, hide):
    first, *others = FRAME.columns
    changes = {"low": low, "high": high, "hide": hide}
    if high - low < 1e-100:
        with pytest.raises(DataError, match="narrower than 1e-100"):
            replace(first, **changes)
    else:
        search_in(Frame((replace(first, **changes), *others)))
