"""Releasing what tuning found as an entry: its lesson, its place among the systems."""

import math

import numpy as np

from pages.parts.live.sliders import Slider
from pages.parts.release import lesson_steps as steps
from pages.parts.release.question import question
from pages.parts.release.setup import epsilon_slider
from pages.parts.release.tasks import EPSILONS, spoken_of
from pages.parts.system.lesson import Lesson, Situation, Step, Values, points
from pages.parts.system.system import System
from privbo_core.data import TASKS, TuningTask, tuning_task
from privbo_core.privacy import Exponential, Laplace, worst_case_belief

SCORES, PATIENTS = (0.90, 0.88, 0.80, 0.60), 100
"""Shares of right answers of four settings, and of how many patients, in the kit."""
COVERED = Slider.of(
    "release.covered",
    EPSILONS[0],
    EPSILONS[-1],
    1.0,
    step=math.log(EPSILONS[1] / EPSILONS[0]) / 2,
    log=True,
    allowed=EPSILONS,
)
POINTS = Slider.of("release.loss", 0.1, 9, 1.0, step=0.02, log=True)


def tried(task: TuningTask) -> list[Slider]:
    return [Slider.of("release.tried", 2, task.n, task.n, step=0.02, log=True, whole=True)]


def epsilon(task: TuningTask) -> list[Slider]:
    return [epsilon_slider()]


def of_release(situation: Situation) -> Values:
    task: TuningTask = situation.about
    return {
        "title": task.title.lower(),
        "records": task.records,
        "settings": task.n,
        "tried": situation.value("tried"),
        "epsilon": situation.value("epsilon"),
        "loss": accepted(situation, task),
        "some": steps.SOME,
        "little": steps.LITTLE,
        "small": steps.SMALL,
        "large": steps.LARGE,
    }


def accepted(situation: Situation, task: TuningTask) -> str:
    return points(spoken_of(task).amount(situation.value("loss") / 100))


def kit() -> Values:
    """Return the chances of a draw among four settings and its loss, the noise on a score."""
    choice = Exponential(np.array(SCORES), 1 / PATIENTS, 1.0)
    first, second, third, last = map(float, choice.probabilities)
    few, many = (100 * Laplace(1 / patients, 1.0).half_width(0.95) for patients in (PATIENTS, 10 * PATIENTS))
    return {
        "first": first,
        "second": second,
        "third": third,
        "last": last,
        "e": math.e,
        "off_few": few,
        "off_many": many,
        "together": 2.0,
        "sure": worst_case_belief(0.5, 2.0),
        "loss": 100 * choice.expected_loss,
        "blind_loss": 100 * float(max(SCORES) - math.fsum(SCORES) / len(SCORES)),
    }


LESSON = Lesson(
    "release",
    (
        Step(tried, steps.who_decides),
        Step(epsilon, steps.good_draws),
        Step(epsilon, steps.how_blind),
        Step(epsilon, steps.more_tries),
        Step(epsilon, steps.score_too),
        Step(lambda task: [COVERED], steps.left_out),
        Step(lambda task: [POINTS], steps.what_would_you_choose),
    ),
    lambda: (TASKS[0], tuning_task(TASKS[0])),
    of_release,
    kit=kit,
)


RELEASE = System(
    name="Release",
    question=question,
    measures=(),
    neighbours="a record that is exchanged",
    lesson=LESSON,
)
