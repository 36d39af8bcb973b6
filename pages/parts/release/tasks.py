"""What is tuned: a task that comes with PrivBO, an uploaded table of scores, or an uploaded dataset to tune on."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pandas as pd
import streamlit as st

from pages.parts.bring.first import described, proposed, say_outcome
from pages.parts.bring.table import bring_table, chosen, made
from pages.parts.frame.address import choose
from pages.parts.frame.session import CONTENT
from pages.parts.release.own.ask import ask
from pages.parts.show.show import note
from pages.parts.values.samples import Sample, known, plainly
from pages.parts.values.text import as_markdown
from privbo_core.data import TASKS, TuningTask, logistic_task, task_from_table, tuning_task
from privbo_core.data.reading.rows import read_column, usable
from privbo_core.errors import DataError
from privbo_core.tuning import listed
from privbo_core.tuning.read import recognised

SCORES, DATASET = "my scores", "my dataset"
TITLES = {SCORES: "My own table of settings and scores", DATASET: "My own dataset, to tune a classifier on"}
MOST_CANDIDATES, MOST_ROWS = 5000, 5000
TASK = made("tuning task")


def pick_task() -> TuningTask | None:
    """Show the picker and return the chosen task, or None while there is none; what is missing is said in a sentence."""
    name = choose(
        st.selectbox,
        "What is tuned",
        [*TASKS, SCORES, DATASET],
        key="task",
        format_func=_title,
        persist_state="session",
    )
    if name in TASKS:
        return tuning_task(name)
    with st.expander("Your file", expanded=st.session_state.get(TASK) is None):
        table = bring_table()
        if table is None:
            wanted = "one row per setting: scikit-learn’s cv_results_, Optuna’s trials_dataframe(), or parameters and a score" if name == SCORES else (
                "one row per record: numbers, and one column with two kinds of labels"
            )  # fmt: skip
            st.info(f"Choose a CSV file with {wanted}. It stays in this session’s memory and goes nowhere else.")
            return None
        try:
            return _scores(table) if name == SCORES else _dataset(table)
        except (DataError, ValueError) as problem:
            st.error(as_markdown(str(problem)))
            return None


def _title(name: str) -> str:
    return TITLES.get(name) or tuning_task(name).title


def _scores(table: pd.DataFrame) -> TuningTask | None:
    if recognised([str(name) for name in table.columns]):
        choice, scores = ask(table, st.session_state[CONTENT])
        _tell(scores.notes)
        return _once(choice, lambda: listed(scores))
    numbers = [column.name for column in described(table) if column.kind == "number"]
    first = proposed(table)
    if len(numbers) < 2:
        found = f"{len(numbers)} column{'' if len(numbers) == 1 else 's'} of numbers"
        said = f"The table has {found}; a parameter and a score are needed. {first.left_out_said()}"
        raise DataError(said.strip())
    if len(table) > MOST_CANDIDATES:
        raise DataError(f"The table has {len(table):,} rows; at most {MOST_CANDIDATES:,} candidates can be shown live.")
    offered = [name for name in numbers if name not in first.left_out] or numbers
    likely = first.outcome if first.outcome in offered else offered[-1]
    score = st.selectbox("Score", offered, index=offered.index(likely), key=chosen("score"))
    say_outcome(first, score)
    others = [column for column in numbers if column != score]
    start = [column for column in others if column in offered and column not in first.repeats]
    parameters = st.multiselect("Parameters", others, default=start[:2], key=chosen("parameters"))
    _tell((first.left_out_said(parameters),))
    columns = {name: read_column(table, name) for name in parameters}
    wide = [name for name, cells in columns.items() if cells.min() > 0 and cells.max() >= 100 * cells.min()]
    logs = st.multiselect("… on a logarithmic scale", parameters, default=wide, key=chosen("logarithmic"))
    maximize = st.segmented_control("Better is", ["higher", "lower"], default="higher", required=True) == "higher"
    records = st.number_input("m: validation records behind each score (0: not known)", 0, 10_000_000, 0)
    width = st.number_input("Range of one record’s contribution", 1e-9, 1e9, 1.0)
    if not parameters:
        st.info("Choose at least one parameter.")
        return None
    choice = ("scores", score, tuple(parameters), tuple(logs), maximize, records, width)
    task = _once(
        choice,
        lambda: task_from_table(
            table, parameters, score, logarithmic=logs, maximize=maximize, records=int(records) or None, largest_loss=width
        ),
    )  # fmt: skip
    _tell(task.notes)
    return task


def _tell(notes: tuple[str, ...]) -> None:
    """Say what was done to the rows of a table."""
    if said := " ".join(notes).strip():
        note(said)


def _dataset(table: pd.DataFrame) -> TuningTask | None:
    two = [str(column) for column in table.columns if table[column].nunique(dropna=True) == 2]
    if not two:
        raise DataError("No column has exactly two kinds of entries; one is needed as the label.")
    label = st.selectbox("Label", two, index=len(two) - 1, key=chosen("label"))
    first = proposed(table)
    numbers = [column.name for column in described(table) if column.kind == "number" and column.name != label]
    start = [name for name in numbers if name not in first.left_out]
    features = st.multiselect("Features", numbers, default=start[:10], key=chosen("features"))
    _tell((first.left_out_said(features),))
    if not features:
        st.info("Choose at least one column of numbers as a feature.")
        return None
    read = usable(table, features, [label])
    rows = pd.DataFrame(read.amounts, columns=features).assign(**{label: read.labels[0]})
    if len(rows) < 20:
        raise DataError(
            f"{len(rows)} rows are complete; at least 20 are needed to train, to fix the prior, to validate."
        )
    _tell(read.notes)
    if len(rows) > MOST_ROWS:
        rows = rows.sample(MOST_ROWS, random_state=0)
    train, public = len(rows) // 5, len(rows) // 4
    validation = len(rows) - train - public - len(rows) // 10
    st.markdown(
        f"{train} rows train, {public} fix the prior (neither is protected), {validation} validate and are protected; the rest "
        f"are in reserve. "
        f"{f'A random {MOST_ROWS:,} rows are used.' if len(rows) == MOST_ROWS else ''}"
    )
    return _once(
        ("dataset", label, tuple(features)),
        lambda: logistic_task(
            rows[features].to_numpy(float), rows[label], train=train, public=public, validation=validation,
            rng=np.random.default_rng(0), title="Logistic regression on your data",
        ),
    )  # fmt: skip


def made_of() -> tuple[Any, ...]:
    """Return the choice of columns that this session's own task was made of."""
    kept: tuple[tuple[Any, ...], TuningTask] = st.session_state[TASK]
    return kept[0]


def kind_of(task: TuningTask) -> str:
    """Return what a session's own task is: "scores", or "dataset"; nothing for one that comes with PrivBO."""
    kept: tuple[tuple[str, ...], TuningTask] | None = st.session_state.get(TASK)
    return kept[0][0] if kept is not None and kept[1] is task else ""


def spoken_of(task: TuningTask) -> Sample:
    """Return how to speak of a task: in its sample's words, or plainly."""
    own = plainly("dataset") if kind_of(task) == "dataset" else plainly("task", setting="; ".join(task.names))
    return known(task.identity) or own


def _once(choice: tuple[object, ...], make: Callable[[], TuningTask]) -> TuningTask:
    """Return the task made of the session's table by this choice of columns, making it only when that changed."""
    kept: tuple[tuple[object, ...], TuningTask] | None = st.session_state.get(TASK)
    if kept is None or kept[0] != choice:
        kept = (choice, make())
        st.session_state[TASK] = kept
    return kept[1]
