"""What can be audited of Federated: the server's broadcasts, by a canary agent that is as easy to notice as clipping allows."""

import math
import time
from dataclasses import replace
from functools import lru_cache

from pages.parts.controls.live_sliders import Controls, Slider
from pages.parts.frame.later import later
from pages.parts.frame.live import wait
from pages.parts.system.attack import Attack, Audited, Scene, Views
from pages.parts.system.trial_script import attack_script, trial_lines
from pages.parts.system.trials import TRIALS, Pace, Seen, Trial, by_trials
from pages.parts.take_away.script import arguments
from pages.parts.values.numbers import scientific, whole_text
from pages.parts.values.text import sup
from privbo_core import audit
from privbo_core.federated import Settings, delta_for, guarantee, losses, schools, trade_off
from privbo_core.gp import SquaredExponential
from privbo_core.privacy import Guarantee, Status, TradeOff

SLIDERS = (
    Slider("q", "q", 0.05, 1, 0.25, "fewer agents a round", "more", "Probability that an agent is selected.", step=0.01),
    Slider("z", "z", 0.5, 4, 1, "more useful", "more private", "Noise, as a multiple of the largest contribution.", step=0.01),
    Slider("P", "P", 1, 4, 2, "one vector for all", "a vector each", "Sub-regions: 1, 2 or 4 vectors are broadcast in each round.",
           step=math.log(2), log=True, whole=True, allowed=(1, 2, 4)),
    Slider("a", "a", 1, 30, 15, "all count alike", "explorers dominate",
           "How much more those who explore a sub-region count there at the start.", step=0.5),
    Slider("N", "N", 20, 2000, 200, "few agents", "many", "Number of agents; δ = N^−1.1.", step=0.02, log=True, whole=True),
)  # fmt: skip
ROUNDS = (
    Slider("T", "T", 2, 100, 40, "fewer rounds", "more rounds", "Rounds in which the canary takes part.", whole=True),
    Slider("hold", "hold", 0, 40, 10, "fade at once", "fade later", "Rounds in which the weights stay as they are.", whole=True),
    Slider("fade", "fade", 1, 60, 30, "fade fast", "fade slowly", "Rounds in which they fade to equal ones.", whole=True),
)  # fmt: skip
RUNS = Slider("trials", "trials", 500, 50_000, 4000, "faster", "shows more", "Runs with the canary, and as many without it.",
                step=0.02, log=True, whole=True)  # fmt: skip
PATIENCE = 3.0
"""Seconds for which the promise waits for its exact count."""
PACE: Pace = (250, 2.0)
"""Every trial runs the server's aggregation, round by round."""


def _settings(controls: Controls, rounds: int) -> Settings:
    """Return the run that is audited: what the agents optimise does not matter, for the canary sends what it likes."""
    given = controls.values
    return Settings(
        SquaredExponential(1.0), 1.0, iterations=rounds, q=given["q"], z=given["z"], S=1.0, P=int(given["P"]), a=given["a"],
        hold=int(given.get("hold", 10)), fade=int(given.get("fade", 30)),
    )  # fmt: skip


@lru_cache(maxsize=64)
def _counted(settings: Settings, agents: int) -> tuple[float, float, TradeOff]:
    """Return ε by loss distributions as the paper counts and counted exactly, and the exact trade-off. Some seconds."""
    paper = losses(settings, agents, "pld")[-1]
    return paper, losses(settings, agents, "pld", "exact")[-1], trade_off(settings, agents)


def _exactly(settings: Settings, agents: int, patience: float) -> float | None:
    """Return ε counted exactly, computed beside the script: None if it is not there within so many seconds."""
    end = time.monotonic() + patience
    while True:
        exact = later().ask(("canary", settings, agents), lambda: losses(settings, agents, "pld", "exact")[-1])
        if isinstance(exact, float) or time.monotonic() >= end:
            return exact if isinstance(exact, float) else None
        wait(0.05)


def _canary(key: str, scene: Scene, rounds: int) -> Views:
    """Audit DP-FTS-DE's broadcasts of a number of rounds, by the server's own aggregation."""
    agents, settings = scene.controls.whole("N"), _settings(scene.controls, rounds)
    delta = delta_for(agents)
    claims = (("claimed:\nmoments", losses(settings, agents)[-1]),)
    told_by = "one round tells" if rounds == 1 else f"{rounds} rounds tell"
    seen = Seen(
        ("canary absent", "canary present"),
        "log-likelihood ratio",
        lambda absent, present, found: "Noise and sampling blur the canary’s presence",
        f"Everything that {told_by} about the canary, as one number: the logarithm of the likelihood ratio. Each trial selects, clips, "
        f"weighs, adds up and adds noise as the server does. δ = {whole_text(agents)}{sup('−1.1')} = {scientific(delta)}.",
        "share",
    )

    def counted(trial: Trial) -> Trial:
        paper, exact, curve = _counted(settings, agents)
        more = (("claimed:\nloss distributions", paper), ("counted exactly", exact))
        return replace(trial, claims=(*trial.claims, *more), counted=curve)

    mechanism = audit.server_canary(settings, agents)
    trial = Trial(f"canary-{key}", mechanism, (False, True), delta, claims, seen, pace=PACE, later=counted)
    yield from by_trials(trial, scene.controls.whole("trials"))


SCHOOL_SETTINGS = Settings(SquaredExponential(1.0), 1.0, iterations=40, q=0.25, z=1.0, S=1.0, P=2)
"""The page's own settings, whose ε the schools are promised."""


def _model(scene: Scene) -> Views:
    """Audit the model that the schools share, which is read off their values."""
    problem = schools()
    agents = len(problem.agents)
    seen = Seen(
        ("stays away", "takes part"),
        "the unit that every agent is given",
        lambda absent, present, found: f"One school less, and the unit is {absent[0]:.6f} instead of {present[0]:.6f}",
        "The unit of the model is the standard deviation of all schools’ values. Every agent is told it, with all its digits, before the first "
        "round; the school is the one whose absence moves it most.",
        "curator",
    )
    claims = (("claimed:\nmoments", losses(SCHOOL_SETTINGS, agents)[-1]),)
    trial = Trial("canary-model", audit.model_attack(problem), (False, True), delta_for(agents), claims, seen,
                  certain="No noise covers it: this is arithmetic, not chance.")  # fmt: skip
    yield from by_trials(trial, scene.controls.whole("trials"))


def _explain_model(scene: Scene) -> tuple[str, str]:
    """Return why noise in the broadcasts does not cover the model."""
    return "the shared model", (
        """The server’s noise covers what agents *send*. The unit, the length-scales and the noise variance of the model are something else: fitted
to all agents’ values, they are given to everybody before anything is sent. Here the unit is $\\sqrt{\\frac{1}{Nn}\\sum_{k,i} f_k(x_i)^2}$ over N agents and n points,
exact in every run. With one agent less it is another number, so whoever knows the others’ values can tell, at any ε.

A model that was stated before anyone looked at the values is the same number either way, and this attack finds nothing. That is why a promise
with a fitted model is called *conditional*."""
    )


def _model_script(scene: Scene) -> str:
    """Return the audit of the shared model as a script."""
    lines = [
        "problem = pb.federated.schools()",
        f"options = dict({arguments({name: getattr(SCHOOL_SETTINGS, name) for name in ('iterations', 'q', 'z', 'S', 'P')})})",
        "settings = pb.federated.Settings(pb.gp.SquaredExponential(1.0), 1.0, **options)",
        "delta = pb.federated.delta_for(len(problem.agents))",
        "mechanism = audit.model_attack(problem)",
        "datasets = False, True",
        *trial_lines(
            scene.controls["trials"],
            "delta",
            ['show("claimed_moments", pb.federated.losses(settings, len(problem.agents))[-1])'],
        ),
    ]
    return attack_script(lines)


def _model_claim(scene: Scene) -> tuple[Guarantee, str]:
    """Return what the schools are promised, and the secret that it is about."""
    problem = schools()
    return guarantee(SCHOOL_SETTINGS, len(problem.agents), problem=problem), "that a school took part"


def _claim(scene: Scene, rounds: int) -> tuple[Guarantee, str]:
    """Return the claim, and the secret that it is about: by the exact count if that is there, by moments until then."""
    agents, settings = scene.controls.whole("N"), _settings(scene.controls, rounds)
    exact = _exactly(settings, agents, 0.0 if scene.controls.dragging else PATIENCE)
    claimed = Guarantee(
        protects="an agent’s participation",
        against="whoever sees what is released",
        neighbours="Two runs that differ in whether one agent takes part.",
        epsilon=losses(settings, agents)[-1] if exact is None else exact,
        delta=delta_for(agents),
        assumptions=(),
        status=Status.CLAIMED,
        source="moments accountant" if exact is None else "counted exactly, by loss distributions",
    )
    return claimed, "that an agent took part"


def _explain(scene: Scene, rounds: int) -> tuple[str, str]:
    """Return what a broadcast tells about the canary."""
    controls, agents = scene.controls, scene.controls.whole("N")
    q, z, regions = controls["q"], controls["z"], controls.whole("P")
    schedule = (
        ""
        if rounds == 1
        else f", for {controls.whole('hold')} rounds, and fade to equal weights over {controls.whole('fade')} more"
    )
    return "the canary", (
        f"""Each trial is {rounds} round{"s" if rounds > 1 else ""} of the server’s own code with {whole_text(agents)} agents and P = {regions}: selection with probability
q = {q:.3g}, clipping to $S/\\sqrt{{P}}$, weights with a = {controls["a"]:.3g} for those who explore a sub-region{schedule}, the sum, and noise of deviation
$z\\varphi_{{\\max}}S/q$, z = {z:.3g}. The canary sends far too long a vector in a direction of its own, so it is clipped and adds as much as any agent can. Along the
joint vector that it adds, in units of the noise, a round shows $s_t \\sim \\mu_t b_t + N(0, 1)$; $b_t = 1$ with probability q if the canary takes part, else 0. The
best test is a threshold on $\\sum_t \\log(1 - q + q\\,e^{{\\mu_t s_t - \\mu_t^2/2}})$.

Beside it stand three accounts of the same noise at δ = {scientific(delta_for(agents))}: moments (the paper’s), privacy-loss distributions with the paper’s sensitivity
$\\varphi_{{\\max}}S/q$, and counted exactly: one agent moves the P vectors of a round, taken as one, by at most $\\frac{{S}}{{q\\sqrt{{P}}}}\\max_n\\lVert\\varphi_n\\rVert_2$,
up to $\\sqrt{{P}}$ less (this project’s count, not the paper’s). No audit of a correct server can pass the last.
*Dai, Low, Jaillet (NeurIPS 2021), Proposition 1.*"""
    )


def _script(scene: Scene, rounds: int) -> str:
    """Return the audit as a script."""
    given, settings = scene.controls.values, _settings(scene.controls, rounds)
    names = ("iterations", "q", "z", "S", "P", "a", "hold", "fade")
    agents = int(given["N"])
    counts = ("moments", '"moments"'), ("pld", '"pld"'), ("exact", '"pld", "exact"')
    claims = [f'show("claimed_{name}", pb.federated.losses(settings, {agents}, {how})[-1])' for name, how in counts]
    lines = [
        f"options = dict({arguments({name: getattr(settings, name) for name in names})})",
        "settings = pb.federated.Settings(pb.gp.SquaredExponential(1.0), 1.0, **options)",
        f"delta = pb.federated.delta_for({agents})",
        f"mechanism = audit.server_canary(settings, {agents})",
        "datasets = False, True",
        *trial_lines(given["trials"], "delta", claims, pace=PACE),
    ]
    return attack_script(lines)


def _canary_attack(key: str, name: str, seen: tuple[str, str], sliders: tuple[Slider, ...]) -> Attack:
    """Return the attack by a canary: on all rounds that are asked for or, where there is no such slider, on one."""

    def rounds(scene: Scene) -> int:
        return int(scene.controls.values.get("T", 1))

    direction, broadcasts = seen
    lead = (
        f"A canary is an agent made to be noticed: its vector is as long as clipping allows, {direction}. Can "
        f"somebody who sees {broadcasts} tell whether it took part?"
    )
    return Attack(
        key, name, lead, sliders,
        run=lambda scene: _canary(key, scene, rounds(scene)),
        claim=lambda scene: _claim(scene, rounds(scene)),
        explain=lambda scene: _explain(scene, rounds(scene)),
        script=lambda scene, own: _script(scene, rounds(scene)),
    )  # fmt: skip


AUDITED: tuple[Audited, ...] = (
    Audited(
        "canary",
        "Federated: DP-FTS-DE’s broadcasts",
        (
            _canary_attack("all", "A canary in all rounds", ("always in one direction", "all broadcasts"), (*SLIDERS, *ROUNDS, RUNS)),
            _canary_attack("one", "A canary in one round", ("in one direction", "a single broadcast"), (*SLIDERS, TRIALS)),
            Attack(
                "model", "The model that all share",
                "The schools share a model, and it was fitted to their values. Somebody knows all schools’ values but one. Does the model "
                "tell whether that one took part?",
                (TRIALS,), run=_model, claim=_model_claim, explain=_explain_model,
                script=lambda scene, own: _model_script(scene),
            ),
        ),
        data="none: agents that send what they like, and the server’s dice",
    ),
)  # fmt: skip
