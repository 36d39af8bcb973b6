"""PrivBO's engine: private Bayesian optimisation without a screen.

The packages, from the ground up (imports only go downwards):

    promises                what each release promises, and how far that can be relied on
    experiments             the papers' tables and figures as data, and the runner that reproduces them
    audit                   attacks, and empirical lower bounds on ε, against any mechanism
    sklearn, optuna         private tuning in these two tools, for `import privbo_core.sklearn`
    deployment              what others deployed, from the public registry of deployments
    tradeoff                regret against ε for every mechanism of a task, solved both ways, and what each ε costs
    diagnostics             whether a table can carry an answer, before any curve
    outsourced, release,    PO-GP-UCB, DP-BO, DP-FTS-DE: one package per published system
    federated
    privacy                 guarantees as values, noise mechanisms and their two doors, accounting for repeated use
    bo                      the search loop, policies, traces and regret, information gain
    data                    problems and tuning tasks: points, objective, names and units
    gp                      kernels, the posterior on a finite domain, maximum likelihood
    errors                  the sentences that bad input gets
    terminal, early         what commands print, and how they end
    about                   the versions, and where the samples lie
"""

from privbo_core.early import watch

watch()

from importlib import import_module  # noqa: E402 - loading takes a second, in which somebody may press Ctrl-C
from typing import TYPE_CHECKING, Any  # noqa: E402

from privbo_core.about import VERSION  # noqa: E402
from privbo_core.errors import DataError  # noqa: E402

if TYPE_CHECKING:
    from privbo_core import (
        audit,
        bo,
        data,
        deployment,
        diagnostics,
        experiments,
        federated,
        gp,
        outsourced,
        privacy,
        promises,
        release,
        tradeoff,
    )

__version__ = VERSION

__all__ = ["DataError"]
__all__ += ["__version__", "audit", "bo", "data", "deployment", "diagnostics", "experiments"]
__all__ += ["federated", "gp", "outsourced", "privacy", "promises", "release", "tradeoff"]


def __getattr__(name: str) -> Any:  # noqa: ANN401 - a package of the engine
    """Load a package when it is first used: whoever needs one waits for no other."""
    if name == "worth":  # what 1.0.0 called it
        name = "diagnostics"
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return import_module(f"{__name__}.{name}")


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
