"""Kusner, Gardner, Garnett, Weinberger (ICML 2015): no tables, so its bounds are run against the measured loss."""

from privbo_core.experiments.model import Arm, Claim, Experiment, Value

PAPER = "Kusner, Gardner, Garnett, Weinberger: Differentially Private Bayesian Optimization (ICML 2015)"
BASE: dict[str, Value] = {
    "epsilon": 1.0, "iterations": 50, "candidates": 200, "delta": 1e-3, "sigma": 0.1, "k1": 0.99, "a": 3.0, "draws": 50,
}  # fmt: skip
PROMISED = 0.949
"""1 − (δ + e^−a), rounded down: how often the bounds must hold at least."""


def sweep(key: str, letter: str, values: tuple[float, ...], title: str, extra: tuple[Claim, ...]) -> Experiment:
    """Return the bounds and losses as one setting moves and all others stay."""
    arms = tuple(Arm(f"{letter} = {value:g}", "bounds", BASE | {key: value}) for value in values)
    names = tuple(arm.name for arm in arms)
    return Experiment(
        name=f"bounds-{key}",
        title=f"Release, bounds and losses against {title}",
        paper=PAPER,
        about=f"How much the released setting and score lose against {title}, beside what Theorems 2 and 4 allow.",
        arms=arms,
        claims=(
            Claim("Theorem 2: the chosen setting loses no more than the bound, with the promised probability",
                  "at least", names, "setting_within", PROMISED),
            Claim("Theorem 4: the score is off by no more than the bound, with the promised probability",
                  "at least", names, "score_within", PROMISED),
            *extra,
        ),
        runs=60,
        unit="functions, 50 releases of each",
        per_print=1,
        piece=20,
        measure="setting_loss",
        measure_name="loss of the released setting, in σ_f",
        x_name=letter,
        kind="sweep",
        x_key=key,
        stands_in="Functions drawn from the Gaussian process that the theorems assume, on a line of candidates.",
        left_open=("The paper has no experiments: which setting to try is our choice (ε = 1, T = 50, 200 candidates, "
                   "δ = 0.001, noise 0.1, k₁ = 0.99, probability 95 %, one of them varied).",),
        why=("A bound that holds need not be near: these are worst cases, and mostly wider than the whole range of "
             "the function.",),
        no_numbers="The paper prints no numbers: its theorems are tested.",
    )  # fmt: skip


def experiments() -> tuple[Experiment, ...]:
    """Return the bounds against ε, T and |Λ|."""

    def below(text: str, better: str, worse: str, measure: str) -> Claim:
        # These describe; what the paper claims is that its bounds hold.
        return Claim(text, "below", (better, worse), measure, counted=False)

    by_epsilon = (
        below("the bound of Theorem 2 falls as ε grows", "ε = 100", "ε = 1", "setting_bound"),
        below("measured, not claimed: ε = 100 loses less than ε = 1", "ε = 100", "ε = 1", "setting_loss"),
    )
    by_iterations = (
        below("the bound of Theorem 4 falls as T grows", "T = 100", "T = 10", "score_bound"),
        below("measured, not claimed: T = 100 is less off than T = 10", "T = 100", "T = 10", "score_error"),
    )
    by_candidates = (
        below("the bound of Theorem 2 grows with |Λ|", "|Λ| = 50", "|Λ| = 800", "setting_bound"),
        below("measured, not claimed: |Λ| = 50 loses less than |Λ| = 800", "|Λ| = 50", "|Λ| = 800", "setting_loss"),
    )
    return (
        sweep("epsilon", "ε", (0.1, 1.0, 10.0, 100.0, 1000.0), "ε", by_epsilon),
        sweep("iterations", "T", (10, 20, 50, 100), "T", by_iterations),
        sweep("candidates", "|Λ|", (50, 100, 200, 400, 800), "the number of candidates", by_candidates),
    )
