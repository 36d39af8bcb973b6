"""Textbook noise, which belongs to no system: its ε is known, so it shows whether the audit has teeth."""

import math
from functools import partial

import numpy as np

from pages.parts.export.script import number
from pages.parts.live.sliders import Slider
from pages.parts.system.system import Attack, Audited, Scene
from pages.parts.system.trials import EPSILON, TRIALS, Seen, Trial, trial_attack
from pages.parts.views.content import explanation, prose
from pages.parts.views.text import scientific
from privbo_core.errors import Array
from privbo_core.privacy import Guarantee, Noise, Status, gaussian_epsilon, gaussian_sigma

NOISE = Slider(
    "noise",
    "noise",
    0.5,
    1.2,
    1,
    "too little",
    "more than asked",
    "Noise added, as a multiple of what ε asks for.",
    step=0.01,
)


DELTA = 1e-5
"""Of the Gaussian noise; the Laplace noise has none."""
NAMES: dict[Noise, str] = {"laplace": "Laplace noise", "gaussian": "Gaussian noise"}


def _scale(shape: Noise, epsilon: float) -> float:
    """Return the scale of the standard noise that (ε, δ) asks for."""
    return gaussian_sigma(epsilon, DELTA, 1.0) if shape == "gaussian" else 1.0 / epsilon


def _trial(shape: Noise, scene: Scene) -> Trial:
    """Return the audit of the noise as it is, or with too little of it: does the audit have teeth?"""
    epsilon, share, gaussian = scene.controls["epsilon"], scene.controls["noise"], shape == "gaussian"
    scale = _scale(shape, epsilon)

    def mechanism(value: float, trials: int, rng: np.random.Generator) -> Array:
        noise = rng.standard_normal(trials) if gaussian else rng.laplace(size=trials)
        return value + share * scale * noise

    title = "With the noise that ε asks for"
    if not math.isclose(share, 1):
        title = f"With {100 * abs(1 - share):.0f} % too {'little' if share < 1 else 'much'} noise"
    name = f"{NAMES[shape]}, δ = {scientific(DELTA)}" if gaussian else NAMES[shape]
    seen = Seen(
        ("value 0", "value 1"),
        "released number",
        title,
        f"{name}, added to 0 and to 1. The dashed line is the attacker’s threshold, chosen on trials that do not "
        "count.",
        "share",
    )
    of_epsilon = f"pb.privacy.gaussian_sigma({number(epsilon)}, {number(DELTA)}, 1.0)"
    drawn = "rng.standard_normal(trials)" if gaussian else "rng.laplace(size=trials)"
    code = [
        f"scale = {of_epsilon if gaussian else f'1.0 / {number(epsilon)}'}",
        "def mechanism(value, trials, rng):",
        f"    return value + {number(share)} * scale * {drawn}",
        "datasets = 0.0, 1.0",
    ]
    delta, claims = DELTA if gaussian else 0.0, (("claimed", epsilon),)
    return Trial(f"textbook-{shape}", mechanism, (0.0, 1.0), delta, claims, seen, code, gaussian=gaussian)


def _claim(shape: Noise, scene: Scene) -> tuple[Guarantee, str]:
    """Return the claim, and the secret that it is about."""
    claimed = Guarantee(
        protects="a number",
        against="whoever sees what is released",
        neighbours="The numbers 0 and 1.",
        epsilon=scene.controls["epsilon"],
        delta=DELTA if shape == "gaussian" else 0.0,
        assumptions=(),
        status=Status.CLAIMED,
        source="the mechanism’s own proof",
    )
    return claimed, "that the number is 1"


def _explain(shape: Noise, scene: Scene) -> tuple[str, str]:
    """Return how trials bound ε, and the true ε now."""
    epsilon, share = scene.controls["epsilon"], scene.controls["noise"]
    scale = share * _scale(shape, epsilon)
    truth = gaussian_epsilon(DELTA, scale, 1.0) if shape == "gaussian" else 1.0 / scale
    return explanation("audit", "bounds from trials", epsilon=epsilon, share=share, truth=truth)


def _attack(shape: Noise) -> Attack:
    return trial_attack(
        shape,
        NAMES[shape],
        prose("audit", "Textbook noise", name=NAMES[shape]),
        (EPSILON, NOISE, TRIALS),
        partial(_trial, shape),
        claim=partial(_claim, shape),
        explain=partial(_explain, shape),
    )


TEXTBOOK = Audited(
    "textbook",
    "Textbook noise: has this audit teeth?",
    (_attack("laplace"), _attack("gaussian")),
    data="none: two numbers, 0 and 1",
)
