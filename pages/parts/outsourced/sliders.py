"""What can be chosen and set on the Outsourced page."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from functools import partial

import streamlit as st

from pages.parts.bring.worth.judged import judged
from pages.parts.bring.worth.words import Instead, instead
from pages.parts.controls.live_sliders import Controls, Notch, Slider
from pages.parts.frame.address import choose
from pages.parts.outsourced.searching import Searching
from pages.parts.outsourced.shape import SHAPES, pick_shape
from pages.parts.system import usual
from privbo_core.data import Frame
from privbo_core.diagnostics import Worth
from privbo_core.outsourced import Baseline, Mechanism, Setting, Simulation, largest_r, smallest_epsilon
from privbo_core.privacy import Noise

RELEASES: dict[str, tuple[str, tuple[Mechanism, ...]]] = {
    "projection": ("Paper’s projection", ("private",)),
    "noisy": ("Noisy release", ("noisy",)),
    "both": ("Both", ("private", "noisy")),
}
"""What the modeler may get: in words, and the mechanisms that are run for it."""
RELEASED = "What the modeler gets"
ONLY = {"r": "private", "distance": "noisy"}  # sliders that only one mechanism has


@dataclass(frozen=True)
class Case:
    """What is looked at: a problem's simulation, the setting, the mechanisms shown (the first leads), how many runs.

    ``also``: further baselines. ``worth``: whether the table can carry an answer, as far as that is known by now.
    """

    simulation: Simulation
    setting: Setting
    mechanisms: tuple[Mechanism, ...]
    runs: int
    also: tuple[Baseline, ...] = ()
    worth: Callable[[], Worth | None] = field(default=lambda: None, compare=False)

    @property
    def instead(self) -> Instead | None:
        """What is said instead of a cost, whatever the curves look like; None where they can speak for themselves."""
        known = self.worth()
        return instead(known) if known and known.verdict in ("nothing", "too few") else None

    @property
    def leading(self) -> Mechanism:
        """The mechanism that tiles and titles are about."""
        return self.mechanisms[0]


def pick_release(frame: Frame) -> tuple[str, tuple[Mechanism, ...], Noise]:
    """Let a person choose what the modeler gets, and with what noise; return its key, the mechanisms and the shape."""
    release = choose(st.segmented_control, RELEASED, list(RELEASES), key="release", required=True,
                     format_func=lambda key: RELEASES[key][0])  # fmt: skip
    mechanisms = RELEASES[release][1]
    return release, mechanisms, pick_shape(frame) if "noisy" in mechanisms else "gaussian"


def handed_out(release: str, shape: Noise) -> str:
    """Return in words what the modeler gets."""
    name, mechanisms = RELEASES[release]
    return f"{name} ({SHAPES[shape]})" if "noisy" in mechanisms else name


def needs_delta(mechanisms: Sequence[Mechanism], shape: Noise) -> bool:
    """Return whether one of these releases promises with a δ."""
    return shape == "gaussian" or "private" in mechanisms


def sliders(simulation: Simulation, mechanisms: tuple[Mechanism, ...], shape: Noise = "gaussian") -> list[Slider]:
    """Return the sliders for a problem and the releases shown. T leaves no row to be asked for twice."""
    rows = simulation.problem.n
    most = usual.tests(rows, 200)
    panel = [
        Slider("epsilon", "ε", *usual.EPSILONS, usual.EPSILON, "more private", "more useful",
               "Privacy loss. ω is proportional to 1/ε.", step=0.01, log=True, exponential=True),
        Slider("delta", "δ", 1e-12, 0.1, usual.DELTA, "more private", "more useful",
               "The probability with which the promise may fail altogether. Should be well below 1/n.", step=0.01, log=True),
        Slider("r", "r", 1, 100, usual.R, "fewer dimensions", "truer distances, larger ω",
               "Dimension of the random projection that is released.", whole=True),
        Slider("distance", "protected distance", 0.1, 25, 1, "less is hidden", "more is hidden",
               "Two datasets count as neighbours if one row differs by at most so many hidden changes of the frame.", step=0.02, log=True),
        Slider("T", "T", min(10, (most + 1) // 2), most, usual.tests(rows), "fewer evaluations", "more evaluations",
               "Evaluations after the five initial ones.", whole=True),
        Slider("runs", "runs", 5, 200, usual.RUNS, "faster", "thinner bands",
               "Runs averaged; each has its own initial points and its own projection.", whole=True),
        Slider("delta_ucb", "δ_ucb", 0.001, 0.5, 0.05, "explores more", "explores less",
               "GP-UCB’s confidence parameter.", step=0.01, log=True),
    ]  # fmt: skip
    without = () if needs_delta(mechanisms, shape) else ("delta",)
    return [slider for slider in panel if ONLY.get(slider.key) in (None, *mechanisms) and slider.key not in without]


def case_of(
    simulation: Simulation, mechanisms: tuple[Mechanism, ...], controls: Controls, searching: Searching,
    also: tuple[Baseline, ...] = (), shape: Noise = "gaussian",
) -> Case:  # fmt: skip
    """Return what the sliders ask for."""
    setting = Setting(
        controls["epsilon"],
        controls.values.get("delta", usual.DELTA),
        int(controls.values.get("r", 10)),
        controls.whole("T"),
        controls["delta_ucb"],
        usual.initial(simulation.problem.n),
        protected_distance=controls.values.get("distance", 1.0),
        shape=shape,
    )
    return Case(
        simulation, searching.of(setting), mechanisms, controls.whole("runs"), also, partial(judged, simulation)
    )


def notched(panel: list[Slider], case: Case) -> list[Slider]:
    """Return the sliders with the places marked where σ_min = ω, if the projection is shown."""
    if "private" not in case.mechanisms:
        return panel
    sigma_min, setting = case.simulation.spectrum.sigma_min, case.setting
    notches = {
        "epsilon": (Notch(smallest_epsilon(sigma_min, setting.delta, setting.r), "σ_min = ω"),),
        "r": (Notch(largest_r(sigma_min, setting.epsilon, setting.delta), "largest r"),),
    }
    return [replace(slider, marks=notches.get(slider.key, ())) for slider in panel]
