"""How fast a federated run and the live privacy curve are. Run by `make bench`.

The ratios are taken in one process on one machine, against loops over agents that do the same more or less cleverly.
Linear algebra has one thread throughout, as it has in the app, whose pool gives each core a run of its own; a single
run of hundreds of agents shares the cores by itself.
"""

import math
import sys
from dataclasses import replace

import numpy as np

import privbo_core as pb
from privbo_core.bo.parallel import in_order
from privbo_core.federated import Settings
from privbo_core.gp.kernels import covariance
from privbo_core.privacy.accounting import epsilon_curve
from tests.benchmarks.allowed import allow, ended, seconds, timed
from tests.benchmarks.federated_reference import reference_rows, textbook_step

SETTINGS = Settings(pb.gp.SquaredExponential(0.03), 1e-2, iterations=40, features=50, q=0.25, z=1.0, S=11.0, P=2)
TEXTBOOK_STEPS = 10
ALLOWED = {200: 0.5, 2000: 3.0}  # Seconds that a run may take, by the number of agents.


def problem(agents: int, dimensions: int = 1) -> pb.federated.FederatedProblem:
    side, lengthscale = (1000, 0.03) if dimensions == 1 else (32, 0.2)
    return pb.federated.synthetic(agents=agents, side=side, dimensions=dimensions, lengthscale=lengthscale)


def a_run(given: pb.federated.FederatedProblem, settings: Settings, seed: int) -> list[pb.federated.Round]:
    return list(pb.federated.run(given.objectives, given.points, settings, np.random.default_rng(seed)))


def scaling() -> None:
    print(f"A run of DP-FTS-DE, n = 1000, M = {SETTINGS.features}, T = {SETTINGS.iterations}, P = {SETTINGS.P}")
    for agents in (50, 100, 200, 500, 1000, 2000):
        given = problem(agents)
        taken = float(np.median(seconds(lambda given=given: a_run(given, SETTINGS, 0), 5 if agents <= 200 else 3)))
        print(f"  N = {agents:>5}: {taken:7.3f} s a run, {1e3 * taken / agents:6.2f} ms an agent")
        allow(f"a run of {agents} agents", taken, ALLOWED.get(agents, math.inf))


def against_loops() -> None:
    """Print the ratios to three loops over agents, after checking that the first asks for the same rows."""
    given = problem(200)
    regions = pb.federated.sub_regions(given.points, SETTINGS.P)
    ours = float(np.median(seconds(lambda: a_run(given, SETTINGS, 0), 5)))

    def loop(basis: np.ndarray | None) -> tuple[np.ndarray, float]:
        dice = np.random.default_rng(0)
        return timed(lambda: reference_rows(given.objectives, given.points, regions, SETTINGS, dice, basis))

    theirs, same_root = loop(None)
    jitter = 1e-9 * np.eye(len(given.points))
    dense = loop(np.linalg.cholesky(covariance(SETTINGS.kernel, given.points, given.points) + jitter))[1]
    same = all(
        (mine.queries == rows).all()
        for mine, rows in zip(a_run(given, SETTINGS, 0), theirs[SETTINGS.initial :], strict=True)
    )
    rng = np.random.default_rng(1)
    rows = rng.choice(len(given.points), SETTINGS.initial + SETTINGS.iterations // 2, replace=False)
    steps = seconds(lambda: textbook_step(given.points, SETTINGS, rows, given.objectives[0, rows], rng), TEXTBOOK_STEPS)
    textbook = float(np.median(steps)) * len(given.objectives) * SETTINGS.iterations
    print(f"N = 200, n = 1000: privbo_core {ours:.3f} s a run; a loop over agents")
    for name, taken in (
        ("drawing from the n×n posterior covariance (scaled up)", textbook),
        ("conditioning draws from the n×n Cholesky factor", dense),
        (f"conditioning draws from our low-rank root (same rows: {same})", same_root),
    ):
        print(f"  {name:<62}{taken:8.2f} s  ratio {taken / ours:6.0f}")


def both_cores() -> None:
    """Print the time per run when several runs share the cores, as the page does."""
    runs = 8
    for dimensions, name in ((1, "n = 1000, d = 1"), (2, "n = 1024, d = 2")):
        given = problem(200, dimensions)
        settings = replace(SETTINGS, kernel=given.kernel)
        one = lambda run, stop, given=given, settings=settings: a_run(given, settings, run)[-1].t  # noqa: E731
        _, taken = timed(lambda one=one: list(in_order(one, range(runs))))
        print(f"  {runs} runs at once, N = 200, {name}: {taken / runs:.3f} s a run")


def curve() -> None:
    noises = iter(np.linspace(1.0, 2.0, 101))
    taken = float(np.median(seconds(lambda: epsilon_curve(0.25, float(next(noises)), 100, 200**-1.1), 100)))
    print(f"ε(T) by moments for T = 1 … 100: {1e3 * taken:.2f} ms")
    allow("the live privacy curve", taken, 0.005)


if __name__ == "__main__":
    list(in_order(lambda item, stop: item, range(1)))  # from here on, one thread for linear algebra
    curve()
    scaling()
    against_loops()
    both_cores()
    sys.exit(ended())
