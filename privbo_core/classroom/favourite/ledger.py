"""What all broadcasts in a room tell together, by the accountant; and what one tells who knows everything else."""

import math
from dataclasses import dataclass, field
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from privbo_core.audit.federated import one_round
from privbo_core.classroom.favourite.model import settings
from privbo_core.errors import Array
from privbo_core.federated import Broadcast, Settings, aggregate, delta_for
from privbo_core.federated.server import clip
from privbo_core.privacy import TradeOff, epsilon_rounds, trade_off_rounds, worst_case_belief

USUALLY = 0.95
"""The share of cases that `usually_sure` is about."""
GRID_END = 40.0


@dataclass
class Ledger:
    """The noise multiplier of every broadcast so far, and the most agents that there were. Nothing of anybody.

    It outlasts the experiment that fills it: who plays again in the same room is in all broadcasts.
    """

    uses: list[float] = field(default_factory=list)
    agents: int = 0


def planned(uses: tuple[float, ...], z: float, rounds: int) -> tuple[float, ...]:
    """Return the multipliers of what was broadcast already and of so many rounds more."""
    return (*uses, *(z,) * rounds)


@lru_cache(maxsize=256)
def spent(multipliers: tuple[float, ...], agents: int) -> tuple[float, ...]:
    """Return ε after each of these broadcasts to so many agents, δ = N^−1.1: ∞ from the first without noise on.

    By loss distributions, as `federated.losses` counts; about 10 ms a broadcast. Remembered.
    """
    each = settings(0.0)
    return tuple(epsilon_rounds(each.q, multipliers, delta_for(agents), "pld", each.sampling).tolist())


@lru_cache(maxsize=256)
def most_right(multipliers: tuple[float, ...]) -> float:
    """Return how often the best observer can be right who guesses from all of these whether somebody took part.

    From even odds; about 0.3 s, remembered. 1 if one of them was without noise.
    """
    if not multipliers or min(multipliers) == 0:
        return 1.0 if multipliers else 0.5
    return 1.0 - _line(multipliers).least_error(0.5)


@lru_cache(maxsize=256)
def usually_sure(multipliers: tuple[float, ...]) -> float:
    """Return how sure, from even odds, the best observer becomes at most in `USUALLY` of the cases; 1 without noise.

    With L the logarithm of the likelihood ratio and δ(ε) of the trade-off function, δ(ε) ≥ E[(1 − e^(ε − L))⁺] gives
    Pr[L > t] ≤ δ(ε)/(1 − e^(ε − t)) for any ε < t: the least t at which that is 1 − `USUALLY`, over a grid of ε.
    """
    if not multipliers or min(multipliers) == 0:
        return 1.0 if multipliers else 0.5
    line = _line(multipliers)
    grid = np.linspace(0.0, GRID_END, 200)
    share = np.array([line.delta(float(epsilon)) for epsilon in grid]) / (1.0 - USUALLY)
    small = share < 1.0
    if not small.any():
        return 1.0
    return sure(float((grid[small] - np.log1p(-share[small])).min()))


@lru_cache(maxsize=64)
def _line(multipliers: tuple[float, ...]) -> TradeOff:
    each = settings(0.0)
    return trade_off_rounds(each.q, multipliers, each.sampling)


def most_sure(epsilon: float) -> float:
    """Return how sure anybody can become, δ aside, who began with even odds."""
    return worst_case_belief(0.5, epsilon) if math.isfinite(epsilon) else 1.0


def evidence(
    sent: Array, selected: NDArray[np.bool_], weights: Array, broadcast: Broadcast, settings: Settings
) -> Array:
    """Return log Pr[broadcast | agent n takes part] − log Pr[broadcast | it stays away] for each n, by one round.

    The observer knows what everybody sends and who else was drawn: what is left is b a_n + noise, a_n = φ_n ω̂_n/q being
    what n adds if it is drawn, b = 1 with probability q if it takes part. With μ = ‖a_n‖ and s the rest along a_n, in
    units of the noise's deviation, that is log(1 − q + q exp(μs − μ²/2)): the test of the canary's attack. ∞ where
    there is no noise and n was drawn; 0 where n sends nothing. Noise of the server is seen through: this is not part of
    what is released.
    """
    P, q = len(weights), settings.q
    rule = {"rate": q, "S": settings.S, "z": 0.0, "normals": np.zeros((P, sent.shape[1]))}
    signal = aggregate(sent, selected, weights, **rule).vectors  # type: ignore[arg-type]
    noise = (broadcast.vectors - signal).ravel()
    clipped, _ = clip(sent, P, settings.S)
    adds = (weights.T[:, :, None] * clipped[:, None, :] / q).reshape(len(sent), -1)
    size, found = np.linalg.norm(adds, axis=1), np.zeros(len(sent))
    for n in np.flatnonzero(size > 0):
        if broadcast.noise_deviation == 0:
            found[n] = math.inf if selected[n] else math.log1p(-q) if q < 1 else -math.inf
            continue
        rest = noise + adds[n] if selected[n] else noise
        mu = size[n] / broadcast.noise_deviation
        s = float(rest @ adds[n]) / (size[n] * broadcast.noise_deviation)
        found[n] = float(one_round(np.array([mu * s]), mu, q)[0])
    return found


def sure(total: float) -> float:
    """Return how sure such an observer is that the agent took part, from the sum of `evidence` and even odds."""
    return 1.0 / (1.0 + math.exp(-min(max(total, -700.0), 700.0)))
