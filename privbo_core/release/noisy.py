"""Algorithm 1: release the best setting and its score after a search with noisy observations."""

from dataclasses import dataclass

from privbo_core.bo import beta
from privbo_core.privacy import Condition, Exponential, Guarantee, Laplace, Status
from privbo_core.release import theory
from privbo_core.release.search import GammaKind, Search
from privbo_core.release.theory import Bound, Premises, Variant

PRIOR_CONDITIONS = (
    Condition(
        "the scores are a draw from the assumed prior",
        "The functions f_V of all possible validation sets are one draw from a Gaussian process with known k₁ and k₂ "
        "(Assumption 1). The probabilities in (ε, δ) include that draw, so nothing is guaranteed for one given "
        "dataset.",
    ),
    Condition(
        "the prior was not learned from the records",
        "The kernel, the scale and the noise were not learned from the sensitive records.",
    ),
)
SINGLE_OUTCOMES = (
    "(ε, δ) is claimed for single outcomes, Pr[A(V) = λ] ≤ e^ε Pr[A(V′) = λ] + δ, and not for sets of outcomes.",
)


@dataclass(frozen=True, eq=False)
class Noisy:
    """The plan of Algorithm 1: its constants, and the distributions of λ̃ and ṽ.

    ``beta_T``, ``beta_next`` (β_{T+1}), ``c``, ``q``, ``C1`` and ``gamma`` are the algorithm's constants.
    ``gamma_kind`` is the kind of value that is used for γ_T. ``choice`` is line 12's mechanism over all candidates, at
    Δ = 2√β_{T+1} + c. ``best`` is max v_t, to which line 14's ``value`` adds Laplace noise. Only a draw may be
    published. The rest is for the data holder alone.
    """

    search: Search
    epsilon: float
    k1: float
    variant: Variant
    gamma_kind: GammaKind
    beta_T: float  # noqa: N815 - the paper's letter
    beta_next: float
    c: float
    q: float
    C1: float
    gamma: float
    choice: Exponential
    best: float
    value: Laplace

    @property
    def delta(self) -> float:
        """The δ of each release alone."""
        return self.search.delta

    def at(self, epsilon: float) -> "Noisy":
        """Return this plan at another ε, in O(1), because the search is reused."""
        return noisy(self.search, epsilon=epsilon, k1=self.k1, variant=self.variant, gamma=self.gamma_kind)

    def bounds(self, a: float) -> tuple[Bound, Bound, Bound, Bound]:
        """Return Theorems 1, 2, 3 and 4 for this plan, in O(1)."""
        given = Premises(self.search.n, self.search.iterations, self.delta, self.k1, self.variant)
        sigma, gamma, epsilon = self.search.sigma, self.gamma, self.epsilon
        return (
            theory.theorem_1(given),
            theory.theorem_2(given, epsilon=epsilon, a=a, sigma=sigma),
            theory.theorem_3(given, sigma=sigma, gamma=gamma),
            theory.theorem_4(given, sigma=sigma, gamma=gamma, epsilon=epsilon, a=a),
        )

    def guarantee(self, released: int = 2) -> Guarantee:
        """Return the paper's claim for one release (Corollary 1 or 2), or for both λ̃ and ṽ: (2ε, 2δ)."""
        return prior_guarantee(self.epsilon, self.delta, released, "Algorithm 1, Corollaries 1 and 2", self.variant)


def noisy(search: Search, *, epsilon: float, k1: float, variant: Variant = "icml", gamma: GammaKind = "upper") -> Noisy:
    """Set up Algorithm 1's release after ``search`` (see `optimise`). Takes O(1) after the search.

    ``k1`` = k₁(V, V′) lies in [0, 1]. ``gamma`` chooses the value that is used for γ_T. As γ_T is a maximum, its upper
    bound is the safe choice. σ, δ and T are those of the search. Raises ValueError for parameters out of range and for
    a search without noise (use `noise_free`).
    """
    theory.check_sigma(search.sigma)
    n, steps, delta = search.n, search.iterations, search.delta
    beta_next = beta(steps + 1, n, delta)
    c = theory.dataset_term(theory.check_k1(k1), n, delta)
    q = theory.noise_term(search.sigma, delta, theory.check_variant(variant))
    information = search.gamma(gamma)
    regret = theory.mean_regret(n, steps, delta, search.sigma, information)
    return Noisy(
        search=search,
        epsilon=epsilon,
        k1=float(k1),
        variant=variant,
        gamma_kind=gamma,
        beta_T=beta(steps, n, delta),
        beta_next=beta_next,
        c=c,
        q=q,
        C1=theory.regret_constant(search.sigma),
        gamma=information,
        choice=Exponential(search.mean, 2.0 * beta_next**0.5 + c, epsilon),
        best=float(search.observed.max()),
        value=Laplace(regret + c + q, epsilon),
    )


def prior_guarantee(epsilon: float, delta: float, released: int, source: str, variant: Variant) -> Guarantee:
    """Return the paper's claim for 1 or 2 releases under the Gaussian-process prior. The costs of two add up."""
    version = "ICML 2015" if variant == "icml" else "workshop version"
    if released not in (1, 2):
        raise ValueError(f"released is {released!r}. It must be 1 (the setting or the score) or 2 (both).")
    return Guarantee(
        protects=theory.RECORD,
        against=theory.readers("setting or score"),
        neighbours=theory.NEIGHBOURS,
        epsilon=released * epsilon,
        delta=released * delta,
        assumptions=SINGLE_OUTCOMES,
        status=Status.CLAIMED,
        source=f"Kusner, Gardner, Garnett, Weinberger ({version}), {source}",
        conditions=PRIOR_CONDITIONS,
    )
