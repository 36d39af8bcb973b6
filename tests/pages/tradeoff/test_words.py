"""What the Trade-off page says and draws of a sweep, as it comes in and when it is there."""

import math
from types import SimpleNamespace

import numpy as np
import pytest

import privbo_core as pb
from pages.parts.system.question import Stroke, Unit
from pages.parts.tradeoff import figures as tradeoff_figures
from pages.parts.tradeoff import words
from pages.parts.tradeoff.figures import Axes
from pages.parts.tradeoff.states import State, Wanted, states
from pages.parts.tradeoff.words import with_error
from pages.parts.views.text import cost_text, toned
from privbo_core.privacy import Status
from privbo_core.tradeoff import Curve, Mark, Question, Reference, Sweep, front, monotone_fit, released_question
from tests.helpers.numbers import numbers, tells
from tests.helpers.reading import plotly_takes

AXES = Axes(3.0, 0.5, 0.4, 10.0, "ε", "regret (σ)", strokes={"by rate q": Stroke(shape="square")})
SPREAD = np.random.default_rng(0).standard_normal(8)
SPREAD -= SPREAD.mean()


def asked_of(question, **more):
    return SimpleNamespace(
        question=question, units=(Unit("σ", float, float),), runs=8, repeats="runs", instead=None, **more
    )


def curve(name, status, against=""):
    return Curve(name, status, lambda e, n: iter(()), against=against, standing=f"{status.value}, if so it was")


def reference(name):
    return Reference(name, lambda n: iter(()))


@pytest.fixture(scope="module")
def released():
    """A question about Release, small enough to be answered at once; and all the steps of its answer."""
    question = released_question(pb.data.tuning_task("logistic"), published="setting", iterations=5)
    wanted = Wanted(asked_of(question, low=0.1, high=1000.0), 3.0, 0.03)
    wanted.inquiry.runs = 6
    return wanted, list(states(wanted, State(), stopped=False, held=False))


def test_the_page_gets_from_marks_to_answers_that_rest_on_all_of_them(released):
    asked, steps = released
    totals = [step.sweep.total for step in steps]
    assert totals == sorted(totals)
    early, last = next(step for step in steps if step.measured), steps[-1]
    assert early.sweep.outlined
    assert not early.sweep.complete
    names = {curve.name for curve in asked.inquiry.question.curves}
    assert last.sweep.complete
    assert set(early.extras) == set(last.extras) == set(last.answers) == set(last.settled) == names
    for name in names:
        assert last.extras[name].runs == asked.inquiry.runs
        assert last.answers[name].epsilon in {mark.epsilon for mark in last.shown.marks[name]}


def test_while_a_thumb_is_held_the_sweep_ends_at_its_outline(released):
    *_, last = states(released[0], State(), stopped=False, held=True)
    assert last.sweep.outlined
    assert not last.sweep.complete
    assert not last.settled
    assert last.measured
    assert last.answers


def test_what_was_interrupted_goes_on_from_what_it_had_and_what_is_stopped_stays(released):
    asked, steps = released
    middle = next(step for step in steps if step.sweep.outlined)
    again = middle.again(same_budget=True)
    assert not again.extras
    assert not again.answers
    assert again.old_answers == middle.answers
    assert all(step.sweep.total >= middle.sweep.total for step in states(asked, again, stopped=False, held=False))
    *_, stopped = states(asked, again, stopped=True, held=False)
    assert stopped.sweep is middle.sweep
    assert stopped.measured
    assert set(stopped.settled) == set(stopped.answers) == {curve.name for curve in asked.inquiry.question.curves}
    assert not steps[-1].again(same_budget=False).settled


def test_an_answer_that_is_not_up_to_date_is_dimmed_and_never_passed_off_as_new(released):
    asked, (*_, found) = released[0].inquiry, released[1]
    fresh = words.epsilon_answer(asked, found.answers, {})
    old = found.again(same_budget=False)
    dimmed = words.epsilon_answer(asked, old.answers, old.old_answers)
    assert [line.text for line in dimmed.lines] == [toned("old", line.text) for line in fresh.lines]
    costs = words.cost_answer(asked, 3.0, old.extras, old.old_extras)
    assert all(line.text.startswith(toned("old", "")[0]) for line in costs.lines)
    nothing = words.cost_answer(asked, 3.0, {}, {})
    assert {line.text for line in nothing.lines} == {toned("old", "…")}


@pytest.mark.parametrize(
    ("budget", "high", "reach", "epsilon"), [(0.001, 5.0, "never", 5.0), (0.4, 1000.0, "always", 0.1)]
)
def test_a_budget_that_is_never_kept_or_always_gets_an_honest_answer(released, budget, high, reach, epsilon):
    asked = asked_of(released[0].inquiry.question, low=0.1, high=high)
    asked.runs = 4
    *_, found = states(Wanted(asked, 3.0, budget), State(), stopped=False, held=False)
    line = words.epsilon_answer(asked, found.answers, {}).lines[0]
    assert found.answers[line.key].reach == reach
    assert tells(line.text, epsilon, found.answers[line.key].cost)  # at the end that was tried last


def example(runs=3):
    """A question with each kind of guarantee, and marks of it."""
    levels = {"Algorithm 1": (Status.CLAIMED, 0.5), "noisy release": (Status.PROVED, 0.3),
              "projection": (Status.REFUTED, 0.0), "by rate q": (Status.UNMET, 0.1)}  # fmt: skip
    curves = tuple(curve(name, status) for name, (status, _) in levels.items())
    question = Question(curves, reference("non-private"), (reference("random search"),))
    rng = np.random.default_rng(0)
    marks = {
        name: tuple(Mark(e, 1 / e + level + 0.1 * rng.random(runs)) for e in (0.5, 2.0, 8.0))
        for name, (_, level) in levels.items()
    }
    references = {"non-private": rng.random(runs), "random search": 3 + rng.random(runs)}
    return question, Sweep(references, marks, True, True)


def test_plotly_accepts_every_picture():
    question, full = example()
    one = Sweep(full.references, {name: marks[:1] for name, marks in full.marks.items()})
    logarithmic = Axes(3.0, 0.5, 0.4, 10.0, "ε", "off by", log=True)
    point = Axes(3.0, 0.5, 2.0, 2.0, "ε", "regret")
    cases = [(full, AXES), (full, logarithmic), (example(runs=1)[1], AXES), (one, point), (Sweep(), AXES),
             (Sweep(), logarithmic)]  # fmt: skip
    for sweep, axes in cases:
        plotly_takes(tradeoff_figures.trade_off(question, sweep, axes))


def test_the_mark_shows_how_far_its_guarantee_can_be_relied_on():
    question, full = example()
    picture = tradeoff_figures.trade_off(question, full, AXES)
    marks = {trace["name"]: trace["marker"]["symbol"] for trace in picture.data if trace.get("mode") == "markers"}
    assert marks == {
        "Algorithm 1": "circle-open-dot", "noisy release": "circle", "projection": "circle-x-open",
        "by rate q": "square-open", "by rate q: not met": "line-ew-open",
    }  # fmt: skip
    assert all(sign in words.KEY for sign in tradeoff_figures.SIGNS.values())
    stairs = next(trace for trace in picture.data if trace.get("name") == "front")
    assert stairs["x"] == [mark.epsilon for _, mark in front(question.curves, full.marks)]
    for name in ("projection", "Algorithm 1", "by rate q"):
        assert not {mark.mean for mark in full.marks[name]} & set(stairs["y"])
    fits = [trace for trace in picture.data if str(trace.get("name")).endswith("monotone fit")]
    assert len(fits) == 4
    assert all((np.diff(trace["y"]) <= 0).all() for trace in fits)


def test_while_runs_come_in_unevenly_the_fit_stays_with_the_marks():
    question, full = example(runs=8)
    (name, marks), *_ = full.marks.items()
    uneven = {**full.marks, name: tuple(Mark(m.epsilon, m.costs[: 3 + i % 2] + 5) for i, m in enumerate(marks))}
    picture = tradeoff_figures.trade_off(question, Sweep(full.references, uneven), AXES)
    line = next(trace for trace in picture.data if trace.get("name") == f"{name}: monotone fit")
    means = [mark.mean for mark in uneven[name]]
    assert (np.diff(line["y"]) <= 0).all()
    assert min(means) - 1e-9 <= min(line["y"]) <= max(line["y"]) <= max(means) + 1e-9
    ended = tradeoff_figures.fits(question, full)[name]
    extra = monotone_fit(full.extra(name, question.plain.name))
    plain = full.references[question.plain.name][: marks[0].runs].mean()
    assert ended.costs == pytest.approx(extra.costs + plain)


def test_numbers_get_the_digits_they_deserve():
    assert cost_text(0.1234, 0.0312) == "+0.123"
    assert cost_text(-0.1234, 0.4) == "−0.12"
    assert cost_text(12345.6, 3) == "+12,300"
    for error, found in ((math.nan, [0.5]), (1e-9, [0.5]), (0.0, [0.5]), (0.1, [0.5, 0.1])):
        assert numbers(with_error(0.5, error, "σ")) == found


@pytest.mark.parametrize(
    ("low", "high", "complete", "told"),
    [
        (0.5, 0.0, True, [1, 0.5, 10]),  # no clear cost at the end: it stands with its error
        (0.5, 0.2, True, [1, 0.5, 10, 0.2]),
        (0.02, 0.0, True, [1, 0.02]),
        (0.2, 0.5, True, [1, 0.2]),  # more ε buys nothing
        (0.5, 0.2, False, [1, 0.5, 10, 0.2]),
    ],
)
@pytest.mark.parametrize("others", [False, True])
def test_the_title_tells_what_privacy_costs_whose_and_never_more_than_is_known(low, high, complete, told, others):
    marks = {"noisy release": tuple(Mark(e, 1 + cost + 0.1 * SPREAD) for e, cost in ((1.0, low), (10.0, high)))}
    curves = (curve("noisy release", Status.PROVED),)
    if others:
        curves, marks = (curve("Algorithm 1", Status.CLAIMED), *curves), marks | {"Algorithm 1": marks["noisy release"]}
    asked = asked_of(Question(curves, reference("plain")))
    finding = words.title(asked, Sweep({"plain": np.ones(8)}, marks, True, complete), False)
    assert numbers(finding.title)[: len(told)] == pytest.approx(told)
    # A proof that hangs on something is not said to be one without it.
    assert curves[-1].standing in finding.note
    few = {name: tuple(Mark(mark.epsilon, mark.costs[:4]) for mark in each) for name, each in marks.items()}
    assert not numbers(words.title(asked, Sweep({"plain": np.ones(8)}, few, True, False), False).title)


def test_a_conditional_epsilon_is_never_said_without_its_condition_nor_on_the_front():
    """The projection, refuted, and the noisy release, conditional, are each compared with a search of its own."""
    curves = (curve("projection", Status.REFUTED, "fitted"), curve("noisy release", Status.UNMET))
    asked = asked_of(Question(curves, reference("same"), (reference("fitted"),)), low=1.0, high=9.0)
    marks = {each.name: (Mark(1.0, 3.0 + 0.01 * SPREAD), Mark(9.0, 2.5 + 0.01 * SPREAD)) for each in curves}
    full = Sweep({"same": np.ones(8), "fitted": np.full(8, 2.0)}, marks, True, True)
    title = words.title(asked, full, False).title
    assert numbers(title) == pytest.approx([2.0, 1.0], abs=0.01)  # the cost of the noisy release at ε = 1
    assert words.RESERVES[Status.UNMET] in title
    picture = tradeoff_figures.trade_off(asked.question, full, AXES)
    assert "front" not in {trace.get("name") for trace in picture.data}
    over = {"projection": "fitted", "noisy release": "same"}
    extras = {name: marks[name][0].above(full.references[other]) for name, other in over.items()}
    lines = words.cost_answer(asked, 1.0, extras, {}).lines
    assert [line.refuted for line in lines] == [True, False]
    assert words.RESERVES[Status.UNMET] in lines[1].text
    *_, done = states(Wanted(asked, 1.0, 0.7), State(sweep=full), stopped=True, held=True)
    # 0.7 above its own reference: the projection's mark at ε = 9 keeps to it, the noisy release's does not.
    assert done.answers["projection"].reach == "inside"
    assert done.answers["noisy release"].reach == "never"
    assert words.RESERVES[Status.UNMET] in words.epsilon_answer(asked, done.answers, {}).lines[1].text
