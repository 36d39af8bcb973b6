"""What somebody who knows everything else could infer about one agent's taking part in a broadcast."""

import math

import numpy as np
from numpy.typing import NDArray

from privbo_core.audit.federated import one_round
from privbo_core.errors import Array
from privbo_core.federated import Broadcast, Settings, aggregate
from privbo_core.federated.server import clip


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
