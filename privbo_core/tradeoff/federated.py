"""The cost of privacy in federated optimisation, where more noise (z) or fewer participants (q) make ε smaller."""

import math
from collections.abc import Generator
from contextlib import closing
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Literal

import numpy as np

from privbo_core.errors import Array
from privbo_core.federated import Sensitivity, Settings, Simulation, delta_for, guarantee, multipliers, variants
from privbo_core.federated.accounting import accounting, rate_of
from privbo_core.federated.simulation import EARLY, Record
from privbo_core.outsourced import Measure
from privbo_core.privacy import Method, Sampling, composed_epsilon, noise_for_rounds, rate_for_rounds
from privbo_core.tradeoff.curve import Curve, Question, Reference

Dial = Literal["z", "q"]
"""The setting that is changed to reach an ε: the noise multiplier z or the participation rate q."""
Regret = Measure | Literal["early"]
"""The measure of a run. "early" is the simple regret averaged over the first `EARLY` rounds."""
RANGES: dict[Dial, tuple[float, float]] = {"z": (0.3, 8.0), "q": (0.01, 1.0)}
MIN_EPSILON, MAX_EPSILON = 1e-3, 1e4
"""The limits of ε on every curve, even if the range of its dial reaches further."""
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
    """Return the question for DP-FTS-DE after T rounds, with a curve for each dial.

    Each dial changes z or q within `RANGES` and leaves the other one as it is in ``settings``. ε is accounted for by
    ``method`` with ``sensitivity``, for the sampling and the calibration of the settings. A dial is left out if ε would
    be infinite. Costs are averaged over the agents, and multiplied by ``scale`` from the units of the objectives. The
    references are FTS-DE, which has no privacy, and TS, which has no sharing. Raises ValueError for the measure "rank",
    because each agent has an objective of its own.
    """
    if measure == "rank":
        raise ValueError("measure is 'rank', but agents are compared by 'simple', 'cumulative' or 'early' regret.")

    def costs(name: str, at: Settings, runs: int) -> Generator[Array, None, None]:
        with closing(simulation.compare({name: at}, agents, runs)) as stream:
            for progress in stream:
                yield np.array([scale * _regret(record, measure) for record in progress.finished[name]])

    stated = guarantee(settings, agents, problem=simulation.problem(0))

    def curve(dial: Dial, start: float, end: float) -> Curve:
        def at(loss: float) -> Settings:
            return with_dial(settings, dial, dial_at(dial, loss, settings, agents, method, sensitivity))

        def costs_at(loss: float, runs: int) -> Generator[Array, None, None]:
            return costs("DP-FTS-DE", at(loss), runs)

        return Curve(NAMES[dial], stated.status, costs_at, start, end, standing=stated.standing())

    def reference(name: str, variant: str) -> Reference:
        at = variants(settings)[variant]
        return Reference(name, lambda runs: costs(variant, at, runs))

    dials: tuple[Dial, ...] = ("z", "q") if settings.z > 0 else ("z",)
    curves = []
    for dial in dials:
        extremes = [with_dial(settings, dial, value) for value in RANGES[dial]]
        losses = [_loss(each.z, _rounds(each, agents, method, sensitivity)) for each in extremes]
        start, end = max(min(losses), MIN_EPSILON), min(max(losses), MAX_EPSILON)
        if start <= end:
            curves.append(curve(dial, start, end))
    return Question(tuple(curves), reference("FTS-DE, no privacy", "FTS-DE"), (reference("TS, no sharing", "TS"),))


def _regret(record: Record, measure: Regret) -> float:
    """Return the cost of one run by ``measure``."""
    if measure == "early":
        return float(record.simple[:EARLY].mean())
    return float(getattr(record, measure)[-1])


def dial_at(
    dial: Dial, loss: float, settings: Settings, agents: int, method: Method, sensitivity: Sensitivity = "paper"
) -> float:
    """Return the z or q at which T rounds cost the privacy loss ε = ``loss``.

    For a sample of fixed size k among N agents, this is the largest k/N whose ε is at most ``loss``. A sample has at
    least one agent, even if its ε is larger. Raises ValueError if no z is enough. If the rounds differ in their noise
    multipliers, it takes some seconds.
    """
    rounds = _rounds(settings, agents, method, sensitivity)
    if dial == "z":
        return _noise(loss, rounds)
    rate = _rate(loss, settings.z, rounds)
    if settings.sampling == "fixed":
        # Rounding down would lose an agent if rounding errors made a rate k/N slightly smaller.
        return max(1, math.floor(rate * agents * (1 + 1e-6))) / agents
    return rate


def with_dial(settings: Settings, dial: Dial, value: float) -> Settings:
    """Return the settings with another value of z or q."""
    return replace(settings, z=value) if dial == "z" else replace(settings, q=value)


@dataclass(frozen=True)
class _Rounds:
    """The arguments of the accountant for T rounds, except z.

    The noise multiplier of each round is z times its entry of ``gains``.
    """

    q: float
    gains: tuple[float, ...]
    delta: float
    method: Method
    sampling: Sampling


def _rounds(settings: Settings, agents: int, method: Method, sensitivity: Sensitivity) -> _Rounds:
    # The multipliers are proportional to z, so those at z = 1 are the gains. S = 1 is valid with any noise.
    gains = multipliers(replace(settings, z=1.0, S=1.0), agents, sensitivity).tolist()
    rate, method = rate_of(settings, agents), accounting(settings, method)
    return _Rounds(rate, tuple(gains), delta_for(agents), method, settings.sampling)


@lru_cache(maxsize=1024)
def _loss(z: float, rounds: _Rounds) -> float:
    each = [z * gain for gain in rounds.gains]
    return composed_epsilon(rounds.q, each, rounds.delta, rounds.method, rounds.sampling)


@lru_cache(maxsize=1024)
def _noise(loss: float, rounds: _Rounds) -> float:
    return noise_for_rounds(loss, rounds.q, rounds.gains, rounds.delta, rounds.method, rounds.sampling)


@lru_cache(maxsize=1024)
def _rate(loss: float, z: float, rounds: _Rounds) -> float:
    return rate_for_rounds(loss, [z * gain for gain in rounds.gains], rounds.delta, rounds.method, rounds.sampling)
