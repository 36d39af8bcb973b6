"""The two releases as targets of attacks: how each is made, what it claims, how a script makes it."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from pages.parts.export.offer import number
from pages.parts.live.sliders import Slider, of_epsilon
from pages.parts.outsourced.promise import neighbours, one_hidden_change
from pages.parts.outsourced.setup import DIMENSION
from pages.parts.system import system
from pages.parts.system.system import Aim
from pages.parts.views.content import explanation
from privbo_core.audit.outsourced import Released
from privbo_core.data import Problem
from privbo_core.errors import Array
from privbo_core.outsourced import Setting, Simulation, curate, guarantee, noisy_release, spectrum
from privbo_core.privacy import Guarantee, gaussian_sigma

EPSILON = of_epsilon(*system.EPSILONS, system.EPSILON, "What the mechanism claims.", exponential=True)
R = replace(DIMENSION, max=50)

Given = Mapping[str, float]  # The values of the sliders.


@dataclass(frozen=True)
class Target:
    """A release that is attacked. ``exact``: there is no noise in it.

    ``claim``: what is promised in a aim. ``rows``: the n×d rows that are released, in the units in which neighbours
    differ by 1; ``unit``: what one such unit is in each original column; ``to_original`` leads back. ``made_of``: what
    a release of such rows is made of. ``release`` makes one, at the sliders' values. ``rows_code`` writes the rows in a
    script, ``data_code`` what a release is made of, for an expression that is rows, ``release_code`` the release, for
    expressions of that and of a generator, ``original_code`` original units of ``found.points``.
    """

    key: str
    sliders: tuple[Slider, ...]
    guarantee: Callable[[Aim], Guarantee]
    rows: Callable[[Simulation], Array]
    unit: Callable[[Problem], Array]
    to_original: Callable[[Problem, Array], Array]
    made_of: Callable[[Array], Any]
    release: Callable[[Problem, Any, Given, np.random.Generator], Released]
    rows_code: str
    data_code: Callable[[str], str]
    release_code: Callable[[str, Given, str], str]
    original_code: str
    exact: bool = False

    def setting(self, given: Given) -> Setting:
        return Setting(given["epsilon"], given.get("delta", system.DELTA), 1, 1)

    def claim(self, aim: Aim) -> tuple[Guarantee, str]:
        """Return what is claimed, and the secret that it is about."""
        return self.guarantee(aim), "that a record is the real one"


def _noisy(key: str, sliders: tuple[Slider, ...]) -> Target:
    def claim(aim: Aim) -> Guarantee:
        assert aim.simulation is not None
        return aim.simulation.noisy_guarantee(target.setting(aim.controls.values), one_hidden_change(aim.problem))

    def release(problem: Problem, data: Any, given: Given, rng: np.random.Generator) -> Released:  # noqa: ANN401
        setting, bounds = target.setting(given), problem.frame.bounds
        return noisy_release(data, setting.epsilon, setting.delta, bounds=bounds, rng=rng)

    def code(data: str, given: Given, rng: str) -> str:
        epsilon, delta = number(given["epsilon"]), number(target.setting(given).delta)
        return f"pb.outsourced.noisy_release({data}, {epsilon}, {delta}, bounds=problem.frame.bounds, rng={rng})"

    target = Target(
        key,
        sliders,
        guarantee=claim,
        rows=lambda simulation: simulation.placed,
        unit=lambda problem: problem.frame.hide,
        to_original=lambda problem, points: problem.frame.to_original(points),
        made_of=lambda rows: rows,
        release=release,
        rows_code="problem.frame.place(problem.original)",
        data_code=lambda rows: rows,
        release_code=code,
        original_code="problem.frame.to_original(found.points)",
    )
    return target


PROJECTION = Target(
    "projection",
    (EPSILON, system.ASKED_DELTA, R),
    guarantee=lambda aim: guarantee(aim.controls["epsilon"], aim.controls["delta"], neighbours(aim.problem)),
    rows=lambda simulation: simulation.problem.points,
    unit=lambda problem: problem.unit_distance,
    to_original=lambda problem, points: (points - problem.points[0]) * problem.unit_distance + problem.original[0],
    made_of=spectrum,
    release=lambda problem, data, given, rng: curate(data, given["epsilon"], given["delta"], int(given["r"]), rng),
    rows_code="problem.points",
    data_code=lambda rows: f"pb.outsourced.spectrum({rows})",
    release_code=lambda data, given, rng: (
        f"pb.outsourced.curate({data}, {number(given['epsilon'])}, {number(given['delta'])}, {int(given['r'])}, {rng})"
    ),
    original_code="(found.points - problem.points[0]) * problem.unit_distance + problem.original[0]",
    exact=True,
)
NOISY = _noisy("noisy", (EPSILON, system.ASKED_DELTA))


def noise_explained(why: str, aim: Aim) -> tuple[str, str]:
    """Return what *Explain this* says of an attack on the noisy release: the noise, and ``why`` it is enough."""
    epsilon, delta = aim.controls["epsilon"], aim.controls["delta"]
    sigma, public = gaussian_sigma(epsilon, delta, 1.0), aim.problem.frame.public
    return explanation(
        "audit", "noise that is enough", sigma=sigma, epsilon=epsilon, delta=delta, why=why, public=public
    )
