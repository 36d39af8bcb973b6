"""Algorithm 2: release the best setting and its score after a search with exact observations."""

from dataclasses import dataclass, replace

from privbo_core.bo import beta
from privbo_core.privacy import Condition, Exponential, Guarantee, Laplace
from privbo_core.release import theory
from privbo_core.release.noisy import prior_guarantee
from privbo_core.release.search import Search
from privbo_core.release.theory import Bound, Premises, Variant

SCORE_CONDITION = Condition(
    "A and τ are right",
    "The noise of the published score depends on A and τ, which describe how sharply f peaks at its maximum. Nobody "
    "knows these two numbers. If the search moves further after T steps than they allow, the score's ε does not hold. "
    "Even under the assumed prior, that happens far more often than δ allows. The setting does not depend on A and τ. "
    "A and τ come from a theorem about a branch-and-bound search (de Freitas, Smola, Zoghi 2012). The search here is "
    "GP-UCB with exact observations, a different method to which that theorem does not apply.",
)
"""The condition of Algorithm 2's score in addition to the prior."""


@dataclass(frozen=True, eq=False)
class NoiseFree:
    """The plan of Algorithm 2: its constants, and the distributions of λ̃ and f̃.

    ``c`` is computed with log(2|Λ|/δ). ``omega`` is A exp(−Tτ/(log T)^{d/4}) in the ICML paper, and the same with T = 2
    in the workshop paper. ``best`` is the protected number: f(λ_T), the *last* sample [ICML], or max_{t≥2} f(λ_t)
    [workshop]. ``choice`` is Algorithm 1's line 12, which the paper keeps for exact observations. Only a draw may be
    published. The rest is for the data holder alone.
    """

    search: Search
    epsilon: float
    k1: float
    A: float
    tau: float
    variant: Variant
    c: float
    omega: float
    choice: Exponential
    best: float
    value: Laplace

    @property
    def delta(self) -> float:
        """The δ of each release alone."""
        return self.search.delta

    def at(self, epsilon: float) -> "NoiseFree":
        """Return this plan at another ε, in O(1), because the search is reused."""
        return noise_free(self.search, epsilon=epsilon, k1=self.k1, A=self.A, tau=self.tau, variant=self.variant)

    def bounds(self, a: float) -> tuple[Bound, Bound, Bound, Bound]:
        """Return Theorems 1, 2, 5 and 6 for this plan, in O(1)."""
        given = Premises(self.search.n, self.search.iterations, self.delta, self.k1, self.variant)
        d, A, tau, epsilon = self.search.dimension, self.A, self.tau, self.epsilon
        return (
            theory.theorem_1(given),
            theory.theorem_2(given, epsilon=epsilon, a=a),
            theory.theorem_5(given, d=d, A=A, tau=tau),
            theory.theorem_6(given, d=d, A=A, tau=tau, epsilon=epsilon, a=a),
        )

    def guarantee(self, released: int = 2) -> Guarantee:
        """Return the paper's claim for one release (Corollary 1 or 3), or for both λ̃ and f̃: (2ε, 2δ).

        Corollary 1, about λ̃, rests on the prior. Corollary 3, about f̃, also rests on A and τ (`SCORE_CONDITION`).
        """
        source = "Algorithm 1 (for λ̃) and Algorithm 2, Corollaries 1 and 3"
        claimed = prior_guarantee(self.epsilon, self.delta, released, source, self.variant)
        return replace(claimed, conditions=(*claimed.conditions, SCORE_CONDITION))


def noise_free(
    search: Search, *, epsilon: float, k1: float, A: float, tau: float, variant: Variant = "icml"
) -> NoiseFree:
    """Set up Algorithm 2's release after an exact ``search`` (`optimise` with σ = 0). Takes O(1) after the search.

    ``A`` and ``tau`` are the constants of de Freitas et al. (2012), Theorem 2. They describe f near its maximum, and
    the caller has to supply them. Raises ValueError for parameters out of range and for a search with noise.
    """
    if search.sigma != 0:
        raise ValueError(f"search has sigma {search.sigma!r}. Algorithm 2 needs exact observations, sigma = 0.")
    n, steps, delta = search.n, search.iterations, search.delta
    c = theory.dataset_term(k1, n, delta, events=2)
    regret = theory.exact_regret(search.dimension, steps, A, tau, theory.check_variant(variant))
    sensitivity = 2.0 * beta(steps + 1, n, delta) ** 0.5 + theory.dataset_term(k1, n, delta)
    return NoiseFree(
        search=search,
        epsilon=epsilon,
        k1=float(k1),
        A=float(A),
        tau=float(tau),
        variant=variant,
        c=c,
        omega=regret,
        choice=Exponential(search.mean, sensitivity, epsilon),
        best=protected(search, variant),
        value=Laplace(regret + c, epsilon),
    )


def protected(search: Search, variant: Variant = "icml") -> float:
    """Return the number that Algorithm 2 publishes with noise: f(λ_T) [ICML] or max_{t≥2} f(λ_t) [workshop]."""
    return float(search.observed[-1] if theory.check_variant(variant) == "icml" else search.observed[1:].max())
