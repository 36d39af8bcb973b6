"""DP-BO: private release of a tuned setting and its score (Kusner, Gardner, Garnett, Weinberger, ICML 2015).

A plan has the exact probability of publishing each setting, and draws nothing:

>>> import numpy as np
>>> import privbo_core as pb
>>> grid = np.linspace(0, 3, 61)[:, None]
>>> scores = np.sin(2 * grid[:, 0])
>>> kernel = pb.gp.SquaredExponential(lengthscale=0.5)
>>> options = {"kernel": kernel, "iterations": 20, "delta": 0.05, "rng": np.random.default_rng(0)}
>>> search = pb.release.optimise(grid, scores, sigma=0.1, **options)
>>> plan = pb.release.noisy(search, epsilon=1.0, k1=0.9)  # Algorithm 1
>>> print(round(float(plan.choice.probabilities.sum()), 6), plan.guarantee().status.value)
1.0 the paper's claim
>>> exact = pb.release.optimise(grid, scores, sigma=0.0, **options)
>>> print(pb.release.noise_free(exact, epsilon=1.0, k1=0.9, A=1.0, tau=0.1).epsilon)  # Algorithm 2
1.0
>>> task = pb.data.tuning_task("logistic")
>>> best = pb.release.lipschitz(task.scores, loss=task.loss, records=task.records, epsilon=1.0)  # Algorithm 3
>>> print(best.epsilon, best.delta)
1.0 0.0
>>> chosen = pb.release.selection(task.scores, records=task.records, epsilon=1.0)  # private selection: no prior
>>> print(chosen.guarantee(1).epsilon, chosen.guarantee(1).status.value)
1.0 proven

Make a real draw of the best setting of a table of scores, from any tuning tool (`docs/tuning.md` lists the limits):

>>> import pandas as pd
>>> table = pd.DataFrame({"C": [0.01, 0.1, 1.0, 10.0], "score": [0.61, 0.74, 0.83, 0.79]})
>>> scores = pb.release.read_scores(table, parameters=["C"], score_range=(0, 1), records=2000, decimals=2)
>>> print(pb.release.publish_best(scores, epsilon=1.0).setting["C"] in (0.01, 0.1, 1.0, 10.0))
True
>>> tries = pb.privacy.tries.TruncatedNegativeBinomial.of_mean(eta=1.0, mean=10.0)
>>> best = pb.release.publish_tries(scores, epsilon=1.0, tries=tries)
>>> print(best.guarantee.epsilon, best.guarantee.delta)
1.0 1e-05
"""

from privbo_core.release.design import Design, Mechanism
from privbo_core.release.draw import Drawn, Plan, draw
from privbo_core.release.lipschitz import Lipschitz, lipschitz, restrict, unmet_constants
from privbo_core.release.neighbours import Movement, compare, removals
from privbo_core.release.noise_free import NoiseFree, noise_free
from privbo_core.release.noisy import Noisy, noisy
from privbo_core.release.prior import Coverage, Look, Share, coverage, prior_task, sample_pair, two_task_roots
from privbo_core.release.publication import Constant, Publication
from privbo_core.release.publish import Published, Unscored, publish_best, publish_tries, tries_guarantee
from privbo_core.release.score_tables import read_scores
from privbo_core.release.scores import Kind, Scores, Setting
from privbo_core.release.search import GammaKind, Search, Tuning, optimise
from privbo_core.release.selection import Selection, Way, choosing, random_rows, selection, source_of
from privbo_core.release.simulated import SimulatedReleases, simulated_releases
from privbo_core.release.table_task import TableTask, task_from_scores
from privbo_core.release.theory import (
    Bound,
    Premises,
    Term,
    Variant,
    dataset_term,
    exact_regret,
    mean_regret,
    noise_term,
    range_term,
    record_term,
    regret_constant,
    theorem_1,
    theorem_2,
    theorem_3,
    theorem_4,
    theorem_5,
    theorem_6,
    theorem_7,
    theorem_8,
)
from privbo_core.release.tries import BestOfTries, best_of_tries

__all__ = ["BestOfTries", "Bound", "Constant", "Coverage", "Design", "Drawn", "GammaKind", "Kind"]
__all__ += ["Lipschitz", "Look", "Mechanism", "Movement", "NoiseFree", "Noisy", "Plan", "Premises"]
__all__ += ["Publication", "Published", "Scores", "Search", "Selection", "Setting", "Share"]
__all__ += ["SimulatedReleases", "TableTask", "Term", "Tuning", "Unscored", "Variant", "Way", "best_of_tries"]
__all__ += ["choosing", "compare", "coverage", "dataset_term", "draw", "exact_regret", "lipschitz"]
__all__ += ["mean_regret", "noise_free", "noise_term", "noisy", "optimise", "prior_task", "publish_best"]
__all__ += ["publish_tries", "random_rows", "range_term", "read_scores", "record_term", "regret_constant"]
__all__ += ["removals", "restrict", "sample_pair", "selection", "simulated_releases", "source_of", "task_from_scores"]
__all__ += ["theorem_1", "theorem_2", "theorem_3", "theorem_4", "theorem_5", "theorem_6", "theorem_7"]
__all__ += ["theorem_8", "tries_guarantee", "two_task_roots", "unmet_constants"]
