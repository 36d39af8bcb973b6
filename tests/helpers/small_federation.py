"""A small federation and its settings, run to the end."""

import numpy as np

import privbo_core as pb
from privbo_core.federated import Settings, run

KERNEL = pb.gp.SquaredExponential(0.2)
SMALL = pb.federated.synthetic(agents=12, side=8, seed=3)
PRIVATE = Settings(KERNEL, 1e-2, iterations=14, initial=4, features=20, q=0.4, z=0.3, S=5.0, P=4, hold=3, fade=6)


def rounds(setting, problem=SMALL, seed=0):
    return list(run(problem.objectives, problem.points, setting, np.random.default_rng(seed)))


def queries(setting, seed=0):
    return np.array([each.queries for each in rounds(setting, seed=seed)])
