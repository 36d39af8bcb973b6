"""The table that somebody holds: a sample, or one of their own with what they say of its columns."""

from collections.abc import Callable, Mapping, Sequence
from contextlib import nullcontext, suppress
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any

import numpy as np
import pandas as pd
import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from pages.parts.shell.address import bare, choose, visit
from pages.parts.shell.session import FORGOTTEN
from pages.parts.table import upload
from pages.parts.table.own_table import OWN_CHOICE, OwnTable, own_table, public_simulation
from pages.parts.views.content import Sample, of_table, plainly
from pages.parts.views.drawing import note
from pages.parts.views.text import as_markdown, scientific, unmarked
from pages.parts.workbench.holder.ordered import fit_own, simulated_for, unit_key
from privbo_core.data import Frame, Problem, Proposal, clean, finish, frame_from, load_cells, load_table, sample
from privbo_core.data.make import STARTS
from privbo_core.data.rows import usable
from privbo_core.data.samples import FOLDER
from privbo_core.errors import DataError
from privbo_core.outsourced import Simulation
from privbo_core.outsourced.parties.terms import Outcome, written_alike

SAMPLES = ("hospital", "homes", "loans")
Fixed = Callable[[str], Outcome | None]
LATER = "measured later, not in the table"
LONGEST_UNIT = 30
UNTIL = "Nothing is simulated, and nothing can go out, before you agree, or choose another."
_SEEN, _AT, _CHOSEN = (upload.chosen(f"workbench/{name}") for name in ("seen", "visit", "chosen"))
_SIMULATION, _COMPLETE = (upload.made(f"workbench/{name}") for name in ("simulation", "complete"))
_LEFT = "workbench/inputs"


@dataclass(frozen=True, eq=False)
class Held:
    """A table, its frame (``read``: what would be read off it), and the outcome that is looked for.

    ``cells``: the table with its cells as they stand in its file, of which releases and answers are made.
    ``identity`` tells it from other tables. ``simulation``: of searches on it, if its outcomes are in the table, with
    length-scales of which learning ended after so many ``starts``. ``rows``: so many would be released.
    ``looked``: ε is chosen beside searches on the table itself, so that the promise is conditional.
    """

    identity: str
    title: str
    table: pd.DataFrame
    cells: pd.DataFrame
    read: Frame
    frame: Frame
    outcome: Outcome
    simulation: Simulation | None
    sample: Sample
    own: bool = False
    starts: int = STARTS
    rows: int = 0
    looked: bool = False

    @property
    def hides(self) -> tuple[str, ...]:
        if self.simulation is not None:
            return self.sample.hides(self.simulation.problem, 1.0)
        columns = self.frame.columns
        return tuple(f"{column.name} to within {scientific(column.hide)} {column.unit}".rstrip() for column in columns)


def pick_table(fixed: Fixed) -> Held | None:
    """None until enough is said of a table. ``fixed``: what its release has fixed to be looked for, by identity."""
    mine = own_table()
    if mine.identity and st.session_state.get(_SEEN) != mine.identity:  # whoever brings a table wants to see it
        st.session_state[_SEEN] = mine.identity
        st.session_state["data"] = OWN_CHOICE
    if mine.identity and st.session_state.get(_AT) != visit():  # and to see it again when they come back
        st.session_state[_AT] = visit()
        if st.session_state.get(_CHOSEN, OWN_CHOICE) == OWN_CHOICE and "data" not in st.query_params and not bare():
            st.session_state["data"] = OWN_CHOICE
    titles = {name: sample(name).title for name in SAMPLES}
    if mine.identity:
        titles[OWN_CHOICE] = f"Your data: {mine.name}"
    looks = {"default": SAMPLES[0], "persist_state": "session"}
    name = choose(st.selectbox, "Table", titles, key="data", secret=[OWN_CHOICE], **looks)
    st.session_state[_CHOSEN] = name
    if st.session_state.get(FORGOTTEN) is True:
        st.session_state[FORGOTTEN] = name
    if name != OWN_CHOICE and st.session_state.get(FORGOTTEN) == name:  # until they choose or bring another
        said = as_markdown(f"Your table was forgotten. In use now is a sample: {titles[name]}.")
        st.info(said, icon=":material/swap_horiz:")
    with nullcontext() if name == OWN_CHOICE else st.expander("Bring your own table"):
        upload.bring_table()
    if own_table().identity != mine.identity:  # what was just brought, or forgotten, is to be chosen above
        st.rerun()
    if name != OWN_CHOICE:
        return of_sample(name)
    return None if mine.table is None else _own(mine, mine.table, fixed(f"own/{mine.identity}"))


@lru_cache(maxsize=len(SAMPLES))
def of_sample(name: str) -> Held:
    """Return a sample as its holder has it: the whole file, with the outcomes."""
    simulation, file = public_simulation(name), FOLDER / f"{name}.csv"
    problem, frame = simulation.problem, simulation.problem.frame
    table, cells = load_table(file), load_cells(file, frame.file)
    what = f"sample/{name}", problem.title, table, cells, frame, frame, outcome_of(problem)
    return Held(*what, simulation, of_table(problem), rows=_complete(frame, cells))


def _complete(frame: Frame, cells: pd.DataFrame) -> int:
    """Return how many records have a number in each column of a frame."""
    return int(np.isfinite(frame.numbers(cells)).all(axis=1).sum())


def outcome_of(problem: Problem) -> Outcome:
    preparation = problem.preparation
    assert preparation is not None
    return Outcome(problem.output.removeprefix("log "), preparation.output_unit, problem.maximize)


def _own(mine: OwnTable, table: pd.DataFrame, fixed: Outcome | None) -> Held | None:
    numeric = [column.name for column in mine.kinds if column.kind == "number"]
    if not numeric:
        st.error("No column of this table consists of numbers, so there is nothing to release.")
        return None
    try:
        fit_own(table, numeric, LATER)
        if fixed:
            output, outcome = fixed.name if fixed.name in numeric else LATER, fixed
            goal = "highest" if fixed.larger_is_better else "lowest"
            said = f"Looked for: the {goal} {fixed}, as the first release said."
            note(f"{said} Columns and frame count for another release alone.")
        else:
            output, outcome = _ask_outcome(numeric, mine.proposed(), table.attrs.get("units", {}))
    except DataError as fault:
        st.error(as_markdown(str(fault)), icon=":material/error:")
        return None
    inputs = _ask_inputs(mine, numeric, output)
    if not inputs:
        st.info("Choose at least one column to release.")
        return None
    goal = "highest" if outcome.larger_is_better else "lowest"
    if not fixed and output != LATER and not upload.outcome_said(output, goal, UNTIL):
        return None
    place = st.empty()
    try:
        if outcome.name in inputs:
            raise DataError(f"{outcome.name!r} is a column that is released; call the outcome something else.")
        units = table.attrs.get("units", {})
        going = usable(table, inputs)
        read = frame_from(going.amounts, inputs, [units.get(name, "") for name in inputs])
        frame = mine.as_said(read)
        assert frame.file is not None  # `as_said` has it as it seems
        cells = mine.cells(frame.file)
        written = frame.file, tuple((column.name, column.marks) for column in frame.columns)
        known = st.session_state.get(_COMPLETE)
        if known is None or known[0] != written:  # counted anew only where the frame has it written in another way
            known = st.session_state[_COMPLETE] = written, _complete(frame, cells)
        if not fixed:
            outcome = written_alike(outcome, frame, table)
        simulation, starts = None, STARTS
        # where a release has fixed the outcome and too few are measured yet, answers go out all the same
        with suppress(DataError) if fixed else nullcontext():
            if output != LATER:
                simulation, starts = _simulated(mine, frame, outcome, place)
    except DataError as fault:
        place.error(as_markdown(str(fault)), icon=":material/error:")
        return None
    if simulation is not None and simulation.problem.output != output:
        note(f"Searches are simulated on the logarithm of {output}, as on Data.")
    best = f"the {'largest' if outcome.larger_is_better else 'smallest'} {outcome.name}"
    told = plainly("table", one="record", many="records", sought=best)
    what = f"own/{mine.identity}", mine.name, table, cells, read, frame, outcome
    return Held(*what, simulation, told, own=True, starts=starts, rows=known[1])


def _ask_inputs(mine: OwnTable, numeric: Sequence[str], output: str) -> list[str]:
    first = mine.proposed(None if output == LATER else output)
    if output == LATER and first.outcome is not None:  # then that is a column like the others
        first = replace(first, inputs=(*first.inputs, first.outcome))
    could = {*first.inputs, *first.repeats}
    before = [name for name in st.session_state.get(upload.INPUTS, ()) if name in numeric and name != output]
    key = upload.chosen(f"workbench/inputs/{upload.unnamed(output)}")
    start = [name for name in numeric if name in first.inputs][:3] or [name for name in numeric if name != output][:3]
    st.session_state.setdefault(key, before or start)  # an order may have said them already
    able = [name for name in numeric if name != output and name not in could]
    could |= {*upload.taken_back(able, _LEFT), *st.session_state[key]}
    offered = [name for name in numeric if name in could and name != output]
    said = "Numbers as they are. Columns that cannot go out, or had better not, are listed below with the reason."
    inputs = st.multiselect("Columns to release", offered, key=key, persist_state="session", help=said)
    left = {}
    for column in mine.kinds:
        if column.name not in (output, *inputs):
            numbers = column.name in first.left_out or column.kind == "number"
            words = f"it holds {'dates' if column.kind == 'date' else 'words'}, and only numbers go out with noise"
            left[column.name] = upload.why_not(column.name, first, "the columns") if numbers else words
    upload.account(left, able, _LEFT)
    return inputs


def _ask_outcome(numeric: Sequence[str], first: Proposal, units: Mapping[str, str]) -> tuple[str, Outcome]:
    """Return the outcome's column, or `LATER`, and what it is. Raises DataError for one without a name."""
    likely = first.outcome if first.outcome in numeric else numeric[-1]
    better = "highest" if first.maximize else "lowest"
    for part, start in (("output", likely), ("name", "outcome"), ("goal", better)):
        st.session_state.setdefault(upload.chosen(f"workbench/{part}"), start)  # an order may have said them already
    kept: dict[str, Any] = {"persist_state": "session", "on_change": upload.outcome_chosen}
    key, said = upload.chosen("workbench/output"), "What is measured of each record, one at a time. It stays here."
    column = st.selectbox("Outcome", [*numeric, LATER], key=key, help=said, **kept)
    upload.say_outcome(first, column)
    name, key = column, upload.chosen("workbench/name")
    if column == LATER:
        name = st.text_input("What will be measured", key=key, max_chars=60, persist_state="session")
    key = unit_key(column)
    st.session_state.setdefault(key, units.get(column, "")[:LONGEST_UNIT])
    unit = st.text_input("Unit of the outcome", key=key, max_chars=LONGEST_UNIT, persist_state="session")
    goal_key = upload.chosen("workbench/goal")
    goal = st.segmented_control("Look for the", ["highest", "lowest"], key=goal_key, required=True, **kept)
    return column, Outcome(unmarked(name.strip()), unmarked(unit.strip()), goal == "highest")


def _simulated(mine: OwnTable, frame: Frame, outcome: Outcome, place: DeltaGenerator) -> tuple[Simulation, int]:
    """Return the simulation of searches on a table of one's own, and after how many starts learning ended for it.

    It is made anew when something was said of the table anew. Where Data has prepared the same columns in the same
    frame for the same end, it is the one of the other pages, so that all of them say the same of a search; an order
    says how the searches were simulated that it rests on. ``place`` is where learning shows how far it is.
    """
    order, recipe = simulated_for(frame, outcome), mine.recipe
    # The outcome counts as its logarithm as was chosen on Data, else as is proposed there.
    log = bool((recipe if recipe and recipe.output == outcome.name else mine.proposed(outcome.name)).log_output)
    starts = order.starts if order else None
    asked = frame.names, outcome.name, outcome.larger_is_better, log
    if mine.simulation and recipe and not recipe.encode and mine.simulation.problem.frame.unwritten == frame.unwritten:
        same = (tuple(recipe.inputs), recipe.output, recipe.maximize, recipe.log_output) == asked
        if same and starts in (None, recipe.starts):
            return mine.simulation, recipe.starts
    known, wanted = st.session_state.get(_SIMULATION), (frame, outcome, log, starts)
    if known is None or known[0] != wanted:
        assert mine.table is not None
        cleaned = clean(mine.table, frame.names, outcome.name, maximize=outcome.larger_is_better, log_output=log)
        learned = upload.learn(cleaned, place, STARTS if starts is None else starts)
        problem = finish(cleaned, learned.fit, title=mine.name, frame=frame)
        known = st.session_state[_SIMULATION] = wanted, (Simulation(problem), learned.starts)
    made_of: tuple[Simulation, int] = known[1]
    return made_of
