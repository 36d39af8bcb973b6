"""The rows in which a visitor sets what each column of a table is for: what they read, and what they refuse."""

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

from pages.ui.bring import carried, read_own_table
from pages.ui.settings_editor import hidden, order_of, read_rows, rows_of, typed
from privbo_core.data import ColumnSettings


@pytest.fixture(scope="module")
def own():
    rng = np.random.default_rng(0)
    table = pd.DataFrame(
        {
            "age": rng.integers(18, 90, 80),
            "price": rng.lognormal(12, 2.0, 80).round(),
            "kind": rng.choice(["a", "b", "c"], 80),
            "day": pd.date_range("2025-01-01", periods=80).astype(str),
            "effect": rng.normal(size=80).round(3),
        }
    )
    return read_own_table(table.to_csv(index=False).encode(), "mine.csv", "1")


def edited(own, name, **cells):
    rows = rows_of(own, own.settings)
    place = rows.index[rows["Column"] == name][0]
    for title, text in cells.items():
        rows.loc[place, title.replace("_", " ")] = text
    settings, faults = read_rows(own, rows)
    return next(column for column in settings.columns if column.name == name), faults, settings


def test_rows_that_are_as_they_were_change_nothing(own):
    settings, faults = read_rows(own, rows_of(own, own.settings))
    assert (settings, faults) == (own.settings, [])


def test_the_rows_begin_with_the_outcome_and_the_inputs(own):
    uses = [own.settings.columns[place].use for place in order_of(own.settings)]
    assert uses == sorted(uses, key=["outcome", "input", "not used"].index)


@pytest.mark.parametrize(("name", "title", "text", "part", "value"), [
    ("age", "High", "110", "high", 110),
    ("age", "Low", "−1", "low", -1),
    ("age", "Protected_difference", "2,5", "hide", 2.5),
    ("age", "Protected_difference", "e^1", "hide", np.e),
    ("price", "Protected_difference", "× 1.5", "hide", 1.5),
    ("price", "Protected_difference", "10%", "hide", 1.1),
    ("price", "High", "1e9", "high", 1e9),
    ("day", "High", "2030-01-01", "high", 21915),
    ("day", "Protected_difference", "14 days", "hide", 14),
    ("age", "Unit", "years", "unit", "years"),
])  # fmt: skip
def test_a_cell_is_read_as_people_write_it(own, name, title, text, part, value):
    column, faults, _ = edited(own, name, **{title: text})
    assert faults == []
    assert getattr(column, part) == (value if isinstance(value, str) else pytest.approx(value))


@pytest.mark.parametrize(("name", "title", "text"), [
    ("age", "Low", "abc"), ("age", "Low", ""), ("age", "High", "1,234"), ("age", "High", "inf"), ("age", "High", "nan"),
    ("age", "Low", "100"), ("age", "Protected_difference", "0"), ("age", "Protected_difference", "-2"),
    ("price", "Protected_difference", "1"), ("price", "Low", "0"), ("day", "Low", "yesterday"), ("kind", "Low", "3"),
    ("effect", "High", "3"), ("age", "Low", "9" * 50), ("age", "Low", "<b>1</b>"),
])  # fmt: skip
def test_a_cell_that_cannot_be_used_gets_a_sentence_and_the_setting_stays(own, name, title, text):
    own_column = next(column for column in own.settings.columns if column.name == name)
    column, faults, _ = edited(own, name, **{title: text})
    assert len(faults) == 1
    assert name in faults[0]
    assert column == own_column


def test_another_outcome_takes_the_place_of_the_one_before(own):
    column, faults, settings = edited(own, "age", Use="Outcome")
    assert (column.use, faults) == ("outcome", [])
    assert [each.name for each in settings.columns if each.use == "outcome"] == ["age"]


@pytest.mark.parametrize(("name", "cells"), [
    ("kind", {"Use": "Outcome"}), ("kind", {"Read_as": "Number"}), ("age", {"Read_as": "Date"}),
])  # fmt: skip
def test_a_use_that_a_column_cannot_have_gets_a_sentence(own, name, cells):
    column, faults, _ = edited(own, name, **cells)
    assert len(faults) == 1
    assert column == next(each for each in own.settings.columns if each.name == name)


def test_another_reading_proposes_other_limits(own):
    column, faults, _ = edited(own, "price", Read_as="Number")
    assert faults == []
    assert (column.kind, column.hide > 1000) == ("number", True)


@pytest.mark.parametrize(("hide", "unit", "said"), [
    (4.0, "years", ["44", "48", "years"]), (0.25, "", ["43.00", "43.25"]), (20_000.0, "$", ["$"]),
])  # fmt: skip
def test_what_is_hidden_is_told_with_two_values_of_the_column(hide, unit, said):
    values = np.full(9, 43.0) if hide < 100 else np.full(9, 120_000.0)
    column = ColumnSettings("a", "input", "number", unit, 0.0, values[0] * 2, hide)
    text = hidden(column, values)
    assert all(part in text for part in said)


def test_a_text_is_read_in_the_table_s_own_decimal_mark():
    column = ColumnSettings("a", "input", "number", "", 0.0, 9000.0, 1.0)
    assert typed(column, "low", "1.234", ".") == 1.234
    with pytest.raises(ValueError, match="can mean"):
        typed(column, "low", "1.234", ",")


def test_limits_that_are_taken_from_the_data_later_are_not_known(own):
    vouched = replace(own, settings=own.settings.said_known(True))
    (used, *_), (unused, *_) = (
        [each.name for each in own.settings.columns if each.use == use] for use in ("input", "not used")
    )
    assert edited(vouched, used, High="1e7")[2].known, "a limit that the visitor types stays known"
    assert edited(vouched, used, Use="Not used")[2].known
    assert not edited(vouched, unused, Use="Input")[2].known
    assert not edited(vouched, "price", Use="Input", Read_as="Number")[2].known
    assert carried(vouched, own.settings, ()).known
    other = own.settings.replaced(used, low=-5.0)
    assert not carried(vouched, other, {used}).known
    assert not edited(vouched, unused, Use="Input")[2].said_known(False).known
    without = own.settings.said_known(True).replaced(used, use="not used").said_known(False)
    assert not without.replaced(used, use="input").known, "what is taken back is taken back for unused columns too"


def test_limits_that_were_taken_from_the_table_are_named_although_they_are_vouched_for(own):
    vouched = replace(own, settings=own.settings.said_known(True))
    names = [column.name for column in own.settings.inputs]
    assert vouched.limits_as_proposed == names
    changed = replace(vouched, settings=edited(vouched, names[0], High="1e9")[2])
    assert changed.settings.known
    assert changed.limits_as_proposed == names[1:]


def test_two_spellings_of_a_category_are_named(own):
    table = own.table.assign(kind=["Oak Hill", "OAK HILL", "West", "Oak  hill "] * 20)
    twice = read_own_table(table.to_csv(index=False).encode(), "mine.csv", "2")
    (hides,) = rows_of(twice, twice.settings).set_index("Column").loc[["kind"], "Hides"]
    assert "Oak Hill" in hides
    assert "OAK HILL" in hides
    (before,) = rows_of(own, own.settings).set_index("Column").loc[["kind"], "Hides"]
    assert "“" not in before


def test_a_constant_outcome_is_not_replaced_in_silence(own):
    table = own.table.drop(columns="effect").assign(score=1.0)
    constant = read_own_table(table.to_csv(index=False).encode(), "mine.csv", "3")
    assert constant.settings.outcome.name == constant.proposal.outcome != "score"
    assert "score" in constant.passed_over
    chosen = constant.settings.replaced("age", use="outcome")
    assert chosen.outcome.name == "age"
    assert bool(replace(constant, settings=chosen).passed_over) == (constant.proposal.outcome == "age")
    assert not own.passed_over
