"""Federated optimisation as a question of cost: ε is reached by more noise (z) or by fewer taking part (q)."""

import math
from collections.abc import Generator
from contextlib import closing
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Literal

import numpy as np

from privbo_core.errors import Array
from privbo_core.federated import Sensitivity, Settings, Simulation, delta_for, guarantee, multipliers, variants
from privbo_core.federated.promise import accounting, rate_of
from privbo_core.federated.simulation import EARLY, Record
from privbo_core.outsourced import Measure
from privbo_core.privacy import Method, Sampling, composed_epsilon, noise_for_rounds, rate_for_rounds
from privbo_core.tradeoff.curve import Curve, Question, Reference

Dial = Literal["z", "q"]
Regret = Measure | Literal["early"]
"""What is measured of a run; "early": the simple regret, averaged over the first `EARLY` rounds."""
RANGES: dict[Dial, tuple[float, float]] = {"z": (0.3, 8.0), "q": (0.01, 1.0)}
SMALLEST, LARGEST = 1e-3, 1e4  # The ε that a dial is turned to at most, however far it could go.
NAMES: dict[Dial, str] = {"z": "by noise z", "q": "by rate q"}


def federated_question(
    simulation: Simulation,
    settings: Settings,
    agents: int,
    *,
    measure: Regret = "simple",
    method: Method = "moments",
    sensitivity: Sensitivity = "paper",
    scale: float = 1.0,
) -> Question:
    """Return the question for DP-FTS-DE after T rounds: one mechanism, whose ε each dial reaches in its own way.

    Turning z leaves q as it is and the other way round, within `RANGES`; ε is counted by ``method`` and
    ``sensitivity``, for the sampling and the calibration that the settings say. A dial with which ε would be infinite
    is left out. Costs are averaged over the agents, ``scale`` times those in units of the objectives. Without privacy:
    FTS-DE; without sharing: TS. There is no rank here (ValueError): each agent has an objective of its own.
    """
    if measure == "rank":
        raise ValueError("measure is 'rank'; agents are compared by 'simple', 'cumulative' or 'early' regret.")

    def costs(name: str, at: Settings, runs: int) -> Generator[Array, None, None]:
        with closing(simulation.compare({name: at}, agents, runs)) as stream:
            for progress in stream:
                yield np.array([scale * _regret(record, measure) for record in progress.finished[name]])

    promise = guarantee(settings, agents, problem=simulation.problem(0))

    def curve(dial: Dial, start: float, end: float) -> Curve:
        def at(loss: float) -> Settings:
            return turned(settings, dial, dial_at(dial, loss, settings, agents, method, sensitivity))

        def over(loss: float, runs: int) -> Generator[Array, None, None]:
            return costs("DP-FTS-DE", at(loss), runs)

        return Curve(NAMES[dial], promise.status, over, start, end, standing=promise.standing())

    def reference(name: str, variant: str) -> Reference:
        at = variants(settings)[variant]
        return Reference(name, lambda runs: costs(variant, at, runs))

    dials: tuple[Dial, ...] = ("z", "q") if settings.z > 0 else ("z",)
    curves = []
    for dial in dials:
        turns = [turned(settings, dial, value) for value in RANGES[dial]]
        ends = [_loss(each.z, _uses(each, agents, method, sensitivity)) for each in turns]
        start, end = max(min(ends), SMALLEST), min(max(ends), LARGEST)
        if start <= end:
            curves.append(curve(dial, start, end))
    return Question(tuple(curves), reference("FTS-DE, no privacy", "FTS-DE"), (reference("TS, no sharing", "TS"),))


def _regret(record: Record, measure: Regret) -> float:
    """Return what one run cost by this measure."""
    if measure == "early":
        return float(record.simple[:EARLY].mean())
    return float(getattr(record, measure)[-1])


def dial_at(
    dial: Dial, loss: float, settings: Settings, agents: int, method: Method, sensitivity: Sensitivity = "paper"
) -> float:
    """Return the z or q at which T rounds cost ε = ``loss``; for a sample of k of N, the largest k/N at no more.

    A sample holds at least one agent. Raises ValueError where no z is enough. Some seconds where the rounds differ.
    """
    uses = _uses(settings, agents, method, sensitivity)
    if dial == "z":
        return _noise(loss, uses)
    rate = _rate(loss, settings.z, uses)
    if settings.sampling == "fixed":
        # Downwards, up to the rounding of a rate that is k/N already.
        return max(1, math.floor(rate * agents * (1 + 1e-6))) / agents
    return rate


def turned(settings: Settings, dial: Dial, value: float) -> Settings:
    """Return the settings with z or q at another value."""
    return replace(settings, z=value) if dial == "z" else replace(settings, q=value)


@dataclass(frozen=True)
class _Uses:
    """What is accounted for: T uses at a rate, at δ, by an accountant that knows the sampling.

    ``gains``: what z is worth in each use, as a multiple.
    """

    q: float
    gains: tuple[float, ...]
    delta: float
    method: Method
    sampling: Sampling


def _uses(settings: Settings, agents: int, method: Method, sensitivity: Sensitivity) -> _Uses:
    # With S = 1, a noise of z = 1 may stand for any.
    gains = multipliers(replace(settings, z=1.0, S=1.0), agents, sensitivity).tolist()
    rate, method = rate_of(settings, agents), accounting(settings, method)
    return _Uses(rate, tuple(gains), delta_for(agents), method, settings.sampling)


@lru_cache(maxsize=1024)
def _loss(z: float, uses: _Uses) -> float:
    each = [z * gain for gain in uses.gains]
    return composed_epsilon(uses.q, each, uses.delta, uses.method, uses.sampling)


@lru_cache(maxsize=1024)
def _noise(loss: float, uses: _Uses) -> float:
    return noise_for_rounds(loss, uses.q, uses.gains, uses.delta, uses.method, uses.sampling)


@lru_cache(maxsize=1024)
def _rate(loss: float, z: float, uses: _Uses) -> float:
    return rate_for_rounds(loss, [z * gain for gain in uses.gains], uses.delta, uses.method, uses.sampling)
