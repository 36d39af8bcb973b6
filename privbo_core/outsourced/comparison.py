"""The results of several policies in the same runs, and the differences between them."""

from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cache
from typing import Literal, NamedTuple, get_args

import numpy as np

from privbo_core.bo import CONFIDENCE, Band, Difference, ExtraSteps, Trace, band
from privbo_core.bo.steps import enough_for_half, first_reached, resampled_runs
from privbo_core.errors import Array

Baseline = Literal["local", "neighbour"]
"""A further search to compare a release with. "local" searches a release in which every person adds the noise to their
own record (`Simulation.local_release`). "neighbour" searches the noisy release without a model, and always chooses the
nearest row to the best one so far."""
Policy = Literal["private", "noisy", "plain", "noiseless", "random", "local", "neighbour"]
"""A search. "private" and "noisy" search a release (`Mechanism`), and "local" and "neighbour" are each a `Baseline`.
"plain" is the data holder's own search, with the model fitted to the data. "noiseless" has the column settings and the
`Belief` of "noisy", but searches the rows without noise. "random" is random search."""
Mechanism = Literal["private", "noisy"]
"""The release that the analyst gets: the paper's random projection (Algorithm 1), or the noisy release."""
Measure = Literal["simple", "cumulative", "rank"]
"""The quantity that is compared: simple or cumulative regret in units of σ_y, or the rank of the best row found, where
1 is the best of all."""


class Typical(NamedTuple):
    """The median of the runs, and an interval that contains the median of all possible runs 95 times in 100.

    Each is an array over the iterations, or a number. The interval lies between two order statistics, so it holds for
    any distribution. With fewer than six runs it extends from the smallest to the largest, and contains the median less
    often.
    """

    median: Array | float
    low: Array | float
    high: Array | float


@dataclass(frozen=True, eq=False)
class Comparison:
    """The finished runs of each `Policy`. Run k of every policy has the same initial rows and the same noise.

    Methods return regrets in units of σ_y. A policy that was not asked for has no runs. ``plain`` and ``noiseless``
    have none if no release is compared with them.
    """

    private: tuple[Trace, ...]
    plain: tuple[Trace, ...]
    random: tuple[Trace, ...]
    sigma_y: float
    noisy: tuple[Trace, ...] = ()
    noiseless: tuple[Trace, ...] = ()
    local: tuple[Trace, ...] = ()
    neighbour: tuple[Trace, ...] = ()

    @property
    def runs(self) -> int:
        """The number of runs that each policy has finished."""
        return len(self.random)

    def head(self, runs: int) -> "Comparison":
        """Return the comparison of the first ``runs`` runs, or of all if there are fewer."""
        return replace(self, **{policy: getattr(self, policy)[:runs] for policy in get_args(Policy)})

    def curves(self, policy: Policy, measure: Measure = "simple") -> Array:
        """Return a policy's measure after each iteration of each run, runs×T."""
        traces: tuple[Trace, ...] = getattr(self, policy)
        return np.array([measured(trace, measure, self.sigma_y) for trace in traces])

    def band(self, policy: Policy, measure: Measure = "simple") -> Band:
        """Return the mean and the standard error of a measure after each iteration. For ranks, use `typical_ranks`."""
        return band(list(self.curves(policy, measure)))

    def ranks(self, policy: Policy) -> Array:
        """Return the rank of the best row found so far, runs×T, or NaN where the objective is unknown."""
        return self.curves(policy, "rank")

    def typical_ranks(self, policy: Policy) -> Typical:
        """Return the median rank of the runs after each iteration, with its interval, as arrays of length T."""
        ordered = np.sort(self.ranks(policy), axis=0)
        runs = len(ordered)
        # The interval from the k-th least to the k-th largest misses the median w.p. ≤ 2 P(Bin(runs, ½) < k).
        k = max(1, fair_quantile(0.5 * (1.0 - CONFIDENCE), runs))
        return Typical(np.median(ordered, axis=0), ordered[k - 1], ordered[runs - k])

    def typical_rank(self, policy: Policy) -> Typical:
        """Return the median rank after the last iteration, with its interval."""
        ranks = self.typical_ranks(policy)
        return Typical(*(float(np.asarray(each)[-1]) for each in ranks))

    @property
    def mechanisms(self) -> tuple[Mechanism, ...]:
        """The releases that were asked for."""
        return tuple(mechanism for mechanism in get_args(Mechanism) if getattr(self, mechanism))

    @property
    def references(self) -> tuple[Policy, ...]:
        """The searches without privacy that the releases are compared with."""
        candidates: tuple[Policy, ...] = ("plain", "noiseless")
        return tuple(policy for policy in candidates if getattr(self, policy))

    @property
    def baselines(self) -> tuple[Baseline, ...]:
        """The baselines that were asked for."""
        return tuple(baseline for baseline in get_args(Baseline) if getattr(self, baseline))

    def reference(self, mechanism: Mechanism) -> Policy:
        """Return the search without privacy with which a release is compared (`Simulation.reference`)."""
        return "noiseless" if mechanism == "noisy" and self.noiseless else "plain"

    def extra(self, measure: Measure = "simple", mechanism: Mechanism = "private") -> Band:
        """Return the cost of privacy after each iteration: its measure minus the `reference`'s, paired by run."""
        return band(list(self.curves(mechanism, measure) - self.curves(self.reference(mechanism), measure)))

    def cost(self, mechanism: Mechanism, measure: Measure = "simple") -> Difference:
        """Return the cost of privacy after the last iteration (see `extra`)."""
        return self.difference(mechanism, self.reference(mechanism), measure)

    def lead(self, policy: Policy, measure: Measure = "simple") -> Difference:
        """Return random search's measure after the last iteration minus a policy's, paired by run.

        If it is above 0, the policy is better than random search.
        """
        return self.difference("random", policy, measure)

    def difference(self, one: Policy, other: Policy, measure: Measure = "simple") -> Difference:
        """Return one policy's measure after the last iteration minus another's, paired by run."""
        return Difference.of((self.curves(one, measure) - self.curves(other, measure))[:, -1])

    def extra_evaluations(self, mechanism: Mechanism, rank: int) -> ExtraSteps:
        """Return the evaluations until a row of this rank or better is found, for a release and for its `reference`.

        Each number is enough for half of the runs. The rank must not depend on the searches (`pb.data.rank_sought`), so
        that all of them have the same target. If the objective is unknown, no search reaches it.
        """
        private_ranks, plain_ranks = self.ranks(mechanism), self.ranks(self.reference(mechanism))
        private, plain = first_reached(private_ranks, rank), first_reached(plain_ranks, rank)
        runs, limit = private_ranks.shape
        resampled = resampled_runs(runs)
        return ExtraSteps.resampled(enough_for_half(private[resampled]), enough_for_half(plain[resampled]), limit, runs)


def measured(trace: Trace, measure: Measure, sigma_y: float) -> Array:
    """Return a measure of a trace after each iteration. Regrets are in units of σ_y, and unknown ranks are NaN."""
    if measure == "rank":
        return np.where(trace.rank > 0, trace.rank.astype(float), np.nan)
    regret = trace.simple_regret if measure == "simple" else trace.cumulative_regret
    return regret / sigma_y


@cache
def fair_quantile(share: float, tosses: int) -> int:
    """Return the least k with P(Bin(``tosses``, ½) ≤ k) ≥ ``share``, in exact arithmetic.

    It counts how many of the 2**tosses sequences have at most k heads. `scipy.stats.binom.ppf` gives the same result,
    but takes a third of a second to import.
    """
    required = Fraction(share) * 2**tosses
    k, with_k_heads, with_at_most_k_heads = 0, 1, 1
    while with_at_most_k_heads < required:
        with_k_heads = with_k_heads * (tosses - k) // (k + 1)
        k += 1
        with_at_most_k_heads += with_k_heads
    return k
