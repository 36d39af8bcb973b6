"""The sliders of the Release page, algorithm by algorithm."""

import math
from dataclasses import replace

from pages.parts.controls.live_sliders import Controls, Notch, Slider
from pages.parts.release.setup import FROM, UP_TO, WAYS, Algorithm, Setup, Values, within
from pages.parts.release.words import too_narrow
from privbo_core.data import TuningTask

START = 1.0
"""ε at first: private selection aims well there, and still protects moderately."""


def sliders(task: TuningTask, algorithm: Algorithm) -> list[Slider]:
    """Return the sliders of an algorithm. T cannot exceed the number of candidates."""
    most = min(200, task.n)
    epsilon = Slider("epsilon", "ε", FROM, UP_TO, START, "more private", "more useful",
                     "Privacy loss of each release: of the setting, and of the score.", step=0.01, log=True, exponential=True)  # fmt: skip
    steps = Slider("T", "T", 2, most, min(50, most), "fewer evaluations", "more evaluations",
                   "Candidates that the search evaluates.", whole=True)  # fmt: skip
    tail = Slider("a", "a", 0.5, 10, 3, "smaller bounds, less sure", "surer",
                  "The bounds hold but for a probability of e^−a (and δ). Changes no release.", step=0.05)  # fmt: skip
    if algorithm in WAYS:
        return [epsilon, tail]
    if algorithm == 3:
        return [epsilon, *_of_the_loss(task), steps, tail]
    if algorithm == 1:
        noise = Slider("sigma", "σ", 1e-3, 2, 0.1, "exact scores", "noisy scores",
                       "Noise of one evaluation, in standard deviations of the score. 0 is Algorithm 2.", step=0.01, log=True)  # fmt: skip
        return [epsilon, *_of_the_prior(), noise, steps, tail]
    return [epsilon, *_of_the_prior(), steps, tail, *_of_the_search()]


def within_range(task: TuningTask, controls: Controls, panel: list[Slider]) -> tuple[TuningTask, Values]:
    """Return the task within the range of λ that is asked for, if one is, and the values of the sliders.

    A range that leaves nothing to choose from gets a sentence beside its slider; the task's own stands in for it.
    """
    range_slider = next((slider for slider in panel if slider.key == "lambda_min"), None)
    if range_slider is None:
        return task, controls.values
    asked = controls["lambda_min"], controls["lambda_max"]
    kept = within(task, *asked)
    if kept is not None:
        return kept, controls.values
    low, high = range_slider.min, range_slider.max
    controls.errors["lambda_min"] = too_narrow(asked, (low, high))
    return task, controls.values | {"lambda_min": low, "lambda_max": high}


def with_notches(panel: list[Slider], setup: Setup) -> list[Slider]:
    """Return the sliders with the ε marked from which on a bound says something."""
    theorem = 2 if 2 in setup.bounds else setup.score_bound.theorem
    at = setup.starts_at(theorem)
    notch = (Notch(at, "bound starts"),) if math.isfinite(at) else ()
    return [replace(slider, marks=notch) if slider.key == "epsilon" else slider for slider in panel]


def _of_the_prior() -> list[Slider]:
    return [
        Slider("delta", "δ", 1e-6, 0.5, 1e-3, "more private", "more useful",
               "The probability with which the promise may fail altogether. Should be well below 1/m.", step=0.01, log=True),
        Slider("k1", "k₁", 0, 1, 0.99, "more noise", "neighbours assumed alike",
               "Assumed correlation of the scores on neighbouring validation sets: 1 is the same function.", step=0.001),
    ]  # fmt: skip


def _of_the_search() -> list[Slider]:
    return [
        Slider("A", "A", 0.01, 100, 1, "less noise", "more noise",
               "How fast exact search closes in on the best: regret ≤ A·exp(−τT/(log T)^(d/4)). Nobody knows A in practice.",
               step=0.01, log=True),
        Slider("tau", "τ", 0.001, 10, 0.1, "more noise", "less noise",
               "The rate in the same formula. It depends on the score’s curvature at its best, which nobody knows.",
               step=0.01, log=True),
    ]  # fmt: skip


def _of_the_loss(task: TuningTask) -> list[Slider]:
    own = task.loss
    low, high = (own.lambda_min, own.lambda_max) if own else (1e-6, 1.0)
    return [
        Slider("lambda_min", "λ_min", low, high, low, "more candidates", "less noise",
               "The smallest λ that may be tried. Smaller ones are left out of the search.", step=0.01, log=True),
        Slider("lambda_max", "λ_max", low, high, high, "less noise", "more candidates",
               "The largest λ that may be tried.", step=0.01, log=True),
        Slider("L", "L", 0.01, 10, own.slope if own else 0.25, "less noise", "more noise",
               "Lipschitz constant of the validation loss; preset to this task’s own.", step=0.01, log=True),
        Slider("g", "g*", 0.01, 10, own.largest if own else 1, "less noise", "more noise",
               "The largest validation loss; preset to this task’s own.", step=0.01, log=True),
        Slider("m", "m", 2, 100_000, task.records or 100, "fewer records", "less noise",
               "Validation records; preset to this task’s own.", step=0.01, log=True, whole=True),
    ]  # fmt: skip
