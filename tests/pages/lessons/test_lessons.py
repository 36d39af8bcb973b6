"""Every step of every lesson: a question with one right answer, which is computed, and one figure that shows it."""

import math
import re
from functools import cache

import numpy as np
import pytest

from pages.parts.lessons.choosing import lessons
from pages.parts.live.sliders import Controls
from pages.parts.outsourced import lesson_simple, lesson_steps
from pages.parts.release.lesson_steps import SMALL, flat_from, least, price, winners
from pages.parts.system.lesson import HEIGHT, Seen, Situation, clearly, right_of, third
from pages.parts.views.content import names_in, text_of
from privbo_core.bo import ExtraSteps
from privbo_core.data import TASKS, tuning_task
from privbo_core.outsourced import Difference
from tests.helpers.reading import numbers, plotly_takes

LESSONS = lessons()
STEPS = [
    (name, number, at)
    for name, lesson in LESSONS.items()
    for number in range(len(lesson.steps))
    for at in ("value", *(("min", "max") if name != "outsourced" else ()))
]
"""Each step, at the first values of its sliders and at their ends."""
QUICK = {"runs": 6.0, "T": 10.0, "trials": 200.0}
FEW_RUNS = 9.0  # From eight runs on schools are compared.
UP, DOWN, NONE = ([1.0, 1.1, 0.9] * 5, [-1.0, -1.1, -0.9] * 5, [1.0, -1.0] * 7)


@cache
def seen(name, number, at="value", **changes):
    """Return a step's question and its last view, all sliders at their first value or at an end."""
    lesson = LESSONS[name]
    _, about = lesson.pick()
    step = lesson.steps[number]
    values = {slider.key: float(slider.nearest(getattr(slider, at))) for slider in step.sliders(about)}
    assert values
    quick = QUICK | ({"runs": FEW_RUNS} if name != "outsourced" else {})
    values |= {key: min(values[key], value) for key, value in quick.items() if key in values} | changes
    stop = lesson.stand(Situation(about, Controls(values)))
    question = lesson.question(number, lesson.values(stop))
    *_, view = step.run(stop)
    return question, view


def test_four_lessons_have_at_most_eight_steps_each():
    assert list(LESSONS) == ["outsourced", "release", "federated", "epsilon"]
    for lesson in LESSONS.values():
        assert 5 <= len(lesson.steps) <= 8
    for lesson in (*LESSONS.values(), lesson_simple.SHORT):
        assert len(lesson.wording.names) == len(lesson.steps)


@pytest.mark.parametrize(("name", "number", "at"), STEPS)
def test_a_step_asks_one_question_and_its_figure_gives_the_answer(name, number, at):
    question, view = seen(name, number, at)
    assert isinstance(view, Seen)
    keys = [option.key for option in question.options]
    texts = [option.text for option in question.options]
    assert 2 <= len(keys) <= 4
    assert len(set(keys)) == len(set(texts)) == len(keys)
    assert keys.count(view.right) == 1
    (figure,) = view.figures
    plotly_takes(figure.picture)
    assert figure.picture.layout["height"] == HEIGHT
    assert figure.alt
    assert figure.finding.title
    everything = " ".join([question.text, *texts, figure.finding.title, figure.finding.note])
    assert not re.search(r"\b(nan|inf|None)\b|e\+\d\d", everything)


def test_what_is_right_follows_the_settings():
    """The same question has another answer where the computation says so."""
    for name, number, changes in (
        ("release", 0, {"tried": (2.0, 400.0)}), ("release", 1, {"epsilon": (0.1, 30.0)}),
        ("release", 2, {"epsilon": (1.0, 1000.0)}), ("release", 4, {"epsilon": (0.1, 1000.0)}),
        ("release", 6, {"loss": (0.1, 9.0)}), ("federated", 2, {"S": (1.0, 60.0)}),
        ("epsilon", 0, {"epsilon": (0.1, 10.0)}),
        ("epsilon", 2, {"epsilon": (0.1, 10.0)}), ("epsilon", 3, {"times": (2.0, 100.0)}),
        ("epsilon", 7, {"guesses": (51.0, 99.0)})
    ):  # fmt: skip
        ((key, ends),) = changes.items()
        rights = [seen(name, number, **{key: end})[1].right for end in ends]
        assert rights[0] != rights[1], (name, number)


@pytest.mark.parametrize(("name", "number"), [("release", 6), ("epsilon", 5)])
def test_no_border_lies_near_what_is_computed_at_first(name, number):
    title = seen(name, number)[1].figures[0].finding.title
    accepted, needed, *_ = numbers(title)
    assert accepted == 1
    assert not 0.6 * SMALL < needed < SMALL / 0.6


def test_the_decision_is_not_close_and_a_crowd_drowns_the_noise():
    """The ε that the guesses allow is not near the one that the loss asks for."""
    question, view = seen("epsilon", 7)
    low, high = numbers(view.figures[0].finding.title)
    assert (view.right, high > 1.5 * low) == ("both", True)
    assert numbers(question.text)[-1] == 1, "so much may be lost"
    few, many = (seen("federated", 3, N=float(count))[1] for count in (5, 237))
    assert few.right == "noise"
    assert many.right != "noise"


def test_a_longer_list_pays_up_to_some_length():
    rng = np.random.default_rng(0)
    lost = {2: 9.0 + rng.random(30), 10: 1.0 + rng.random(30), 50: 1.0 + rng.random(30), 400: 1.0 + rng.random(30)}
    assert (flat_from(lost), flat_from({2: 9.0 + rng.random(30), 400: rng.random(30)})) == (10, 400)
    until, few, _, some, _, whole, _ = numbers(seen("release", 3)[1].figures[0].finding.title)
    assert (until, few, some, whole) == (10, 2, 10, 400)


def test_what_the_lines_are_called_stands_above_them():
    """The one line begins at the very top."""
    (figure,) = seen("federated", 2)[1].figures
    notes = figure.picture.layout["annotations"]
    above = [each for each in notes if each["y"] == 1 and each["yanchor"] == "bottom" and each["yshift"] > 0]
    assert len(above) == len(figure.picture.data) == 2


def test_what_runs_do_not_show_is_not_said():
    differences = [Difference.of(each) for each in (UP, DOWN, NONE)]
    assert [clearly(each, "more less same") for each in differences] == ["more", "less", "same"]
    cases = {0.9: "few", 1.0: "some", 2.0: "some", 2.1: "many"}
    assert {size: third(size, 1.0, 2.0, "few some many") for size in cases} == cases
    assert [price(lost, 0.002) for lost in (0.003, 0.01, 0.03)] == ["nothing", "little", "much"]


@pytest.mark.parametrize("lesson", [*LESSONS.values(), lesson_simple.SHORT], ids=lambda lesson: lesson.file)
def test_what_a_lesson_s_words_name_is_given_and_what_is_given_is_named(lesson):
    _, about = lesson.pick()
    controls = Controls({slider.key: slider.value for slider in lesson.steps[0].sliders(about)})
    given = lesson.values(lesson.stand(Situation(about, controls)))
    assert names_in(text_of(f"lessons/{lesson.file}.md")) == set(given)
    assert not re.search("[{}]", lesson.wording.note(given))


def test_what_is_handed_out_is_looked_for_in_it_and_who_decides_is_found_by_leaving_each_one_out():
    rng = np.random.default_rng(0)
    points, outcome = rng.random((20, 3)), rng.random(20)
    assert lesson_steps.handed_out(points, outcome, points) == "values"
    assert lesson_steps.handed_out(points, outcome, np.column_stack([points, outcome])) == "outcome"
    assert lesson_steps.handed_out(points, outcome, points @ rng.random((3, 5))) == "mixed"
    losses = tuning_task(TASKS[0]).losses
    best, without = winners(losses)
    assert best == losses.mean(axis=0).argmin()
    for row in (0, 17, 100):
        assert without[row] == np.delete(losses, row, axis=0).mean(axis=0).argmin()


def test_the_least_epsilon_keeps_to_the_loss_guesses_follow_the_formula_and_more_tests_a_border():
    assert least([1.0, 10.0, 100.0], [4.0, 2.0, 0.0], 3.0) == pytest.approx(10**0.5)
    assert least([1.0, 10.0, 100.0], [2.0, 4.0, 1.0], 3.0) == pytest.approx(10 ** (1 + 1 / 3))
    assert least([1.0, 10.0], [2.0, 1.0], 3.0) == 1.0
    assert math.isinf(least([1.0, 10.0], [4.0, 3.5], 3.0))
    for epsilon in (0.1, 1.0, 5.0):
        assert right_of(epsilon) == pytest.approx(100 / (1 + math.exp(-epsilon)))
    cases = {(16, 9, 1): "many", (13, 9, 1): "some", (12, 8, 1): "some", (13, 8, 1): "many", (20, 5, 0): "none"}
    assert {case: lesson_simple.size_of(ExtraSteps(*case[:2], 30, case[2], 22, 40)) for case in cases} == cases
