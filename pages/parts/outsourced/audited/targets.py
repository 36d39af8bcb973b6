"""The two releases as targets of attacks: how each is made, what it claims, how a script makes it."""

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from pages.parts.controls.live_sliders import Slider
from pages.parts.outsourced.neighbours import neighbours
from pages.parts.system.attack import Scene
from pages.parts.take_away.script import number
from pages.parts.values.numbers import scientific
from privbo_core.audit.outsourced import Released
from privbo_core.errors import Array
from privbo_core.outsourced import Simulation, curate, guarantee, noisy_guarantee, noisy_release, spectrum
from privbo_core.outsourced.simulation import BOUNDS
from privbo_core.privacy import Guarantee, gaussian_sigma

EPSILON = Slider("epsilon", "ε", math.exp(-1), math.exp(5), math.exp(1.1), "more private", "more useful",
                 "What the mechanism claims.", step=0.01, log=True, exponential=True)  # fmt: skip
DELTA = Slider("delta", "δ", 1e-12, 0.1, 1e-5, "more private", "more useful",
               "The probability with which the promise may fail altogether.", step=0.01, log=True)  # fmt: skip
R = Slider(
    "r", "r", 1, 50, 10, "fewer dimensions", "truer distances", "Dimension of the released projection.", whole=True
)

Given = Mapping[str, float]
"""The values of the sliders."""


@dataclass(frozen=True)
class Target:
    """A release that is attacked. ``exact``: there is no noise in it.

    ``made_of``: what it is made of, from the simulation of a page's data; ``moved``: the same from a neighbour's points.
    ``release`` makes one of that, at the sliders' values. ``data_code`` writes in a script what it is made of, for an
    expression that is the points; ``release_code`` the release, for expressions of that and of a generator.
    """

    key: str
    sliders: tuple[Slider, ...]
    guarantee: Callable[[float, float, str], Guarantee]
    made_of: Callable[[Simulation], Any]
    moved: Callable[[Array], Any]
    release: Callable[[Any, Given, np.random.Generator], Released]
    data_code: Callable[[str], str]
    release_code: Callable[[str, Given, str], str]
    exact: bool = False

    def claim(self, scene: Scene) -> tuple[Guarantee, str]:
        """Return what is claimed, and the secret that it is about."""
        epsilon, delta = scene.controls["epsilon"], scene.controls["delta"]
        return self.guarantee(epsilon, delta, neighbours(scene.problem)), "that a record is the real one"


def _project(data: Any, given: Given, rng: np.random.Generator) -> Released:  # noqa: ANN401
    return curate(data, given["epsilon"], given["delta"], int(given["r"]), rng)


def _project_code(data: str, given: Given, rng: str) -> str:
    epsilon, delta = number(given["epsilon"]), number(given["delta"])
    return f"pb.outsourced.curate({data}, {epsilon}, {delta}, {int(given['r'])}, {rng})"


def _add_noise(data: Any, given: Given, rng: np.random.Generator) -> Released:  # noqa: ANN401
    return noisy_release(data, given["epsilon"], given["delta"], bounds=BOUNDS, rng=rng)


def _add_noise_code(data: str, given: Given, rng: str) -> str:
    epsilon, delta = number(given["epsilon"]), number(given["delta"])
    return f"pb.outsourced.noisy_release({data}, {epsilon}, {delta}, bounds=(-25, 25), rng={rng})"


PROJECTION = Target(
    "projection",
    (EPSILON, DELTA, R),
    guarantee,
    made_of=lambda simulation: simulation.spectrum,
    moved=spectrum,
    release=_project,
    data_code=lambda points: f"pb.outsourced.spectrum({points})",
    release_code=_project_code,
    exact=True,
)
NOISY = Target(
    "noisy",
    (EPSILON, DELTA),
    noisy_guarantee,
    made_of=lambda simulation: simulation.problem.points,
    moved=lambda points: points,
    release=_add_noise,
    data_code=lambda points: points,
    release_code=_add_noise_code,
)


def noise_explained(scene: Scene, why: str) -> tuple[str, str]:
    """Return what *Explain this* says of an attack on the noisy release: the noise, and ``why`` it is enough."""
    epsilon, delta = scene.controls["epsilon"], scene.controls["delta"]
    sigma = gaussian_sigma(epsilon, delta, 1.0)
    formula = (
        f"$Z = B(X) + N(0, \\sigma^2 I)$; B moves every value into public bounds (here ±25 around the public centre). A protected distance of Δ = 1 "
        f"and the smallest σ with $\\Phi(\\tfrac{{\\Delta}}{{2\\sigma}} - \\tfrac{{\\varepsilon\\sigma}}{{\\Delta}}) - e^\\varepsilon\\Phi(-\\tfrac{{\\Delta}}{{2\\sigma}} - "
        f"\\tfrac{{\\varepsilon\\sigma}}{{\\Delta}}) \\le \\delta$ give σ = {sigma:.4g} at ε = {epsilon:.3g}, δ = {scientific(delta)}. *Balle, Wang (ICML 2018), Theorem 8.*"
    )
    return "noise that is enough", f"{formula}\n\n{why}"
