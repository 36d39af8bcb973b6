"""Messy tables end on every page that takes them in a result or a sentence, and no two pages read one differently."""

import numpy as np
import pytest

import privbo_core as pb
from privbo_core.data.proposal import propose, who_likely
from privbo_core.data.rows import usable
from privbo_core.errors import DataError
from privbo_core.release.score_tables import unnamed_parameters
from tests.helpers.pipeline import check, problem_as_proposed

ROWS = 40


def cells(seed=0, rows=ROWS):
    rng = np.random.default_rng(seed)
    age, dose = rng.integers(18, 90, rows), rng.uniform(0.5, 9.5, rows).round(2)
    return age, dose, (50 + 0.5 * age - 3 * dose + rng.normal(0, 2, rows)).round(2)


def written(rows, names, sep=","):
    return "\n".join([sep.join(names), *(sep.join(map(str, row)) for row in rows)]) + "\n"


def comma(number):
    return str(number).replace(".", ",")


def european(number):
    return f"{number:,.2f}".translate(str.maketrans(",.", ".,"))


def plain(sep=",", names=("age", "dose", "result")):
    return written(zip(*cells(), strict=True), names, sep)


def with_gaps(word, every=9):
    age, dose, result = cells()
    rows = [(a, word if i % every == 4 else d, r) for i, (a, d, r) in enumerate(zip(age, dose, result, strict=True))]
    return written(rows, ("age", "dose", "result"))


def everything_at_once():
    age, dose, result = cells()
    rows = [
        (f"{10 + i % 18:02d}.0{1 + i % 9}.2023", a, f"{european(1000 * d)} €", comma(r), "ja " if i % 10 - 3 else "n/a")
        for i, (a, d, r) in enumerate(zip(age, dose, result, strict=True))
    ]
    table = written(rows, ("Datum", "Alter [Jahre]", "Preis (€)", "Ergebnis", "Zusage"), ";")
    return f"Klinik Nord;;;;\n\n{table}Summe;;;1.234,5;\n;;;;\nStand: 01.02.2024\n".encode("utf-16")


def agents(shared):
    rng = np.random.default_rng(3)
    rows = []
    for n in range(5):
        at = np.linspace(0, 8, 12) if shared else np.sort(rng.uniform(0, 8, 14)).round(3)
        rows += [(f"site {n}", x, round(float(np.sin(x + 0.1 * n)), 4)) for x in at]
    return written(rows, ("site", "dose", "effect"))


def seeds(missing):
    rng = np.random.default_rng(4)
    noise = 0.01 * rng.normal(size=(5, 4))
    rows = [
        (C, seed, "" if missing and (C, seed) == (1, 2) else round(0.7 - 0.02 * abs(np.log10(C)) + noise[k, seed], 4))
        for k, C in enumerate((0.01, 0.1, 1, 10, 100))
        for seed in range(4)
    ]
    return written(rows, ("C", "seed", "score"))


def tables():
    age, dose, result = cells()
    rows = list(zip(age, dose, result, strict=True))
    place = [f"place {i % 29 if i % 3 else 0}" for i in range(ROWS)]
    german = [(a, european(1000 * d), comma(r)) for a, d, r in rows]
    names = ("age", "dose", "result")
    dates = [(f"{1 + a % 28:02d}.{1 + a % 12:02d}.2021", d, r) for a, d, r in rows]
    spaced = [(f" {a} ", f"{d}  ", f" {r}") for a, d, r in rows]
    skewed = [(a, round(float(np.exp(1.2 * d)), 2), r) for a, d, r in rows]
    twice = [(a, 2 * a, d, r) for a, d, r in rows]
    made = {
        "plain": plain(),
        "decimal commas": written([(a, comma(d), comma(r)) for a, d, r in rows], names, ";"),
        "thousands points": written(german, names, ";"),
        "quoted decimal commas": written([(a, f'"{comma(d)}"', f'"{comma(r)}"') for a, d, r in rows], names),
        "units in names": plain(names=("age [years]", "dose (mg)", "result (mg/dL)")),
        "a line of units": plain().replace("\n", "\nyears,mg,mmHg\n", 1),
        "the same name twice": plain(names=("score", "score", "result")),
        "names for two columns together": ",dosing,\n" + plain(),
        "a title above": "Results of the trial\nprinted on Monday\n" + plain(),
        "a total below": plain() + "Total,100,2000\n",
        "a remark below": plain() + "\nSource: the registry\n",
        "blank and empty lines": plain().replace("\n", "\n\n").replace("\n\n", "\n,,\n\n", 3),
        "percent signs": written([(a, f"{d} %", r) for a, d, r in rows], names),
        "currencies": written([(a, f"${1000 * d:.2f}", r) for a, d, r in rows], names),
        "european dates": written(dates, ("day", *names[1:])),
        "n/a here and there": with_gaps("n/a"),
        "dashes here and there": with_gaps("-"),
        "words among numbers": with_gaps("see below"),
        "spaces around cells": written(spaced, [" age", "dose ", " result "]),
        "a byte order mark": "\ufeff" + plain(),
        "utf-16": plain().encode("utf-16"),
        "old letters": plain(names=("Größe", "dose", "result")).encode("cp1252"),
        "quoted new lines": written([(f'"a\nb{i % 3}"', *row) for i, row in enumerate(rows)], ("note", *names)),
        "rows all alike": "a,b,y\n" + "1,2,3\n" * 30,
        "one column": "age\n" + "\n".join(map(str, age)) + "\n",
        "a category of many values": written([(place[i], *row) for i, row in enumerate(rows)], ("place", *names)),
        "row numbers and identifiers": written(
            [(i, 5000 + 7 * i, *row, 3) for i, row in enumerate(rows)], ("", "patient_id", *names, "centre")
        ),
        "names repeated inside": plain() + plain(),
        "separators at the end of rows": plain().replace("\n", ",\n").replace("result,\n", "result\n", 1),
        "one column that follows from another": written(twice, ("age", "twice", *names[1:])),
        "skewed amounts": written(skewed, ("age", "income", "result")),
        "agents on one grid": agents(shared=True),
        "agents measured elsewhere": agents(shared=False),
        "settings with seeds": seeds(missing=False),
        "settings with seeds and a gap": seeds(missing=True),
        "everything at once": everything_at_once(),
    }  # fmt: skip
    return {name: data if isinstance(data, bytes) else data.encode() for name, data in made.items()}


TABLES = tables()
UNUSABLE = {"one column": "Only one column was found", "rows all alike": "same value"}
"""What cannot become a problem, whatever one does, and what is said."""


def table_of(name):
    return pb.data.load_table(TABLES[name])


def task_of(table):
    """Return the tuning task of a table of settings and scores, as on Release."""
    first = propose(table)
    numeric = [name for name in first.inputs if first.encode.get(name, "log") == "log"]
    return pb.data.task_from_table(table, numeric[:2], first.outcome, records=100, decimals=2)


def agents_of(table):
    """Return the federated problem of a long table, with the first choices of Federated."""
    first, who = propose(table), who_likely(table)
    parameters = [name for name in first.inputs if first.encode.get(name, "log") == "log" and name != who]
    return pb.federated.from_table(table, who, parameters[:2], first.outcome)


def scores_of(table):
    parameters = unnamed_parameters(list(table.columns))
    return pb.release.read_scores(table, score_range=(0, 1), parameters=parameters, records=100, decimals=2)


def frame_of(table):
    first = propose(table)
    numeric = [column.name for column in pb.data.describe(table) if column.kind == "number"]
    names = [name for name in numeric if name not in first.left_out and name != first.outcome]
    return pb.data.frame_from(usable(table, names[:3]).amounts, names[:3])


@pytest.mark.parametrize("name", TABLES)
def test_each_ends_in_a_problem_or_a_sentence_on_data(name):
    if name in UNUSABLE:
        with pytest.raises(DataError, match=UNUSABLE[name]):
            pb.data.make_problem(table_of(name), ["a", "b"], "y")
        return
    problem = problem_as_proposed(table_of(name))
    check(problem)
    assert problem.n >= 5


OF_THE_KIND = {
    task_of: {*TABLES} - {*UNUSABLE, "everything at once", "agents measured elsewhere"},
    frame_of: {*TABLES} - {*UNUSABLE},
    agents_of: {"agents on one grid", "agents measured elsewhere"},
    scores_of: {"settings with seeds", "settings with seeds and a gap"},
}


@pytest.mark.parametrize("make", OF_THE_KIND)
@pytest.mark.parametrize("name", TABLES)
def test_each_ends_in_a_result_or_a_sentence_elsewhere(make, name):
    try:
        make(table_of(name))
    except ValueError as fault:
        sentence = str(fault)
        assert name not in OF_THE_KIND[make], sentence
        assert len(sentence) > 20, sentence
        assert sentence.rstrip().endswith("."), sentence
        assert "nan" not in sentence.split(), sentence


@pytest.mark.parametrize("name", sorted({*TABLES} - {*UNUSABLE}))
def test_all_pages_read_the_same(name, tmp_path):
    """The same columns, rows, values and notes, whichever page asks: one file has one reading."""
    path = tmp_path / "table.csv"
    path.write_bytes(TABLES[name])
    table, again = table_of(name), pb.data.load_table(path)  # uploaded, and read by the command line
    assert table.attrs == again.attrs
    assert table.equals(again)
    first = propose(table)
    numeric = [n for n in first.inputs if first.encode.get(n, "log") == "log"][:2]
    shared = usable(table, [*numeric, first.outcome])
    cleaned = pb.data.clean(table, numeric, first.outcome)
    np.testing.assert_array_equal(cleaned.inputs, shared.amounts[:, :-1])
    np.testing.assert_array_equal(cleaned.outcome, shared.amounts[:, -1])
    np.testing.assert_array_equal(cleaned.rows, shared.rows)
    assert cleaned.dropped == shared.dropped
    in_frame = pb.data.frame_from(shared.amounts[:, :-1], numeric).numbers(table)  # as Outsourced takes them
    np.testing.assert_array_equal(in_frame[shared.rows], shared.amounts[:, :-1])
    task = pb.data.task_from_table(table, numeric, first.outcome)  # Release
    assert set(map(tuple, task.parameters)) == set(map(tuple, shared.amounts[:, :-1]))
    assert task.notes[: len(shared.notes)] == shared.notes
    labelled = table.assign(**{"whose half": np.arange(len(table)) % 2 + 0.5})
    labelled.attrs = table.attrs
    problem = pb.federated.from_table(labelled, "whose half", numeric, first.outcome)  # Federated
    assert set(map(tuple, problem.original)) == set(map(tuple, shared.amounts[:, :-1]))
    assert problem.notes[: len(shared.notes)] == shared.notes


SAID = {"decimal commas": "The decimal mark is a comma", "everything at once": "'Klinik Nord'"}


@pytest.mark.parametrize("name", SAID)
def test_what_was_done_is_said(name):
    assert SAID[name] in " ".join(table_of(name).attrs["notes"])


SAME = (
    "decimal commas|quoted decimal commas|units in names|a line of units|a title above|a total below|a remark below|"
    "percent signs|spaces around cells|a byte order mark|utf-16|separators at the end of rows"
)


@pytest.mark.parametrize("name", SAME.split("|"))
def test_tidied_up_they_are_the_plain_table(name):
    """Most of the thirty are one table in different clothes: what is read of them is that table."""
    np.testing.assert_allclose(*(table_of(each).to_numpy(dtype=float) for each in (name, "plain")))
