"""Rows asked come in, outcomes are looked up or typed, answers go out."""

from collections.abc import Mapping, Sequence

import streamlit as st
from streamlit.runtime.uploaded_file_manager import UploadedFile

from pages.parts.bring.framing import number_typed
from pages.parts.show.show import heading, note, show
from pages.parts.values.text import minus
from pages.parts.values.views import table
from pages.parts.workbench.faults import faults_said
from pages.parts.workbench.holder import words
from pages.parts.workbench.holder.kept import Kept
from pages.parts.workbench.holder.releasing import file_name
from pages.parts.workbench.holder.table import Held
from pages.parts.workbench.seats import mine
from privbo_core.errors import DataError
from privbo_core.outsourced import answers_csv, read_outcomes, read_questions

TYPED = 12
"""Rows for which outcomes are typed on the page; for more there is a file."""
FILES = ["csv", "txt"]


def show_answers(held: Held, kept: Kept) -> None:
    """Show the way from rows asked to answers."""
    heading("Answer")
    ledger = kept.ledger
    note(words.answered_how(ledger.private, ledger.outcome.name if ledger.outcome else held.outcome.name))
    asked, given = st.columns(2, gap="large")
    with asked:
        _ask(kept)
        if kept.asked:
            _measure(held, kept)
    with given:
        if kept.answers:
            _give(held, kept)
            if ledger.private is None:
                _correct(kept)


def _ask(kept: Kept) -> None:
    """Take in the rows that were asked for: typed, or from a file."""
    with st.form(f"asked-{kept.times}", border=False):
        typed = st.text_input("Rows asked for", key=mine("rows asked"), placeholder="17, 4022", max_chars=2000,
                              persist_state="session")  # fmt: skip
        file = st.file_uploader(
            "Or their file of questions", type=FILES, key=mine(f"questions/{kept.times}"), max_upload_size=1
        )
        if st.form_submit_button("Find them", icon=":material/search:"):
            with faults_said():
                rows = read_questions(file.getvalue() if file is not None else typed.encode())
                for row in rows:
                    kept.curator.find(row)
                kept.asked = tuple(dict.fromkeys(rows))
                kept.changed()
                st.rerun()


def _measure(held: Held, kept: Kept) -> None:
    """Show the records asked for, and take in their outcomes."""
    found = [(row, *kept.curator.find(row)) for row in kept.asked]
    names = held.frame.names if not kept.ledger.releases else kept.ledger.releases[-1].frame.names
    show(table(
        ("row", f"{held.told.one} in your table", *names),
        [(f"{row:,}", f"{record + 1:,}", *(f"{value:,.6g}" for value in values)) for row, record, values in found],
    ))  # fmt: skip
    one = held.told.one
    if held.known:
        note(f"Their {held.outcome.name} is in your table.")
        if st.button(
            f"Answer {_count(found, one)}", type="primary", icon=":material/send:", key=f"answer-{kept.times}"
        ):
            _answer(kept, {row: None for row, *_ in found})
        return
    with st.form(f"outcomes-{kept.times}", border=False):
        typed = {}
        for row, record, _ in found[:TYPED]:
            typed[row] = st.text_input(
                f"{held.outcome} of {one} {record + 1:,} (row {row:,})",
                key=mine(f"outcome/{kept.times}/{row}"),
                max_chars=40,
            )
        file = st.file_uploader(
            "Or a file with row and outcome", type=FILES, key=mine(f"outcomes/{kept.times}"), max_upload_size=1
        )
        if st.form_submit_button("Answer", type="primary", icon=":material/send:"):
            with faults_said():
                _answer(kept, _outcomes(typed, file))


def _outcomes(typed: Mapping[int, str], file: UploadedFile | None) -> dict[int, float | None]:
    """Return the outcomes that were typed or are in a file, by row. Raises DataError if there is none, or one is no number."""
    if file is not None:
        return dict(read_outcomes(file.getvalue()))
    outcomes: dict[int, float | None] = {
        row: number_typed(f"the outcome of row {row:,}", text) for row, text in typed.items() if text.strip()
    }
    if not outcomes:
        raise DataError("There is no outcome yet; type one, or bring a file.")
    return outcomes


def _answer(kept: Kept, outcomes: Mapping[int, float | None]) -> None:
    """Answer row by row. What cannot be answered is said, and the others are."""
    faults = []
    for row, outcome in outcomes.items():
        try:
            kept.answers[row] = kept.curator.answer(row, outcome)
        except DataError as fault:
            faults.append(str(fault))
    kept.asked = tuple(row for row in kept.asked if row not in kept.answers)
    kept.changed(" ".join(faults[:3]))
    st.rerun()


def _give(held: Held, kept: Kept) -> None:
    """Show the answers, and the button that downloads them."""
    answers = [kept.answers[row] for row in sorted(kept.answers)]
    st.download_button(
        f"Download {_count(answers, 'answer')}, to be sent", answers_csv(answers), f"{file_name(held)}-answers.csv", "text/csv",
        type="primary", icon=":material/download:", on_click="ignore", key="get-answers",
    )  # fmt: skip
    clipped = sum(answer.clipped for answer in answers)
    if clipped:
        st.warning(f"{_count(range(clipped), 'outcome')} lay outside of the range and was moved to its end before the noise." if clipped == 1 else f"{clipped} outcomes lay outside of the range and were moved to its ends before the noise.")  # fmt: skip
    rows = [(f"{each.row:,}", minus(f"{each.value:,.6g}"), _remark(each.clipped, each.repeated)) for each in answers]
    show(table(("row", str(kept.ledger.outcome or held.outcome), ""), rows))


def _correct(kept: Kept) -> None:
    """Let the holder correct an exact answer; the ledger keeps both."""
    with st.expander("Correct an answer"), st.form(f"correct-{kept.times}", border=False):
        row = st.selectbox("Row", sorted(kept.answers), key=mine(f"correct/{kept.times}"))
        text = st.text_input("Its outcome, measured right", key=mine(f"corrected/{kept.times}"), max_chars=40)
        if st.form_submit_button("Correct it", icon=":material/edit:"):
            with faults_said():
                kept.answers[row] = kept.curator.correct(row, number_typed(f"the outcome of row {row:,}", text))
                kept.changed()
                st.rerun()


def _remark(clipped: bool, repeated: bool) -> str:
    return "moved into the range" if clipped else "as before" if repeated else ""


def _count(things: Sequence[object], one: str) -> str:
    return f"{len(things):,} {one}{'s' if len(things) != 1 else ''}"
