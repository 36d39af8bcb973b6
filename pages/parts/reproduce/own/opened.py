"""A study's results from a file: opened in this session, shown like the papers', and forgotten with it."""

from dataclasses import dataclass

import streamlit as st

from pages.parts.frame.session import OWN, attended, own_file
from pages.parts.reproduce.own import figures, words
from pages.parts.show.show import Place, note
from pages.parts.values.text import as_markdown
from pages.parts.values.views import Figure
from privbo_core.errors import DataError
from privbo_core.experiments import Report, report
from privbo_core.experiments.store import by_experiment
from privbo_core.experiments.studies.described import Made, read_results

OPENED = f"{OWN}reproduce/study"
MOST = 20
"""Megabytes of the largest file."""
SLOT = "own-study"


@dataclass(frozen=True)
class Opened:
    """What was in the file of that id: its reports, and how they were made; or a sentence why it cannot be used."""

    file: str
    reports: tuple[Report, ...] = ()
    made: Made | None = None
    problem: str = ""


def show_opened() -> None:
    """Show the place for a study's results, and what is in the file that was put there."""
    with st.expander("Open a study’s results", expanded=OPENED in st.session_state):
        note(words.HOW)
        file = own_file("Results (JSONL)", ["jsonl"], "reproduce/study/file", max_upload_size=MOST)
        if file is None:
            st.session_state.pop(OPENED, None)
            return
        opened: Opened | None = st.session_state.get(OPENED)
        if opened is None or opened.file != file.file_id:
            with attended():
                opened = read(file.file_id, file.getvalue(), file.name)
            st.session_state[OPENED] = opened
        if opened.problem:
            st.error(as_markdown(opened.problem))
            return
        _show(opened)


def read(file: str, data: bytes, name: str) -> Opened:
    """Return what is in a file."""
    try:
        studies, outcomes, made = read_results(data, name)
    except DataError as problem:
        return Opened(file, problem=str(problem))
    mine = by_experiment(outcomes)
    return Opened(file, tuple(report(study, mine.get(study.name, ())) for study in studies), made)


def _show(opened: Opened) -> None:
    by_name = {each.experiment.name: each for each in opened.reports}
    names = list(by_name)
    name = names[0]
    if len(names) > 1:
        name = st.selectbox("Study", names, key=f"{OPENED}/name/{opened.file}")
    found = by_name[name]
    finding = words.finding(found)
    left, right = st.columns([1.15, 1], gap="medium")
    with left:
        chart = Place(SLOT)
    with right:
        table = Place(f"{SLOT}-table", titled=False, picture=False)
    chart.draw(Figure(SLOT, finding, figures.picture(found), words.in_words(found.experiment)))
    table.draw(Figure(f"{SLOT}-table", finding, table=words.table_of(found)))
    st.markdown(words.run_with(found, (opened.made or {}).get(name, {})))
