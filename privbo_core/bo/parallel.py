"""Many independent runs on the cores of one machine, in order, stoppable at any time."""

import os
import threading
from collections import deque
from collections.abc import Callable, Generator, Iterable
from concurrent.futures import Future, ThreadPoolExecutor
from functools import cache
from typing import TypeVar

from threadpoolctl import threadpool_limits

Item = TypeVar("Item")
Result = TypeVar("Result")


class StoppedError(Exception):
    """Raised inside a task whose result nobody waits for any more."""


@cache
def _pool() -> ThreadPoolExecutor:
    # NumPy releases the interpreter lock, so these threads use all cores; a BLAS that spawns its own gets in the way.
    threadpool_limits(limits=1, user_api="blas")
    return ThreadPoolExecutor(max_workers=os.cpu_count() or 1, thread_name_prefix="privbo")


def in_order(task: Callable[[Item, threading.Event], Result], items: Iterable[Item]) -> Generator[Result, None, None]:
    """Yield ``task(item, stop)`` for each item, in order, computed by a pool of one thread per core.

    Only twice as many tasks as cores are handed in at a time, so that several callers share the pool fairly. Closing
    the generator sets ``stop``; a long task should look at it now and then (`StoppedError`).
    """
    stop = threading.Event()
    pending: deque[Future[Result]] = deque()
    source = iter(items)
    try:
        while True:
            while len(pending) < 2 * (os.cpu_count() or 1):
                try:
                    item = next(source)
                except StopIteration:
                    break
                pending.append(_pool().submit(task, item, stop))
            if not pending:
                return
            yield pending.popleft().result()
    finally:
        stop.set()
        for future in pending:
            future.cancel()
