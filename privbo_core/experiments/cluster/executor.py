"""A Dask cluster as an executor, with its mishaps in sentences.

Dask's own (`Client.get_executor`) does not serve: when the scheduler goes away its futures are cancelled, as if we had
done so ourselves, and what is handed in afterwards waits for ever; nor can it take apart what a worker sends back.
"""

import hashlib
import logging
import pickle
import platform
import re
import time
from collections.abc import Callable, Iterator
from concurrent.futures import BrokenExecutor, CancelledError, Executor, Future, InvalidStateError
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, TypeVar

from privbo_core.about import versions
from privbo_core.data.samples import FOLDER
from privbo_core.errors import whole


class OtherEngineError(RuntimeError):
    """A worker has another engine than whoever sent it work. The sentence says in what they differ."""


@dataclass(frozen=True)
class Engine:
    """An engine: its sources and sample tables (``digest``), its Python, and the ``packages`` that it computes with."""

    digest: str
    python: str
    packages: tuple[tuple[str, str], ...]

    def differences(self, other: "Engine") -> list[str]:
        """Return in what sources and versions of another engine are not these, in words; nothing where they are."""
        found = []
        if self.digest != other.digest:
            found.append("the sources of privbo_core")
        if self.python != other.python:
            found.append(f"Python ({self.python} here, {other.python} there)")
        theirs = dict(other.packages)
        for name, own in self.packages:
            if theirs.get(name) != own:
                found.append(f"{name} ({own} here, {theirs.get(name, 'none')} there)")
        return found


@cache
def this_engine() -> Engine:
    """Return the engine of this process. Reads the sources and the sample tables once."""
    digest, engine = hashlib.sha256(), Path(__file__).parents[2]
    for folder, endings in ((engine, "*.py"), (engine, "*.toml"), (FOLDER, "*")):
        for path in sorted(each for each in folder.rglob(endings) if each.is_file()):
            digest.update(path.relative_to(folder).as_posix().encode() + b"\0")
            digest.update(hashlib.sha256(path.read_bytes()).digest())
    return Engine(digest.hexdigest()[:16], platform.python_version(), tuple(versions().items()))


open_order = pickle.loads
"""What a worker is asked to call. It is Python's own, so that a scheduler needs nothing of ours."""


class _Order:
    """A call whose opening is its carrying out."""

    def __init__(self, sender: Engine, function: Callable[..., Any], arguments: tuple[Any, ...]) -> None:
        self._call = sender, function, arguments

    def __reduce__(self) -> tuple[Callable[..., Any], tuple[Any, ...]]:
        return carry_out, self._call


def order(function: Callable[..., Any], arguments: tuple[Any, ...]) -> bytes:
    """Return the bytes that `open_order` makes into what `carry_out` returns, on any machine with the same engine."""
    return pickle.dumps(_Order(this_engine(), function, arguments))


def carry_out(sender: Engine, function: Callable[..., Any], arguments: tuple[Any, ...]) -> Any:  # noqa: ANN401
    """Return the result of a call. Raises OtherEngineError where this engine is not the sender's."""
    if differences := sender.differences(this_engine()):
        raise OtherEngineError(
            f"A worker of the cluster has another engine; they differ in {', '.join(differences)}. Install the same on "
            "all machines."
        )
    return function(*arguments)


ADDRESS = re.compile(r"(tcp|tls)://(\[[0-9a-fA-F:]+\]|[\w.-]+):\d{1,5}")
CONNECT = 10.0  # Seconds in which a scheduler must have answered.
INSTALL = "pip install .[studies]"
LOOK = 1.0  # Seconds for which the number of workers is remembered.
Result = TypeVar("Result")


class ClusterAwayError(RuntimeError):
    """There is no cluster to be had: no package, or nobody at the address."""


class ClusterLostError(BrokenExecutor):
    """The cluster was there and is not any more, or cannot finish a piece. What has come back is kept."""


def distributed_package() -> Any:  # noqa: ANN401 - it ships no type information
    """Return the package distributed, silent; raise ClusterAwayError, with the line that installs it, if missing."""
    try:
        import distributed
    except ImportError:
        raise ClusterAwayError(f"A cluster needs the package distributed. Install it with: {INSTALL}") from None
    # What matters is told in sentences; the rest would tear the progress bar apart.
    for name in ("distributed", "distributed.client", "distributed.core", "distributed.comm", "tornado.application"):
        logging.getLogger(name).setLevel(logging.CRITICAL + 1)
    return distributed


class Cluster(Executor):
    """The workers behind a scheduler's address, such as tcp://127.0.0.1:8786.

    A piece whose worker dies goes to another worker; one that has ended several workers is given up. Several threads
    per worker are fine. Raises ClusterAwayError where there is nobody.
    """

    def __init__(self, address: str, *, timeout: float = CONNECT) -> None:
        package = distributed_package()
        if not ADDRESS.fullmatch(address):
            raise ClusterAwayError(
                f"{address!r} is no address of a Dask scheduler; it looks like tcp://127.0.0.1:8786, or tls://… where "
                "Dask is set up for TLS."
            )
        self.address = address
        self._counted = (0.0, 0)
        self._closed = False
        try:
            self._client = package.Client(address, timeout=timeout, set_as_default=False, name="privbo")
        except (OSError, ValueError) as problem:
            why = str(problem).partition("\n")[0].rstrip(".")
            raise ClusterAwayError(
                f"There is no Dask scheduler at {address} ({why}). Start one with “dask scheduler”, or correct the "
                "address."
            ) from None

    @property
    def threads(self) -> int:
        """How many pieces the workers compute at a time, at present; 0 while there is no worker."""
        looked, known = self._counted
        if not known or time.monotonic() - looked > LOOK:
            try:
                known = sum(self._client.nthreads().values())
            except Exception:  # whatever a scheduler that is gone answers; `submit` will tell
                known = 0
            self._counted = time.monotonic(), known
        return known

    @property
    def connected(self) -> bool:
        return not self._closed and self._client.status == "running"

    def submit(self, fn: Callable[..., Result], /, *args: object, **kwargs: object) -> Future[Result]:
        """Hand in a call of plain values. Its future raises what the call raises, or ClusterLostError."""
        if kwargs:
            raise TypeError("A cluster takes no arguments by name.")
        if self._closed:
            raise RuntimeError("The cluster was closed; nothing can be handed in any more.")
        if not self.connected:
            raise self._lost()
        sent = self._client.submit(open_order, order(fn, args), pure=False)
        mine: Future[Result] = Future()
        mine.add_done_callback(lambda _: sent.cancel() if mine.cancelled() else None)
        sent.add_done_callback(lambda _: self._deliver(sent, mine))
        return mine

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """Leave the cluster; it goes on without us, and what has not begun is forgotten."""
        if not self._closed:
            self._closed = True
            self._client.close(timeout=2)

    def _deliver(self, sent: Any, mine: Future[Any]) -> None:  # noqa: ANN401 - a future of Dask's
        if mine.cancelled():
            return
        try:
            try:
                mine.set_result(sent.result())
            except InvalidStateError:
                raise
            except CancelledError:
                mine.set_exception(self._lost())
            except BaseException as problem:
                mine.set_exception(self._in_words(problem))
        except InvalidStateError:
            pass  # cancelled meanwhile: nobody waits for it

    def _in_words(self, problem: BaseException) -> BaseException:
        if type(problem).__name__ == "KilledWorker":
            return ClusterLostError(
                "A piece was begun on several workers of the cluster, and each ended while it ran; they may have run "
                "out of memory."
            )
        if isinstance(problem, ModuleNotFoundError):
            return ClusterLostError(
                f"A worker of the cluster lacks {problem.name}: the engine must be installed on every machine, with "
                f"{INSTALL}."
            )
        if isinstance(problem, OSError) and type(problem).__module__.startswith("distributed"):
            return self._lost()
        return problem

    def _lost(self) -> ClusterLostError:
        return ClusterLostError(f"The cluster at {self.address} cannot be reached any more.")


@contextmanager
def local_cluster(workers: int) -> Iterator[Cluster]:
    """Start a scheduler and ``workers`` processes of one thread each on loopback; end them on leaving.

    They ignore Ctrl-C, which is the caller's to handle. Raises ClusterAwayError where distributed is not installed.
    """
    whole("local-cluster", workers)
    package = distributed_package()
    with (
        package.LocalCluster(
            n_workers=workers,
            threads_per_worker=1,
            processes=True,
            host="127.0.0.1",
            dashboard_address=None,
            memory_limit=0,
            silence_logs=60,
            preload=["import signal; signal.signal(signal.SIGINT, signal.SIG_IGN)"],
        ) as cluster,
        Cluster(cluster.scheduler_address) as executor,
    ):
        yield executor
