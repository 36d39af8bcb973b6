"""The one place where input is judged: each check names the parameter, its value and what is allowed."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike, NDArray

Array = NDArray[np.float64]


class DataError(ValueError):
    """Data that cannot be used. The message says what is wrong, where, and what to do."""


def positive(name: str, value: float) -> float:
    """Return ``value`` if it is a finite number above 0; raise ValueError otherwise."""
    if not (np.isfinite(value) and value > 0):
        raise ValueError(f"{name} is {value!r}; it must be a finite number above 0.")
    return float(value)


def probability(name: str, value: float) -> float:
    """Return ``value`` if it lies strictly between 0 and 1; raise ValueError otherwise."""
    if not 0 < value < 1:
        raise ValueError(f"{name} is {value!r}; it must lie strictly between 0 and 1.")
    return float(value)


def whole(name: str, value: float, least: int = 1) -> int:
    """Return ``value`` as an int if it is a whole number of at least ``least``; raise ValueError otherwise."""
    if not np.isfinite(value) or value != int(value) or value < least:
        raise ValueError(f"{name} is {value!r}; it must be a whole number of at least {least}.")
    return int(value)


def matrix(name: str, values: ArrayLike, least_rows: int = 1) -> Array:
    """Return ``values`` as a finite n×d array; raise DataError, naming the first bad cell, otherwise."""
    try:
        array = np.asarray(values, dtype=float)
    except (TypeError, ValueError):
        raise DataError(f"{name} holds something that is not a number; every cell must be a finite number.") from None
    if array.ndim != 2 or array.shape[1] < 1:
        raise DataError(f"{name} has shape {array.shape}; it must be a table of n rows and d ≥ 1 columns.")
    if array.shape[0] < least_rows:
        raise DataError(f"{name} has {array.shape[0]} rows; at least {least_rows} are needed.")
    if not (finite := np.isfinite(array)).all():
        row, column = np.argwhere(~finite)[0]
        value = array[row, column]
        raise DataError(f"{name} holds {value} in row {row}, column {column}; every cell must be a finite number.")
    return array


def vector(name: str, values: ArrayLike, length: int) -> Array:
    """Return ``values`` as a finite vector of the given length; raise DataError otherwise."""
    try:
        array = np.asarray(values, dtype=float)
    except (TypeError, ValueError):
        raise DataError(f"{name} holds something that is not a number; every entry must be a finite number.") from None
    if array.shape != (length,):
        raise DataError(f"{name} has shape {array.shape}; one number for each of the {length} rows is needed.")
    bad = np.flatnonzero(~np.isfinite(array))
    if len(bad):
        raise DataError(f"{name} holds {array[bad[0]]} in row {bad[0]}; every entry must be a finite number.")
    return array


def row_indices(name: str, rows: Sequence[int] | NDArray[np.int64], n: int) -> list[int]:
    """Return ``rows`` as ints if each is one of 0 … n−1; raise ValueError otherwise."""
    checked = []
    for row in rows:
        if row != int(row) or not 0 <= row < n:
            raise ValueError(f"{name} contains {row!r}; rows of this domain are whole numbers from 0 to {n - 1}.")
        checked.append(int(row))
    return checked
