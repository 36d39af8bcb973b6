"""The shape of the noisy release's noise: chosen once, the same on every page, and what it changes."""

import json
from dataclasses import replace
from functools import cache, lru_cache
from pathlib import Path
from typing import Any

import streamlit as st

from pages.parts.shell.address import choose, unseen
from pages.parts.views.content import prose
from pages.parts.views.drawing import note, show
from pages.parts.views.templates import explaining
from pages.parts.views.text import as_markdown, minus, scientific
from pages.parts.views.views import table
from privbo_core.data import Frame, Problem, sample
from privbo_core.data.samples import SAMPLES
from privbo_core.errors import DataError
from privbo_core.outsourced import Setting
from privbo_core.outsourced.noisy import refuse_columns
from privbo_core.privacy import Gaussian, Noise, Radial, TradeOff, line_of, noise_of, same_attacker

SHAPES: dict[Noise, str] = {"gaussian": "Gaussian, with δ", "laplace": "Laplace, δ = 0"}
STORED = Path(__file__).parents[3] / "results" / "noise_shapes.json"
NAMED = 3
CERTAIN = 0.995  # An attacker who is right more often is right 100 times in 100.


def pick_shape(frame: Frame, *, shown: bool = True) -> Noise:
    """Return the shape that was chosen, or say why it is Gaussian instead; ``shown``: let a person choose it here."""
    about = prose("outsourced", "Laplace or Gaussian")
    widget = st.segmented_control if shown else unseen
    label = "Noise of the noisy release"
    shape = choose(widget, label, SHAPES, key="noise", required=True, persist_state="session", help=about)
    if fault := too_many(shape, frame.d):
        st.error(as_markdown(f"{fault} Until then it is Gaussian."), icon=":material/error:")
        return "gaussian"
    return shape


def too_many(shape: Noise, d: int) -> str:
    """Return why noise of that shape is not drawn for so many columns; nothing where it is."""
    try:
        refuse_columns(shape, d)
    except DataError as fault:
        return str(fault)
    return ""


def noisy_line(setting: Setting, d: int) -> TradeOff:
    """Return how rarely any test of a noisy release of ``d`` columns can miss."""
    return _line(setting.shape, setting.epsilon, setting.noisy_delta, 1 if setting.shape == "gaussian" else d)


@lru_cache(maxsize=256)
def _line(shape: Noise, epsilon: float, delta: float, d: int) -> TradeOff:
    return line_of(noise_of(shape, 1.0, epsilon, delta, d))


def compared(setting: Setting, frame: Frame) -> str:
    """Return what the shape changes: at the same ε, and for the same attacker."""
    usual, other = Gaussian(1.0, setting.epsilon, setting.delta), Radial(1.0, setting.epsilon, frame.d)
    noise = {shape: replace(setting, shape=shape).noise(frame) for shape in SHAPES}
    both = (
        f"At ε = {setting.epsilon:.3g}, Laplace noise has σ = {noise['laplace']:.3g} and Gaussian noise (δ = "
        f"{scientific(setting.delta)}) {noise['gaussian']:.3g}; their best attackers are right "
        f"{100 * other.guessed:.0f} and {100 * usual.guessed:.0f} times in 100."
    )
    if usual.guessed > CERTAIN:
        return both
    fair = replace(setting, epsilon=same_attacker(setting.epsilon, setting.delta, frame.d), shape="laplace")
    needs = f"Laplace noise needs σ = {fair.noise(frame):.3g} (ε = {fair.epsilon:.2g})"
    return f"{both} Against the attacker of the Gaussian, {needs}."


@cache
def _stored() -> dict[str, Any]:
    stored: dict[str, Any] = json.loads(STORED.read_text(encoding="utf-8"))
    return stored


def show_compared(problem: Problem, setting: Setting) -> None:
    """Say what the shape changes, and explain it: two comparisons, and on a sample what both cost a search."""
    if too_many("laplace", problem.frame.d):
        return
    note(compared(setting, problem.frame))
    rows = _rows(problem)
    with explaining("the shape of the noise") as say:
        say(prose("outsourced", "the shape of the noise", measured=_stored() if rows else None))
        if rows:
            show(table(HEAD, rows))


HEAD = ("ε", "Gaussian", "Laplace, same ε", "less", "ε of same attacker", "Laplace, same attacker", "less")


def _rows(problem: Problem) -> list[tuple[str, ...]]:
    """Return what both shapes cost a sample at each ε; nothing for other data."""
    name = (problem.identity or "").removeprefix("sample/").partition("/")[0]
    if name not in SAMPLES or sample(name).identity != problem.identity:
        return []
    parts = ("gaussian", "same_epsilon", "same_epsilon_less", "fair_epsilon", "same_attacker", "same_attacker_less")
    return [
        (f"{entry['epsilon']:g}", *(_known(entry[part]) for part in parts))
        for entry in _stored()["results"]
        if entry["sample"] == name
    ]


def _known(value: float | list[float]) -> str:
    if isinstance(value, float):
        return f"{value:.2f}"
    mean, error = value
    return minus(f"{mean:.2f} ± {error:.2f}")
