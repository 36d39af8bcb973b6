"""The seats at the workbench, the steps of each, and the sentences about what went wrong."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager

import streamlit as st
from streamlit.runtime.uploaded_file_manager import UploadedFile

from pages.parts.shell.session import OWN
from pages.parts.table.framing import numbers_typed
from pages.parts.views.drawing import note
from pages.parts.views.templates import render
from pages.parts.views.text import as_markdown, unmarked
from privbo_core.errors import DataError

PAGE = "Workbench"
FILES = ["csv", "txt"]


def offer_seat(seat: str, label: str, icon: str) -> None:
    st.button(label, icon=icon, on_click=st.session_state.update, args=({"seat": seat},), key=f"to-{seat}")


def mine(what: str) -> str:
    """Return the key under which a seat keeps something: gone with all that a session holds of its visitor's data."""
    return f"{OWN}workbench/{what}"


def show_steps(steps: Sequence[str], now: int, undone: Sequence[int] = ()) -> None:
    """Those before ``now``, counted from 0, are done, but for those ``undone``."""
    st.html(render("steps.html", steps=steps, now=now, undone=undone))


_KEPT = mine("fault")


@contextmanager
def faults_said() -> Iterator[None]:
    try:
        yield
    except DataError as fault:
        say_fault(str(fault))


def say_fault(sentence: str) -> None:
    st.error(as_markdown(unmarked(sentence)), icon=":material/error:")


def ask_outcomes(
    form: str, times: int, asked: Mapping[int, str], open_ones: int, offer: str, columns: int = 1
) -> tuple[dict[int, str], UploadedFile | None]:
    """Ask for the outcomes of these rows, by their labels, or for a file with all of so many that are open."""
    places = st.columns(columns) if columns > 1 else [st]
    typed = {
        row: places[k % columns].text_input(label, key=mine(f"{form}/{times}/{row}"), max_chars=40)
        for k, (row, label) in enumerate(asked.items())
    }
    if open_ones > len(asked):
        note(f"Type these first and the {open_ones - len(asked)} others after them, or bring a file with all.")
    return typed, st.file_uploader(offer, type=FILES, key=mine(f"{form}/{times}"), max_upload_size=1)


def outcomes_of(
    typed: Mapping[int, str], in_file: Mapping[int, float], missing: str, mark: str = "."
) -> dict[int, float]:
    """Return what is in a file and what was typed, by row. Raises DataError if there is none, or one is no number."""
    said = {row: (f"the outcome of row {row}", text) for row, text in typed.items() if text.strip()}
    outcomes = {**in_file, **numbers_typed(said, mark)}
    if not outcomes:
        raise DataError(missing)
    return outcomes


def keep_fault(place: str, sentence: str) -> None:
    """Keep a sentence for the runs to come, until something else is done: the last one alone."""
    st.session_state[_KEPT] = place, sentence


def say_kept(place: str) -> None:
    kept = st.session_state.get(_KEPT)
    if kept and kept[0] == place:
        say_fault(kept[1])


def forget_fault() -> None:
    """Forget what was kept, before something else is done: to be called by all that a person presses or brings."""
    st.session_state.pop(_KEPT, None)
