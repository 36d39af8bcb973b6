"""Whatever number, text or gap stands anywhere in a file that a page opens, it ends in pictures or in a sentence."""

import copy
import io
import json
import math
import random
from contextlib import suppress

import numpy as np
import pytest

from privbo_core.data import read_frame
from privbo_core.data.frame import frame_as_json
from privbo_core.errors import DataError
from privbo_core.outsourced import Modeler, noisy_release
from tests.helpers.amounts import few
from tests.helpers.own_tables import FRAME

SMALL, LARGE = (0, 5e-324, 1e-300, 1e-99), (-1e100, 1e100, 10**17, 10**400)
EXTREMES = [*SMALL, *LARGE, -1, 0.5, True, None, "x", "", [], {}, ["scatter"], math.inf, math.nan]


def documents():
    """Return, by kind, what stands in files."""
    return {"frame": json.loads(json.dumps(frame_as_json(FRAME)))}


def places(said, path=()):
    inside = said.items() if isinstance(said, dict) else enumerate(said[:3]) if isinstance(said, list) else ()
    for key, each in inside:
        yield (*path, key)
        yield from places(each, (*path, key))


def changed(said, path, value):
    """Return a document with another value at a path."""
    said = copy.deepcopy(said)
    inner = said
    for key in path[:-1]:
        inner = inner[key]
    inner[path[-1]] = value
    return said


def search_in(frame):
    """Search a release in a frame whose limits may be anything that a frame can have."""
    points = np.random.default_rng(0).uniform(*frame.bounds.T, (20, frame.d))
    release = noisy_release(points, 3.0, 1e-5, bounds=frame.bounds, rng=np.random.default_rng(1))
    modeler = Modeler(release, frame)
    for row, outcome in ((1, 5e-324), (2, 1e100), (3, -1e100)):
        modeler.tell(row, outcome)
        modeler.ask()


def opened(said):
    return read_frame(io.StringIO(json.dumps(said)))


OPENS = {"frame": opened}


@pytest.mark.parametrize("kind", OPENS)
def test_an_extreme_anywhere_ends_in_pictures_or_in_a_sentence(kind):
    said = documents()[kind]
    OPENS[kind](said)  # as it is, it is read
    every = [(path, value) for path in places(said) for value in EXTREMES]
    for path, value in random.Random(0).sample(every, min(len(every), few(80, 10_000))):
        with suppress(DataError):
            OPENS[kind](changed(said, path, value))


@pytest.mark.parametrize(
    ("low", "high", "hide"), [(0, 5e-324, 5e-324), (0, 1e-300, 1e-301), (-1e100, 1e100, 1e99), (0, 1e-99, 1e-100)]
)
def test_a_range_at_the_ends_of_all_numbers_is_searched_or_refused(low, high, hide):
    said = documents()["frame"]
    said["columns"][0] |= {"low": low, "high": high, "hide": hide}
    if high - low < 1e-100:
        with pytest.raises(DataError, match="narrower than 1e-100"):
            opened(said)
    else:
        search_in(opened(said))
