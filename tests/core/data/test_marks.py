"""Marks: what each reads, each cell by itself, and what is proposed for them; and numbers as a person types them."""

import math

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import privbo_core as pb
from privbo_core.data import FileMarks, Frame, FrameColumn, Marks, load_cells, load_table, with_marks
from privbo_core.data.columns import numbers
from privbo_core.data.marks import readings
from tests.helpers.amounts import few
from tests.helpers.refusing import refusals

COMMA = Marks(",", ".", "€", ("99.999",))
KG, SHARE, SPACED, SWISS = Marks(unit="kg"), Marks(unit="%"), Marks(",", " "), Marks(thousands="'")
WAYS = [Marks(), COMMA, KG, SHARE, SPACED, SWISS, Marks(missing=("99999", "none given"))]


@pytest.mark.parametrize(
    ("marks", "cells", "amounts"),
    [
        (Marks(), ["1", " 1.5 ", "-.5", "+2e3", "−3", "1,5", "1,000", "1 000", "", "x", "nan", "inf"],
         [1, 1.5, -0.5, 2000, -3, *[None] * 7]),
        (COMMA, ["1,5", "1.234,5", "€ 5", "5 €", "-€5", "€-5", "1234", "1.5", "12.34,5", "€5€", "-€-5", "99999"],
         [1.5, 1234.5, 5, 5, -5, -5, 1234, *[None] * 5]),
        (KG, ["70 kg", "70kg", "70", "70 lb", "kg", "70 KG"], [70, 70, 70, None, None, None]),
        (SHARE, ["12%", "0.2", "0", "7 %"], [12, None, 0, 7]),
        (SPACED, ["1 234,5", "1\u00a0234", "1\u202f234\u2009567", "1 23"], [1234.5, 1234, 1234567, None]),
        (SWISS, ["1'234.5", "1’234"], [1234.5, 1234]),
        (WAYS[-1], ["99999", "99999.0", 99999, 99999.0, "None Given", "9999", 7, True, None, pd.NA, 2**60],
         [*[None] * 5, 9999, 7, 1, None, None, 2.0**60]),
    ],
)  # fmt: skip
def test_what_a_cell_means(marks, cells, amounts):
    expected = np.array([np.nan if each is None else each for each in amounts], dtype=float)
    np.testing.assert_array_equal(marks.amounts(pd.Series(cells, dtype=object)), expected)
    assert [marks.amount(cell) for cell in cells] == pytest.approx(expected.tolist(), nan_ok=True, rel=1e-15)


cells = st.one_of(
    st.text(max_size=8),
    st.from_regex(r"[-+€]?[0-9]{1,3}([.,' ][0-9]{3})?([.,][0-9]{0,4})?( ?(kg|%|€|lb))?", fullmatch=True),
    st.floats(), st.integers(-(10**20), 10**20), st.none(), st.booleans(),
)  # fmt: skip


@settings(max_examples=few(60, 400), deadline=None)
@given(st.lists(cells, min_size=1, max_size=8), st.sampled_from(WAYS), st.data())
def test_each_number_is_its_own_cell_s_in_whatever_column_it_stands(column, marks, more):
    """A column of one kind, of several, or of one changed cell: pandas gives each another type."""
    at = more.draw(st.integers(0, len(column) - 1))
    changed = [*column[:at], more.draw(cells), *column[at + 1 :]]
    for found in (column, changed):
        expected = [marks.amount(cell) for cell in found]
        for made in (pd.Series(found, dtype=object), pd.Series([str(cell) for cell in found], dtype="str")):
            alone = expected if made.dtype == object else [marks.amount(str(cell)) for cell in found]
            np.testing.assert_array_equal(marks.amounts(made), alone)
    one, other = (marks.amounts(pd.Series(found, dtype=object)) for found in (column, changed))
    np.testing.assert_array_equal(np.delete(one, at), np.delete(other, at))


@pytest.mark.parametrize("dtype", ["float64", "float32", "int64", "uint8", "bool", "Int64", "Float64", "boolean"])
def test_a_number_is_itself_whatever_its_column_s_type(dtype):
    column = pd.Series([1, 0, 99, 1], dtype="int64").clip(upper=1 if "bool" in dtype else 99).astype(dtype)
    marks = Marks(missing=("99",))
    np.testing.assert_array_equal(marks.amounts(column), marks.amounts(column.astype(object)))


FRAME = Frame((FrameColumn("a", "", 0, 9, 1), FrameColumn("b", "", 0, 9, 1)))


@pytest.mark.parametrize(
    ("text", "file", "marks"),
    [
        ("a,b\n1,2\n3.5,4\n", FileMarks(), (Marks(), Marks())),
        ("a;b\n1.234,5;€ 2\n1;€ 3\n", FileMarks(";"), (Marks(",", "."), Marks(",", unit="€"))),
        ("Sales\n\na|b\n1 234|2\n5|6\nTotal|8\n", FileMarks("|", names=2, below=1), (Marks(thousands=" "), Marks())),
        ("sep=;\na;b\n1;2\n1;3\n2;9999\n3;5\n;;\nSource: the books\n", FileMarks(";", names=2, below=1),
         (Marks(), Marks(missing=("9999",)))),
        ("a,b\n75.7 m2,2\n80m2,4\n", FileMarks(), (Marks(unit="m2"), Marks())),
        ("a\tb\nä\t1\n3\t4\n", FileMarks("\t", "cp1252"), (Marks(), Marks())),
    ],
)  # fmt: skip
def test_what_the_reader_of_a_file_proposes_reads_it_the_same(text, file, marks):
    table = load_table(text.encode(file.encoding))
    proposed = with_marks(FRAME, table)
    assert (proposed.file, tuple(column.marks for column in proposed.columns)) == (file, marks)
    assert with_marks(proposed, load_table(b"a,b\n1,2\n3,4\n")) == proposed, "what was said stays"
    by_marks = proposed.numbers(load_cells(text.encode(file.encoding), proposed.file))
    by_votes = FRAME.numbers(table)
    whole = ~np.isnan(by_marks).any(axis=1)
    np.testing.assert_array_equal(by_marks[whole], by_votes[: len(by_marks)][whole[: len(by_votes)]])
    assert whole.any()


def test_a_file_s_lines_are_records_but_those_that_the_marks_name():
    text = b"name,x,y\nAcme,1,2\nBolt,7,8\nname,x,y\nTotal,3,4\nMedia,5,6\n"
    assert load_table(text)["x"].tolist() == [1, 7], "the reader takes two companies for sums"
    kept = load_cells(text)
    assert kept["name"].tolist() == ["Acme", "Bolt", "name", "Total", "Media"]
    assert load_cells(text, FileMarks(below=2))["x"].tolist() == ["1", "7", "x"]
    assert load_cells(b"\xef\xbb\xbfa,b\n 1,NA\n\n,\"x\n,\"\"y\"\n1,\xe4,\n").to_numpy().tolist() == [
        [" 1", "NA"], ["", 'x\n,"y'], ["1", "�"]
    ]  # fmt: skip


test_files_that_cannot_be_read_so_say_why = refusals(
    (lambda: load_cells(b"a;b\n1;2\n1,5;2\n"), "Line 3 has 2 fields, but the names above make 1 columns"),
    (lambda: load_cells(b"a,b\n1,2\n3\n"), "Line 3 has 1 field"),
    (lambda: load_cells(b'a,b\n1,2\n"3,4\n'), "Line 3 cannot be read"),
    (lambda: load_cells(b"a,b\n1,2\n", FileMarks(names=3)), "fewer than 3 lines"),
    (lambda: load_cells(b"a,b\n1,2\n3,4\n", FileMarks(below=2)), "holds 0 records"),
    (lambda: FileMarks(below=-1), "below of the file is -1"),
    (lambda: FileMarks(encoding="ebcdic"), "encoding of the file is 'ebcdic'"),
    error=pb.DataError,
)


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
