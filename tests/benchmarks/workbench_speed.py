"""How long a modeler waits for the next row of a large release. Run by `make bench`.

The reference refits scikit-learn's regressor, with the length-scales given, and predicts all rows, as one would first
write it. Both are measured in turn in one process on one thread, so the ratio is what to quote.
"""

import sys

import numpy as np
from sklearn.gaussian_process import GaussianProcessRegressor
from sklearn.gaussian_process.kernels import RBF

from privbo_core.data import Frame, FrameColumn
from privbo_core.outsourced import Modeler, Outcome, Package
from privbo_core.outsourced.noisy import expected_kernel
from privbo_core.outsourced.parties.learned import learn
from tests.benchmarks.allowed import allow, ended, seconds, timed

N, D, TOLD, REPEATS, GOAL = 100_000, 6, 50, 9, 0.3
"""Rows, columns, outcomes told before the first ask, measurements, and the seconds that an answer may take."""
OPEN, BATCH = 10, 5


def begun() -> tuple[Modeler, np.ndarray]:
    """Return a search in which `TOLD` outcomes were told, and the outcomes of all rows."""
    rng = np.random.default_rng(0)
    exact = rng.uniform(0.0, 100.0, size=(N, D))
    frame = Frame(tuple(FrameColumn(f"x{j}", "", 0.0, 100.0, 5.0, 25.0, "made up") for j in range(D)))
    values = exact + 5.0 * rng.standard_normal(exact.shape)
    outcomes = np.sin(exact[:, 0] / 20.0) + np.cos(exact[:, 1] / 30.0) + 0.01 * exact[:, 2]
    package = Package(frame, 3.0, 1e-5, 1.0, 1, "2026-01-01T00:00:00+00:00", Outcome("y"), None, values)
    modeler = Modeler(package)
    for row in rng.choice(N, TOLD, replace=False):
        modeler.tell(int(row) + 1, outcomes[row])
    return modeler, outcomes


def dense(modeler: Modeler) -> float:
    """Return the seconds of a refit by scikit-learn and its prediction at all rows, length-scales given."""
    package, told = modeler.package, modeler.outcomes
    places, y = [row - 1 for row in told], np.array(list(told.values()))
    learned = learn(package.Z[places], y, sigma=package.sigma, frame=package.frame)
    wide, variance, nugget = expected_kernel(learned.lengthscales, np.full(D, package.sigma), learned.variance)
    noise = nugget + learned.noise_variance

    def refit() -> int:
        model = GaussianProcessRegressor(variance * RBF(wide, "fixed"), alpha=noise, optimizer=None)
        model.fit(package.Z[places], (y - learned.centre) / learned.scale - learned.mean)
        mean, deviation = model.predict(package.Z, return_std=True)
        return int(np.argmax(mean + 2.0 * deviation))

    return timed(refit)[1]


def report(what: str, seconds: list[float], reference: float | None = None) -> None:
    median = float(np.median(seconds))
    ratio = "" if reference is None else f"   a dense refit takes {reference / median:.1f} times as long"
    print(f"  {what:48} {1000 * median:6.0f} ms{ratio}")


def main() -> None:
    modeler, outcomes = begun()
    package = modeler.package
    asks, fits, reference = [], [], []
    for _ in range(REPEATS):
        # Each outcome moves the length-scales, so every ask begins with a fit and takes all outcomes in anew.
        (suggestion,), took = timed(modeler.ask)
        asks.append(took)
        places, y = [row - 1 for row in modeler.outcomes], np.array(list(modeler.outcomes.values()))
        fits += seconds(lambda z=package.Z[places], y=y: learn(z, y, sigma=package.sigma, frame=package.frame), 1)
        reference.append(dense(modeler))
        modeler.tell(suggestion.row, outcomes[suggestion.row - 1])
    compared = float(np.median(reference))
    print(f"n = {N:,}, d = {D}, {TOLD} to {TOLD + REPEATS - 1} outcomes told (goal: an answer within {GOAL:g} s)")
    report("ask after tell, length-scales learned anew", asks, compared)
    allow("an answer", float(np.median(asks)), GOAL)
    report("  of it: learning them", fits)
    report("dense refit by scikit-learn, length-scales given", reference)
    modeler.suggestion(1)
    report("ask again, nothing told since", seconds(modeler.ask, 1))
    modeler.ask(OPEN - 1)
    report(f"{BATCH} at once, {OPEN} open", seconds(lambda: modeler.ask(BATCH), 1))


if __name__ == "__main__":
    main()
    sys.exit(ended())
