"""A table of scores as other tools write it becomes `Scores`, or a sentence that says why it cannot."""

import ast
import csv
import io
import os
import re
from collections.abc import Sequence
from dataclasses import replace
from typing import BinaryIO

import numpy as np
import pandas as pd

from privbo_core.budget import reading
from privbo_core.data import load_cells, load_table
from privbo_core.data.columns import decimal_mark, numbers
from privbo_core.data.lines import read, unpacked
from privbo_core.data.marks import PLAIN
from privbo_core.data.problem import Dropped, rows_used
from privbo_core.data.rows import REPEAT, averaged, unusable
from privbo_core.data.tuning import UNSCORED, Decimals
from privbo_core.errors import Array, DataError, whole
from privbo_core.tuning.scores import Kind, Scores, Setting

UNADAPTIVE = ("grid", "random", "quasi-random")  # Ways to list settings that do not look at scores.
NOT_MEANS = re.compile(
    r"roc_auc|precision|recall|f1|jaccard|balanced|r2|d2|matthews|variance|median|max_error|root|_ratio|rand_score"
    r"|mutual_info|homogeneity|completeness|v_measure|fowlkes"
)
"""Metrics (as scikit-learn names them) that are no mean over records, so that range/m does not bound them."""
_COUNTED = re.compile(r"(part|fold|record) ?\d+", re.IGNORECASE)
_SCORES = re.compile(
    r"split\d+_test_.+|value|user_attrs_(part|fold|record)s|(part|fold|record)s?[ _]?\d+|score", re.IGNORECASE
)
"""Columns of scores, in any of these tables."""
_COLUMN = re.compile(r"(part|fold|record)s?[ _]?(\d+)|score", re.IGNORECASE)
LONG = re.compile(r"(cv[ _]?)?(fold|split|part|record)", re.IGNORECASE)
"""Columns that say which fold, part or record a row's score is of."""
KINDS: dict[str, Kind] = {"part": "parts", "fold": "folds", "record": "validation"}
"""What a column is about, as its name says it, and the kind of scores that it holds."""
ADAPTIVE = re.compile(r"\w*Sampler:|cma:|tpe:|gp:")
"""How the names begin under which Optuna's adaptive samplers keep notes with a trial; some keep none."""


def read_scores(
    source: pd.DataFrame | str | os.PathLike[str] | bytes | BinaryIO,
    *,
    score_range: tuple[float, float] | None,
    records: int | None = None,
    decimals: Decimals = None,
    kind: Kind | None = None,
    sampler: str | None = None,
    metric: str | None = None,
) -> Scores:
    """Return the settings and scores of a table: a DataFrame, or a CSV file as a path, bytes or binary file.

    Three tables are recognised, as ``to_csv`` writes them:

    - ``GridSearchCV(...).cv_results_`` of scikit-learn: its ``split…_test_…`` columns. ``metric`` names one of several.
    - ``study.trials_dataframe()`` of Optuna: its ``value``, or the lists under a user attribute named "parts", "folds"
      or "records" (``trial.set_user_attr("parts", scores)``). ``sampler`` must be one of "grid", "random" and
      "quasi-random": the table does not say, and what an adaptive one lists depends on the records.
    - A plain one: columns "part 1", "part 2", …, or "fold 1", …, or "record 1", …, or one column "score", and all
      other columns are the setting.

    ``score_range``: (worst, best) that a score can be. ``records``: of how many records the validation set consists,
    or, for folds, the whole table that was split into folds that differ by at most one. ``decimals``: to how many
    decimals means over several records were rounded, or "exact" if they were not; they are refused without it, whatever
    their digits look like, because a refusal that depends on digits would say something of the records. Of scores with
    k significant digits, give the decimals of the largest in the range. ``kind``: see `Scores`; if
    left out, scikit-learn's are "folds", or "validation" for one split, and the other tables' what their columns say.

    Each score is read by itself, as programs write numbers; of a file whose first line is not one of names, apart by
    commas, and of a DataFrame that `load_table` read, all cells together tell how, which becomes a condition.
    In a plain table a column "fold", "part" or "record" beside one "score" may say which one a row is of, and columns
    such as "seed" or "repeat" number the repeats. A setting that occurs several times counts with its mean scores: one
    record moves a mean by no more than the most that it moves any of them. A setting without a score is left out and
    counted in ``notes``, and becomes a condition, unless its column is one record's or one part's.
    Raises DataError, in one sentence, on what gives no sensitivity.
    """
    if score_range is None:
        raise DataError(
            "score_range is missing, and without bounds one record could move a score by anything: say the worst and "
            "the best that a score can be, for accuracy (0, 1), and clip scores that have none."
        )
    table, together = _opened(source)
    names = [str(name) for name in table.columns]
    table = table.set_axis(names, axis=1).reset_index(drop=True)
    if "params" in names or any(name.startswith("param_") for name in names):
        found = _scikit_learn(table, metric, kind)
    elif "state" in names and "number" in names:
        found = _optuna(table, sampler)
    else:
        found = _plain(table)
    settings, values, default, conditions = found
    conditions += together
    chosen = kind or default
    shares = records_of(chosen, values.shape[1], records, each=default == "validation")
    notes: tuple[str, ...] = ()
    if chosen != "parts" and shares > 1 and np.isnan(values).any():
        scored = np.asarray(~np.isnan(values).any(axis=1), dtype=bool)
        settings = [setting for setting, there in zip(settings, scored, strict=True) if there]
        dropped = Dropped("score", "missing", int((~scored).sum()), int((~scored).argmax()) + 1, "")
        conditions, notes = (*conditions, UNSCORED), (rows_used(int(scored.sum()), len(values)), str(dropped))
        values = values[scored]
    scores = Scores(tuple(settings), values, score_range, chosen, shares, conditions, 0.0, notes, decimals)
    # A row for each setting: the means of its rows, each inside the range before.
    made = averaged([repr(list(setting.items())) for setting in settings], scores.bounded - scores.low)
    if made.variance is None:
        return scores
    settings, notes = [settings[row] for row in made.rows], (*notes, made.note("settings"))
    values = np.clip(made.means + scores.low, scores.low, scores.high)
    return replace(scores, settings=tuple(settings), values=values, noise=made.noise, notes=notes)


def recognised(names: Sequence[str]) -> bool:
    """Return whether these are the names of a table that a tuning tool wrote, or of one that `_plain` reads."""
    written = "params" in names or any(name.startswith("param_") for name in names) or {"state", "number"} <= set(names)
    long = "score" in names and any(LONG.fullmatch(name) for name in names)
    return written or long or any(_COUNTED.fullmatch(name) for name in names)


def _opened(source: pd.DataFrame | str | os.PathLike[str] | bytes | BinaryIO) -> tuple[pd.DataFrame, tuple[str, ...]]:
    """Return the table, and what it rests on that all of its cells told together how each was read.

    The names in a file's first line tell whether it is written as programs do. If so, each line and each score is read
    by itself, whatever stands in others; the settings are no records' and may be of one type in a column.
    """
    if isinstance(source, pd.DataFrame):
        return source, (READ_JOINTLY,) if "marks" in source.attrs else ()
    packed = read(source)
    with reading("The file", len(packed)) as budget:
        data = unpacked(packed, budget)
    head = data[:MOST_HEAD].decode("utf-8-sig", errors="replace").lstrip("\r\n")
    if not recognised(next(csv.reader(io.StringIO(head)), [])):
        return load_table(data), (READ_JOINTLY,)
    table = load_cells(data)
    settings = [name for name in table.columns if not _SCORES.fullmatch(name)]
    typed = pd.read_csv(io.StringIO(table[settings].to_csv(index=False))) if settings else table[settings]
    return table.assign(**{name: typed[name] for name in settings}), ()


READ_JOINTLY = (
    "It holds if how the scores are written was known before anyone looked at them. Nothing says so: all cells of the "
    "table told together, so one record's scores, written otherwise, may move the others'."
)
MOST_HEAD = 1_000_000  # So many bytes hold the names of any table.


Read = tuple[list[Setting], Array, Kind, tuple[str, ...]]


def records_of(kind: Kind, columns: int, records: int | None, *, each: bool) -> int:
    """Return over how many records a column is a mean at least. ``each``: several columns are one record each.

    ``records`` is the number of all of them. Raises DataError where it is needed and missing, or cannot be.
    """
    if kind == "parts":
        return 1
    if kind == "validation" and columns > 1 and each:
        if records not in (None, columns):
            raise DataError(
                f"records is {records}, but there are {columns} columns, one for each record; leave it out."
            )
        return 1
    if records is None:
        raise DataError(
            "The scores are means and records is missing, so nothing says how little one record moves them: say how "
            "many records were scored in all, or bring a column for each record or part."
        )
    if whole("records", records) < columns:
        raise DataError(f"records is {records}, but there are {columns} folds; it is the number of records in all.")
    return int(records) // columns


def _scikit_learn(table: pd.DataFrame, metric: str | None, kind: Kind | None) -> Read:
    if {"iter", "n_resources"} <= set(table.columns):
        raise DataError(
            "The table is that of a halving search, whose later settings depend on the scores of the earlier ones: "
            "run a grid or random search over all settings instead."
        )
    splits = {name: found for name in table.columns if (found := re.fullmatch(r"split\d+_test_(.+)", name))}
    metrics = sorted({found[1] for found in splits.values()})
    if not metrics:
        raise DataError(
            "The table has no split…_test_… columns, and mean_test_score alone does not say of how many folds it is "
            "the mean: bring cv_results_ with all its columns."
        )
    if metric is None and len(metrics) > 1:
        raise DataError(f"The table has {len(metrics)} metrics; say metric= one of {', '.join(map(repr, metrics))}.")
    if metric is not None and metric not in metrics:
        raise DataError(f"metric is {metric!r}; the table has {', '.join(map(repr, metrics))}.")
    used = metric or metrics[0]
    columns = [name for name, found in splits.items() if found[1] == used]
    default: Kind = "folds" if len(columns) > 1 else "validation"
    if NOT_MEANS.search(used) and (kind or default) != "parts":
        raise DataError(
            f"{used!r} is no mean over records, so one record can move it by more than range/m: use a metric that is "
            "one, such as accuracy, or score in parts that share no record (kind='parts')."
        )
    settings = _settings(table, "param_")
    if "params" in table.columns:
        written = [_literal(cell) for cell in table["params"]]
        understood = [each for each in written if isinstance(each, dict)]
        settings = understood if len(understood) == len(written) else settings
    return settings, _numbers(table, columns), default, ()


def _optuna(table: pd.DataFrame, sampler: str | None) -> Read:
    if any(name.startswith("values_") for name in table.columns):
        raise DataError(SEVERAL)
    check_states([str(state) for state in table["state"]], [int(number) for number in table["number"]])
    grid = "system_attrs_grid_id" in table.columns and bool(table["system_attrs_grid_id"].notna().all())
    adaptive = any(ADAPTIVE.match(name.removeprefix("system_attrs_")) for name in table.columns)
    if adaptive or (sampler not in UNADAPTIVE and not (sampler is None and grid)):
        raise DataError(
            "Optuna's table must come from a sampler that does not look at scores: say sampler='grid', 'random' or "
            "'quasi-random' if it was one, or run the study again with one, because the list that an adaptive sampler "
            "(TPE is the default) tries depends on the records itself."
        )
    conditions = () if "system_attrs_fixed_params" not in table.columns else (ENQUEUED,)
    settings = _settings(table, "params_")
    for word in KINDS:
        name = f"user_attrs_{word}s"
        if name in table.columns:
            written = [re.sub(r"\bnan\b", "None", cell) if isinstance(cell, str) else cell for cell in table[name]]
            return settings, lists([_literal(cell) for cell in written], f"{word}s"), KINDS[word], conditions
    if "value" not in table.columns:
        raise DataError("The table has no column 'value'; bring trials_dataframe() with its values.")
    return settings, _numbers(table, ["value"]), "validation", conditions


SEVERAL = "The study has several objectives; publish one with a single objective."
ENQUEUED = "Trials that were enqueued by hand were so before any score was known."


def check_states(states: Sequence[str], numbers: Sequence[int]) -> None:
    """Raise DataError unless every trial is complete."""
    for state, number in zip(states, numbers, strict=True):
        if state == "PRUNED":
            raise DataError(
                f"Trial {number} was pruned, which depends on its scores and so on the records: run the study without "
                "a pruner (optuna.pruners.NopPruner())."
            )
        if state != "COMPLETE":
            raise DataError(
                f"Trial {number} is {state.lower()}, and which trials count must not depend on the records: return the "
                "worst score of its part where training fails, or remove it if it fails whatever they are."
            )


def lists(cells: Sequence[object], what: str) -> Array:
    """Return one row for each list of numbers. Raises DataError unless all are lists of the same length."""
    try:
        rows = [np.asarray(cell, dtype=float) for cell in cells]
        if rows and {row.shape for row in rows} == {(len(rows[0]),)}:
            return np.vstack(rows)
    except (TypeError, ValueError):
        pass
    raise DataError(f"The user attribute {what!r} must be a list of numbers in every trial, all of the same length.")


def _plain(table: pd.DataFrame) -> Read:
    columns = [name for name in table.columns if _COLUMN.fullmatch(name)]
    words = {str(_COLUMN.fullmatch(name)[1] or "score").lower() for name in columns}  # type: ignore[index]
    if len(words) != 1:
        raise DataError(
            "The table is neither scikit-learn's cv_results_ nor Optuna's trials_dataframe(), so its columns of scores "
            "must be called part 1, part 2, …, or fold 1, …, or record 1, …, or score; the others are the setting."
        )
    counted = next((name for name in table.columns if name == "column 1" or name.startswith("Unnamed")), None)
    others = [name for name in table.columns if name not in columns]
    if counted is not None and counted in others and table[counted].tolist() == list(range(len(table))):
        others.remove(counted)  # the index that pandas writes
    (word,) = words
    long = [name for name in others if LONG.fullmatch(name)]
    others = [name for name in others if name not in long and not REPEAT.fullmatch(name)]
    at = long[0] if word == "score" and len(long) == 1 else None
    if at is None and (many := [name for name in long if word == "score" or not REPEAT.fullmatch(name)]):
        raise DataError(
            f"{', '.join(map(repr, many))} and {columns[0]!r} all say of what a score is; keep one that does."
        )
    if not others:
        raise DataError("The table has scores only; add a column that names the setting of each row.")
    if at is not None:
        return _long(table, others, at, columns[0])
    return _settings(table[others], ""), _numbers(table, columns), KINDS.get(word, "validation"), ()


def _long(table: pd.DataFrame, others: list[str], at: str, score: str) -> Read:
    """Return a row for each setting and fold (part, record) as columns of these; each repeat has a row of its own."""
    rows, values = _settings(table[others], ""), _numbers(table, [score])[:, 0]
    if table[at].isna().any():
        raise DataError(
            f"Column {at!r} is empty in row {int(table[at].isna().argmax()) + 1}; every score is of one of them."
        )
    which = pd.factorize(table[at], sort=True)[0]
    keys = [repr(list(setting.items())) for setting in rows]
    again = pd.DataFrame({"key": keys, "which": which}).groupby(["key", "which"]).cumcount()
    places: dict[tuple[str, int], int] = {}
    at_row = [places.setdefault(place, len(places)) for place in zip(keys, again, strict=True)]
    wide = np.full((len(places), which.max() + 1), np.nan)
    wide[at_row, which] = values
    settings = dict(zip(at_row, rows, strict=True))
    word = LONG.fullmatch(at)[2].lower()  # type: ignore[index]
    return [settings[row] for row in range(len(places))], wide, KINDS.get(word, "folds"), ()


def _settings(table: pd.DataFrame, prefix: str) -> list[Setting]:
    """Return the cells of the columns with that prefix, by the name without it; a missing one is not in its setting."""
    columns = [name for name in table.columns if name.startswith(prefix)]
    if not columns:
        raise DataError(f"The table has no {prefix}… columns, so there is no setting to publish.")
    cells = table[columns].astype(object).where(table[columns].notna(), None)
    return [
        {
            str(name).removeprefix(prefix): cell.item() if isinstance(cell, np.generic) else cell
            for name, cell in row.items()
            if cell is not None
        }
        for row in cells.to_dict("records")
    ]


def _numbers(table: pd.DataFrame, columns: list[str]) -> Array:
    """Return columns of scores, NaN where there is no number. Raises DataError where most of a column is none."""
    values = np.empty((len(table), len(columns)))
    for place, name in enumerate(columns):
        cells = table[name]
        if "marks" in table.attrs:
            voted = numbers(cells, decimal_mark(table))
            amounts, unreadable = voted.amounts, voted.unreadable
        else:
            amounts = PLAIN.amounts(cells)
            unreadable = np.isnan(amounts) & (cells.notna() & (cells.astype(str).str.strip() != "")).to_numpy()
        unusable(cells, name, {"not a number": unreadable})
        values[:, place] = amounts
    return values


def _literal(cell: object) -> object:
    """Return what a cell of text says as a Python literal, the cell itself if it says nothing."""
    if not isinstance(cell, str):
        return cell
    try:
        return ast.literal_eval(re.sub(r"\bnp\.\w+\(([^()]*)\)", r"\1", cell))  # NumPy's numbers, as it writes them
    except (ValueError, SyntaxError, MemoryError, RecursionError):
        return cell
