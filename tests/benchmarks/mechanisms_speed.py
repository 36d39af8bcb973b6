"""How fast mechanisms, privacy curves and releases follow a thumb. Run by `make bench`."""

import sys
from collections.abc import Callable

import numpy as np

import privbo_core as pb
from privbo_core.privacy import epsilon_curve, gaussian_sigma
from tests.benchmarks.allowed import allow, ended, timed

DELTA = 200**-1.1


def milliseconds(work: Callable[[float], object], settings: np.ndarray) -> float:
    """Return the median time of ``work`` over ``settings``, after one call that is not counted."""
    work(float(settings[0]))
    return 1000 * float(np.median([timed(lambda at=float(setting): work(at))[1] for setting in settings]))


def main() -> None:
    points = np.random.default_rng(0).normal(size=(1000, 2)) * 3
    truth = np.sin(points[:, 0]) + np.cos(points[:, 1])

    def search(_: float) -> pb.release.Search:
        how = {"kernel": pb.gp.Matern52(1.0), "sigma": 0.1, "iterations": 50, "delta": 0.05}
        return pb.release.optimise(points, truth / truth.std(), **how, rng=np.random.default_rng(0))

    found = search(0.0)

    def setting(epsilon: float) -> float:
        plan = pb.release.noisy(found, epsilon=epsilon, k1=0.9)
        plan.bounds(3.0)
        return plan.choice.effective_candidates

    def simulated(_: float) -> pb.release.SimulatedReleases:
        plan = pb.release.noisy(found, epsilon=1.0, k1=0.9)
        epsilons = np.geomspace(0.1, 100, 30).tolist()
        return pb.release.simulated_releases(plan, epsilons, draws=200, objective=truth, rng=np.random.default_rng(0))

    def live_curve(z: float) -> object:
        # No two calls alike: what the accountant remembers does not count.
        return epsilon_curve(0.25, z, 100, DELTA)

    rows = (
        ("Gaussian calibration", milliseconds(lambda e: gaussian_sigma(e, 1e-5, 1.0), np.geomspace(0.01, 100, 20)), 1),
        ("privacy curve over 100 steps, moments", milliseconds(live_curve, np.linspace(1, 2, 21)[1:]), 5),
        ("DP-BO search, 1000 candidates, T = 50", milliseconds(search, np.zeros(5)), 50),
        ("DP-BO posterior and bounds at one ε", milliseconds(setting, np.geomspace(0.1, 100, 7)), 50),
        ("DP-BO simulated releases, 30 ε × 200 draws", milliseconds(simulated, np.zeros(3)), 1000),
    )
    for name, taken, goal in rows:
        print(f"{name}: {taken:.2f} ms (goal: below {goal} ms)")
        allow(name, taken / 1000, goal / 1000)


if __name__ == "__main__":
    main()
    sys.exit(ended())
