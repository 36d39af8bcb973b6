"""The same runs by several policies side by side, and what can be said of their differences."""

from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cache
from typing import Literal, NamedTuple, get_args

import numpy as np

from privbo_core.bo import CONFIDENCE, Band, Difference, ExtraSteps, Trace, band
from privbo_core.bo.steps import enough_for_half, first_reached, resampled_runs
from privbo_core.errors import Array

Baseline = Literal["local", "neighbour"]
"""What a release can be compared with besides. "local": each record hides its whole row by itself
(`Simulation.local_release`). "neighbour": no model; always the nearest row to the best one so far, on the noisy
release."""
Policy = Literal["private", "noisy", "plain", "noiseless", "random", "local", "neighbour"]
"""Who searches. "plain": the owner of the data, with the model fitted to them. "noiseless": the modeler of the noisy
release, with the same frame and belief, but handed the rows without noise."""
Mechanism = Literal["private", "noisy"]
"""What the modeler is given: the paper's projection (Algorithm 1) or the noisy release."""
Measure = Literal["simple", "cumulative", "rank"]
"""What is compared: simple or cumulative regret, in σ_y, or the rank of the best row found (1 is the best of all)."""


class Typical(NamedTuple):
    """A median over runs with an interval that holds the median of all possible runs 95 times in 100.

    Each an array over iterations, or a number. The interval is between two order statistics, for which the runs'
    distribution does not matter; below six runs it is from the least to the largest, and holds it less often.
    """

    median: Array | float
    low: Array | float
    high: Array | float


@dataclass(frozen=True, eq=False)
class Comparison:
    """The same runs by each policy, as far as they have got. Regrets come in units of σ_y, ranks as they are.

    ``private`` or ``noisy`` is empty where that release was not asked for; ``plain`` or ``noiseless`` where no release
    is compared with it; ``local`` and ``neighbour`` where they were not asked for.
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
        """How many runs each policy has finished."""
        return len(self.random)

    def head(self, runs: int) -> "Comparison":
        """Return the first ``runs`` runs alone, or all if there are fewer."""
        return replace(self, **{policy: getattr(self, policy)[:runs] for policy in get_args(Policy)})

    def curves(self, policy: Policy, measure: Measure = "simple") -> Array:
        """Return one policy's measure over the iterations, runs×T."""
        traces: tuple[Trace, ...] = getattr(self, policy)
        return np.array([measured(trace, measure, self.sigma_y) for trace in traces])

    def band(self, policy: Policy, measure: Measure = "simple") -> Band:
        """Return mean and standard error of a measure over the iterations; of ranks see `typical_ranks`."""
        return band(list(self.curves(policy, measure)))

    def ranks(self, policy: Policy) -> Array:
        """Return the rank of the best row found so far, runs×T; NaN where the objective is unknown."""
        return self.curves(policy, "rank")

    def typical_ranks(self, policy: Policy) -> Typical:
        """Return the median rank over the runs after each iteration, with its interval: arrays of length T."""
        ordered = np.sort(self.ranks(policy), axis=0)
        runs = len(ordered)
        # The k-th least and largest leave out the median with probability 2 P(Bin(runs, ½) < k) at most.
        k = max(1, fair_quantile(0.5 * (1.0 - CONFIDENCE), runs))
        return Typical(np.median(ordered, axis=0), ordered[k - 1], ordered[runs - k])

    def typical_rank(self, policy: Policy) -> Typical:
        """Return the median rank at the end, with its interval."""
        return Typical(*(float(np.asarray(each)[-1]) for each in self.typical_ranks(policy)))

    @property
    def mechanisms(self) -> tuple[Mechanism, ...]:
        """The releases that were asked for."""
        return tuple(mechanism for mechanism in get_args(Mechanism) if getattr(self, mechanism))

    @property
    def references(self) -> tuple[Policy, ...]:
        """The searches without privacy that the releases are compared with."""
        both: tuple[Policy, ...] = ("plain", "noiseless")
        return tuple(policy for policy in both if getattr(self, policy))

    @property
    def baselines(self) -> tuple[Baseline, ...]:
        """The further baselines that were asked for."""
        return tuple(baseline for baseline in get_args(Baseline) if getattr(self, baseline))

    def reference(self, mechanism: Mechanism) -> Policy:
        """Return the search without privacy that a release is compared with: see `Simulation.reference`."""
        return "noiseless" if mechanism == "noisy" and self.noiseless else "plain"

    def extra(self, measure: Measure = "simple", mechanism: Mechanism = "private") -> Band:
        """Return what privacy adds over the release's `reference`, run by run: mean and standard error over time."""
        return band(list(self.curves(mechanism, measure) - self.curves(self.reference(mechanism), measure)))

    def cost(self, mechanism: Mechanism, measure: Measure = "simple") -> Difference:
        """Return what privacy adds at the end over the release's `reference`, with an interval of its own (paired)."""
        return self.difference(mechanism, self.reference(mechanism), measure)

    def lead(self, policy: Policy, measure: Measure = "simple") -> Difference:
        """Return by how much chance's measure ends above a policy's, paired: above 0, the policy beats chance."""
        return self.difference("random", policy, measure)

    def difference(self, one: Policy, other: Policy, measure: Measure = "simple") -> Difference:
        """Return one policy's measure at the end less another's in the same runs."""
        return Difference.of((self.curves(one, measure) - self.curves(other, measure))[:, -1])

    def extra_evaluations(self, mechanism: Mechanism, rank: int) -> ExtraSteps:
        """Return the evaluations until a row of this rank or better is found, for a release and for its `reference`.

        Each number is enough for half of the runs. Nothing but the search moves it, since the rank is fixed
        (`pb.data.rank_sought`). Where the objective is unknown, no search gets there.
        """
        private, plain = (first_reached(self.ranks(policy), rank) for policy in (mechanism, self.reference(mechanism)))
        drawn = resampled_runs(len(private))
        limit = self.ranks(mechanism).shape[1]
        with_privacy, without = enough_for_half(private[drawn]), enough_for_half(plain[drawn])
        return ExtraSteps.resampled(with_privacy, without, limit, len(private))


def measured(trace: Trace, measure: Measure, sigma_y: float) -> Array:
    """Return a trace's measure over the iterations: regrets in σ_y; ranks as numbers, NaN where unknown."""
    if measure == "rank":
        return np.where(trace.rank > 0, trace.rank.astype(float), np.nan)
    return (trace.simple_regret if measure == "simple" else trace.cumulative_regret) / sigma_y


@cache
def fair_quantile(share: float, tosses: int) -> int:
    """Return the least k with P(Bin(``tosses``, ½) ≤ k) ≥ ``share``, in whole numbers: 2**tosses outcomes are alike.

    `scipy.stats.binom.ppf` gives the same, but takes a third of a second to import.
    """
    enough, k, ways = Fraction(share) * 2**tosses, 0, 1
    counted = ways
    while counted < enough:
        ways = ways * (tosses - k) // (k + 1)
        k += 1
        counted += ways
    return k
