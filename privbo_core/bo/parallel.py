"""Compute independent runs on all cores of one machine, in order, with a way to stop at any time."""

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
CHECK_INTERVAL = 0.25
"""Seconds between two calls of ``meanwhile``. With thirty callers, a tenth of this interval slows all of them down."""
THREAD_NAME_PREFIX = "privbo"
BACKGROUND_NICENESS = 10
"""The niceness of threads with a lower priority. A thread that draws a page gets nine times their share."""
_pages_first = threading.Event()


class StoppedError(Exception):
    """Raised inside a task whose result is no longer needed."""


@cache
def one_thread_each() -> None:
    """Limit BLAS to one thread for each caller, in the whole process, from now on.

    NumPy releases the interpreter lock, so the threads of this pool, or the pages of several visitors, use all cores
    already. BLAS threads would only compete with them.
    """
    threadpool_limits(limits=1, user_api="blas")


@cache
def cores() -> int:
    """Return the number of cores of this machine."""
    return os.cpu_count() or 1


def prioritise_pages() -> None:
    """Lower the priority of this pool's threads, so that pages are drawn without waiting for simulations.

    Call it before the pool is used for the first time.
    """
    _pages_first.set()


def lower_priority() -> None:
    """Give the current thread a lower priority, where the system can do that for a single thread."""
    if sys.platform == "linux":
        with suppress(OSError):  # Some containers forbid it.
            os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), BACKGROUND_NICENESS)


def _start_thread() -> None:
    if _pages_first.is_set():
        lower_priority()


@cache
def _pool() -> ThreadPoolExecutor:
    one_thread_each()
    return ThreadPoolExecutor(max_workers=cores(), thread_name_prefix=THREAD_NAME_PREFIX, initializer=_start_thread)


def run_tasks(tasks: Sequence[Callable[[], Result]]) -> list[Result]:
    """Return the results of the tasks, in order, computed on all cores.

    A thread of the pool computes them one by one itself, so that it never waits for the pool that it is part of.
    """
    if len(tasks) == 1 or threading.current_thread().name.startswith(THREAD_NAME_PREFIX):
        return [task() for task in tasks]
    futures = [_pool().submit(task) for task in tasks[1:]]
    try:
        first = tasks[0]()  # The caller would otherwise be idle.
    finally:
        wait(futures)
    return [first, *(future.result() for future in futures)]


def in_order(
    task: Callable[[Item, threading.Event], Result], items: Iterable[Item], meanwhile: Callable[[], None] = lambda: None
) -> Generator[Result, None, None]:
    """Yield ``task(item, stop)`` for each item, in order, computed as by `batches`.

    While the next result is not there, ``meanwhile`` is called every `CHECK_INTERVAL` seconds. With many callers that
    share the pool, a result can take long. An exception that ``meanwhile`` raises ends the generator.
    """
    with closing(batches(task, items, CHECK_INTERVAL)) as stream:
        for results in stream:
            if not results:
                meanwhile()
            yield from results


def batches(
    task: Callable[[Item, threading.Event], Result], items: Iterable[Item], tick: float
) -> Generator[list[Result], None, None]:
    """Yield lists of ``task(item, stop)`` for the items in order, each with the results that are new.

    After ``tick`` seconds without a new result, the list is empty. The tasks run in a pool of one thread for each core.
    At most twice as many tasks as cores are submitted at a time, so that several callers share the pool fairly. Closing
    the generator sets ``stop``. A long task should check it from time to time and raise `StoppedError`.
    """
    stop = threading.Event()
    pending: deque[Future[Result]] = deque()
    source = iter(items)

    def submit_tasks() -> None:
        for item in islice(source, 2 * cores() - len(pending)):
            pending.append(_pool().submit(task, item, stop))

    try:
        submit_tasks()
        while pending:
            wait([pending[0]], timeout=tick)
            results = []
            while pending and pending[0].done():
                results.append(pending.popleft().result())
            submit_tasks()
            yield results
    finally:
        stop.set()
        for future in pending:
            future.cancel()
