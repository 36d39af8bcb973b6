"""The settings of a whole table: first ones that can be used, the columns they make, and the file that keeps them."""

import json
import math

import numpy as np
import pandas as pd
import pytest

import privbo_core as pb
from privbo_core.data import ColumnSettings, TableSettings, describe, propose, propose_settings
from privbo_core.data.settings import amounts_of, propose_column
from privbo_core.errors import DataError


def table(n=200):
    rng = np.random.default_rng(0)
    area = rng.uniform(30, 300, n)
    return pd.DataFrame(
        {
            "price": rng.lognormal(12, 1.2, n).round(),
            "area": area.round(1),
            "type": rng.choice(["flat", "house", "loft"], n, p=[0.5, 0.3, 0.2]),
            "sold": pd.date_range("2020-01-01", periods=n, freq="3D").astype(str),
            "rooms": rng.integers(1, 9, n),
            "yield": (area / 100 + rng.normal(0, 0.1, n)).round(3),
        }
    )


def proposed(rows=None):
    rows = table() if rows is None else rows
    return propose_settings(rows, describe(rows), propose(rows))


def column(settings, name):
    return next(each for each in settings.columns if each.name == name)


def test_every_first_setting_can_be_used():
    rows, settings = table(), proposed()
    assert settings.outcome.name == "yield"
    assert [each.name for each in settings.inputs] == ["price", "area", "rooms"]
    assert not settings.known
    for name in ("type", "sold"):
        settings = settings.replaced(name, use="input")
    cleaned = settings.clean(rows)
    frame = settings.frame(cleaned)
    assert frame.names == cleaned.names
    for each, values in zip(frame.columns, cleaned.inputs.T, strict=True):
        assert each.low <= values.min() <= values.max() <= each.high
    assert frame.read_off == frame.names
    assert settings.said_known(True).frame(cleaned).public


@pytest.mark.parametrize(("name", "least"), [("rooms", 1.0), ("sold", 1.0), ("area", 0.0)])
def test_the_first_difference_is_a_fiftieth_of_the_range(name, least):
    found = column(proposed(), name)
    assert found.hide == pytest.approx(max(least, (found.high - found.low) / 50), rel=0.6)
    assert float(f"{found.hide:.1g}") == found.hide


def test_a_change_of_category_is_at_most_one_difference():
    rows = table()
    settings = proposed(rows).replaced("type", use="input")
    cleaned = settings.clean(rows)
    placed = settings.frame(cleaned).place(cleaned.inputs)
    places = [k for k, source in enumerate(cleaned.sources) if source == "type"]
    kinds = {kind: placed[rows["type"].to_numpy() == kind][0, places] for kind in ("flat", "house", "loft")}
    distances = [math.dist(kinds[one], kinds[two]) for one in kinds for two in kinds if one < two]
    assert max(distances) == pytest.approx(1.0)
    assert min(distances) > 0.5


def test_a_factor_is_one_difference_of_a_logarithm():
    rows = table()
    settings = proposed(rows)
    price = column(settings, "price")
    assert price.kind == "log"
    frame = settings.frame(settings.clean(rows))
    placed = frame.place([[math.log10(p), 100, 4] for p in (200_000, 200_000 * price.hide)])
    assert abs(placed[1] - placed[0]).max() == pytest.approx(1.0)


@pytest.mark.parametrize("name", ["price", "area", "sold", "rooms"])
def test_an_example_pair_is_one_difference_apart(name):
    found = column(proposed(), name)
    amounts = amounts_of(table()[name], found.kind)
    one, two = found.pair(amounts)
    # The first is the median in round numbers.
    within = 0.05 * np.median(amounts) if found.kind == "log" else 0.5 * found.hide
    assert abs(one - np.median(amounts)) <= within * (1 + 1e-9)
    assert min(one, two) >= found.low
    assert max(one, two) <= found.high
    apart = max(one, two) / min(one, two) if found.kind == "log" else abs(two - one)
    assert apart == pytest.approx(found.hide)


def test_a_new_outcome_takes_the_place_of_the_one_before():
    settings = proposed().replaced("area", use="outcome")
    assert settings.outcome.name == "area"
    assert column(settings, "yield").use == "not used"


@pytest.mark.parametrize(("kind", "written"), [("number", lambda best: best), ("log", math.exp)])
@pytest.mark.parametrize(("goal", "best"), [("highest", np.max), ("lowest", np.min)])
def test_the_best_outcome_is_the_one_that_the_settings_ask_for(goal, best, kind, written):
    rows, settings = table(), proposed().replaced("price", use="outcome", kind=kind)
    cleaned = TableSettings(settings.columns, goal).clean(rows)
    found = cleaned.outcome.max() if cleaned.maximize else cleaned.outcome.min()
    assert written(found) == pytest.approx(best(rows["price"]))


def test_limits_that_are_taken_from_the_data_are_not_known():
    said = proposed().said_known(True)
    assert all(column(said, name).known for name in ("price", "area", "rooms"))
    assert not propose_column(table()["area"], column(said, "area")).known


BAD = {
    "low above high": {"low": 9.0, "high": 1.0},
    "no low": {"low": None},
    "nothing hidden": {"hide": 0.0},
    "logarithm of 0": {"kind": "log", "low": 0.0, "hide": 2.0},
    "factor of 1": {"kind": "log", "low": 1.0, "hide": 1.0},
    "a range too narrow": {"low": 1.0, "high": 1.0 + 1e-120},
}


@pytest.mark.parametrize("name", BAD)
def test_settings_that_cannot_be_used_name_the_column(name):
    rows = table()
    settings = proposed(rows).replaced("rooms", **BAD[name])
    with pytest.raises(DataError, match="rooms"):
        settings.frame(settings.clean(rows))


@pytest.mark.parametrize("use", ["input", "outcome"])
def test_a_table_without_input_or_outcome_is_refused(use):
    rows, settings = table(), proposed()
    for each in settings.columns:
        if each.use == use:
            settings = settings.replaced(each.name, use="not used")
    with pytest.raises(DataError):
        settings.clean(rows)


def test_saved_settings_come_back_and_hold_no_cell():
    settings = TableSettings(proposed().replaced("type", use="input").columns, "lowest").said_known(True)
    again, notes = proposed().updated_from(settings.to_json())
    assert (again, notes) == (settings, ())
    assert "house" not in settings.to_json()


def test_columns_of_another_table_are_named_and_left_alone():
    rows = table().rename(columns={"rooms": "floors"})
    again, notes = proposed(rows).updated_from(proposed().to_json())
    assert ["rooms" in notes[0], "floors" in notes[1]] == [True, True]
    assert column(again, "floors") == column(proposed(rows), "floors")
    known = proposed().said_known(True)
    assert proposed().updated_from(known.to_json())[0].known
    assert column(again, "floors").use == "input"
    assert not proposed(rows).updated_from(known.to_json())[0].known, "the limits of floors were taken from the data"
    moved, _ = proposed(rows).updated_from(proposed().replaced("area", use="outcome").to_json())
    assert moved.outcome.name == "area"


GOOD = json.loads(proposed().to_json())


def changed(**changes):
    return json.dumps({**GOOD, "columns": [{**GOOD["columns"][0], **changes}]})


HOSTILE = [
    b"", b"\x00\xff\xfe", b"[]", b"{}", b"null", b"[" * 100_000, b'{"columns": 3}', b"9" * 2_000_000,
    json.dumps({**GOOD, "goal": "best"}), changed(known="yes"),
    json.dumps({**GOOD, "columns": GOOD["columns"] * 2}), changed(use="all"), changed(kind="pickle"),
    changed(low="1; drop"), changed(low=True), changed(low=1e300), '{"columns": [{"name": NaN}]}', changed(name=3),
    changed(name="a\u0000b"), changed(unit="\u001b[31m"), changed(hide=float("nan")), changed(high=10**400),
]  # fmt: skip


@pytest.mark.parametrize("text", HOSTILE)
def test_foreign_and_damaged_files_are_refused(text):
    with pytest.raises(DataError):
        proposed().updated_from(text)


def test_the_cleaned_rows_do_not_depend_on_protected_differences():
    settings = proposed()
    assert settings.replaced("area", hide=7.0, low=0.0).reading == settings.reading
    others = [settings.replaced("area", **changes) for changes in ({"kind": "log"}, {"use": "not used"}, {"unit": "m"})]
    assert len({settings.reading, *(each.reading for each in others)}) == 4


def test_a_constant_or_empty_column_has_no_range_and_no_fault():
    rows = table().assign(same=1.0, none=np.nan)
    settings = proposed(rows)
    for name in ("same", "none"):
        found = column(settings, name)
        assert (found.use, found.low, found.hide) == ("not used", None, None)
        assert found.pair(np.array([np.nan])) is None


def test_settings_make_the_same_problem_as_make_problem():
    rows = table()
    settings = proposed(rows)
    cleaned = settings.clean(rows)
    direct = pb.data.clean(rows, ["price", "area", "rooms"], "yield", encode={"price": "log"})
    assert np.array_equal(cleaned.inputs, direct.inputs)
    assert np.array_equal(cleaned.outcome, direct.outcome)


def test_an_empty_input_has_no_example_pair():
    assert ColumnSettings("a", "input", "category").pair(np.array([1.0])) is None
