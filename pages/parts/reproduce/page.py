"""The Reproduce page: how much of the papers comes out, and one table or figure beside what this app computes."""

import streamlit as st

from pages.parts.export.offer import About, take_away
from pages.parts.live.desk import Desk, Sheet
from pages.parts.reproduce import figures, tables, words
from pages.parts.reproduce import view as view_room
from pages.parts.reproduce.tables import show_needs
from pages.parts.reproduce.view import STORED, Rerun, View, compute
from pages.parts.shell.address import choose
from pages.parts.shell.depth import offer_expert, simple
from pages.parts.views.content import prose
from pages.parts.views.drawing import Place, heading, note, show
from pages.parts.views.views import Figure, Finding
from privbo_core.experiments import EXPERIMENTS, Experiment, Report

TITLE = "Reproduce the papers"
RUNS = ("2", "5", "10")


def run() -> None:
    """Show what is stored: all of it counted, or the chosen experiment's, which is run again if asked to."""
    (_show_simply if simple() else _show_all)(compute())


def _show_simply(view: View) -> None:
    sheet = Sheet("reproduce-all", picture=bool(view.tallies))
    sheet.open(words.QUESTION, prose("reproduce", "the papers anew"))
    sheet.say(view.brief)
    if view.tallies:
        finding = Finding(view.brief.answer, "simulation", "One bar for each table and figure.")
        picture, alt = figures.stacked(view.tallies), prose("reproduce", "the bars")
        sheet.place.draw(Figure("reproduce-all", finding, picture, alt))
    with sheet.rest:
        take_away(About(TITLE, "all tables and figures"))
        if view.problem:
            st.warning(view.problem)
        st.page_link("pages/audit.py", label="Which promises hold? Audit", icon=":material/fact_check:")
        offer_expert("Table by table, with the numbers, and to run again: Expert")


def _show_all(view: View) -> None:
    desk = Desk(TITLE)
    with desk.left:
        experiment = _pick_experiment()
        how_many = f"Rerun live: how many {experiment.unit}"
        runs = int(choose(st.segmented_control, how_many, RUNS, key="reproduce_runs", required=True))
        button_place, progress_place = st.empty(), st.empty()
    rerun = Rerun(experiment, runs)
    rerun.offer(button_place)
    report = view.reports[experiment.name]
    with desk.right:
        show(words.summary(view.reports))
        if view.problem:
            st.warning(view.problem)
        with st.expander("What does not agree, at a glance"):
            st.markdown(words.disagreements(view.reports))
            note("The sections below say why, table by table.")
        finding = words.headline(report)
        show(finding)
        note(view_room.reference(experiment))
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
        if differs := words.same_as_stored(report, again):
            same.caption(f"Run again: {differs}")

    draw(rerun.report())
    with desk.left:
        steps = experiment.about, experiment.stands_in, view_room.reference(experiment)
        take_away(About(TITLE, experiment.title, steps=steps), lambda: view_room.view_script(report))
    with desk.right:
        view_room.show_words(report)
        if view_room.system_of(experiment) == "outsourced":
            show_needs(view.reports)
        with st.expander("Where this project does otherwise than the paper, or fills a gap"):
            show(view_room.deviations_table(view_room.system_of(experiment)))
        with st.expander("Every table and figure of the five documents"):
            show(view_room.contents_table())
        heading("Where the stored numbers come from")
        st.markdown(words.provenance(report, view.made.get(experiment.name, [])))
        again = "“make reproduce” goes on where it was stopped, and leaves finished pieces alone."
        note(f"Stored in results/{STORED.name}. {again}")
        view_room.show_citing(experiment)
    rerun.follow(draw, progress_place)


def _pick_experiment() -> Experiment:
    titles = {name: each.title for name, each in EXPERIMENTS.items()}
    name = choose(st.selectbox, "Table or figure", titles, key="experiment", persist_state="session")
    experiment = EXPERIMENTS[name]
    note(f"{experiment.about}\n{experiment.paper}.")
    st.markdown(f"**Data here.** {experiment.stands_in}")
    return experiment
