"""Publish the best setting of a table of scores, or the best of a random number of tries."""

import secrets
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import ndtri

from privbo_core.data.tuning import Decimals
from privbo_core.errors import Array, DataError, positive, probability, whole
from privbo_core.privacy import Condition, Guarantee, Laplace, release
from privbo_core.privacy.tries import Tries, noise_for_tries
from privbo_core.release.scores import PARTS_SOURCE, Scores, Setting
from privbo_core.release.selection import Way
from privbo_core.release.tries import TRIES_HIDDEN, TRIES_SOURCE


@dataclass(frozen=True)
class Published:
    """A setting that may be published, and its guarantee.

    ``score`` is the setting's mean score with noise, in the score's units. The noise exceeds ``half_width`` one time in
    twenty. Both are None if the score was not asked for. After a random number of tries, the published score is the
    best noisy one, so it tends to be too good, by up to twice the half-width.
    """

    setting: Setting
    score: float | None
    half_width: float | None
    guarantee: Guarantee


def publish_best(
    scores: Scores, epsilon: float, *, way: Way = "permute-and-flip", score_share: float = 0.0
) -> Published:
    """Draw one setting, where better scores are more likely, with entropy from the operating system.

    ``epsilon`` is the cost of setting and score together. ``score_share`` is the share of it that is spent on the
    score of the chosen setting. With 0, no score is published. Two calls give two independent results and cost twice as
    much. The first call takes a second or two to load the noise library. Raises DataError or ValueError on unusable
    input.
    """
    return publish_row(scores, epsilon, way=way, score_share=score_share)[1]


def publish_row(
    scores: Scores, epsilon: float, *, way: Way = "permute-and-flip", score_share: float = 0.0
) -> tuple[int, Published]:
    """Return the row of the drawn setting among the settings, and the result of `publish_best`.

    The row must stay private unless the order of the settings is known not to depend on the records. In a table that
    is sorted by score, the row of a setting is its rank.
    """
    if not 0 <= score_share < 1:
        raise ValueError(
            f"score_share is {score_share!r}. It must be at least 0 and below 1, because the setting needs a share."
        )
    guarantee = scores.guarantee(epsilon, way=way, score=score_share > 0)
    row = release.select(scores.choice(epsilon * (1.0 - score_share), way))
    score = half_width = None
    if score_share:
        noise = Laplace(scores.sensitivity, epsilon * score_share)
        score, half_width = scores.low + release.laplace(float(scores.above[row]), noise), noise.half_width(0.95)
    return row, Published(dict(scores.settings[row]), score, half_width, guarantee)


@dataclass(frozen=True, eq=False)
class Unscored:
    """Settings that have no scores yet. `publish_tries` calls ``score`` for the settings that it tries, and no others.

    ``settings`` is a list of settings, or a function that draws one with the generator that it is given, from any set
    of candidates. ``score`` returns a score for each of the ``shares`` records of a validation set. For ``kind``
    "parts", it returns one for each of ``shares`` parts that share no record. ``score_range`` is as in `Scores`. One
    record moves a mean score by range/shares. ``score`` may return the mean over a validation set if ``decimals``
    states to how many decimals it rounds means, or "exact". Raises DataError or ValueError if the sensitivity of the
    scores is unknown.
    """

    settings: Sequence[Setting] | Callable[[np.random.Generator], Setting]
    score: Callable[[Setting], ArrayLike] = field(repr=False)
    score_range: tuple[float, float]
    shares: int
    kind: Literal["validation", "parts"] = "validation"
    decimals: Decimals = None

    def __post_init__(self) -> None:
        if not callable(self.settings) and not self.settings:
            raise DataError("settings is empty. Give at least one to try.")
        whole("shares", self.shares)
        if self.kind not in ("validation", "parts"):
            raise ValueError(f"kind is {self.kind!r}. It must be 'validation' or 'parts'.")
        positive("sensitivity", self.terms.sensitivity)

    @cached_property
    def terms(self) -> Scores:
        """A table of made-up scores, with the range, the sensitivity and the guarantee of the true ones.

        If means are allowed, it is a table of means, because their sensitivity also covers a score for each record.
        """
        columns = 1 if self._means else self.shares
        return self._table({}, np.full(columns, self.score_range[0], dtype=float))

    def pick(self, rng: np.random.Generator) -> Setting:
        """Draw a setting to try, without looking at the records."""
        if callable(self.settings):
            return dict(self.settings(rng))
        return dict(self.settings[int(rng.integers(len(self.settings)))])

    def above(self, setting: Setting) -> float:
        """Return a setting's mean score minus the low end of the range. It must stay private."""
        found = np.atleast_1d(np.asarray(self.score(dict(setting)), dtype=float))
        if found.shape != (self.shares,) and not (self._means and found.shape == (1,)):
            mean = ", or their mean if decimals says how it is rounded" if self.kind == "validation" else ""
            raise DataError(
                f"score returned an array of shape {found.shape}. It must return {self.shares} scores{mean}."
            )
        return float(self._table(setting, found).above[0])

    @property
    def _means(self) -> bool:
        return self.kind == "validation" and self.decimals is not None

    def _table(self, setting: Setting, found: Array) -> Scores:
        # A table has at least two rows.
        records = self.shares if self._means and len(found) == 1 else 1
        rows = np.tile(found, (2, 1))
        return Scores((setting, setting), rows, self.score_range, self.kind, records, decimals=self.decimals)


def publish_tries(
    candidates: Unscored | Scores, epsilon: float, *, tries: Tries, delta: float = 1e-5
) -> Published | None:
    """Try a random number of settings and publish the best, with entropy from the operating system.

    Each of the ``tries`` draws a setting without looking at the records, with repetition, and adds Gaussian noise to
    its score. For a table of `Scores`, `publish_best` is usually better. This function is for settings that are
    expensive to score, and for infinitely many settings. Poisson tries can be zero. The result is then None, and that
    is published, too. Two calls cost twice as much. An error raised by ``score`` ends the call, and ε does not cover
    the fact that it was raised. Raises DataError or ValueError on unusable input.
    """
    terms = candidates if isinstance(candidates, Scores) else candidates.terms
    guarantee = tries_guarantee(candidates, epsilon, delta)
    multiplier = noise_for_tries(tries, epsilon, delta)
    half_width = float(ndtri(0.975)) * multiplier * terms.sensitivity
    sign = 1.0 if terms.larger_is_better else -1.0
    rng = system_generator()
    best: Published | None = None
    best_score = -np.inf
    for _ in range(draw_number(tries)):
        if isinstance(candidates, Scores):
            row = int(rng.integers(len(candidates.settings)))
            setting, exact = dict(candidates.settings[row]), float(candidates.above[row])
        else:
            setting = candidates.pick(rng)
            exact = candidates.above(setting)
        (noisy,) = release.noisy([exact], terms.sensitivity, multiplier)
        score = terms.low + float(noisy)
        if sign * score > best_score:
            best, best_score = Published(setting, score, half_width, guarantee), sign * score
    return best


def tries_guarantee(candidates: Unscored | Scores, epsilon: float, delta: float = 1e-5) -> Guarantee:
    """Return the guarantee of `publish_tries` for setting and score together. Raises DataError for scores of folds."""
    terms = candidates if isinstance(candidates, Scores) else candidates.terms
    if terms.kind == "folds":
        raise DataError(
            "The scores are of folds, and a record of one fold trains the models of the others. Use publish_best, "
            "which states what that costs, or score in parts."
        )
    base = terms.guarantee(epsilon, score=True)
    return replace(
        base,
        delta=probability("delta", delta),
        conditions=(
            *base.conditions,
            Condition(
                "the tries don't affect each other",
                "No try affects which other settings are tried or how they are scored.",
            ),
            Condition(
                TRIES_HIDDEN,
                "Only the best try is published. The other scores, the number of tries and the time that they took are "
                "not.",
            ),
        ),
        source=TRIES_SOURCE + (PARTS_SOURCE if terms.kind == "parts" else ""),
    )


def draw_number(tries: Tries) -> int:
    """Draw the number of tries with a separate generator, so that no published setting reveals anything about it."""
    (count,) = tries.draw(1, system_generator())
    return int(count)


def system_generator() -> np.random.Generator:
    """Return a generator seeded by the operating system's entropy, for draws that do not depend on the records."""
    return np.random.Generator(np.random.PCG64(secrets.randbits(128)))
