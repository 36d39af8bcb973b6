"""How fast mechanisms, privacy curves and releases follow a thumb. Run by `make bench`."""

import sys

import numpy as np

import privbo_core as pb
from privbo_core.privacy import epsilon_curve, gaussian_sigma
from tests.benchmarks.allowed import ended, within

DELTA, EPSILONS = 200**-1.1, np.geomspace(0.1, 100, 8)


def main() -> None:
    points = np.random.default_rng(0).normal(size=(1000, 2)) * 3
    truth = np.sin(points[:, 0]) + np.cos(points[:, 1])

    def search() -> pb.release.Search:
        how = {"kernel": pb.gp.Matern52(1.0), "sigma": 0.1, "iterations": 50, "delta": 0.05}
        return pb.release.optimise(points, truth / truth.std(), **how, rng=np.random.default_rng(0))

    found = search()

    def setting(epsilon: float) -> float:
        plan = pb.release.noisy(found, epsilon=epsilon, k1=0.9)
        plan.bounds(3.0)
        return plan.choice.effective_candidates

    def simulated() -> pb.release.SimulatedReleases:
        plan = pb.release.noisy(found, epsilon=1.0, k1=0.9)
        epsilons = np.geomspace(0.1, 100, 30).tolist()
        return pb.release.simulated_releases(plan, epsilons, draws=200, objective=truth, rng=np.random.default_rng(0))

    # No two calls alike: what the accountant remembers does not count.
    level, z, epsilon = (map(float, each) for each in (np.geomspace(0.01, 100, 21), np.linspace(1, 2, 21), EPSILONS))
    within("Gaussian calibration", lambda: gaussian_sigma(next(level), 1e-5, 1.0), 0.001)
    within("privacy curve over 100 steps, moments", lambda: epsilon_curve(0.25, next(z), 100, DELTA), 0.005)
    within("DP-BO search, 1000 candidates, T = 50", search, 0.05, 5)
    within("DP-BO posterior and bounds at one ε", lambda: setting(next(epsilon)), 0.05, 7)
    within("DP-BO simulated releases, 30 ε × 200 draws", simulated, 1.0, 3)


if __name__ == "__main__":
    main()
    sys.exit(ended())
