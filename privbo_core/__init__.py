"""PrivBO's engine: private Bayesian optimisation without a screen.

The packages, from the ground up (imports only go downwards):

    promises                the guarantee of each release, and its status
    experiments             the papers' tables and figures as data, and a runner that reproduces them
    audit                   attacks, and empirical lower bounds on ε, against any mechanism
    sklearn, optuna         private tuning in these two tools, for `import privbo_core.sklearn`
    tradeoff                cost and regret against ε for each mechanism of a task, solved both ways
    diagnostics             tests of whether a search on a table can succeed
    outsourced, release,    PO-GP-UCB, DP-BO, DP-FTS-DE: one package per published system
    federated
    privacy                 guarantees as values, noise mechanisms, accounting for repeated use, registered deployments
    bo                      the search loop, policies, traces and regret, information gain
    data                    problems and tuning tasks: points, objective, names and units
    gp                      kernels, the posterior on a finite domain, maximum likelihood
    errors                  checks of arguments, with helpful messages
    terminal                output and interruption of commands
    about                   versions, and the folder of the samples
"""

from privbo_core.terminal import handle_early_interrupts

handle_early_interrupts()

from importlib import import_module  # noqa: E402 - after the handler for Ctrl-C
from typing import TYPE_CHECKING, Any  # noqa: E402

from privbo_core.about import VERSION  # noqa: E402
from privbo_core.errors import DataError  # noqa: E402

if TYPE_CHECKING:
    from privbo_core import (
        audit,
        bo,
        data,
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
__all__ += ["__version__", "audit", "bo", "data", "diagnostics", "experiments"]
__all__ += ["federated", "gp", "outsourced", "privacy", "promises", "release", "tradeoff"]


def __getattr__(name: str) -> Any:  # noqa: ANN401 - a package of the engine
    """Load a package when it is first used, so that using one does not wait for the others."""
    if name == "worth":  # Its name in version 1.0.0.
        name = "diagnostics"
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return import_module(f"{__name__}.{name}")


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
