"""Private publication of a study's best setting: `publish_best(study, epsilon, ...)`. It needs Optuna.

It is only for studies whose sampler does not look at scores. With an adaptive sampler, the list of settings itself
depends on the records. Neighbouring data then have different lists, and no private draw from a list can hide that.
"""

import numpy as np

from privbo_core import release
from privbo_core.data.tuning import Decimals
from privbo_core.errors import Array, DataError
from privbo_core.release import Published, Scores
from privbo_core.release.scores import Kind
from privbo_core.release.studies import ADAPTIVE, ENQUEUED, KINDS, SEVERAL, check_states, records_of, stack_lists

try:
    from optuna.samplers import BaseSampler, BruteForceSampler, GridSampler, QMCSampler, RandomSampler
    from optuna.study import Study, StudyDirection
    from optuna.trial import FrozenTrial
except ImportError as missing:
    raise ImportError("privbo_core.optuna needs Optuna, which is not installed: pip install optuna") from missing

__all__ = ["publish_best", "scores_of"]

UNADAPTIVE: tuple[type[BaseSampler], ...] = (RandomSampler, GridSampler, QMCSampler, BruteForceSampler)
"""The samplers whose settings depend on no score. The settings of a subclass may, so subclasses are refused."""


def publish_best(
    study: Study,
    epsilon: float,
    *,
    score_range: tuple[float, float],
    records: int | None = None,
    decimals: Decimals = None,
    score_share: float = 0.0,
) -> Published:
    """Draw one of a finished study's settings, where better scores are more likely, and return what may be published.

    The other parameters are those of `scores_of` and `privbo_core.release.publish_best`. The draw uses entropy from the
    operating system, and two calls cost twice as much. The study itself, its storage and its log must stay private.
    Raises DataError or ValueError.
    """
    scores = scores_of(study, score_range=score_range, records=records, decimals=decimals)
    return release.publish_best(scores, epsilon, score_share=score_share)


def scores_of(
    study: Study, *, score_range: tuple[float, float], records: int | None = None, decimals: Decimals = None
) -> Scores:
    """Return a study's settings and scores, with the sensitivity of the scores.

    A trial's value counts as the mean over the ``records`` of a validation set. ``decimals`` states to how many
    decimals it was rounded, or "exact". If the value is something else, each trial has a list of scores:
    ``trial.set_user_attr("parts", scores)`` for parts that share no record, "folds" for k-fold cross-validation of
    ``records`` records, "records" for a score of each validation record.

    ``score_range`` is the worst and the best that a score can be, in the study's direction. With a ``timeout`` or
    ``callbacks``, the number of trials depends on the records. A study does not record these, so the guarantee assumes
    that there were none. Raises DataError if the sensitivity is unknown, because of an adaptive sampler, pruned or
    failed trials, or several objectives.
    """
    trials = _usable(study, score_range)
    kind, values, each = _values(trials)
    shares = records_of(kind, values.shape[1], records, each=each)
    conditions = (ENQUEUED,) if any("fixed_params" in trial.system_attrs for trial in trials) else ()
    settings = tuple(dict(trial.params) for trial in trials)
    return Scores(settings, values, score_range, kind, shares, conditions, decimals=decimals)


def _usable(study: Study, score_range: tuple[float, float]) -> list[FrozenTrial]:
    if len(study.directions) > 1:
        raise DataError(SEVERAL)
    trials = study.get_trials(deepcopy=False)
    # QMCSampler leaves what it cannot place, such as categories, to another sampler.
    for one in (study.sampler, getattr(study.sampler, "_independent_sampler", None)):
        if one is not None and type(one) not in UNADAPTIVE:
            raise DataError(
                f"The study's sampler is {type(one).__name__}, which may look at earlier scores, so the settings that "
                "it tried depend on the records. Please run the study again with RandomSampler, QMCSampler, "
                "GridSampler or BruteForceSampler of optuna.samplers."
            )
    adaptive = next((trial.number for trial in trials if any(map(ADAPTIVE.match, trial.system_attrs))), None)
    if adaptive is not None:
        raise DataError(
            f"Trial {adaptive} was suggested by an adaptive sampler, which looked at earlier scores. Run all trials of "
            "the study with one sampler that does not, such as RandomSampler."
        )
    worst, best = score_range
    if (study.direction == StudyDirection.MAXIMIZE) != (best > worst):
        raise DataError(
            f"The study's direction is to {study.direction.name.lower()}, but score_range {score_range!r} is for the "
            "other direction. Its first number is the worst that a score can be, and its second is the best."
        )
    check_states([trial.state.name for trial in trials], [trial.number for trial in trials])
    return trials


def _values(trials: list[FrozenTrial]) -> tuple[Kind, Array, bool]:
    """Return what kind of scores the trials have, the scores, and whether each column is one record's."""
    for word, kind in KINDS.items():
        name = f"{word}s"
        if any(name in trial.user_attrs for trial in trials):
            return kind, stack_lists([trial.user_attrs.get(name) for trial in trials], name), kind == "validation"
    return "validation", np.array([[trial.value] for trial in trials], dtype=float).reshape(-1, 1), False
