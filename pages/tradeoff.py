"""Trade-off: what an ε costs, and which ε keeps a cost, for three stories and for other tables."""

import math
from collections.abc import Generator
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from pages import ui
from pages.figures import tradeoff as figures
from pages.ui import demo, stories
from pages.ui.numbers import parse_number, power_of_ten
from pages.ui.stories import Cost, Costs, Story, Team, too_short, written
from privbo_core.bo import ExtraSteps
from privbo_core.privacy import Guarantee, Status, registry, strength
from privbo_core.privacy.guarantee import LARGE_DELTA
from privbo_core.tradeoff import CostCurve, Zone, sweep

STORIES = {
    "hospital": "Hospital: choose whom to test",
    "team": "Team: publish a model",
    "schools": "Schools: tune together",
    "table": "Another table",
}
EPSILON_BOX, LIMIT_BOX = "tradeoff/epsilon", "tradeoff/limit"
SWEEP_RUNS, SWEEP_SIZE = 10, 6
MAX_KNOWN = 300
"""The most costs that are cached for a sample."""
SOURCE = "Made with PrivBO. The costs are simulated on the data named above, and a real search may differ."
FIRST = ("The first searches are being simulated", "")


def main() -> None:
    """Draw what follows the thumb, then the slider, and then the costs as they come in."""
    if ui.begin("tradeoff") and "story" not in st.query_params and "data" in st.query_params:
        st.session_state["story"] = story_of_data()  # a link to these data, whatever was shown here before
    with st.container(key="first-screen"):
        story = pick_story()
        about = "How much one record may change what others see. A smaller ε protects more, and it may cost more."
        slider = replace(ui.epsilon_slider(1.0, about, right="lower cost"), label="Privacy budget (ε)")
        page = open_page(story, ui.Panel("tradeoff", [slider]))
        known = page.costs()
        page.draw(known)
        with page.slider:
            page.panel.show()
        with page.questions:
            brief = show_questions(page)
    report = report_of(page)
    export = ui.bar("tradeoff", {"tradeoff": "Cost against ε"}, lambda: story.script(page.epsilon), report)
    for found in ui.follow(page.computed(known)):
        page.draw(found)
    with brief:
        offer_brief(page, page.costs())
    with st.container(key="below"):
        show_mechanisms(page)
    export.make_report()


def story_of_data() -> str:
    """Return the story that the data of a link belong to, or that of the visitor's own table if it is chosen."""
    data = st.query_params.get("data")
    if data is None:
        return "table" if st.session_state.get("data") == ui.OWN_CHOICE else "hospital"
    return "hospital" if data == "hospital" else "table"


def pick_story() -> Story:
    """Show the choice of the story, and return it."""
    with st.container(horizontal=True, vertical_alignment="center", key="stories-tradeoff"):
        key = ui.choose(
            st.segmented_control, "Story", STORIES, key="story", default=story_of_data(),
            required=True, label_visibility="collapsed",
        )  # fmt: skip
        if key == "table":
            with st.container(key="data-tradeoff", width=400):
                simulation = ui.pick_data("loans")
        with st.container(key="action-own", width="content"):
            if demo.is_demo():
                demo.show_note()
            else:
                st.page_link("pages/data.py", label="Use my own table", query_params={"bring": "table"})
    if key == "table":
        return stories.table(simulation)
    if key == "hospital":
        return stories.hospital(ui.sample_simulation("hospital"))
    return stories.team() if key == "team" else stories.schools()


@st.cache_resource(max_entries=16)
def shared_costs(identity: str) -> dict[float, Cost]:
    """Return the costs that are known for a sample. All visitors share them, and no cost is ever changed."""
    return {}


@st.cache_resource(max_entries=64, show_spinner=False)
def shared_zones(identity: str, bounds: tuple[float, float], _story: Story) -> tuple[Zone, ...]:
    """Return the words for the strength over ε of a sample."""
    return _story.zones(bounds)


@dataclass(frozen=True)
class Page:
    """The places of the page, and how to fill them from the costs that are known."""

    story: Story
    panel: ui.Panel
    epsilon: float
    headline: ui.Place
    title: ui.Place
    chart: ui.Chart
    slider: DeltaGenerator
    questions: DeltaGenerator
    cards: ui.Place

    @cached_property
    def guarantee(self) -> Guarantee:
        """The guarantee at this ε."""
        return self.story.guarantee(self.epsilon)

    def costs(self) -> Costs:
        """Return the costs in memory. Those of a visitor's own table are kept in the session alone."""
        if not self.story.own:
            return dict(shared_costs(self.story.identity))
        kept = self.panel.recall("costs", private=True)
        return dict(kept[1]) if kept is not None and kept[0] is self.story.data else {}

    def keep(self, known: Costs, epsilon: float) -> None:
        """Keep a new cost."""
        if self.story.own:
            self.panel.remember("costs", (self.story.data, tuple(known.items())), private=True)
            return
        shared = shared_costs(self.story.identity)
        if epsilon in self.story.values or len(shared) < MAX_KNOWN:
            shared[epsilon] = known[epsilon]

    def computed(self, known: Costs) -> Generator[Costs, None, None]:
        """Yield the costs as they become known: first that of ε, and then those of the curve from coarse to fine."""
        found, values = dict(known), self.story.values
        coarse = [*values[::6], *values[3::6], *values]
        for epsilon in [self.epsilon] * (not self.panel.dragging) + coarse:
            if epsilon not in found:
                found[epsilon] = self.story.cost(epsilon)
                self.keep(found, epsilon)
                yield dict(found)

    def draw(self, known: Costs) -> None:
        """Draw everything that follows ε."""
        story, epsilon = self.story, self.epsilon
        cost, curve = known.get(epsilon), story.curve(known)
        place = f"headline/{story.key}"
        if cost is not None:
            shown = self.finding(cost)
            self.panel.remember(place, shown, private=story.own)
        else:
            shown = self.panel.recall(place, private=story.own) or FIRST
        self.headline.html(ui.headline(*shown, old=cost is None))
        self.cards.html(self._cards(cost, curve))
        bounds = self.panel.hold(f"bounds/{story.key}", around(story.bounds, epsilon))
        costs = figures.cost_range(curve) if curve else (0.0, 1.0)
        costs = self.panel.hold(f"costs/{story.key}", costs, private=story.own)
        card = self.card(known, curve, bounds, costs)
        self.title.html(card.heading)
        self.chart.draw(card.figure, card.alt)

    def finding(self, cost: Cost) -> tuple[str, str]:
        """Return the headline and the sentences below it."""
        story = self.story
        lead = f"{story.lead(cost)} {story.sure(cost)} {self._caution()}".strip()
        return story.title(self.epsilon, cost), lead

    def card(
        self, known: Costs, curve: CostCurve | None, bounds: tuple[float, float], costs: tuple[float, float]
    ) -> ui.FigureCard:
        """Return the main figure with its title."""
        story, epsilon = self.story, self.epsilon
        cost = known.get(epsilon)
        label = self.amount(cost, curve)
        names = story.axis, story.reference
        height = story.height(cost)
        drawn = figures.Drawn(curve, self.zones(bounds), epsilon, height, label, bounds, costs, *names)
        text = f"{capital(story.axis)} {story.goal()}. {story.measured_by}"
        alt = f"{text} At {written(epsilon)}: {label}."
        figure = figures.trade_off(drawn)
        return ui.FigureCard("tradeoff", story.finding(curve, known), f"{text} Drag either line.", figure, alt)

    def zones(self, bounds: tuple[float, float]) -> tuple[Zone, ...]:
        """Return the words for the strength over ε."""
        return self.story.zones(bounds) if self.story.own else shared_zones(self.story.identity, bounds, self.story)

    def say(self, sentence: str, epsilon: float | None = None) -> None:
        """Remember the answer to a question. One that led to an ε is shown as long as that is chosen."""
        self.panel.remember(f"answer/{self.story.key}", (sentence, epsilon), private=self.story.own)

    def said(self, *, without_problems: bool = False) -> str:
        """Return the answer to the last question, if it is still about this ε."""
        sentence, epsilon = self.panel.recall(f"answer/{self.story.key}", private=self.story.own) or ("", None)
        about = epsilon == self.epsilon or (epsilon is None and not without_problems)
        return sentence if about else ""

    def _caution(self) -> str:
        """Return a sentence on why costs of this table mean little, which is the same at every ε."""
        name, story = f"caution/{self.story.key}", self.story
        kept = self.panel.recall(name, private=story.own)
        if kept is None or kept[0] is not story.data:
            kept = story.data, story.caution(self.epsilon)
            self.panel.remember(name, kept, private=story.own)
        return str(kept[1])

    def amount(self, cost: Cost | None, curve: CostCurve | None) -> str:
        """Return the cost in words, which is read off the curve until it is known."""
        if cost is not None:
            return self.story.amount(cost)
        return self.story.read_off(curve, self.epsilon) if curve is not None else "…"

    def _cards(self, cost: Cost | None, curve: CostCurve | None) -> str:
        """Return the cards: protection, protected difference, cost, and assumptions."""
        story, promise = self.story, self.guarantee
        protected, whom = story.protected()
        sure = story.sure(cost) if cost is not None else "It is being simulated."
        facts = [
            protection_fact(story, promise),
            ui.Fact("Protected difference, and from whom", protected, whom),
            ui.Fact("What it costs", self.amount(cost, curve), sure, old=cost is None),
        ]
        return "".join(map(ui.fact_card, facts)) + ui.assumptions_card(promise, note=story.chosen_here)


def around(bounds: tuple[float, float], epsilon: float) -> tuple[float, float]:
    """Return the bounds of the ε axis, which are wider where ε lies beyond the usual ones."""
    low, high = ui.EPSILON_RANGE
    return (bounds[0] if epsilon >= bounds[0] else low), (bounds[1] if epsilon <= bounds[1] else high)


def protection_fact(story: Story, promise: Guarantee) -> ui.Fact:
    """Return the strength of the protection, in a word and as guesses of the best attacker."""
    found = strength(promise)
    percent = str(found.percent) if found.percent < 100 else "over 99"
    sentence = f"{story.attacked(percent)} Guessing gets 50."
    if promise.status is Status.UNMET:
        would = f"If all assumptions were met, ε would be {promise.epsilon:.3g}. {sentence}"
        return ui.Fact("Protection", "Not guaranteed", would)
    if promise.delta > LARGE_DELTA:
        sentence += " Its chance of full exposure (δ) allows no stronger word than moderate."
    word = f"{found.word[0].upper()}{found.word[1:]}"
    return ui.Fact("Protection", word, sentence, found.level, found.percent)


def explained(story: Story) -> str:
    """Return the explanation of a story's figure."""
    texts = {
        "hospital": ui.explanation("tradeoff", "hospital"),
        "team": ui.explanation("tradeoff", "team"),
        "schools": ui.explanation("tradeoff", "schools"),
    }
    return texts.get(story.key, ui.explanation("tradeoff", "table"))


def mechanisms_explained(story: Story) -> str:
    """Return the explanation of the figure of all mechanisms."""
    texts = {
        "hospital": ui.explanation("tradeoff", "mechanisms of hospital"),
        "team": ui.explanation("tradeoff", "mechanisms of team"),
        "schools": ui.explanation("tradeoff", "mechanisms of schools"),
    }
    return texts.get(story.key, ui.explanation("tradeoff", "mechanisms of table"))


def open_page(story: Story, panel: ui.Panel) -> Page:
    """Lay out the page."""
    headline = ui.Place("headline")
    left, right = st.columns([2.6, 1], gap="medium")
    with left, ui.card("tradeoff", explained(story)) as title:
        chart = ui.Chart("tradeoff", panel)
        slider = st.container(key="sliders")
    with left:
        questions = st.container()
    with right:
        cards = ui.Place("facts")
    return Page(story, panel, panel["epsilon"], headline, title, chart, slider, questions, cards)


def show_questions(page: Page) -> DeltaGenerator:
    """Show a number box for each direction and the answer below. Return the place of the button of the brief."""
    story, panel = page.story, page.panel

    def ask_epsilon() -> None:
        text = str(st.session_state[EPSILON_BOX])
        try:
            panel.set({"epsilon": panel.sliders[0].parse(text)})
            page.say("")
        except ValueError as problem:
            page.say(str(problem))

    def ask_limit() -> None:
        page.say(*find_epsilon(page, str(st.session_state[LIMIT_BOX])))

    st.session_state[EPSILON_BOX] = f"{page.epsilon:.3g}"
    looks: dict[str, Any] = {"width": 72, "label_visibility": "collapsed"}
    with st.container(key="asked-tradeoff", horizontal=True, vertical_alignment="center", gap="small"):
        st.markdown("What does ε =", width="content")
        st.text_input("The ε whose cost you ask for", key=EPSILON_BOX, on_change=ask_epsilon, **looks)
        st.markdown("cost?  Which ε costs at most", width="content")
        kept: dict[str, Any] = {"persist_state": "session"} if not story.own else {}
        kept["placeholder"] = f"{story.limit:g}"
        st.text_input(
            "The largest cost that you accept",
            key=LIMIT_BOX,
            on_change=ask_limit,
            **kept,
            **looks,
        )
        st.markdown(f"{story.unit[1]}?", width="content")
        brief = st.container(width="content")
    ui.Place("answer").html(ui.remark(page.said()))
    return brief


def offer_brief(page: Page, known: Costs) -> None:
    """Show the button of the brief, which needs all costs."""
    missing = [each for each in (page.epsilon, *page.story.values) if each not in known]
    made = None if missing else brief_of(page, known)
    st.download_button(
        "One-page brief", (lambda: ui.brief_html(made)) if made else "", f"privbo-brief-{page.story.key}.html",
        "text/html", type="primary", on_click="ignore", disabled=made is None, key="brief",
    )  # fmt: skip


def find_epsilon(page: Page, text: str) -> tuple[str, float | None]:
    """Set the smallest ε whose cost keeps a limit, and return a sentence about it with this ε, or without one."""
    story, costs = page.story, page.costs()
    curve = story.curve(costs)
    try:
        limit = parse_number(text)
    except ValueError:
        return f"“{text[:20]}” is not a number. Enter the largest number of {story.unit[1]} that you accept.", None
    if curve is None:
        return "The first costs are still being simulated. Ask again in a moment.", None
    if not curve.reached.any() and all(isinstance(each, ExtraSteps) and too_short(each) for each in costs.values()):
        return "These searches are too short to measure what privacy costs.", None
    wanted = f"{limit:g} {story.unit[0] if limit == 1 else story.unit[1]}"
    epsilon = curve.offer(limit)
    if epsilon is None:
        return f"Even ε = {story.values[-1]:g} costs more than {wanted}.", None
    page.panel.set({"epsilon": epsilon})
    smallest = f"From {written(epsilon)} on, privacy costs at most {wanted}."
    if isinstance(story, Team):
        return smallest, epsilon
    found = curve.smallest(limit)
    low = min(found.low, epsilon)
    high = f"{max(found.high, epsilon):.3g}" if math.isfinite(found.high) else f"more than {curve.epsilons[-1]:g}"
    return f"{smallest} The 95% interval of this ε is {low:.3g} to {high}.", epsilon


def brief_of(page: Page, known: Costs) -> ui.Brief:
    """Return the decision on one page."""
    story, epsilon, promise = page.story, page.epsilon, page.guarantee
    cost, curve = known[epsilon], story.curve(known)
    assert curve is not None
    protected, whom = story.protected()
    found = strength(promise)
    conditions = story.conditions(promise)
    unmet = any(missed for _, missed in conditions)
    percent = str(found.percent) if found.percent < 100 else "over 99"
    attacked = f"{story.attacked(percent)} Guessing gets 50."
    strong = f"If all assumptions were met: {attacked}" if unmet else f"**{capital(found.word)}.** {attacked}"
    would, delta = "would be " if unmet else "", power_of_ten(promise.delta)
    chosen = f"{would}{epsilon:.3g}, with a chance of full exposure (δ) of {delta}"
    why = page.said(without_problems=True)
    return ui.Brief(
        question=story.asked(),
        answer=story.title(epsilon, cost),
        lead=f"{story.lead(cost)} {story.sure(cost)}",
        picture=picture_of(page, cost, curve, unmet),
        caption=f"{capital(story.axis)} {story.goal()}. {story.measured_by}",
        facts=[
            ("Privacy budget (ε)", f"{chosen}. {why}"),
            *story.sought(),
            ("Protected", f"{protected}, {whom}"),
            ("Strength", strong),
            ("Cost", f"{story.amount(cost)}. {story.sure(cost)}"),
        ],
        assumptions=[
            ui.Assumption(text, by, missed) for (text, missed), by in zip(conditions, story.vouchers, strict=True)
        ],
        not_protected=promise.assumptions,
        comparison=comparison(epsilon),
        signers=story.signers,
        source=SOURCE,
    )


def report_of(page: Page) -> ui.Report:
    """Return the interactive report, which has this page at the ε of its curve."""
    story = page.story

    def frame(epsilon: float) -> ui.Frame:
        there = replace(page, epsilon=epsilon)
        for _ in there.computed(page.costs()):
            ui.interrupt()
        known = page.costs()
        cost, curve = known.get(epsilon) or story.cost(epsilon), story.curve(known)
        assert curve is not None
        card = there.card({**known, epsilon: cost}, curve, around(story.bounds, epsilon), figures.cost_range(curve))
        protection = protection_fact(story, there.guarantee)
        covered: ui.Kind | None = "covered" if there.guarantee.status is Status.PROVED else None
        numbers = [
            ui.Tile(protection.name, protection.value, protection.text, covered),
            ui.Tile("What it costs", story.amount(cost), story.sure(cost)),
        ]
        assumed = ui.assumptions_card(there.guarantee, note=story.chosen_here)
        return ui.Frame(ui.headline(*there.finding(cost)), numbers, [card], assumed)

    return ui.Report(
        page="Trade-off",
        data=STORIES[story.key],
        key="epsilon",
        label="Privacy budget (ε)",
        now=page.epsilon,
        values=stories.decades(*story.bounds, stories.FINE),
        frame=frame,
        question=(story.identity, ui.Same(story.data)),
        own=story.own,
        guaranteed=page.guarantee.status is Status.PROVED,
    )


def capital(text: str) -> str:
    """Return a text that begins with a capital letter."""
    return f"{text[:1].upper()}{text[1:]}"


def picture_of(page: Page, cost: Cost, curve: CostCurve, unmet: bool) -> ui.Picture:
    """Return the picture of the brief, from the values of the main figure."""
    story, epsilon = page.story, page.epsilon
    zones = () if unmet else page.zones(around(story.bounds, epsilon))
    found = int(np.argmax(curve.reached)) if curve.reached.any() else len(curve.epsilons)
    drawn = [float(each) for each in figures.drawn_costs(curve)]
    low, high = curve.low.tolist(), curve.high.tolist()
    return ui.Picture(
        curve.epsilons.tolist(), drawn, low, high, found, [(zone.high, zone.word, zone.level) for zone in zones],
        epsilon, story.height(cost) or 0.0, story.amount(cost), capital(story.axis), story.reference,
    )  # fmt: skip


def comparison(epsilon: float) -> str:
    """Return how an ε compares with the deployments in the public registry."""
    known = registry().with_epsilon
    larger = sum(each > epsilon for each, _ in known)
    people = [each for each, record in known if record.kind == "person"]
    return (
        f"Of {len(known)} deployments in the public registry that state ε, {larger} use a larger one than "
        f"{epsilon:.3g}. An ε can be compared only where the same thing is protected: {len(people)} of them protect a "
        f"whole person, with ε from {min(people):.3g} to {max(people):.3g}. {registry().source}"
    )


def show_mechanisms(page: Page) -> None:
    """Show all mechanisms in regret, while the section is open."""
    story = page.story
    section = st.expander("All mechanisms, in regret", on_change="rerun", key="section/All mechanisms, in regret")
    if not section.open:
        return
    with section:
        title, chart = ui.Place("mechanisms-title"), ui.Chart("mechanisms")
        st.markdown(mechanisms_explained(story))
        low, high = story.bounds
        question = story.question()
        standing = "; ".join(f"{curve.name}: {figures.STANDINGS[curve.status]}" for curve in question.curves)
        steps = sweep(question, low=low, high=high, runs=SWEEP_RUNS, grid_size=SWEEP_SIZE, most=SWEEP_SIZE)
        for found in ui.follow(steps, lambda now: now.outlined):
            ui.interrupt()
            text = "Mechanisms whose guarantee is not proven are drawn hollow"
            title.html(ui.title(text, f"{standing}. {SWEEP_RUNS} runs at each ε, ±1 standard error."))
            chart.draw(figures.mechanisms(question, found, (low, high), story.regret()), f"{text}. {standing}.")


main()
