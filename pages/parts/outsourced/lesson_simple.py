"""The tour for whoever sees this for the first time: one slider, ranks in place of regrets, no formula."""

import math
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial

import numpy as np

from pages.parts.live.desk import plain
from pages.parts.live.sliders import Controls
from pages.parts.live.work import follow
from pages.parts.outsourced.afford import afford
from pages.parts.outsourced.figures import ranks
from pages.parts.outsourced.lesson_steps import EPSILON, SearchSituation, pick, searched, told_apart
from pages.parts.outsourced.promise import neighbours, noisy_strength, was_to_be_hidden
from pages.parts.outsourced.setup import pick_searching
from pages.parts.outsourced.view import View, compute
from pages.parts.system import system
from pages.parts.system.lesson import (
    Lesson,
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
from pages.parts.views.card import strength_fact
from pages.parts.views.picture import NOISY, NON_PRIVATE, RANDOM, Colour, Picture
from pages.parts.views.views import REFUTED_STAMP, Brief, Fact, Finding, Views
from privbo_core.bo import ExtraSteps
from privbo_core.data import rank_sought
from privbo_core.errors import Array
from privbo_core.outsourced import guarantee

DATA = ("hospital", "homes")
MOST_POINTS = 1500
FEW, MANY = 60, 80  # Right guesses of 100: up to so many are few, from so many on many.
HALF = 0.5  # So many more tests for each test without privacy are the middle answer’s most.
SOME, MUCH = 0.3, 3.0  # The ε between which lies the middle one of three answers.
MADE_OF = {"X": "made of the real table", "neighbour X′": "with one record changed"}
"""Under which of two tables something was handed out, for those who know no X."""


def handed_out(records: Array, released: Array) -> str:
    if len(released) < len(records):
        return "some"
    return "all" if np.allclose(records, released) else "noisy"


def size_of(needed: ExtraSteps) -> str:
    if not needed.significant:
        return "none"
    return "some" if needed.extra <= HALF * needed.plain else "many"


def least(epsilon: float | None) -> str:
    """Return which of these the least ε is; none that is tried is enough where it is None."""
    size = math.inf if epsilon is None else epsilon
    return "small" if size < SOME else "middle" if size <= MUCH else "large"


def who_sees_what(view: View) -> Views:
    problem, sample = view.case.problem, view.sample
    noisy = problem.frame.to_original(view.case.simulation.noisy_release(view.case.setting, 0).Z)
    keep = np.random.default_rng(0).permutation(problem.n)[:MOST_POINTS]
    places, names = problem.original[:, :2], [sample.label(problem, column) for column in (0, 1)]
    picture = Picture()
    for values, number, colour, name in (
        (places, "", NON_PRIVATE, f"{sample.holder} keeps this"),
        (noisy, "2", NOISY, f"{sample.chooser} gets this"),
    ):
        axes = {"xaxis": f"x{number}", "yaxis": f"y{number}"}
        picture.marks(values[keep, 0], values[keep, 1], name, size=5, color=colour.faded(0.5), **axes)
        picture.label(0.02, 1, name, colour, xref=f"x{number} domain", yref="paper", yanchor="top", size=16)
    spans = [[float(each.min()), float(each.max())] for each in noisy[keep, :2].T]
    picture.axis("xaxis", names[0], domain=[0, 0.46], range=spans[0])
    picture.axis("yaxis", names[1], range=spans[1])
    picture.axis("xaxis2", f"{names[0]}, with noise", domain=[0.54, 1], anchor="y2", range=spans[0])
    picture.axis("yaxis2", anchor="x2", range=spans[1], showticklabels=False)
    gets = f"{sample.chooser} gets them with noise, which hides the {view.hides[0]}"
    title = f"{sample.holder} keeps {problem.n:,} records; {gets}"
    note = f"A smaller ε means more noise.{f' {MOST_POINTS:,} drawn.' if problem.n > MOST_POINTS else ''}"
    alt = "The records, and beside them the same records with noise."
    yield one_figure(Finding(title, "curator", note), picture, alt, handed_out(problem.original, noisy))


def search_beats_chance(view: View) -> Views:
    for now in searched(view.case):
        comparison, reference = now.searches, now.searches.reference("noisy")
        found = (float(comparison.typical_rank(policy).median) for policy in (reference, "random"))
        rank, chance = map(view.sample.best, found)
        title = f"Without privacy: {now.tests} typically find {rank} of {now.rows}; chosen by chance, {chance}"
        right = clearly(comparison.lead(reference, "rank"), "search chance neither")
        yield one_figure(Finding(title, "simulation", now.median), ranks(now, private=False), now.alt, right)


def of_no_privacy(view: View) -> Brief:
    chooser = view.sample.chooser
    facts = (
        Fact("What is hidden", "Nothing", f"Here {chooser} gets the table as it is.", tone="refuted"),
        Fact("From whom", "Nobody", f"{chooser.capitalize()} and everybody else who gets it can read it."),
        Fact("How strongly", "Not at all", "Without noise nothing is promised.", 0, "refuted"),
        Fact("What it costs", "Nothing", "What privacy costs is counted from here: see the next step."),
    )
    return replace(view.brief, facts=facts)


def what_it_costs(view: View) -> Views:
    for now in searched(view.case):
        right = size_of(now.searches.extra_evaluations("noisy", rank_sought(view.case.problem)))
        yield one_figure(Finding(now.answer, "simulation", now.median), ranks(now), now.alt, right)


def promise_refuted(view: View) -> Views:
    """Run the attack on the projection that was published."""
    for seen in told_apart(view.case):
        assert isinstance(seen, Seen)
        (figure,) = seen.figures
        at = f"at ε = {view.case.setting.epsilon:.3g} as at any other"
        title = f"The method as published keeps no secret: {at}, it tells one record from another"
        finding = Finding(title, "curator", figure.finding.title, REFUTED_STAMP)
        if picture := figure.picture:
            for each in picture.layout["annotations"]:
                each["text"] = MADE_OF.get(each["text"], each["text"])
            picture.axis("xaxis", "how far it is from every mix of the real table’s columns")
        yield one_figure(finding, picture, figure.alt, seen.right)


def of_the_projection(view: View) -> Brief:
    facts = (
        was_to_be_hidden(view.sample, view.case.problem),
        Fact("From whom", view.sample.chooser.capitalize(), "and everybody else who gets what is handed out."),
        strength_fact(guarantee(view.case.setting.epsilon, view.case.setting.delta, neighbours(view.case.problem))),
        Fact("What holds instead", "A table with noise", "It keeps what it promises: see the next step."),
    )
    return replace(view.brief, facts=facts)


def promise_kept(view: View) -> Views:
    """Draw how far a belief can move."""
    setting = view.case.setting
    right, most = 100 * noisy_strength(view.case.simulation, setting).accuracy, right_of(setting.epsilon)
    at = f"ε = {setting.epsilon:.3g}"
    title = f"At {at}, through this noise the best attacker is right {right:.0f} times in 100 (blind guessing: 50)"
    note = (
        "Which of two records that are apart by no more than is hidden was it? So often is the guess right over many "
        f"looks. Whatever the method, {at} alone allows {of_100(most)}: this noise tells less than it may."
    )
    shown = {"a coin": 50.0, "through this noise": right, "whatever the method, at most": most}
    picture = right_guesses(shown, (RANDOM, NOISY, NON_PRIVATE))
    finding, alt = Finding(title, "share", note), f"Right guesses of 100: a coin 50, through this noise {right:.0f}."
    yield one_figure(finding, picture, alt, third(right, FEW, MANY, "few middle many"))


def right_guesses(shown: dict[str, float], colours: Sequence[Colour]) -> Picture:
    picture = Picture(bargap=0.4)
    bars, hover = {"color": [colour.faded(0.8) for colour in colours]}, "%{x}: %{y:.0f} of 100 guesses right"
    picture.add("bar", x=list(shown), y=list(shown.values()), marker=bars, hovertemplate=hover)
    for place, (right, colour) in enumerate(zip(shown.values(), colours, strict=True)):
        picture.label(place, right, of_100(right), colour, xanchor="center", yanchor="bottom", size=18)
    picture.level(50, RANDOM, dash="dot", width=1.5)
    picture.axis("xaxis", type="category")
    picture.axis("yaxis", "right guesses of 100", range=[0, 112], tickvals=[0, 25, 50, 75, 100])
    return picture


def what_would_you_choose(view: View) -> Views:
    for now in afford(view, {}):
        figure = now.figure("tour")
        yield one_figure(figure.finding, figure.picture, figure.alt, least(now.least))


def stand(situation: Situation) -> View:
    problem = situation.about.problem
    controls = Controls({**situation.controls.values, "T": min(system.STEPS, problem.n), "runs": system.RUNS})
    return View(SearchSituation(situation.about, controls, pick_searching(problem, shown=False)).case("noisy"))


def values(view: View) -> Values:
    sample, setting = view.sample, view.case.setting
    return {
        "holder": sample.holder,
        "chooser": sample.chooser,
        "one": sample.one,
        "tests": sample.tests,
        "records": view.case.problem.n,
        "count": setting.iterations,
        "epsilon": setting.epsilon,
        "few": FEW,
        "many": MANY,
        "small": SOME,
        "large": MUCH,
    }


def step(run: Callable[[View], Views], facts: Callable[[View], Brief] = lambda view: view.brief) -> Step:
    """Return a step; its facts are by default those of the noisy table."""
    return Step(lambda about: [plain(EPSILON)], run, facts=facts)


SHORT = Lesson(
    "outsourced",
    (
        step(who_sees_what),
        step(search_beats_chance, of_no_privacy),
        step(what_it_costs),
        step(promise_refuted, of_the_projection),
        step(promise_kept),
        step(what_would_you_choose),
    ),
    partial(pick, DATA, "told_with"),
    values,
    stand,
    words="simple",
    panel="tour/simple",
    rest=lambda view: follow(compute(view), lambda now: None) or view,
)
