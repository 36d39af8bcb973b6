"""PO-GP-UCB: private outsourced Bayesian optimisation (Kharkovskii, Dai, Low, ICML 2020)."""

from privbo_core.outsourced.beliefs import Belief, belief
from privbo_core.outsourced.follow import Move, following, hardest_move, true_epsilon
from privbo_core.outsourced.noisy import (
    NoisyRelease,
    expected_kernel,
    noise_aware,
    noise_deviation,
    noisy_guarantee,
    noisy_release,
    publish,
    publish_noisy,
)
from privbo_core.outsourced.projection import (
    Release,
    Spectrum,
    curate,
    guarantee,
    largest_r,
    omega,
    smallest_epsilon,
    spectrum,
)
from privbo_core.outsourced.protocol import Curator, Modeler, outsource
from privbo_core.outsourced.simulation import Comparison, Setting, Simulation
from privbo_core.outsourced.theory import (
    Distortion,
    Extent,
    RegretBound,
    distance_constant,
    distance_distortion,
    dominance_margin,
    projection_dimension,
    projection_tolerance,
    regret_bound,
)

__all__ = [
    "Belief",
    "Comparison",
    "Curator",
    "Distortion",
    "Extent",
    "Modeler",
    "Move",
    "NoisyRelease",
    "RegretBound",
    "Release",
    "Setting",
    "Simulation",
    "Spectrum",
    "belief",
    "curate",
    "distance_constant",
    "distance_distortion",
    "dominance_margin",
    "expected_kernel",
    "following",
    "guarantee",
    "hardest_move",
    "largest_r",
    "noise_aware",
    "noise_deviation",
    "noisy_guarantee",
    "noisy_release",
    "omega",
    "outsource",
    "projection_dimension",
    "projection_tolerance",
    "publish",
    "publish_noisy",
    "regret_bound",
    "smallest_epsilon",
    "spectrum",
    "true_epsilon",
]
