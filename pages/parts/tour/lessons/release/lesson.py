"""The lesson about publishing a tuned model, as the tour knows it."""

import math

from pages.parts.controls.live_sliders import Slider
from pages.parts.release.sliders import sliders
from pages.parts.tour.lesson import Lesson, Step
from pages.parts.tour.lessons.release import questions
from pages.parts.tour.lessons.release.drawing import good_draws, how_blind, who_decides
from pages.parts.tour.lessons.release.more import left_out, more_tries, score_too, what_would_you_choose
from privbo_core.data import TASKS, TuningTask, tuning_task
from privbo_core.experiments.choosing.measure import EPSILONS


def epsilon(task: TuningTask) -> Slider:
    """Return the slider of ε."""
    return sliders(task, 0)[0]


def tried(task: TuningTask) -> Slider:
    """Return the slider of how many settings were tried."""
    return Slider("tried", "settings tried", 2, task.n, task.n, "few", "all", "How many settings the best one is picked from.",
                  step=0.02, log=True, whole=True)  # fmt: skip


COVERED = Slider("covered", "ε", EPSILONS[0], EPSILONS[-1], 1.0, "more private", "more useful",
                 "Of the promise that covers training and validation records.", step=math.log(EPSILONS[1] / EPSILONS[0]) / 2, log=True,
                 allowed=EPSILONS)  # fmt: skip
LOSS = Slider("loss", "acceptable loss, in points", 0.1, 9, 1.0, "demand more", "accept more",
              "How many percentage points of confidence the published setting may lose.", step=0.02, log=True)  # fmt: skip


def of_epsilon(task: TuningTask) -> list[Slider]:
    """Return the slider that most steps have."""
    return [epsilon(task)]


STEPS = (
    Step("Who decides what is best", lambda task: [tried(task)], who_decides, questions.who_decides),
    Step("A draw in place of the best", of_epsilon, good_draws, questions.good_draws),
    Step("How well DP-BO aims", of_epsilon, how_blind, questions.how_blind),
    Step("More tries", of_epsilon, more_tries, questions.more_tries),
    Step("The score as well", of_epsilon, score_too, questions.score_too),
    Step("Whom it leaves out", lambda task: [COVERED], left_out, questions.left_out),
    Step("What would you choose?", lambda task: [LOSS], what_would_you_choose, questions.which_epsilon),
)
"""In their order."""

RELEASE = Lesson(
    name="release",
    title="Release",
    promise="A team publishes its best setting",
    steps=STEPS,
    pick=lambda: (TASKS[0], tuning_task(TASKS[0])),
    note=lambda task: (
        f"Data: {task.title.lower()}, {task.records:,} patients, {task.n:,} settings. Step 6 shows what was measured before; all else is computed now."
    ),
)
