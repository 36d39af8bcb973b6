"""What can be audited of Federated: the server's broadcasts, by a canary agent that is as easy to notice as clipping allows."""

from pages.parts.controls.live_sliders import Slider
from pages.parts.system.attack import Attack, Audited, Scene, Views
from pages.parts.system.trial_script import attack_script, trial_lines
from pages.parts.system.trials import TRIALS, Seen, Trial, by_trials
from pages.parts.take_away.script import number
from pages.parts.values.numbers import scientific
from pages.parts.values.text import sup
from privbo_core import audit
from privbo_core.federated.settings import delta_for
from privbo_core.privacy import Guarantee, Status
from privbo_core.privacy import epsilon as privacy_loss

SLIDERS = (
    Slider("q", "q", 0.05, 1, 0.25, "fewer agents a round", "more", "Probability that an agent is selected.", step=0.01),
    Slider("z", "z", 0.5, 4, 1, "more useful", "more private", "Noise, as a multiple of the largest contribution.", step=0.01),
    Slider("N", "N", 20, 2000, 200, "few agents", "many", "Number of agents; δ = N^−1.1.", step=0.02, log=True, whole=True),
)  # fmt: skip
ROUNDS = Slider(
    "T", "T", 2, 100, 40, "fewer rounds", "more rounds", "Rounds in which the canary takes part.", whole=True
)


def _canary(key: str, scene: Scene, rounds: int) -> Views:
    """Audit DP-FTS-DE's broadcasts of a number of rounds."""
    q, z, agents = scene.controls["q"], scene.controls["z"], scene.controls.whole("N")
    delta = delta_for(agents)
    claims = (
        ("claimed:\nmoments", privacy_loss(q, z, rounds, delta, "moments")),
        ("claimed:\nloss distributions", privacy_loss(q, z, rounds, delta, "pld")),
    )
    told_by = "one round" if rounds == 1 else f"{rounds} rounds"
    seen = Seen(
        ("canary absent", "canary present"),
        "log-likelihood ratio",
        lambda absent, present, found: "Noise and sampling blur the canary’s presence",
        f"Everything that {told_by} tell about the canary, as one number: the logarithm of the likelihood ratio. "
        f"δ = {agents}{sup('−1.1')} = {scientific(delta)}.",
        "share",
    )
    trial = Trial(f"canary-{key}", audit.canary(q, z, rounds), (False, True), delta, claims, seen)
    yield from by_trials(trial, scene.controls.whole("trials"))


def _claim(scene: Scene, rounds: int) -> tuple[Guarantee, str]:
    """Return the claim, and the secret that it is about."""
    delta = delta_for(scene.controls.whole("N"))
    claimed = Guarantee(
        protects="an agent’s participation",
        against="whoever sees what is released",
        neighbours="Two runs that differ in whether one agent takes part.",
        epsilon=privacy_loss(scene.controls["q"], scene.controls["z"], rounds, delta),
        delta=delta,
        assumptions=(),
        status=Status.CLAIMED,
        source="moments accountant",
    )
    return claimed, "that an agent took part"


def _explain(scene: Scene) -> tuple[str, str]:
    """Return what a broadcast tells about the canary."""
    q, z, agents = scene.controls["q"], scene.controls["z"], scene.controls.whole("N")
    return "the canary", (
        f"""One agent’s clipped share of the joint vector is at most $\\varphi_{{\\max}}S/q$ long: the sensitivity. In that unit, along the canary’s direction, a round shows
$s_t \\sim b_t + N(0, z^2)$ with z = {z:.3g}; $b_t = 1$ with probability q = {q:.3g} if the canary takes part, else 0. The best test is a threshold on
$\\sum_t \\log(1 - q + q\\,e^{{(s_t - 1/2)/z^2}})$. Weights are equal (φ_max everywhere), the worst case for the agent; δ = {scientific(delta_for(agents))}.

The bars compare it with two accounts of the same noise: moments (the paper’s) and privacy-loss distributions (tighter). *Dai, Low, Jaillet (NeurIPS 2021), Proposition 1.*"""
    )


def _script(scene: Scene, rounds: int) -> str:
    """Return the audit as a script."""
    given = scene.controls.values
    q, z = number(given["q"]), number(given["z"])
    claims = [
        f'show("claimed_{name}", pb.privacy.epsilon({q}, {z}, {rounds}, delta, "{name}"))'
        for name in ("moments", "pld")
    ]
    lines = [
        f"delta = pb.federated.delta_for({int(given['N'])})",
        f"mechanism = audit.canary({q}, {z}, {rounds})",
        "datasets = False, True",
        *trial_lines(given["trials"], "delta", claims),
    ]
    return attack_script(lines)


def _all_rounds(scene: Scene) -> int:
    return scene.controls.whole("T")


AUDITED: tuple[Audited, ...] = (
    Audited(
        "canary",
        "Federated: DP-FTS-DE’s broadcasts",
        (
            Attack(
                "all",
                "A canary in all rounds",
                "A canary is an agent made to be noticed: its vector is as long as clipping allows, always in one direction. Can "
                "somebody who sees all broadcasts tell whether it took part?",
                (*SLIDERS, ROUNDS, TRIALS),
                run=lambda scene: _canary("all", scene, _all_rounds(scene)),
                claim=lambda scene: _claim(scene, _all_rounds(scene)),
                explain=_explain,
                script=lambda scene, own: _script(scene, _all_rounds(scene)),
            ),
            Attack(
                "one",
                "A canary in one round",
                "A canary is an agent made to be noticed: its vector is as long as clipping allows, in one direction. Can "
                "somebody who sees a single broadcast tell whether it took part?",
                (*SLIDERS, TRIALS),
                run=lambda scene: _canary("one", scene, 1),
                claim=lambda scene: _claim(scene, 1),
                explain=_explain,
                script=lambda scene, own: _script(scene, 1),
            ),
        ),
        data="none: the server’s dice alone",
    ),
)
