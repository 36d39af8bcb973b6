"""How long something takes, and what a benchmark allows: one that takes more ends with status 1, and says what did."""

import statistics
import time
from collections.abc import Callable
from typing import Any

_exceeded: list[str] = []


def timed(work: Callable[[], Any]) -> tuple[Any, float]:
    start = time.perf_counter()
    result = work()
    return result, time.perf_counter() - start


def seconds(work: Callable[[], object], times: int) -> list[float]:
    return [timed(work)[1] for _ in range(times)]


def allow(name: str, seconds: float, most: float) -> None:
    if seconds > most:
        _exceeded.append(f"{name} took {1e3 * seconds:,.1f} ms; {1e3 * most:,.0f} ms are allowed.")


def within(name: str, work: Callable[[], object], most: float, times: int = 20) -> None:
    """Print the median and the largest time of ``work``, after once uncounted; the median may be ``most`` seconds."""
    work()
    taken = seconds(work, times)
    median = statistics.median(taken)
    print(f"{name:52} median {1e3 * median:9.3f} ms, largest {1e3 * max(taken):9.3f} ms, allowed {1e3 * most:6.0f} ms")
    allow(name, median, most)


def ended() -> int:
    for line in _exceeded:
        print(f"TOO SLOW: {line}")
    return 1 if _exceeded else 0
