"""Worker processes that end with the process that started them, even if that one is killed."""

import multiprocessing
import os
import signal
import threading
import time
from concurrent.futures import Executor, ProcessPoolExecutor

LOOK = 0.5
"""Seconds between two looks at whether the parent is still there."""


def process_pool(workers: int) -> Executor:
    """Return a pool of fresh processes. They ignore Ctrl-C, which is the parent's to handle, and outlive nobody.

    Fresh (spawned), because a forked one would inherit the lock on the results and hold on to it.
    """
    return ProcessPoolExecutor(
        workers, mp_context=multiprocessing.get_context("spawn"), initializer=_begin, initargs=(os.getpid(),)
    )


def _begin(parent: int) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_watch, args=(parent,), name="privbo-parent", daemon=True).start()


def _watch(parent: int) -> None:
    while os.getppid() == parent:
        time.sleep(LOOK)
    # Nobody is left to take a result, and the queue that it would go to waits for ever.
    os._exit(1)
