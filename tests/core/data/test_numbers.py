"""Numbers in cells, each by itself and as people write them; and numbers as a person types them."""

import math

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from privbo_core.data.columns import numbers
from privbo_core.data.numbers import parse_column, to_number, typed_numbers
from tests.helpers.amounts import few

nan = math.nan
CELLS = {
    "1": 1, " 1.5 ": 1.5, "-.5": -0.5, "+2e3": 2000, "5.": 5, "inf": math.inf, "-Infinity": -math.inf,
    "1,5": nan, "1,000": nan, "1 000": nan, "": nan, "x": nan, "nan": nan, "1_000": nan, "0x10": nan, "٣": nan,
}  # fmt: skip


def test_a_cell_of_text_is_read_as_programs_write_numbers():
    np.testing.assert_array_equal(numbers(pd.Series(list(CELLS))).amounts, list(CELLS.values()))


cells = st.one_of(
    st.text(max_size=8),
    st.from_regex(r"[-+€]?[0-9]{1,3}([.,' ][0-9]{3})?([.,][0-9]{0,4})?( ?(kg|%|€|lb))?", fullmatch=True),
    st.floats(), st.integers(-(10**20), 10**20), st.none(), st.booleans(),
)  # fmt: skip


@settings(max_examples=few(60, 400), deadline=None)
@given(st.lists(cells, min_size=2, max_size=8), st.data())
def test_no_cell_changes_the_number_of_another(column, more):
    """A column of one kind, of several, or of one changed cell: pandas gives each another type."""
    at = more.draw(st.integers(0, len(column) - 1))
    changed = [*column[:at], more.draw(cells), *column[at + 1 :]]
    for make in (lambda found: pd.Series(found, dtype=object), lambda found: pd.Series(list(map(str, found)))):
        one, other = (numbers(make(found)).amounts for found in (column, changed))
        np.testing.assert_array_equal(np.delete(one, at), np.delete(other, at))


@pytest.mark.parametrize("dtype", ["float64", "float32", "int64", "uint8", "bool", "Int64", "Float64", "boolean"])
def test_numbers_do_not_depend_on_the_type_of_the_column(dtype):
    column = pd.Series([1, 0, 99, 1], dtype="int64").clip(upper=1 if "bool" in dtype else 99).astype(dtype)
    np.testing.assert_array_equal(numbers(column).amounts, numbers(column.astype(object)).amounts)


@pytest.mark.parametrize(
    ("text", "point", "comma"),
    [
        ("1.5", 1.5, nan), ("1,5", nan, 1.5), ("1,234", 1234, 1.234), ("1.234", 1.234, 1234), ("1.234,5", nan, 1234.5),
        ("1,234.5", 1234.5, nan), ("1 234", 1234, 1234), ("1\u202f234,5", nan, 1234.5), ("1’234.5", 1234.5, nan),
        ("−3", -3, -3), ("1,5e-3", nan, 0.0015), ("12,34,567", nan, nan), ("1e400", math.inf, math.inf),
        (",5", nan, 0.5), (".5", 0.5, nan), ("12 34", nan, nan), ("inf", math.inf, math.inf),
    ],
)  # fmt: skip
def test_a_number_by_each_decimal_mark(text, point, comma):
    np.testing.assert_array_equal([to_number(text, "."), to_number(text, ",")], [point, comma])


@pytest.mark.parametrize(
    ("cells", "unit", "amounts"),
    [
        (["$120,259", "120259", "-$5"], "$", [120259, 120259, -5]),
        (["€ 1.234,50", "12", "n/a"], "€", [1234.5, 12]),
        (["12k", "3.4M", "900"], "", [12e3, 3.4e6, 900]),
        (["€110.5M", "€565K", "€0"], "€", [110.5e6, 565e3, 0]),
        (["1.2M USD", "3 bn USD"], "USD", [1.2e6, 3e9]),
        (["$1.5m", "$2.5m"], "$", [1.5e6, 2.5e6]),
        (["1.5 m", "2 m"], "m", [1.5, 2]),
        (["300 K", "310 K"], "K", [300, 310]),
        (["12 %", "0", "7 %"], "%", [12, 0, 7]),
        (["5", "6", "7 kg", "see below"], "kg", [5, 6, 7]),
        (["10A", "11A", "12B"], "", []),
        (["12%", "0.2", "7%"], "%", []),
        (["70 kg", "70 lb"], "", []),
        (["A1", "B2"], "", []),
        (["x" * 10_000, "1" * 400], "", []),
    ],
)
def test_a_unit_and_multipliers_are_read_where_the_column_agrees(cells, unit, amounts):
    column = parse_column(cells)
    read = column.amounts(".")
    assert [read[cell] for cell in cells if cell in read] == pytest.approx(amounts)
    assert column.unit == unit


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
def test_unambiguous_numbers_do_not_depend_on_the_decimal_mark(text, number, mark):
    assert typed_numbers(text, mark) == (number,)


def test_three_digits_after_the_other_mark_have_two_readings():
    assert typed_numbers("1,234") == (1234.0, 1.234)
    assert typed_numbers("-12,500") == (-12500.0, -12.5)
    assert typed_numbers("1.234") == (1.234,)
    assert typed_numbers("1.234", ",") == (1234.0, 1.234)
    assert typed_numbers("1,234", ",") == (1.234,)


@pytest.mark.parametrize(
    "text", ["", " ", "abc", "1,2,3", "12,34,567", "1;2", "0,3; 0,4", "1_000", "4 kg", "--1", "1.2.3", "e5"]
)
def test_what_is_no_number_has_no_reading(text):
    assert typed_numbers(text) == ()
    assert typed_numbers(text, ",") == ()


@given(st.floats(allow_nan=False, allow_infinity=False), st.sampled_from([".", ","]))
def test_what_a_field_shows_is_read_back(value, mark):
    shown = f"{value:.10g}".replace(".", mark)
    assert typed_numbers(shown, mark) == (float(f"{value:.10g}"),)
