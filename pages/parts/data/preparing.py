"""From a table to a problem, step by step, in this session's memory alone; and the script that does the same."""

from dataclasses import replace

import pandas as pd
import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from pages.parts.data.view import Condition
from pages.parts.export.script import ENGINE, NUMPY, Recipe, number, problem_lines, script
from pages.parts.table.own_table import OwnTable, own_table, show_own_next
from pages.parts.table.upload import (
    INPUTS,
    account,
    bring_table,
    chosen,
    learn,
    outcome_chosen,
    outcome_said,
    say_outcome,
    taken_back,
    unnamed,
    why_not,
)
from pages.parts.views.text import as_markdown
from privbo_core.data import Column, Problem, Proposal, clean, finish
from privbo_core.data.make import STARTS
from privbo_core.errors import DataError

UNTIL = "Nothing is computed from your table before you agree, or choose another; until then the page shows the sample."


def bring() -> pd.DataFrame | None:
    """Show the place for a table, and make a problem of what is brought; return the table, if there is one."""
    table, progress = bring_table(), st.empty()
    if table is not None and (choice := choose_columns(own_table())) is not None:
        prepare(choice, progress)
    return table


def choose_columns(mine: OwnTable) -> Recipe | None:
    """Show the pickers for inputs, output, direction and logarithm; return what was picked.

    None if something is missing, or if nobody has said yet that the proposed outcome is the one that is meant.
    """
    columns = {column.name: column for column in mine.kinds}
    numeric = [name for name, column in columns.items() if column.kind == "number"]
    if not numeric:
        st.error("No column of this table consists of numbers, so there is nothing that could be the output.")
        return None
    likely = mine.proposed().outcome
    output = st.selectbox(
        "Output to optimise",
        numeric,
        index=numeric.index(likely) if likely in numeric else len(numeric) - 1,
        key=chosen("output"),
        persist_state="session",
        on_change=outcome_chosen,
    )
    say_outcome(mine.proposed(), output)
    first = mine.proposed(output)
    able = [name for name, column in columns.items() if column.kind in ("number", "date", "category")]
    able = [name for name in able if name not in (output, *first.inputs, *first.repeats)]
    taken = taken_back(able, "inputs")
    offered = [name for name in columns if name in (*first.inputs, *first.repeats, *taken) and name != output]
    start = [name for name in first.inputs if columns[name].kind == "number"][:3]
    inputs = st.multiselect(
        "Inputs",
        offered,
        default=start or offered[:3],
        key=INPUTS,
        persist_state="session",
        format_func=lambda name: _described(columns[name], first),
        help="Numbers as they are. Dates become days; each value of a category but the most frequent becomes a column "
        "of 0 and 1. Columns that cannot be used, or had better not be, are listed below with the reason.",
    )
    account({name: why_not(name, first) for name in columns if name not in (output, *inputs)}, able, "inputs")
    encode = _encodings(inputs, columns, first)
    goal = st.segmented_control(
        "Look for the",
        ["highest", "lowest"],
        default="highest" if first.maximize else "lowest",
        key=chosen(f"goal/{unnamed(output)}"),
        required=True,
        persist_state="session",
        on_change=outcome_chosen,
        help=None if first.maximize else "Lowest is proposed, because of the column’s name.",
    )
    log_output = st.checkbox(
        "Take the logarithm of the output",
        value=bool(first.log_output),
        key=chosen(f"log/{unnamed(output)}"),
        persist_state="session",
        help=f"Proposed, because {first.log_output}." if first.log_output else None,
    )
    if not inputs:
        st.info("Choose at least one input.")
        return None
    if not outcome_said(output, goal or "", UNTIL):
        return None
    return Recipe(tuple(inputs), output, goal == "highest", log_output, encode, None, missing=mine.missing)


def _encodings(inputs: list[str], columns: dict[str, Column], first: Proposal) -> dict[str, str]:
    """Return how each input becomes a number; a logarithm is proposed with its reason, and can be switched off."""
    encode = {}
    for name in inputs:
        how = str(first.encode.get(name, columns[name].kind))
        if how == "log":
            label = f"{as_markdown(name)} as its logarithm: {first.reasons[name].removeprefix('logarithm: ')}"
            if not st.checkbox(label, value=True, key=chosen(f"log of/{unnamed(name)}"), persist_state="session"):
                continue
        if how != "number":
            encode[name] = how
    return encode


def prepare(choice: Recipe, place: DeltaGenerator) -> None:
    """Clean, fit and normalise, and keep the problem; if it cannot be made, ``place`` says why.

    The fit shows its progress and can be stopped; then the best of what was found is used.
    """
    mine = own_table()
    assert mine.table is not None
    if mine.recipe is not None and replace(mine.recipe, fit=None, starts=STARTS) == choice:
        return
    try:
        cleaned = clean(
            mine.table,
            choice.inputs,
            choice.output,
            maximize=choice.maximize,
            log_output=choice.log_output,
            encode=choice.encode,  # type: ignore[arg-type]
        )
        learned = learn(cleaned, place)
        problem = finish(cleaned, learned.fit, title=mine.name, frame=mine.known_frame(cleaned))
    except DataError as fault:
        place.error(as_markdown(str(fault)), icon=":material/error:")
        return
    stopped = learned.starts < STARTS
    mine.keep(problem, replace(choice, fit=learned.fit if stopped else None, starts=learned.starts))
    show_own_next()
    st.rerun()


def _described(column: Column, first: Proposal) -> str:
    if first.encode.get(column.name) == "frequent":
        return f"{column.name} (category, its frequent values)"
    return column.name if column.kind == "number" else f"{column.name} ({column.kind}, encoded)"


def data(problem: Problem, own: Recipe | None, now: Condition, columns: int) -> str:
    """Return the Data page's view: the preparation, what was learned about each input, singular values, histograms."""
    lines = [
        problem_lines(problem, own),
        "spectrum = pb.outsourced.spectrum(problem.points)",
        'show("rows", problem.n)',
        'show("singular_values", *spectrum.values)',
        'show("sigma_min", spectrum.sigma_min)',
        f'show("omega", pb.outsourced.omega({number(now.epsilon)}, {number(now.delta)}, {now.r}))',
        "output = problem.objective if problem.maximize else -problem.objective",
        "if problem.preparation:",
        "    output = problem.preparation.output(problem.objective)",
        '    print(*problem.preparation.steps(), sep="\\n")',
        'show("lengthscales", *(problem.unit_distance * problem.kernel.lengthscale))',
        'show("unit_distances", *problem.unit_distance)',
        'show("hidden_changes", *problem.frame.hide)',
        'show("frame", *problem.frame.limits.ravel())',
        f"for i, values in enumerate([*problem.original.T[:{columns}], output]):",
        "    counts, edges = np.histogram(values, bins=min(40, max(5, int(np.sqrt(len(values))))))",
        '    show(f"counts_{i}", *counts)',
        '    show(f"edges_{i}", *edges)',
    ]
    return script("Data", [NUMPY, ENGINE], "\n".join(lines))
