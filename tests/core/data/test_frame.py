"""Frames: what they compute, what they refuse, and that a file brings back what was written."""

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

import privbo_core as pb
from privbo_core.data import Frame, FrameColumn, frame_from
from tests.helpers.numbers import numbers
from tests.helpers.refusing import refusals

AGE = FrameColumn("age", "years", 50, 110, 4)
RATE = FrameColumn("rate", "%", 5, 31, 1, 8.0)
FRAME = Frame((AGE, RATE))


def test_rows_are_placed_in_protected_differences_and_clipped():
    placed = FRAME.place([[80.0, 18.0], [84.0, 19.0], [200.0, -3.0]])
    np.testing.assert_allclose(placed, [[0, 0], [1, 1], [7.5, -13]])
    np.testing.assert_allclose(FRAME.bounds, [[-7.5, 7.5], [-13, 13]])
    np.testing.assert_allclose(FRAME.to_original(placed), [[80, 18], [84, 19], [110, 5]])
    table = pd.DataFrame({"rate": [18, 19, -3], "other": "x", "age": [80, 84, 200]})
    np.testing.assert_array_equal(FRAME.place(table), placed)


def test_rows_outside_the_limits_are_counted_for_each_column():
    age, rate = FRAME.moved([[80, 18], [84, 19], [200, -3]])
    assert ("age" in age, numbers(age)) == (True, [1, 3, 110, 110])
    assert ("rate" in rate, numbers(rate)) == (True, [1, 3, 5, 5])
    (both,) = Frame((AGE,)).moved([[1], [2], [50], [111]])
    assert numbers(both) == [2, 4, 50, 50, 1, 4, 110, 110]
    assert FRAME.moved([[50, 31], [110, 5]]) == ()


@given(st.integers(0, 2**32 - 1), st.floats(1e-3, 1e6))
def test_a_protected_difference_moves_one_row_by_at_most_one(seed, scale):
    rng = np.random.default_rng(seed)
    data = rng.normal([80, 18], [30 * scale, 10 * scale], (20, 2))
    direction = rng.standard_normal(2)
    moved = data.copy()
    moved[7] += FRAME.hide * direction / np.linalg.norm(direction)
    difference = FRAME.place(moved) - FRAME.place(data)
    assert not np.delete(difference, 7, axis=0).any()
    assert np.linalg.norm(difference) <= 1 + 1e-9
    assert (np.abs(FRAME.place(data)) <= FRAME.bounds[:, 1]).all()


def test_a_frame_knows_what_was_taken_from_the_data():
    assert FRAME.public
    assert FRAME.read_off == ()
    mixed = Frame((AGE, replace(RATE, taken_from_data=True)))
    assert not mixed.public
    assert mixed.read_off == ("rate",)
    proposed = frame_from(pd.DataFrame({"a": [1, 3, 2], "b": [0, 50, 100]}))
    assert proposed.read_off == ("a", "b")
    np.testing.assert_array_equal(proposed.limits, [[1, 3], [0, 100]])
    np.testing.assert_allclose(proposed.hide, [0.04, 2])


def test_a_difference_wider_than_the_range_is_warned_about():
    (sentence,) = Frame((AGE, FrameColumn("flag", "", 0, 1, 2))).warnings
    assert "'flag'" in sentence
    assert "wider than its range" in sentence
    assert FRAME.warnings == ()


def placed(**columns):
    return FRAME.place(pd.DataFrame(columns))


test_data_that_cannot_be_placed_are_refused = refusals(
    (lambda: placed(age=[60.0]), "'rate' is not in the table"),
    (lambda: FRAME.place(pd.DataFrame([[60.0, 6, 7]], columns=["age", "rate", "rate"])), "'rate' is more than once"),
    (lambda: FRAME.place(np.ones((3, 3))), "3 columns and the frame 2"),
    (lambda: frame_from([[1.0], [1.0]]), "low of column 'column 1'"),
    error=pb.DataError,
)


def test_a_gap_empties_the_row_of_its_own_record():
    for cell in ("six", "", None, np.nan, "1e999", pd.Timestamp("2020-01-01"), np.inf):
        rows = FRAME.place(pd.DataFrame({"age": [60, 70, "80"], "rate": ["6", cell, 7.0]}, dtype=object))
        np.testing.assert_array_equal(np.isnan(rows), [[False] * 2, [True] * 2, [False] * 2])


def test_a_problem_takes_the_columns_that_it_needs():
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
def test_the_frame_of_a_formula_is_public(name):
    problem = pb.data.sample(name)
    assert problem.frame.public
    np.testing.assert_array_equal(problem.frame.hide, problem.unit_distance)
    np.testing.assert_allclose(problem.frame.place(problem.original), problem.points, atol=1e-12)


def column(**changes):
    return FrameColumn(**{"name": "rate", "unit": "%", "low": 5, "high": 31, "hide": 1} | changes)


test_unusable_columns_are_refused = refusals(
    (lambda: column(low=31), "low of column 'rate' is 31 and high 31. Low must be below high"),
    (lambda: column(hide=0), "hide of column 'rate' is 0. It must be above 0"),
    (lambda: column(hide=-1), "hide of column 'rate' is -1"),
    (lambda: column(hide=1e-12), "less than a billionth of the range"),
    (lambda: column(lengthscale=0), "lengthscale of column 'rate' is 0"),
    (lambda: column(low="5"), "low of column 'rate' is '5'. It must be a number"),
    (lambda: column(low=None), "low of column 'rate' is None"),
    (lambda: column(high=True), "high of column 'rate' is True"),
    (lambda: column(high=10**400), "high of column 'rate' is 1000.*…. It must be a number between ±1e100"),
    (lambda: column(name=" "), "name of a column is empty"),
    (lambda: column(name=3), "name of column 3 is 3. It must be a text"),
    (lambda: column(taken_from_data=None), "taken_from_data of column 'rate' is None"),
    (lambda: Frame((AGE, AGE)), "column 'age' more than once"),
    (lambda: Frame(()), "no columns"),
    error=pb.DataError,
)
