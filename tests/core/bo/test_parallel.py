"""The pool of threads: order, stopping, and priorities below those of the threads that draw pages."""

import os
import subprocess
import sys
import threading

import pytest

from privbo_core.bo.parallel import BACKGROUND_NICENESS, StoppedError, in_order, lower_priority, run_tasks


def test_results_keep_their_order():
    assert list(in_order(lambda item, stop: item**2, range(20))) == [item**2 for item in range(20)]
    assert run_tasks([lambda item=item: item**2 for item in range(20)]) == [item**2 for item in range(20)]


def test_a_task_of_the_pool_can_run_tasks_of_its_own():
    """It computes them itself. If it waited for the pool, a full pool would wait for itself."""
    nested = in_order(lambda item, stop: run_tasks([lambda: item, threading.current_thread]), range(20))
    assert [first for first, _ in nested] == list(range(20))


def test_closing_stops_the_tasks_and_starts_no_others():
    started, stopped = [], threading.Event()

    def endless(item, stop):
        started.append(item)
        if item == 0:
            return 0
        if not stop.wait(60):
            raise AssertionError("The event was not set.")
        stopped.set()
        raise StoppedError

    results = in_order(endless, range(1000))
    assert next(results) == 0
    results.close()
    assert stopped.wait(60)
    assert len(started) < 20


def test_an_exception_while_waiting_ends_the_run():
    def leave():
        raise InterruptedError

    ended = threading.Event()
    results = in_order(lambda item, stop: stop.wait(60) and ended.set(), range(3), leave)
    with pytest.raises(InterruptedError):
        next(results)
    assert ended.wait(60)


PRIORITIES = """
import os, threading
from privbo_core.bo import parallel
{before}
def own(item, stop):
    return os.getpriority(os.PRIO_PROCESS, threading.get_native_id())
print(sorted(set(parallel.in_order(own, range(8)))), os.getpriority(os.PRIO_PROCESS, threading.get_native_id()))
"""
on_linux = pytest.mark.skipif(sys.platform != "linux", reason="only Linux has priorities of single threads")


def niceness() -> int:
    return os.getpriority(os.PRIO_PROCESS, threading.get_native_id())


@on_linux
def test_a_thread_lowers_only_its_own_priority():
    before, seen = niceness(), []
    thread = threading.Thread(target=lambda: (lower_priority(), seen.append(niceness())))
    thread.start()
    thread.join()
    assert (seen, niceness()) == ([BACKGROUND_NICENESS], before)


@on_linux
@pytest.mark.parametrize(("before", "computing"), [("", 0), ("parallel.prioritise_pages()", BACKGROUND_NICENESS)])
def test_simulations_have_a_lower_priority_only_beside_pages(before, computing):
    """A study from the command line keeps the priority that it was started with."""
    own = niceness()
    done = subprocess.run(
        [sys.executable, "-c", PRIORITIES.format(before=before)], capture_output=True, check=True, text=True
    )
    assert done.stdout.strip() == f"[{computing or own}] {own}"


def test_a_system_that_forbids_priorities_stops_nothing(monkeypatch):
    def forbidden(*_):
        raise PermissionError

    monkeypatch.setattr(os, "setpriority", forbidden)
    lower_priority()
