"""The Reproduce page: one table or figure of a paper, beside what this app computes."""

import streamlit as st

from pages.parts.frame.address import choose
from pages.parts.frame.depth import simple
from pages.parts.reproduce import figures, tables, words
from pages.parts.reproduce.citing import reference, show_citing, view_script
from pages.parts.reproduce.declared import show_declared, system_of
from pages.parts.reproduce.needs import show_needs
from pages.parts.reproduce.own.opened import show_opened
from pages.parts.reproduce.plain.page import TITLE, show_simply
from pages.parts.reproduce.rerun import Rerun
from pages.parts.reproduce.said import show_words
from pages.parts.reproduce.stored import WHERE, stored
from pages.parts.reproduce.summary import show_summary
from pages.parts.show.desk import Desk
from pages.parts.show.show import Place, heading, note, show
from pages.parts.take_away.offer import take_away
from pages.parts.take_away.report import About
from pages.parts.values.views import Figure
from privbo_core.experiments import EXPERIMENTS, Experiment, Report

RUNS = ("2", "5", "10")


def run() -> None:
    """Show what is stored about the chosen experiment, and run it again if asked to."""
    if simple():
        show_simply()
        return
    known = stored()
    desk = Desk(TITLE)
    with desk.left:
        experiment = _pick_experiment()
        how_many = f"Rerun live: how many {experiment.unit}"
        runs = int(choose(st.segmented_control, how_many, RUNS, key="reproduce_runs", required=True))
        button_place, progress_place = st.empty(), st.empty()
    rerun = Rerun(experiment, runs)
    rerun.offer(button_place)
    report = known.reports[experiment.name]
    with desk.right:
        show_summary(known)
        finding = words.headline(report)
        show(finding)
        note(reference(experiment))
        left, right = st.columns([1.15, 1], gap="medium")
        slot = f"reproduce-{experiment.kind}"
        with left:
            chart = Place(slot, titled=False)
        with right:
            numbers = Place("compared", titled=False, picture=False)
        same = st.empty()

    def draw(again: Report) -> None:
        chart.draw(Figure(slot, finding, figures.picture(report, again), figures.in_words(experiment)))
        numbers.draw(Figure("compared", finding, table=tables.beside(report, again)))
        if said := words.same_as_stored(report, again):
            same.caption(f"Run again: {said}")

    draw(rerun.report())
    with desk.left:
        steps = experiment.about, experiment.stands_in, reference(experiment)
        take_away(About(TITLE, experiment.title, steps=steps), lambda: view_script(report))
    with desk.right:
        show_words(report)
        if system_of(experiment) == "outsourced":
            show_needs(known.reports)
        show_declared(experiment)
        heading("Where the stored numbers come from")
        st.markdown(words.provenance(report, known.made.get(experiment.name, [])))
        note(WHERE)
        show_citing(experiment)
        show_opened()
    rerun.follow(draw, progress_place)


def _pick_experiment() -> Experiment:
    """Show the picker and what the chosen table or figure is about."""
    name = choose(
        st.selectbox, "Table or figure", list(EXPERIMENTS), key="experiment",
        format_func=lambda key: EXPERIMENTS[key].title, persist_state="session",
    )  # fmt: skip
    experiment = EXPERIMENTS[name]
    note(f"{experiment.about}\n{experiment.paper}.")
    st.markdown(f"**Data here.** {experiment.stands_in}")
    return experiment
