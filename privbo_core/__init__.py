"""PrivBO's engine: private Bayesian optimisation without a screen.

The packages, from the ground up (imports only go downwards):

    outsourced, release     PO-GP-UCB and DP-BO, one package per published system
    privacy                 guarantees as values, noise mechanisms and the two doors that noise comes through
    bo                      the search loop, policies, traces and regret, information gain
    data                    problems and tuning tasks: points, objective, names and units
    gp                      kernels, the posterior on a finite domain, maximum likelihood
    errors                  the sentences that bad input gets
"""

from privbo_core import bo, data, gp, outsourced, privacy, release
from privbo_core.errors import DataError

__all__ = ["DataError", "bo", "data", "gp", "outsourced", "privacy", "release"]
