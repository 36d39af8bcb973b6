"""How a tuning task is spoken of in words: what a setting is, whose records it is tried on, what a score means."""

import math
from dataclasses import dataclass

from pages.parts.release.tasks import kind_of
from pages.parts.values.numbers import two_digits
from pages.parts.values.text import minus
from privbo_core.data import TuningTask

CONFIDENCE = "confidence"


@dataclass(frozen=True)
class Told:
    """A setting is ``setting``; its score, ``measure``, is tried on records, each that of ``one`` of ``many``.

    ``learner``: what is tuned, and what for. ``percent``: a score is −(mean loss) of a loss in [0, 1], the probability
    that the model gives to the wrong answer; 1 + score is then its mean confidence in the right one.
    """

    learner: str
    setting: str
    one: str
    many: str
    measure: str
    percent: bool

    def amount(self, difference: float) -> str:
        """Return a difference of two scores, in percentage points where a score is a percentage."""
        if not self.percent:
            return two_digits(difference)
        points = 100 * difference
        return "under 0.01 points" if 0 < points < 0.005 else f"{points:.{1 if points >= 0.95 else 2}f} points"

    def score(self, score: float, digits: int = 1) -> str:
        """Return a score as a person reads it."""
        return f"{100 * (1 + score):.{digits}f} %" if self.percent else minus(f"{score:.{digits + 2}f}")


TUMOURS = "A model learns to tell malignant from benign tumours"
RIGHT = "confidence in the right diagnosis"
SAMPLES = {
    "tuning/logistic": Told(TUMOURS, "how strongly it is kept from learning by heart", "patient", "patients", RIGHT, True),
    "tuning/svm": Told(TUMOURS, "two numbers that say how closely it follows its examples", "patient", "patients", RIGHT, True),
}  # fmt: skip
"""By the identity of a task."""


def told(task: TuningTask) -> Told:
    """Return how to speak of a task: in its sample's words, or plainly."""
    known = SAMPLES.get(task.identity or "")
    if known is not None:
        return known
    if kind_of(task) == "dataset":
        setting = "how strongly it is kept from learning by heart"
        return Told("A model learns to tell two kinds of records apart", setting, "person", "people", "confidence in the right label", True)  # fmt: skip
    return Told("A model is tuned", "; ".join(task.names), "person", "people", "score", False)


def digits_of(best: float, mean: float) -> int:
    """Return how many decimals make a subtraction of two percentages come out as it is written: 1, or else 2."""
    first, second, between = (math.floor(1000 * value + 0.5) for value in (best, mean, best - mean))
    return 1 if first - second == between > 0 else 2
