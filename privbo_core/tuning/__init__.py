"""A table of scores from any tuning tool, and its best setting published privately; or all of it, training included.

>>> import pandas as pd
>>> import privbo_core as pb
>>> tried = pd.DataFrame({"C": [0.01, 0.1, 1.0, 10.0], "score": [0.61, 0.74, 0.83, 0.79]})
>>> scores = pb.tuning.read_scores(tried, score_range=(0, 1), parameters=["C"], records=2000, decimals=2)
>>> print(pb.tuning.publish(scores, epsilon=1.0).setting["C"] in (0.01, 0.1, 1.0, 10.0))
True

`docs/tuning.md` says what is covered and what is not.
"""

from privbo_core.tuning.published import (
    Listed,
    Published,
    Tried,
    Unscored,
    in_parts,
    listed,
    publish,
    publish_tries,
    tries_guarantee,
)
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

__all__ = ["Descent", "Kind", "Labelled", "Listed", "Published", "Scores", "Setting", "TrainedTuning", "Tried"]
__all__ += ["Tuned", "Unscored"]
__all__ += ["accuracy", "in_parts", "listed", "publish", "publish_trained", "publish_tries", "read_scores"]
__all__ += ["simulated_noise", "train", "tries_guarantee"]
