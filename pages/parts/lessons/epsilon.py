"""The lesson about choosing ε: its steps, and what its words and its teacher's kit name."""

from dataclasses import replace

from scipy.optimize import brentq

from pages.parts.classroom.kit_numbers import DELTA, right
from pages.parts.federated import lesson_steps as rounds
from pages.parts.lessons import cost, meaning
from pages.parts.live.sliders import Slider, of_epsilon
from pages.parts.outsourced import lesson_simple as simple
from pages.parts.release import lesson_steps as release
from pages.parts.release.lesson import POINTS, accepted
from pages.parts.system.lesson import Lesson, Situation, Step, Values
from privbo_core.data import TASKS, sample, tuning_task
from privbo_core.privacy import TradeOff, gaussian_sigma, worst_case_belief

EPSILON = of_epsilon(0.1, 10, 1, "Of one release.")
TIMES = Slider(
    "times",
    "releases about the same people",
    2,
    meaning.TIMES,
    10,
    "few",
    "many",
    "Each with the same ε again.",
    step=0.02,
    log=True,
    whole=True,
)
GUESSES = Slider(
    "guesses",
    "right guesses accepted, of 100",
    51,
    99,
    70,
    "more private",
    "more useful",
    "How often the best attacker may be right about one patient.",
    whole=True,
)


def values(situation: Situation) -> Values:
    """Return what its words name."""
    return {
        "epsilon": situation.value("epsilon"),
        "times": situation.value("times"),
        "guesses": situation.value("guesses"),
        "loss": accepted(situation, tuning_task(TASKS[0])),
        "few": meaning.FEW,
        "many": meaning.MANY,
        "little": meaning.LITTLE,
        "much": meaning.MUCH,
        "small": simple.SOME,
        "large": simple.MUCH,
        "least": release.SMALL,
        "most": release.LARGE,
    }


def kit() -> Values:
    """Return what several ε mean in guesses and beliefs, what ten releases come to, and what δ may let through."""
    noise = TradeOff.gaussian(1 / gaussian_sigma(0.1, DELTA, 1.0)).repeated(10)
    patients = sample("hospital").n
    return {
        "right_at_01": right(0.1),
        "right_at_1": right(1.0),
        "right_at_3": right(3.0),
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
        Step(lambda about: [EPSILON], meaning.guesses, meaning.GUESSES),
        Step(lambda about: [EPSILON], meaning.hunch),
        Step(lambda about: [replace(EPSILON, value=8.0)], meaning.protective),
        Step(lambda about: [TIMES, EPSILON], meaning.adding_up, meaning.GUESSES),
        Step(lambda about: [EPSILON], cost.hospital),
        Step(lambda about: [POINTS], cost.team),
        Step(lambda about: [replace(rounds.RUNS, value=10)], cost.schools),
        Step(lambda about: [GUESSES, POINTS], cost.decision),
    ),
    lambda: ("all", None),
    values,
    kit=kit,
)
