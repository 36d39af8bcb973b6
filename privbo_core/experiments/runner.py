"""The one runner: it computes the pieces of an experiment that are not stored yet, by any executor."""

import multiprocessing
import os
import signal
import threading
import time
from collections.abc import Generator
from concurrent.futures import FIRST_COMPLETED, BrokenExecutor, Executor, Future, ProcessPoolExecutor, wait
from dataclasses import dataclass

from privbo_core.experiments.cluster import ClusterLostError
from privbo_core.experiments.model import Experiment, Outcome
from privbo_core.experiments.store import MemoryStore, select
from privbo_core.experiments.tasks import work

TICK = 0.1  # Seconds after which `run` yields even if there is nothing new, so that a caller can turn to others.
DIED = "A worker process ended unexpectedly; it may have been stopped or run out of memory."


class WorkerDiedError(RuntimeError):
    """Whoever computes is gone: a process was killed or out of memory, a cluster is away. What was finished is kept."""


@dataclass(frozen=True)
class RunStep:
    """How far a run has got: ``done`` of ``total`` pieces, ``reused`` of which were stored before it began."""

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
    """Yield the progress of an experiment: at once what is stored, then after each piece, and at least every `TICK`.

    ``executor``: any `concurrent.futures.Executor`; None computes in the caller's own thread, one piece at a time.
    ``store``: an open `Store`, or a `MemoryStore`; what it holds is not computed again, and each piece is in it before
    it is reported.
    ``runs``: replicates (the experiment's own number if None); ``piece``: replicates computed together. At most
    ``ahead`` pieces are handed in at a time (twice the machine's cores if None). Closing the generator cancels what
    has not begun; the executor stays open. The result does not depend on executor, order or interruptions.
    Raises ValueError on numbers below 1, WorkerDiedError if a worker process dies, and what a piece raises.
    """
    pieces = experiment.pieces(runs, piece)
    found = {key: store.outcomes[key] for p in pieces if store and (key := p.key) in store.outcomes}
    reused = len(found)
    keys = [p.key for p in pieces]

    def progress() -> RunStep:
        return RunStep(len(found), len(pieces), reused, select(found, keys))

    def keep(outcome: Outcome) -> None:
        if store is not None:
            store.add(outcome)
        found[outcome.key] = outcome

    yield progress()
    missing = [p for p in pieces if p.key not in found]
    if executor is None:
        for each in missing:
            keep(work(each))
            yield progress()
        return
    limit = 2 * (os.cpu_count() or 1) if ahead is None else ahead
    queue = iter(missing)
    pending: set[Future[Outcome]] = set()
    try:
        while True:
            while len(pending) < limit and (following := next(queue, None)) is not None:
                pending.add(executor.submit(work, following))
            if not pending:
                return
            finished, pending = wait(pending, timeout=TICK, return_when=FIRST_COMPLETED)
            # All that came in together is kept before any problem among it is told.
            for future in finished:
                if not future.cancelled() and future.exception() is None:
                    keep(future.result())
            for future in finished:
                future.result()
            yield progress()
    except BrokenExecutor as problem:
        raise WorkerDiedError(
            f"{problem if isinstance(problem, ClusterLostError) else DIED} {len(found)} of {len(pieces)} pieces are "
            f"finished{' and stored' if store is not None else ''}. Run the same again to go on, with fewer workers if "
            "memory was short."
        ) from problem
    finally:
        for future in pending:
            future.cancel()


LOOK = 0.5  # Seconds between two looks at whether the parent is still there.


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
