"""A table of scores as a tuning task, so that whatever publishes one of its settings can be compared on it."""

from collections.abc import Sequence
from dataclasses import dataclass, fields

import numpy as np
import pandas as pd

from privbo_core.data import TuningTask, task_from_table
from privbo_core.errors import DataError
from privbo_core.tuning.scores import Scores, Setting

_ROW, _SCORE, _WIDE = "row of the table", "score of the setting", 100.0


@dataclass(frozen=True, eq=False)
class Listed(TuningTask):
    """A tuning task of the settings in a table of ``results``, in their order; a larger score is better.

    Its ``records`` and ``largest_loss`` are such that their quotient is the sensitivity of the results' means, rounding
    included. What publishing one of them promises is up to ``results``, which knows how the scores came about.
    """

    results: Scores | None = None

    def written(self, row: int) -> str:
        """Return a setting as a person writes it."""
        if self.results is None:
            raise ValueError("results is None; there are no settings to write.")
        chosen = self.results.settings[row].items()
        return ", ".join(f"{name} = {f'{cell:.6g}' if isinstance(cell, float) else cell}" for name, cell in chosen)


def listed(scores: Scores) -> Listed:
    """Return the task of a table of scores.

    A parameter that is a number in every setting is one in the task, on a logarithmic scale if it spans two orders of
    magnitude; any other is told apart by numbers in the order of the table. Parameters that never change are left out;
    if that leaves two settings alike, the row is a parameter too. Raises DataError if all scores are the same.
    """
    columns = {name: _numbers([setting.get(name) for setting in scores.settings]) for name in _names(scores.settings)}
    table = pd.DataFrame({name: column for name, column in columns.items() if np.ptp(column) > 0})
    if table.empty or table.duplicated().any():
        table.insert(0, _ROW, np.arange(len(scores.settings)))
    parameters = [str(name) for name in table.columns]
    logarithmic = [
        name for name in parameters if table[name].min() > 0 and table[name].max() >= _WIDE * table[name].min()
    ]
    if np.ptp(scores.means) <= 1e-12 * np.abs(scores.means).max():
        raise DataError("All settings have the same mean score, so any of them may be published without looking.")
    table[_SCORE] = scores.means
    known = task_from_table(
        table,
        parameters,
        _SCORE,
        logarithmic=logarithmic,
        maximize=scores.larger_is_better,
        records=scores.shares,
        largest_loss=scores.shares * (scores.sensitivity + 2.0 * np.spacing(max(abs(scores.low), abs(scores.high)))),
    )
    return Listed(**{field.name: getattr(known, field.name) for field in fields(TuningTask)}, results=scores)


def _names(settings: Sequence[Setting]) -> list[str]:
    return list(dict.fromkeys(name for setting in settings for name in setting))


def _numbers(cells: Sequence[object]) -> "np.ndarray[tuple[int], np.dtype[np.float64]]":
    """Return the cells if all are finite numbers, otherwise which of the different ones each is, in order."""
    if all(isinstance(cell, (int, float)) and not isinstance(cell, bool) and np.isfinite(cell) for cell in cells):
        return np.array(cells, dtype=float)
    kinds = list(dict.fromkeys(map(repr, cells)))
    return np.array([kinds.index(repr(cell)) for cell in cells], dtype=float)
