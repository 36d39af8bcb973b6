"""Many independent runs on the cores of one machine, in order, stoppable at any time."""

import os
import sys
import threading
from collections import deque
from collections.abc import Callable, Generator, Iterable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor, wait
from contextlib import closing, suppress
from functools import cache
from itertools import islice
from typing import TypeVar

from threadpoolctl import threadpool_limits

Item = TypeVar("Item")
Result = TypeVar("Result")
GLANCE = 0.25
"""Seconds between two calls of ``meanwhile``. With thirty callers, glances ten times as often slow all of them down."""


THREADS = "privbo"


BEHIND = 10
"""By how much threads that step back are nicer than others: one that draws a page gets nine times their share."""
_pages_first = threading.Event()


class StoppedError(Exception):
    """Raised inside a task whose result nobody waits for any more."""


@cache
def one_thread_each() -> None:
    """Keep linear algebra to the thread that asks for it, in the whole process, from now on.

    NumPy releases the interpreter lock, so this pool's threads, or several visitors' pages, use all cores by
    themselves; a BLAS that spawns threads of its own gets in their way.
    """
    threadpool_limits(limits=1, user_api="blas")


@cache
def cores() -> int:
    """How many cores this machine has."""
    return os.cpu_count() or 1


def prioritise_pages() -> None:
    """Let this pool's threads step back behind all others, from now on: what draws pages does not wait for simulations.

    To be called before the pool is used for the first time.
    """
    _pages_first.set()


def step_back() -> None:
    """Give this thread a lower priority than the others, where the system can do that for a single thread."""
    if sys.platform == "linux":
        with suppress(OSError):  # where a container forbids it
            os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), BEHIND)


def _begin() -> None:
    if _pages_first.is_set():
        step_back()


@cache
def _pool() -> ThreadPoolExecutor:
    one_thread_each()
    return ThreadPoolExecutor(max_workers=cores(), thread_name_prefix=THREADS, initializer=_begin)


def abreast(tasks: Sequence[Callable[[], Result]]) -> list[Result]:
    """Return what the tasks return, in order, computed on all cores: a thread of the pool does them one by one."""
    if len(tasks) == 1 or threading.current_thread().name.startswith(THREADS):
        return [task() for task in tasks]
    futures = [_pool().submit(task) for task in tasks[1:]]
    try:
        first = tasks[0]()  # by the caller, who would only wait
    finally:
        wait(futures)
    return [first, *(future.result() for future in futures)]


def in_order(
    task: Callable[[Item, threading.Event], Result], items: Iterable[Item], meanwhile: Callable[[], None] = lambda: None
) -> Generator[Result, None, None]:
    """Yield ``task(item, stop)`` for each item, one after the other, as `batches` does.

    ``meanwhile`` is called every `GLANCE` seconds while a result is waited for, which takes long when many callers
    share the pool; what it raises ends the generator.
    """
    with closing(batches(task, items, GLANCE)) as found:
        for results in found:
            if not results:
                meanwhile()
            yield from results


def batches(
    task: Callable[[Item, threading.Event], Result], items: Iterable[Item], tick: float
) -> Generator[list[Result], None, None]:
    """Yield ``task(item, stop)`` for each item, in order: what is newly there, and nothing after ``tick`` seconds.

    Computed by a pool of one thread per core. Only twice as many tasks as cores are handed in at a time, so that
    several callers share the pool fairly. Closing the generator sets ``stop``; a long task should look at it now and
    then (`StoppedError`).
    """
    stop = threading.Event()
    pending: deque[Future[Result]] = deque()
    source = iter(items)

    def hand_in() -> None:
        for item in islice(source, 2 * cores() - len(pending)):
            pending.append(_pool().submit(task, item, stop))

    try:
        hand_in()
        while pending:
            wait([pending[0]], timeout=tick)
            there = []
            while pending and pending[0].done():
                there.append(pending.popleft().result())
            hand_in()
            yield there
    finally:
        stop.set()
        for future in pending:
            future.cancel()
