"""One record of a table, whatever is in its cells, moves no other's contribution: attacks on every door.

What a release adds is noise of a known distribution; so it is put out, and what is under it is compared.
"""

import csv
import io
import math

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import privbo_core as pb
from privbo_core.data import Frame, FrameColumn, load_table
from privbo_core.privacy import Status
from tests.helpers.amounts import few

FRAME = Frame((FrameColumn("income", "EUR", 0, 200_000, 1_000), FrameColumn("weight", "kg", 30, 250, 1)))
N = 40


def table(**changed):
    """Return a table of text as programs write it: of one record, in line 3, what is changed."""
    rng = np.random.default_rng(0)
    columns = {
        "name": [f"person {i}" for i in range(N)],
        "income": [f"{value}" for value in rng.integers(20_000, 99_000, N)],
        "weight": [f"{value}" for value in rng.integers(50, 120, N)],
        "score": [f"1.{value:03d}" for value in rng.integers(0, 999, N)],
    }
    for name, cell in changed.items():
        columns[name][3] = cell
    return pd.DataFrame(columns)


def as_file(cells):
    text = io.StringIO()
    cells.to_csv(text, index=False, quoting=csv.QUOTE_ALL, lineterminator="\n")
    return text.getvalue().encode("utf-8", errors="replace")


@pytest.fixture
def quiet(monkeypatch):
    """Put the noise out: what is released is then what lies under it."""

    def exact(values, _):
        yield np.size(values), np.array(values, dtype=float)

    monkeypatch.setattr("privbo_core.privacy.release.gaussian", exact)


def placed(cells):
    return {line: row for line, row in enumerate(FRAME.place(cells)) if np.isfinite(row).all()}


def published(cells):
    made = pb.outsourced.publish(cells, FRAME, 1.0, 1e-5)
    assert made.left_out == len(cells) - len(made.Z)
    return dict(zip(placed(cells), made.Z, strict=True))


def others(contributions, changed=3):
    """Return what all records but one contribute, to the last digit, as texts, in which nothing equals nothing."""
    return {line: repr(row.tolist()) for line, row in contributions.items() if line != changed}


CELLS = st.text(max_size=12) | st.from_regex(r"-?[0-9]{1,3}([.,][0-9]{1,3}){0,2}( ?(kg|lb|€|%))?", fullmatch=True)
ATTACKS = {
    "a decimal point beside commas for thousands": {"income": "45,678.5"},
    "a decimal comma": {"income": "45.678,5"},
    "points for thousands": {"income": "1.045.678"},
    "pounds": {"weight": "70 lb"},
    "a missing code": {"income": "99,999"},
    "a sum": {"name": "Total", "income": "9,999,999"},
    "the names again": {"name": "name", "income": "income", "weight": "weight", "score": "score"},
    "an answer written otherwise": {"score": "1,5"},
    "another separator": {"name": "a;b;c;d\na;b;c;d\n"},
    "other letters": {"name": "ÄÖ\x80\x00"},
    "nothing": {"name": "", "income": "", "weight": "", "score": ""},
}


def without_noise(cells):
    """Return what `publish_noisy` releases of each record that was placed."""
    rows = placed(cells)
    made = pb.outsourced.publish_noisy(list(rows.values()), 1.0, 1e-5, bounds=FRAME.bounds)
    return dict(zip(rows, made.Z, strict=True))


def agents(**changed):
    """Return five agents' measurements: of agent 3, one is changed."""
    rng = np.random.default_rng(1)
    values = [f"{value:.2f}" for value in rng.normal(size=30)]
    values[20] = changed.get("value", values[20])
    doses = [str(dose) for dose in range(6)] * 5
    return pd.DataFrame({"agent": np.repeat(np.arange(5), 6), "dose": doses, "value": values})


def agreed(cells):
    """Return the objective that each agent works on."""
    model = pb.federated.PublicModel(1.0, 0.3, (2.0,))
    made = pb.federated.from_table(cells, "agent", ["dose"], "value", public=model)
    return dict(zip(map(int, made.agents), made.objectives, strict=True))


def parts(**changed):
    """Return scores in five parts, each a record's: of part 3, one is changed."""
    scores = np.random.default_rng(2).uniform(size=(4, 5)).round(3).astype(str)
    found = pd.DataFrame(scores, columns=[f"part {part}" for part in range(5)]).assign(C=range(4))
    found.loc[2, "part 3"] = changed.get("value", found.loc[2, "part 3"])
    return found


def scored(cells):
    """Return what each part adds to the scores of all settings."""
    made = pb.release.read_scores(cells, score_range=(0, 1), parameters=["C"])
    assert made.guarantee(1.0).status is Status.PROVED
    return dict(enumerate(made.bounded.T))


DOORS = {
    "frame": (table, placed),
    "publish": (table, published),
    "publish_noisy": (table, without_noise),
    "federated agents": (agents, agreed),
    "score tables": (parts, scored),
    "files of score tables": (parts, lambda cells: scored(as_file(cells))),
}
"""Every way by which a table enters a mechanism that says proved: an example of it, and what each record then adds."""


@pytest.mark.parametrize("last", [False, True])  # the last line may be taken for a sum
@pytest.mark.parametrize("door", [door for door, (make, _) in DOORS.items() if make is table])
def test_a_record_written_differently_moves_no_other(door, last, quiet):
    through = DOORS[door][1]
    order = np.roll(np.arange(N), N - 4) if last else np.arange(N)

    def ordered(**changed):
        return others(through(table(**changed).iloc[order].reset_index(drop=True)), N - 1 if last else 3)

    plain = ordered()
    assert len(plain) == N - 1
    for attack, changed in ATTACKS.items():
        assert ordered(**changed) == plain, attack


@pytest.mark.parametrize("door", DOORS)
def test_no_text_in_a_record_moves_another(door, quiet):
    make, through = DOORS[door]
    columns = ["name", "income", "weight", "score"] if make is table else ["value"]
    unchanged = others(through(make()))

    @settings(max_examples=few(10, 200), deadline=None)
    @given(st.dictionaries(st.sampled_from(columns), CELLS, min_size=1))
    def moves_no_other(changed):
        assert others(through(make(**changed))) == unchanged

    moves_no_other()


@pytest.mark.parametrize("written", ["1.045.678", "45.678,5"])
def test_a_cell_of_a_file_can_move_the_numbers_of_others(written):
    """The attack on `load_table` succeeds: how a file writes numbers is found by all of its cells together."""

    def amounts(**changed):
        cells = table(**changed).assign(income=lambda t: [t["income"][3], *(f"{n}.000" for n in range(1, N))])
        return FRAME.place(load_table(as_file(cells)))[1:]

    assert np.abs(amounts(income=written) - amounts(income="45678")).max() > 10


def test_a_record_that_becomes_incomplete_leaves():
    """With the whole record hidden, n and n − 1 rows come out: so the neighbours are two tables of complete records."""
    made = [
        pb.outsourced.publish(each, FRAME, 1.0, 1e-5, protected_distance=math.inf)
        for each in (table(), table(weight="?"))
    ]
    assert [(len(each.Z), each.left_out) for each in made] == [(N, 0), (N - 1, 1)]
