"""The Release page, from top to bottom."""

import streamlit as st

from pages.parts.frame.depth import simple
from pages.parts.frame.live import Live
from pages.parts.release import draws, words
from pages.parts.release.plain.page import run as show_simply
from pages.parts.release.script import release_script
from pages.parts.release.setup import Setup, Values, set_up
from pages.parts.release.sliders import sliders, with_notches, within_range
from pages.parts.release.tabs.details import show_details
from pages.parts.release.tasks import pick_task
from pages.parts.release.theatre import Theatre
from pages.parts.release.ways.lead import lead
from pages.parts.release.ways.pick import pick_algorithm
from pages.parts.show.card import guarantee_card
from pages.parts.show.desk import Desk
from pages.parts.show.meaning import show_meaning
from pages.parts.show.show import heading, note, show
from pages.parts.take_away.offer import take_away
from pages.parts.take_away.report import About


def run() -> None:
    """Show the page."""
    if simple():
        show_simply()
        return
    desk = Desk(words.TITLE)
    with desk.left:
        task = pick_task()
        algorithm, variant = pick_algorithm()
    problem = words.missing(task, algorithm)
    if problem or task is None:
        desk.right.info(problem)
        return
    panel = sliders(task, algorithm)
    controls = desk.read("release", panel)
    task, values = within_range(task, controls, panel)
    setup = set_up(task, algorithm, variant, values)
    live = Live("release", (task.title, algorithm), held=controls.dragging)
    with desk.at_once(with_notches(panel, setup)):
        _show_lead(setup)
        show(words.headline(setup))
        theatre = Theatre(setup, values, panel[1].min, live)
    with desk.below_panel:
        words.caution(setup, asked=int(values.get("T", 0)))
        _offer(setup, values)
    with desk.right:
        theatre.offer()
        _show_promise(setup)
    live.rest()
    theatre.play()
    theatre.explain()
    show_details(setup)


def _show_lead(setup: Setup) -> None:
    found = lead(setup)
    if found is not None:
        with st.container(key="lead"):
            show(found)


def _offer(setup: Setup, values: Values) -> None:
    name = setup.name if setup.selects else str(setup.algorithm)
    about = About(words.TITLE, setup.task.title, setup.task.identity is None, (words.prior_from(setup.task),),
                  (("Algorithm", name), ("Paper", setup.variant)))  # fmt: skip
    take_away(about, lambda: release_script(st.session_state["task"], setup, values))


def _show_promise(setup: Setup) -> None:
    left, right = st.columns(2, gap="medium")
    with left, st.container(border=True, key="for-real"):
        heading("Release for real")
        choice, button = st.columns([1.7, 1], vertical_alignment="bottom")
        with choice:
            wish = draws.pick_wish(setup)
        draws.show_draws(wish, button)
    with right:
        show(words.reading(setup))
        note(words.promise(wish.guarantee, words.hides(setup)))
    with right.expander("The guarantee in full"):
        show(guarantee_card(wish.guarantee, hides=words.hides(setup)))
    show_meaning(wish.guarantee, words.SECRET)
