"""Textbook noise, which belongs to no system: its ε is known, so it shows whether the audit has teeth."""

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

import numpy as np

from pages.parts.controls.live_sliders import Slider
from pages.parts.system.attack import Attack, Audited, Scene
from pages.parts.system.trials import EPSILON, TRIALS, Seen, Trial, trial_attack
from pages.parts.take_away.script import number
from pages.parts.values.numbers import scientific
from privbo_core.errors import Array
from privbo_core.privacy import Guarantee, Status, gaussian_epsilon, gaussian_sigma

NOISE = Slider("noise", "noise", 0.5, 1.2, 1, "too little", "more than asked",
               "Noise added, as a multiple of what ε asks for.", step=0.01)  # fmt: skip


@dataclass(frozen=True)
class Textbook:
    """Noise added to a number: the standard ``draw`` times the ``scale`` that (ε, δ) asks for. ``loss``: ε at a scale.

    ``scale_code`` and ``draw_code`` write both in a script.
    """

    key: str
    name: str
    delta: float
    scale: Callable[[float], float]
    draw: Callable[[np.random.Generator, int], Array]
    loss: Callable[[float], float]
    scale_code: Callable[[str], str]
    draw_code: str


LAPLACE = Textbook(
    "laplace",
    "Laplace noise",
    0.0,
    scale=lambda epsilon: 1.0 / epsilon,
    draw=lambda rng, trials: rng.laplace(size=trials),
    loss=lambda scale: 1.0 / scale,
    scale_code=lambda epsilon: f"1.0 / {epsilon}",
    draw_code="rng.laplace(size=trials)",
)
DELTA = 1e-5
GAUSSIAN = Textbook(
    "gaussian",
    "Gaussian noise",
    DELTA,
    scale=lambda epsilon: gaussian_sigma(epsilon, DELTA, 1.0),
    draw=lambda rng, trials: rng.standard_normal(trials),
    loss=lambda scale: gaussian_epsilon(DELTA, scale, 1.0),
    scale_code=lambda epsilon: f"pb.privacy.gaussian_sigma({epsilon}, {number(DELTA)}, 1.0)",
    draw_code="rng.standard_normal(trials)",
)


def _trial(noise: Textbook, scene: Scene) -> Trial:
    """Return the audit of the noise as it is, or with too little of it: does the audit have teeth?"""
    epsilon, share = scene.controls["epsilon"], scene.controls["noise"]
    scale = noise.scale(epsilon)

    def mechanism(value: float, trials: int, rng: np.random.Generator) -> Array:
        return value + share * scale * noise.draw(rng, trials)

    title = (
        "With the noise that ε asks for"
        if math.isclose(share, 1)
        else f"With {100 * abs(1 - share):.0f} % too {'little' if share < 1 else 'much'} noise"
    )
    name = f"{noise.name}, δ = {scientific(noise.delta)}" if noise.delta else noise.name
    seen = Seen(
        ("value 0", "value 1"),
        "released number",
        title,
        f"{name}, added to 0 and to 1. The dashed line is the attacker’s threshold, chosen on trials that do not count.",
        "share",
    )
    code = [
        f"scale = {noise.scale_code(number(epsilon))}",
        "def mechanism(value, trials, rng):",
        f"    return value + {number(share)} * scale * {noise.draw_code}",
        "datasets = 0.0, 1.0",
    ]
    return Trial(
        f"textbook-{noise.key}", mechanism, (0.0, 1.0), noise.delta, (("claimed", epsilon),), seen, code,
        gaussian=noise.key == "gaussian",
    )  # fmt: skip


def _claim(noise: Textbook, scene: Scene) -> tuple[Guarantee, str]:
    """Return the claim, and the secret that it is about."""
    claimed = Guarantee(
        protects="a number",
        against="whoever sees what is released",
        neighbours="The numbers 0 and 1.",
        epsilon=scene.controls["epsilon"],
        delta=noise.delta,
        assumptions=(),
        status=Status.CLAIMED,
        source="the mechanism’s own proof",
    )
    return claimed, "that the number is 1"


def _explain(noise: Textbook, scene: Scene) -> tuple[str, str]:
    """Return how trials bound ε, and the true ε now."""
    epsilon, share = scene.controls["epsilon"], scene.controls["noise"]
    return "bounds from trials", (
        f"""A threshold test has false alarms (FPR) and misses (FNR). (ε, δ)-privacy forces $1 - \\delta - \\mathrm{{FPR}} \\le e^{{\\varepsilon}}\\,\\mathrm{{FNR}}$, so
$\\varepsilon \\ge \\log\\frac{{1-\\delta-\\mathrm{{FPR}}^+}}{{\\mathrm{{FNR}}^+}}$, where + marks the upper Clopper–Pearson limit, each at error 2.5 %. The threshold is chosen on a tenth of the trials
and judged on the rest. For Gaussian noise the two rates bound $\\mu = \\Delta/\\sigma$ instead, which is much sharper when δ is small.

Claimed now: ε = {epsilon:.3g}; with {100 * share:.0f} % of the noise that it asks for, the truth is ε = {noise.loss(share * noise.scale(epsilon)):.3g}."""
    )


def _attack(noise: Textbook) -> Attack:
    return trial_attack(
        noise.key,
        noise.name,
        f"An audit that never finds anything is worth nothing. {noise.name} has a known ε: the audit should come "
        "close to it, and refute the claim as soon as there is 20 % too little noise. Drag the noise and see.",
        (EPSILON, NOISE, TRIALS),
        partial(_trial, noise),
        claim=partial(_claim, noise),
        explain=partial(_explain, noise),
    )


TEXTBOOK = Audited(
    "textbook",
    "Textbook noise: has this audit teeth?",
    (_attack(LAPLACE), _attack(GAUSSIAN)),
    data="none: two numbers, 0 and 1",
)
