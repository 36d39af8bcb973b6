"""Kernels, posterior, fit and random features."""

import numpy as np

import privbo_core as pb
from privbo_core.gp.kernels import covariance
from tests.golden.kinds import few, sketch

KERNELS = {
    "squared exponential": pb.gp.SquaredExponential(0.7, 1.8),
    "Matern52": pb.gp.Matern52(0.7, 1.8),
}


def entries():
    points, y = observed()
    for name, kernel in KERNELS.items():
        where = f"gp/{name}"
        squared = np.array([0.0, 1e-6, 0.3, 2.0, 40.0])
        yield f"{where}/profile", kernel.profile(squared.copy())
        yield f"{where}/slope", kernel.slope(squared.copy())
        yield f"{where}/covariance", sketch(covariance(kernel, points[:20], points[20:50]))
        yield from posterior(where, kernel, points, y)
        yield from fitted(where, type(kernel), points, y)
        for features in (20, 300):
            drawn = pb.gp.random_features(points, kernel, features, np.random.default_rng(3))
            yield f"{where}/random features/{features}", sketch(drawn)
        yield f"{where}/prior draws", sketch(pb.gp.prior_draws(points, kernel, 3, np.random.default_rng(4)))
        root = pb.gp.root(points, kernel)
        yield f"{where}/root", sketch(root @ root.T)
    yield "gp/squared distances", sketch(pb.gp.squared_distances(points[:9], points[9:30]))


def observed():
    """Return 60 points in the plane and a noisy wave on them."""
    rng = np.random.default_rng(0)
    points = rng.uniform(-2.0, 2.0, (60, 2))
    return points, np.sin(2.0 * points[:, 0]) + 0.5 * points[:, 1] + 0.1 * rng.standard_normal(60)


def posterior(where, kernel, points, y):
    for nugget in (0.0, 0.2):
        belief = pb.gp.Posterior(points, kernel, 0.05, nugget=nugget)
        for row in (3, 40, 3, 17):
            belief.observe(row, y[row])
        yield f"{where}/posterior/{nugget}/mean", [few(belief.mean, 6), sketch(belief.mean)]
        yield f"{where}/posterior/{nugget}/variance", [few(belief.variance, 6), sketch(belief.variance)]
        belief.observe_all(list(range(20)), y[:20])
        yield f"{where}/posterior/{nugget}/more", [sketch(belief.mean), sketch(belief.variance)]
    draw = pb.gp.prior_draws(points, kernel, 1, np.random.default_rng(1))[0]
    yield f"{where}/posterior/draw", sketch(belief.conditioned(draw, np.random.default_rng(2)))


def fitted(where, family, points, y):
    how = {"family": family, "restarts": 3, "subset": 50, "rng": np.random.default_rng(6)}
    *_, last = pb.gp.fitting(points, y, **how)
    best = last.best
    yield f"{where}/fit/log likelihood", last.log_likelihood
    yield f"{where}/fit/hyperparameters", [best.kernel.lengthscale, best.kernel.variance, best.noise_variance]
    yield f"{where}/fit/length-scales", best.lengthscales
    yield f"{where}/fit/steps", [last.done, last.restarts, last.subset]
