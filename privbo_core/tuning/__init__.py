"""A table of scores from any tuning tool, and its best setting published privately; or all of it, training included."""

from privbo_core.tuning.listed import Listed, listed
from privbo_core.tuning.published import Published, publish
from privbo_core.tuning.read import read_scores
from privbo_core.tuning.scores import Kind, Scores, Setting
from privbo_core.tuning.trained import (
    Descent,
    Labelled,
    TrainedTuning,
    Tuned,
    accuracy,
    publish_trained,
    simulated_noise,
    train,
)
from privbo_core.tuning.tried import Tried, Unscored, publish_tries, tries_guarantee

__all__ = [
    "Descent",
    "Kind",
    "Labelled",
    "Listed",
    "Published",
    "Scores",
    "Setting",
    "TrainedTuning",
    "Tried",
    "Tuned",
    "Unscored",
    "accuracy",
    "listed",
    "publish",
    "publish_trained",
    "publish_tries",
    "read_scores",
    "simulated_noise",
    "train",
    "tries_guarantee",
]
