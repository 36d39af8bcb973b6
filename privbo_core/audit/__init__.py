"""Test guarantees by attacks that tell neighbours apart or rebuild records, and by lower bounds on ε from trials.

An audit refutes a claim or fails to refute it. It never proves one.

The column-space test identifies the table behind the paper's projection, and known records reveal all others:

>>> import numpy as np
>>> import privbo_core as pb
>>> rng = np.random.default_rng(0)
>>> table = rng.normal(size=(500, 3)) * 20
>>> neighbour = table.copy()
>>> neighbour[0] += (1, 0, 0)
>>> release = pb.outsourced.curate(table, 3.0, 1e-5, 10, rng)
>>> print(pb.audit.column_space_test(release, table) < 1e-12, pb.audit.column_space_test(release, neighbour) > 1e-6)
True True
>>> rebuilt = pb.audit.reconstruct(release, known_rows=range(4), known_points=table[:4])
>>> print(rebuilt.learned, np.abs(rebuilt.points - table).max() < 1e-6)
3 True

A lower bound on ε for any mechanism, here one that claims ε = 1 with half the noise it needs:

>>> def mechanism(value, trials, rng):
...     return value + rng.laplace(0.0, 0.5, trials)
>>> found = pb.audit.epsilon_lower_bound(mechanism, 0.0, 1.0, 0.0, 20_000, 0.95, rng)
>>> print(found.epsilon > 1.5, found.verdict(1.0), found.verdict(2.0))
True refuted not refuted

The same audit while somebody watches. Every look at it may be believed, and a run that was stopped can go on:

>>> attack = pb.audit.attack_known_noise("laplace", epsilon=1.0, delta=0.0, share=0.5)
>>> for progress in pb.audit.run(attack, total=20_000):
...     if progress.refutes(1.0):
...         break
>>> print(progress.complete, progress.epsilon > 1.0)
False True
"""

from privbo_core.audit.attacks import (
    NoiseShape,
    Projection,
    attack_broadcasts,
    attack_by_reconstruction,
    attack_column_space,
    attack_known_noise,
    attack_noisy_release,
    attack_score,
    known_rows,
    known_scale,
    most_telling_record,
    move_inwards,
    reconstruction_attack,
)
from privbo_core.audit.federated import canary, model_attack, server_canary
from privbo_core.audit.least_error import LeastError, least_error
from privbo_core.audit.lower_bound import (
    Audited,
    LowerBound,
    epsilon_lower_bound,
    gaussian_lower_bound,
    in_portions,
    judged,
    move_one,
    portions,
    spread_rows,
    strongest_bound,
    strongest_gaussian_bound,
)
from privbo_core.audit.outsourced import (
    Reconstruction,
    column_space,
    column_space_attack,
    column_space_test,
    frame_attack,
    likelihood_ratio_attack,
    membership_attack,
    reconstruct,
)
from privbo_core.audit.release import (
    ChoiceLoss,
    ScoreChange,
    TriesLoss,
    adversarial_scores,
    lipschitz_changes,
    prior_losses,
    published_score,
    ramp_pair,
    score_changes,
    selected,
    selection_loss,
    task_losses,
    tries_loss,
    tuned_score,
)
from privbo_core.audit.running import Attack, Progress, run
from privbo_core.release import Look

__all__ = [
    "Attack",
    "NoiseShape",
    "Progress",
    "Projection",
    "attack_broadcasts",
    "attack_by_reconstruction",
    "attack_column_space",
]
__all__ += ["attack_known_noise", "attack_noisy_release", "attack_score", "known_rows", "known_scale"]
__all__ += ["most_telling_record", "move_inwards", "reconstruction_attack", "run"]
__all__ += ["Audited", "ChoiceLoss", "LeastError", "Look", "LowerBound", "Reconstruction", "ScoreChange"]
__all__ += ["TriesLoss", "adversarial_scores", "canary", "column_space", "column_space_attack", "column_space_test"]
__all__ += ["epsilon_lower_bound", "frame_attack", "gaussian_lower_bound", "in_portions", "judged", "least_error"]
__all__ += ["likelihood_ratio_attack", "lipschitz_changes", "membership_attack", "model_attack", "move_one", "portions"]
__all__ += ["prior_losses", "published_score", "ramp_pair", "reconstruct", "score_changes"]
__all__ += ["selected", "selection_loss", "server_canary", "spread_rows", "strongest_bound", "strongest_gaussian_bound"]
__all__ += ["task_losses", "tries_loss", "tuned_score"]
