"""No file makes more work than its size pays for, whoever reads it, and none that nobody waits for."""

import gzip
import sys
from unittest.mock import patch

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from privbo_core import budget
from tests.helpers.amounts import few
from tests.helpers.heavy_files import HEAVY, READERS, measured, outcome

SMALL = {"UNPACKED": 50_000, "ITEMS": 2_000}
"""What is granted beyond a file's size is less here, so that small files show what large ones would cost."""
SIZE, CALLS, COLUMNS = 10_000, 40, 5_000_000
"""Calls of functions for each byte of a file; and for the columns of a table, which has a thousand at most."""


def spent(kind, data):
    """Return the budget after a file was read, how it ended, and how many functions were called meanwhile."""
    calls = 0

    def count(frame, event, argument):
        nonlocal calls
        calls += 1

    with patch.multiple(budget, **SMALL), budget.reading("The file", len(data)) as granted:
        sys.setprofile(count)
        try:
            said = outcome(kind, data)
        finally:
            sys.setprofile(None)
    return granted, said, calls


def within(kind, data):
    """Assert that a file ends in a result or a sentence, after no more work than its size pays for."""
    granted, said, calls = spent(kind, data)
    assert said == "read" or (20 < len(said) < 600 and said.endswith((".", "kept.")))
    assert granted.unpacked <= granted.most_unpacked + budget.BLOCK_SIZE
    assert granted.items <= granted.most_items + len(data) + granted.unpacked
    assert calls <= CALLS * (len(data) + granted.most_items) + COLUMNS * (kind == "table")


@pytest.mark.parametrize("kind", READERS)
def test_the_heaviest_files_are_paid_for(kind):
    for data in HEAVY[kind](SIZE).values():
        within(kind, data)


PIECES = st.one_of(
    st.text(alphabet="ab019.,;-+ \t\n\r\"'%[]{}:\\\\u", min_size=1, max_size=12),
    st.sampled_from(['{"":0},', "[],", "[", '{"', "5 %,", "x\n", "a,b\n", '\\"', "row\n", "1 ", "\0", '"a":1,']),
)
WRAPPED = {
    "plain": lambda text: text,
    "packed": lambda text: gzip.compress(text, 1, mtime=0),
    "packed twice": lambda text: gzip.compress(gzip.compress(text, 1, mtime=0), 1, mtime=0),
}


@given(
    st.sampled_from(list(READERS)), st.sampled_from(list(WRAPPED)), st.tuples(PIECES, PIECES, PIECES), st.integers(0, 4)
)
@settings(max_examples=few(60, 3000), deadline=None, derandomize=True)
def test_whatever_is_repeated_in_a_file_is_paid_for(kind, wrapped, pieces, times):
    head, piece, tail = (each.encode("utf-8", "replace") for each in pieces)
    within(kind, WRAPPED[wrapped](head + piece * 8**times + tail))


class Gone(BaseException):
    """Nobody waits any more; no reader may take it for a fault of the file."""


@pytest.mark.parametrize("kind", ["table"])
def test_a_file_that_nobody_waits_for_is_not_read_on(kind):
    """It is looked all the way: whoever leaves at the very last look saves no more than what comes after it."""
    looks, last = 0, None

    def stop():
        nonlocal looks
        looks += 1
        if looks == last:
            raise Gone

    def read(data, until=None):
        nonlocal looks, last
        looks, last = 0, until
        outcome(kind, data)
        return looks

    with patch.object(budget, "CHECK_INTERVAL", -1.0), budget.waiting(stop):
        most, data = max((read(data), data) for data in [*HEAVY[kind](SIZE).values()][:: 4 if kind == "table" else 1])
        assert most >= 12
        for until in (1, most // 2, most):
            with pytest.raises(Gone):
                read(data, until)


def test_what_is_too_much_packed_is_read_unpacked():
    text = b"a,b\n" + b"1,2\n" * 10_000
    packed = gzip.compress(text, 9, mtime=0)
    with patch.multiple(budget, **SMALL):
        assert outcome("table", text) == "read"
        assert "more than 2,0" in outcome("table", packed)
        assert "unpacks to more than 0 MB" in outcome("table", gzip.compress(text * 2, 9, mtime=0))
    assert outcome("table", packed) == "read"


def test_what_takes_too_long_is_a_sentence():
    with patch.multiple(budget, CHECK_INTERVAL=-1.0, SECONDS=-1.0, SECONDS_PER_BYTE=0.0):
        assert "takes too long to read" in outcome("table", b"a,b\n" + b"1,2\n" * 99)


@pytest.mark.long
@pytest.mark.skipif(sys.platform != "linux", reason="only Linux says how much address space a process has")
@pytest.mark.parametrize("kind", READERS)
def test_no_file_of_a_megabyte_takes_much_memory_or_time(kind):
    outcome("table", b"a,b\n1,2\n3,4\n")  # what is loaded once
    worst = {name: measured(kind, data) for name, data in HEAVY[kind](1_000_000).items()}
    assert all(said for *_, said in worst.values()), worst
    assert {name: megabytes for name, (_, megabytes, _) in worst.items() if megabytes > 200} == {}
