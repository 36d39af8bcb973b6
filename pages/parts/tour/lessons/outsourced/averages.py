"""Averages over more and more runs, as the tour's steps need them, and how it speaks of them."""

from collections.abc import Generator, Iterator, Sequence
from contextlib import closing

from pages.parts.tour.lessons.outsourced.station import Station
from privbo_core.bo import Band, Trace, band
from privbo_core.outsourced import Comparison, Setting
from privbo_core.outsourced.simulation import Mechanism, Policy

FIRST_RUNS = 4
"""What the first picture of a curve is made of."""


def comparisons(station: Station, mechanisms: tuple[Mechanism, ...]) -> Generator[Comparison, None, None]:
    """Yield comparisons worth drawing: not of one run, nor of less than is known already."""
    simulation, setting, runs = station.simulation, station.setting(), station.runs
    known = min(simulation.finished(policy, setting, runs) for policy in simulation.policies(mechanisms))
    with closing(simulation.compare(setting, runs, mechanisms)) as steps:
        for comparison in steps:
            if comparison.runs >= min(runs, max(known, FIRST_RUNS)):
                yield comparison


def traces(station: Station, policy: Policy, setting: Setting, runs: int) -> list[Trace]:
    """Return the traces of the first runs, giving way between them."""
    found = []
    with closing(station.simulation.stream(policy, setting, runs)) as finished:
        for trace in finished:
            found.append(trace)
            station.pause()
    return found


def growing(runs: int) -> Iterator[int]:
    """Yield numbers of runs to draw after, each about twice the one before."""
    now = FIRST_RUNS
    while now < runs:
        yield now
        now *= 2
    yield runs


def of_runs(now: int, runs: int) -> str:
    """Return in words how many runs are finished."""
    return f"{runs} runs" if now == runs else f"{now} of {runs} runs"


def difference(more: Sequence[Trace], less: Sequence[Trace], unit: float) -> Band:
    """Return the mean of run-by-run differences in simple regret, in ``unit``."""
    return band([(a.simple_regret - b.simple_regret) / unit for a, b in zip(more, less, strict=True)])
