"""Follow a computation while it runs: draw its results so far, and give way to a newer setting."""

import time
from collections.abc import Callable, Generator, Iterator
from contextlib import closing
from typing import TypeVar

import streamlit as st

Result = TypeVar("Result")
REDRAW_INTERVAL = 0.25  # seconds between two drawings


def interrupt() -> None:
    """End this run of the page here if a newer setting is waiting.

    Streamlit looks for one whenever session state is read, which costs next to nothing. Call it in long loops.
    """
    st.session_state.get("ui/interrupt")


def interruptible(results: Generator[Result, None, None]) -> Iterator[Result]:
    """Yield all results, unless a newer setting is waiting."""
    with closing(results):
        for result in results:
            interrupt()
            yield result


def follow(
    results: Generator[Result, None, None], ready: Callable[[Result], bool] = lambda result: True
) -> Iterator[Result]:
    """Yield the first result that is ``ready``, then one each `REDRAW_INTERVAL` seconds, and the last in any case."""
    began = drawn = time.perf_counter()
    first, last, pending = True, None, False
    with closing(results):
        for last in results:
            interrupt()
            pending = True
            now = time.perf_counter()
            due = ready(last) or now - began >= REDRAW_INTERVAL if first else now - drawn >= REDRAW_INTERVAL
            if due:
                first, drawn, pending = False, now, False
                yield last
    if pending and last is not None:
        yield last
