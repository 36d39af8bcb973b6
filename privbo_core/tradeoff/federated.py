"""Federated optimisation as a question of cost: ε is reached by more noise (z) or by fewer taking part (q)."""

import math
from collections.abc import Generator, Sequence
from contextlib import closing
from dataclasses import replace
from functools import lru_cache
from typing import Literal

import numpy as np

from privbo_core.errors import Array
from privbo_core.federated import Settings, Simulation, delta_for, guarantee, variants
from privbo_core.privacy import Method, epsilon, noise_for, rate_for
from privbo_core.tradeoff.curve import Curve, Question, Reference

Dial = Literal["z", "q"]
RANGES: dict[Dial, tuple[float, float]] = {"z": (0.3, 8.0), "q": (0.01, 1.0)}
SMALLEST, LARGEST = 1e-3, 1e4
"""The ε that a dial is turned to at most, however far it could go."""
NAMES: dict[Dial, str] = {"z": "by noise z", "q": "by rate q"}


def federated_question(
    simulation: Simulation,
    settings: Settings,
    agents: int,
    *,
    measure: Literal["simple", "cumulative"] = "simple",
    method: Method = "moments",
    dials: Sequence[Dial] = ("z", "q"),
) -> Question:
    """Return the question for DP-FTS-DE after T rounds: one mechanism, whose ε each dial reaches in its own way.

    Turning z leaves q as it is and the other way round, within `RANGES`; ε is counted by ``method``. A dial with
    which ε would be infinite is left out. Costs are in units of the
    objectives, averaged over the agents. Without privacy: FTS-DE; without sharing: TS.
    """
    delta = delta_for(agents)

    def costs(name: str, at: Settings, runs: int) -> Generator[Array, None, None]:
        with closing(simulation.compare({name: at}, agents, runs)) as stream:
            for progress in stream:
                yield np.array([getattr(record, measure)[-1] for record in progress.finished[name]])

    def curve(dial: Dial) -> Curve | None:
        ends = [_epsilon(turned(settings, dial, value), delta, method) for value in RANGES[dial]]
        start, end = max(min(ends), SMALLEST), min(max(ends), LARGEST)
        if not start <= end:
            return None

        def at(loss: float, runs: int) -> Generator[Array, None, None]:
            value = _dial(dial, loss, settings.z, settings.q, settings.iterations, delta, method)
            return costs("DP-FTS-DE", turned(settings, dial, value), runs)

        return Curve(NAMES[dial], guarantee(settings, agents).status, at, start, end)

    reachable = settings.z > 0
    found = [curve(dial) for dial in dials if dial == "z" or reachable]
    free = variants(settings)
    return Question(
        curves=tuple(each for each in found if each is not None),
        plain=Reference("FTS-DE, no privacy", lambda runs: costs("FTS-DE", free["FTS-DE"], runs)),
        others=(Reference("TS, no sharing", lambda runs: costs("TS", free["TS"], runs)),),
    )


def dial_at(dial: Dial, loss: float, settings: Settings, agents: int, method: Method) -> float:
    """Return the z or q at which T rounds cost ε = ``loss``."""
    return _dial(dial, loss, settings.z, settings.q, settings.iterations, delta_for(agents), method)


def turned(settings: Settings, dial: Dial, value: float) -> Settings:
    """Return the settings with z or q at another value."""
    return replace(settings, z=value) if dial == "z" else replace(settings, q=value)


def _epsilon(settings: Settings, delta: float, method: Method) -> float:
    if settings.z == 0:
        return math.inf
    return _loss(settings.q, settings.z, settings.iterations, delta, method)


@lru_cache(maxsize=1024)
def _loss(q: float, z: float, steps: int, delta: float, method: Method) -> float:
    return float(epsilon(q, z, steps, delta, method))


@lru_cache(maxsize=1024)
def _dial(dial: Dial, loss: float, z: float, q: float, steps: int, delta: float, method: Method) -> float:
    if dial == "z":
        return float(noise_for(loss, q, steps, delta, method))
    return float(min(1.0, rate_for(loss, z, steps, delta, method)))
