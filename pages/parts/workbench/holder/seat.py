"""What privacy is expected to cost the search: simulated on the holder's own table, for the holder's eyes only."""

from collections.abc import Callable
from dataclasses import replace
from functools import partial

import streamlit as st

from pages.parts.export.offer import About, take_away
from pages.parts.live.desk import Desk, plain
from pages.parts.live.sliders import Controls, read_controls
from pages.parts.live.work import Live
from pages.parts.outsourced import renderers as outsourced
from pages.parts.outsourced.figures import ranks
from pages.parts.outsourced.setup import Case, pick_searching
from pages.parts.outsourced.shape import noisy_line, pick_shape
from pages.parts.outsourced.view import View
from pages.parts.shell.depth import simple
from pages.parts.system import system
from pages.parts.table.diagnostics import judged, suited
from pages.parts.table.frame_file import bring_frame, offer_frame
from pages.parts.table.framing import ask_frame
from pages.parts.table.orders import NothingTypedError, answered_how, pick_answers
from pages.parts.table.own_table import own_table
from pages.parts.views.card import YOU, guarantee_card
from pages.parts.views.drawing import Place, Slot, note, show
from pages.parts.views.templates import render
from pages.parts.views.text import as_markdown
from pages.parts.views.views import Card, Fact, Figure, Finding, Tile, current
from pages.parts.workbench.holder import words
from pages.parts.workbench.holder.answering import show_answers
from pages.parts.workbench.holder.ledger import HolderState, kept_for, outcome_said, show_ledger
from pages.parts.workbench.holder.ordered import offer_order, open_order, settle, stands
from pages.parts.workbench.holder.releasing import KEY, SLIDERS, show_release
from pages.parts.workbench.holder.table import Held, pick_table
from pages.parts.workbench.seats import PAGE, say_fault, show_steps
from privbo_core.data import Frame
from privbo_core.data.columns import decimal_mark
from privbo_core.decision import Simulated
from privbo_core.errors import DataError
from privbo_core.outsourced import Setting, Simulation
from privbo_core.outsourced.answers import Private
from privbo_core.outsourced.parties.terms import answers_guarantee, written_alike
from privbo_core.privacy import Noise

SLOT = "expected"


def expected(held: Held, simulation: Simulation, controls: Controls, shape: Noise, private: Private | None) -> View:
    rows = simulation.problem.n
    tests, first = system.tests(rows, controls.whole("T")), system.initial(rows)
    at = controls["epsilon"], controls["delta"], system.R, tests
    setting = Setting(*at, initial=first, shape=shape, private=private).simulated
    searching = pick_searching(simulation.problem, shown=False)
    worth = partial(judged, simulation)
    return View(Case(simulation, searching.of(setting), ("noisy",), system.RUNS, worth=worth), wording=held.sample)


def show_holder() -> None:
    desk = Desk(words.QUESTION)
    with desk.left:
        held = pick_table(outcome_said)
        if held is None:
            open_order()
            note("Say on the left what is in the table.", desk.right)
            return
        search = suited(held.simulation.problem) if held.simulation else None
        settle(held.frame, held.outcome, (KEY, SLIDERS), search, (held.identity, decimal_mark(held.table)))
        take_away(About(PAGE, held.title, held.own))
    kept = kept_for(held)
    sliders = [plain(SLIDERS[0])] if simple() else SLIDERS
    controls = read_controls(KEY, sliders)
    for slider in SLIDERS:
        controls.values.setdefault(slider.key, slider.value)
    with desk.left:
        ordered = st.container()
        shape = pick_shape(held.frame, shown=not simple())
        terms, sound = _terms(held, kept, controls["delta"])
        if terms is not None and held.own and not kept.released:  # their promise rests on nothing read off the outcomes
            held = replace(held, outcome=written_alike(held.outcome, held.frame))
        with ordered:
            now = None
            if held.simulation is not None:
                searching = pick_searching(held.simulation.problem, shown=False)
                now = Simulated(held.starts, searching.search, searching.once)
            offer_order(controls, held.frame, held.outcome, terms, now)
    if shape == "laplace" and (terms is None or terms.noise == "laplace"):
        sliders = [slider for slider in sliders if slider.key != "delta"]
    desk.hold(KEY, sliders, controls)
    searches = expected(held, held.simulation, controls, shape, terms) if held.simulation else None
    if held.own and searches is not None:
        held = replace(held, looked=not stands(controls, held.frame, held.outcome))
    setting = Setting(controls["epsilon"], controls["delta"], system.R, 1, shape=shape)
    live = Live("workbench", held.identity, held=controls.dragging)
    with desk.at_once():
        say = _board(held, kept, setting, terms)
        say(outsourced.seen_before(live, searches) if searches else None)
        left, right = st.columns([1.35, 1], gap="medium")
        with left:
            if kept.released:
                show_answers(held, kept)
            else:
                place = _show_place(searches)
        with right:
            show_release(held, kept, setting, terms, ready=sound)
            if kept.released:
                show_ledger(held, kept)
    with desk.right:
        if kept.released:
            place = _show_place(searches)
        if simple() or kept.released:
            with st.expander("What release and answers promise"):
                _show_promises(held, setting, terms)
        else:
            _show_promises(held, setting, terms)
        with st.expander(as_markdown(words.framed(held)), expanded=held.own and not held.frame.public):
            note(words.complete(held))
            if held.own:
                ask_frame(held.frame, held.read, _use, asked=True)
                bring_frame(held.read, _use)
            else:
                show(words.frame_table(held.frame))
            offer_frame(held.frame, held.title)
        if not kept.released:
            show_ledger(held, kept)
    if searches and place:

        def draw(now: View) -> None:
            say(now)
            begun = f"each after {now.case.setting.initial} random tests to begin with"
            median = f"Median of {now.runs} simulated searches on this table, {begun}."
            place.draw(Figure(SLOT, Finding(now.answer, "inside", median, now.luck), ranks(now), now.alt))

        place.dim()
        outsourced.remember(live, outsourced.follow_searches(live, searches, draw))


def _show_place(searches: View | None) -> Place | None:
    if searches is not None:
        return Place(SLOT)
    note("Nobody knows the outcomes yet, so no search can be simulated. On the samples one can see what an ε costs.")
    return None


def _board(held: Held, kept: HolderState, setting: Setting, terms: Private | None) -> Callable[[View | None], None]:
    """Show what stands above all else; return what says it as far as the searches that are simulated have come."""
    ledger, asked = kept.ledger, len(kept.waiting)
    step = 0 if not kept.released else 3 if asked or ledger.answers else 1
    show_steps(words.STEPS, step, () if kept.saved else (1,))  # without a download, the ledger is not kept
    answer, facts = Slot(), Slot()
    if not simple() and (rests := ledger.rests):
        note(rests)
    if kept.released and (other := words.another(kept.release, setting, held.frame)):
        note(other)

    def say(searches: View | None) -> None:
        if not simple():
            # As Trade-off has it at this ε.
            extra = [Tile(f"Expected extra regret, {searches.tests}", *searches.lost, "inside")] if searches else []
            show([*words.tiles(ledger), *extra], facts)
            return
        cost = Fact("What it will cost", "Not known", "The outcomes are not in the table.")
        if searches:
            cost = replace(
                searches.cost, about=f"What it will cost, simulated{' with private answers' if terms else ''}"
            )
        brief = words.brief(held, setting, cost, ledger, asked, terms)
        current().brief = brief
        answer.html(render("brief.html", brief=brief))
        facts.html(render("facts.html", brief=brief))

    return say


def _terms(held: Held, kept: HolderState, delta: float) -> tuple[Private | None, bool]:
    """As was promised at the first release, else as is set; and whether that can be."""
    if kept.released:
        return kept.ledger.private, True
    try:
        return pick_answers(held.identity, held.sample, held.outcome.unit, delta, decimal_mark(held.table)), True
    except NothingTypedError as missing:
        note(str(missing))
    except DataError as fault:
        say_fault(str(fault))
    return None, False


def _show_promises(held: Held, setting: Setting, terms: Private | None) -> None:
    left, right = st.columns(2, gap="medium")
    with left:
        note("The release")
        card = guarantee_card(
            words.guarantee(held, setting),
            conditions="Rests on",
            becomes=held.simulation.true_epsilon(setting) if held.simulation else None,
            line=noisy_line(setting, held.frame.d),
            word=YOU if held.own and held.frame.public else "",
            hides=f"{words.hidden(held)}: not who is in it, gaps or outcomes.",
        )
        show(card)
    with right:
        note("The answers")
        if terms is None:
            show(Card(None, "No guarantee: answers are exact", (), answered_how(None, held.outcome.name)))
        else:
            show(guarantee_card(answers_guarantee(terms, held.outcome), conditions="Rests on", line=terms.line))


def _use(frame: Frame) -> None:
    own_table().say(frame)
    st.rerun()
