"""How fast a federated run is, by its agents. Run by `make bench`.

Linear algebra has one thread throughout, as it has in the app, whose pool gives each core a run of its own; a single
run of hundreds of agents shares the cores by itself.
"""

import math
import sys

import numpy as np

import privbo_core as pb
from privbo_core.bo.parallel import in_order
from privbo_core.federated import Settings
from tests.benchmarks.allowed import allow, ended, seconds

SETTINGS = Settings(pb.gp.SquaredExponential(0.03), 1e-2, iterations=40, features=50, q=0.25, z=1.0, S=11.0, P=2)
ALLOWED = {200: 0.5, 2000: 3.0}  # Seconds that a run may take, by the number of agents.


def a_run(given: pb.federated.FederatedProblem, settings: Settings, seed: int) -> list[pb.federated.Round]:
    return list(pb.federated.run(given.objectives, given.points, settings, np.random.default_rng(seed)))


def scaling() -> None:
    print(f"A run of DP-FTS-DE, n = 1000, M = {SETTINGS.features}, T = {SETTINGS.iterations}, P = {SETTINGS.P}")
    for agents in (50, 100, 200, 500, 1000, 2000):
        given = pb.federated.synthetic(agents=agents, side=1000, dimensions=1, lengthscale=0.03)
        taken = float(np.median(seconds(lambda given=given: a_run(given, SETTINGS, 0), 5 if agents <= 200 else 3)))
        print(f"  N = {agents:>5}: {taken:7.3f} s a run, {1e3 * taken / agents:6.2f} ms an agent")
        allow(f"a run of {agents} agents", taken, ALLOWED.get(agents, math.inf))


if __name__ == "__main__":
    list(in_order(lambda item, stop: item, range(1)))  # from here on, one thread for linear algebra
    scaling()
    sys.exit(ended())
