"""What an area yields: pairs of a name and a value, and values that say that simulated runs stand behind them.

A value is a number, a text, None, or a list or a dictionary of values. Large arrays are told in a few numbers.
"""

import zlib
from dataclasses import dataclass
from typing import Any

import numpy as np


@dataclass(frozen=True)
class Run:
    """One simulated run: the rows that were chosen, one after the other, and what came of them.

    Where a run parts from the recorded one at one step, what came of it is not compared.
    """

    choices: list[int]
    values: Any


@dataclass(frozen=True)
class OfRuns:
    """A value that was computed from all runs whose names begin with one of ``groups``: compared if none parted."""

    groups: tuple[str, ...]
    value: Any


def of_runs(value, *groups):
    """Return a value that rests on the runs of these groups; without any it is a value like others."""
    return OfRuns(groups, value) if groups else value


def plain(value):
    """Return a value as JSON has it: arrays as lists, and NumPy's numbers as Python's."""
    if isinstance(value, Run):
        return {"choices": plain(value.choices), "values": plain(value.values)}
    if isinstance(value, OfRuns):
        return {"of runs": list(value.groups), "value": plain(value.value)}
    if isinstance(value, dict):
        return {str(key): plain(each) for key, each in value.items()}
    if isinstance(value, (list, tuple)):
        return [plain(each) for each in value]
    if isinstance(value, np.ndarray):
        return value.tolist()
    if isinstance(value, np.generic):
        return value.item()
    if value is None or isinstance(value, (bool, int, float, str)):
        return value
    raise TypeError(f"{value!r} is of a kind that is not recorded.")


def few(array, count=4):
    """Return a few numbers of a curve, evenly spaced, with the first and the last."""
    array = np.asarray(array)
    rows = np.unique(np.linspace(0, len(array) - 1, min(count, len(array))).round().astype(int))
    return array[rows].tolist()


def sketch(array, count=2):
    """Return a large array in a few numbers.

    Its shape, how many entries are finite, their length, a sum in which each place counts, and a few entries.
    """
    flat = np.asarray(array, dtype=float).ravel()
    known = flat[np.isfinite(flat)]
    weights = 1.0 + np.arange(len(flat)) % 97 / 97
    weighted = float(weights[np.isfinite(flat)] @ known)
    return [list(np.shape(array)), len(known), float(np.linalg.norm(known)), weighted, *few(flat, count)]


def checksum(numbers):
    """Return whole numbers in one of four digits: for choices of many agents at once."""
    return zlib.crc32(np.asarray(numbers, dtype="<i8").tobytes()) % 10_000


def guarantee(promise):
    """Return the numbers of a guarantee. Its texts are not recorded."""
    return [promise.epsilon, promise.delta, promise.status.name]


def difference(found):
    """Return a paired difference with its interval."""
    return [found.mean, found.low, found.high, found.runs]


def traced(trace, scale=1.0):
    """Return the trace of a search as a run: regrets in units of ``scale``."""
    values = [trace.simple_regret[-1] / scale, trace.cumulative_regret[-1] / scale, trace.rank[-1]]
    return Run(trace.rows.tolist(), values)
