"""An executor on a Dask cluster that reports lost machines and differing versions as `BrokenExecutor`."""

import pickle
from collections.abc import Callable
from concurrent.futures import BrokenExecutor, Executor, Future, InvalidStateError
from contextlib import suppress
from typing import Any

from privbo_core.about import made_with

CONNECT_TIMEOUT = 10.0  # Seconds.
INSTALL = "Install PrivBO on this machine and on every worker with: pip install .[scale]"


class DaskExecutor(Executor):
    """Compute on the workers of the Dask scheduler at ``address``, such as tcp://127.0.0.1:8786."""

    def __init__(self, address: str, *, timeout: float = CONNECT_TIMEOUT) -> None:
        try:
            from distributed import Client

            self.client = Client(address, timeout=timeout, set_as_default=False)
        except ModuleNotFoundError as error:
            raise BrokenExecutor(f"{error}. {INSTALL}") from None
        except (OSError, ValueError) as error:
            raise BrokenExecutor(f"No Dask scheduler answers at {address}: {error}") from None
        self._executor = self.client.get_executor(pure=False)
        self._lost = f"The Dask scheduler at {address} cannot be reached any more."

    def submit(self, fn: Callable[..., Any], /, *args: object, **kwargs: object) -> Future[Any]:
        """Submit a call. Its future raises `BrokenExecutor` if the scheduler dies or a worker has other versions."""
        if self.client.status != "running":
            raise BrokenExecutor(self._lost)
        # As bytes, calls pass through a scheduler and to workers without PrivBO, which can then report its absence.
        inner = self._executor.submit(pickle.loads, pickle.dumps(_Call((made_with(), fn, args, kwargs))))
        outer: Future[Any] = Future()
        outer.add_done_callback(lambda _: inner.cancel() if outer.cancelled() else None)
        inner.add_done_callback(lambda _: self._pass_on(inner, outer))
        return outer

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """Disconnect from the scheduler, which drops the calls that have not finished."""
        self.client.close(timeout=2)

    def _pass_on(self, inner: Future[Any], outer: Future[Any]) -> None:
        with suppress(InvalidStateError):  # The outer future may have been cancelled.
            if inner.cancelled():  # Dask cancels all futures when it loses the scheduler.
                outer.set_exception(BrokenExecutor(self._lost))
            elif (error := inner.exception()) is None:
                outer.set_result(inner.result())
            elif isinstance(error, ModuleNotFoundError):
                outer.set_exception(BrokenExecutor(f"{error}. {INSTALL}"))
            else:
                of_dask = type(error).__module__.startswith("distributed")
                outer.set_exception(BrokenExecutor(str(error)) if of_dask else error)


class _Call(tuple[object, ...]):
    """The arguments of `_call`, which is called with them when they are unpickled."""

    def __reduce__(self) -> tuple[Callable[..., Any], tuple[object, ...]]:
        return _call, tuple(self)


def _call(
    versions: dict[str, str], fn: Callable[..., object], args: tuple[object, ...], kwargs: dict[str, object]
) -> object:
    """Call a function on a worker. Raises BrokenExecutor if the worker has other versions than the sender."""
    if differing := [f"{name} {own}" for name, own in made_with().items() if own != versions[name]]:
        wanted = ", ".join(f"{name} {version}" for name, version in versions.items())
        raise BrokenExecutor(f"A worker has {', '.join(differing)}. Every worker needs {wanted}.")
    return fn(*args, **kwargs)
