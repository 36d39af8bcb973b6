"""PrivBO's engine: private Bayesian optimisation without a screen.

The packages, from the ground up (imports only go downwards):

    outsourced, federated   PO-GP-UCB, DP-FTS-DE: one package per published system
    privacy                 guarantees as values, accounting for repeated use
    bo                      the search loop, policies, traces and regret, information gain
    data                    problems: points, objective, names and units
    gp                      kernels, the posterior on a finite domain, maximum likelihood
    errors                  the sentences that bad input gets
"""

from privbo_core import bo, data, federated, gp, outsourced, privacy
from privbo_core.errors import DataError

__all__ = ["DataError", "bo", "data", "federated", "gp", "outsourced", "privacy"]
