"""Does a guarantee hold? Attacks that tell neighbours apart or rebuild records, and lower bounds on ε from trials.

An audit refutes a claim or fails to; it never proves one.
"""

from privbo_core.audit.canary import canary
from privbo_core.audit.lower_bound import (
    Audited,
    LowerBound,
    epsilon_lower_bound,
    gaussian_lower_bound,
    strongest_bound,
    strongest_gaussian_bound,
)
from privbo_core.audit.outsourced import (
    Reconstruction,
    column_space,
    column_space_attack,
    column_space_test,
    membership_attack,
    reconstruct,
)
from privbo_core.audit.selection import ChoiceLoss, prior_losses, task_losses
from privbo_core.audit.trials import in_portions, move_one, portions, recorded, spread_rows

__all__ = [
    "Audited",
    "ChoiceLoss",
    "LowerBound",
    "Reconstruction",
    "canary",
    "column_space",
    "column_space_attack",
    "column_space_test",
    "epsilon_lower_bound",
    "gaussian_lower_bound",
    "in_portions",
    "membership_attack",
    "move_one",
    "portions",
    "prior_losses",
    "reconstruct",
    "recorded",
    "spread_rows",
    "strongest_bound",
    "strongest_gaussian_bound",
    "task_losses",
]
