"""The Release page, from top to bottom."""

import streamlit as st

from pages.parts.controls.live_sliders import Slider
from pages.parts.frame.address import choose
from pages.parts.frame.live import Live
from pages.parts.release import draws, figures, words
from pages.parts.release.script import release_script
from pages.parts.release.setup import Algorithm, Setup, Values, set_up
from pages.parts.release.sliders import sliders, with_notches, within_range
from pages.parts.release.tabs.details import show_details
from pages.parts.release.tasks import pick_task
from pages.parts.show.card import guarantee_card
from pages.parts.show.desk import Desk
from pages.parts.show.meaning import show_meaning
from pages.parts.show.show import Place, show
from pages.parts.take_away.offer import take_away
from pages.parts.take_away.report import About
from pages.parts.values.views import Figure
from privbo_core.release import Variant

TITLE = "Private release of a tuned setting"
ALGORITHMS: dict[str, Algorithm] = {"1 noisy": 1, "2 exact": 2, "3 Lipschitz": 3}
VARIANTS: dict[str, Variant] = {"ICML": "icml", "workshop": "workshop"}


def run() -> None:
    """Show the page."""
    desk = Desk(TITLE)
    with desk.left:
        task = pick_task()
        algorithm, variant = _pick_algorithm()
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
        show(words.headline(setup))
        _show_setting_and_score(setup, values, panel, live)
    with desk.below_panel:
        words.caution(setup, asked=int(values["T"]))
        _offer(setup, values)
    with desk.right:
        _show_promise(setup)
    live.rest()
    words.explain(setup)
    show_details(setup)


def _pick_algorithm() -> tuple[Algorithm, Variant]:
    name = choose(st.segmented_control, "Algorithm", list(ALGORITHMS), key="algorithm", required=True,
                  help=words.ALGORITHMS, persist_state="session")  # fmt: skip
    if ALGORITHMS[name] == 3:
        return 3, "icml"
    paper = choose(st.segmented_control, "Paper", list(VARIANTS), key="paper", required=True, persist_state="session")
    return ALGORITHMS[name], VARIANTS[paper]


def _show_setting_and_score(setup: Setup, values: Values, panel: list[Slider], live: Live) -> None:
    left, right = st.columns(2, gap="medium")
    with left:
        nothing = setup.plan.choice is None
        picture = figures.sensitivities(setup, values, panel[1].min) if nothing else figures.candidates(setup)
        Place("setting").draw(Figure("setting", words.setting_finding(setup), picture, words.setting_alt(setup)))
    with right:
        picture = figures.density(setup, live.put_axis(figures.density_axes(setup), "density"))
        Place("score").draw(Figure("score", words.score_finding(setup), picture, words.score_alt(setup)))


def _offer(setup: Setup, values: Values) -> None:
    task, chosen = setup.task, (("Algorithm", str(setup.algorithm)), ("Paper", setup.variant))
    about = About(TITLE, task.title, task.identity is None, (words.prior_from(task),), chosen)
    take_away(about, lambda: release_script(st.session_state["task"], setup, values))


def _show_promise(setup: Setup) -> None:
    left, right = st.columns(2, gap="medium")
    with left:
        show(words.reading(setup))
        choice, button = st.columns([1.7, 1], vertical_alignment="bottom")
        with choice:
            wish = draws.pick_wish(setup)
        draws.show_draws(wish, button)
    show(guarantee_card(wish.guarantee), right)
    show_meaning(wish.guarantee, "that a record is the real one")
