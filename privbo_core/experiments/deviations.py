"""Where this project does not do what a paper does, or does what it leaves open: declared once, read by the pages."""

from dataclasses import dataclass
from typing import Literal

System = Literal["outsourced", "release", "federated"]


@dataclass(frozen=True)
class Deviation:
    """One deviation. ``subject`` in a few words; ``paper`` and ``here``: what each has; ``why``; ``where`` in the code.

    ``own_choice``: an expression that makes the paper's own choice, evaluated with `privbo_core` as ``pb``; empty where
    the paper does not say which it is, or where it is not built.
    """

    system: System
    subject: str
    paper: str
    here: str
    why: str
    where: str
    own_choice: str = ""


DEVIATIONS: tuple[Deviation, ...] = (
    Deviation(
        "outsourced", "how far the grid reaches",
        "A uniform 100 × 100 grid and ℓ = 1.25; not in which unit.",
        "From −4 to 4 in each direction.",
        "Chosen so that Table 1 comes out: at ± 4 its six numbers do. In the frame of norm 25, ℓ = 1.25 would leave "
        "a regret of 0.87 without privacy.",
        "privbo_core/data/synthetic.py",
    ),
    Deviation(
        "outsourced", "initial points",
        "Each run has other initialisations; not how many points.",
        "5.",
        "With 5, the regret without privacy is about the printed one.",
        "privbo_core/outsourced/simulation.py, Setting.initial",
    ),
    Deviation(
        "outsourced", "the constants of Theorem 3",
        "C₁ and C₂ are O(…), without their constants.",
        "Both constants are 1: the bound is shown as a shape.",
        "They cannot be known from the text.",
        "privbo_core/outsourced/theory.py",
    ),
    Deviation(
        "outsourced", "loans and homes",
        "36 000 loan applications; 2 004 properties in Singapore.",
        "9 669 loans and 2 413 homes from other public tables; and stand-ins drawn so that σ_min lies where the "
        "paper’s must.",
        "The tables that the paper used are not at hand.",
        "privbo_core/experiments/made_up.py",
    ),
    Deviation(
        "release", "the search of Algorithm 2",
        "The regret theorem behind A and τ is about a branch-and-bound search (de Freitas, Smola, Zoghi 2012).",
        "GP-UCB with exact observations.",
        "Algorithm 2 itself is written with GP-UCB’s acquisition; branch and bound needs a continuous domain. "
        "So the theorem does not apply, and the card says so.",
        "privbo_core/release/noise_free.py",
    ),
    Deviation(
        "release", "A and τ",
        "Constants of the regret theorem, not given.",
        "Inputs, with an attack and a coverage test beside them.",
        "Nobody knows them, and the score’s ε rests on them.",
        "privbo_core/release/search.py, Tuning",
    ),
    Deviation(
        "release", "γ_T",
        "The maximum information gain, exactly.",
        "An upper bound: greedy/(1 − 1/e).",
        "The maximum cannot be computed; an upper bound adds noise and breaks no promise.",
        "privbo_core/release/search.py, GammaKind",
    ),
    Deviation(
        "release", "the candidates Λ",
        "A finite set; not which.",
        "The grid of each tuning task.",
        "Every formula depends on |Λ| alone.",
        "privbo_core/data/tuning.py",
    ),
    Deviation(
        "release", "Theorem 7’s term L/(mλ_min)",
        "L/(mλ_min).",
        "As printed, marked as a claim where it has a counterexample: the argument yields 2L/(mλ_min).",
        "Two datasets are in the tests for which half is not enough.",
        "privbo_core/release/lipschitz.py, Lipschitz.sound",
    ),
    Deviation(
        "federated", "β_t",
        "B + σ√(2(γ_{t−1} + 1 + log(4/δ))) (Section 3.1).",
        "1: own samples are those of the posterior.",
        "The formula’s own samples stray so far that an agent hardly ever asks where it expects much; B is not known.",
        "privbo_core/federated/run.py, deviation_schedule",
        'pb.federated.Settings(pb.gp.SquaredExponential(0.1), 0.01, beta="theory", norm=1.0)',
    ),
    Deviation(
        "federated", "λ, the regularisation",
        "1 + 2/T in Theorem 1.",
        "The noise variance σ², which makes the posterior that of the model.",
        "1 + 2/T is above the signal’s variance: with it, observations count for very little.",
        "privbo_core/federated/settings.py, Settings.ridge",
        'pb.federated.Settings(pb.gp.SquaredExponential(0.1), 0.01, ridge="theory")',
    ),
    Deviation(
        "federated", "how many sub-regions",
        "Any P, of equal hyper-rectangles.",
        "P is a power of two.",
        "The domain is cut by halving, which makes equal parts in any dimension.",
        "privbo_core/federated/regions.py",
    ),
    Deviation(
        "federated", "how the weights fade",
        "𝒯 rises from 1 to ∞; how is in an appendix that is not at hand.",
        "1 for 10 iterations, then 1/𝒯 falls linearly to 0 over 30.",
        "A schedule that works; the experiment on the weights shows others.",
        "privbo_core/federated/server.py, temperature",
    ),
    Deviation(
        "federated", "the moments accountant’s λ",
        "Minimises over λ; not over which.",
        "λ = 1, …, 32, as its authors do.",
        "All printed privacy losses come out to the digit.",
        "privbo_core/privacy/accounting.py, MOMENTS",
    ),
    Deviation(
        "federated", "one agent’s share of a round",
        "φ_max S/q for the joint vector.",
        "As printed; and beside it the joint vector’s own, up to √P smaller.",
        "The printed one is safe and larger than needed: docs/accounting.md has the proof.",
        "privbo_core/federated/server.py, gain",
        'pb.federated.Settings(pb.gp.SquaredExponential(0.1), 0.01, z=1.0, S=11.0, P=2, calibration="paper")',
    ),
    Deviation(
        "federated", "an empty round",
        "Not said.",
        "Where no agent is selected, the sum is empty and the noise alone is sent.",
        "Leaving the round out would tell that nobody was there.",
        "privbo_core/federated/server.py, aggregate",
    ),
    Deviation(
        "federated", "how alike the synthetic agents are",
        "One sampled function, with small random perturbations.",
        "√(1 − h²) f + h g_n with h = 0.1: all of variance 1.",
        "The size of the perturbations is not in the text.",
        "privbo_core/federated/problem.py, synthetic",
    ),
)  # fmt: skip
"""All of them, system by system."""


def deviations(system: System) -> tuple[Deviation, ...]:
    """Return those of one system."""
    return tuple(each for each in DEVIATIONS if each.system == system)
