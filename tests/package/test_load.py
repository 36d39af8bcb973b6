"""What `make load` says in the end names what did not hold, and nothing that did."""

import math

import pytest

from tests.helpers.verdict import broken, verdict

PICTURE, MEMORY = ("95 of 100 first pictures after", 0.26, 3.0, "s"), ("memory grew by", 59.9, 60.0, "MB")


@pytest.mark.parametrize(
    ("faults", "measured", "said"),
    [
        ({}, [PICTURE, MEMORY], "Held up"),
        ({"sessions cut off": 0}, [], "Held up"),
        ({}, [PICTURE, ("memory grew by", 64.2, 60.0, "MB")], "DID NOT HOLD UP: memory grew by 64 MB (limit 60 MB)"),
        ({}, [("a tap after", 2.0, 2.0, "s"), MEMORY], "DID NOT HOLD UP: a tap after 2.00 s (limit 2 s)"),
        ({}, [("a tap after", math.nan, 2.0, "s")], "DID NOT HOLD UP: a tap after nan s (limit 2 s)"),
        ({"sessions cut off": 2}, [PICTURE], "DID NOT HOLD UP: 2 × sessions cut off"),
    ],
)
def test_what_did_not_hold_is_named(faults, measured, said):
    assert verdict(broken(faults, measured)) == said
