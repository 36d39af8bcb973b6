"""The Decide page: three sentences and a picture, who signs, and below, folded, all that the decision rests on."""

import math
from dataclasses import replace

import streamlit as st

from pages.parts import systems
from pages.parts.decision import curve, figures, question, table, words
from pages.parts.decision.case import Case, Drawn, Panel, drawn_of
from pages.parts.decision.question import RECOMMENDED
from pages.parts.decision.signing import body_of, offer_signature, signature_now
from pages.parts.live.desk import Desk
from pages.parts.live.others import show_others
from pages.parts.live.work import Live
from pages.parts.outsourced.system import OUTSOURCED
from pages.parts.shell.address import choose
from pages.parts.shell.depth import simple
from pages.parts.table.diagnostics import waited_for
from pages.parts.views.drawing import Place, Slot, note
from pages.parts.views.templates import render
from privbo_core.decision import Weighing

COMING, NOTHING = "Being simulated …", "There is nothing to decide yet: choose on the left what it is about."


def run() -> None:
    turn, anew = question.turn()
    desk = Desk(words.QUESTION, right=2.7, turn=turn)
    with desk.first:
        head = Slot("decision-head")
        if anew:
            head.html(render("decision_head.html", state="", mark="", main=COMING, sentences=(COMING,)))
    with desk.left:
        known = {system.name: system for system in systems.SYSTEMS if system.question or system.decision}
        looks = {"key": "decide_about", "label_visibility": "collapsed"}
        system = known[choose(st.segmented_control, "Decide about", list(known), required=True, **looks)]
        # What another system asked goes at once, not only when all is simulated.
        places = {name: st.container() if name == system.name else st.empty() for name in known}
        with places[system.name]:
            found = table.ask(system.name) if system is OUTSOURCED else curve.ask(system)
    if found is None:
        head.html(render("decision_head.html", state="", mark="", main=NOTHING, sentences=(NOTHING,)))
        return
    decide(desk, head, *found)


def decide(desk: Desk, head: Slot, case: Case, panel: Panel) -> None:
    desk.hold(panel.key, panel.sliders, panel.controls)
    live = Live(f"decision/{case.name}", case.of, held=panel.controls.dragging)
    empty = Weighing(case.weighed.candidates, 1)
    weighing: Weighing = live.before("weighing", empty)
    public: Weighing = live.before("public", empty)
    ready = weighing.complete and (public.complete or case.weigh_in_public is None)
    about = case.weighed.candidates, case.weighed.protects

    def lines(x: float, height: float) -> None:
        question.set_line(case.subject, *about, x, height, live.before("mark", ""))

    with desk.first:
        place = Place("decision", titled=False, picked=lambda _, height: lines(math.nan, height), dragged=lines)
    with desk.rest:
        picks = st.container()
        signing = st.container()
        with st.expander("The whole page: table, rule, what is not protected", expanded=not simple()):
            sheet = Slot("decision-sheet")
        others = st.expander("This ε among registered ones", key="others", on_change="rerun")
    with picks:
        limit, least, chosen = question.ask(case.subject, case.weighed.unit, case.weighed.candidates, case.mark)
    with signing:
        who = question.ask_who(case.name, case.confirm)
        buttons = st.container() if ready else st.empty()

    def drawn(weighing: Weighing) -> Drawn:
        return drawn_of(case, weighing, public, limit, least, None if chosen == RECOMMENDED else float(chosen))

    def draw(weighing: Weighing) -> None:
        now = drawn(weighing)
        page = case.inside(now, signature_now(case, now, who))
        story, *rest = case.sentences(replace(now, signed=words.signed(page.signature)))
        sentences, state = (page.warning, story, *rest, page.condition[0] if now.epsilon else ""), page.signature.state
        head.html(render("decision_head.html", main=rest[0], sentences=sentences, state=state, mark=page.mark))
        if now.counts:
            live.remember(mark=now.rule.mark)
            place.draw(figures.costs(case, now))
        sheet.html(body_of(page))

    with desk.at_once():
        draw(weighing)
    st.session_state[question.SHOWN] = question.about()
    if not ready:
        note("Being simulated: nothing to sign yet.", buttons)
    if case.weigh_in_public and not public.complete:

        def draw_in_public(step: Weighing) -> None:
            nonlocal public
            public = step
            draw(weighing)

        live.follow(case.weigh_in_public(), draw_in_public)
        live.remember(public=public)
    if not weighing.complete:
        weighing = live.follow(case.weigh(), draw) or weighing
        live.remember(weighing=weighing)
    if case.worth and case.worth() is None:
        waited_for(case.worth)
        draw(weighing)
    last = drawn(weighing)
    with buttons.container():
        offer_signature(case, last, who)
    if others.open:
        with others:
            if last.epsilon:
                show_others(case.promise(last.epsilon), "decide", limited=case.name == OUTSOURCED.name)
            else:
                note("Decide for an ε first.")
    live.rest()
