"""How long a real release of a large table takes, its noise from the operating system. Run by `make bench`."""

import sys
import time

import numpy as np

from privbo_core.privacy import Gaussian, release
from tests.benchmarks.allowed import allow, ended

GOAL = 30.0  # Seconds for the whole table.


def main() -> None:
    mechanism = Gaussian(1.0, 1.0, 1e-5)
    start = time.perf_counter()
    *_, _ = release.gaussian([0.0], mechanism)
    print(f"first number released, with the library's import: {time.perf_counter() - start:.2f} s")

    points = np.random.default_rng(0).uniform(0.0, 20.0, size=(100_000, 6))
    steps, used = [time.perf_counter()], time.process_time()
    steps += [time.perf_counter() for _ in release.gaussian(points, mechanism)]
    used = time.process_time() - used
    print(f"release of {points.shape[0]} × {points.shape[1]}: {steps[-1] - steps[0]:.2f} s (goal: below {GOAL:g} s)")
    allow("the release", steps[-1] - steps[0], GOAL)
    print(f"of which on a processor: {used:.2f} s; the rest is waiting for one that is busy otherwise")
    print(f"longest wait between two steps of its progress: {1000 * max(np.diff(steps)):.0f} ms")


if __name__ == "__main__":
    main()
    sys.exit(ended())
