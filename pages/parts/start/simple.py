"""The start page in Simple: a picture that moves, and the doors from it."""

import threading
from collections import OrderedDict
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
import streamlit as st
from markupsafe import Markup

from pages.parts import systems
from pages.parts.live.desk import START, plain
from pages.parts.live.sliders import of_epsilon, read_controls, show_sliders
from pages.parts.system import system
from pages.parts.system.system import Story
from pages.parts.table.upload import offer_door
from pages.parts.views.drawing import Chart, Slot
from pages.parts.views.picture import NOISY, NON_PRIVATE, PAPER, Picture, palette
from pages.parts.views.templates import image, render
from privbo_core.data import sample
from privbo_core.outsourced import noise_deviation

SAMPLE, SHOWN, KEPT = "hospital", 400, 200
ROUND = np.linspace(0.0, 2.0 * np.pi, 61)
SLIDERS = (plain(of_epsilon(*system.EPSILONS, START, "How much may leak.")),)
ALT = "A sample’s records as they are handed out, with noise; around one of them, where it may have been."


def blurred(epsilon: float) -> Picture:
    """Draw some of the sample's records with the noise that this ε needs; of one, where it is and may appear to be.

    The noise is the same at each ε but for its size, so that every point moves on a line while one drags.
    """
    problem, rng = sample(SAMPLE), np.random.default_rng(7)
    frame = problem.frame
    sigma = noise_deviation(epsilon, system.DELTA, bounds=frame.bounds, protected_distance=1.0, d=frame.d)
    rows = rng.choice(problem.n, SHOWN, replace=False)
    true = problem.original[rows][:, :2]
    seen = true + sigma * frame.hide[:2] * rng.standard_normal(true.shape)
    middle = int((((true - np.median(true, axis=0)) / frame.hide[:2]) ** 2).sum(axis=1).argmin())
    picture = Picture(height=190, margin={"l": 16, "r": 16, "t": 6, "b": 30})
    dots = {"color": NOISY.faded(0.35), "size": 5}
    picture.add("scatter", x=seen[:, 0], y=seen[:, 1], mode="markers", hoverinfo="skip", marker=dots)
    (x, y), (wide, high) = true[middle], 2 * sigma * frame.hide[:2]
    around = x + wide * np.cos(ROUND), y + high * np.sin(ROUND)
    picture.area(*around, NOISY.faded(0.15), line={"color": NOISY, "width": 2.5})
    dot = {"color": NON_PRIVATE, "size": 9, "line": {"color": PAPER, "width": 1.5}}
    picture.add("scatter", x=[x], y=[y], mode="markers", hoverinfo="skip", marker=dot)
    picture.axis("xaxis", "age", range=[30, 120], showticklabels=False)
    picture.axis("yaxis", "kidney value", range=[-1.5, 2.2], showticklabels=False)
    return picture


def picture(drawing: str | Path) -> Markup:
    """Return the image of a drawing, given by its template, in the theme's colours; ``alt`` is set in there."""
    return render("story_picture.html", drawing=str(drawing), source=image(drawing), colours=palette())


def show_cards() -> None:
    left, right = st.columns([1, 1.3], gap="medium")
    with left:
        st.html(render("start_simple.html"))
        controls = read_controls("blur", SLIDERS)
    epsilon = controls["epsilon"]
    with right:
        Chart("blur").draw(blurred(epsilon), ALT)
    with left:  # below what stands there
        show_sliders("blur", SLIDERS, controls)
    stories = [each.story for each in systems.SYSTEMS if each.story.shown]
    spots = []
    with st.container(key="start-cards"):
        *places, own = st.columns(len(stories) + 1, gap="small", border=True)
        for place, story in zip(places, stories, strict=True):
            with place:
                spots.append(_show(story, epsilon))
        with own:
            st.html(picture("start_table.html"))
            st.html(render("start_card.html", heading="A table of your own", protected=""))
            offer_door(view="simple")
    with st.container(key="start-tour", horizontal=True):
        query = {"view": "simple"}
        st.page_link("pages/tour.py", label="Take the tour", icon=":material/slideshow:", query_params=query)
        show_papers()
    for (number, cost), story in zip(spots, stories, strict=True):
        card = known_cards().get(_key(story, epsilon))
        if story.line is not None and not card.number:
            line = story.line(epsilon)
            times = 100 * (1 - line.least_error(0.5))
            at = f"fixed ε = {line.epsilon(story.delta()):.3g}" if story.delta else f"ε = {epsilon:.3g}"
            card = replace(card, number=f"{times:.0f}" if times < 99.5 else "over 99", at=at)
        if card.number:
            number.html(render("start_number.html", guess=story.guess, number=card.number, at=card.at))
        if not controls.dragging and (found := story.cost(epsilon)):
            card = replace(card, cost=f"{found}.")
        if card.cost:
            cost.html(render("start_cost.html", cost=card.cost))
        else:  # its page finds out, or the slider has to come to rest
            cost.clear()
        known_cards().put(_key(story, epsilon), card)


def show_papers() -> None:
    st.markdown("Know the papers?")
    for each in systems.SYSTEMS:
        if each.paper:
            query = {**each.story.links[0].query, "view": "expert"}
            st.page_link(each.page, label=each.paper, icon=each.icon, query_params=query)


def _show(story: Story, epsilon: float) -> tuple[Slot, Slot]:
    """Show one card: what is done, who is protected from whom, one number, what it costs, and the way on.

    The places of number and cost are returned: what takes a moment to compute keeps nobody from reading the rest.
    """
    assert story.shown is not None
    card = known_cards().get(_key(story, epsilon))
    st.html(picture(story.drawing))
    st.html(render("start_card.html", heading=story.heading, protected=story.protected))
    number, cost = Slot(), Slot()
    if story.line is not None:
        number.html(render("start_number.html", guess=story.guess, number=card.number or "…", at=card.at))
    if card.cost:
        cost.html(render("start_cost.html", cost=card.cost))
    link = story.shown
    query = dict(link.query) if story.delta else {**link.query, "epsilon": f"{epsilon:g}"}
    st.page_link(link.page, label=link.label, icon=link.icon, query_params=query)
    return number, cost


@dataclass(frozen=True)
class Card:
    """What is known of a story: how many of 100 guesses of the best attacker are right, at which ε, and the cost."""

    number: str = ""
    at: str = ""
    cost: str = ""


class Cards:
    """The cards that all visitors share: each is a value, replaced as a whole. Thread-safe."""

    def __init__(self) -> None:
        self._cards: OrderedDict[tuple[str, float], Card] = OrderedDict()
        self._lock = threading.Lock()

    def get(self, key: tuple[str, float]) -> Card:
        with self._lock:
            return self._cards.get(key, Card())

    def put(self, key: tuple[str, float], card: Card) -> None:
        with self._lock:
            self._cards[key] = card
            self._cards.move_to_end(key)
            while len(self._cards) > KEPT:
                self._cards.popitem(last=False)


@st.cache_resource
def known_cards() -> Cards:
    return Cards()


def _key(story: Story, epsilon: float) -> tuple[str, float]:
    return story.heading, 0.0 if story.delta else epsilon
