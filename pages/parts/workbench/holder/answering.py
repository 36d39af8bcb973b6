"""Rows asked come in, outcomes are looked up or typed, answers go out."""

import math
from collections.abc import Mapping, Sequence
from typing import Any

import streamlit as st

from pages.parts.table.framing import number_typed
from pages.parts.table.orders import answered_how, tests_agreed
from pages.parts.views.drawing import download, heading, note, show
from pages.parts.views.text import as_markdown, minus
from pages.parts.views.views import table
from pages.parts.workbench import seats
from pages.parts.workbench.holder import words
from pages.parts.workbench.holder.ledger import HolderState
from pages.parts.workbench.holder.releasing import file_name, offer_ledger
from pages.parts.workbench.holder.table import Held
from pages.parts.workbench.seats import faults_said, forget_fault, mine
from privbo_core.data.columns import decimal_mark
from privbo_core.data.marks import PLAIN
from privbo_core.errors import DataError
from privbo_core.outsourced.parties.curator import Lookup
from privbo_core.outsourced.parties.exchange import answers_csv, read_outcomes, read_questions

TYPED = 12  # Rows for which outcomes are typed on the page; for more there is a file.


def show_answers(held: Held, kept: HolderState) -> None:
    heading("Answer")
    note(answered_how(kept.ledger.private, kept.outcome.name))
    asked, given = st.columns(2, gap="large")
    with asked:
        numbers = [each.release for each in kept.ledger.finished]
        if len(numbers) > 1:
            place = numbers.index(kept.of)
            kept.pick(st.selectbox("Rows are of release", numbers, place, key=mine(f"release/{kept.times}")))
        _ask(kept)
    with given:
        if kept.waiting:
            _measure(held, kept)
        seats.say_kept(f"answers/{held.identity}")
        if kept.given:
            _give(held, kept)
            if kept.ledger.private is None:
                _correct(held, kept)


def _ask(kept: HolderState) -> None:
    with st.form(f"asked-{kept.times}", border=False):
        typed = st.text_input("Rows asked for", key=mine(f"rows/{kept.times}"), placeholder="17, 4022", max_chars=2000)
        file = st.file_uploader(
            "Or their file of questions", type=seats.FILES, key=mine(f"questions/{kept.times}"), max_upload_size=1
        )
        if st.form_submit_button("Find them", icon=":material/search:", on_click=forget_fault):
            with faults_said():
                name = kept.release.name
                rows = read_questions(file.getvalue(), name) if file is not None else ()
                if typed.strip() or not rows:
                    rows = (*rows, *read_questions(typed, name))
                for row in rows:
                    kept.find(row)
                kept.waiting = tuple(dict.fromkeys(rows))
                kept.changed()
                st.rerun()


def _measure(held: Held, kept: HolderState) -> None:
    found = [kept.find(row) for row in kept.waiting]
    one, times, names = held.sample.one, kept.times, kept.release.frame.names
    rows = [(f"{each.row}", each.lines, *(_cell(each.cells.get(name, "…")) for name in names)) for each in found]
    show(table(("row", f"{one} in your table", *names), rows))
    lacking = _lacking(held, kept, found)
    if len(lacking) < len(found):
        note(f"Their {kept.outcome.name} is in your table{f', but for {len(lacking)}' if lacking else ''}.")
    agreed, told = tests_agreed(), told_with(found, {answer.record for answer in kept.ledger.answers})
    if agreed is not None and told > agreed:
        st.warning(f"The order is for {agreed:,} tests; these answers make it {told:,}. Nobody has signed for that.")
    if not lacking:
        label, key = f"Answer {_count(len(found), one)}", f"answer-{times}"
        if st.button(label, type="primary", icon=":material/send:", on_click=forget_fault, key=key):
            _answer(held, kept, dict.fromkeys(kept.waiting))
        return
    with st.form(f"outcomes-{times}", border=False):
        outcome = as_markdown(str(kept.outcome))
        labels = {each.row: f"{outcome} of {one} {each.lines} (row {each.row})" for each in lacking[:TYPED]}
        typed, file = seats.ask_outcomes("outcomes", times, labels, len(lacking), "Or a file with row and outcome")
        if st.form_submit_button("Answer", type="primary", icon=":material/send:", on_click=forget_fault):
            with faults_said():
                in_file = read_outcomes(file.getvalue(), kept.release.name) if file is not None else {}
                missing = "There is no outcome yet; type one, or bring a file."
                given = seats.outcomes_of(typed, in_file, missing, decimal_mark(held.table))
                have: dict[int, float | None] = {each.row: None for each in found if each not in lacking}
                _answer(held, kept, have | given)


def told_with(found: Sequence[Lookup], before: set[int]) -> int:
    """Return how many tests are told with these rows, each one of its records, beside the records told ``before``."""
    return len(before) + sum(before.isdisjoint(each.records) for each in found)


def _lacking(held: Held, kept: HolderState, found: Sequence[Lookup]) -> Sequence[Lookup]:
    """Return those of whom the table has no outcome: a code that means "no value" is none."""
    name, amount = kept.outcome.name, (kept.outcome.marks or PLAIN).amount
    if name not in held.cells:
        return found
    cells = held.cells[name]
    return [each for each in found if not all(math.isfinite(amount(cells.iloc[record])) for record in each.records)]


def _answer(held: Held, kept: HolderState, outcomes: Mapping[int, float | None]) -> None:
    """Answer row by row: what cannot be answered is said, and the others are."""
    faults = []
    for row, outcome in outcomes.items():
        try:
            kept.note_down(kept.curator.answer(row, outcome, release=kept.of), outcome)
        except DataError as fault:
            faults.append(str(fault))
    kept.waiting = tuple(row for row in kept.waiting if row not in kept.given)
    kept.changed()
    if faults:
        seats.keep_fault(f"answers/{held.identity}", " ".join(faults[:3]))
    st.rerun()


def _give(held: Held, kept: HolderState) -> None:
    answers, data = kept.given, answers_csv(kept.given, kept.release.name)
    with st.container(horizontal=True):
        label, name = f"Download {_count(len(answers), 'answer')}, to be sent", f"{file_name(held)}-answers.csv"
        kind = "secondary" if kept.waiting else "primary"
        download(label, data, name, "download", type=kind, key="get-answers")
        if kept.saved != kept.store.data:
            offer_ledger(held, kept, key="get-ledger-too")
    clipped = sum(answer.clipped for answer in kept.answers.values())
    if clipped:
        said = f"{_count(clipped, 'outcome')} lay outside of the range: clipped to its end before the noise."
        st.warning(as_markdown(f"{said} {words.beyond(kept.ledger, len(kept.beyond))}".rstrip()))
    remarks = {row: "clipped" if each.clipped else "as before" * each.repeated for row, each in kept.answers.items()}
    rows = [(f"{row}", _cell(value), remarks.get(row, "")) for row, value in reversed(answers.items())]
    with st.container(height=260 if len(rows) > 7 else "content", border=False):
        show(table(("row", str(kept.outcome), ""), rows))


def _correct(held: Held, kept: HolderState) -> None:
    with st.expander("Correct an answer"), st.form(f"correct-{kept.times}", border=False):
        row = st.selectbox("Row", sorted(kept.given), key=mine(f"correct/{kept.times}"))
        text = st.text_input("Its outcome, measured right", key=mine(f"corrected/{kept.times}"), max_chars=40)
        if st.form_submit_button("Correct it", icon=":material/edit:", on_click=forget_fault):
            with faults_said():
                number = number_typed(f"the outcome of row {row}", text, decimal_mark(held.table))
                kept.note_down(kept.curator.correct(row, number, release=kept.of))
                kept.changed()
                st.rerun()


def _cell(value: Any) -> str:  # noqa: ANN401
    return minus(f"{value:,.6g}") if isinstance(value, float) else f"{value}"


def _count(count: int, one: str) -> str:
    return f"{count:,} {one}{'s' if count != 1 else ''}"
