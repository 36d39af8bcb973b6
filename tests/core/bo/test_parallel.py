"""Threads that compute step back behind those that draw pages."""

import os
import subprocess
import sys
import threading

import pytest

from privbo_core.bo.parallel import BEHIND, step_back

PRIORITIES = """
import os, threading
from privbo_core.bo import parallel
{before}
def own(item, stop):
    return os.getpriority(os.PRIO_PROCESS, threading.get_native_id())
print(sorted(set(parallel.in_order(own, range(8)))), os.getpriority(os.PRIO_PROCESS, threading.get_native_id()))
"""
on_linux = pytest.mark.skipif(sys.platform != "linux", reason="only there a single thread has a priority of its own")


def niceness() -> int:
    return os.getpriority(os.PRIO_PROCESS, threading.get_native_id())


@on_linux
def test_a_thread_steps_back_by_itself():
    before, seen = niceness(), []
    thread = threading.Thread(target=lambda: (step_back(), seen.append(niceness())))
    thread.start()
    thread.join()
    assert (seen, niceness()) == ([BEHIND], before)


@on_linux
@pytest.mark.parametrize(("before", "computing"), [("", 0), ("parallel.prioritise_pages()", BEHIND)])
def test_simulations_step_back_where_there_are_pages_and_there_only(before, computing):
    """A study from the command line has the machine to itself, as far as it is concerned."""
    own = niceness()
    said = subprocess.run(
        [sys.executable, "-c", PRIORITIES.format(before=before)], capture_output=True, check=True, text=True
    )
    assert said.stdout.strip() == f"[{computing or own}] {own}"


def test_a_system_that_forbids_it_stops_nothing(monkeypatch):
    def forbidden(*_):
        raise PermissionError

    monkeypatch.setattr(os, "setpriority", forbidden)
    step_back()
