"""First choices for a table: each with its reason, and none that a person cannot take back."""

import numpy as np
import pandas as pd
import pytest

import privbo_core as pb
from privbo_core.data.proposal import propose, who_likely

N = 60


def hospital():
    rng = np.random.default_rng(0)
    age = rng.integers(20, 80, N)
    return pd.DataFrame(
        {
            "column 1": range(N),
            "Pat.-Nr.": np.arange(N) + 1000,
            "patient_id": rng.permutation(N) + 1000,
            "name": [f"person {i}" for i in range(N)],
            "site": rng.choice(list("ABC"), N),
            "city": [f"city {i % 25 if i % 2 else 0}" for i in range(N)],
            "admitted": pd.date_range("2020-01-01", periods=N).strftime("%d.%m.%Y"),
            "age": age,
            "income": (1000 * np.exp(rng.normal(0, 2, N))).round(2),
            "twice": 2 * age + 1,
            "centre": 3,
            "empty": np.nan,
            "mortality": rng.random(N),
        }
    )


def test_columns_that_are_no_inputs_are_left_out_with_reasons():
    first = propose(hospital())
    assert first.left_out == {
        "column 1": "it counts the rows",
        "Pat.-Nr.": "it numbers the records",
        "patient_id": "it numbers the records",
        "name": "it names the records",
        "centre": "it has the same value everywhere",
        "empty": "it is empty",
        "twice": "it follows exactly from age",
    }
    assert first.inputs == ("site", "city", "admitted", "age", "income")
    assert "column 1 (it counts the rows)" in first.left_out_note()
    assert "column 1" not in first.left_out_note(["column 1"])


def test_each_other_proposal_has_its_reason():
    first = propose(hospital())
    assert first.encode == {"site": "category", "city": "frequent", "admitted": "date", "income": "log"}
    assert set(first.reasons) == set(first.encode)
    assert "times the middle one" in first.reasons["income"]
    assert (first.outcome, first.because, first.maximize) == ("mortality", "it is the last column of numbers", False)
    chosen = propose(hospital(), "age")
    assert (chosen.outcome, chosen.because) == ("age", "you chose it")
    assert "mortality" in chosen.inputs


def test_taken_as_it_stands_it_makes_a_problem():
    table, first = hospital(), propose(hospital())
    cleaned = pb.data.clean(table, first.inputs, first.outcome, encode=first.encode, maximize=first.maximize)
    assert cleaned.names[-1] == "log10 income"
    np.testing.assert_allclose(cleaned.inputs[:, -1], np.log10(table["income"]))
    assert sum(name.startswith("city = ") for name in cleaned.names) == 5
    assert "'city' keeps its 5 most frequent values, and all others" in " ".join(cleaned.encodings)
    assert "'income' counts as its logarithm to base 10." in cleaned.encodings


@pytest.mark.parametrize(
    ("values", "logarithm"),
    [
        (np.exp(np.linspace(0, 9, 50)), True),
        (np.linspace(1, 50, 50), False),
        (-np.exp(np.linspace(0, 9, 50)), False),
        (np.r_[np.exp(np.linspace(0, 9, 49)), 0.0], False),
    ],
)
def test_a_logarithm_is_proposed_for_skewed_positive_amounts(values, logarithm):
    rng = np.random.default_rng(1)
    first = propose(pd.DataFrame({"amount": rng.permutation(values), "y": rng.random(50)}))
    assert (first.encode.get("amount") == "log") is logarithm
    assert bool(propose(pd.DataFrame({"x": rng.random(50), "sales": values})).log_output) is logarithm


def test_a_name_tells_the_outcome_better_than_the_place_does():
    table = pd.DataFrame(np.random.default_rng(2).random((30, 3)), columns=["score", "x", "z"])
    assert propose(table).outcome == "score"
    assert propose(pd.DataFrame({"word": ["a", "b", "c"] * 5})).outcome is None


def test_the_column_that_names_the_agent_is_found():
    table = pd.DataFrame({"column 1": range(12), "site": [1, 2, 3] * 4, "x": np.arange(12) / 7, "y": np.arange(12.0)})
    assert who_likely(table.rename(columns={"site": "site_id"})) == "site_id"
    assert who_likely(table.assign(site=[f"s{i % 3}" for i in range(12)])) == "site"


def test_notes_of_a_table_are_not_copied_for_each_column():
    copies = []

    class Note(str):
        def __deepcopy__(self, memo):
            copies.append(self)
            return self

    table = pd.DataFrame(np.random.default_rng(0).random((N, 60)), columns=[f"c{k}" for k in range(60)])
    table.attrs["notes"] = (Note("a thousand columns have a thousand of these"),)
    for look in (pb.data.describe, propose, who_likely):
        copies.clear()
        look(table)
        assert len(copies) < 20, look
