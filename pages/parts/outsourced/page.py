"""The Outsourced page: what a projection, or noise, does to distances, and what that costs the search."""

import streamlit as st

from pages.parts.bring.problems import own_recipe, pick_problem
from pages.parts.bring.worth.shown import warn
from pages.parts.frame.address import choose, chosen_before
from pages.parts.frame.depth import simple
from pages.parts.frame.live import Live, follow
from pages.parts.frame.pin import offer_pin
from pages.parts.frame.spot import Spot
from pages.parts.frame.undocumented import give_way
from pages.parts.outsourced.neighbours import show_cautions, show_promises
from pages.parts.outsourced.pinned import NAMES, Beside
from pages.parts.outsourced.plain.page import run as show_simply
from pages.parts.outsourced.regret import COMING, MEASURES, Regret, bands
from pages.parts.outsourced.script import script_of
from pages.parts.outsourced.searching import pick_also, pick_functions, pick_searching
from pages.parts.outsourced.sliders import RELEASED, case_of, handed_out, notched, pick_release, sliders
from pages.parts.outsourced.tabs.details import show_details
from pages.parts.outsourced.words import condition, headline
from pages.parts.show.desk import Desk
from pages.parts.show.show import Place, show
from pages.parts.take_away.offer import about_problem, take_away
from pages.parts.values.text import toned
from pages.parts.values.views import Figure
from privbo_core.outsourced import Comparison, Measure

PAGE = "Outsourced optimisation"
FIRST_RUNS = 4  # what the first picture of a new curve is made of


def run() -> None:
    """Draw the page."""
    if simple():
        show_simply()
        return
    desk = Desk(PAGE)
    with desk.left:
        simulation = pick_problem()
        release, mechanisms, shape = pick_release(simulation.problem.frame)
        simulation = pick_functions(simulation)
        searching = pick_searching(simulation.problem)
        also = pick_also()
    panel = sliders(simulation, mechanisms, shape)
    case = case_of(simulation, mechanisms, desk.read("outsourced", panel), searching, also, shape)
    measure: Measure = chosen_before("measure", list(MEASURES))
    tiles = Live("outsourced tiles", None)
    with desk.at_once(notched(panel, case)):
        warn(case.worth)
        tiles_place = Spot()
        condition_place, regret_place = st.columns(2, gap="medium")
        first = condition(case)
        with condition_place:
            Place(first.slot).draw(first)
        old = toned("old", tiles.before("extra", COMING)[0])
        show(headline(case, (old, "being computed"), measure), tiles_place)
    show_cautions(case, desk.below_panel)
    with regret_place:
        place = Place("regret")
        measure = choose(st.segmented_control, "Measure", list(MEASURES), key="measure", required=True,
                         format_func=MEASURES.__getitem__, label_visibility="collapsed")  # fmt: skip
    with desk.below_panel:
        offer_pin(NAMES)
        picked = (RELEASED, handed_out(release, shape)), ("Search", searching.name), ("Measure", MEASURES[measure])
        take_away(about_problem(PAGE, simulation.problem, *picked), lambda: script_of(case, own_recipe(), measure))
    with desk.right:
        show_promises(case)

    live = Live(
        "outsourced",
        (simulation.problem.title, simulation.functions, measure, release, shape, also),
        held=desk.controls.dragging,
    )
    beside = Beside.of(case, measure, give_way)

    def draw(comparison: Comparison) -> None:
        now = Regret(comparison, case, measure)
        before = live.before("curves") if comparison.runs < case.runs else None
        picture = now.picture(before, beside.top(live.axis() or now.top))
        beside.draw(picture, comparison, case)
        alt = "What is found over the tests: private, non-private and random search."
        place.draw(Figure("regret", beside.say(now.finding, comparison, case), picture, alt))
        tiles.remember(extra=now.cost)
        show(headline(case, now.cost, measure), tiles_place)

    known = min(simulation.finished(policy, case.setting, case.runs) for policy in case.mechanisms)
    place.dim()
    found = live.follow(
        simulation.compare(case.setting, case.runs, case.mechanisms, give_way, also), draw,
        ready=lambda now: now.runs >= max(known, FIRST_RUNS), whole=lambda now: now.runs >= case.runs,
        announce=lambda now: place.say(Regret(now, case, measure).finding) if now.runs > known else None,
    )  # fmt: skip
    assert found is not None
    if beside.missing:
        follow(beside.steps(give_way), lambda _: draw(found))
    live.remember(curves=bands(found, measure, case.mechanisms))
    live.rest()
    live.put_axis(Regret(found, case, measure).top)
    show_details(case, found)
