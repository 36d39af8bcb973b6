"""A number as a person types it: with point or comma, thousands apart, and never guessed."""

import math

import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from privbo_core.data.columns import numbers
from privbo_core.data.marks import readings


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("0,3", 0.3), ("0.3", 0.3), (" 1,5 ", 1.5), ("\u22124,5", -4.5), ("+2", 2.0), (",5", 0.5), ("5,", 5.0),
        ("0,125", 0.125), ("0.125", 0.125), ("12,3456", 12.3456), ("1234,567", 1234.567), ("1,2e3", 1200.0),
        ("1e-5", 1e-5), ("1.234,5", 1234.5), ("1,234.5", 1234.5), ("1,234,567", 1234567.0), ("1.234.567", 1234567.0),
        ("1.234.567,8", 1234567.8),
        ("1 234", 1234.0), ("1\u00a0234,5", 1234.5), ("1\u2019234.5", 1234.5), ("1e400", math.inf),
    ],
)  # fmt: skip
@pytest.mark.parametrize("mark", [".", ","])
def test_what_can_be_read_in_one_way_is_read_so_beside_any_table(text, number, mark):
    assert readings(text, mark) == (number,)


def test_three_digits_behind_the_other_mark_may_be_either():
    assert readings("1,234") == (1234.0, 1.234)
    assert readings("-12,500") == (-12500.0, -12.5)
    assert readings("1.234") == (1.234,)
    assert readings("1.234", ",") == (1234.0, 1.234)
    assert readings("1,234", ",") == (1.234,)


@pytest.mark.parametrize(
    "text", ["", " ", "abc", "1,2,3", "12,34,567", "1;2", "0,3; 0,4", "1_000", "4 kg", "--1", "1.2.3", "e5"]
)
def test_what_is_no_number_has_no_reading(text):
    assert readings(text) == ()
    assert readings(text, ",") == ()


@given(st.floats(allow_nan=False, allow_infinity=False), st.sampled_from([".", ","]))
def test_what_a_field_shows_is_read_back(value, mark):
    shown = f"{value:.10g}".replace(".", mark)
    assert readings(shown, mark) == (float(f"{value:.10g}"),)


@given(st.from_regex(r"[+-]?[1-9][0-9]{0,3}([.,][0-9]{1,4}){0,2}", fullmatch=True), st.sampled_from([".", ","]))
def test_a_field_reads_as_a_file_does_or_asks(text, mark):
    """What a cell of a file is read as, in a column that leaves the mark open, is among what a field reads.

    But for 0,125: nobody means thousands by it.
    """
    (cell,) = numbers(pd.Series([text]), mark).amounts
    found = readings(text, mark)
    if found and not math.isnan(cell):
        assert cell in found
