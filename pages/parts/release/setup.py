"""What is set on the Release page: what publishes, by which paper, its sliders; and the task within the range of λ."""

import math
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, Literal

import streamlit as st

from pages.parts.live.sliders import Controls, Notch, Slider, of_delta, of_epsilon
from pages.parts.shell.address import choose, chosen_before
from pages.parts.views.content import prose
from privbo_core.data import LipschitzLoss, TuningTask
from privbo_core.release import Variant, Way

Algorithm = Literal[0, 1, 2, 3, 4]
"""What publishes: permute-and-flip (0), one of DP-BO’s three, or the exponential mechanism (4)."""
ALGORITHMS: dict[str, Algorithm] = {"selection": 0, "1 noisy": 1, "2 exact": 2, "3 Lipschitz": 3}
WAYS: dict[Algorithm, Way] = {0: "permute-and-flip", 4: "exponential"}
"""The ways of private selection, by number; the first is the recommended one."""
NAMES: dict[Algorithm, str] = {0: "Permute-and-flip", 4: "The exponential mechanism"}
VARIANTS: dict[str, Variant] = {"ICML": "icml", "workshop": "workshop"}
Values = dict[str, float]  # What the sliders say, by name.
FROM, START, UP_TO = 0.1, 1.0, 1000.0
"""ε from where to where; and at first, where private selection aims well and still protects moderately."""
NO_RECORDS = prose("release", "m is not known")


@dataclass(frozen=True, eq=False)
class Setup:
    task: TuningTask
    algorithm: Algorithm
    variant: Variant
    values: Values

    @property
    def name(self) -> str:
        return NAMES.get(self.algorithm, f"Algorithm {self.algorithm}")

    @property
    def selects(self) -> bool:
        """Whether it publishes by private selection, which needs neither a search nor a prior."""
        return self.algorithm in WAYS


def pick_algorithm() -> tuple[Algorithm, Variant]:
    pick = partial(choose, st.segmented_control, required=True, persist_state="session")
    about = prose("release", "the algorithms")
    algorithm = ALGORITHMS[pick("Algorithm", list(ALGORITHMS), key="algorithm", help=about)]
    if algorithm == 3:
        return algorithm, "icml"
    if algorithm == 0:
        by = {way: number for number, way in WAYS.items()}
        return by[pick("Drawn by", list(by), key="way", help=prose("release", "two ways to draw"))], "icml"
    return algorithm, VARIANTS[pick("Paper", list(VARIANTS), key="paper")]


def left_in_expert() -> str:
    """Return what Simple adds to its story where one of the papers' algorithms is chosen in Expert."""
    number = ALGORITHMS[chosen_before("algorithm", list(ALGORITHMS))]
    shown = " This page shows private selection, whose promise assumes nothing about the scores;"
    return f"{shown} Algorithm {number}, chosen in Expert, is still there." if number else ""


def missing(task: TuningTask | None, algorithm: Algorithm) -> str:
    """Return what keeps the page from showing anything, as Markdown; nothing if all is there."""
    if task is None:
        return "There is nothing to tune yet: choose a file on the left, or one of the built-in tasks."
    if algorithm == 3 and task.loss is None:
        return prose("release", "Algorithm 3 needs a model")
    if algorithm in WAYS and task.records is None:
        return prose("release", "private selection needs m")
    return ""


def sliders(task: TuningTask, algorithm: Algorithm) -> list[Slider]:
    """Return the sliders of an algorithm. T cannot exceed the number of candidates."""
    most, own = min(200, task.n), task.loss
    low, high = (own.lambda_min, own.lambda_max) if own else (1e-6, 1.0)
    counts = "Privacy loss of each release: setting and score cost 2ε."
    first = of_epsilon(FROM, UP_TO, START, counts, exponential=True)
    loss = [
        Slider.of("release.lambda_min", low, high, low, step=0.01, log=True),
        Slider.of("release.lambda_max", low, high, high, step=0.01, log=True),
        Slider.of("release.L", 0.01, 10, own.slope if own else 0.25, step=0.01, log=True),
        Slider.of("release.g", 0.01, 10, own.largest if own else 1, step=0.01, log=True),
        Slider.of("release.m", 2, 100_000, task.records or 100, step=0.01, log=True, whole=True),
    ]
    prior = [
        of_delta(1e-6, 0.5, 1e-3, prose("release", "δ of the prior")),
        Slider.of("release.k1", 0, 1, 0.99, step=0.001),
    ]
    sigma = Slider.of("release.sigma", 1e-3, 2, 0.1, step=0.01, log=True)
    tail = [Slider.of("release.T", 2, most, min(50, most), whole=True), Slider.of("release.a", 0.5, 10, 3, step=0.05)]
    search = [
        Slider.of("release.A", 0.01, 100, 1, step=0.01, log=True),
        Slider.of("release.tau", 0.001, 10, 0.1, step=0.01, log=True),
    ]
    if algorithm in WAYS:
        return [first, tail[-1]]
    return [first, *{1: [*prior, sigma, *tail], 2: [*prior, *tail, *search], 3: [*loss, *tail]}[algorithm]]


def within_range(setup: Setup, controls: Controls, panel: list[Slider]) -> Setup:
    """Return what is set, with the candidates within the range of λ that is asked for, if one is.

    A range that leaves nothing to choose from gets a sentence beside its slider; the task's own stands in for it.
    """
    own = next(((slider.min, slider.max) for slider in panel if slider.key == "lambda_min"), None)
    if own is None:
        return setup
    low, high = controls["lambda_min"], controls["lambda_max"]
    narrowed = within(setup.task, low, high)
    if narrowed is not None:
        return replace(setup, task=narrowed)
    controls.errors["lambda_min"] = (
        f"λ_min to λ_max, {low:.3g} to {high:.3g}, leaves fewer than two candidates; the page "
        f"shows the task’s own range, {own[0]:.3g} to {own[1]:.3g}."
    )
    return replace(setup, values=setup.values | {"lambda_min": own[0], "lambda_max": own[1]})


def within(task: TuningTask, low: float, high: float) -> TuningTask | None:
    """Return the task with the candidates λ in [low, high] alone, or None if fewer than two are left."""
    slack, values = 1e-6, task.parameters[:, 0]
    inside = (values >= low * (1 - slack)) & (values <= high * (1 + slack))
    if inside.all():
        return task
    if inside.sum() < 2:
        return None
    left: dict[str, Any] = {name: getattr(task, name)[inside] for name in ("parameters", "points", "scores")}
    for name, by_record in (("losses", task.losses), ("reserve", task.reserve)):
        left[name] = None if by_record is None else by_record[:, inside]
    return replace(task, **left)


def loosened(task: TuningTask, assumed: LipschitzLoss, records: int) -> tuple[str, ...]:
    """Return a sentence for each constant that asks for less noise than the task's own needs."""
    own = task.loss
    if own is None or task.records is None:
        return ()
    faults = [
        f"{name} = {value:.3g} is below the loss’s own {least:.3g}."
        for name, value, least in (("L", assumed.slope, own.slope), ("g*", assumed.largest, own.largest))
        if value < least * (1 - 1e-6)
    ]
    if records > task.records:
        faults.append(f"m = {records} exceeds the {task.records} records there are.")
    return tuple(f"Does not hold for this task: {fault}" for fault in faults)


def with_notches(panel: list[Slider], starts_at: float) -> list[Slider]:
    """Return the sliders with the ε marked from which on a bound says something."""
    notch = (Notch(starts_at, "bound starts"),) if math.isfinite(starts_at) else ()
    return [replace(slider, marks=notch) if slider.key == "epsilon" else slider for slider in panel]
