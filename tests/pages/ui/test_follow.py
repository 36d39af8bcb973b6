"""Results are shown as they come in: the first that is ready, some in between, and the last in any case."""

import sys

import pytest

from pages import ui

follow_module = sys.modules["pages.ui.follow"]


@pytest.fixture
def clock(monkeypatch):
    """A clock that the test sets by hand."""

    class Clock:
        now = 0.0

        def perf_counter(self):
            return self.now

    clock = Clock()
    monkeypatch.setattr(follow_module, "time", clock)
    monkeypatch.setattr(follow_module, "REDRAW_INTERVAL", 0.25)
    return clock


def working(clock, count, seconds, closed=None):
    """Yield numbers, each after so many seconds of work."""
    try:
        for number in range(1, count + 1):
            clock.now += seconds
            yield number
    finally:
        if closed is not None:
            closed.append(True)


@pytest.mark.parametrize(
    ("count", "seconds", "ready", "drawn"),
    [
        (10, 0.01, 4, [4, 10]),  # the first that is ready, and the last
        (10, 0.01, 1, [1, 10]),
        (4, 0.01, 4, [4]),  # the first is the last
        (3, 0.01, 4, [3]),  # none is ready, and the last comes in any case
        (5, 0.1, 99, [3, 5]),  # what takes long isn't waited for
        (6, 1.0, 1, [1, 2, 3, 4, 5, 6]),
        (8, 0.125, 1, [1, 3, 5, 7, 8]),  # one in each interval
        (1, 9.0, 1, [1]),
        (0, 0.1, 1, []),
    ],
)
def test_first_ready_then_one_an_interval_then_the_last(clock, count, seconds, ready, drawn):
    found = ui.follow(working(clock, count, seconds), ready=lambda number: number >= ready)
    assert list(found) == drawn


def test_the_computation_is_closed_when_it_is_no_longer_followed(clock):
    closed = []
    found = ui.follow(working(clock, 10, 1.0, closed))
    assert next(found) == 1
    assert not closed
    found.close()
    assert closed == [True]


@pytest.mark.parametrize("stop_after", [1, 3])
def test_a_newer_setting_ends_and_closes_the_computation(clock, monkeypatch, stop_after):
    closed, looks = [], []

    def interrupt():
        looks.append(True)
        if len(looks) > stop_after:
            raise InterruptedError

    monkeypatch.setattr(follow_module, "interrupt", interrupt)
    with pytest.raises(InterruptedError):
        list(ui.follow(working(clock, 10, 0.01, closed)))
    assert closed == [True]
    assert len(looks) == stop_after + 1  # it is looked for at each result


def test_a_failing_computation_is_closed(clock):
    closed = []

    def failing():
        try:
            yield 1
            raise ArithmeticError
        finally:
            closed.append(True)

    with pytest.raises(ArithmeticError):
        list(ui.follow(failing()))
    assert closed == [True]
