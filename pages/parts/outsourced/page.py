"""The Outsourced page: what a projection, or noise, does to distances, and what that costs the search."""

from typing import get_args

import streamlit as st

from pages.parts.bring.problems import own_recipe, pick_problem
from pages.parts.frame.address import choose
from pages.parts.frame.live import Live
from pages.parts.frame.undocumented import give_way
from pages.parts.outsourced import figures
from pages.parts.outsourced.neighbours import show_cautions, show_promises
from pages.parts.outsourced.script import script_of
from pages.parts.outsourced.sliders import RELEASES, case_of, notched, sliders
from pages.parts.outsourced.tabs.details import show_details
from pages.parts.outsourced.words import COMING, condition, extra_regret, headline, regret_finding
from pages.parts.show.desk import Desk
from pages.parts.show.show import Place, show
from pages.parts.take_away.offer import about_problem, take_away
from pages.parts.values.text import SIGMA_Y, toned
from pages.parts.values.views import Figure
from privbo_core.outsourced import Comparison
from privbo_core.outsourced.simulation import Measure

PAGE = "Outsourced optimisation"
FIRST_RUNS = 4  # what the first picture of a new curve is made of


def run() -> None:
    """Draw the page."""
    desk = Desk(PAGE)
    with desk.left:
        simulation = pick_problem()
        release = choose(st.segmented_control, "What the modeler gets", list(RELEASES), key="release", required=True,
                         format_func=lambda key: RELEASES[key][0])  # fmt: skip
    panel = sliders(simulation, RELEASES[release][1])
    case = case_of(simulation, RELEASES[release][1], desk.read("outsourced", panel))
    tiles = Live("outsourced tiles", None)
    with desk.at_once(notched(panel, case)):
        tiles_place = st.empty()
        condition_place, regret_place = st.columns(2, gap="medium")
        first = condition(case)
        with condition_place:
            Place(first.slot).draw(first)
        show(headline(case, (toned("old", tiles.before("extra", COMING)[0]), "being computed")), tiles_place)
    show_cautions(case, desk.below_panel)
    with regret_place:
        place = Place("regret")
        measure: Measure = choose(st.segmented_control, "Regret", get_args(Measure), key="measure", required=True,
                                  label_visibility="collapsed")  # fmt: skip
    with desk.below_panel:
        picked = ("What the modeler gets", RELEASES[release][0]), ("Regret", measure)
        take_away(about_problem(PAGE, simulation.problem, *picked), lambda: script_of(case, own_recipe(), measure))
    with desk.right:
        show_promises(case)

    live = Live("outsourced", (simulation.problem.title, measure, release), held=desk.controls.dragging)

    def draw(comparison: Comparison) -> None:
        before = live.before("curves") if comparison.runs < case.runs else None
        picture = figures.regret(comparison, before, measure, live.axis(), SIGMA_Y)
        alt = "Regret over the evaluations: private, non-private and random search."
        place.draw(Figure("regret", regret_finding(comparison, case), picture, alt))
        tiles.remember(extra=extra_regret(comparison, case))
        show(headline(case, tiles.before("extra")), tiles_place)

    known = min(simulation.finished(policy, case.setting, case.runs) for policy in case.mechanisms)
    with regret_place:
        place.dim()
    found = live.follow(
        simulation.compare(case.setting, case.runs, case.mechanisms, give_way), draw,
        ready=lambda now: now.runs >= max(known, FIRST_RUNS), whole=lambda now: now.runs >= case.runs,
        announce=lambda now: place.say(regret_finding(now, case)) if now.runs > known else None,
    )  # fmt: skip
    assert found is not None
    live.remember(curves={policy: found.band(policy, measure) for policy in case.mechanisms})
    live.rest()
    live.put_axis(figures.regret_top(found, measure))
    show_details(case, found)
