"""Compute the pieces of an experiment that are not stored yet, on any executor."""

import multiprocessing
import os
import signal
import threading
import time
from collections.abc import Generator
from concurrent.futures import FIRST_COMPLETED, BrokenExecutor, Executor, Future, ProcessPoolExecutor, wait
from dataclasses import dataclass

from privbo_core.experiments.model import Experiment, Outcome
from privbo_core.experiments.store import MemoryStore
from privbo_core.experiments.tasks import work

YIELD_INTERVAL = 0.1  # Seconds after which `run` yields even without news, so that its caller can do something else.


class WorkerDiedError(BrokenExecutor):
    """The executor has lost its workers. Results that were finished are kept."""


@dataclass(frozen=True)
class RunStep:
    """The progress of a run: ``done`` of ``total`` pieces, of which ``reused`` were stored before it began."""

    done: int
    total: int
    reused: int
    outcomes: tuple[Outcome, ...]


def run(
    experiment: Experiment,
    *,
    executor: Executor | None = None,
    store: MemoryStore | None = None,
    runs: int | None = None,
    piece: int | None = None,
    ahead: int | None = None,
) -> Generator[RunStep, None, None]:
    """Run an experiment and yield its progress at once, after each piece, and at least every `YIELD_INTERVAL`.

    ``executor`` is any `concurrent.futures.Executor`. With None, pieces are computed one after another in the calling
    thread. ``store`` is an open `Store` or a `MemoryStore`: pieces that it holds are not computed again, and each new
    piece is stored before it is reported. ``runs`` is the number of replicates (by default the experiment's own), of
    which ``piece`` are computed together. At most ``ahead`` pieces are submitted at a time (by default two for each
    processor core). Closing the generator cancels the pieces that have not begun and leaves the executor open.

    The result depends neither on the executor nor on the order of the pieces nor on interruptions. Raises ValueError
    for numbers below 1, WorkerDiedError if the executor breaks, and any exception that a piece raises.
    """
    pieces = experiment.pieces(runs, piece)
    store = MemoryStore() if store is None else store
    missing = [each for each in pieces if each.key not in store.outcomes]
    reused = len(pieces) - len(missing)

    def progress() -> RunStep:
        outcomes = tuple(store.outcomes[each.key] for each in pieces if each.key in store.outcomes)
        return RunStep(len(outcomes), len(pieces), reused, outcomes)

    yield progress()
    if executor is None:
        for each in missing:
            store.add(work(each))
            yield progress()
        return

    limit = 2 * (os.cpu_count() or 1) if ahead is None else ahead
    pending: set[Future[Outcome]] = set()
    try:
        while missing or pending:
            while missing and len(pending) < limit:
                pending.add(executor.submit(work, missing[0]))
                del missing[0]
            finished, pending = wait(pending, timeout=YIELD_INTERVAL, return_when=FIRST_COMPLETED)
            # Store all results that arrived together before raising the exception of any one of them.
            for future in finished:
                if not future.cancelled() and future.exception() is None:
                    store.add(future.result())
            for future in finished:
                future.result()
            yield progress()
    except BrokenExecutor as error:
        done = progress().done
        raise WorkerDiedError(
            f"{error} {done} of {len(pieces)} pieces are finished. If the results are kept in a file, the same command "
            "goes on from there."
        ) from error
    finally:
        for future in pending:
            future.cancel()


PARENT_CHECK_INTERVAL = 0.5  # Seconds.


def process_pool(workers: int) -> Executor:
    """Return a pool of worker processes that ignore Ctrl-C, which the parent handles, and that end with their parent.

    The processes are spawned, because forked ones would inherit the lock on the file of results.
    """
    return ProcessPoolExecutor(
        workers,
        mp_context=multiprocessing.get_context("spawn"),
        initializer=_start_worker,
        initargs=(os.getpid(),),
    )


def _start_worker(parent: int) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_exit_with_parent, args=(parent,), name="privbo-parent", daemon=True).start()


def _exit_with_parent(parent: int) -> None:
    """End this process once its parent has died, because otherwise it would wait for work for ever."""
    while os.getppid() == parent:
        time.sleep(PARENT_CHECK_INTERVAL)
    os._exit(1)
