"""The example that the theorems were worked out for by hand, and a small search on a line."""

import numpy as np

import privbo_core as pb

R = pb.release
# Hand-chosen: |Λ| = 150, T = 12, δ = 0.08, k₁ = 0.85, σ = 0.3, γ_T = 4.5, ε = 1.7, a = 2.2, d = 3, A = 0.9, τ = 0.15.
GIVEN = R.Premises(150, 12, 0.08, 0.85)
EXACT = {"d": 3, "A": 0.9, "tau": 0.15}
LOSS = {"slope": 0.25, "largest": 1.0, "records": 40}
WIDE = {"lambda_min": 0.02, "lambda_max": 0.5}


def grid(n=120, length=12.0):
    return np.linspace(0, length, n)[:, None], pb.gp.SquaredExponential(1.0)


def searched(sigma=0.3, n=150, iterations=12, delta=0.08, seed=0, kernel=None):
    points, squared = grid(n)
    how = {"kernel": kernel or squared, "sigma": sigma, "iterations": iterations, "delta": delta}
    return R.optimise(points, np.sin(points[:, 0]), **how, rng=np.random.default_rng(seed))
