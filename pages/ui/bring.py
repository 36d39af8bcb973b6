"""Bring a table of the visitor's own: read the file once, and ask what only a person can answer."""

from collections.abc import Collection, Iterator
from dataclasses import replace
from itertools import islice
from typing import Any

import streamlit as st

from pages.ui.numbers import MINUS, count
from pages.ui.own_data import own_file
from pages.ui.own_table import (
    OWN_CHOICE,
    Answers,
    OwnTable,
    forget_about,
    keep_own_table,
    own_table,
)
from pages.ui.settings_editor import renew_editor
from pages.ui.sliders import OWN_DATA
from pages.ui.text import to_markdown
from privbo_core.data import Question, TableSettings, propose_settings
from privbo_core.errors import DataError

TYPES = ("csv", "tsv", "txt", "gz")
MAX_NAME = 60
MAX_QUESTIONS = 3
"""How many questions are shown at once. The others follow as these are answered."""
ABOUT = (
    "Up to 200 MB and 1,000,000 rows, also gzipped. It stays in this session’s memory. PrivBO doesn’t write it to disk "
    "and doesn’t show it to other visitors."
)
READ, REFUSED, ANSWER = (f"{OWN_DATA}{name}" for name in ("read", "refused", "answer"))


def bring_table() -> None:
    """Show the place for a file, and make a new file the visitor's table.

    A file that can't be read gets a sentence, and the table before it stays.
    """
    file = own_file("Your own table (CSV)", TYPES, "file", ABOUT)
    if file is not None and st.session_state.get(READ) != file.file_id:
        name = "".join(letter for letter in file.name if letter.isprintable())[:MAX_NAME]
        try:
            with st.spinner("Reading the file"):
                table = read_own_table(file.getvalue(), name, file.file_id)
        except DataError as error:
            st.session_state[REFUSED] = f"{name}: {error}"
        else:
            st.session_state.pop(REFUSED, None)
            _take(table)
            st.session_state["data"] = OWN_CHOICE
        st.session_state[READ] = file.file_id
    if REFUSED in st.session_state:
        st.error(to_markdown(st.session_state[REFUSED]), icon=":material/error:")
        if own_table() is not None:
            st.caption("The table that you brought before is still here.")


def read_own_table(content: bytes, name: str, upload: str, answers: Answers | None = None) -> OwnTable:
    """Return the table in a file with first settings. Raises DataError if the file is no table."""
    answers = answers or Answers()
    found = answers.read(content)
    table = OwnTable(found.table, name, content, upload, answers, found.questions)
    columns, proposal = table.columns, table.proposal
    first = propose_settings(found.table, columns, proposal)
    return replace(table, described=(columns, proposal), proposed=first, settings=first)


def _take(table: OwnTable) -> None:
    """Make this the visitor's table. What was chosen and made of another one ends."""
    forget_about("chosen/")
    forget_about("made/")
    renew_editor()
    keep_own_table(table)


def ask_questions(table: OwnTable) -> None:
    """Ask what only a person can answer about the cells of the file, one click each."""
    questions = list(islice(_asked(table), MAX_QUESTIONS))
    place = st.empty()  # What was asked before goes at once, and not when the page is complete.
    if not questions:
        return
    with place.container(border=True, key="card-questions", gap="small"):
        for number in range(MAX_QUESTIONS):
            row = st.empty()
            if number < len(questions):
                with row.container(horizontal=True, gap="small", vertical_alignment="center"):
                    _ask(questions[number], number)


def _ask(question: Question, number: int) -> None:
    text, yes, no = words_of(question)
    st.markdown(f":material/help: {to_markdown(text)}")
    for label, answer in ((yes, True), (no, False)):
        key = f"{OWN_DATA}made/question/{number}/{question.kind}/{answer}"
        st.button(label, key=key, on_click=_say, args=(question, answer))


def _asked(table: OwnTable) -> Iterator[Question]:
    """Return the open questions, that about the header first, because the names of columns depend on it."""
    return iter(sorted(table.questions, key=lambda question: question.kind != "header"))


def _say(question: Question, answer: bool) -> None:
    st.session_state[ANSWER] = question, answer


def _ask_again() -> None:
    st.session_state[ANSWER] = None


def show_answers(table: OwnTable) -> None:
    """Show what was answered about the cells of the file, and a button that takes all answers back."""
    if not table.answered:
        return
    with st.container(key="answers", horizontal=True, gap="small", vertical_alignment="center"):
        st.caption(to_markdown(" ".join(answer_in_words(*each) for each in table.answered)), width="stretch")
        key = f"{OWN_DATA}made/ask again"
        st.button("Ask again", key=key, on_click=_ask_again, type="tertiary", icon=":material/undo:")


def apply_answer() -> None:
    """Read the table again as the visitor's last answer has it read, or without any answer if all are taken back."""
    table = own_table()
    if ANSWER not in st.session_state or table is None:
        return
    given: tuple[Question, bool] | None = st.session_state[ANSWER]
    answers = answered(table.answers, *given) if given is not None else Answers()
    changed = [given] if given is not None else table.answered
    try:
        with st.spinner("Reading the file again"):
            found = read_own_table(table.content, table.name, table.upload, answers)
    except DataError as error:
        st.session_state[REFUSED] = f"{table.name}: {error}"
    else:
        assert found.settings is not None
        settings, earlier = found.settings, table.answered
        if any(question.kind == "header" for question, _ in changed):
            earlier = ()  # The columns have other names now.
        else:
            settings = carried(table, settings, {question.column for question, _ in changed})
        _take(replace(found, settings=settings, answered=(*earlier, given) if given is not None else ()))
    st.session_state.pop(ANSWER, None)


def answered(answers: Answers, question: Question, answer: bool) -> Answers:
    """Return the answers with one more. An answer about the header ends the others, whose columns have other names."""
    name, amounts = question.column, question.amounts if answer else ()
    if question.kind == "header":
        return Answers(header=answer)
    if question.kind in ("unit", "multiplier"):
        if answer:
            return replace(answers, agreed=answers.agreed | {(name, question.kind)})
        return replace(answers, text=(*answers.text, name))
    if question.kind == "missing":
        return replace(answers, missing={**answers.missing, name: amounts})
    if question.kind == "hundredfold":
        return replace(answers, hundredfold={**answers.hundredfold, name: amounts})
    return replace(answers, hundredth={**answers.hundredth, name: amounts})


def carried(before: OwnTable, first: TableSettings, changed: Collection[str]) -> TableSettings:
    """Return first settings with the visitor's earlier changes. The limits of the ``changed`` columns are new."""
    if before.settings is None or before.proposed is None:
        return first
    proposed = {column.name: column for column in before.proposed.columns}
    for column in before.settings.columns:
        if column == proposed.get(column.name) or column.name not in {each.name for each in first.columns}:
            continue
        kept: dict[str, Any] = {"use": column.use, "unit": column.unit}
        if column.name not in changed:
            limits = {"low": column.low, "high": column.high, "hide": column.hide, "known": column.known}
            kept |= {"kind": column.kind, **limits}
        first = first.replaced(column.name, **kept)
    return replace(first, goal=before.settings.goal)


def words_of(question: Question) -> tuple[str, str, str]:
    """Return a question in words, and the two answers to it."""
    name, shown = question.column, ", ".join(question.examples).replace("-", MINUS)
    rows = "1 row" if question.rows == 1 else f"{question.rows:,} rows"
    if question.kind == "header":
        text = f"The first line begins with {shown}. Are these the names of the columns, or a row of data?"
        return text, "Names", "A row of data"
    if question.kind == "missing":
        text = f"{name} is {shown} in {rows}, far from its other numbers. Is the value missing there?"
        return text, "Missing", "A number"
    if question.kind == "unit":
        text = f"{name} has a unit in some cells and none in {rows}: {shown}. Is the unit the same?"
        return text, "Yes", "No, they are texts"
    if question.kind == "multiplier":
        text = f"{name} has a letter after the number in {rows}: {shown}. Is k a thousand and M a million?"
        return text, "Yes", "No, they are texts"
    if question.kind == "hundredfold":
        text = f"{name} is a hundred times larger in {rows} than in the others: {shown}. Is a decimal point missing?"
        return text, "Divide by 100", "Right as it is"
    text = f"{name} is a hundred times smaller in {rows} than in the others: {shown}. Is the unit another one there?"
    return text, "Multiply by 100", "Right as it is"


def answer_in_words(question: Question, answer: bool) -> str:
    """Return how the file is read since a question was answered."""
    name, shown = question.column, ", ".join(question.examples).replace("-", MINUS)
    where = f"in {count(question.rows, 'row', 'rows')}"
    if question.kind == "header":
        return "The first line holds the names of the columns." if answer else "The first line is a row of data."
    if question.kind == "missing":
        return f"{shown} in {name} counts as {'missing' if answer else 'a number'} {where}."
    if question.kind in ("unit", "multiplier") and not answer:
        return f"{name} is read as texts."
    if question.kind == "unit":
        return f"{name} has the same unit {where} without one."
    if question.kind == "multiplier":
        return f"In {name}, k is a thousand and M is a million."
    if not answer:
        return f"{name} stays as it is {where}."
    return f"{name} is {'divided' if question.kind == 'hundredfold' else 'multiplied'} by 100 {where}."
