"""Ask for rows, send the questions off, and take in what the holder answers."""

from collections.abc import Mapping
from typing import Literal

import streamlit as st
from streamlit.runtime.uploaded_file_manager import UploadedFile

from pages.parts.shell.depth import simple
from pages.parts.table.framing import number_typed, numbers_typed
from pages.parts.views.drawing import heading, note, show
from pages.parts.views.text import as_markdown
from pages.parts.workbench.modeler import words
from pages.parts.workbench.modeler.search import Search, not_too_long
from pages.parts.workbench.seats import faults_said, forget_fault, keep_fault, mine
from privbo_core.errors import DataError
from privbo_core.outsourced.parties.exchange import read_answers, write_questions

MOST = 20
HOW = "Several at once are chosen to differ: each is reckoned as if those before it had been told already."


def show_asking(search: Search) -> None:
    """Show the button that asks, the open questions with their reasons, and the file to be sent."""
    heading("Ask")
    modeler = search.modeler
    stop = modeler.advice.stop
    if stop and not simple():
        st.success(as_markdown(f"You may stop. {modeler.advice.sentence}"), icon=":material/flag:")
    elif modeler.told and not simple():
        note(modeler.advice.sentence)
    with st.container(horizontal=True, vertical_alignment="bottom"):
        count = st.number_input(
            "Rows at once", 1, MOST, 1, key=mine("ask count"), help=HOW, width=130, persist_state="session"
        )
        kind: Literal["secondary", "primary"] = "secondary" if modeler.pending or stop else "primary"
        if st.button(
            "Ask for more" if modeler.pending else "Ask",
            type=kind,
            icon=":material/help:",
            on_click=forget_fault,
            key=f"ask-{search.times}",
        ):
            with faults_said():
                modeler.ask(int(count))
                search.changed()
                st.rerun()
    if not modeler.pending:
        return
    asked = [modeler.suggestion(row) for row in modeler.pending]
    if len({each.why for each in asked}) == 1 and not modeler.told:  # nothing is known that tells them apart
        note(f"Row{'s' if len(asked) > 1 else ''} {', '.join(str(each.row) for each in asked)}. {asked[0].why}")
    else:
        show(words.suggestions(asked, modeler.package, plain=simple()))
    if len(modeler.pending) > 1 and modeler.told and not simple():
        note(HOW)
    st.download_button(
        "Download the questions, to be sent",
        write_questions(modeler.pending, modeler.package.name),
        "questions.csv",
        "text/csv",
        type="primary",
        icon=":material/download:",
        on_click="ignore",
        key="get-questions",
    )


TYPED = 8
"""Open questions whose answers are typed on the page; for more there is a file."""
TELLING = "telling"
"""Where it is said what of a file could not be told."""
FILES = ["csv", "txt"]
MANY, HIGH = 8, 320
"""So many tests are shown at once; more scroll in so many pixels."""


def show_telling(search: Search) -> None:
    """Show the form that takes answers to the open questions in."""
    heading("Tell")
    modeler, times = search.modeler, search.times
    with st.form(f"tell-{times}", border=False):
        rows = modeler.pending[:TYPED]
        places = st.columns(2) if len(rows) > 1 else [st.container()]
        typed = {
            row: places[k % len(places)].text_input(
                f"{as_markdown(str(modeler.package.outcome))} of row {row}",
                key=mine(f"told/{times}/{row}"),
                max_chars=40,
            )
            for k, row in enumerate(rows)
        }
        if len(modeler.pending) > TYPED:
            note(
                f"Type these first and the {len(modeler.pending) - TYPED} others after them, or bring a file with all."
            )
        file = st.file_uploader(
            "The file of answers you were sent", type=FILES, key=mine(f"answers/{times}"), max_upload_size=1
        )
        if st.form_submit_button("Tell the model", type="primary", icon=":material/check:", on_click=forget_fault):
            with faults_said():
                _tell(search, _outcomes(search, typed, file))
    if modeler.pending:
        _skip(search)


def show_told(search: Search) -> None:
    """Show what was told, and let it be mended."""
    modeler = search.modeler
    if not modeler.told:
        return
    with st.container(height=HIGH if len(modeler.told) > MANY else "content", border=False):
        show(words.told_table(modeler))
    with st.expander("Correct an entry, or take it back"):
        row = st.selectbox("Row", list(modeler.told), key=mine(f"mended/{search.times}"))
        text = st.text_input("What came out in truth", key=mine(f"mend/{search.times}"), max_chars=40)
        with st.container(horizontal=True):
            if st.button("Correct it", icon=":material/edit:", on_click=forget_fault, key=f"correct-{search.times}"):
                with faults_said():
                    modeler.correct(row, number_typed(f"the outcome of row {row}", text))
                    _again(search)
            if st.button("Take it back", icon=":material/undo:", on_click=forget_fault, key=f"untell-{search.times}"):
                with faults_said():
                    modeler.untell(row)
                    _again(search)


def _outcomes(search: Search, typed: Mapping[int, str], file: UploadedFile | None) -> dict[int, float]:
    """Return what is in a file and what was typed, by row. Raises DataError if there is none, or one is no number."""
    outcomes = dict(read_answers(file.getvalue(), search.modeler.package.name)) if file is not None else {}
    outcomes |= numbers_typed({row: (f"the outcome of row {row}", text) for row, text in typed.items() if text.strip()})
    if not outcomes:
        raise DataError("Nothing came out yet; type an outcome, or bring a file of answers.")
    return outcomes


def _tell(search: Search, outcomes: Mapping[int, float]) -> None:
    """Tell row by row. What cannot be told is said, and the others are told."""
    not_too_long(search.modeler, len(set(outcomes).difference(search.modeler.told, search.modeler.pending)))
    faults, done = [], 0
    for row, outcome in outcomes.items():
        if search.modeler.told.get(row) == outcome:  # a file of answers holds the earlier ones too
            continue
        try:
            search.modeler.tell(row, outcome)
            done += 1
        except DataError as fault:
            faults.append(str(fault))
    said = " ".join(faults[:3])
    if not done:
        raise DataError(said or "All of that was told already.")
    search.changed()
    if said:
        keep_fault(TELLING, said)
    st.rerun()


def _skip(search: Search) -> None:
    with st.expander("A row that cannot be tested"):
        row = st.selectbox("Row", search.modeler.pending, key=mine(f"skipped/{search.times}"))
        if st.button("Skip it", icon=":material/block:", on_click=forget_fault, key=f"skip-{search.times}"):
            with faults_said():
                search.modeler.skip(row)
                _again(search)


def _again(search: Search) -> None:
    search.changed()
    st.rerun()
