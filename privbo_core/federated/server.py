"""The server's part (Algorithm 1): who counts how much where, clipping, the sum over a random subset, noise."""

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from privbo_core.errors import Array
from privbo_core.federated.beliefs import Rows


def region_weights(explores: Rows, P: int, a: float, temperature: float) -> Array:
    """Return the P×N weights φ_n^{(i)} = softmax over n of (a·1[n explores i] + 1)/𝒯 (Section 3.2).

    ``explores[n]`` is the sub-region that agent n started in. Each row adds up to 1. An infinite 𝒯 makes all equal.
    """
    exponents = a * (explores[None, :] == np.arange(P)[:, None]) / temperature
    weights = np.exp(exponents - exponents.max(axis=1, keepdims=True))
    return np.asarray(weights / weights.sum(axis=1, keepdims=True))


def temperature(t: int, hold: int, fade: int) -> float:
    """Return 𝒯 at iteration t = 1, 2, …: 1 for ``hold`` iterations, then rising so that 1/𝒯 falls linearly to 0.

    So the exponent of those who explore a region falls to that of the others over ``fade`` iterations.
    """
    share = 1.0 if t <= hold else max(0.0, 1.0 - (t - hold) / fade)
    return 1.0 / share if share > 0 else math.inf


@dataclass(frozen=True, eq=False)
class Broadcast:
    """What the server sends to everyone (``vectors``, P×M), and what it alone knows about it.

    ``signal`` and ``noise`` are the Euclidean norms of the two parts of the joint vector; ``clipped`` is the share of
    all agents' vectors longer than S/√P; ``noise_deviation`` = zφ_max S/q is the noise's standard deviation.
    """

    vectors: Array
    signal: float
    noise: float
    noise_deviation: float
    clipped: float


def aggregate(
    sent: Array, selected: NDArray[np.bool_], weights: Array, *, rate: float, S: float, z: float, normals: Array
) -> Broadcast:
    """Return ω^{(i)} = q⁻¹ Σ_{n selected} φ_n^{(i)} ω̂_n + N(0, (zφ_max S/q)² I) for each sub-region i (lines 5-12).

    ``sent``: the agents' vectors ω_n, N×M. ω̂ = ω/max(1, ‖ω‖√P/S), so one agent's share of the joint vector is at most
    φ_max S/q long, φ_max being the largest of ``weights`` (P×N). ``rate`` is q. ``normals``: P×M standard normals. With
    nobody selected the sum is empty and the noise alone is sent. S may be ∞ where z = 0. O(NM P).
    """
    lengths = np.linalg.norm(sent, axis=1)
    excess = lengths * (math.sqrt(len(weights)) / S)
    clipped = sent / np.maximum(1.0, excess)[:, None]
    signal = (weights * selected) @ clipped / rate
    deviation = z * weights.max() * S / rate if z > 0 else 0.0
    noise = deviation * normals
    return Broadcast(
        vectors=signal + noise,
        signal=float(np.linalg.norm(signal)),
        noise=float(np.linalg.norm(noise)),
        noise_deviation=float(deviation),
        clipped=float((excess > 1.0).mean()),
    )
