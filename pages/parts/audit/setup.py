"""Textbook noise, which belongs to no system: its ε is known, so it shows whether the audit has teeth."""

import math
from dataclasses import dataclass
from functools import partial
from typing import Literal

import numpy as np
import streamlit as st

from pages.parts import systems
from pages.parts.export.offer import About, about_problem, number
from pages.parts.live.sliders import Slider, last_values, put
from pages.parts.shell.address import choose, visit
from pages.parts.system.system import DELTA, Aim, Attack, Audited, Simply
from pages.parts.system.trials import EPSILON, TITLE, TRIALS, Seen, Trial, trial_attack
from pages.parts.views.content import explanation, prose
from pages.parts.views.text import scientific
from privbo_core.errors import Array
from privbo_core.privacy import Guarantee, Status, gaussian_epsilon, gaussian_sigma

NOISE = Slider.of("audit.noise", 0.5, 1.2, 1, step=0.01)
PICKED = "audit/picked"
Noise = Literal["gaussian", "laplace"]
NAMES: dict[Noise, str] = {"laplace": "Laplace noise", "gaussian": "Gaussian noise"}


def _scale(shape: Noise, epsilon: float) -> float:
    """Return the scale of the standard noise that (ε, δ) asks for."""
    return gaussian_sigma(epsilon, DELTA, 1.0) if shape == "gaussian" else 1.0 / epsilon


def _trial(shape: Noise, aim: Aim) -> Trial:
    """Return the audit of the noise as it is, or with too little of it: does the audit have teeth?"""
    epsilon, share, gaussian = aim.controls["epsilon"], aim.controls["noise"], shape == "gaussian"
    scale = _scale(shape, epsilon)

    def mechanism(value: float, trials: int, rng: np.random.Generator) -> Array:
        noise = rng.standard_normal(trials) if gaussian else rng.laplace(size=trials)
        return value + share * scale * noise

    title = "With the noise that ε asks for"
    if not math.isclose(share, 1):
        title = f"With {100 * abs(1 - share):.0f} % too {'little' if share < 1 else 'much'} noise"
    name, delta, of_epsilon, drawn = NAMES[shape], 0.0, f"1.0 / {number(epsilon)}", "rng.laplace(size=trials)"
    if gaussian:
        name, delta, drawn = f"{name}, δ = {scientific(DELTA)}", DELTA, "rng.standard_normal(trials)"
        of_epsilon = f"pb.privacy.gaussian_sigma({number(epsilon)}, {number(DELTA)}, 1.0)"
    note = (
        f"{name}, added to 0 and to 1. The dashed line is the attacker’s threshold, chosen on trials that do not count."
    )
    seen = Seen(("value 0", "value 1"), "released number", title, note, "share")
    code = [
        f"scale = {of_epsilon}",
        "def mechanism(value, trials, rng):",
        f"    return value + {number(share)} * scale * {drawn}",
        "datasets = 0.0, 1.0",
    ]
    claims = (("claimed", epsilon),)
    return Trial(f"textbook-{shape}", mechanism, (0.0, 1.0), delta, claims, seen, code, gaussian=gaussian)


def _claim(shape: Noise, aim: Aim) -> tuple[Guarantee, str]:
    epsilon, delta = aim.controls["epsilon"], DELTA if shape == "gaussian" else 0.0
    against, neighbours, proof = "whoever sees what is released", "The numbers 0 and 1.", "the mechanism’s own proof"
    claimed = Guarantee("a number", against, neighbours, epsilon, delta, (), Status.CLAIMED, proof)
    return claimed, "that the number is 1"


def _explain(shape: Noise, aim: Aim) -> tuple[str, str]:
    epsilon, share = aim.controls["epsilon"], aim.controls["noise"]
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


def audited() -> dict[str, Audited]:
    return {each.key: each for each in (*(each for system in systems.SYSTEMS for each in system.audited), TEXTBOOK)}


@dataclass(frozen=True)
class Picked:
    """The mechanism that is audited, by its ``key``, and the ``attack`` on it."""

    key: str
    attack: str

    @property
    def mechanism(self) -> Audited:
        return audited()[self.key]

    @property
    def attacked(self) -> Attack:
        return next(each for each in self.mechanism.attacks if each.key == self.attack)

    @property
    def which(self) -> str:
        return f"{self.key}/{self.attack}"

    @property
    def called(self) -> str:
        return self.mechanism.name

    def about(self, aim: Aim) -> About:
        choices = ("Mechanism", self.called), ("Attack", self.attacked.name)
        if aim.simulation:
            return about_problem(TITLE, aim.problem, *choices)
        return About(TITLE, self.mechanism.data, choices=choices)

    def leave_others(self) -> None:
        """Leave the sliders of what was picked before, at either depth; another attack on the same keeps its settings.

        Whoever comes by a link brings the settings that are meant.
        """
        before = st.session_state.get(PICKED, (visit(), self.key, self.which))
        st.session_state[PICKED] = visit(), self.key, self.which
        if before == st.session_state[PICKED] or before[0] != visit():
            return
        said = last_values(before[2]) if before[1] == self.key else {}
        for slider in self.attacked.sliders:
            st.query_params.pop(slider.key, None)
            fits = slider.min <= said.get(slider.key, -math.inf) <= slider.max
            if fits and slider.key != TRIALS.key:  # of which one attack takes many more than another
                put(self.which, {slider.key: said[slider.key]})


@dataclass(frozen=True)
class Choice(Picked):
    """A mechanism and an attack on it as the Simple page offers them."""

    simply: Simply

    @property
    def called(self) -> str:
        return self.simply.name


def choices() -> dict[str, Choice]:
    return {key: Choice(key, each.simply.attack, each.simply) for key, each in audited().items() if each.simply}


def pick() -> Picked:
    offered = audited()
    key = choose(st.selectbox, "Mechanism", list(offered), key="audited", format_func=lambda key: offered[key].name)
    attacks = {each.key: each.name for each in offered[key].attacks}
    attack = choose(
        st.radio, "Attack", list(attacks), key=f"attack-{key}", format_func=attacks.__getitem__, persist_state="session"
    )
    picked = Picked(key, attack)
    picked.leave_others()
    return picked


def pick_plainly() -> Choice:
    """Show the Simple page's picker; the choice is the one of Expert's mechanisms."""
    offered = choices()
    pick = partial(choose, st.selectbox, "What is audited", list(offered), key="audited", persist_state="session")
    key = pick(format_func=lambda key: offered[key].called)
    offered[key].leave_others()
    return offered[key]
