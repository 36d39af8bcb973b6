"""A ledger knows its people: in whatever order a table comes back, with ties, and whatever program wrote it."""

import io
import os

import numpy as np
import pandas as pd
import pytest

from privbo_core.data import load_cells
from privbo_core.errors import DataError
from privbo_core.outsourced import Curator, FileStore, Ledger, MemoryStore
from privbo_core.outsourced.parties.people import People
from tests.helpers.amounts import few
from tests.helpers.holding import FRAME, OUTCOME, PRIVATE, held, in_file, people, released, sentence

PLAIN = {"age": 61.0, "height": 170.0}
"""Inputs that all have, so that nothing but the other columns tells records apart."""


def tied(n=12):
    """Return a table of n people with equal inputs: 0, 1 and 2 are told apart by nothing, and neither are 3 and 4."""
    table = people(n).assign(**PLAIN)
    table.loc[[1, 2], "name"] = table["name"][0]
    table.loc[4, "name"] = table["name"][3]
    return table


def classes(n=12):
    """Return of each person in that table who it may be."""
    return [{0, 1, 2} if who < 3 else {3, 4} if who < 5 else {who} for who in range(n)]


STRANGERS = {
    "a name": lambda now, one, other: {"name": "somebody else"},
    "a name of another": lambda now, one, other: {"name": now["name"][other]},
    "an input": lambda now, one, other: {"height": 171.0},
    "a line of another": lambda now, one, other: now.loc[other].to_dict(),
}
"""What one line, of somebody who is told from all others, is changed to: then the people are others."""


def written(table):
    """Return a table as it comes back from a file."""
    return load_cells(table.to_csv(index=False).encode())


def asked(curator, row, release):
    """Return what is told of a row; None if that would be a second answer to somebody."""
    try:
        return curator.answer(row, release=release).value
    except DataError as refusal:
        if "nobody is answered twice" not in str(refusal):
            raise
        return None


def test_nobody_is_named_for_another_nor_answered_twice_in_two_hundred_orders():
    rng, table, store = np.random.default_rng(1), tied(), MemoryStore()
    released(Curator(written(table), store), private=PRIVATE)
    orders, told, drawn, times = [store.read().released().order], {}, set(), few(40, 200)
    for time in range(times):
        line = rng.permutation(12)  # line[i]: who is in line i now
        now = table.iloc[line].assign(glucose=rng.uniform(70, 190, 12).round(1)).reset_index(drop=True)
        curator = Curator(written(now), store)
        if time == times // 3:  # the same people once more, in this order
            released(curator, private=PRIVATE, again=True)
            orders.append(line[curator.ledger.released(2).order])
        which, row = int(rng.integers(len(orders))) + 1, int(rng.integers(1, 13))
        before, (one, other) = store.data, rng.permutation([place for place in range(12) if line[place] > 4])[:2]
        strange = now.copy()
        for name, cell in STRANGERS[rng.choice([*STRANGERS])](now, one, other).items():
            strange.loc[one, name] = cell
        strange = Curator(written(strange), store)
        for act in (strange.find, strange.answer):
            assert "only outcomes may change" in sentence(lambda: act(row, release=which))  # noqa: B023
        assert store.data == before
        truly, found = int(orders[which - 1][row - 1]), curator.find(row, release=which)
        assert {int(line[record]) for record in found.records} == classes()[truly]
        assert found.cells["name"] == table["name"][truly]
        if len(found.records) > 1:
            assert "nothing but the outcome tells which" in sentence(lambda: found.record)  # noqa: B023
            assert "glucose" not in found.cells
        value = asked(curator, row, which)
        assert told.setdefault((which, row), value) == value
        of_class = {told[key] for key in told if orders[key[0] - 1][key[1] - 1] in classes()[truly]} - {None}
        assert len(of_class) == 1
        drawn |= of_class
    assert len(store.read().answers) == len(drawn) <= 9
    assert len(drawn) == 9 or times < 200
    assert curator.ledger.cost().outcome == pytest.approx(PRIVATE.epsilon)


def test_a_person_who_may_be_another_has_lost_what_either_has():
    curator = held(tied())
    package = released(curator, private=PRIVATE)
    row = next(row for row in range(1, package.rows + 1) if curator.find(row).records == (0, 1, 2))
    curator.answer(row)
    costs = [curator.ledger.cost(record).outcome for record in range(12)]
    assert costs == pytest.approx([PRIVATE.epsilon] * 3 + [0] * 9)


def test_where_all_are_alike_one_is_answered_and_nobody_named():
    curator = held(people().assign(name="x", **PLAIN))
    released(curator, private=PRIVATE)
    assert curator.find(5).records == tuple(range(12))
    assert curator.find(5).lines == "1, 2, 3, 4, 5 or one of 7 more"
    curator.answer(5)
    for row in (1, 2, 12):
        assert "nobody is answered twice" in sentence(curator.answer, row)
    exact = held(people().assign(name="x", **PLAIN))
    released(exact)
    assert len({exact.answer(row).value for row in range(1, 13)}) == 12


def test_a_second_release_of_a_table_in_another_order_is_of_the_same_people():
    table, store = people(), MemoryStore()
    released(Curator(table, store), private=PRIVATE)
    first = {store.read().released().order[row - 1]: Curator(table, store).answer(row).value for row in (1, 2, 3)}
    turned = table.iloc[::-1].reset_index(drop=True)
    steps = Curator(turned, store).release(FRAME, 1.0, 1e-5, again=True)
    Curator(table, store).answer(4, release=1)  # meanwhile, by whoever has it as it was
    *_, last = steps
    for curator, numbered in ((Curator(turned, store), lambda record: 11 - record), (Curator(table, store), int)):
        ledger = curator.ledger
        for who, value in first.items():
            row = ledger.released(2).order.tolist().index(numbered(who)) + 1
            assert curator.find(row, release=2).cells["name"] == table["name"][who]
            answer = curator.answer(row, 70.0, release=2)
            assert (answer.value, answer.repeated, answer.record) == (value, True, numbered(who))
    assert last.package.rows == 12


CSV = "nr,name,age,height,note,glucose\n" + "".join(
    f"{i},{name},{age},{height},{note},{glucose}\n"
    for i, name, age, height, note, glucose in [
        (101, "Ann", 61, 170.5, "a b", 100), (102, "Bea", 61, 170.5, "", 120), (103, "Änne", 70, 171.25, "7", 90),
        (104, "Cy", 61, 170, "x,5", 95),
    ]
).replace("x,5", '"x,5"')  # fmt: skip


def lines(change):
    """Return a change of the lines below the header."""

    def changed(text):
        header, *rest = text.splitlines(keepends=True)
        return header + "".join(change(rest))

    return changed


def read(text):
    return pd.read_csv(io.StringIO(text), dtype=str, keep_default_na=False)


SAME = {
    "in another order": lines(lambda rest: rest[::-1]),
    "with other ends of lines": lambda text: text.replace("\n", "\r\n"),
    "with blanks": lambda text: text.replace(",Ann,", ", Ann ,"),
    "with more digits": lambda text: text.replace(",61,", ",61.0,").replace("170.5", "170.50"),
    "quoted": lambda text: text.replace("Bea", '"Bea"'),
    "with another word for nothing": lambda text: text.replace("170.5,,", "170.5,NA,"),
    "with a column more": lambda text: text.replace("\n", ",1\n").replace("glucose,1", "glucose,new"),
    "with columns in another order": lambda text: read(text).iloc[:, ::-1].to_csv(index=False),
    "with an outcome corrected": lambda text: text.replace(",120", ",199"),
    "without outcomes": lambda text: read(text).drop(columns="glucose").to_csv(index=False),
}  # fmt: skip
OTHER = {
    "a column less": (lambda text: text.replace(",note", ",other"), "no column 'note'"),
    "a line twice": (lines(lambda rest: [*rest, rest[1]]), "has 5 records and the ledger is for one of 4"),
    "a line for another": (lines(lambda rest: [*rest[:3], rest[1]]), "the first in data row 4"),
    "a line less": (lines(lambda rest: rest[1:]), "has 3 records"),
    "a name": (lambda text: text.replace("Bea", "Bee"), "the first in data row 2"),
    "letters": (lambda text: text.replace("Bea", "bea"), "the first in data row 2"),
    "inside a cell": (lambda text: text.replace("a b", "a  b"), "the first in data row 1"),
    "an input": (lambda text: text.replace("171.25", "171.26"), "the first in data row 3"),
    "an empty cell": (lambda text: text.replace("102,Bea,61,170.5,,", "102,Bea,61,170.5,z,"), "data row 2"),
    "two exchanged names": (lambda text: text.replace("Ann", "?").replace("Cy", "Ann").replace("?", "Cy"), "2 of the"),
}  # fmt: skip


@pytest.mark.parametrize("how", SAME)
def test_the_same_people_are_known_again(how):
    table, store = load_cells(CSV.encode()), MemoryStore()
    released(Curator(table, store), private=PRIVATE)
    names = {row: Curator(table, store).find(row).cells["name"] for row in range(1, 5)}
    told = {row: Curator(table, store).answer(row).value for row in (1, 2)}
    changed = SAME[how](CSV)
    assert changed != CSV
    again = Curator(load_cells(changed.encode()), store)
    assert {row: again.find(row).cells["name"].strip() for row in names} == names
    assert {row: again.answer(row, 60.0).value for row in told} == told
    assert not again.answer(3, 60.0).repeated


@pytest.mark.parametrize("how", OTHER)
def test_anybody_else_is_refused(how):
    store = MemoryStore()
    released(Curator(load_cells(CSV.encode()), store), private=PRIVATE)
    before, (change, words) = store.data, OTHER[how]
    assert change(CSV) != CSV
    curator = Curator(load_cells(change(CSV).encode()), store)
    for act in (lambda: curator.find(1), lambda: curator.answer(1, 60.0), lambda: released(curator, again=True),
                lambda: curator.correct(1, 2.0), lambda: curator.ledger):  # fmt: skip
        assert words in sentence(act)
    assert store.data == before


def test_a_table_that_is_changed_in_place_is_looked_at_again():
    table, store = people(), MemoryStore()
    curator = Curator(table, store)
    released(curator)
    name = curator.find(3).cells["name"]
    table.iloc[list(range(12))] = table.iloc[::-1].to_numpy()
    assert curator.find(3).cells["name"] == name
    table.iloc[0, 0] = "x"
    assert "only outcomes may change" in sentence(curator.find, 3)


def test_a_digest_tells_nothing_without_the_ledger_s_secret():
    table = people()
    one, other = (People.of(table, OUTCOME.name) for _ in range(2))
    assert one.secret != other.secret
    assert set(one.digests).isdisjoint(other.digests)
    assert one.lines(one.in_table(table)).tolist() == list(range(12))
    assert one.columns == ("age", "height", "name")


def test_a_ledger_under_two_names_is_refused_under_both(tmp_path):
    path, second = tmp_path / "ledger.json", tmp_path / "vault.json"
    released(in_file(path), private=PRIVATE)
    answer = in_file(path).answer(1)
    os.link(path, second)
    before = path.read_bytes()
    for name in (path, second):
        curator = in_file(name)
        for act in (lambda: curator.answer(2), lambda: curator.find(1), lambda: released(curator, again=True)):  # noqa: B023
            assert "two ledgers" in sentence(act)
        assert "two ledgers" in sentence(FileStore(name).read)
    assert path.read_bytes() == before
    second.unlink()
    assert in_file(path).answer(1).value == answer.value
    assert isinstance(FileStore(path).read(), Ledger)
