"""What visitors do on each page, and how their pictures must look: computed here, apart from the server."""

import math
import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache

import numpy as np

from pages.figures.release import INTERVAL, units_of
from privbo_core.data import sample, suited_search, tuning_task
from privbo_core.federated import Settings, losses, schools, synthetic
from privbo_core.outsourced import Setting, Simulation
from privbo_core.release import Design
from tests.helpers.visitor import Drawn

Values = dict[str, float]


@dataclass(frozen=True)
class Moved:
    """A page at an address, the sliders that are moved there, and the figure that follows the thumb.

    ``sign(values)``: what that figure must show at these settings; ``read(drawn)``: what it shows.
    """

    page: str
    query: dict[str, str]
    slot: str
    moves: dict[str, Callable[[np.random.Generator], float]]
    sign: Callable[[Values], object]
    read: Callable[[Drawn], object]

    def next(self, values: Values, rng: np.random.Generator) -> Values:
        key = str(rng.choice(sorted(self.moves)))
        return {**values, key: self.moves[key](rng)}


def between(low: float, high: float, whole: bool = False) -> Callable[[np.random.Generator], float]:
    def draw(rng: np.random.Generator) -> float:
        value = math.exp(rng.uniform(math.log(low), math.log(high)))
        return round(value) if whole else float(f"{value:.4g}")

    return draw


def outsourced(name: str) -> Moved:
    """Return the page of a sample problem: the dots on both curves show ε and r."""

    def read(drawn: Drawn) -> object:
        return tuple(float(f"{handle['value']:.6g}") for handle in drawn.figure["handles"])

    return Moved(
        "outsourced",
        {"data": name},
        "condition",
        {"epsilon": between(0.5, 100), "r": between(2, 90, whole=True)},
        lambda values: (float(f"{values['epsilon']:.6g}"), int(values["r"])),
        read,
    )


def release(task: str) -> Moved:
    """Return the page of a tuning task: the title of the published score tells how much noise it has."""

    def sign(values: Values) -> object:
        known = {name: values[name] for name in ("delta", "k1", "sigma")}
        design = Design("noisy", values["epsilon"], iterations=int(values["T"]), **known)
        return units_of(tuning_task(task)).amount(design.publication(tuning_task(task)).half_width(INTERVAL))

    def read(drawn: Drawn) -> object:
        return re.search(r"±(.*? points)", drawn.alt)[1]

    return Moved(
        "release",
        {"task": task, "algorithm": "1 noisy"},
        "score",
        {"epsilon": between(0.2, 500), "T": between(5, 150, whole=True), "sigma": between(0.01, 1)},
        sign,
        read,
    )


def federated(agents: str) -> Moved:
    """Return the page of many agents: what they lose after T rounds, which a dot shows."""

    @cache
    def fixed():
        first = schools() if agents == "schools" else synthetic(agents=2, lengthscale=0.15, heterogeneity=0.1, seed=0)
        return first.kernel, first.noise_variance

    def sign(values: Values) -> object:
        rounds = int(values["T"])
        settings = Settings(*fixed(), 100, 10, 50, q=values["q"], z=values["z"], S=values["S"])
        lost = losses(settings, int(values["N"]))[rounds - 1]
        return float(f"{lost:.3g}"), rounds

    def read(drawn: Drawn) -> object:
        (dot,) = drawn.figure["handles"]
        return float(f"{dot['y'][dot['x'].index(dot['value'])]:.3g}"), int(dot["value"])

    return Moved(
        "federated",
        {"agents": agents},
        "privacy",
        {"q": between(0.02, 0.9), "T": between(5, 90, whole=True)},
        sign,
        read,
    )


@cache
def _simulation(name: str) -> Simulation:
    return Simulation(sample(name))


def regret(name: str, values: Values) -> list[float]:
    """Return the mean private regret over all runs at these settings, computed here."""
    search = suited_search(sample(name))
    how = {"search": search, "once": True}
    setting = Setting(values["epsilon"], values["delta"], int(values["r"]), int(values["T"]), **how)
    *_, last = _simulation(name).compare(setting, int(values["runs"]), ("private",))
    return [float(y) for y in last.band("private", "simple").mean]
