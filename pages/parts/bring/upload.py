"""From a file to a problem, step by step, in this session's memory alone."""

from dataclasses import dataclass

import pandas as pd
import streamlit as st
from starlette.formparsers import MultiPartParser
from streamlit.delta_generator import DeltaGenerator

from pages.parts.bring.problems import Recipe, forget_own, keep_own
from pages.parts.frame.pace import give_way
from pages.parts.show.look import in_markdown
from privbo_core.data import Column, Problem, clean, describe, finish, fitting, load_table, rule_of_thumb
from privbo_core.errors import DataError
from privbo_core.gp import Fit

# While a file arrives, the web server would write what exceeds this to the disk. An upload is to stay in memory.
MultiPartParser.spool_max_size = 2**30

RESTARTS = 4


@dataclass(frozen=True)
class Choice:
    """What a person picked from a table."""

    inputs: tuple[str, ...]
    output: str
    maximize: bool
    log_output: bool
    encode: tuple[tuple[str, str], ...]


def upload_table() -> pd.DataFrame | None:
    """Show the place for a file; return the table in it. What cannot be read gets a sentence; the last table stays."""
    state = st.session_state
    file = st.file_uploader(
        "A table of your own (CSV, also gzipped)",
        type=["csv", "tsv", "txt", "gz"],
        key=f"own data/file {state.get('forgotten', 0)}",
        help="Up to 200 MB and 1,000,000 rows, with a header line. It stays in this session’s memory: it is not written "
        "to disk, not shared with other visitors, and gone when you leave or press Forget my data.",
    )
    if file is not None and state.get("own data/read") != file.file_id:
        state["own data/read"] = file.file_id
        state.pop("own data/refused", None)
        try:
            table = load_table(file)
        except DataError as problem:
            state["own data/refused"] = f"{file.name[:60]}: {problem}"
        else:
            state["own data/table"], state["own data/name"] = table, file.name[:60]
            for key in ("inputs", "output", "prepared", "found"):
                state.pop(f"own data/{key}", None)
    if "own data/refused" in state:
        st.error(in_markdown(state["own data/refused"]), icon=":material/error:")
    if "own data/table" not in state:
        return None
    st.button("Forget my data", on_click=_forget, icon=":material/delete:")
    table = state["own data/table"]
    for note in table.attrs.get("notes", ()):
        st.info(in_markdown(note))
    return table  # type: ignore[no-any-return]


def choose_columns(table: pd.DataFrame) -> Choice | None:
    """Show the pickers for inputs, output, direction and logarithm; return what was picked, None if incomplete."""
    columns = {column.name: column for column in describe(table)}
    numeric = [name for name, column in columns.items() if column.kind == "number"]
    offered = [name for name, column in columns.items() if column.kind in ("number", "date", "category")]
    if not numeric:
        st.error("No column of this table consists of numbers, so there is nothing that could be the output.")
        return None
    output = st.selectbox(
        "Output to optimise", numeric, index=len(numeric) - 1, key="own data/output", persist_state="session"
    )
    inputs = st.multiselect(
        "Inputs",
        [name for name in offered if name != output],
        default=[name for name in numeric if name != output][:3],
        key="own data/inputs",
        persist_state="session",
        format_func=lambda name: _described(columns[name]),
        help="Numbers as they are. Dates become days; each value of a category but the most frequent becomes a column "
        "of 0 and 1. Other columns cannot be used.",
    )
    goal = st.segmented_control(
        "Look for the",
        ["highest", "lowest"],
        default="highest",
        key="own data/goal",
        required=True,
        persist_state="session",
    )
    log_output = st.checkbox("Take the logarithm of the output", key="own data/log", persist_state="session")
    if not inputs:
        st.info("Choose at least one input.")
        return None
    encode = tuple((name, columns[name].kind) for name in inputs if columns[name].kind != "number")
    return Choice(tuple(inputs), output, goal == "highest", log_output, encode)


def prepare(table: pd.DataFrame, choice: Choice, place: DeltaGenerator) -> Problem | None:
    """Clean, fit and normalise; return the problem, None if it cannot be made (then ``place`` says why).

    The fit shows its progress and can be stopped; then the best of what was found is used.
    """
    state = st.session_state
    if state.get("own data/prepared", (None,))[0] == choice:
        done: Problem = state["own data/prepared"][1]
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
        found: tuple[Choice, Fit, int] | None = state.get("own data/found")
        best = found[1] if found and found[0] == choice else None
        with place.container():
            stopped = st.button("Stop here and use what is found", key="own data/stop", icon=":material/stop_circle:")
            if not stopped:
                bar = st.progress(0.0, "Learning how fast the output changes along each input …")
                for step in fitting(cleaned, restarts=RESTARTS):
                    best = step.best
                    state["own data/found"] = (choice, best, step.done)
                    bar.progress(step.done / step.restarts, f"Length-scales: start {step.done} of {step.restarts}")
                    give_way()
        best = best or rule_of_thumb(cleaned)
        problem = finish(cleaned, best, title=state["own data/name"])
    except DataError as fault:
        place.error(in_markdown(str(fault)), icon=":material/error:")
        return None
    state["own data/prepared"] = (choice, problem)
    chosen = (choice.inputs, choice.output, choice.maximize, choice.log_output, dict(choice.encode))
    keep_own(problem, Recipe(*chosen, fit=best if stopped else None))
    st.rerun()


def _forget() -> None:
    forget_own()
    st.session_state["forgotten"] = st.session_state.get("forgotten", 0) + 1


def _described(column: Column) -> str:
    return column.name if column.kind == "number" else f"{column.name} ({column.kind}, encoded)"
