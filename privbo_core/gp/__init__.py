"""Gaussian processes on a finite set of points."""

from privbo_core.gp.explained import Explained, explained_share
from privbo_core.gp.features import prior_draws, random_features, root
from privbo_core.gp.fit import Fit, fit, fitting
from privbo_core.gp.kernels import Kernel, Matern52, SquaredExponential, squared_distances
from privbo_core.gp.posterior import Posterior

__all__ = [
    "Explained",
    "Fit",
    "Kernel",
    "Matern52",
    "Posterior",
    "SquaredExponential",
    "explained_share",
    "fit",
    "fitting",
    "prior_draws",
    "random_features",
    "root",
    "squared_distances",
]
