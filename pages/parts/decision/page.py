"""The Decide page: what is set and signed on the left, on the right the page itself, as it will be printed."""

from dataclasses import replace
from functools import partial

import streamlit as st

from pages.parts.decision import question, words
from pages.parts.decision.question import DELTA, KEY, RECOMMENDED, TESTS, Matter, outcome_of
from pages.parts.decision.sheet import Drawn, inside
from pages.parts.decision.signing import body_of, decision_or_none, offer_signature, signature_of
from pages.parts.live.desk import Desk
from pages.parts.live.sliders import read_controls
from pages.parts.live.work import Live
from pages.parts.outsourced.setup import pick_searching
from pages.parts.outsourced.shape import pick_shape
from pages.parts.shell.depth import simple
from pages.parts.shell.undocumented import give_way
from pages.parts.system import usual
from pages.parts.table.diagnostics import judged, waited_for
from pages.parts.table.own_table import own_table, pick_problem
from pages.parts.views.content import of_table
from pages.parts.views.drawing import Spot
from pages.parts.views.record import keep_subject
from privbo_core.decision import Weighing, proposed_limit, recommend, recommend_by_frame, stand_in, weigh
from privbo_core.outsourced import Setting

RUNS = 100


def run() -> None:
    """Draw the page."""
    desk = Desk(words.QUESTION, right=2.7)
    with desk.left:
        simulation = pick_problem("hospital")
        problem = simulation.problem
        mine = own_table().simulation is simulation
        keep_subject(problem.title, mine)
        candidates = question.ask_candidates()
        unit = question.ask_unit(problem)
        outcome = outcome_of(problem, unit)
        limit = question.ask_limit(problem, outcome.unit or f"the unit of {outcome.name}")
        least = question.ask_least()
        chosen = question.ask_epsilon(candidates)
        searching = pick_searching(problem, shown=not simple())
        shape = pick_shape(problem.frame, shown=not simple())
    sliders = [TESTS] if simple() or shape == "laplace" else [TESTS, DELTA]
    controls = read_controls(KEY, sliders)
    controls.values.setdefault(DELTA.key, DELTA.value)
    desk.hold(KEY, sliders, controls)
    tests, first = usual.tests(problem.n, controls.whole("T")), usual.initial(problem.n)
    setting = searching.of(Setting(candidates[0], controls["delta"], usual.R, tests, initial=first, shape=shape))
    matter = Matter(simulation, setting, candidates, outcome, of_table(problem))
    with desk.left:
        who = question.ask_who(problem, mine=mine)
        place = st.container()
        if mine:
            st.page_link("pages/data.py", label="Table, columns, frame: Data", icon=":material/table:")

    def drawn(weighing: Weighing) -> Drawn:
        most, worth = limit or proposed_limit(weighing), judged(simulation)
        worthwhile = worth is not None and worth.something_to_lose
        told = most and weighing.complete and worthwhile
        found = recommend(weighing.known, most, matter.protects, least) if told and most else None
        by_frame = recommend_by_frame(public, strength, least) if worthwhile and problem.frame.public else None
        looked = chosen != RECOMMENDED
        drawn = Drawn(weighing, worth, found, limit is None, None, least, public, by_frame, looked)
        return replace(drawn, epsilon=float(chosen) if looked else drawn.recommended)

    def draw(weighing: Weighing) -> None:
        now = drawn(weighing)
        decision = decision_or_none(matter, now, who)
        spot.html(body_of(inside(matter, now, signature_of(who, decision))))

    live = Live(KEY, (simulation, setting, candidates), held=controls.dragging)
    weighing: Weighing = live.before("weighing", Weighing(candidates, RUNS))
    public: Weighing = live.before("public", Weighing(candidates, RUNS))
    strength = partial(matter.strength, for_all=True)
    with desk.at_once():
        spot = Spot("decision-sheet")
        draw(weighing)
    if not public.complete and problem.frame.public:
        made_up = stand_in(problem.frame, problem.n)
        *_, public = weigh(made_up, setting, candidates, RUNS, give_way)
        live.remember(public=public)
        draw(weighing)
    if not weighing.complete:
        weighing = (
            live.follow(weigh(simulation, setting, candidates, RUNS, give_way, counted=usual.RUNS), draw) or weighing
        )
        live.remember(weighing=weighing)
    if judged(simulation) is None:
        waited_for(lambda: judged(simulation))
        draw(weighing)
    with place:
        offer_signature(matter, drawn(weighing), who)
    live.rest()
