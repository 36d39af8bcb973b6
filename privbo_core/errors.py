"""Check arguments and raise errors that name the argument, its value and what is allowed."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike, NDArray

from privbo_core.terminal import CONTROL

Array = NDArray[np.float64]
MAX_MAGNITUDE = 1e100
"""The largest absolute value of a number, so that squares and sums stay in the range of floating-point numbers."""


class DataError(ValueError):
    """Data that cannot be used. The message states the problem, its place and a remedy."""


def positive(name: str, value: float) -> float:
    """Return ``value`` if it is a finite number above 0. Raises ValueError otherwise."""
    if not (np.isfinite(value) and value > 0):
        raise ValueError(f"{name} is {value!r}. It must be a finite number above 0.")
    return float(value)


def probability(name: str, value: float) -> float:
    """Return ``value`` if it lies strictly between 0 and 1. Raises ValueError otherwise."""
    if not 0 < value < 1:
        raise ValueError(f"{name} is {value!r}. It must lie strictly between 0 and 1.")
    return float(value)


def whole(name: str, value: float, least: int = 1) -> int:
    """Return ``value`` as an int if it is a whole number of at least ``least``. Raises ValueError otherwise."""
    if not np.isfinite(value) or value != int(value) or value < least:
        raise ValueError(f"{name} is {value!r}. It must be a whole number of at least {least}.")
    return int(value)


def matrix(name: str, values: ArrayLike, least_rows: int = 1) -> Array:
    """Return ``values`` as a finite n×d array. Raises DataError with the first bad cell otherwise."""
    try:
        array = np.asarray(values, dtype=float)
    except (TypeError, ValueError):
        raise DataError(f"{name} holds something that is not a number. Every cell must be a finite number.") from None
    if array.ndim != 2 or array.shape[1] < 1:
        raise DataError(f"{name} has shape {array.shape}. It must be a table of n rows and d ≥ 1 columns.")
    if array.shape[0] < least_rows:
        raise DataError(f"{name} has {array.shape[0]} rows. It needs at least {least_rows}.")
    if not (finite := np.isfinite(array)).all():
        row, column = np.argwhere(~finite)[0]
        value = array[row, column]
        raise DataError(f"{name} holds {value} in row {row}, column {column}. Every cell must be a finite number.")
    return array


def vector(name: str, values: ArrayLike, length: int) -> Array:
    """Return ``values`` as a finite vector of the given length. Raises DataError otherwise."""
    try:
        array = np.asarray(values, dtype=float)
    except (TypeError, ValueError):
        raise DataError(f"{name} holds something that is not a number. Every entry must be a finite number.") from None
    if array.shape != (length,):
        raise DataError(f"{name} has shape {array.shape}. One number for each of the {length} rows is needed.")
    bad = np.flatnonzero(~np.isfinite(array))
    if len(bad):
        raise DataError(f"{name} holds {array[bad[0]]} in row {bad[0]}. Every entry must be a finite number.")
    return array


def row_indices(name: str, rows: Sequence[int] | NDArray[np.int64], n: int) -> list[int]:
    """Return ``rows`` as ints if each is one of 0 … n−1. Raises ValueError otherwise."""
    checked = []
    for row in rows:
        if row != int(row) or not 0 <= row < n:
            raise ValueError(f"{name} contains {row!r}. Rows of this domain are whole numbers from 0 to {n - 1}.")
        checked.append(int(row))
    return checked


def number(what: str, value: object) -> float:
    """Return ``value`` as a float if it is a number between ±1e100. Raises DataError otherwise."""
    if isinstance(value, np.integer | np.floating):
        value = value.item()
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise DataError(f"{what} is {short(value)}. It must be a number.")
    if not -MAX_MAGNITUDE <= value <= MAX_MAGNITUDE:  # This also excludes NaN.
        raise DataError(f"{what} is {short(value)}. It must be a number between ±1e100.")
    return float(value)


def name(what: str, value: object) -> str:
    """Return ``value`` if it is a text without control characters that a file can hold. Raises DataError otherwise."""
    if not isinstance(value, str):
        raise DataError(f"{what} is {short(value)}. It must be a text.")
    try:
        value.encode("utf-8")
    except UnicodeEncodeError:
        raise DataError(f"{what} is {short(value)}, which has half of a character. Write it anew.") from None
    if CONTROL.search(value):
        raise DataError(f"{what} is {short(value)}, which has a character that terminals obey. Write it anew.")
    return value


def short(value: object) -> str:
    """Return the representation of a value, shortened to 60 characters."""
    shown = repr(value)
    return shown if len(shown) <= 60 else shown[:59] + "…"


def listed(items: Sequence[object], most: int = 12) -> str:
    """Return items as in ``4, 8 and 15``. Of more than ``most`` items, return the first and the number of others."""
    shown = [str(item) for item in items[:most]]
    if len(items) > most:
        return f"{', '.join(shown)} and {len(items) - most:,} more"
    return shown[0] if len(shown) == 1 else f"{', '.join(shown[:-1])} and {shown[-1]}" if shown else "none"
