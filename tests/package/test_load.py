"""What `make load` names in the end is what did not hold, and nothing that did."""

import math

import pytest

from tests.helpers.numbers import numbers
from tests.helpers.verdict import broken, verdict

PICTURE, MEMORY = ("95 of 100 first pictures after", 0.26, 3.0, "s"), ("memory grew by", 59.9, 60.0, "MB")


@pytest.mark.parametrize(
    ("faults", "measured", "told"),
    [
        ({}, [PICTURE, MEMORY], []),
        ({"sessions cut off": 0}, [], []),
        ({}, [PICTURE, ("memory grew by", 64.2, 60.0, "MB")], [64, 60]),
        ({}, [("a tap after", 2.0, 2.0, "s"), MEMORY], [2, 2]),
        ({}, [("a tap after", math.nan, 2.0, "s")], [2]),
        ({"sessions cut off": 2}, [PICTURE], [2]),
    ],
)
def test_what_did_not_hold_is_named_with_its_number_and_its_limit(faults, measured, told):
    failed = broken(faults, measured)
    assert bool(failed) == bool(told)
    assert numbers(verdict(failed)) == told
