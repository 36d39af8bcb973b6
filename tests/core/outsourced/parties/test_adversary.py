"""What somebody might try on a holder: rounding, links, copies, rows asked in other ways, terms that do not fit."""

import math
import os
from dataclasses import replace
from decimal import Decimal
from fractions import Fraction

import numpy as np
import pandas as pd
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from privbo_core import files
from privbo_core.data import Frame, FrameColumn
from privbo_core.data.frame import SMALLEST
from privbo_core.errors import DataError
from privbo_core.outsourced import FileStore, Ledger, MemoryStore
from privbo_core.outsourced.answers import Private
from privbo_core.outsourced.parties import curator as holders
from privbo_core.outsourced.parties import ledger as ledgers
from privbo_core.outsourced.parties.terms import ReleaseTerms, answers_guarantee
from privbo_core.privacy import Status
from tests.helpers.holding import FRAME, OUTCOME, PRIVATE, held, in_file, people, released, sentence


def terms(*columns, distance=1.0):
    frame = Frame(tuple(FrameColumn(f"c{j}", "", low, high, hide) for j, (low, high, hide) in enumerate(columns)))
    return ReleaseTerms(frame, 1.0, 1e-5, distance, 1, "2026-01-01T00:00:00+00:00")


def test_in_a_usual_frame_rounding_costs_nothing_that_shows():
    assert terms((50.0, 110.0, 4.0), (140.0, 210.0, 5.0)).mechanism.sensitivity == pytest.approx(1, abs=1e-13)
    whole = terms((50.0, 110.0, 4.0), distance=math.inf)
    assert 15 <= whole.mechanism.sensitivity < 15 + 1e-12


@settings(deadline=None, derandomize=True)
@given(st.floats(-1e9, 1e9), st.floats(-1e9, 1e9))
@example(0.1, 1e9)
@example(-1e-17, 1.0)
def test_the_range_of_answers_is_never_rounded_down(a, b):
    low, high = min(a, b), max(a, b)
    if high - low >= SMALLEST:
        private = Private(low, high, 10 * (high - low), 1.0, 1e-5)
        assert Fraction(private.sensitivity) >= Fraction(high) - Fraction(low)
        assert private.sensitivity <= math.nextafter(high - low, math.inf)


def test_a_link_and_its_file_are_one_ledger(tmp_path):
    """A link is not replaced by a file of its own, of which those who use the other name would know nothing."""
    real, link = tmp_path / "vault" / "ledger.json", tmp_path / "ledger.json"
    real.parent.mkdir()
    link.symlink_to(real)
    released(in_file(link), private=PRIVATE)
    assert link.is_symlink()
    value = in_file(link).answer(3).value
    assert in_file(real).answer(3).value == value
    assert "was released before" in sentence(lambda: released(in_file(real)))
    store = FileStore(link)
    with store.alone(), pytest.raises(DataError, match="in use"), FileStore(real).alone():
        pass
    link.unlink()
    link.symlink_to(link)
    assert "The ledger" in sentence(FileStore(link).read)


def test_a_store_is_where_it_was_when_it_was_made(tmp_path, monkeypatch):
    (tmp_path / "a").mkdir()
    monkeypatch.chdir(tmp_path / "a")
    curator = in_file("ledger.json")
    released(curator)
    monkeypatch.chdir(tmp_path)
    assert "was released before" in sentence(lambda: released(curator))


def test_a_ledger_that_others_could_read_is_shut_by_the_next_entry(tmp_path):
    path = tmp_path / "ledger.json"
    released(in_file(path))
    path.chmod(0o644)
    old = os.umask(0)
    try:
        in_file(path).answer(1)
    finally:
        os.umask(old)
    assert path.stat().st_mode & 0o777 == 0o600
    assert (tmp_path / ".ledger.json.lock").stat().st_mode & 0o077 == 0


def test_what_a_killed_one_left_is_removed_and_nothing_else(tmp_path):
    path = tmp_path / "led[g]er.json"
    for name in (".led[g]er.json.abc.part", ".ledger.json.abc.part", "led[g]er.json.part", ".led[g]er.json.lock"):
        (tmp_path / name).write_bytes(b"")
    released(in_file(path))
    assert sorted(os.listdir(tmp_path)) == [
        ".led[g]er.json.lock", ".ledger.json.abc.part", "led[g]er.json", "led[g]er.json.part",
    ]  # fmt: skip


def test_a_finished_release_waits_for_whoever_holds_the_ledger(monkeypatch):
    """It has cost already; a moment's answer elsewhere must not make it be lost."""
    store = MemoryStore()
    steps = held(store=store).release(FRAME, 1.0, 1e-5, outcome=OUTCOME)
    other, waited = store.alone(), []
    other.__enter__()

    def sleep(seconds):
        waited.append(seconds)
        if len(waited) == 3:
            other.__exit__(None, None, None)

    monkeypatch.setattr(holders.time, "sleep", sleep)
    *_, last = steps
    assert last.package.release == 1
    assert len(waited) == 3


def test_a_release_does_not_wait_for_ever(monkeypatch):
    store, clock = MemoryStore(), iter(range(0, 10_000, 10))
    steps = held(store=store).release(FRAME, 1.0, 1e-5, outcome=OUTCOME)
    monkeypatch.setattr(holders.time, "sleep", lambda seconds: None)
    monkeypatch.setattr(holders.time, "monotonic", lambda: next(clock))
    with store.alone():
        assert "in use already" in sentence(list, steps)
    assert held(store=store).ledger.cost().inputs == pytest.approx(1.0)  # it counts


def test_a_ledger_too_large_to_be_read_is_not_written(tmp_path, monkeypatch):
    path = tmp_path / "ledger.json"
    released(in_file(path), private=PRIVATE)
    before = path.read_bytes()
    monkeypatch.setattr(ledgers, "MOST_BYTES", len(before) + 100)
    assert "cannot be released again" in sentence(lambda: released(in_file(path), again=True))
    sentence(in_file(path).answer, 1)
    assert path.read_bytes() == before


def test_the_cost_of_a_record_that_there_is_not_is_not_nothing():
    curator = held()
    released(curator)
    for record in (12, -1, 1.5, True):
        assert "record is" in sentence(curator.ledger.cost, record)
    assert curator.ledger.cost(11).inputs == pytest.approx(1.0)


@pytest.mark.parametrize("cell", [10**400, "nan", None, pd.NaT, 1e200, complex(1, 2), [1], Decimal("NaN"), "about 12"])
def test_a_cell_that_is_no_outcome_is_one_sentence_and_no_answer(cell):
    table = people()
    table["glucose"] = pd.Series([cell] * 12, dtype=object)
    for private in (None, PRIVATE):
        curator = held(table)
        released(curator, private=private)
        sentence(curator.answer, 3)
        assert not curator.ledger.answers


@given(st.one_of(st.floats(), st.integers(), st.text(), st.none(), st.binary(), st.booleans()))
@example(math.nan)
@example(-math.inf)
@example(10**400)
@example(1e100)
@settings(deadline=None, derandomize=True, max_examples=60)
def test_whatever_is_given_as_an_outcome_what_goes_out_is_a_number_in_reach(outcome):
    """Of an outcome far out no more is told than of one at the edge of the range."""
    curator = held(people().assign(glucose=np.nan))
    released(curator, private=PRIVATE)
    try:
        answer = curator.answer(3, outcome)
    except DataError:
        assert not curator.ledger.answers
        return
    assert PRIVATE.low - 12 * PRIVATE.sigma < answer.value < PRIVATE.high + 12 * PRIVATE.sigma
    assert answer.clipped is not (PRIVATE.low <= outcome <= PRIVATE.high)


def test_what_is_promised_says_that_it_takes_the_ledger():
    from_nowhere = replace(PRIVATE, known_from=" ")
    for private, status in ((PRIVATE, Status.PROVED), (from_nowhere, Status.CONDITIONAL)):
        guarantee = answers_guarantee(private, OUTCOME)
        assert guarantee.status is status
        assert any("an older copy" in condition for condition in guarantee.in_full)


def test_a_total_that_need_not_hold_is_not_told_without_saying_so(tmp_path):
    path = tmp_path / "ledger.json"
    read_off = Frame((replace(FRAME.columns[0], known_from=""), FRAME.columns[1]))
    curator = in_file(path)
    released(curator, private=replace(PRIVATE, known_from=" "))
    assert curator.ledger.unsaid == ("glucose",)
    curator.release_whole(read_off, 1.0, 1e-5, again=True, accept_read_off=True)
    assert curator.ledger.unsaid == ("age", "glucose")
    sure = held()
    released(sure, private=PRIVATE)
    assert sure.ledger.unsaid == Ledger().unsaid == ()
    assert held().ledger.unsaid == ()


leaves = st.one_of(
    st.none(), st.booleans(), st.integers(-5, 20), st.floats(-1e3, 1e3), st.text(max_size=5), st.just([])
)


@pytest.fixture(scope="module")
def written():
    store = MemoryStore()
    released(held(store=store), private=PRIVATE)
    held(store=store).answer(2)
    return store.data


@given(data=st.data(), to=leaves)
@settings(deadline=None, derandomize=True, max_examples=200)
def test_a_ledger_with_anything_in_the_place_of_anything_is_one_sentence_or_means_what_it_says(written, data, to):
    """Sealed anew, so that the digest does not tell: what is read can be written, read again and reckoned with."""
    said = files.parse_json(written.decode(), "x", "y")
    del said["digest"]
    paths = list(_paths(said))
    *way, last = data.draw(st.sampled_from(paths))
    place = said
    for key in way:
        place = place[key]
    place[last] = to
    sealed = files.json_bytes({**said, "digest": files.digest(files.json_bytes(said))})
    try:
        found = Ledger.from_bytes(sealed)
    except DataError:
        assert sentence(Ledger.from_bytes, sealed)
        return
    assert Ledger.from_bytes(found.to_bytes()).to_bytes() == found.to_bytes()
    assert not found.releases or found.cost().both > 0


def _paths(value, *before):
    for key in value if isinstance(value, dict) else range(len(value)):
        yield (*before, key)
        if isinstance(value[key], dict | list):
            yield from _paths(value[key], *before, key)
