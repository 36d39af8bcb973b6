"""The lesson about choosing ε: what it means, what it costs the hospital, the team, the schools; and a decision."""

import math
from contextlib import closing
from dataclasses import replace

import numpy as np
from scipy.optimize import brentq

from pages.parts.federated import lesson_steps as rounds
from pages.parts.federated.agents import GRADES, named
from pages.parts.federated.setup import PLAIN
from pages.parts.federated.setup import PRIVATE as NOISY
from pages.parts.federated.view import amount
from pages.parts.live.meaning import belief_picture
from pages.parts.live.sliders import Controls, Slider, of_epsilon
from pages.parts.outsourced import lesson_simple as simple
from pages.parts.outsourced.lesson_steps import SearchSituation
from pages.parts.outsourced.setup import Searching
from pages.parts.outsourced.view import View
from pages.parts.release import lesson_steps as release
from pages.parts.release.system import POINTS, accepted
from pages.parts.release.view import permute_and_flip
from pages.parts.system.lesson import (
    Lesson,
    Scale,
    Seen,
    Situation,
    Step,
    Values,
    clearly,
    of_100,
    one_figure,
    right_of,
    third,
)
from pages.parts.system.system import DELTA, RUNS, STEPS
from pages.parts.table.own_table import public_simulation
from pages.parts.views.content import short_epsilon
from pages.parts.views.picture import MET, NON_PRIVATE, PRIVATE, RANDOM, UNMET, Picture
from pages.parts.views.views import Finding, Views
from privbo_core.data import TASKS, sample, suited_search, tuning_task
from privbo_core.errors import Array
from privbo_core.federated import losses
from privbo_core.outsourced import Difference
from privbo_core.privacy import Guarantee, Status, TradeOff, gaussian_sigma, least_error, worst_case_belief

PRIOR = 0.1
SHOWN = (0.1, 0.3, 1.0, 3.0, 10.0)
TIMES = 100
FEW, MANY = 60, 80  # Right guesses of 100.
LITTLE, MUCH = 0.15, 0.5  # How sure somebody may become.
NOISES = (0.6, 1.65, 4.0)  # Multiples of the noise that the schools are tried with: from a large ε to a small one.


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


def hospital(situation: Situation) -> Views:
    """Draw what a company finds on the hospital’s noisy table at each ε."""
    simulation = public_simulation("hospital")
    set_to = {"epsilon": situation.controls["epsilon"], "T": STEPS, "runs": RUNS}
    searching = Searching(suited_search(simulation.problem), once=True)
    here = SearchSituation(simulation, Controls(set_to), searching, pause=situation.pause)
    for view in simple.what_would_you_choose(View(here.case("noisy"))):
        situation.pause()
        yield view


def team(situation: Situation) -> Views:
    """Draw what the published setting loses at each ε."""
    return release.what_would_you_choose(replace(situation, about=tuning_task(TASKS[0])))


def schools(situation: Situation) -> Views:
    at = rounds.of(Situation(named(GRADES), Controls({"runs": situation.controls["runs"]}), pause=situation.pause))
    lost: dict[float, list[float]] = {}
    setups = [at.at(z=z).setup for z in NOISES]
    epsilons = [losses(setup.settings, setup.N, "pld", "exact")[-1] for setup in setups]
    ends = math.log10(0.7 * min(epsilons)), math.log10(1.4 * max(epsilons))
    for setup, epsilon in zip(setups, epsilons, strict=True):
        algorithms = {NOISY: setup.settings, **setup.algorithms((PLAIN,))}
        with closing(setup.simulation.compare(algorithms, setup.N, at.runs)) as steps:
            for progress in steps:
                situation.pause()
                if progress.runs > 1 and progress.runs > len(lost.get(epsilon, ())):
                    pairs = zip(*(progress.finished[name] for name in (NOISY, PLAIN)), strict=False)
                    early = slice(setup.early)
                    lost[epsilon] = [
                        float((a.simple[early] - b.simple[early]).mean()) * at.setup.agents.in_words for a, b in pairs
                    ]
                    yield _of_schools(at, lost, ends)


def _of_schools(at: rounds.Schools, lost: dict[float, list[float]], ends: tuple[float, float]) -> Seen:
    spoken, early, known = at.setup.agents.wording, at.setup.early, sorted(lost)
    costs = [Difference.of(lost[epsilon]) for epsilon in known]
    picture = Picture(margin={"l": 72, "r": 16, "t": 8, "b": 44})
    picture.level(0, NON_PRIVATE, dash="dot", width=1.5)
    picture.label(0.99, 0, "without privacy", NON_PRIVATE, xref="paper", xanchor="right", yshift=-10)
    up, down = [each.high - each.mean for each in costs], [each.mean - each.low for each in costs]
    means, hover = [each.mean for each in costs], "%{y:.3f} at ε = %{x:.2g}"
    error = {"array": up, "arrayminus": down}
    picture.points(known, means, PRIVATE, 3, error, marker={"size": 10}, hovertemplate=hover)
    ticks = {"type": "log", "range": list(ends), "tickvals": [0.5, 1, 2, 5, 10, 20]}
    picture.axis("xaxis", "ε of the whole run (log scale): more may leak →", **ticks)
    picture.axis("yaxis", f"lost in the first {early} rounds, in {spoken.unit}")
    title, right = "The first simulated runs are under way", ""
    if len(known) == len(NOISES) and min(len(each) for each in lost.values()) == at.runs:
        more_lost = Difference.of([a - b for a, b in zip(lost[known[0]], lost[known[-1]], strict=True)])
        right = clearly(more_lost, "more less same")
        size = f"{amount(abs(more_lost.mean), more_lost.standard_error)} {spoken.unit}"
        small, large = (f"ε = {short_epsilon(known[place])}" for place in (0, -1))
        title = f"{small} costs each {spoken.one} {size} {right} than {large}"
        if right == "same":
            title = f"Between {small} and {large} no difference in cost shows"
    against = f"{at.runs} simulated runs with noise against the same without, {at.setup.N} {spoken.many}"
    note = f"Each point: {against}, 95 % intervals."
    alt = f"What each {spoken.one} loses to noise at several ε."
    return one_figure(Finding(title, "simulation", note), picture, alt, right)


def decision(situation: Situation) -> Views:
    view = permute_and_flip(tuning_task(TASKS[0]), 1.0)
    allowed, accepted = situation.controls["guesses"], situation.controls["loss"] / 100
    losses_at, rights = release.losses_on_the_grid(view), [right_of(epsilon) for epsilon in release.GRID]
    needed = release.least(release.GRID, losses_at, accepted)
    most = math.log(allowed / (100 - allowed))
    right = "both" if needed <= most else "neither"
    colour = MET if right == "both" else UNMET
    top = 100 * max(losses_at)
    picture = Picture()
    picture.box((50, allowed, 0, 100 * accepted), fillcolor=colour.faded(0.15), line={"width": 1.5, "color": colour})
    picture.label(51, 100 * accepted, "both accept this", colour, yshift=10)
    hover = "loses %{y:.2f} points; %{x:.0f} of 100 right"
    picture.line(rights, [100 * each for each in losses_at], PRIVATE, width=3, hovertemplate=hover)
    picture.axis("xaxis", "right guesses of 100 about a patient", range=[50, 100])
    picture.axis("yaxis", f"points of {view.sample.measure} lost", range=[0, 1.05 * max(top, 100 * accepted)])
    title = f"Any ε from {short_epsilon(needed)} to {short_epsilon(most)} serves both: choose the smallest"
    if right == "neither":
        asks = f"the loss asks for ε = {release.in_words(needed).removeprefix('ε = ')}"
        title = f"No ε serves both: {asks}, the guesses allow ε = {short_epsilon(most)} at most"
    look = "then look whether the curve passes through the corner."
    note = f"So a decision is made: say what each side accepts, in its own unit, {look}"
    alt = "What the team loses against how often an attacker is right, with the corner that both accept."
    yield one_figure(Finding(title, "curator", note), picture, alt, right)


EPSILON = of_epsilon(0.1, 10, 1, "Of one release.")
REPEATS = Slider.of("lessons.times", 2, TIMES, 10, step=0.02, log=True, whole=True)
RIGHT_OF_100 = Slider.of("lessons.guesses", 51, 99, 70, whole=True)


def values(situation: Situation) -> Values:
    settings = {name: situation.value(name) for name in ("epsilon", "times", "guesses")}
    loss = {"loss": accepted(situation, tuning_task(TASKS[0])), "least": release.SMALL, "most": release.LARGE}
    counts = {"few": FEW, "many": MANY, "small": simple.SOME, "large": simple.MUCH}
    return settings | loss | counts | {"little": LITTLE, "much": MUCH}


def _right(epsilon: float) -> float:
    """Return how often a guess between two neighbours is right at most."""
    return 1 - least_error(0.5, epsilon, 0.0)


def kit() -> Values:
    noise = TradeOff.gaussian(1 / gaussian_sigma(0.1, DELTA, 1.0)).repeated(10)
    patients = sample("hospital").n
    rights = {f"right_at_{name}": _right(epsilon) for name, epsilon in (("01", 0.1), ("1", 1.0), ("3", 3.0))}
    return rights | {
        "sure_at_1": worst_case_belief(0.1, 1.0),
        "sure_at_3": worst_case_belief(0.1, 3.0),
        "accepted": float(brentq(lambda each: _right(each) - 0.6, 0.0, 10.0, xtol=1e-12)),
        "added": 10 * 0.1,
        "added_right": _right(10 * 0.1),
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
        Step(lambda about: [EPSILON], hospital),
        Step(lambda about: [POINTS], team),
        Step(lambda about: [replace(rounds.RUNS, value=10)], schools),
        Step(lambda about: [RIGHT_OF_100, POINTS], decision),
    ),
    lambda: ("all", None),
    values,
    kit=kit,
)
