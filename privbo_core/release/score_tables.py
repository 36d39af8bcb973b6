"""Read a table of scores as tuning tools write it, and refuse one whose sensitivity is unknown."""

import ast
import io
import os
import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np
import pandas as pd

from privbo_core.data.rows import averaged
from privbo_core.data.tuning import UNSCORED, Decimals
from privbo_core.errors import Array, DataError
from privbo_core.release.scores import Kind, Scores, Setting
from privbo_core.release.studies import ADAPTIVE, ENQUEUED, KINDS, SEVERAL, check_states, records_of, stack_lists

UNADAPTIVE = ("grid", "random", "quasi-random")
"""The samplers that list settings without looking at scores."""
NOT_MEANS = re.compile(
    r"roc_auc|precision|recall|f1|jaccard|balanced|r2|d2|matthews|variance|median|max_error|root|_ratio|rand_score"
    r"|mutual_info|homogeneity|completeness|v_measure|fowlkes"
)
"""Metrics (by scikit-learn's names) that are not means over records, so that range/m does not bound their change."""
_SPLIT = re.compile(r"split\d+_test_(.+)")
_LISTS = re.compile(r"user_attrs_(part|fold|record)s")
_PLAIN = re.compile(r"(part|fold|record)s?[ _]?\d+|score", re.IGNORECASE)
_NUMBERED = re.compile(r"(part|fold|record) ?\d+", re.IGNORECASE)
_LABEL = re.compile(r"(cv[ _]?)?(fold|split|part|record)", re.IGNORECASE)
_NUMBER = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?", re.IGNORECASE)
MAX_HEADER_BYTES = 1_000_000

Read = tuple[list[Setting], Array, Kind, tuple[str, ...]]
"""The settings, their scores, the default kind of the scores, and the conditions."""


def read_scores(
    source: pd.DataFrame | str | os.PathLike[str] | bytes | BinaryIO,
    *,
    score_range: tuple[float, float] | None,
    parameters: Sequence[str] | None = None,
    records: int | None = None,
    decimals: Decimals = None,
    kind: Kind | None = None,
    sampler: str | None = None,
    metric: str | None = None,
) -> Scores:
    """Return the settings and scores of a table: a DataFrame, or a CSV file as a path, bytes or binary file.

    Three tables are recognised, as ``to_csv`` writes them:

    - ``GridSearchCV(...).cv_results_`` of scikit-learn, with its ``split…_test_…`` columns. ``metric`` names one of
      several metrics. The settings are its ``param_…`` columns.
    - ``study.trials_dataframe()`` of Optuna, with its ``value``, or the lists under a user attribute named "parts",
      "folds" or "records" (``trial.set_user_attr("parts", scores)``). ``sampler`` must be one of "grid", "random" and
      "quasi-random", because the table does not say, and the list of an adaptive sampler depends on the records. The
      settings are its ``params_…`` columns.
    - A plain table with columns "part 1", "part 2", …, or "fold 1", …, or "record 1", …, or one column "score". With
      one column "score", a column "fold", "part" or "record" may assign each row to one of these. ``parameters`` is
      required and names the columns of the settings.

    Only settings are ever published, and they are published unchanged, so none of their columns may be computed from
    the records. All other columns are dropped. ``parameters`` also narrows the settings of the other two tables.

    ``score_range`` is the worst and the best that a score can be. ``records`` is the number of records in the
    validation set, or, for folds, in the whole table that was split into folds whose sizes differ by at most one.
    ``decimals`` is the number of decimals that means over several records were rounded to, or "exact". Means are always
    refused without it, because a refusal that depends on their digits would reveal something about the records. For
    scores with k significant digits, count the decimals of the largest number in the range. ``kind`` is that of
    `Scores`. By default, scikit-learn's scores are "folds", or "validation" for one split, and the names of the columns
    decide for other tables.

    Each score is read independently of the others. A score that is not a number counts as missing. Rows with the same
    setting (seeds, repeats) are replaced by their mean. One record moves it by no more than the most that it moves any
    of them. If a column is a mean over several records, rows without a score are left out and counted in ``notes``, and
    the guarantee gets a condition. The labels of folds, parts and records count as public. Raises DataError if the
    sensitivity of the scores is unknown.
    """
    if score_range is None:
        raise DataError(
            "score_range is missing, and without bounds one record could move a score by any amount. Give the worst "
            "and the best that a score can be, such as (0, 1) for accuracy, and clip scores that have no bounds."
        )
    table = _opened(source)
    names = [str(name) for name in table.columns]
    if again := [name for place, name in enumerate(names) if name in names[:place]]:
        raise DataError(f"The table has two columns called {again[0]!r}. Rename one of them.")
    if isinstance(parameters, str):
        parameters = [parameters]
    table = table.set_axis(names, axis=1).reset_index(drop=True)
    if _is_scikit_learn(names):
        settings, values, default, conditions = _scikit_learn(table, parameters, metric, kind)
    elif _is_optuna(names):
        settings, values, default, conditions = _optuna(table, parameters, sampler)
    else:
        settings, values, default, conditions = _plain(table, parameters)
    chosen = kind or default
    shares = records_of(chosen, values.shape[1], records, each=default == "validation")
    notes: tuple[str, ...] = ()
    if chosen != "parts" and shares > 1 and np.isnan(values).any():
        scored = np.flatnonzero(~np.isnan(values).any(axis=1))
        notes = (f"{len(values) - len(scored):,} of {len(values):,} rows have no score and were left out.",)
        conditions = (*conditions, UNSCORED)
        settings, values = [settings[row] for row in scored], values[scored]
    scores = Scores(tuple(settings), values, score_range, chosen, shares, conditions, 0.0, notes, decimals)
    # Each score is moved into the range before it is averaged with others of the same setting.
    means = averaged([repr(list(setting.items())) for setting in settings], scores.bounded - scores.low)
    if means.variance is None:
        return scores
    return replace(
        scores,
        settings=tuple(settings[row] for row in means.rows),
        values=np.clip(means.means + scores.low, scores.low, scores.high),
        noise=means.noise,
        notes=(*notes, means.note("settings")),
    )


def recognised(names: Sequence[str]) -> bool:
    """Return whether these are the columns of a table that a tuning tool wrote, or of a plain table of scores."""
    long = "score" in names and any(map(_LABEL.fullmatch, names))
    return _is_scikit_learn(names) or _is_optuna(names) or long or any(map(_NUMBERED.fullmatch, names))


def unnamed_parameters(names: Sequence[str]) -> list[str]:
    """Return the columns of a plain table that may be parameters. A tool's own table names its parameters itself."""
    if _is_scikit_learn(names) or _is_optuna(names):
        return []
    return [name for name in names if not (_PLAIN.fullmatch(name) or _LABEL.fullmatch(name))]


def _is_scikit_learn(names: Sequence[str]) -> bool:
    return "params" in names or any(name.startswith("param_") for name in names)


def _is_optuna(names: Sequence[str]) -> bool:
    return {"state", "number"} <= set(names)


def _opened(source: pd.DataFrame | str | os.PathLike[str] | bytes | BinaryIO) -> pd.DataFrame:
    """Return the table with its scores as they are written, so that no score decides how another one is read."""
    if isinstance(source, pd.DataFrame):
        return source
    if isinstance(source, (str, os.PathLike)):
        data = Path(source).read_bytes()
    else:
        data = source if isinstance(source, bytes) else source.read()
    header = data[:MAX_HEADER_BYTES].decode("utf-8-sig", errors="replace").lstrip("\r\n").partition("\n")[0]
    separator = max(",;\t", key=header.count)
    written: dict[str, Any] = {"sep": separator, "decimal": "," if separator == ";" else ".", "encoding": "utf-8-sig"}
    try:
        names = list(pd.read_csv(io.BytesIO(data), nrows=0, encoding_errors="replace", **written).columns)
        as_text = {name: str for name in names if _SPLIT.fullmatch(name) or _PLAIN.fullmatch(name) or name == "value"}
        table: pd.DataFrame = pd.read_csv(io.BytesIO(data), converters=as_text, encoding_errors="replace", **written)
    except (pd.errors.ParserError, pd.errors.EmptyDataError) as error:
        raise DataError(f"The file is not a table of comma-separated values: {error}.") from None
    return table


def _scikit_learn(table: pd.DataFrame, parameters: Sequence[str] | None, metric: str | None, kind: Kind | None) -> Read:
    if {"iter", "n_resources"} <= set(table.columns):
        raise DataError(
            "The table is that of a halving search, whose later settings depend on the scores of the earlier ones. "
            "Instead, run a grid or random search over all settings."
        )
    splits = {name: found[1] for name in table.columns if (found := _SPLIT.fullmatch(name))}
    metrics = sorted(set(splits.values()))
    if not metrics:
        raise DataError(
            "The table has no split…_test_… columns, and mean_test_score alone does not tell how many folds it is a "
            "mean of. Bring cv_results_ with all its columns."
        )
    if metric is None and len(metrics) > 1:
        raise DataError(f"The table has {len(metrics)} metrics. Set metric to one of {', '.join(map(repr, metrics))}.")
    if metric is not None and metric not in metrics:
        raise DataError(f"metric is {metric!r}. The table has {', '.join(map(repr, metrics))}.")
    used = metric or metrics[0]
    columns = [name for name, found in splits.items() if found == used]
    default: Kind = "folds" if len(columns) > 1 else "validation"
    if NOT_MEANS.search(used) and (kind or default) != "parts":
        raise DataError(
            f"{used!r} is not a mean over records, so one record can move it by more than range/m. Use a metric that "
            "is one, such as accuracy, or score in parts that share no record (kind='parts')."
        )
    written = [_literal(cell) for cell in table["params"]] if "params" in table.columns else []
    dictionaries = [cell for cell in written if isinstance(cell, dict)]
    if dictionaries and len(dictionaries) == len(table):
        names = list(dict.fromkeys(name for setting in dictionaries for name in setting))
        return _named(dictionaries, names, parameters), _numbers(table, columns), default, ()
    return _settings(table, "param_", parameters), _numbers(table, columns), default, ()


def _optuna(table: pd.DataFrame, parameters: Sequence[str] | None, sampler: str | None) -> Read:
    if any(name.startswith("values_") for name in table.columns):
        raise DataError(SEVERAL)
    check_states([str(state) for state in table["state"]], [int(number) for number in table["number"]])
    grid = "system_attrs_grid_id" in table.columns and bool(table["system_attrs_grid_id"].notna().all())
    adaptive = any(ADAPTIVE.match(name.removeprefix("system_attrs_")) for name in table.columns)
    if adaptive or (sampler not in UNADAPTIVE and not (sampler is None and grid)):
        raise DataError(
            "Optuna's table must come from a sampler that does not look at scores, because the settings that an "
            "adaptive sampler (TPE is the default) tries depend on the records. Set sampler='grid', 'random' or "
            "'quasi-random' if it was one of these, or run the study again with one."
        )
    conditions = () if "system_attrs_fixed_params" not in table.columns else (ENQUEUED,)
    settings = _settings(table, "params_", parameters)
    for name in filter(_LISTS.fullmatch, table.columns):
        word = name.removeprefix("user_attrs_")
        cells = [re.sub(r"\bnan\b", "None", cell) if isinstance(cell, str) else cell for cell in table[name]]
        return settings, stack_lists(list(map(_literal, cells)), word), KINDS[word.removesuffix("s")], conditions
    if "value" not in table.columns:
        raise DataError("The table has no column 'value'. Bring trials_dataframe() with its values.")
    return settings, _numbers(table, ["value"]), "validation", conditions


def _plain(table: pd.DataFrame, parameters: Sequence[str] | None) -> Read:
    columns = [name for name in table.columns if _PLAIN.fullmatch(name)]
    words = {re.sub(r"s?[ _]?\d+", "", name).lower() for name in columns}
    if len(words) != 1:
        raise DataError(
            "The table is neither scikit-learn's cv_results_ nor Optuna's trials_dataframe(), so its columns of scores "
            "must be called part 1, part 2, …, or fold 1, …, or record 1, …, or score."
        )
    if not parameters:
        others = ", ".join(map(repr, unnamed_parameters(list(table.columns)))) or "none"
        raise DataError(
            "parameters is missing. Name the columns that are settings. They are published unchanged, so none of them "
            f"may be computed from the records. The columns besides the scores are {others}."
        )
    settings = _settings(table, "", parameters)
    if set(parameters) & set(columns):
        raise DataError(f"parameters names the column of scores {min(set(parameters) & set(columns))!r}.")
    (word,) = words
    labels = [name for name in table.columns if _LABEL.fullmatch(name) and name not in parameters]
    if word != "score" or not labels:
        return settings, _numbers(table, columns), KINDS.get(word, "validation"), ()
    if len(labels) > 1:
        raise DataError(
            f"{', '.join(map(repr, labels))} all tell what a score belongs to. Keep one of these columns, or name "
            "the others as parameters."
        )
    return _long(table, settings, labels[0], columns[0])


def _long(table: pd.DataFrame, settings: list[Setting], label: str, score: str) -> Read:
    """Return a row for each setting and a column for each fold, part or record. Each repeat has a row of its own."""
    values = _numbers(table, [score])[:, 0]
    if table[label].isna().any():
        raise DataError(
            f"Column {label!r} is empty in row {int(table[label].isna().argmax()) + 1}. Fill it in every row."
        )
    column = pd.factorize(table[label], sort=True)[0]
    keys = [repr(list(setting.items())) for setting in settings]
    repeat = pd.DataFrame({"key": keys, "column": column}).groupby(["key", "column"]).cumcount()
    rows: dict[tuple[str, int], int] = {}
    at = [rows.setdefault(key, len(rows)) for key in zip(keys, repeat, strict=True)]
    wide = np.full((len(rows), column.max() + 1), np.nan)
    wide[at, column] = values
    setting_of = dict(zip(at, settings, strict=True))
    word = label.lower().removeprefix("cv").lstrip(" _")
    return [setting_of[row] for row in range(len(rows))], wide, KINDS.get(word, "folds"), ()


def _settings(table: pd.DataFrame, prefix: str, parameters: Sequence[str] | None) -> list[Setting]:
    """Return the cells of the columns with a prefix, by the name without it. Missing cells are not in a setting."""
    columns = {name.removeprefix(prefix): name for name in table.columns if name.startswith(prefix)}
    if not columns:
        raise DataError(f"The table has no {prefix}… columns, so there is no setting to publish.")
    chosen = table[list(columns.values())].set_axis(list(columns), axis=1)
    rows = chosen.astype(object).where(chosen.notna(), None).to_dict("records")
    filled = [{str(name): cell for name, cell in row.items() if cell is not None} for row in rows]
    return _named(filled, list(columns), parameters)


def _named(
    settings: Sequence[Mapping[str, object]], names: Sequence[str], parameters: Sequence[str] | None
) -> list[Setting]:
    """Return the settings with only the ``parameters`` (all if None), and with NumPy numbers as Python's own."""
    if unknown := [name for name in parameters or () if name not in names]:
        raise DataError(f"No parameter is called {unknown[0]!r}. The columns are {', '.join(map(repr, names))}.")
    return [
        {
            name: cell.item() if isinstance(cell, np.generic) else cell
            for name, cell in setting.items()
            if parameters is None or name in parameters
        }
        for setting in settings
    ]


def _numbers(table: pd.DataFrame, columns: list[str]) -> Array:
    """Return columns of scores, each cell read independently. Raises DataError if none of them is a number."""
    values = np.array([[_number(cell) for cell in table[name]] for name in columns], dtype=float).T
    if len(table) and np.isnan(values).all():
        raise DataError(f"Not one score in the column {columns[0]!r} is a number. Write them as 0.85.")
    return values


def _number(cell: object) -> float:
    """Return a cell as a number, or NaN if it is not a number. A comma is read as a decimal mark."""
    if isinstance(cell, str):
        text = cell.strip().replace(",", ".")
        return float(text) if _NUMBER.fullmatch(text) else np.nan
    if not isinstance(cell, (int, float, np.number, np.bool_)) or not np.isfinite(cell):
        return np.nan
    return float(cell)


def _literal(cell: object) -> object:
    """Return the Python literal in a cell, or the cell itself if it contains none."""
    if not isinstance(cell, str):
        return cell
    try:
        return ast.literal_eval(re.sub(r"\bnp\.\w+\(([^()]*)\)", r"\1", cell))  # NumPy's numbers, as it writes them
    except (ValueError, SyntaxError, MemoryError, RecursionError):
        return cell
