"""Fig. 2 and Fig. 3 of Dai, Low, Jaillet (NeurIPS 2021): federated search, its parameters, privacy against utility."""

from privbo_core.experiments.model import Arm, Claim, Experiment, Number, Value

PAPER = (
    "Dai, Low, Jaillet: Differentially Private Federated Bayesian Optimization with Distributed Exploration "
    "(NeurIPS 2021)"
)
SHORT = "Federated"
EARLY = "simple regret over the first ten iterations, mean over agents"

SYNTHETIC: dict[str, Value] = {
    "data": "synthetic", "agents": 200, "iterations": 40, "features": 50, "q": 0.25, "z": 1.0, "S": 11.0, "P": 2,
    "decay": 0.5, "algorithm": "DP-FTS-DE",
}  # fmt: skip
SCHOOLS: dict[str, Value] = {
    "data": "schools", "agents": 50, "iterations": 60, "features": 100, "q": 0.35, "z": 1.0, "S": 22.0, "P": 4,
    "decay": 1.0, "algorithm": "DP-FTS-DE", "curve": False,
}  # fmt: skip

STANDS_IN = (
    "200 functions that resemble each other, drawn anew in each run: one Gaussian-process function of one input plus a "
    "tenth of another each."
)
OPEN = (
    "the domain, the length-scale and the noise of the sampled function",
    "how small the perturbations of the agents’ functions are (here a tenth)",
    "how the weights of the sub-regions change over time (here constant for 10 iterations, then fading over 30)",
    "all values of the curves: they are drawn, not printed",
)
WHY = ("Each of our runs has functions of its own; the paper’s five runs share one.",)
NO_NUMBERS = "The curves are printed without numbers, so what is tested is what the paper says about their order."


def synthetic(name: str, **changes: Value) -> Arm:
    """Return an arm of Fig. 2."""
    return Arm(name, "federated", SYNTHETIC | changes)


def privacy_loss(q: float, z: float) -> Arm:
    """Return the arm that accounts for 40 iterations with 200 agents."""
    return Arm(
        f"privacy loss, q = {q:g}, z = {z:g}",
        "accountant",
        {"agents": 200, "iterations": 40, "q": q, "z": z},
        once=True,
    )


def below(text: str, *arms: str, measure: str = "early") -> Claim:
    """Return the claim that the first arm's regret is below that of each other."""
    return Claim(text, "below", arms, measure)


def _figure(part: str, title: str, about: str, arms: tuple[Arm, ...], claims: tuple[Claim, ...],
            numbers: tuple[Number, ...] = (), why: tuple[str, ...] = ()) -> Experiment:  # fmt: skip
    return Experiment(
        name=f"federated-fig-2{part}",
        title=f"{SHORT}, Fig. 2{part}: {title}",
        paper=PAPER,
        about=about,
        arms=arms,
        numbers=numbers,
        claims=claims,
        runs=30,
        per_print=5,
        piece=15,
        measure="early",
        measure_name=EARLY,
        x_name="S" if part == "b" else "iterations",
        kind="sweep" if part == "b" else "curves",
        x_key="S" if part == "b" else "",
        stands_in=STANDS_IN,
        left_open=OPEN,
        why=WHY + why,
        no_numbers=NO_NUMBERS,
        curves=() if part == "b" else tuple(arm.name for arm in arms if arm.task == "federated"),
    )


def figure_2a() -> Experiment:
    """Return Fig. 2a, with Section 5.1's sentence on DP-FTS-DE."""
    arms = (
        synthetic("TS", algorithm="TS"),
        synthetic("FTS", algorithm="FTS"),
        synthetic("FTS-DE, P = 2", algorithm="FTS-DE"),
        synthetic("FTS-DE, P = 4", algorithm="FTS-DE", P=4),
        synthetic("DP-FTS", algorithm="DP-FTS"),
        synthetic("DP-FTS-DE, P = 2"),
    )
    claims = (
        below("learning from others helps: FTS is below TS", "FTS", "TS"),
        below("exploring in parts helps: FTS-DE is below FTS", "FTS-DE, P = 2", "FTS"),
        below("more parts help more: P = 4 is below P = 2", "FTS-DE, P = 4", "FTS-DE, P = 2"),
        below("with privacy too: DP-FTS-DE is below DP-FTS", "DP-FTS-DE, P = 2", "DP-FTS"),
    )
    about = (
        "200 agents alone (TS), learning from each other (FTS), exploring a part each (FTS-DE), and with privacy (DP)."
    )
    why = ("How much exploring in parts helps depends on the sampled function, and the paper shows one.",)
    return _figure("a", "exploring in parts", about, arms, claims, why=why)


def figure_2b() -> Experiment:
    """Return Fig. 2b: the clipping threshold."""
    levels = (1.0, 3.0, 5.0, 8.0, 11.0, 22.0, 44.0)
    arms = tuple(synthetic(f"S = {S:g}", S=S, curve=False) for S in levels)
    whole = synthetic("S = 11, P = 1", S=11.0, P=1, curve=False)
    claims = (
        Claim("S = 11 is best", "best", tuple(f"S = {S:g}" for S in sorted(levels, key=lambda S: S != 11.0)), "early"),
        below("too small a threshold hinders: S = 1 is worse than S = 11", "S = 11", "S = 1"),
        below("too large a threshold adds noise: S = 44 is worse than S = 11", "S = 11", "S = 44"),
    )  # fmt: skip
    numbers = (
        Number("share of vectors clipped at S = 11", 0.008, "S = 11", "clipped", group="in the text"),
        Number(
            "the same without sub-regions", 0.008, whole.name, "clipped", group="at P = 1 (not counted)", counted=False
        ),
    )
    why = (
        "In the algorithm as printed a small S cannot hurt: once every vector is clipped, S scales signal and noise "
        "alike, and the queries are those of any smaller S.",
        "Clipping can only forget how long the vectors are, and they are nearly equally long: most of each is the "
        "randomness of its prior.",
        "With P = 2 sub-regions the algorithm cuts vectors to S/√2, and at S = 11 that is many. Without sub-regions it "
        "cuts them to S, and few are longer, as the paper prints; perhaps it counted so.",
    )
    return _figure(
        "b", "the clipping threshold S", "DP-FTS-DE at seven clipping thresholds.", (*arms, whole), claims, numbers, why
    )


def figure_2c() -> Experiment:
    """Return Fig. 2c: the share of agents that join."""
    losses = {0.15: 5.93, 0.25: 9.91, 0.5: 20.12}
    arms = tuple(synthetic(f"q = {q:g}", q=q) for q in losses)
    claims = (
        below("more agents help: q = 0.25 is below q = 0.15", "q = 0.25", "q = 0.15"),
        below("more agents help: q = 0.5 is below q = 0.25", "q = 0.5", "q = 0.25"),
    )
    accounts = tuple(privacy_loss(q, 1.0) for q in losses)
    numbers = _losses(accounts, tuple(losses.values()), tuple(f"privacy loss at q = {q:g}" for q in losses))
    about = "DP-FTS-DE where each agent joins an iteration with probability q, and what that costs in privacy."
    return _figure("c", "how many agents join", about, arms + accounts, claims, numbers)


def figure_2d() -> Experiment:
    """Return Fig. 2d: the noise."""
    losses = {1.0: 9.91, 1.2: 7.39, 1.5: 5.22}
    arms = tuple(synthetic(f"z = {z:g}", z=z) for z in losses)
    claims = (
        below("less noise helps: z = 1 is below z = 1.2", "z = 1", "z = 1.2"),
        below("less noise helps: z = 1.2 is below z = 1.5", "z = 1.2", "z = 1.5"),
    )
    accounts = tuple(privacy_loss(0.25, z) for z in losses)
    numbers = _losses(accounts, tuple(losses.values()), tuple(f"privacy loss at z = {z:g}" for z in losses))
    about = "DP-FTS-DE at three amounts of noise, and what each costs in privacy."
    return _figure("d", "how much noise", about, arms + accounts, claims, numbers)


def _losses(arms: tuple[Arm, ...], printed: tuple[float, ...], labels: tuple[str, ...]) -> tuple[Number, ...]:
    return tuple(
        Number(label, value, arm.name, "epsilon", exact=2, group="privacy loss ε (no randomness)")
        for arm, value, label in zip(arms, printed, labels, strict=True)
    )


def figure_3() -> Experiment:
    """Return Fig. 3: privacy against utility, on schools in place of land mines, phones and handwriting."""
    noises, rates = (1.0, 1.6, 2.0, 3.0, 4.0), (0.1, 0.15, 0.2, 0.25)
    private = {f"q = 0.35, z = {z:g}": {"z": z} for z in noises} | {f"q = {q:g}, z = 1": {"q": q} for q in rates}
    arms = tuple(Arm(name, "federated", SCHOOLS | {"algorithm": name}) for name in ("TS", "FTS", "FTS-DE")) + tuple(
        Arm(name, "federated", SCHOOLS | changes) for name, changes in private.items()
    )
    accounts = tuple(
        Arm(f"privacy loss, {name}", "accountant",
            {"agents": 50, "iterations": 60, "q": changes.get("q", 0.35), "z": changes.get("z", 1.0)}, once=True)
        for name, changes in private.items()
    )  # fmt: skip
    final = tuple(below(f"after 60 iterations, {name} is below TS", name, "TS", measure="last") for name in private)
    order = [f"q = 0.35, z = {z:g}" for z in noises]
    shares = [f"q = {q:g}, z = 1" for q in rates] + ["q = 0.35, z = 1"]
    early, late = "over the first ten iterations", "after 60 iterations"
    claims = (
        below(f"exploring in parts helps: FTS-DE is below FTS {late}", "FTS-DE", "FTS", measure="last"),
        *final,
        below(f"converges faster: FTS-DE is below TS {early}", "FTS-DE", "TS"),
        below(f"converges faster: DP-FTS-DE (q = 0.35, z = 1) is below TS {early}", order[0], "TS"),
        below(f"more privacy, less use: z = 4 is worse than z = 1 {late}", order[0], order[-1], measure="last"),
        below(f"more privacy, less use: q = 0.1 is worse than q = 0.35 {late}", shares[-1], shares[0], measure="last"),
        below(f"more privacy, slower: z = 4 is worse than z = 1 {early}", order[0], order[-1]),
        below(f"more privacy, slower: q = 0.1 is worse than q = 0.35 {early}", shares[-1], shares[0]),
    )  # fmt: skip
    return Experiment(
        name="federated-fig-3",
        title=f"{SHORT}, Fig. 3: privacy against utility",
        paper=PAPER,
        about="Accuracy lost after 60 iterations against the privacy loss ε, for five amounts of noise and five "
        "shares of agents that join.",
        arms=arms + accounts,
        claims=claims,
        runs=60,
        per_print=10,
        piece=15,
        measure="last",
        measure_name="accuracy lost after 60 iterations, mean over agents",
        x_name="privacy loss ε after 60 iterations",
        kind="privacy",
        stands_in="50 schools, each tuning two parameters of a classifier of its own pupils, take the place of 29 "
        "minefields, 30 people’s phones and 50 people’s handwriting.",
        left_open=(
            "all values of the figure: they are drawn, not printed",
            "the grid on which the parameters are tuned, and the fitted length-scales",
            "how the weights of the sub-regions change over time",
        ),
        why=(
            "It is other data, and a small grid. On its 256 settings, 10 initial points and 60 iterations find nearly "
            "the best for every school, with or without others’ help; differences show early on.",
            "With 50 agents, q = 0.35 and z = 1 the server’s noise is about eleven times as long as what it adds up: "
            "who follows it early on does worse than alone.",
        ),
        no_numbers=NO_NUMBERS,
        data="other",
    )
