"""PO-GP-UCB: private outsourced Bayesian optimisation (Kharkovskii, Dai, Low, ICML 2020).

The following lines check the condition of the paper's theorem, and simulate the paper's random projection and the
noisy release. A simulated release must never be published.

>>> import numpy as np
>>> import privbo_core as pb
>>> points = pb.data.sample("synthetic").points
>>> print(round(pb.outsourced.omega(epsilon=3.0, delta=1e-5, r=10)))
977
>>> release = pb.outsourced.curate(points, 3.0, 1e-5, 10, np.random.default_rng(0))
>>> print(release.Z.shape, round(release.sigma_min), release.amplified)
(10000, 10) 1031 False
>>> print(round(pb.outsourced.smallest_epsilon(release.sigma_min, delta=1e-5, r=10), 2))
2.84
>>> print(pb.outsourced.largest_r(release.sigma_min, epsilon=3.0, delta=1e-5))
10
>>> noisy = pb.outsourced.noisy_release(points, 3.0, 1e-5, bounds=(-25, 25), rng=np.random.default_rng(0))
>>> print(round(noisy.sigma, 2))
1.39

`publish` makes a real noisy release of a table. Its noise comes from the operating system, so it cannot be repeated:

>>> import pandas as pd
>>> people = pd.DataFrame({"age": [34, 51, 47, 29, 60, 42], "score": [3.1, 4.0, 3.7, 2.9, 4.4, 3.3]})
>>> age = pb.data.FrameColumn("age", "years", low=18, high=100, hide=5)
>>> frame = pb.data.Frame((age,))
>>> print(pb.outsourced.publish(people, frame, epsilon=1.0, delta=1e-6).Z.shape)
(6, 1)

The analyst needs only the release and the column settings to search it:

>>> release = pb.outsourced.publish(people, frame, epsilon=1.0, delta=1e-6)
>>> modeler = pb.outsourced.Modeler(release, frame)
>>> for _ in range(3):
...     row = modeler.ask()
...     modeler.tell(row, people["score"][row])
>>> print(len(modeler.outcomes), modeler.best.outcome in people["score"].values)
3 True
"""

from privbo_core.bo import Difference, Search
from privbo_core.outsourced.beliefs import Belief, belief
from privbo_core.outsourced.comparison import Baseline, Comparison, Measure, Mechanism, Policy, Typical
from privbo_core.outsourced.displacement import Move, following, hardest_move, true_epsilon
from privbo_core.outsourced.modeler import Best, Modeler
from privbo_core.outsourced.noisy import (
    NoisyRelease,
    expected_kernel,
    larger_differences,
    noise_aware,
    noise_deviation,
    noisy_guarantee,
    noisy_release,
    publish,
    publish_noisy,
)
from privbo_core.outsourced.projection import (
    Distortion,
    Release,
    Spectrum,
    curate,
    distance_constant,
    distance_distortion,
    guarantee,
    larger_distances,
    largest_r,
    omega,
    smallest_epsilon,
    spectrum,
)
from privbo_core.outsourced.setting import Setting
from privbo_core.outsourced.simulation import Searcher, SimulatedCurator, Simulation, outsource
from privbo_core.outsourced.theory import (
    Extent,
    RegretBound,
    dominance_margin,
    projection_dimension,
    projection_tolerance,
    regret_bound,
)

__all__ = [
    "Baseline",
    "Belief",
    "Best",
    "Comparison",
    "Difference",
    "Distortion",
    "Extent",
    "Measure",
    "Mechanism",
    "Modeler",
    "Move",
    "NoisyRelease",
    "Policy",
    "RegretBound",
    "Release",
    "Search",
    "Searcher",
    "Setting",
    "SimulatedCurator",
    "Simulation",
    "Spectrum",
    "Typical",
    "belief",
    "curate",
    "distance_constant",
    "distance_distortion",
    "dominance_margin",
    "expected_kernel",
    "following",
    "guarantee",
    "hardest_move",
    "larger_differences",
    "larger_distances",
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
