"""Pick what is tuned: a sample, a function drawn from the prior of DP-BO, or the visitor's own table."""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

import numpy as np
import pandas as pd
import streamlit as st

from pages.ui.address import choose
from pages.ui.cards import headline
from pages.ui.explanations import explanation
from pages.ui.own_table import OwnTable, ask_for_table, choice_key, offered, own_table
from pages.ui.sliders import OWN_DATA
from pages.ui.text import to_markdown
from privbo_core.data import TASKS, TuningTask, logistic_task, task_from_table, tuning_task
from privbo_core.data.proposal import outcome_likely
from privbo_core.data.rows import read_column, usable
from privbo_core.data.tuning import Decimals
from privbo_core.errors import DataError
from privbo_core.release import Scores, prior_task, read_scores, task_from_scores
from privbo_core.release.score_tables import UNADAPTIVE, recognised, unnamed_parameters

PRIOR, SCORES, DATASET = "prior", "my scores", "my dataset"
OWN_TITLES = {SCORES: "Your table of settings and scores", DATASET: "Your dataset, to tune a classifier on"}
CANDIDATES = {str(n): f"{n}" for n in (200, 50, 100, 400, 800)}
"""How many candidates the function drawn from the prior may have. The first number is the usual one on Papers."""
MAX_CANDIDATES, MAX_ROWS = 5000, 5000
MAX_RECORDS = 10_000_000
MIN_ROWS = 20
BETTER = {"higher": "higher", "lower": "lower"}
KEPT: dict[str, Any] = {"persist_state": "session"}
"""How a widget stays as it is while other pages are visited."""
TASK = f"{OWN_DATA}made/tuning task"
NOT_GIVEN = "not given"
DECIMALS: list[Decimals] = [None, "exact", *range(16)]
UNROUNDED = (
    "One record can move a rounded score by more than its share. Choose among the columns of your table, on the left, "
    "to how many decimals the scores were rounded."
)
ROUNDED = "If m records stand behind each score, one record can move a rounded mean by more than its share."
_METRIC = re.compile(r"split\d+_test_(.+)")
Made = TypeVar("Made", TuningTask, Scores)


@dataclass(frozen=True)
class Missing:
    """Why no task can be made of the visitor's own table. The reason is empty if what is missing is asked for."""

    reason: str = ""


def pick_task() -> TuningTask | Missing:
    """Show the choice of the task, and return it, or what is missing to make one of the visitor's own table.

    Where a link or a reload asks for a table that this session doesn't have, a banner asks for it, and no sample takes
    its place.
    """
    titles = {**{name: tuning_task(name).title for name in TASKS}, PRIOR: "Function drawn from the prior", **OWN_TITLES}
    name = choose(st.selectbox, "What is tuned", offered("task", titles, OWN_TITLES), key="task")
    if name == PRIOR:
        return prior_task(int(choose(st.selectbox, "Candidates |Λ|", CANDIDATES, key="candidates")))
    if name in TASKS:
        return tuning_task(name)
    table = own_table()
    if table is None:
        needs = "one row for each setting, with its score" if name == SCORES else "one row for each record"
        ask_for_table("task", name, f"It needs {needs}.")
        return Missing()
    known = st.session_state.get(TASK)
    with st.expander("Columns of your table", expanded=known is None or known[1].records is None):
        try:
            return _task_of_scores(table) if name == SCORES else _task_of_dataset(table)
        except (DataError, ValueError) as error:
            return Missing(UNROUNDED if str(error).startswith("decimals is missing") else str(error))


def scores_lack_facts() -> bool:
    """Return whether the table of scores needs facts that `ask_about_scores` asks for."""
    own = own_table()
    if own is None or st.session_state.get("task") != SCORES or recognised([str(name) for name in own.table.columns]):
        return False
    records, decimals = (st.session_state.get(choice_key(name)) for name in ("m", "decimals"))
    return not records or decimals is None


def missing(made: TuningTask | Missing, name: str, *, records: bool, model: bool) -> str:
    """Return the headline where nothing can be published yet, or an empty string.

    The mechanism is called ``name``, and needs the number of ``records``, or a ``model`` with a Lipschitz loss.
    """
    known = made.records if isinstance(made, TuningTask) else None
    if known is None and scores_lack_facts() and (records or isinstance(made, Missing)):
        return headline("PrivBO needs two facts about your scores", explanation("tuning", "facts about scores"))
    if isinstance(made, Missing):
        return headline("There is nothing to publish yet", "PrivBO needs a table, or one of the samples.")
    title = f"{name} can't be set up for these data"
    if records and known is None:
        return headline(title, explanation("tuning", "private selection needs m"))
    if model and (made.loss is None or known is None):
        return headline(title, explanation("tuning", "Algorithm 3 needs a model"))
    return ""


def show_missing(made: TuningTask | Missing, *, records: bool) -> None:
    """Show why nothing can be published yet, or ask for what is missing."""
    if isinstance(made, Missing) and made.reason:
        st.error(to_markdown(made.reason), icon=":material/error:")
    elif scores_lack_facts() and (records or isinstance(made, Missing)):
        ask_about_scores()


def ask_about_scores() -> None:
    """Ask in plain words what a table of scores doesn't contain, and enter it among the columns of the table."""
    records, decimals = choice_key("asked/m"), choice_key("asked/decimals")

    def take() -> None:
        st.session_state[choice_key("m")] = st.session_state[records]
        st.session_state[choice_key("decimals")] = st.session_state[decimals]

    with st.form("asked about scores", width=520):
        known = int(st.session_state.get(choice_key("m")) or 0)
        st.number_input("How many validation records are behind each score?", 0, MAX_RECORDS, known, key=records)
        first = st.session_state.get(choice_key("decimals"))
        st.selectbox(
            "To how many decimals were the scores rounded?", DECIMALS, index=DECIMALS.index(first), key=decimals,
            format_func=in_words, help=ROUNDED,
        )  # fmt: skip
        st.form_submit_button("Use these facts", on_click=take, type="primary")


def _task_of_scores(own: OwnTable) -> TuningTask | Missing:
    """Ask what the columns of a table of scores are, and return the task, or what is missing for it."""
    table, numeric, first = own.table, own.numeric, own.proposal
    if recognised([str(name) for name in table.columns]):
        request, scores = _ask_about_results(own)
        _show_notes(scores.notes)
        return _once(own, request, lambda: task_from_scores(scores))
    if len(numeric) < 2:
        count = f"{len(numeric)} column{'' if len(numeric) == 1 else 's'} of numbers"
        raise DataError(f"The table has {count}. It needs a parameter and a score. {first.left_out_note()}".strip())
    if len(table) > MAX_CANDIDATES:
        raise DataError(f"The table has {len(table):,} rows. At most {MAX_CANDIDATES:,} candidates can be shown live.")
    offered = [name for name in numeric if name not in first.left_out] or numeric
    likely = first.outcome if first.outcome in offered else offered[-1]
    score = st.selectbox("Score", offered, index=offered.index(likely), key=choice_key("score"), **KEPT)
    others = [name for name in numeric if name != score]
    start = [name for name in others if name in offered and name not in first.repeats and not outcome_likely(name)]
    start = start or [name for name in others if name in offered]
    parameters = st.multiselect("Parameters", others, default=start, key=choice_key("parameters"), **KEPT)
    columns = {name: read_column(table, name) for name in parameters}
    wide = [name for name, cells in columns.items() if cells.min() > 0 and cells.max() >= 100 * cells.min()]
    logs = st.multiselect("On a logarithmic scale", parameters, default=wide, key=choice_key("logarithmic"), **KEPT)
    better = choose(st.segmented_control, "Better is", BETTER, key=choice_key("better"), private=True, required=True)
    label = "m: validation records behind each score (0 if unknown)"
    records = st.number_input(label, 0, MAX_RECORDS, 0, key=choice_key("m"), **KEPT)
    meant = "The most that one record can add to a score, minus the least. It is 1 where a record is right or wrong."
    width = st.number_input(
        "Range of one record’s contribution", 1e-9, 1e9, 1.0, help=meant, key=choice_key("width"), **KEPT
    )
    decimals = _ask_decimals()
    if not parameters:
        return Missing("Choose at least one parameter among the columns of your table.")
    if records and decimals is None:
        return Missing()
    known: dict[str, Any] = {"logarithmic": logs, "maximize": better == "higher", "largest_loss": width}
    known |= {"records": int(records) or None, "decimals": decimals}
    request = "scores", score, tuple(parameters), tuple(logs), better, records, width, decimals
    task = _once(own, request, lambda: task_from_table(table, parameters, score, **known))
    _show_notes((f"The score is the column “{score}”.", _unused_note(own, score, parameters), *task.notes))
    return task


def _unused_note(own: OwnTable, score: str, parameters: Sequence[str]) -> str:
    """Return a sentence about the columns that are no parameters, each with the reason."""
    reasons = dict(own.proposal.left_out)
    for column in own.columns:
        if column.kind != "number":
            reasons.setdefault(column.name, "it holds no numbers")
        elif outcome_likely(column.name):
            reasons.setdefault(column.name, "its name is that of a score")
        elif column.name in own.proposal.repeats:
            reasons.setdefault(column.name, "it numbers the repeats")
    left = [f"{name} ({why})" for name, why in reasons.items() if name not in (score, *parameters)]
    return f"These columns are no parameters: {'; '.join(left)}." if left else ""


def _ask_about_results(own: OwnTable) -> tuple[tuple[object, ...], Scores]:
    """Ask what a tuning tool's table doesn't contain. Return the answers, and the scores in the file.

    Raises DataError if the sensitivity of the scores doesn't follow from the answers.
    """
    names = [str(name) for name in own.table.columns]
    metrics = sorted({match[1] for name in names if (match := _METRIC.fullmatch(name))})
    st.markdown("This table has a score for each setting and fold, part or record.")
    low = st.number_input("Worst possible score", value=0.0, key=choice_key("worst"), format="%g", **KEPT)
    high = st.number_input("Best possible score", value=1.0, key=choice_key("best"), format="%g", **KEPT)
    label = "Records that were scored in all (0 if each has a column)"
    records = st.number_input(label, 0, MAX_RECORDS, 0, key=choice_key("records"), **KEPT)
    metric = st.selectbox("Metric", metrics, key=choice_key("metric"), **KEPT) if len(metrics) > 1 else None
    sampler = NOT_GIVEN
    if {"state", "number"} <= set(names):
        sampler = st.selectbox("Sampler of the study", [NOT_GIVEN, *UNADAPTIVE], key=choice_key("sampler"), **KEPT)
    options: dict[str, Any] = {"score_range": (low, high), "records": int(records) or None, "metric": metric}
    if offered := unnamed_parameters(names):
        ticked = st.multiselect("Columns that are settings", offered, key=choice_key("parameters"), **KEPT)
        options["parameters"] = tuple(ticked) or None
    options |= {"sampler": None if sampler == NOT_GIVEN else sampler, "decimals": _ask_decimals()}
    request = "results", tuple(options.items())
    return request, _once(own, request, lambda: read_scores(own.content, **options), f"{OWN_DATA}made/scores")


def _ask_decimals() -> Decimals:
    """Ask to how many decimals the mean scores were rounded."""
    decimals: Decimals = st.selectbox(
        "Decimals that the scores were rounded to", DECIMALS, key=choice_key("decimals"), **KEPT, help=ROUNDED,
        format_func=in_words,
    )  # fmt: skip
    return decimals


def in_words(decimals: Decimals) -> str:
    """Return a choice of decimals in words."""
    return NOT_GIVEN if decimals is None else "they were not rounded" if decimals == "exact" else str(decimals)


def _show_notes(notes: tuple[str, ...]) -> None:
    if text := " ".join(notes).strip():
        st.caption(to_markdown(text))


def _task_of_dataset(own: OwnTable) -> TuningTask | Missing:
    """Ask for the label and the features of a dataset, and return the task, or what is missing for it."""
    table = own.table
    two = [str(column) for column in table.columns if table[column].nunique(dropna=True) == 2]
    if not two:
        raise DataError("No column has exactly two kinds of entries, which the label needs. Choose another table.")
    label = st.selectbox("Label", two, index=len(two) - 1, key=choice_key("label"), **KEPT)
    numeric, first = [name for name in own.numeric if name != label], own.proposal
    start = [name for name in numeric if name not in first.left_out]
    features = st.multiselect("Features", numeric, default=start[:10], key=choice_key("features"), **KEPT)
    if not features:
        return Missing("Choose at least one column of numbers as a feature among the columns of your table.")
    read = usable(table, features, [label])
    rows = pd.DataFrame(read.amounts, columns=features).assign(**{label: read.labels[0]})
    if len(rows) < MIN_ROWS:
        raise DataError(f"{len(rows)} rows are complete. Training, the prior and validation need at least {MIN_ROWS}.")
    sampled = f" A random {MAX_ROWS:,} of {len(rows):,} rows are used." if len(rows) > MAX_ROWS else ""
    if sampled:
        rows = rows.sample(MAX_ROWS, random_state=0)
    train, public = len(rows) // 5, len(rows) // 4
    validation = len(rows) - train - public - len(rows) // 10
    _show_notes((f"The label is the column “{label}”.", first.left_out_note(features), *read.notes))
    st.markdown(
        f"{train:,} rows train and {public:,} determine the prior, and neither are protected. {validation:,} rows "
        f"validate and are protected. The rest are in reserve.{sampled}"
    )
    sizes: dict[str, Any] = {"train": train, "public": public, "validation": validation}
    rng = np.random.default_rng(0)
    values, labels = rows[features].to_numpy(float), rows[label]
    title = "Logistic regression on your data"
    request = "dataset", label, tuple(features)
    return _once(own, request, lambda: logistic_task(values, labels, rng=rng, title=title, **sizes))


def _once(own: OwnTable, request: tuple[object, ...], make: Callable[[], Made], key: str = TASK) -> Made:
    """Return the result of ``make`` on the visitor's table. It is made only if the request is new."""
    request = (*request, own.identity)
    known: tuple[tuple[object, ...], Made] | None = st.session_state.get(key)
    if known is None or known[0] != request:
        known = request, make()
        st.session_state[key] = known
    return known[1]
