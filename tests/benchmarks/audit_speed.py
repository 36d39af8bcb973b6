"""How fast the attacks are. Run by `make bench`."""

import sys

import numpy as np

import privbo_core as pb
from tests.benchmarks.allowed import ended, within

if __name__ == "__main__":
    rng = np.random.default_rng(0)
    points = rng.standard_normal((36_000, 3))
    release = pb.outsourced.curate(points, 1.0, 1e-5, 15, rng)
    known = [0, 1, 2, 3]

    def laplace(x: float, trials: int, rng: np.random.Generator) -> np.ndarray:
        return x + rng.laplace(size=trials)

    within("column-space test, n = 36 000, d = 3, r = 15", lambda: pb.audit.column_space_test(release, points), 0.05)
    named = "reconstruction, n = 36 000, d = 3, r = 15"
    within(named, lambda: pb.audit.reconstruct(release, known, points[known]), 0.05)
    audit = pb.audit.epsilon_lower_bound
    within("audit of a Laplace mechanism, 100 000 trials", lambda: audit(laplace, 0.0, 1.0, 0.0, 100_000, 0.95, rng), 1)
    canary = pb.audit.canary(0.25, 1.0, 40)
    within("canary over 40 rounds, 100 000 trials", lambda: audit(canary, False, True, 1e-3, 100_000, 0.95, rng), 1, 5)
    epsilons = iter(np.linspace(0.1, 10, 21))
    within("calibration of Gaussian noise", lambda: pb.privacy.gaussian_sigma(float(next(epsilons)), 1e-5, 1.0), 0.001)
    sys.exit(ended())
