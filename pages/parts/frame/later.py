"""Results that take a while and cannot be interrupted, computed beside the script and never waited for."""

import threading
from collections import OrderedDict
from collections.abc import Callable, Hashable
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any

import streamlit as st

from privbo_core.bo.parallel import step_back

KEPT = 256


class Later:
    """Computes one thing at a time in the background and remembers it. Not for anything that depends on private data."""

    def __init__(self) -> None:
        self._pool = ThreadPoolExecutor(max_workers=1, thread_name_prefix="privbo-later", initializer=step_back)
        self._known: OrderedDict[Hashable, Any] = OrderedDict()
        self._busy: tuple[Hashable, Future[Any]] | None = None
        self._lock = threading.Lock()

    def ask(self, key: Hashable, compute: Callable[[], Any]) -> Any:  # noqa: ANN401
        """Return the result if it is there. Otherwise begin with it, unless something else is under way, and return None.

        Ask again after a while. An error that ``compute`` raises is the result.
        """
        with self._lock:
            if self._busy is not None and self._busy[1].done():
                done, future = self._busy
                self._known[done] = future.exception() or future.result()
                self._busy = None
                while len(self._known) > KEPT:
                    self._known.popitem(last=False)
            if key not in self._known and self._busy is None:
                self._busy = key, self._pool.submit(compute)
            return self._known.get(key)

    def known(self, key: Hashable) -> Any:  # noqa: ANN401
        """Return the result if it is there, else None; begin nothing."""
        with self._lock:
            return self._known.get(key)


@st.cache_resource
def later() -> Later:
    """Return the one that all sessions share."""
    return Later()
