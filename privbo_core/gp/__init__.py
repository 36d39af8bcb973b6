"""Gaussian processes on a finite set of points.

`Posterior` covers all points and is updated one observation at a time:

>>> import numpy as np
>>> import privbo_core as pb
>>> points = np.linspace(0, 1, 101)[:, None]
>>> posterior = pb.gp.Posterior(points, pb.gp.SquaredExponential(lengthscale=0.2), noise_variance=0.01)
>>> posterior.observe(50, 1.0)  # at 0.5
>>> print(posterior.mean[[50, 60, 0]].round(2), posterior.variance[[50, 60, 0]].round(2))
[0.99 0.87 0.04] [0.01 0.23 1.  ]

`fit` chooses hyperparameters by maximum likelihood, for either kernel:

>>> outcomes = np.sin(6 * points[:, 0])
>>> kernel, noise_variance, lengthscales = pb.gp.fit(points, outcomes, family=pb.gp.Matern52)
>>> print(kernel == pb.gp.Matern52(1.0, kernel.variance), noise_variance < 1e-3, lengthscales[0] > 0.2)
True True True
"""

from privbo_core.gp.features import prior_draws, random_features, root
from privbo_core.gp.fit import Fit, fit, fitting
from privbo_core.gp.kernels import Kernel, Matern52, SquaredExponential, squared_distances
from privbo_core.gp.posterior import Posterior

__all__ = ["Fit", "Kernel", "Matern52", "Posterior", "SquaredExponential"]
__all__ += ["fit", "fitting", "prior_draws", "random_features", "root", "squared_distances"]
