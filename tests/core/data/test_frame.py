"""Frames: what they compute, what they refuse, and that a file brings back what was written."""

import io
import json
from dataclasses import asdict, replace

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import privbo_core as pb
from privbo_core.data import FileMarks, Frame, FrameColumn, Marks, frame_from, read_frame, write_frame
from tests.helpers.amounts import few
from tests.helpers.refusing import refusals

AGE = FrameColumn("age", "years", 50, 110, 4, known_from="the study's rule")
RATE = FrameColumn("rate", "%", 5, 31, 1, 8.0, "published by the bank")
FRAME = Frame((AGE, RATE))


def saved(**changes):
    """Return a frame file as text, with a change to its second column."""
    columns = [{"name": "age", "low": 50, "high": 110, "hide": 4}, {"name": "rate", "low": 5, "high": 31, "hide": 1}]
    columns[1] |= changes
    return json.dumps({"format": "privbo frame", "version": 2, "columns": columns})


def written(marks=None, **changes):
    """Return a frame file as text that says how the table is written."""
    return json.dumps({**json.loads(saved(marks=marks)), "file": None, "written_from": "", **changes})


def test_rows_are_placed_in_hidden_changes_from_the_middle_and_clipped():
    placed = FRAME.place([[80.0, 18.0], [84.0, 19.0], [200.0, -3.0]])
    np.testing.assert_allclose(placed, [[0, 0], [1, 1], [7.5, -13]])
    np.testing.assert_allclose(FRAME.bounds, [[-7.5, 7.5], [-13, 13]])
    np.testing.assert_allclose(FRAME.to_original(placed), [[80, 18], [84, 19], [110, 5]])
    table = pd.DataFrame({"rate": [18, 19, -3], "other": "x", "age": [80, 84, 200]})
    np.testing.assert_array_equal(FRAME.place(table), placed)
    assert FRAME.moved(table) == (
        "age: 1 of 3 rows is above 110 and counts as 110.",
        "rate: 1 of 3 rows is below 5 and counts as 5.",
    )
    assert Frame((AGE,)).moved([[1], [2], [50], [111]]) == (
        "age: 2 of 4 rows are below 50 and count as 50; 1 of 4 rows is above 110 and counts as 110.",
    )
    assert FRAME.moved([[50, 31], [110, 5]]) == ()


@given(st.integers(0, 2**32 - 1), st.floats(1e-3, 1e6))
def test_one_record_changes_its_own_row_only_and_a_hidden_change_moves_it_by_one_at_most(seed, scale):
    rng = np.random.default_rng(seed)
    data = rng.normal([80, 18], [30 * scale, 10 * scale], (20, 2))
    direction = rng.standard_normal(2)
    moved = data.copy()
    moved[7] += FRAME.hide * direction / np.linalg.norm(direction)
    difference = FRAME.place(moved) - FRAME.place(data)
    assert not np.delete(difference, 7, axis=0).any()
    assert np.linalg.norm(difference) <= 1 + 1e-9
    assert (np.abs(FRAME.place(data)) <= FRAME.bounds[:, 1]).all()


def test_a_frame_says_what_was_read_off():
    assert FRAME.public
    assert FRAME.read_off == ()
    mixed = Frame((AGE, FrameColumn("rate", "%", 5, 31, 1, known_from="  ")))
    assert not mixed.public
    assert mixed.read_off == ("rate",)
    assert not Frame((replace(AGE, known_from="x"),)).public, "a letter names no source"
    written = Frame((replace(AGE, marks=Marks(",")), RATE))
    assert (written.read_off, written.public, written.unsaid) == ((), False, ("how the table is written",))
    assert replace(written, written_from="the clinic's export").public
    proposed = frame_from(pd.DataFrame({"a": [1, 3, 2], "b": [0, 50, 100]}))
    assert proposed.read_off == ("a", "b")
    np.testing.assert_array_equal(proposed.limits, [[1, 3], [0, 100]])
    np.testing.assert_allclose(proposed.hide, [0.04, 2])


def test_a_hidden_change_wider_than_the_range_is_allowed_and_said():
    (sentence,) = Frame((AGE, FrameColumn("flag", "", 0, 1, 2))).warnings
    assert "'flag'" in sentence
    assert "wider than its range" in sentence
    assert FRAME.warnings == ()


numbers = st.floats(-1e90, 1e90)
names = st.text(st.characters(exclude_categories=["Cc", "Cf", "Cs", "Zl", "Zp"]))


@settings(max_examples=few(40, 200))
@given(
    numbers, st.floats(1e-3, 1e90), st.floats(0.001, 2), st.none() | st.floats(0.001, 2), st.text(), names, st.data()
)
def test_a_file_brings_back_the_same_frame_to_the_bit(low, width, hide, lengthscale, words, name, more):
    high, taken = low + width, name.strip() or "x"
    width = high - low
    if not width > 0:
        return
    guess = None if lengthscale is None else lengthscale * width
    marks = st.sampled_from([None, Marks(), Marks(",", ".", "€", ("99999", "-9"))])
    column = FrameColumn(taken, name, low, high, hide * width, guess, words, more.draw(marks))
    frame = Frame((column,), more.draw(st.sampled_from([None, FileMarks(";", "cp1252", 3, 2)])), words[:9])
    file = io.StringIO()
    write_frame(frame, file)
    try:
        content = file.getvalue().encode("utf-8")
    except UnicodeEncodeError:
        return
    assert read_frame(io.BytesIO(content)) == read_frame(io.StringIO(file.getvalue())) == frame


def test_paths_and_marks_of_a_text_editor(tmp_path):
    path = tmp_path / "a.frame.json"
    write_frame(FRAME, path)
    assert read_frame(path) == read_frame(str(path)) == FRAME
    path.write_bytes(b"\xef\xbb\xbf" + path.read_bytes().replace(b"\n", b"\r\n"))
    assert read_frame(path) == FRAME


test_every_fault_of_a_file_is_one_sentence_that_names_it = refusals(
    (saved(low=31), "low of column 'rate' is 31 and high 31; low must be below high"),
    (saved(hide=0), "hide of column 'rate' is 0; it must be above 0"),
    (saved(hide=-1), "hide of column 'rate' is -1"),
    (saved(hide=1e-12), "less than a billionth of the range"),
    (saved(lengthscale=0), "lengthscale of column 'rate' is 0"),
    (saved(low="5"), "low of column 2 of the frame is '5'; it must be a number"),
    (saved(low=None), "low of column 2 of the frame is None"),
    (saved(high=True), "high of column 2 of the frame is True"),
    (saved(high=10**400), "high of column 2 of the frame is 1000.*…; it must be a number between ±1e100"),
    (saved(name="age"), "column 'age' more than once"),
    (saved(name=" "), "name of a column is empty"),
    (saved(name=3), "name of column 2 of the frame is 3; it must be a text"),
    (saved(known_from=None), "known_from of column 2 of the frame is None"),
    (saved(hidden=3), "Column 2 of the frame has the key 'hidden'; it may have name, unit, low"),
    (saved().replace(', "hide": 1}', "}"), "Column 2 of the frame lacks the key 'hide'"),
    (saved().replace('"version": 2', '"version": 3'), "version is 3; this program reads version 2: update"),
    (saved().replace('"version": 2', '"version": 1'), "version is 1; this program reads version 2; go on with"),
    (written(file={"delimiter": "x"}), "file of the frame lacks the key 'encoding'"),
    (written(file=asdict(FileMarks()) | {"delimiter": "x"}), "delimiter of the file is 'x'; it must be one of ','"),
    (written(written_from=3), "written_from of the frame is 3"),
    (written(marks=asdict(Marks()) | {"decimal": ";"}), "decimal mark is ';'; it must be one of '.', ','"),
    (written(marks=asdict(Marks()) | {"thousands": "."}), "cannot be both the decimal mark and what stands"),
    (written(marks=asdict(Marks()) | {"unit": "1.0"}), "unit in cells is '1.0', which may be part of a number"),
    (
        written(marks=asdict(Marks()) | {"missing": "99"}),
        "missing of marks of column 2 of the frame is '99'; it must be a list",
    ),
    (saved().replace("privbo frame", "else"), "format is 'else'"),
    (saved().replace('"version"', '"revision"'), "lacks the key 'version'"),
    ('{"format": "privbo frame", "version": 2, "columns": {}}', "columns of the frame is {}; it must be a list"),
    ('{"format": "privbo frame", "version": 2, "columns": [3]}', "Column 1 of the frame must be an object"),
    ('{"format": "privbo frame", "version": 2, "columns": []}', "no columns"),
    ("[]", "The frame must be an object"),
    ("amount,rate\n1,2", "not a JSON file that can be read \\(line 1\\)"),
    (" " * 200_001, "larger than 200 kB"),
    (b"\xff\xfe1", "UTF-8"),
    act=lambda text: read_frame(io.BytesIO(text) if isinstance(text, bytes) else io.StringIO(text)),
    error=pb.DataError,
)


def placed(**columns):
    return FRAME.place(pd.DataFrame(columns))


test_data_that_cannot_be_placed_are_named = refusals(
    (lambda: placed(age=[60.0]), "'rate' is not in the table"),
    (lambda: FRAME.place(pd.DataFrame([[60.0, 6, 7]], columns=["age", "rate", "rate"])), "'rate' is more than once"),
    (lambda: FRAME.place(np.ones((3, 3))), "3 columns and the frame 2"),
    (lambda: read_frame("/none/none.json"), "cannot be read: No such file"),
    (lambda: frame_from([[1.0], [1.0]]), "low of column 'column 1'"),
    error=pb.DataError,
)


def test_a_record_with_a_gap_has_a_row_of_nothing_and_no_other_has():
    for cell in ("six", "", None, np.nan, "1e999", pd.Timestamp("2020-01-01"), np.inf):
        rows = FRAME.place(pd.DataFrame({"age": [60, 70, "80"], "rate": ["6", cell, 7.0]}, dtype=object))
        np.testing.assert_array_equal(np.isnan(rows), [[False] * 2, [True] * 2, [False] * 2])


def test_a_problem_takes_the_columns_it_needs_or_reads_a_frame_off():
    rng = np.random.default_rng(0)
    table = pd.DataFrame({"rate": rng.uniform(5, 30, 60), "age": rng.integers(50, 90, 60), "y": rng.normal(size=60)})
    fit = pb.gp.Fit(pb.gp.SquaredExponential(1.0), 0.1, np.array([5.0]))
    known = pb.data.make_problem(table, ["rate"], "y", hyperparameters=fit, frame=FRAME)
    assert known.frame.columns == (RATE,)
    read = pb.data.make_problem(table, ["rate"], "y", hyperparameters=fit, units={"rate": "%"})
    assert read.frame.read_off == ("rate",)
    assert read.frame.columns[0].unit == "%"
    assert read.frame.columns[0].low == table["rate"].min()
    with pytest.raises(pb.DataError, match="does not say anything about 'rate'"):
        pb.data.make_problem(table, ["rate"], "y", hyperparameters=fit, frame=Frame((AGE,)))


@pytest.mark.parametrize("name", ["synthetic", "branin"])
def test_a_formula_s_frame_is_public_and_has_the_units_of_its_points(name):
    problem = pb.data.sample(name)
    assert problem.frame.public
    np.testing.assert_array_equal(problem.frame.hide, problem.unit_distance)
    np.testing.assert_allclose(problem.frame.place(problem.original), problem.points, atol=1e-12)
