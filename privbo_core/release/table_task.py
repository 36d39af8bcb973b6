"""A tuning task of a table of scores, so that all mechanisms can be compared on it."""

from collections.abc import Sequence
from dataclasses import dataclass, fields

import numpy as np
import pandas as pd

from privbo_core.data import TuningTask, task_from_table
from privbo_core.errors import Array, DataError
from privbo_core.release.scores import Scores

ROW, SCORE = "row of the table", "score of the setting"
"""Names of columns that the settings themselves do not have."""
MIN_LOGARITHMIC_RATIO = 100.0
"""A parameter whose largest value is at least this many times its smallest is put on a logarithmic scale."""


@dataclass(frozen=True, eq=False)
class TableTask(TuningTask):
    """A tuning task of the settings in ``table``, in their order. A larger score is better.

    ``largest_loss``/``records`` is the sensitivity of the table's mean scores, rounding included. The guarantee of
    publishing a setting is that of ``table``, which depends on the origin of the scores.
    """

    table: Scores | None = None


def task_from_scores(scores: Scores) -> TableTask:
    """Return the tuning task of a table of scores.

    A parameter that is a number in every setting is a number in the task, on a logarithmic scale if it spans two
    orders of magnitude. The values of any other parameter are numbered in the order of the table. Parameters that never
    change are left out. If that leaves two settings alike, the row is a parameter as well. Raises DataError if all
    scores are the same.
    """
    names = dict.fromkeys(name for setting in scores.settings for name in setting)
    columns = {name: _numbers([setting.get(name) for setting in scores.settings]) for name in names}
    table = pd.DataFrame({name: column for name, column in columns.items() if np.ptp(column) > 0})
    if table.empty or table.duplicated().any():
        table.insert(0, ROW, np.arange(len(scores.settings)))
    parameters = [str(name) for name in table.columns]
    logarithmic = [name for name in parameters if 0 < MIN_LOGARITHMIC_RATIO * table[name].min() <= table[name].max()]
    if np.ptp(scores.means) <= 1e-12 * np.abs(scores.means).max():
        raise DataError("All settings have the same mean score, so any of them may be published without looking.")
    table[SCORE] = scores.means
    task = task_from_table(
        table,
        parameters,
        SCORE,
        logarithmic=logarithmic,
        maximize=scores.larger_is_better,
        records=scores.shares,
        decimals="exact",  # The sensitivity includes what rounding adds.
        largest_loss=scores.shares * (scores.sensitivity + 2.0 * np.spacing(max(abs(scores.low), abs(scores.high)))),
    )
    return TableTask(**{field.name: getattr(task, field.name) for field in fields(TuningTask)}, table=scores)


def _numbers(cells: Sequence[object]) -> Array:
    """Return the cells if all are finite numbers, or else the position of each among the distinct values."""
    if all(isinstance(cell, (int, float)) and not isinstance(cell, bool) and np.isfinite(cell) for cell in cells):
        return np.array(cells, dtype=float)
    different = list(dict.fromkeys(map(repr, cells)))
    return np.array([different.index(repr(cell)) for cell in cells], dtype=float)
