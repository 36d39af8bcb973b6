"""What can be audited of Federated.

The server's broadcasts, by a canary agent that is as easy to notice as clipping allows.
"""

import math
from dataclasses import replace
from functools import partial

from pages.parts.export.offer import arguments
from pages.parts.federated.view import PATIENCE, SOON, WHILE_HELD, Exact, exactly
from pages.parts.live.sliders import Slider
from pages.parts.system.system import Aim, Attack, Audited, Simply
from pages.parts.system.trials import TRIALS, Seen, Trial, trial_attack
from pages.parts.views.content import explanation, prose
from pages.parts.views.text import scientific, sup, whole_text
from privbo_core import audit
from privbo_core.federated import Settings, delta_for, guarantee, losses, schools, total_loss
from privbo_core.gp import SquaredExponential
from privbo_core.privacy import Guarantee

TOOK_PART = "that an agent took part"
SLIDERS = (
    Slider.of("federated.q-attacks", 0.01, 1, 0.25, key="q", step=0.01),
    Slider.of("federated.z-attacks", 0.05, 4, 1, key="z", step=0.01),
    Slider.of(
        "federated.P-attacks", 1, 16, 2, key="P", step=math.log(2), log=True, whole=True, allowed=(1, 2, 4, 8, 16)
    ),
    Slider.of("federated.a-attacks", 0.5, 30, 15, key="a", step=0.5),
    Slider.of("federated.N-attacks", 2, 2000, 200, key="N", step=0.02, log=True, whole=True),
)
ROUNDS = (
    Slider.of("federated.T-attacks", 2, 100, 40, key="T", whole=True),
    Slider.of("federated.hold", 0, 40, 10, whole=True),
    Slider.of("federated.fade", 1, 60, 30, whole=True),
)
RUNS = Slider.of("federated.trials", 500, 50_000, 4000, step=0.02, log=True, whole=True)


def _audited(aim: Aim) -> tuple[Settings, int]:
    """Return the run that is audited, in one round where no slider asks for more, and how many agents there are.

    What they optimise does not matter, for the canary sends what it likes.
    """
    usual, given, kernel = {"T": 1.0, "hold": 10.0, "fade": 30.0}, aim.controls.values, SquaredExponential(1.0)
    rounds, P, hold, fade = (int((usual | given)[name]) for name in ("T", "P", "hold", "fade"))
    run = Settings(kernel, 1.0, rounds, q=given["q"], z=given["z"], S=1.0, P=P, a=given["a"], hold=hold, fade=fade)
    return run, aim.controls.whole("N")


def _exactly(aim: Aim) -> Exact | None:
    return exactly(*_audited(aim), WHILE_HELD if aim.controls.dragging else SOON)


def _canary(key: str, aim: Aim) -> Trial:
    """Return the audit of DP-FTS-DE's broadcasts in those rounds, by the server's own aggregation."""
    settings, agents = _audited(aim)
    rounds, delta = settings.iterations, delta_for(agents)
    moments = ("moments (paper)", losses(settings, agents)[-1])
    what_tells = "one round tells" if rounds == 1 else f"{rounds} rounds tell"
    seen = Seen(
        ("canary absent", "canary present"),
        "log-likelihood ratio",
        "Noise and sampling blur the canary’s presence",
        f"Everything that {what_tells} about the canary, as one number: the logarithm of the likelihood ratio. Each "
        "trial selects, clips, weighs, adds up and adds noise as the server does. δ = "
        f"{whole_text(agents)}{sup('−1.1')} = {scientific(delta)}.",
        "share",
    )

    def counted(trial: Trial, exact: Exact | None, *papers: tuple[str, float]) -> Trial:
        judged = (("claimed:\ncounted exactly", exact.epsilon),) if exact else ()
        return replace(trial, claims=(moments, *papers, *judged), counted=exact.line if exact else None)

    def later(trial: Trial) -> Trial:
        paper = ("loss distributions\n(paper)", total_loss(settings, agents, "pld"))
        return counted(trial, exactly(settings, agents, PATIENCE), paper)

    counts = ("moments", '"moments"'), ("pld", '"pld"'), ("exact", '"pld", "exact"')
    trial = Trial(
        f"canary-{key}",
        audit.server_canary(settings, agents),
        (False, True),
        delta,
        (),
        seen,
        code=_lines(settings, ("a", "hold", "fade"), str(agents), f"server_canary(settings, {agents})"),
        claim_code=[
            f'show("claimed_{name}", pb.federated.losses(settings, {agents}, {how})[-1])' for name, how in counts
        ],
        delta_code="delta",
        pace=(250, 2.0),  # every trial runs the server's aggregation, round by round
        later=later,
    )
    return counted(trial, _exactly(aim))


def _lines(settings: Settings, more: tuple[str, ...], agents: str, mechanism: str) -> list[str]:
    """Return the lines of a script that make settings, δ and mechanism; ``more``: settings besides the usual ones."""
    given = {name: getattr(settings, name) for name in ("iterations", "q", "z", "S", "P", *more)}
    return [
        f"options = dict({arguments(given)})",
        "settings = pb.federated.Settings(pb.gp.SquaredExponential(1.0), 1.0, **options)",
        f"delta = pb.federated.delta_for({agents})",
        f"mechanism = audit.{mechanism}",
        "datasets = False, True",
    ]


SCHOOL_SETTINGS = Settings(SquaredExponential(1.0), 1.0, iterations=40, q=0.25, z=1.0, S=1.0, P=2)
"""The page's own settings, whose ε the schools are promised."""


def _model(aim: Aim) -> Trial:
    problem = schools()
    agents = len(problem.agents)
    seen = Seen(
        ("stays away", "takes part"),
        "the unit that every agent is given",
        lambda absent, present, least: f"One school less, and the unit is {absent[0]:.6f} instead of {present[0]:.6f}",
        "The unit of the model is the standard deviation of all schools’ values. Every agent is told it, with all its "
        "digits, before the first round; the school is the one whose absence moves it most.",
        "curator",
    )
    claims = (("claimed:\nmoments", losses(SCHOOL_SETTINGS, agents)[-1]),)
    return Trial(
        "canary-model",
        audit.model_attack(problem),
        (False, True),
        delta_for(agents),
        claims,
        seen,
        code=[
            "problem = pb.federated.schools()",
            *_lines(SCHOOL_SETTINGS, (), "len(problem.agents)", "model_attack(problem)"),
        ],
        claim_code=['show("claimed_moments", pb.federated.losses(settings, len(problem.agents))[-1])'],
        delta_code="delta",
        certain="No noise covers it: this is arithmetic, not chance.",
    )


def _model_claim(aim: Aim) -> tuple[Guarantee, str]:
    problem = schools()
    return guarantee(SCHOOL_SETTINGS, len(problem.agents), problem=problem), "that a school took part"


def _claim(aim: Aim) -> tuple[Guarantee, str]:
    """Return what is promised, and the secret that it is about: counted exactly, by moments until that is there."""
    settings, agents = _audited(aim)
    if exact := _exactly(aim):
        return guarantee(settings, agents, "pld", "exact", counted=exact.epsilon), TOOK_PART
    return guarantee(settings, agents), TOOK_PART


def _explain(aim: Aim) -> tuple[str, str]:
    settings, agents = _audited(aim)
    return explanation("audit", "the canary", settings=settings, agents=agents, delta=delta_for(agents))


def _canary_attack(key: str, name: str, sliders: tuple[Slider, ...]) -> Attack:
    lead = prose("audit", "A canary", all_rounds=key == "all")
    return trial_attack(key, name, lead, sliders, partial(_canary, key), claim=_claim, explain=_explain)


AUDITED: tuple[Audited, ...] = (
    Audited(
        "canary",
        "Federated: DP-FTS-DE’s broadcasts",
        (
            _canary_attack("all", "A canary in all rounds", (*SLIDERS, *ROUNDS, RUNS)),
            _canary_attack("one", "A canary in one round", (*SLIDERS, TRIALS)),
            trial_attack(
                "model",
                "The model that all share",
                prose("audit", "The model that all share"),
                (TRIALS,),
                _model,
                claim=_model_claim,
                explain=lambda aim: explanation("audit", "the shared model"),
            ),
        ),
        data="none: agents that send what they like, and the server’s dice",
        simply=Simply(
            "all",
            "Tuning together",
            "Many tune together through a server, which adds noise. One of them sends all that the rules allow. "
            "Whoever listens asks: did it take part?",
            ("Who took part", "and its data."),
            ("Whoever listens", "not the server."),
            "z",
            "who took part",
            "Noise that the server adds: z",
        ),
    ),
)
