"""The steps about what ε means: guesses, beliefs, strength, and what several releases come to."""

from dataclasses import replace

import numpy as np
from scipy.optimize import brentq

from pages.parts.classroom.kits import right
from pages.parts.federated import lesson_steps as rounds
from pages.parts.lessons import cost
from pages.parts.live.meaning import belief_picture
from pages.parts.live.sliders import Slider, of_epsilon
from pages.parts.outsourced import lesson_simple as simple
from pages.parts.release import lesson_steps as release
from pages.parts.release.system import POINTS, accepted
from pages.parts.system.lesson import Lesson, Scale, Situation, Step, Values, of_100, one_figure, right_of, third
from pages.parts.system.system import DELTA
from pages.parts.views.content import short_epsilon
from pages.parts.views.picture import MET, NON_PRIVATE, PRIVATE, RANDOM, UNMET, Picture
from pages.parts.views.views import Finding, Views
from privbo_core.data import TASKS, sample, tuning_task
from privbo_core.errors import Array
from privbo_core.privacy import Guarantee, Status, TradeOff, gaussian_sigma, worst_case_belief

PRIOR = 0.1
SHOWN = (0.1, 0.3, 1.0, 3.0, 10.0)
TIMES = 100
FEW, MANY = 60, 80  # Right guesses of 100.
LITTLE, MUCH = 0.15, 0.5  # How sure somebody may become.


def counted(right: float) -> str:
    return third(right, FEW, MANY, "few middle many")


GUESSES = Scale(50, 100, 85, counted)  # Right guesses of 100: from a coin’s to all.


def guesses(situation: Situation) -> Views:
    epsilon = situation.controls["epsilon"]
    right = right_of(epsilon)
    x = np.geomspace(0.01, 20, 200)
    picture = _rising(x, np.array([right_of(float(each)) for each in x]), (epsilon, right), "at ε = %{x:.2g}")
    picture.level(100, NON_PRIVATE, dash="dot", width=1.5)
    picture.label(0.01, 100, "always right", NON_PRIVATE, xref="paper", yshift=-10)
    picture.upright(epsilon, PRIVATE, dash="dot", width=1)
    picture.axis("xaxis", "ε (log scale): more may leak →", type="log", range=[-2, 1.3], tickvals=[0.01, 0.1, 1, 10])
    most = f"ε = {short_epsilon(epsilon)} allows {of_100(right)} right guesses in 100 at most"
    title = f"Whatever the method, {most}, whoever guesses and whatever they know"
    asked = "The question is one of two, each as likely before: was your record in the table, or another one?"
    note = f"{asked} A coin is right 50 times."
    alt = f"Right guesses of 100 against ε; {right:.0f} now."
    yield one_figure(Finding(title, "known", note), picture, alt, counted(right))


def _rising(x: Array, rights: Array, now: tuple[float, float], where: str) -> Picture:
    """Draw right guesses of 100 beside a coin’s; ``now``: where the settings are, ``where``: what x is, in words."""
    picture = Picture()
    picture.line(x, rights, PRIVATE, width=3, hovertemplate=f"%{{y:.0f}} of 100 {where}")
    picture.marks([now[0]], [now[1]], "now", size=14, color=PRIVATE)
    picture.level(50, RANDOM, dash="dot", width=1.5)
    picture.label(0.99, 50, "a coin", RANDOM, xref="paper", xanchor="right", yshift=-10)
    picture.axis("yaxis", "right guesses of 100", range=[45, 104])
    return picture


def hunch(situation: Situation) -> Views:
    epsilon = situation.controls["epsilon"]
    belief = worst_case_belief(PRIOR, epsilon)
    sure = of_100(100 * belief)
    sure = sure if sure.startswith("more") else f"at most {sure}"
    neighbours = "two tables that differ in one record"
    promise = Guarantee("a record", "everybody", neighbours, epsilon, 0.0, (), Status.PROVED, "")
    picture = belief_picture(promise, PRIOR, epsilon, 1)
    title = f"At ε = {short_epsilon(epsilon)} whoever was {100 * PRIOR:.0f} % sure becomes {sure} % sure"
    rule = "As a rule of thumb, 0.7 more of ε can turn 1 chance against 9 into 2 against 9."
    note = f"That is the luckiest single look, for every belief before. {rule}"
    alt = f"Belief after against belief before; {100 * PRIOR:.0f} % becomes at most {100 * belief:.0f} %."
    become = "little" if belief <= LITTLE else "middle" if belief <= MUCH else "much"
    yield one_figure(Finding(title, "known", note), picture, alt, become)


def protective(situation: Situation) -> Views:
    epsilon = situation.controls["epsilon"]
    shown = sorted({*SHOWN, epsilon})
    colours = [{"few": MET, "middle": PRIVATE, "many": UNMET}[counted(right_of(each))] for each in shown]
    picture = simple.right_guesses({f"ε = {short_epsilon(each)}": right_of(each) for each in shown}, colours)
    picture.axis("xaxis", "each of them proved")
    now = right_of(epsilon)
    best = f"the best guess about you can be right {of_100(now)} times in 100"
    title = f"Proved at ε = {short_epsilon(epsilon)}: {best}, whatever the method"
    small = "It does not say that this ε is small enough: look at the guesses."
    note = f"A proof says that nobody gets beyond this ε. {small}"
    yield one_figure(Finding(title, "known", note), picture, "Right guesses at several ε, all proved.", counted(now))


def adding_up(situation: Situation) -> Views:
    epsilon, times = situation.controls["epsilon"], situation.controls.whole("times")
    one = TradeOff.gaussian(1 / gaussian_sigma(epsilon, DELTA, 1.0))
    counts = sorted({*range(1, 21), 30, 50, 70, TIMES, times})
    rights = [100 * (1 - one.repeated(count).least_error(0.5)) for count in counts]
    first, now = rights[0], rights[counts.index(times)]
    picture = _rising(np.array(counts, dtype=float), np.array(rights), (times, now), "after %{x} releases")
    picture.axis("xaxis", "releases about the same people (log scale)", type="log", tickvals=[1, 2, 5, 10, 20, 50, 100])
    whole = one.repeated(times).epsilon(DELTA)
    title = (
        f"Through this noise, one release: {of_100(first)} right guesses in 100. After {times}: {of_100(now)}, as much "
        f"as a single one with ε = {short_epsilon(whole)}"
    )
    alone = f"Whatever the method, one release may allow {of_100(right_of(epsilon))}; this noise tells less."
    note = (
        "Each release has random noise of its own (δ = 10⁻⁵). Adding up alone would say ε = "
        f"{short_epsilon(times * epsilon)}: counted together it is less, but it grows. {alone}"
    )
    alt = f"Right guesses of 100 against the number of releases; {now:.0f} after {times}."
    yield one_figure(Finding(title, "known", note), picture, alt, counted(now))


EPSILON = of_epsilon(0.1, 10, 1, "Of one release.")
REPEATS = Slider.of("lessons.times", 2, TIMES, 10, step=0.02, log=True, whole=True)
RIGHT_OF_100 = Slider.of("lessons.guesses", 51, 99, 70, whole=True)


def values(situation: Situation) -> Values:
    settings = {name: situation.value(name) for name in ("epsilon", "times", "guesses")}
    loss = {"loss": accepted(situation, tuning_task(TASKS[0])), "least": release.SMALL, "most": release.LARGE}
    counts = {"few": FEW, "many": MANY, "small": simple.SOME, "large": simple.MUCH}
    return settings | loss | counts | {"little": LITTLE, "much": MUCH}


def kit() -> Values:
    noise = TradeOff.gaussian(1 / gaussian_sigma(0.1, DELTA, 1.0)).repeated(10)
    patients = sample("hospital").n
    rights = {f"right_at_{name}": right(epsilon) for name, epsilon in (("01", 0.1), ("1", 1.0), ("3", 3.0))}
    return rights | {
        "sure_at_1": worst_case_belief(0.1, 1.0),
        "sure_at_3": worst_case_belief(0.1, 3.0),
        "accepted": float(brentq(lambda each: right(each) - 0.6, 0.0, 10.0, xtol=1e-12)),
        "added": 10 * 0.1,
        "added_right": right(10 * 0.1),
        "together": noise.epsilon(DELTA),
        "together_right": 1 - noise.least_error(0.5),
        "patients": patients,
        "through": patients * DELTA,
    }


CHOOSING = Lesson(
    "epsilon",
    (
        Step(lambda about: [EPSILON], guesses, GUESSES),
        Step(lambda about: [EPSILON], hunch),
        Step(lambda about: [replace(EPSILON, value=8.0)], protective),
        Step(lambda about: [REPEATS, EPSILON], adding_up, GUESSES),
        Step(lambda about: [EPSILON], cost.hospital),
        Step(lambda about: [POINTS], cost.team),
        Step(lambda about: [replace(rounds.RUNS, value=10)], cost.schools),
        Step(lambda about: [RIGHT_OF_100, POINTS], cost.decision),
    ),
    lambda: ("all", None),
    values,
    kit=kit,
)
