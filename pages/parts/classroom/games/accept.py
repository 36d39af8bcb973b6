"""What “What would you accept?” says, on the projector and on phones."""

import math
from dataclasses import replace
from datetime import datetime
from functools import lru_cache, partial

import streamlit as st

from pages.parts.classroom.games.game import HEIGHT, Game, above, act, projected
from pages.parts.classroom.phone import Screen
from pages.parts.export.offer import About, take_away
from pages.parts.live.work import later
from pages.parts.outsourced.setup import Searching
from pages.parts.system import system
from pages.parts.table.diagnostics import suited
from pages.parts.table.own_table import public_simulation
from pages.parts.views.content import prose
from pages.parts.views.drawing import note
from pages.parts.views.picture import MET, NOISY, PRIVATE, TEXT, Picture
from pages.parts.views.views import Figure, Finding, Tile, View
from privbo_core.classroom import News, Room
from privbo_core.classroom.games.accept import (
    COSTS,
    EPSILONS,
    FEW,
    QUESTION,
    Accept,
    Counts,
    Decision,
    Offer,
    Seen,
    Wish,
    bars,
)
from privbo_core.data import sample
from privbo_core.outsourced import Setting, Simulation, noisy_guarantee
from privbo_core.privacy import TradeOff, gaussian_sigma, strength

HEADLINE = "How much may leak about you, and what may that cost the search?"
FURTHER = ("More may leak than you would accept.", "It costs more tests than you would pay.")


@lru_cache(maxsize=len(EPSILONS))
def held(epsilon: float) -> tuple[str, str]:
    """Return how strongly the noisy release protects at this ε, as its card says, and how often a guess is right."""
    line = TradeOff.gaussian(1.0 / gaussian_sigma(epsilon, system.DELTA, 1.0))
    found = strength(noisy_guarantee(epsilon, system.DELTA, ""), line)
    return found.word, f"right in {100 * (1 - found.least_error):.0f} of 100"


def epsilon_stop(epsilon: float) -> str:
    word, right = held(epsilon)
    return f"ε = {epsilon:g}, {word} protection: the best guess is {right}"


def cost_stop(more: int) -> str:
    return f"{more if more else 'no'} more {'test' if more == 1 else 'tests'}"


def wish_text(wish: Wish) -> str:
    more = COSTS[wish[1]]
    return f"ε up to {EPSILONS[wish[0]]:g}, and {f'up to {cost_stop(more)}' if more else 'not one more test'}."


def offer_text(offer: Offer) -> str:
    return f"ε = {offer.epsilon:g} with {cost_stop(offer.more)}"


def title(seen: Seen) -> str:
    if seen.decision is not None:
        return decided(seen.decision)
    if seen.counts is None and seen.closed:
        return f"Closed with {seen.answered} answers: fewer than {FEW} would tell whose they are"
    if seen.counts is None:
        start = f"{seen.answered} of {seen.pupils} have answered." if seen.answered else HEADLINE
        return f"{start} All are shown together once they are closed, from {FEW} on"
    counts, best = seen.counts, seen.counts.best
    if seen.offers is None or best is None:
        return f"{counts.of} answers are in; the searches are being simulated …"
    if counts.majority(best):
        return (
            f"They meet at {offer_text(seen.offers[best])}: {share(counts.accepting[best], counts.of)} would accept it"
        )
    return f"They do not meet: no ε is accepted by more than half of {counts.of}"


def share(number: int, of: int) -> str:
    """Return how many accept something; fewer than are shown, who are no majority, without a number."""
    shown = number >= FEW or 2 * number > of
    return f"{number} of {of}" if shown else "few" if number else "none"


def decided(decision: Decision) -> str:
    first = "Decided" if decision.majority else "Recorded without a majority"
    return f"{first}: {offer_text(decision.offer)}; {share(decision.accepting, decision.of)} would accept it"


SAMPLE = "hospital"


def usual_setting(simulation: Simulation) -> Setting:
    """Return what the pages about these data are set to until somebody sets them otherwise."""
    searching = Searching(suited(simulation.problem), once=True)
    return searching.of(Setting(system.EPSILON, system.DELTA, system.R, min(system.STEPS, simulation.problem.n)))


def curve(simulation: Simulation, setting: Setting) -> tuple[Offer, ...]:
    """Return what each ε costs in tests, by simulated searches. A second or two."""
    offers = []
    for epsilon in EPSILONS:
        *_, found = simulation.compare(replace(setting, epsilon=epsilon), system.RUNS, ("noisy",))
        needed = found.tests_needed("noisy")
        # Fewer tests with noise are luck, and no cost.
        more = max(needed.more, 0)
        offers.append(Offer(epsilon, more, min(needed.low, more), max(needed.high, more), needed.open))
    return tuple(offers)


def offered(simulation: Simulation) -> tuple[Offer, ...] | None:
    """Return the curve if it has been computed. If not, begin with it beside everything else, and return None."""
    setting = usual_setting(simulation)
    found = later().ask(("what would you accept", setting), partial(curve, simulation, setting))
    return found if isinstance(found, tuple) else None


def start() -> Accept:
    """Return the experiment; its curve is handed in once it is there."""
    return Accept(partial(offered, public_simulation(SAMPLE)))


CHOSEN = "accept/decide"


def desk(room: Room, accept: Accept) -> None:
    seen = accept.seen()
    if not seen.closed:
        act(room, "Close the answers", _close, "lock", can=seen.answered >= FEW)
        if seen.answered < FEW:
            note(f"They can be closed from {FEW} answers on. Fewer would tell whose they are.")
        return
    if seen.counts is None:
        act(room, "Open again", Accept.reopen, "lock_open")
        note(f"Fewer than {FEW} answers are left: there is nothing to decide on.")
        return
    if seen.offers is None or seen.counts.best is None:
        note("The searches are being simulated: a few seconds more.")
        return
    if st.session_state.get(CHOSEN) is None and seen.counts.majority(seen.counts.best):
        st.session_state[CHOSEN] = EPSILONS[seen.counts.best]
    st.segmented_control("The class decides for ε =", EPSILONS, key=CHOSEN, format_func=lambda one: f"{one:g}")
    act(room, "Record the decision", _record, "gavel")
    take_away(About("What would you accept?", sample(SAMPLE).title))


def _close(accept: Accept) -> News:
    st.session_state.pop(CHOSEN, None)
    return accept.close()


def _record(accept: Accept) -> News:
    chosen = st.session_state.get(CHOSEN)
    now = datetime.now().astimezone()
    return accept.record(EPSILONS.index(chosen), now) if chosen in EPSILONS else News.NOTHING


def screen(accept: Accept, pupil: int) -> Screen:
    wish = accept.wish(pupil)
    if not accept.closed:
        sliders = [
            {"name": name, "label": f"The most that {what}", "stops": stops, "unmoved": "Move this"}
            for name, what, stops in (
                ("epsilon", "may leak about me", [epsilon_stop(each) for each in EPSILONS]),
                ("cost", "the search may pay for it", [cost_stop(each) for each in COSTS]),
            )
        ]
        answer = {"epsilon": wish[0], "cost": wish[1]} if wish else None
        change = "You can change it until the answers are closed. Nobody sees yours."
        text = change if wish else prose("class", "accepting")
        return Screen(QUESTION, "scales", "What would you accept?", text, {"sliders": sliders}, answer)
    own = f"You would accept {wish_text(wish)}" if wish else "You did not answer."
    decision = accept.decision
    if decision is None:
        return Screen("closed", "tell", "The answers are closed.", "Look at the screen in front.", {"lines": [own]})
    lines = [own]
    if wish:
        more = [words for words, far in zip(FURTHER, decision.offer.beyond(wish), strict=True) if far]
        lines += more or ["It suits you."]
    data = {"big": f"ε = {decision.offer.epsilon:g}", "lines": lines}
    return Screen("decided", "tell", decided(decision), "", data)


TICKS = (*COSTS, 30)
SIDE, BELOW = 0.7, 0.76  # Where the curve ends and a distribution begins: across and upwards.
WIDE = 0.1  # How far a bar reaches beyond its stops.
FILLED = {"fillcolor": PRIVATE.faded(0.75), "line": {"width": 0}}
ROOM = 1.45  # How many times the longest bar fits in, with the number at its end.


def show(accept: Accept) -> View:
    seen = accept.seen()
    note = prose("class", "the points", tests=system.STEPS, runs=system.RUNS, few=FEW)
    alt = "More tests against ε, with how many would accept each ε, each cost, and each point of the curve."
    return View(_tiles(seen), (Figure("accept", Finding(title(seen), "known", note), picture(seen), alt),))


def picture(seen: Seen) -> Picture:
    drawn = Picture(height=HEIGHT, margin={"l": 110, "r": 30, "t": 42, "b": 70})
    most = max([0, *(offer.high for offer in seen.offers or ())])
    top = height(max(most, TICKS[-1])) + 0.7
    side, below = (SIDE, BELOW) if seen.counts else (1, 1)
    across = [math.log10(EPSILONS[0]) - 0.15, math.log10(EPSILONS[-1]) + 0.15]
    drawn.axis("xaxis", "ε: more may leak →", type="log", tickvals=list(EPSILONS), range=across, domain=[0, side])
    ticks = {"tickvals": [height(each) for each in TICKS], "ticktext": [f"{each}" for each in TICKS]}
    drawn.axis("yaxis", "more tests", **ticks, range=[-0.35, top], domain=[0, below])
    if seen.offers:
        _curve(drawn, seen.offers, seen.counts)
    else:
        drawn.label(0.5, 0.4, "The searches are being simulated …", TEXT, xref="paper", yref="paper", xanchor="center")
    if seen.counts:
        _bars(drawn, seen.counts)
    if seen.decision:
        chosen = seen.decision.offer
        ring = {"symbol": "circle-open", "size": 34, "color": TEXT, "line": {"width": 4}}
        place = {"x": [chosen.epsilon], "y": [height(chosen.more)]}
        drawn.add("scatter", **place, mode="markers", name="chosen", hoverinfo="skip", marker=ring)
    return projected(drawn)


def height(more: float) -> float:
    """Return where so many more tests stand: the first ones are as far apart as the last."""
    return math.log2(1 + max(more, 0.0))


def _curve(drawn: Picture, offers: tuple[Offer, ...], counts: Counts | None) -> None:
    epsilons, places = [offer.epsilon for offer in offers], [height(offer.more) for offer in offers]
    drawn.line(epsilons, places, NOISY, width=5, name="with noise", hoverinfo="skip")
    most = [2 * number > counts.of for number in counts.accepting] if counts else [False] * len(offers)
    above = [height(offer.high) - height(offer.more) for offer in offers]
    below = [height(offer.more) - height(offer.low) for offer in offers]
    drawn.add(
        "scatter",
        x=epsilons,
        y=places,
        mode="markers",
        name="offers",
        marker={"size": 18, "color": [MET if each else NOISY for each in most], "line": {"width": 0}},
        error_y={"array": above, "arrayminus": below, "color": NOISY, "thickness": 2, "width": 7},
        customdata=[offer.more for offer in offers],
        hovertemplate="ε = %{x:g}: %{customdata} more tests",
    )
    if counts:
        placing = {"xanchor": "center", "yanchor": "bottom", "yshift": 6}
        for offer, number, met in zip(offers, counts.accepting, most, strict=True):
            colour, text = MET if met else TEXT, share(number, counts.of)
            drawn.label(math.log10(offer.epsilon), height(offer.high), text, colour, **placing)


def _bars(drawn: Picture, counts: Counts) -> None:
    """Draw both distributions along the curve's axes, a bar from the first to the last stop that it stands for."""
    along = ("yaxis2", BELOW + 0.03, "x", counts.epsilons), ("xaxis2", SIDE + 0.02, "y", counts.costs)
    for axis, start, across, those in along:
        longest = ROOM * max(number for *_, number in bars(those))
        drawn.axis(axis, range=[0, longest], domain=[start, 1], anchor=across, showgrid=False, showticklabels=False)
    places = [math.log10(epsilon) for epsilon in EPSILONS]
    for low, high, number in bars(counts.epsilons):
        left, right = places[low] - WIDE, places[high] + WIDE
        drawn.box((10**left, 10**right, 0, number), xref="x", yref="y2", **FILLED)
        drawn.label((left + right) / 2, number, f"{number}", TEXT, yref="y2", xanchor="center", yanchor="bottom")
    for low, high, number in bars(counts.costs):
        down, up = height(COSTS[low]) - WIDE, height(COSTS[high]) + WIDE
        drawn.box((0, number, down, up), xref="x2", yref="y", **FILLED)
        drawn.label(number, (down + up) / 2, f"{number}", TEXT, xref="x2", xshift=6)
    above(drawn, 0, "how many set their limit in this range", PRIVATE)
    above(drawn, 1, "how many set\ntheirs here", PRIVATE, y=BELOW, xanchor="right", align="right")


def _tiles(seen: Seen) -> tuple[Tile, ...]:
    answers = Tile("Answers", f"{seen.answered} of {seen.pupils}", "closed" if seen.closed else "still open", "known")
    counts, offers = seen.counts, seen.offers
    if counts is None or offers is None or counts.best is None:
        return (answers,)
    if (chosen := seen.decision) is not None:
        accepted = f"{share(chosen.accepting, chosen.of)} would accept it; {chosen.when:%d %B %Y at %H:%M}"
        name, offer = "The decision" if chosen.majority else "Recorded, no majority", chosen.offer
    elif counts.majority(counts.best):
        name, accepted = "Most accept", share(counts.accepting[counts.best], counts.of)
        offer = offers[counts.best]
    else:
        return (answers, Tile("Most accept", "no ε", f"none has more than half of {counts.of}", "known"))
    word, right = held(offer.epsilon)
    return (
        answers,
        Tile(name, f"ε = {offer.epsilon:g}", accepted, "known"),
        Tile("What it costs", cost_stop(offer.more), f"95 % interval: {offer.span}", "simulation"),
        Tile("How strongly it protects", word, f"the best guess is {right}", "share"),
    )


ASKED = "How much may leak about you, and what may it cost? Does the class meet anywhere? From five phones on."
ACCEPT = Game("accept", "What would you accept?", ":material/balance:", ASKED, start, desk, screen, show)
