"""What an ε means: how far a belief can move, how often a test must err, and what several releases add up to."""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
import streamlit as st

from pages.parts.live.others import show_others
from pages.parts.live.sliders import Slider, read_controls, show_sliders
from pages.parts.shell.depth import simple
from pages.parts.views.card import audience_of
from pages.parts.views.drawing import Place, note, show
from pages.parts.views.picture import PRIVATE, RANDOM, REFUTED, Picture
from pages.parts.views.templates import render
from pages.parts.views.testing import Attacked, testing_picture
from pages.parts.views.text import as_markdown, scientific, struck
from pages.parts.views.views import Figure, Finding, Tile, table
from privbo_core.errors import Array
from privbo_core.privacy import Guarantee, Status, TradeOff, worst_case_belief

SLIDERS = [
    Slider.of("live.prior", 1, 99, 50, step=1),
    Slider.of("live.times", 1, 100, 1, step=0.02, log=True, whole=True),
]


HELD = {Status.CLAIMED: ", if the claim holds", Status.UNMET: ", if its assumptions held"}

Testing = TradeOff | Callable[[int], TradeOff | None]
"""The trade-off function of one release, or that of so many; None where it is not known yet."""


def show_meaning(
    guarantee: Guarantee | None,
    secret: str,
    *,
    distances: Sequence[tuple[str, str, float]] = (),
    together: Callable[[int], float] | None = None,
    testing: Testing | None = None,
    larger: str = "",
    where: str = "meaning",
) -> None:
    """Show what a guarantee means, in a panel that a person can open; None: it is still being counted.

    ``secret``: what somebody may be sure of ("that …"). ``distances``: (column, unit, amount) that is hidden if this
    column alone changes; ``larger``: what a larger difference costs. ``together``: ε of k releases at the same δ, where
    that is known better than by adding up. ``testing``: how rarely any test can miss, where more is known than (ε, δ)
    says.
    """
    plain = simple()
    panel = st.expander("What does this ε mean?", key=where, on_change="rerun", bind="query-params")
    if not panel.open:
        return
    with panel:
        if guarantee is None:
            note("ε is being counted exactly.")
            return
        if math.isinf(guarantee.epsilon):
            st.info("ε is infinite here, so nothing is promised: somebody may become certain.")
            return
        controls = read_controls(f"{where}/controls", SLIDERS)
        prior, times = controls["prior"] / 100, 1 if plain else controls.whole("times")
        epsilon, delta, added = times * guarantee.epsilon, guarantee.delta, "a single release"
        if times > 1 and together is not None:
            added = f"counted together; adding up would give {epsilon:.3g}"
            epsilon = together(times)
        elif times > 1:
            delta, added = min(1.0, times * delta), f"{times} × {guarantee.epsilon:.3g}, added up"
        tests = Tests(guarantee, secret, prior, trade_off_of(testing, times, epsilon, delta))
        belief = _belief(tests, (epsilon, delta), times, where)
        says = " Then no attack gets beyond this ε; how strong that is, is another question."
        held = f"**{_sentence(guarantee.standing())}**{'' if guarantee.status is Status.REFUTED else says}"
        left, right = st.columns([1.1, 1] if plain else [1, 2.2], gap="large" if plain else "medium")
        if plain:  # one release, and the slider of one belief
            with left:
                Place(where).draw(belief)
                show_sliders(f"{where}/controls", SLIDERS, controls, only=["prior"], under=belief.picture)
            with right:
                st.markdown(_joined(tests, epsilon))
                st.markdown(f"**Hidden is only this difference.** {_sentence(guarantee.neighbours)}")
                st.markdown(f"{held}\n\n{EPSILON}")
            show_others(guarantee, where, limited=bool(distances))
            return
        with right:
            st.html(render("tiles.html", tiles=_numbers(tests, (epsilon, delta), times, added)))
            Place(where).draw(belief)
            Place(f"{where}-testing").draw(tests.figure(f"{where}-testing"))
            show_others(guarantee, where, limited=bool(distances))
        with left:
            show_sliders(f"{where}/controls", SLIDERS, controls)
            st.markdown(held)
            st.markdown(f"**Hidden is the difference between neighbours.** {_sentence(guarantee.neighbours)}")
            if distances:
                hidden = [(name, f"{scientific(amount)} {unit}") for name, unit, amount in distances]
                show(table(("column", "hidden, if it alone changes"), hidden))
                note(larger)


def _belief(tests: "Tests", loss: tuple[float, float], times: int, slot: str) -> Figure:
    (epsilon, delta), guarantee, prior = loss, tests.guarantee, tests.prior
    strongest, status = worst_case_belief(prior, epsilon), guarantee.status
    seen = "one release" if times == 1 else f"{times} releases"
    sure = f"somebody who was {100 * prior:.0f} % sure {tests.secret} can become {_at_most(strongest)} sure"
    rests = ""
    if status is Status.REFUTED:
        title = f"After {seen} somebody can be certain {tests.secret}: the promise, {_at_most(strongest)}, is refuted"
    elif status is Status.UNMET:
        title = f"Only if its assumptions held: after {seen}, {sure}"
        rests = "".join(f"{condition} " for condition in guarantee.unmet)
    else:
        title = f"After {seen}, {sure}{HELD.get(status, '')}"
    chance = f"With a small probability, of the order of δ = {scientific(delta)}, it can be more. " if delta else ""
    worst = "This bounds the worst case, whatever else the attacker knows; most people’s secrets move less."
    finding = _finding(guarantee, title, f"{rests}{chance}{worst}")
    before = f"The strongest belief possible after the release against the belief before; {prior:.0%}"
    alt = f"{before} becomes at most {strongest:.1%}."
    return Figure(slot, finding, belief_picture(guarantee, prior, epsilon, times), alt)


EPSILON = (
    "**ε** (epsilon) says how much one release can tell about it. At 0 nobody learns anything; each step of 0.7 can "
    "double the odds that somebody gives to a guess.\n\n**ε = 1 is strong where it hides a small difference behind "
    "noise on every record, and moderate where it hides a whole record behind one draw:** there the best attacker is "
    "right 73 times in 100, not 55."
)


def _joined(tests: "Tests", epsilon: float) -> str:
    guarantee = tests.guarantee
    if guarantee.status is Status.REFUTED:
        return "**Refuted:** what the promise allows is struck, for somebody gets beyond it."
    right, sure = f"{100 * (1 - tests.line.least_error(0.5)):.0f}", worst_case_belief(0.5, epsilon)
    held = HELD.get(guarantee.status, "").removeprefix(", ")
    return (
        f"**Two measures of one promise{f', {held}' if held else ''}.** The page counts guesses: over many releases "
        f"the best attacker is right {right} times in 100. Here is the worst that one release can tell: after it, "
        f"somebody who was 50 % sure is {_at_most(sure)} sure."
    )


def trade_off_of(testing: Testing | None, times: int, epsilon: float, delta: float) -> TradeOff:
    """Return how rarely any test of so many releases can miss: as far as that is known, else what (ε, δ) says."""
    known: TradeOff | None = None
    if callable(testing) and not isinstance(testing, TradeOff):
        known = testing(times)
    elif testing is not None and (times == 1 or testing.mu is not None):
        known = testing if times == 1 else testing.repeated(times)
    return known or TradeOff.of(epsilon, delta)


@dataclass(frozen=True)
class Tests:
    """The tests that somebody with a belief can make of a secret, and the line that none of them gets below."""

    guarantee: Guarantee
    secret: str
    prior: float
    line: TradeOff

    @property
    def least_error(self) -> float:
        """How often the best test is wrong, misses weighed by the belief and false alarms by the doubt."""
        return self.line.least_error(self.prior)

    @property
    def blind(self) -> float:
        """How often a guess is wrong that does not look at the release."""
        return min(self.prior, 1 - self.prior)

    def figure(self, slot: str) -> Figure:
        alarms, misses = self.line.best_test(self.prior)
        broken = self.guarantee.status is Status.REFUTED
        attacked = (Attacked("what Audit shows", 0.0, 0.0, (0.0, 0.0, 0.0, 0.0)),) if broken else ()
        picture = testing_picture(self.line, attacked, None if broken else (alarms, misses))
        best = f"{_percent(alarms)} false alarms and {_percent(misses)} misses"
        errs, guess, share = _percent(self.least_error), _percent(self.blind), self.least_error * 100
        if broken:
            title = "No test could get below the line if the promise held; a test that is never wrong does"
        elif self.least_error > 0.95 * self.blind:
            title = f"At this belief no test errs much less than a guess: {errs} against {guess}"
        else:
            title = f"The best test still errs in {errs} of cases; a guess, in {guess}"
        wrong = f"{share:.0f} of 100" if share >= 1 else f"{share * 10:.0f} of 1,000"
        sure = f"Somebody who was {100 * self.prior:.0f} % sure"
        kept = f"{sure} is at best wrong in about {wrong} cases, by the test at the diamond."
        sentences = (
            f"Whoever tests {self.secret} can make two mistakes, a false alarm or a miss, and with fewer of the one "
            "come more of the other: the line is the promise, and nobody gets below it, whatever they know or "
            f"compute. {'Here somebody does, so it is not kept.' if broken else kept}"
        )
        if held := HELD.get(self.guarantee.status):
            sentences += f" All this{held.removeprefix(',')}."
        alt = f"The least share of misses against the share of false alarms; the test that errs least has {best}."
        return Figure(slot, _finding(self.guarantee, title, sentences), picture, alt)


def belief_picture(guarantee: Guarantee, prior: float, epsilon: float, times: int) -> Picture:
    before = np.linspace(0.001, 0.999, 200)

    def after(loss: float) -> Array:
        return np.array([worst_case_belief(float(p), loss) for p in before]) * 100

    picture = Picture(height=260)
    picture.axis("xaxis", "sure before, in %", range=[0, 100])
    picture.axis("yaxis", "sure afterwards, at most, in %", range=[0, 104])
    picture.line([0, 100], [0, 100], RANDOM, dash="dot", width=1.5, name="nothing released")
    picture.label(62, 52, "nothing released", RANDOM)
    if times > 1:
        picture.line(before * 100, after(guarantee.epsilon), PRIVATE, dash="dash", width=1.5, name="one release")
    broken = guarantee.status is Status.REFUTED
    name = f"{times} releases" if times > 1 else "one release"
    picture.line(before * 100, after(epsilon), PRIVATE, dash="dash" if broken else "solid", name=name)
    if broken:
        picture.line([0, 100], [100, 100], REFUTED, width=3, name="what Audit shows")
        picture.label(98, 88, "what Audit shows: certainty", REFUTED, xanchor="right", yanchor="middle")
    x, y = [100 * prior], [100 * worst_case_belief(prior, epsilon)]
    ring = {"size": 12, "color": PRIVATE, "symbol": "circle-open" if broken else "circle", "line": {"width": 2.5}}
    picture.add("scatter", x=x, y=y, mode="markers", name="now", marker=ring)
    picture.upright(100 * prior, PRIVATE, dash="dot", width=1)
    return picture


def _sentence(text: str) -> str:
    return as_markdown(f"{text[0].upper()}{text[1:]}{'' if text.endswith('.') else '.'}")


def _percent(share: float) -> str:
    return f"{100 * share:.1f} %" if 0.001 <= share <= 0.999 else ("over 99.9 %" if share > 0.5 else "under 0.1 %")


def _at_most(share: float) -> str:
    return f"{'at most ' if share <= 0.999 else ''}{_percent(share)}"


def _numbers(tests: Tests, loss: tuple[float, float], times: int, added: str) -> list[Tile]:
    (epsilon, delta), prior = loss, tests.prior
    strongest, weakest = worst_case_belief(prior, epsilon), 1 - worst_case_belief(1 - prior, epsilon)
    error, blind = tests.least_error, tests.blind
    broken = tests.guarantee.status is Status.REFUTED
    audience, stamp = audience_of(tests.guarantee)
    name = "ε of 1 release" if times == 1 else f"ε of {times} releases"
    said = (
        (f"{100 * prior:.0f} % sure becomes", _at_most(strongest), f"or, at the other end, {_percent(weakest)}"),
        ("The best attacker errs in", _percent(error), f"of cases; by guessing in {_percent(blind)}"),
        (name, f"{epsilon:.3g}", added),
        ("δ, the chance of no promise", scientific(delta), "in all"),
    )
    return [Tile(name, struck(value) if broken else value, remark, audience, stamp) for name, value, remark in said]


def _finding(guarantee: Guarantee, title: str, note: str) -> Finding:
    audience, stamp = audience_of(guarantee)
    return Finding(title, audience, note, stamp)
