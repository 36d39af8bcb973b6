"""The constants of Algorithms 1–3 and Theorems 1–8 (Kusner, Gardner, Garnett, Weinberger 2015), term by term.

The letters are the paper's: n = |Λ|, ``k1`` = k₁(V, V′), the prior correlation of f_V and f_V′, σ the standard
deviation of an observation's noise, T = ``iterations``, and ``gamma`` = γ_T in nats. ``a`` > 0 trades a bound for its
probability. The objective has prior variance k₂(λ, λ) = 1, and every value is in its units. ``variant`` chooses the
ICML or the workshop paper where they differ. `Premises` holds the parameters that Theorems 1 to 6 share. All functions
raise ValueError for a parameter out of range, and cost O(1).
"""

import math
from dataclasses import dataclass
from typing import Literal, get_args

from privbo_core.bo import beta
from privbo_core.errors import positive, probability, whole
from privbo_core.privacy import Condition

Variant = Literal["icml", "workshop"]
"""The paper: "icml" is Kusner et al. (ICML 2015), and "workshop" is the same authors' earlier workshop paper."""


def check_variant(variant: Variant) -> Variant:
    """Return ``variant`` if it is "icml" or "workshop", and raise ValueError otherwise."""
    if variant not in get_args(Variant):
        raise ValueError(f"variant is {variant!r}. It must be 'icml' or 'workshop'.")
    return variant


RECORD = "each record of the validation set V"
NEIGHBOURS = "validation sets that differ in the value of one record"
"""What every guarantee of a tuned setting protects, and the neighbours between which it holds."""
PICKED = Condition(
    "the settings were picked without looking at the records",
    "The settings were picked without looking at these records.",
)
MEANS = Condition(
    "each score is a mean of losses with known bounds",
    "The score is a mean, over the records of the validation set, of a loss with known bounds. It was not rounded, or "
    "those bounds include what rounding adds.",
)
NOT_HIDDEN = ("The number of settings and the training set are not hidden.",)
"""Two conditions and the scope of a guarantee if a setting is chosen by its scores alone."""


def readers(published: str = "setting and score") -> str:
    """Return the observers against whom a guarantee protects if ``published`` is released."""
    return f"everyone who reads the published {published}"


@dataclass(frozen=True)
class Term:
    """One summand of a bound. ``formula`` is in the paper's letters. ``falls`` is true if it is proportional to 1/ε."""

    name: str
    formula: str
    value: float
    falls: bool = False


@dataclass(frozen=True)
class Bound:
    """The bound ``quantity`` ≤ sum of ``terms``, which holds with probability at least ``probability``.

    ``epsilon`` is the ε of the terms, or None for a sensitivity, which depends on no ε. All values are in the units of
    the objective that the algorithm saw.
    """

    theorem: int
    quantity: str
    terms: tuple[Term, ...]
    probability: float
    epsilon: float | None = None

    @property
    def value(self) -> float:
        """The sum of the terms."""
        return math.fsum(term.value for term in self.terms)

    def term(self, name: str) -> float:
        """Return the value of the term of that name. Raises KeyError if there is none."""
        return {term.name: term.value for term in self.terms}[name]

    def vacuous(self, spread: float) -> bool:
        """Return whether the bound excludes nothing, because the quantity cannot exceed ``spread`` anyway."""
        return self.value >= spread or self.probability <= 0

    def smallest_epsilon(self, spread: float) -> float:
        """Return the ε above which the bound is below ``spread``, ∞ if there is none, or 0 for such a sensitivity."""
        fixed = math.fsum(term.value for term in self.terms if not term.falls)
        falling = math.fsum(term.value for term in self.terms if term.falls)
        if self.probability <= 0 or fixed >= spread:
            return math.inf
        return float(falling * self.epsilon / (spread - fixed)) if self.epsilon is not None else 0.0


def check_k1(k1: float) -> float:
    """Return ``k1`` if it lies in [0, 1], and raise ValueError otherwise."""
    if not 0 <= k1 <= 1:
        raise ValueError(f"k1 is {k1!r}. It must lie between 0 (unrelated) and 1 (the same function).")
    return float(k1)


def check_sigma(sigma: float) -> float:
    """Return ``sigma`` if it is from 1e-6 to 1e6, and raise ValueError, pointing to Algorithm 2, otherwise."""
    if not 1e-6 <= sigma <= 1e6:
        raise ValueError(
            f"sigma is {sigma!r}. Algorithm 1 needs observation noise above 0 (from 1e-6 to 1e6 times the objective's "
            "standard deviation). For exact observations use Algorithm 2, noise_free."
        )
    return float(sigma)


def check_steps(iterations: float) -> int:
    """Return ``iterations`` if it is a whole number of at least 2, and raise ValueError otherwise."""
    return whole("iterations (T)", iterations, least=2)


def check_candidates(n: float) -> int:
    """Return ``n`` if it is a whole number of at least 2, and raise ValueError otherwise."""
    return whole("n (|Λ|)", n, least=2)


@dataclass(frozen=True)
class Premises:
    """The parameters that Theorems 1 to 6 share: ``n`` candidates, T = ``iterations`` ≥ 2, δ, k₁ and the variant."""

    n: int
    iterations: int
    delta: float
    k1: float
    variant: Variant = "icml"

    def __post_init__(self) -> None:
        check_candidates(self.n)
        check_steps(self.iterations)
        probability("delta", self.delta)
        check_k1(self.k1)
        check_variant(self.variant)

    @property
    def posterior_term(self) -> float:
        """The bound 2√β_{T+1} on the distance of two posterior means with the same prior."""
        return 2.0 * math.sqrt(beta(self.iterations + 1, self.n, self.delta))


def dataset_term(k1: float, n: int, delta: float, events: int = 3) -> float:
    """Return c = 2 √((1 − k₁) log(3|Λ|/δ)) of Algorithm 1, or, with ``events`` = 2, log(2|Λ|/δ) as in Algorithm 2."""
    return 2.0 * math.sqrt((1.0 - check_k1(k1)) * math.log(events * check_candidates(n) / probability("delta", delta)))


def noise_term(sigma: float, delta: float, variant: Variant = "icml") -> float:
    """Return q = σ √(8 log(3/δ)) [ICML] or σ √(4 log(3/δ)) [workshop].

    It bounds the noise in the two best observations, but as if their step t had been fixed in advance. In simulations
    under the prior, the noise exceeds the workshop's q far more often than in the δ/3 of cases that are reserved for
    it, and the ICML paper's q about that often. Theorem 3 still holds, because its other two terms are generous.
    """
    factor = 8.0 if check_variant(variant) == "icml" else 4.0
    return check_sigma(sigma) * math.sqrt(factor * math.log(3.0 / probability("delta", delta)))


def regret_constant(sigma: float) -> float:
    """Return C₁ = 8/log(1 + σ⁻²)."""
    return 8.0 / math.log1p(check_sigma(sigma) ** -2)


def mean_regret(n: int, iterations: int, delta: float, sigma: float, gamma: float) -> float:
    """Return Ω/T = √(C₁ β_T γ_T / T), the bound on GP-UCB's mean regret (Srinivas et al. 2010, Theorem 1)."""
    steps = check_steps(iterations)
    beta_t = beta(steps, check_candidates(n), probability("delta", delta))
    return math.sqrt(regret_constant(sigma) * beta_t * positive("gamma", gamma) / steps)


def exact_regret(d: int, iterations: int, A: float, tau: float, variant: Variant = "icml") -> float:
    """Return Ω = A exp(−Tτ/(log T)^{d/4}) [ICML], or the same with T = 2 [workshop].

    A and τ are the constants of de Freitas, Smola and Zoghi (2012), Theorem 2. They depend on f's curvature at its
    maximum and are not known in practice. d is the number of tuned parameters.
    """
    steps = check_steps(iterations) if check_variant(variant) == "icml" else 2
    exponent = steps * positive("tau", tau) / math.log(steps) ** (whole("d", d) / 4.0)
    return positive("A", A) * math.exp(-exponent)


def theorem_1(given: Premises) -> Bound:
    """Return |μ′_T(λ) − μ_T(λ)| ≤ 2√β_{T+1} + σ₁ √(2 log(3|Λ|/δ)) for all λ, with σ₁ = √(2(1 − k₁)), w.p. ≥ 1 − δ."""
    sigma_1 = math.sqrt(2.0 * (1.0 - given.k1))
    return Bound(
        1,
        "|μ′_T(λ) − μ_T(λ)| for every λ",
        (
            Term("posterior", "2√β_{T+1}", given.posterior_term),
            Term("dataset", "σ₁√(2 log(3|Λ|/δ))", sigma_1 * math.sqrt(2.0 * math.log(3.0 * given.n / given.delta))),
        ),
        1.0 - given.delta,
    )


def theorem_2(given: Premises, *, epsilon: float, a: float, sigma: float | None = None) -> Bound:
    """Return the bound on the loss of the released λ̃, w.p. ≥ 1 − (δ + e^{−a}).

    With Δ = 2√β_{T+1} + c, it is max μ_T − μ_T(λ̃) ≤ (2Δ/ε)(log|Λ| + a) [ICML], or
    f(λ*) − μ_T(λ̃) ≤ 2√β_T + q + (2Δ/ε)(log|Λ| + a) [workshop].
    ``sigma`` is used by the workshop variant. None means exact observations, where q = 0.
    """
    epsilon = positive("epsilon", epsilon)
    sensitivity = given.posterior_term + dataset_term(given.k1, given.n, given.delta)
    selection = 2.0 * sensitivity / epsilon * (math.log(given.n) + positive("a", a))
    terms = (Term("selection", "(2Δ/ε)(log|Λ| + a)", selection, falls=True),)
    holds = 1.0 - (given.delta + math.exp(-a))
    if given.variant == "icml":
        return Bound(2, "max μ_T − μ_T(λ̃)", terms, holds, epsilon)
    q = 0.0 if sigma is None else noise_term(sigma, given.delta, given.variant)
    posterior = Term("posterior", "2√β_T", 2.0 * math.sqrt(beta(given.iterations, given.n, given.delta)))
    return Bound(2, "f(λ*) − μ_T(λ̃)", (posterior, Term("noise", "q", q), *terms), holds, epsilon)


def theorem_3(given: Premises, *, sigma: float, gamma: float) -> Bound:
    """Return |max v′_t − max v_t| ≤ √(C₁β_Tγ_T)/√T + c + q, w.p. ≥ 1 − δ."""
    return Bound(
        3,
        "|max v′_t − max v_t|",
        (
            Term("regret", "√(C₁β_Tγ_T)/√T", mean_regret(given.n, given.iterations, given.delta, sigma, gamma)),
            Term("dataset", "c", dataset_term(given.k1, given.n, given.delta)),
            Term("noise", "q", noise_term(sigma, given.delta, given.variant)),
        ),
        1.0 - given.delta,
    )


def theorem_4(given: Premises, *, sigma: float, gamma: float, epsilon: float, a: float) -> Bound:
    """Return |ṽ − f(λ*)| ≤ observation noise + Ω/T + a(Ω/εT + c/ε + q/ε), w.p. ≥ 1 − (δ + e^{−a}).

    The first term is σ√(8 log(1/δ)) [ICML] or √(2 log(2T/δ)) [workshop]. The workshop paper prints its term without σ.
    """
    a, epsilon = positive("a", a), positive("epsilon", epsilon)
    regret = mean_regret(given.n, given.iterations, given.delta, sigma, gamma)
    if given.variant == "icml":
        noise = Term("noise", "σ√(8 log(1/δ))", sigma * math.sqrt(8.0 * math.log(1.0 / given.delta)))
    else:
        noise = Term("noise", "√(2 log(2T/δ))", math.sqrt(2.0 * math.log(2.0 * given.iterations / given.delta)))
    return Bound(
        4,
        "|ṽ − f(λ*)|",
        (
            noise,
            Term("regret", "Ω/T", regret),
            Term("laplace: regret", "aΩ/εT", a * regret / epsilon, falls=True),
            Term("laplace: dataset", "ac/ε", a * dataset_term(given.k1, given.n, given.delta) / epsilon, falls=True),
            Term("laplace: noise", "aq/ε", a * noise_term(sigma, given.delta, given.variant) / epsilon, falls=True),
        ),
        1.0 - (given.delta + math.exp(-a)),
        epsilon,
    )


def theorem_5(given: Premises, *, d: int, A: float, tau: float) -> Bound:
    """Return the bound Ω + c on the movement of the number that Algorithm 2 protects, w.p. ≥ 1 − δ.

    That is the last sample, |f′(λ_T) − f(λ_T)| [ICML], or the best from the second on, |max f′(λ_t) − max f(λ_t)|
    [workshop].
    """
    last = given.variant == "icml"
    formula = "A e^{−Tτ/(log T)^{d/4}}" if last else "A e^{−2τ/(log 2)^{d/4}}"
    return Bound(
        5,
        "|f′(λ_T) − f(λ_T)|" if last else "|max_{t≥2} f′(λ_t) − max_{t≥2} f(λ_t)|",
        (
            Term("regret", formula, exact_regret(d, given.iterations, A, tau, given.variant)),
            Term("dataset", "c", dataset_term(given.k1, given.n, given.delta, events=2)),
        ),
        1.0 - given.delta,
    )


def theorem_6(given: Premises, *, d: int, A: float, tau: float, epsilon: float, a: float) -> Bound:
    """Return |f̃ − f(λ*)| ≤ Ω + a(Ω/ε + c/ε), w.p. ≥ 1 − (δ + e^{−a})."""
    a, epsilon = positive("a", a), positive("epsilon", epsilon)
    regret = exact_regret(d, given.iterations, A, tau, given.variant)
    dataset = dataset_term(given.k1, given.n, given.delta, events=2)
    return Bound(
        6,
        "|f̃ − f(λ*)|",
        (
            Term("regret", "Ω", regret),
            Term("laplace: regret", "aΩ/ε", a * regret / epsilon, falls=True),
            Term("laplace: dataset", "ac/ε", a * dataset / epsilon, falls=True),
        ),
        1.0 - (given.delta + math.exp(-a)),
        epsilon,
    )


def record_term(*, slope: float, largest: float, lambda_min: float, records: int, printed: bool = True) -> float:
    """Return the paper's bound min{g*/m, L/(mλ_min)} on the movement of f_V(w_λ) if one of m records is replaced.

    If ``printed`` is false, return min{g*/m, 2L/(mλ_min)}, the bound that the paper's argument yields. Because
    ‖w_λ‖ ≤ 1/λ, each of two losses that agree at w = 0 is within L/λ of its value there, so the two are within 2L/λ of
    each other. With w = 1/λ in one dimension and one record on either side, the movement is twice the printed term
    (`tests/core/release/test_theorems.py`). The two bounds agree if g* ≤ L/λ_min.
    """
    m = whole("records (m)", records)
    change = positive("slope (L)", slope) / positive("lambda_min", lambda_min)
    return min(positive("largest (g*)", largest), change if printed else 2.0 * change) / m


def range_term(*, slope: float, lambda_min: float, lambda_max: float) -> float:
    """Return (λ_max − λ_min) L/(λ_max λ_min), the bound on the movement of f_V(w_λ) as λ runs through its range."""
    low, high = positive("lambda_min", lambda_min), positive("lambda_max", lambda_max)
    if high < low:
        raise ValueError(f"lambda_max is {lambda_max!r}. It must be at least lambda_min = {lambda_min!r}.")
    return (1.0 / low - 1.0 / high) * positive("slope (L)", slope)


def theorem_7(*, slope: float, largest: float, lambda_min: float, lambda_max: float, records: int) -> Bound:
    """Return |f_V(w_λ) − f_V′(w_λ′)| ≤ (λ_max − λ_min)L/(λ_max λ_min) + min{g*/m, L/(mλ_min)} for all λ, λ′."""
    record = record_term(slope=slope, largest=largest, lambda_min=lambda_min, records=records)
    between = range_term(slope=slope, lambda_min=lambda_min, lambda_max=lambda_max)
    return Bound(
        7,
        "|f_V(w_λ) − f_V′(w_λ′)|",
        (
            Term("range of λ", "(λ_max − λ_min)L/(λ_max λ_min)", between),
            Term("record", "min{g*/m, L/(mλ_min)}", record),
        ),
        1.0,
    )


def theorem_8(
    *, slope: float, largest: float, lambda_min: float, lambda_max: float, records: int, epsilon: float, a: float
) -> Bound:
    """Return |f̃ − f_BO| ≤ a (min{g*, L/λ_min}/εm + (λ_max − λ_min)L/(ελ_max λ_min)), w.p. ≥ 1 − e^{−a}."""
    scale = positive("a", a) / positive("epsilon", epsilon)
    sensitivity = theorem_7(slope=slope, largest=largest, lambda_min=lambda_min, lambda_max=lambda_max, records=records)
    return Bound(
        8,
        "|f̃ − f_BO|",
        tuple(
            Term(f"laplace: {term.name}", f"(a/ε) {term.formula}", scale * term.value, falls=True)
            for term in sensitivity.terms
        ),
        1.0 - math.exp(-a),
        epsilon,
    )
