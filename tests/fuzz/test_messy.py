"""Messy tables end on every page that takes them in a result or a sentence, and no two pages read one differently."""

import numpy as np
import pytest

import privbo_core as pb
from privbo_core.data.proposal import propose, who_likely
from privbo_core.data.rows import usable
from privbo_core.errors import DataError
from tests.helpers.messy import tables
from tests.helpers.pipeline import check, problem_as_proposed

TABLES = tables()
UNUSABLE = {"one column": "Only one column was found", "rows all alike": "same value"}
"""What cannot become a problem, whatever one does, and what is said."""


def table_of(name):
    return pb.data.load_table(TABLES[name])


def task_of(table):
    """Return the tuning task of a table of settings and scores, as on Release."""
    first = propose(table)
    numeric = [name for name in first.inputs if first.encode.get(name, "log") == "log"]
    return pb.data.task_from_table(table, numeric[:2], first.outcome, records=100)


def agents_of(table):
    """Return the federated problem of a long table, with the first choices of Federated."""
    first, who = propose(table), who_likely(table)
    parameters = [name for name in first.inputs if first.encode.get(name, "log") == "log" and name != who]
    return pb.federated.from_table(table, who, parameters[:2], first.outcome)


def scores_of(table):
    return pb.tuning.read_scores(table, score_range=(0, 1), records=100)


def frame_of(table):
    """Return the frame that the Workbench starts with."""
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
    in_frame = pb.data.frame_from(shared.amounts[:, :-1], numeric).numbers(table)  # Outsourced and the Workbench
    np.testing.assert_array_equal(in_frame[shared.rows], shared.amounts[:, :-1])
    task = pb.data.task_from_table(table, numeric, first.outcome)  # Release
    assert set(map(tuple, task.parameters)) == set(map(tuple, shared.amounts[:, :-1]))
    assert task.notes[: len(shared.notes)] == shared.notes
    labelled = table.assign(**{"whose half": np.arange(len(table)) % 2 + 0.5})
    labelled.attrs = table.attrs
    problem = pb.federated.from_table(labelled, "whose half", numeric, first.outcome)  # Federated
    assert set(map(tuple, problem.original)) == set(map(tuple, shared.amounts[:, :-1]))
    assert problem.notes[: len(shared.notes)] == shared.notes


SAID = {
    "decimal commas": "The decimal mark is a comma",
    "units in names": "age in years, dose in mg, result in mg/dL",
    "a line of units": "age in years, dose in mg, result in mmHg",
    "the same name twice": "the later one is called 'score (2)'",
    "a title above": "'Results of the trial'",
    "a total below": "'Total'",
    "a remark below": "'Source: the registry'",
    "percent signs": "dose in %",
    "currencies": "dose in $",
    "old letters": "Windows-1252",
    "names repeated inside": "1 more line",
    "everything at once": "'Klinik Nord'",
}


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
