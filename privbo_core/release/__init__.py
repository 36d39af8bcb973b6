"""DP-BO: private release of a tuned setting and its score (Kusner, Gardner, Garnett, Weinberger, ICML 2015).

The chances of each setting to be published are exact; nothing is drawn here:

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
"""

from privbo_core.release.draw import Drawn, Plan, draw
from privbo_core.release.lipschitz import Lipschitz, lipschitz
from privbo_core.release.neighbours import Movement, compare, removals
from privbo_core.release.noise_free import NoiseFree, noise_free
from privbo_core.release.noisy import Noisy, noisy
from privbo_core.release.prior import Coverage, Look, Share, coverage, sample_pair, two_task_roots
from privbo_core.release.search import GammaKind, Search, Tuning, optimise
from privbo_core.release.selection import Selection, Way, choosing, random_rows, selection, source_of
from privbo_core.release.simulated import SimulatedReleases, simulated_releases
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

__all__ = ["BestOfTries", "Bound", "Coverage", "Drawn", "GammaKind", "Lipschitz", "Look", "Movement", "NoiseFree"]
__all__ += ["Noisy", "Plan", "Premises", "Search", "Selection", "Share", "SimulatedReleases", "Term", "Tuning"]
__all__ += ["Variant", "Way"]
__all__ += ["best_of_tries", "choosing", "compare", "coverage", "dataset_term", "draw", "exact_regret", "lipschitz"]
__all__ += ["mean_regret", "noise_free", "noise_term", "noisy", "optimise", "random_rows", "range_term", "record_term"]
__all__ += ["regret_constant", "removals", "sample_pair", "selection", "simulated_releases", "source_of", "theorem_1"]
__all__ += ["theorem_2", "theorem_3", "theorem_4", "theorem_5", "theorem_6", "theorem_7", "theorem_8", "two_task_roots"]
