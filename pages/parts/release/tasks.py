"""The example of tuning where training is private too: its settings, and what results/choosing.json holds of it."""

import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from itertools import product
from typing import Any, TypeVar

import numpy as np
import pandas as pd
import streamlit as st

from pages.parts.shell.address import choose
from pages.parts.table.own_table import own_table
from pages.parts.table.upload import bring_table, chosen, made, say_outcome
from pages.parts.views.content import Sample, known, plainly
from pages.parts.views.drawing import note
from pages.parts.views.text import as_markdown
from privbo_core.data import TASKS, TuningTask, logistic_task, task_from_table, tuning_task
from privbo_core.data.rows import read_column, usable
from privbo_core.data.tuning import Decimals
from privbo_core.errors import DataError
from privbo_core.release import Scores, read_scores, task_from_scores
from privbo_core.release.score_tables import UNADAPTIVE, recognised, unnamed_parameters

EPSILONS = (0.3, 1.0, 3.0)
DELTA = 1e-5
THRESHOLD = 3.0  # mg/dL, a round number near the middle: the label is whether kappa and lambda together are above it.
SETTINGS = tuple(product((5, 10, 30, 100), (0.3, 1.0, 3.0, 10.0, 30.0)))
TRAINERS, VALIDATORS = 4000, 1300
MEAN = 20

GEOMETRIC, LOGARITHMIC, POISSON = "best of tries, η = 1", "best of tries, η = 0", "best of tries, Poisson"
EACH, UNTUNED = "every setting once, composed", "one setting, not tuned"
EACH_OF_MANY, TRIES_OF_MANY = "every one of 200 settings once, composed", "best of tries of 200 settings, Poisson"
VALIDATION_ONLY, NOT_PRIVATE = "permute-and-flip, training not private", "not private"


@dataclass(frozen=True)
class Reached:
    """What share of 1,224 other records the published model tells right, over runs with other splits and dice.

    ``covers``: whose records the ε is about.
    """

    way: str
    covers: str
    epsilon: float | None
    delta: float
    runs: int
    mean: float
    standard_error: float


SCORES, DATASET = "my scores", "my dataset"
TITLES = {SCORES: "My own table of settings and scores", DATASET: "My own dataset, to tune a classifier on"}
WANTED = {
    SCORES: "one row per setting: scikit-learn’s cv_results_, Optuna’s trials_dataframe(), or parameters and a score",
    DATASET: "one row per record: numbers, and one column with two kinds of labels",
}
MOST_CANDIDATES, MOST_ROWS = 5000, 5000
TASK = made("tuning task")
Made = TypeVar("Made", TuningTask, Scores)
USES = {"scores": "The score is", "dataset": "The label is"}
"""What the column is for that an own table's task rests on: one is proposed before anybody is asked."""
NOT_SAID = "not said"
_METRIC = re.compile(r"split\d+_test_(.+)")


def pick_task() -> TuningTask | None:
    """Show the picker and return the chosen task, or None while there is none; a sentence says what is missing."""
    offered = {**{name: tuning_task(name).title for name in TASKS}, **TITLES}
    pick = partial(choose, st.selectbox, "What is tuned", list(offered), persist_state="session")
    name = pick(key="task", format_func=offered.__getitem__)
    return tuning_task(name) if name in TASKS else bring_task(name)


def bring_task(kind: str) -> TuningTask | None:
    """Show the form for a table of scores or a data set of the visitor's, and return the task that it makes.

    Return None while something is missing. A sentence says what it is.
    """
    made_before: tuple[object, TuningTask] | None = st.session_state.get(TASK)
    with st.expander("Your file", expanded=made_before is None or made_before[1].records is None):
        table = bring_table()
        if table is None:
            st.info(f"Choose a CSV file with {WANTED[kind]}. It stays in this session’s memory and goes nowhere else.")
            return None
        try:
            task = _scores(table) if kind == SCORES else _dataset(table)
        except (DataError, ValueError) as problem:
            st.error(as_markdown(str(problem)))
            return None
    if task is not None and (use := USES.get(made_of()[0])):
        note(f"{use} the column “{made_of()[1]}”. Choose another in “Your file”.")
    return task


def _scores(table: pd.DataFrame) -> TuningTask | None:
    if recognised([str(name) for name in table.columns]):
        choice, scores = ask_of_results(table, own_table().content)
        _say(scores.notes)
        return _once(choice, lambda: task_from_scores(scores))
    numbers, first = _numbers(), own_table().proposed()
    if len(numbers) < 2:
        there = f"{len(numbers)} column{'' if len(numbers) == 1 else 's'} of numbers"
        fault = f"The table has {there}; a parameter and a score are needed. {first.left_out_note()}"
        raise DataError(fault.strip())
    if len(table) > MOST_CANDIDATES:
        raise DataError(f"The table has {len(table):,} rows; at most {MOST_CANDIDATES:,} candidates can be shown live.")
    offered = [name for name in numbers if name not in first.left_out] or numbers
    likely = first.outcome if first.outcome in offered else offered[-1]
    score = st.selectbox("Score", offered, index=offered.index(likely), key=chosen("score"))
    say_outcome(first, score)
    others = [column for column in numbers if column != score]
    start = [column for column in others if column in offered and column not in first.repeats]
    parameters = st.multiselect("Parameters", others, default=start[:2], key=chosen("parameters"))
    _say((first.left_out_note(parameters),))
    columns = {name: read_column(table, name) for name in parameters}
    wide = [name for name, cells in columns.items() if cells.min() > 0 and cells.max() >= 100 * cells.min()]
    logs = st.multiselect("… on a logarithmic scale", parameters, default=wide, key=chosen("logarithmic"))
    maximize = st.segmented_control("Better is", ["higher", "lower"], default="higher", required=True) == "higher"
    records = st.number_input("m: validation records behind each score (0: not known)", 0, 10_000_000, 0)
    meant = "The most that one record can add to a score, less the least: 1 where a record is told right or wrong."
    width = st.number_input("Range of one record’s contribution", 1e-9, 1e9, 1.0, help=meant)
    decimals = _decimals()
    if not parameters:
        st.info("Choose at least one parameter.")
        return None
    known: dict[str, Any] = {"logarithmic": logs, "maximize": maximize, "largest_loss": width}
    known |= {"records": int(records) or None, "decimals": decimals}
    choice = "scores", score, tuple(parameters), tuple(logs), maximize, records, width, decimals
    task = _once(choice, lambda: task_from_table(table, parameters, score, **known))
    _say(task.notes)
    return task


def _numbers() -> list[str]:
    return [column.name for column in own_table().kinds if column.kind == "number"]


def ask_of_results(table: pd.DataFrame, content: bytes) -> tuple[tuple[object, ...], Scores]:
    """Show what has to be said; return that and the scores in the file.

    Raises DataError on what gives no sensitivity.
    """
    names = [str(name) for name in table.columns]
    metrics = sorted({match[1] for name in names if (match := _METRIC.fullmatch(name))})
    st.text("A tuning tool’s table: a score for each setting and fold, part or record.")
    worst, best = st.columns(2)
    low = worst.number_input("Worst possible score", value=0.0, key=chosen("worst"), format="%g")
    high = best.number_input("Best possible score", value=1.0, key=chosen("best"), format="%g")
    records = st.number_input("Records scored in all (0: a column for each)", 0, 10_000_000, 0, key=chosen("records"))
    metric = st.selectbox("Metric", metrics, key=chosen("metric")) if len(metrics) > 1 else None
    sampler = NOT_SAID
    if {"state", "number"} <= set(names):
        sampler = st.selectbox("Sampler of the study", [NOT_SAID, *UNADAPTIVE], key=chosen("sampler"))
    options: dict[str, Any] = {"score_range": (low, high), "records": int(records) or None, "metric": metric}
    if offered := unnamed_parameters(names):
        ticked = st.multiselect("Columns that are settings", offered, key=chosen("parameters"))
        options["parameters"] = tuple(ticked) or None
    options |= {"sampler": None if sampler == NOT_SAID else sampler, "decimals": _decimals()}
    choice = tuple(options.items())
    return ("results", choice), _once(choice, lambda: read_scores(content, **options), made("scores read"))


def _decimals() -> Decimals:
    """Ask to how many decimals the mean scores were rounded."""
    help = "If m records stand behind each score, one record can move a rounded mean by more than its share."
    offered: list[Decimals] = [None, "exact", *range(16)]
    titles = {None: NOT_SAID, "exact": "they were not rounded"}
    return st.selectbox(
        "Decimals that the scores were rounded to",
        offered,
        key=chosen("decimals"),
        help=help,
        format_func=lambda each: titles.get(each, str(each)),
    )


def _say(notes: tuple[str, ...]) -> None:
    if text := " ".join(notes).strip():
        note(text)


def _dataset(table: pd.DataFrame) -> TuningTask | None:
    two = [str(column) for column in table.columns if table[column].nunique(dropna=True) == 2]
    if not two:
        raise DataError("No column has exactly two kinds of entries; the label needs one: choose another table.")
    label = st.selectbox("Label", two, index=len(two) - 1, key=chosen("label"))
    first, numbers = own_table().proposed(), [name for name in _numbers() if name != label]
    start = [name for name in numbers if name not in first.left_out]
    features = st.multiselect("Features", numbers, default=start[:10], key=chosen("features"))
    _say((first.left_out_note(features),))
    if not features:
        st.info("Choose at least one column of numbers as a feature.")
        return None
    read = usable(table, features, [label])
    rows = pd.DataFrame(read.amounts, columns=features).assign(**{label: read.labels[0]})
    if len(rows) < 20:
        raise DataError(
            f"{len(rows)} rows are complete; at least 20 are needed to train, to fix the prior, to validate."
        )
    _say(read.notes)
    if len(rows) > MOST_ROWS:
        rows = rows.sample(MOST_ROWS, random_state=0)
    train, public = len(rows) // 5, len(rows) // 4
    validation = len(rows) - train - public - len(rows) // 10
    st.markdown(
        f"{train} rows train, {public} fix the prior (neither is protected), {validation} validate and are protected; "
        f"the rest are in reserve. {f'A random {MOST_ROWS:,} rows are used.' if len(rows) == MOST_ROWS else ''}"
    )
    how: dict[str, Any] = {"train": train, "public": public, "validation": validation, "rng": np.random.default_rng(0)}
    how["title"] = "Logistic regression on your data"
    choice = "dataset", label, tuple(features)
    return _once(choice, lambda: logistic_task(rows[features].to_numpy(float), rows[label], **how))


def _once(choice: tuple[object, ...], make: Callable[[], Made], key: str = TASK) -> Made:
    """Return what is made of the session's table by this choice of columns, making it only when that changed."""
    before: tuple[tuple[object, ...], Made] | None = st.session_state.get(key)
    if before is None or before[0] != choice:
        before = st.session_state[key] = (choice, make())
    return before[1]


def task_brought() -> bool:
    """Return whether the visitor has brought a table."""
    return own_table().table is not None


def made_of() -> tuple[Any, ...]:
    choice: tuple[Any, ...] = st.session_state[TASK][0]
    return choice


def spoken_of(task: TuningTask) -> Sample:
    own = plainly("task", setting="; ".join(task.names)) if task.loss is None else plainly("dataset")
    return known(task.identity or "") or own
