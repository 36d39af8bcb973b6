"""Domains, outcomes and models to search with, as hypothesis draws them."""

import numpy as np
from hypothesis import strategies as st

import privbo_core as pb

KERNELS = st.sampled_from(
    [pb.gp.SquaredExponential(1.0), pb.gp.SquaredExponential(0.05, 4.0), pb.gp.Matern52(2.0), pb.gp.Matern52(0.3, 0.5)]
)


@st.composite
def problems(draw, most_runs=1):
    """Points (some there twice, on a lattice or in one place), each run's values, the model, and starting rows."""
    seed, n, d, runs = (draw(st.integers(*ends)) for ends in ((0, 10**6), (12, 400), (1, 4), (1, most_runs)))
    rng = np.random.default_rng(seed)
    spread = rng.standard_normal((n, d)) * 2
    rows = {"spread": range(n), "twice": rng.integers(0, max(2, n // 4), n), "one place": [0] * n}
    kind = draw(st.sampled_from([*rows, "lattice"]))
    points = rng.integers(-2, 3, (n, d)).astype(float) if kind == "lattice" else spread[rows[kind]]
    scatter = draw(st.sampled_from([0.0, 0.3, 1.0]))
    values = np.sin(points.sum(axis=1)) + scatter * rng.standard_normal((runs, n))
    model = {
        "kernel": draw(KERNELS),
        "noise_variance": draw(st.sampled_from([1e-5, 1e-2, 1.0])),
        "nugget": draw(st.sampled_from([0.0, 0.3])),
        "rule": pb.bo.UpperBound(0.05, draw(st.sampled_from([1.0, 0.2])), draw(st.booleans())),
        "iterations": min(n - 4, 20),
    }
    return points, values, model, rng.integers(0, n, (runs, seed % 4)).tolist()
