"""From a table to a problem, step by step, in this session's memory alone."""

from dataclasses import dataclass

import pandas as pd
import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from pages.parts.bring.frames import known_frame
from pages.parts.bring.problems import keep_own
from pages.parts.bring.table import made, table_name
from pages.parts.frame.undocumented import give_way
from pages.parts.take_away.recipe import Recipe
from pages.parts.values.text import as_markdown
from privbo_core.data import Column, Problem, clean, describe, finish, fitting, rule_of_thumb
from privbo_core.errors import DataError
from privbo_core.gp import Fit

RESTARTS = 4


@dataclass(frozen=True)
class Columns:
    """What a person picked from a table."""

    inputs: tuple[str, ...]
    output: str
    maximize: bool
    log_output: bool
    encode: tuple[tuple[str, str], ...]


def choose_columns(table: pd.DataFrame) -> Columns | None:
    """Show the pickers for inputs, output, direction and logarithm; return what was picked, None if incomplete."""
    columns = {column.name: column for column in describe(table)}
    numeric = [name for name, column in columns.items() if column.kind == "number"]
    offered = [name for name, column in columns.items() if column.kind in ("number", "date", "category")]
    if not numeric:
        st.error("No column of this table consists of numbers, so there is nothing that could be the output.")
        return None
    output = st.selectbox(
        "Output to optimise", numeric, index=len(numeric) - 1, key=made("output"), persist_state="session"
    )
    inputs = st.multiselect(
        "Inputs",
        [name for name in offered if name != output],
        default=[name for name in numeric if name != output][:3],
        key=made("inputs"),
        persist_state="session",
        format_func=lambda name: _described(columns[name]),
        help="Numbers as they are. Dates become days; each value of a category but the most frequent becomes a column "
        "of 0 and 1. Other columns cannot be used.",
    )
    goal = st.segmented_control(
        "Look for the",
        ["highest", "lowest"],
        default="highest",
        key=made("goal"),
        required=True,
        persist_state="session",
    )
    log_output = st.checkbox("Take the logarithm of the output", key=made("log"), persist_state="session")
    if not inputs:
        st.info("Choose at least one input.")
        return None
    encode = tuple((name, columns[name].kind) for name in inputs if columns[name].kind != "number")
    return Columns(tuple(inputs), output, goal == "highest", log_output, encode)


def prepare(table: pd.DataFrame, choice: Columns, place: DeltaGenerator) -> Problem | None:
    """Clean, fit and normalise; return the problem, None if it cannot be made (then ``place`` says why).

    The fit shows its progress and can be stopped; then the best of what was found is used.
    """
    state = st.session_state
    if state.get(made("prepared"), (None,))[0] == choice:
        done: Problem = state[made("prepared")][1]
        return done
    try:
        cleaned = clean(
            table,
            choice.inputs,
            choice.output,
            maximize=choice.maximize,
            log_output=choice.log_output,
            encode=dict(choice.encode),  # type: ignore[arg-type]
        )
        found: tuple[Columns, Fit, int] | None = state.get(made("found"))
        best = found[1] if found and found[0] == choice else None
        with place.container():
            stopped = st.button("Stop here and use what is found", key=made("stop"), icon=":material/stop_circle:")
            if not stopped:
                bar = st.progress(0.0, "Learning how fast the output changes along each input …")
                for step in fitting(cleaned, restarts=RESTARTS):
                    best = step.best
                    state[made("found")] = (choice, best, step.done)
                    bar.progress(step.done / step.restarts, f"Length-scales: start {step.done} of {step.restarts}")
                    give_way()
        best = best or rule_of_thumb(cleaned)
        problem = finish(cleaned, best, title=table_name(), frame=known_frame(cleaned))
    except DataError as fault:
        place.error(as_markdown(str(fault)), icon=":material/error:")
        return None
    state[made("prepared")] = (choice, problem)
    chosen = (choice.inputs, choice.output, choice.maximize, choice.log_output, dict(choice.encode))
    keep_own(problem, Recipe(*chosen, fit=best if stopped else None))
    st.rerun()


def _described(column: Column) -> str:
    return column.name if column.kind == "number" else f"{column.name} ({column.kind}, encoded)"
