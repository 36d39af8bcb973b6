"""The ways to publish a tuned setting that `choosing` and `training` compare, and what they train on."""

from dataclasses import dataclass
from itertools import product

EPSILONS = (0.3, 1.0, 3.0)
DELTA = 1e-5
THRESHOLD = 3.0  # mg/dL, a round number near the middle: the label is whether kappa and lambda together are above it.
SETTINGS = tuple(product((5, 10, 30, 100), (0.3, 1.0, 3.0, 10.0, 30.0)))
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
