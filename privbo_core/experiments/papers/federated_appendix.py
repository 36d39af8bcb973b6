"""Fig. 5–8, Fig. 11 and the weights of Dai, Low, Jaillet (NeurIPS 2021): in an appendix, so all there is are sentences.

The appendix is not part of the text at hand. What its figures show is said in Section 5, and that is what is tested.
"""

from dataclasses import replace

from privbo_core.experiments.model import Arm, Claim, Experiment, Number, Value
from privbo_core.experiments.papers.federated_figures import (
    EARLY,
    PAPER,
    SCHOOLS,
    SHORT,
    below,
    synthetic,
)

NO_NUMBERS = "The figure is in an appendix that is not at hand. What is tested is what the text says that it shows."
OPEN = (
    "the figure itself, its settings and its values: it is in an appendix that is not part of the text followed here",
    "how the weights of the sub-regions change over time (here constant for 10 iterations, then fading over 30)",
)
SIMILAR = "200 functions of one input each, as in Fig. 2, drawn anew in each run."
NEAR = 0.03
"""Regret that passes for “comparable”: about a tenth of what an agent has that works alone (0.33)."""
STRANGERS = 0.9
"""Heterogeneity of agents whose functions hardly resemble each other: two of them are correlated by 0.19."""


def _experiment(figure: str, title: str, about: str, arms: tuple[Arm, ...], claims: tuple[Claim, ...]) -> Experiment:
    """Return what all of these have in common; the rest is filled in by `replace`."""
    return Experiment(
        name=f"federated-{figure}",
        title=f"{SHORT}, {title}",
        paper=PAPER,
        about=about,
        arms=arms,
        claims=claims,
        runs=20,
        per_print=5,
        piece=10,
        measure="early",
        measure_name=EARLY,
        x_name="iterations",
        stands_in=SIMILAR,
        left_open=OPEN,
        no_numbers=NO_NUMBERS,
        curves=tuple(arm.name for arm in arms if arm.task == "federated"),
    )


def figure_5() -> Experiment:
    """Return Fig. 5: distributed exploration with one of its halves left out."""
    whole: dict[str, Value] = {"algorithm": "FTS-DE", "P": 4}
    arms = (
        synthetic("FTS", algorithm="FTS"),
        synthetic("FTS-DE, P = 4", **whole),
        synthetic("sub-regions alone", **whole, hold=0, fade=1),
        synthetic("weights alone", **whole, start="anywhere"),
    )
    claims = (
        below("the weights are needed: both halves are below sub-regions alone", "FTS-DE, P = 4", "sub-regions alone"),
        below("the sub-regions are needed: both halves are below weights alone", "FTS-DE, P = 4", "weights alone"),
        below("both together help: FTS-DE is below FTS", "FTS-DE, P = 4", "FTS"),
    )
    about = (
        "Exploring in parts has two halves: agents begin in a sub-region each, and the server gives more weight to "
        "those who began there. Without privacy, each half alone beside both."
    )
    why = (
        "“Sub-regions alone”: all weights equal from the first iteration. “Weights alone”: initial points anywhere.",
    )
    return replace(_experiment("fig-5", "Fig. 5: both halves of exploring in parts", about, arms, claims), why=why)


def figure_6() -> Experiment:
    """Return Fig. 6: the number of sub-regions, under privacy."""
    arms = tuple(synthetic(f"P = {P}", P=P) for P in (1, 2, 4, 8))
    claims = (
        below("parts help: P = 2 is below P = 1", "P = 2", "P = 1"),
        below("too many parts hinder: P = 8 is worse than P = 4", "P = 4", "P = 8"),
    )
    about = "DP-FTS-DE with 1, 2, 4 and 8 sub-regions at the same q, z and S."
    why = (
        "The paper calls it a trade-off: smaller sub-regions are easier to model, and every vector is clipped to S/√P. "
        "Where it turns, the text does not say; the second sentence tests P = 8.",
    )
    return replace(_experiment("fig-6", "Fig. 6: how many sub-regions", about, arms, claims), why=why)


def figure_7() -> Experiment:
    """Return Fig. 7: agents with different functions, and how fast they stop listening."""
    base: dict[str, Value] = {"algorithm": "FTS-DE", "apart": STRANGERS}
    names = {0.5: "1 − p = 1/√t", 1.0: "1 − p = 1/t", 2.0: "1 − p = 1/t²"}
    arms = (
        synthetic("TS", **base | {"algorithm": "TS"}),
        *(synthetic(name, **base, decay=decay) for decay, name in names.items()),
    )
    slow, middle, fast = names.values()

    def late(text: str, *of: str) -> Claim:
        return below(text, *of, measure="last")

    claims = (
        Claim(f"no worse than alone: {fast} is at most {NEAR} above TS", "near", (fast, "TS"), "early", NEAR),
        late(f"listening less soon helps: {middle} is below {slow} at the end", middle, slow),
        late(f"listening less soon helps: {fast} is below {slow} at the end", fast, slow),
        below(f"… and over the first ten iterations: {fast} is below {slow}", fast, slow),
    )
    about = (
        "FTS-DE, without privacy, among agents whose functions hardly resemble each other, beside agents that work "
        "alone; and how fast 1 − p, the chance of following the server, falls."
    )
    why = (
        f"How different the paper’s agents are is not in the text. Here two functions are correlated by "
        f"{1 - STRANGERS**2:.2f}, in Fig. 2 by 0.99.",
    )
    strangers = (
        f"200 functions that hardly resemble each other, drawn anew in each run: what all have in common makes up "
        f"{1 - STRANGERS**2:.0%} of each one’s variance."
    )
    whole = _experiment("fig-7", "Fig. 7: agents that differ", about, arms, claims)
    return replace(whole, why=why, stands_in=strangers)


def figure_8() -> Experiment:
    """Return Fig. 8: exploring in parts under privacy, on schools in place of the paper's three data sets."""
    arms = tuple(
        Arm(name, "federated", {**SCHOOLS, "algorithm": name, "curve": True}) for name in ("TS", "DP-FTS", "DP-FTS-DE")
    )
    claims = (
        below("with privacy too, exploring in parts helps: DP-FTS-DE is below DP-FTS", "DP-FTS-DE", "DP-FTS"),
        below("… and after 60 iterations", "DP-FTS-DE", "DP-FTS", measure="last"),
    )
    about = "DP-FTS-DE with four sub-regions beside DP-FTS with one, at the same q, z and S."
    why = (
        "With 50 agents, q = 0.35 and z = 1 the server’s noise is about eleven times as long as what it adds up: both "
        "are worse than alone early on, and what is left of the difference is small.",
        "By the joint sensitivity the noise of DP-FTS-DE is worth up to √P = 2 times its z: not used here.",
    )
    return replace(
        _experiment("fig-8", "Fig. 8: exploring in parts under privacy", about, arms, claims),
        why=why,
        data="other",
        stands_in="50 schools, each tuning a classifier of its own pupils, take the place of minefields, phones and "
        "handwriting.",
        measure_name="accuracy lost over the first ten iterations, mean over agents",
    )


def figure_11() -> Experiment:
    """Return Fig. 11: a fixed number of agents in each round, counted by Rényi divergences."""
    arms = (
        synthetic("each agent by a coin"),
        synthetic("a fixed number", sampling="fixed"),
        *(
            Arm(f"privacy loss, {name}", "accountant",
                {"agents": 200, "iterations": 40, "q": 0.25, "z": 1.0, "sampling": sampling}, once=True)
            for name, sampling in (("coin", "poisson"), ("fixed", "fixed"))
        ),
    )  # fmt: skip
    ways = (
        ("a coin each, moments", "coin", "epsilon"),
        ("a coin each, Rényi", "coin", "renyi"),
        ("a fixed number, Rényi", "fixed", "epsilon"),
        ("a fixed number, Rényi, z not halved", "fixed", "unhalved"),
        ("a fixed number, loss distributions", "fixed", "tight"),
    )
    numbers = tuple(
        Number(label, 9.91, f"privacy loss, {arm}", measure, exact=2, counted=measure == "epsilon" and arm == "coin",
               group="privacy loss ε; 9.91 is what “slightly better” is said of")
        for label, arm, measure in ways
    )  # fmt: skip
    claims = (
        Claim(f"comparable: a fixed number is at most {NEAR} above the coin", "near",
              ("a fixed number", "each agent by a coin"), "early", NEAR),
    )  # fmt: skip
    about = (
        "The server draws exactly qN = 50 of 200 agents instead of tossing a coin for each, and ε is counted by Rényi "
        "divergences. The paper: a slightly better privacy loss (than 9.91), comparable regret."
    )
    why = (
        "“Slightly better than 9.91” most likely does not halve z. With a fixed number drawn, neighbours differ by one "
        "agent *replaced*: a sum may move by twice the clipping threshold, and the same noise counts as z/2. So "
        "Rényi gives 86.7, and loss distributions 30.6.",
        "Not halving z is not enough: the general Rényi bound for a fixed number then gives 16.1. Slightly better than "
        "9.91 is what Rényi gives for coins, 8.41. Which of them the paper computed, its text does not say.",
        "The two ε are promises about different neighbours (absent; replaced), so the smaller is not simply better.",
    )
    whole = _experiment("fig-11", "Fig. 11: a fixed number of agents, by Rényi", about, arms, claims)
    return replace(whole, why=why, numbers=numbers, data="other")


def weights() -> Experiment:
    """Return the appendix on the weights: how strong, how long."""
    changes: dict[str, dict[str, Value]] = {
        "a = 15, as in Fig. 2": {},
        "a = 5": {"a": 5.0},
        "a = 30": {"a": 30.0},
        "fading at once": {"hold": 0, "fade": 20},
        "never fading": {"hold": 40},
    }
    arms = tuple(synthetic(name, **change) for name, change in changes.items())
    first, *others = changes
    claims = tuple(
        Claim(f"robust: {name} is at most {NEAR} above {first}", "near", (name, first), "early", NEAR)
        for name in others
    )
    about = "DP-FTS-DE with weaker and stronger weights for those who explore a sub-region, and with other schedules."
    why = (
        "Weights are e^a to 1: a = 5 leaves 99 % of them to those who explore, so their strength hardly matters. Nor "
        "does the schedule in the first ten iterations, in which none of these has faded much. Equal weights from the "
        "first iteration do matter: see “sub-regions alone” in Fig. 5.",
        "Which weights the paper tried is not in its text.",
    )
    whole = _experiment("weights", "Appendix B.2.3: other weights", about, arms, claims)
    return replace(whole, why=why, data="other")


def experiments() -> tuple[Experiment, ...]:
    """Return all of them."""
    return figure_5(), figure_6(), figure_7(), figure_8(), figure_11(), weights()
