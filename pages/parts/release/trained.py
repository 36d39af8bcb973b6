"""The example of tuning where training is private too: its settings, and what results/choosing.json holds of it."""

from dataclasses import dataclass
from itertools import product

import numpy as np

from privbo_core.tuning.trained import Descent

EPSILONS = (0.3, 1.0, 3.0)
DELTA = 1e-5
THRESHOLD = 3.0
"""mg/dL, a round number near the middle: the label is whether kappa and lambda together are above it."""
SETTINGS = tuple(Descent(steps, rate) for steps, rate in product((5, 10, 30, 100), (0.3, 1.0, 3.0, 10.0, 30.0)))
MANY = tuple(Descent(steps, float(rate)) for steps, rate in product((5, 10, 30, 100), np.geomspace(0.3, 30.0, 50)))
"""A list so long that trying each of it once costs dearly: the random tries do not care how long it is."""
TRAINERS, VALIDATORS = 4000, 1300
MEAN = 20

GEOMETRIC, LOGARITHMIC, POISSON = "best of tries, η = 1", "best of tries, η = 0", "best of tries, Poisson"
EACH, UNTUNED = "every setting once, composed", "one setting, not tuned"
EACH_OF_MANY, TRIES_OF_MANY = "every one of 200 settings once, composed", "best of tries of 200 settings, Poisson"
VALIDATION_ONLY, NOT_PRIVATE = "permute-and-flip, training not private", "not private"


@dataclass(frozen=True)
class Reached:
    """What share of 1,224 other records the published model tells right, over runs with other splits and dice.

    ``covers``: whose records the ε is about.
    """

    way: str
    covers: str
    epsilon: float | None
    delta: float
    runs: int
    mean: float
    standard_error: float
