"""What a file's lines and cells mean: units, titles, sums, names that stand twice; and nothing of it goes unsaid."""

import numpy as np
import pytest

import privbo_core as pb
from privbo_core.data.units import is_unit, name_and_unit

load = pb.data.load_table


def notes(table):
    return " ".join(table.attrs["notes"])


APART = {
    "age [years]": ("age", "years"),
    "price (€)": ("price", "€"),
    "glucose (mg/dL)": ("glucose", "mg/dL"),
    "Druck / bar": ("Druck", "bar"),
    "area (m²)": ("area", "m²"),
    "speed [Knoten]": ("speed", "Knoten"),
    "duration (in days)": ("duration", "days"),
}
ENDING = {
    "price_eur": "EUR",
    "RR_sys_mmHg": "mmHg",
    "CRP_mg_l": "mg/l",
    "flat_area_m2": "m2",
    "Dauer_in_Tage": "Tage",
}
WITHOUT = ["rooms_count", "birth_year", "price_per_m2", "x_m", "log_price_eur", "score (2)", "income (log)"]
WITHOUT += ["income [log]", "x[0]", "f(x)", "sex (M/F)", "and/or", "kg"]


@pytest.mark.parametrize("name", APART)
def test_a_unit_in_brackets_or_after_a_slash_leaves_the_name(name):
    assert name_and_unit(name) == APART[name]


@pytest.mark.parametrize("name", ENDING)
def test_a_unit_at_the_end_stays_in_the_name(name):
    assert name_and_unit(name) == (name, ENDING[name])


@pytest.mark.parametrize("name", WITHOUT)
def test_a_name_without_a_unit_has_none(name):
    assert name_and_unit(name) == (name, "")


def test_units_by_which_names_differ_stay_in_them():
    table = load(b"price (EUR),price (USD),age [years]\n1,2,3\n4,5,6\n")
    assert list(table.columns) == ["price (EUR)", "price (USD)", "age"]
    assert table.attrs["units"] == {"age": "years"}
    assert "age in years" in notes(table)
    assert table.attrs["short"] == ("units read from names",)


def test_a_line_of_units_below_the_names_is_no_row():
    table = load(b"dose,weight,group\nmg,kg,\n5,70,a\n6,71,b\n")
    assert table["dose"].tolist() == [5, 6]
    assert table.attrs["units"] == {"dose": "mg", "weight": "kg"}
    assert len(load(b"dose,group\nmg,kg\nml,kg\n")) == 2  # categories that are called like units


def test_repeated_names_are_told_apart():
    table = load(b"score,x,score,score (2),score\n1,2,3,4,5\n6,7,8,9,0\n")
    assert list(table.columns) == ["score", "x", "score (3)", "score (2)", "score (4)"]
    assert "Columns 1 and 3 are both called 'score'. The later one is called 'score (3)' here." in notes(table)


def test_titles_sums_and_remarks_are_left_out():
    lines = ["Sales 2024", "", "name;amount;price", "a;1;2,5", "b;2;3,5", "Total;3;6,0", ";;", "Source: the books"]
    table = load("\n".join(lines).encode())
    assert table["amount"].tolist() == [1, 2]
    assert table["price"].tolist() == [2.5, 3.5]
    assert all(left_out in notes(table) for left_out in ("'Sales 2024'", "'Total'", "'Source: the books'"))


def test_a_row_called_total_in_the_middle_is_kept():
    table = load(b"name,x,y\na,1,2\nTotal,3,4\nb,5,6\n")
    assert table["x"].tolist() == [1, 3, 5]
    assert table.attrs["notes"] == ()


def test_titles_padded_with_separators_and_joined_names():
    table = load(b"Report 2024,,,,\nPatient,,Lab,,\nid,age,glucose,creatinine,\n1,40,90,1.1,\n2,50,99,0.9,\n")
    assert list(table.columns)[:4] == ["id", "age", "glucose", "creatinine"]
    assert table["age"].tolist() == [40, 50]
    twice = load(b"Before,,After,\nweight,height,weight,height\n1,2,3,4\n5,6,7,8\n")
    assert list(twice.columns) == ["Before weight", "Before height", "After weight", "After height"]


def test_repeated_headers_and_trailing_separators_are_ignored():
    table = load(b"a,b\n1,2,\n3,4,\na,b\n5,6,\n")
    assert table["a"].tolist() == [1, 3, 5]
    assert "1 more line" in notes(table)


def test_row_names_without_a_name_above():
    table = load(b"a,b\nx,1,2\ny,3,4\n")
    assert list(table.columns) == ["row", "a", "b"]
    assert table["b"].tolist() == [2, 4]


@pytest.mark.parametrize(
    ("cells", "expected", "unit"),
    [
        (["€ 1.234,50", "€ 12,00", "€ 3,10"], [1234.5, 12.0, 3.1], "€"),
        (["$1,234.50", "-$12.00", "n/a"], [1234.5, -12.0, np.nan], "$"),
        (["12 %", "7,5 %", "0"], [12.0, 7.5, 0.0], "%"),
        (["70 kg", "71 kg", "69.5 kg"], [70.0, 71.0, 69.5], "kg"),
        (["12 EUR", "13 EUR", "14"], [12.0, 13.0, 14.0], "EUR"),
        (["75.7 m2", "80m2", "1,234.5 m2"], [75.7, 80.0, 1234.5], "m2"),
        (["3 €/m2", "4 €/m2", "5.5"], [3.0, 4.0, 5.5], "€/m2"),
    ],
)
def test_a_unit_beside_most_numbers_is_taken_off(cells, expected, unit):
    text = "\n".join(["x;y", *(f"{cell};{i}" for i, cell in enumerate(cells))])
    table = load(text.encode())
    np.testing.assert_array_equal(table["x"], expected)
    assert table.attrs["units"] == {"x": unit}
    assert "without the unit beside them" in notes(table)


@pytest.mark.parametrize(
    "cells",
    [
        ["12%", "0.2", "7%"],
        ["10A", "11A", "12B"],
        ["a1", "a2", "a3"],
        ["1 m4", "2 m4"],
        ["1 am2", "2 am2"],
        ["1€", "2$", "3£"],
    ],
)
def test_what_may_mean_something_else_stays_text(cells):
    text = "\n".join(["x;y", *(f"{cell};{i}" for i, cell in enumerate(cells))])
    assert load(text.encode())["x"].tolist() == cells


def test_units_are_units():
    assert all(map(is_unit, ["kg", "mg/dL", "€/m²", "kWh", "m2", "s^-1", "% ", "Tage", "años"]))
    assert not any(map(is_unit, ["", "x", "2", "log", "kg and more", "M/F"]))
