"""What is declared in one place and shown here: deviations from the papers, and the list of their tables and figures."""

import streamlit as st

from pages.parts.show.show import show
from pages.parts.values.views import Cell, Row, Table
from privbo_core.experiments import EXPERIMENTS, Experiment
from privbo_core.experiments.deviations import System, deviations
from privbo_core.experiments.papers.contents import CONTENTS

SYSTEMS: dict[str, System] = {"Outsourced": "outsourced", "Release": "release", "Federated": "federated"}
"""The systems, by the word that an experiment's title begins with."""


def show_declared(experiment: Experiment) -> None:
    """Show the deviations that concern an experiment's system, and where every table and figure is."""
    with st.expander("Where this project does otherwise than the paper, or fills a gap"):
        show(deviations_table(system_of(experiment)))
    with st.expander("Every table and figure of the five documents"):
        show(contents_table())


def system_of(experiment: Experiment) -> System:
    """Return the system that an experiment is about."""
    return next((system for word, system in SYSTEMS.items() if experiment.title.startswith(word)), "outsourced")


def deviations_table(system: System) -> Table:
    """Return what is declared for a system."""
    rows = []
    for each in deviations(system):
        own = f"{each.why} The paper’s own choice: {each.own_choice}" if each.own_choice else each.why
        rows.append(_row(each.subject, each.paper, each.here, own, each.where))
    return Table((_heads("", "the paper", "here", "why", "where"),), tuple(rows), "claims", "Declared deviations")


def contents_table() -> Table:
    """Return every table and figure of the documents, with the experiment that reproduces it or the reason why none does."""
    rows: list[Row] = []
    document = ""
    for each in CONTENTS:
        if each.document != document:
            document = each.document
            rows.append(Row((Cell(document, head=True, wide=3),), "group"))
        where = "; ".join(EXPERIMENTS[name].title.split(", ", 1)[1] for name in each.experiments)
        rows.append(_row(each.item, each.shows, where or f"left out: {each.left_out}"))
    return Table((_heads("", "shows", "here"),), tuple(rows), "claims", "Tables and figures of the five documents")


def _heads(*titles: str) -> Row:
    return Row(tuple(Cell(title, head=True) for title in titles))


def _row(name: str, *cells: str) -> Row:
    return Row((Cell(name, head=True), *(Cell(text) for text in cells)))
