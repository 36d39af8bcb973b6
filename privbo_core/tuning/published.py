"""The best setting of a table of scores, drawn for real."""

from dataclasses import dataclass

from privbo_core.privacy import Guarantee, Laplace, release
from privbo_core.release import Way
from privbo_core.tuning.scores import Scores, Setting


@dataclass(frozen=True)
class Published:
    """What may be published: a ``setting``, its ``row`` in the table, and what that cost.

    ``score``: its mean score with Laplace noise, in the score's units, and ``half_width``: how far that noise reaches
    19 times in 20; None, both, if the score was not asked for.
    """

    setting: Setting
    row: int
    score: float | None
    half_width: float | None
    guarantee: Guarantee


def publish(scores: Scores, epsilon: float, *, way: Way = "permute-and-flip", score_share: float = 0.0) -> Published:
    """Draw one setting, a better score the likelier, from the operating system's entropy. It cannot be repeated.

    ``score_share``: which share of ε is spent on the score of the setting that was drawn, 0 for not publishing it; ε is
    what both cost together. Two calls give two independent results and cost twice. The first takes a second or two,
    for loading the noise library. Raises DataError or ValueError on unusable input.
    """
    if not 0 <= score_share < 1:
        raise ValueError(
            f"score_share is {score_share!r}; it must be at least 0 and below 1: the setting needs a share."
        )
    guarantee = scores.guarantee(epsilon, way=way, score=score_share > 0)
    row = release.select(scores.choice(epsilon * (1.0 - score_share), way))
    score = half_width = None
    if score_share:
        noise = Laplace(scores.sensitivity, epsilon * score_share)
        score, half_width = scores.low + release.laplace(float(scores.above[row]), noise), noise.half_width(0.95)
    return Published(dict(scores.settings[row]), row, score, half_width, guarantee)
