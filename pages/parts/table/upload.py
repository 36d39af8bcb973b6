"""The one way in for a table, its first choices, and learning the length-scales beside the page."""

from collections.abc import Iterable, Mapping, Sequence
from contextlib import nullcontext
from dataclasses import dataclass
from hashlib import sha256

import pandas as pd
import streamlit as st
from streamlit.delta_generator import DeltaGenerator
from streamlit.runtime.uploaded_file_manager import UploadedFile

from pages.parts.shell.address import visit
from pages.parts.shell.depth import simple
from pages.parts.shell.session import FORGOTTEN, OWN, attended, drop, own_file, read_once
from pages.parts.table.own_table import OWN_TABLE, Choice, OwnTable, offer_clearing, own_table, show_sample_next
from pages.parts.views.drawing import note
from pages.parts.views.text import as_markdown, unmarked
from pages.ui.follow import interrupt as give_way
from privbo_core.data import Cleaned, Proposal, fitting, read_table, rule_of_thumb
from privbo_core.data.prepare import MAX_INPUTS, STARTS
from privbo_core.gp import Fit

TYPES = ["csv", "tsv", "txt", "gz"]
LONGEST_NAME = 60
MOST_QUESTIONS = 3  # So many columns are asked of at once whether their codes mean that there is no value.
_READ, _REFUSED, _ANSWERED = (f"{OWN}{name}" for name in ("read", "refused", "answered"))


def bring_table() -> pd.DataFrame | None:
    """A file that cannot be read gets a sentence, and the last table stays; a new one ends what was made of that."""
    state, before = st.session_state, own_table()
    fold = right = None
    if simple() and before.table is not None:
        right = st.container(horizontal=True)  # where there is no room beside it, the button goes below
        fold = right.expander(as_markdown(f"{before.name}: {_read(before.table)}"))
    with fold or nullcontext():
        stays = "It stays in this session’s memory: it is not written to disk and not shared with other visitors."
        said = f"Up to 200 MB and 1,000,000 rows, with a header line. {stays}"
        file = own_file("A table of your own (CSV, also gzipped)", TYPES, "file", help=said)
    name = unmarked(file.name[:LONGEST_NAME]) if file is not None else ""
    read, fault = read_once(file, _READ, lambda file: _brought(file, name))
    if fault:
        state[_REFUSED] = f"{name}: {fault}"
    if read:
        state.pop(_REFUSED, None)
        drop(chosen(""))
        _use(read)
    if _REFUSED in state:
        st.error(as_markdown(state[_REFUSED]), icon=":material/error:")
    mine = own_table()
    if mine.table is None:
        return None
    with right or nullcontext():
        offer_clearing(fold)
    if _ANSWERED in state:
        said = mine.missing | state.pop(_ANSWERED)
        missing = {name: codes for name, codes in said.items() if codes is not None}
        with attended():
            found = read_table(mine.content, missing)
        _use(mine := mine.read_anew(found, missing))
    assert mine.table is not None
    notes = [as_markdown(sentence) for sentence in mine.table.attrs.get("notes", ())]
    if fold is None:
        st.caption(as_markdown(f"Read: {_read(mine.table)}"))
    with fold or (st.expander("How the file was read") if notes or mine.missing else nullcontext()):
        for sentence in notes:
            st.markdown(sentence)
        for name, codes in mine.missing.items():
            meant = f"{', '.join(f'{code:g}' for code in codes)} means no value" if codes else "all numbers are values"
            label, key = f"{as_markdown(name)}: {meant}, as you said. Ask again", made(f"codes/{unnamed(name)}/again")
            st.button(label, key=key, on_click=state.__setitem__, args=(_ANSWERED, {name: None}))
    _ask_codes(mine)
    return mine.table


def _brought(file: UploadedFile, name: str) -> OwnTable:
    found = read_table(file)
    return OwnTable(found.table, name, file.getvalue(), file.file_id, questions=found.questions)


def _read(table: pd.DataFrame) -> str:
    phrases = table.attrs.get("short", ())
    more = f" and {len(phrases) - 4} more" if len(phrases) > 4 else ""
    check = f"Please check: {', '.join(dict.fromkeys(phrases[:4]))}{more}." if phrases else ""
    return f"{len(table):,} rows, {len(table.columns)} columns. {check}".rstrip()


def _ask_codes(mine: OwnTable) -> None:
    asked = [question for question in mine.questions if question.kind == "missing"]
    for question in asked[:MOST_QUESTIONS]:
        codes = ", ".join(f"{value:.15g}" for value in question.amounts)
        cells = "1 row" if question.rows == 1 else f"{question.rows:,} rows"
        far = f"{question.column}: {codes} in {cells}, far from its other numbers."
        st.warning(as_markdown(f"{far} Does it mean that there is no value?"))
        with st.container(horizontal=True):
            for label, missing in (("Yes, no value", list(question.amounts)), ("No, a number", [])):
                key = made(f"codes/{unnamed(question.column)}/{label[:2]}")
                say = st.session_state.__setitem__
                st.button(label, key=key, on_click=say, args=(_ANSWERED, {question.column: missing}))


def made(what: str) -> str:
    """Return the key under which a page keeps what it made of the table: gone as soon as it is read anew."""
    return f"{OWN}made/{what}"


def chosen(what: str) -> str:
    """Return the key under which a page keeps a choice of the table: gone as soon as there is another file."""
    return f"{OWN}chosen/{what}"


def unnamed(name: str) -> str:
    """Return what tells a column from others without naming it: the keys of controls outlive what is shown of them."""
    return sha256(name.encode()).hexdigest()[:12]


def _use(table: OwnTable) -> None:
    drop(made(""))
    shown = own_table().simulation is not None
    st.session_state[OWN_TABLE] = table
    table.publish()
    st.session_state.pop(FORGOTTEN, None)
    if shown:
        show_sample_next()
    if shown or simple():  # then its place is another one
        st.rerun()


INPUTS = chosen("inputs")  # Under this key stand the inputs that were chosen on Data.
MANY, HIGH = 10, 260  # So many columns that are left out are shown at once; more scroll in so many pixels.


def say_outcome(first: Proposal, chosen: str) -> None:
    if chosen == first.outcome and chosen not in {name for name, _ in own_table().outcomes}:
        st.caption(as_markdown(f"Proposed because {first.because}. Choose what you look for."))


def outcome_chosen() -> None:
    own_table().chosen = visit()


def outcome_agreed(outcome: str, goal: str) -> bool:
    mine = own_table()
    if mine.chosen == visit():
        mine.outcomes.add((outcome, goal))
    mine.chosen = None
    return (outcome, goal) in mine.outcomes


def outcome_said(outcome: str, goal: str, until: str) -> bool:
    place = st.empty()  # so that the button goes at once, and not when all that it sets off is done
    if outcome_agreed(outcome, goal):
        return True
    with place.container():
        label = f"Yes: look for the {goal} {as_markdown(outcome)}"
        st.button(label, type="primary", icon=":material/check:", key="outcome-meant", on_click=outcome_chosen)
        note(f"The outcome is only proposed. {until}")
    return False


def taken_back(able: Sequence[str], key: str) -> list[str]:
    return [name for name in st.session_state.get(_taken(key), ()) if name in able]


def offer_again(names: Iterable[str], key: str) -> None:
    st.session_state[_taken(key)] = list(dict.fromkeys([*st.session_state.get(_taken(key), ()), *names]))


def why_not(name: str, first: Proposal, among: str = "the inputs") -> str:
    if why := first.left_out.get(name):
        return why
    if name not in (*first.inputs, *first.repeats):
        return f"there are more than {MAX_INPUTS} columns; the first of them are offered"
    repeats = "it numbers repeats, " if name in first.repeats else ""
    how = f": {first.reasons[name]}" if name in first.reasons and first.encode.get(name) != "log" else ""
    return f"{repeats}not chosen; you can add it to {among}{how}"


def account(left: Mapping[str, str], able: Sequence[str], key: str) -> None:
    if not left:
        return
    count = "1 column" if len(left) == 1 else f"{len(left)} columns"
    with st.expander(f"Left out: {count}"):
        with st.container(height=HIGH if len(left) > MANY else "content", border=False):
            st.markdown("  \n".join(f"**{as_markdown(name)}**: {as_markdown(why)}" for name, why in left.items()))
        if able:
            st.multiselect("Offer these all the same", able, key=_taken(key), persist_state="session")


def _taken(key: str) -> str:
    return chosen(f"{key}/taken back")


@dataclass(frozen=True)
class Learned:
    """What was found, and after how many starts learning ended: fewer than was asked for if somebody stopped it."""

    fit: Fit
    starts: int


def learn(cleaned: Cleaned, place: DeltaGenerator, starts: int = STARTS) -> Learned:
    """Return the length-scales of these columns after so many ``starts``; where they are not known yet, learn them.

    ``place`` shows how far that is, and a button that stops it: then the best of what was found is used, until other
    columns are looked at. After no start it is the rule of thumb.
    """
    mine, choice = own_table(), (cleaned.names, cleaned.output)
    steps = mine.learned.setdefault(choice, [rule_of_thumb(cleaned)])
    if mine.stopped is not None and mine.stopped[0] != choice:
        mine.stopped = None
    if len(steps) <= starts and mine.stopped is None:
        with place.container():  # what is found after each start is kept, so that stopping loses nothing
            label, icon = "Stop here and use what is found", ":material/stop_circle:"
            st.button(label, key=made("stop"), icon=icon, on_click=_take_known, args=(choice,))
            bar = st.progress(0.0, "Learning how fast the output changes along each input …")
            for step in fitting(cleaned, restarts=starts):
                if step.done == len(steps):
                    steps.append(step.best)
                bar.progress(step.done / step.restarts, f"Length-scales: start {step.done} of {step.restarts}")
                give_way()
        place.empty()
    last = min(mine.stopped[1] if mine.stopped else starts, starts)
    return Learned(steps[last], last)


def _take_known(choice: Choice) -> None:
    """Take what is known by now, unless there is another table already."""
    mine = own_table()
    if steps := mine.learned.get(choice):
        mine.stopped = choice, len(steps) - 1


def offer_door(**query: str) -> None:
    label, asked = "I have a table of my own", {**query, "bring": "table"}
    st.page_link("pages/data.py", label=label, icon=":material/upload_file:", query_params=asked)


def coming_with_a_table() -> bool:
    return st.query_params.get("bring") == "table"
