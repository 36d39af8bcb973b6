"""The server's part (Algorithm 1): the weights of the agents, clipping, the sum over a random subset, and noise."""

import math
import secrets
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from privbo_core.errors import Array
from privbo_core.federated.agents import Streams
from privbo_core.federated.settings import Settings, sample_size
from privbo_core.federated.sub_regions import gain, weights_at
from privbo_core.privacy import release


def select(
    settings: Settings, agents: int | tuple[int, int], rng: np.random.Generator
) -> tuple[NDArray[np.bool_], float]:
    """Return which agents are selected, and the rate that makes the aggregate unbiased.

    If ``agents`` is (rounds, agents), a row of the answer is the selection of one round.
    """
    return selected_by(settings, rng.random(agents))


def select_for_real(settings: Settings, agents: int) -> tuple[NDArray[np.bool_], float]:
    """Select like `select`, with keys from the operating system, which cannot be foreseen or repeated."""
    keys = secrets.SystemRandom()
    return selected_by(settings, np.array([keys.random() for _ in range(agents)]))


def selected_by(settings: Settings, keys: Array) -> tuple[NDArray[np.bool_], float]:
    """Select like `select`, with one given number between 0 and 1 for each agent."""
    if settings.sampling == "poisson":
        return keys < settings.q, settings.q
    agents = keys.shape[-1]
    size = sample_size(settings.q, agents)
    selected = np.zeros(keys.shape, dtype=bool)
    np.put_along_axis(selected, np.argpartition(keys, size - 1, axis=-1)[..., :size], True, axis=-1)
    return selected, size / agents


def noise_multiplier(settings: Settings, weights: Array) -> float:
    """Return the noise of a round as a multiple of φ_max S/q: z, or z/`gain` with exact calibration."""
    return settings.z / gain(weights) if settings.calibration == "exact" else settings.z


@dataclass(frozen=True, eq=False)
class Broadcast:
    """Hold the P×M ``vectors`` that the server sends to all agents, with facts that it keeps to itself.

    ``signal`` and ``noise`` are the Euclidean norms of the two parts of the joint vector. ``clipped`` is the share of
    the agents' vectors that are longer than S/√P. ``noise_deviation`` is the standard deviation of each coordinate.
    """

    vectors: Array
    signal: float
    noise: float
    noise_deviation: float
    clipped: float


def clip(sent: Array, P: int, S: float) -> tuple[Array, Array]:
    """Return ω̂ = ω/max(1, ‖ω‖√P/S) for each row ω of ``sent`` (N×M), and ‖ω‖√P/S, above 1 if ω is clipped."""
    excess = np.linalg.norm(sent, axis=1) * (math.sqrt(P) / S)
    return sent / np.maximum(1.0, excess)[:, None], excess


def gather(received: Mapping[int, ArrayLike], agents: int, features: int) -> tuple[Array, dict[int, str]]:
    """Return the vectors that arrived from real agents as an N×M matrix, and why each unusable one was dropped.

    ``received`` maps an agent's number to its vector. An agent contributes zeros where it sent nothing, or where its
    vector is not a list of ``features`` finite numbers with a finite length.
    """
    sent, dropped = np.zeros((agents, features)), {}
    for number, values in received.items():
        try:
            vector = np.asarray(values)
        except ValueError:
            dropped[number] = "its vector is not a list of numbers"
            continue
        if vector.dtype.kind not in "fiu" or vector.shape != (features,):
            dropped[number] = f"its vector is not a list of {features} numbers"
            continue
        with np.errstate(over="ignore", invalid="ignore"):
            length = np.linalg.norm(vector.astype(float))
        if not np.isfinite(length):
            dropped[number] = "its vector holds a number that is not finite, or too large"
            continue
        sent[number] = vector
    return sent, dropped


def noise_deviation(weights: Array, *, rate: float, S: float, z: float) -> float:
    """Return zφ_max S/q, the standard deviation of the noise on each number, where φ_max is the largest weight."""
    return float(z * weights.max() * S / rate) if z > 0 else 0.0


def broadcasts(
    sent: Array, selected: NDArray[np.bool_], weights: Array, *, rate: float, S: float, z: float, normals: Array
) -> Array:
    """Return `aggregate` of many independent rounds in which the agents send the same vectors, as rounds×P×M.

    ``selected`` is rounds×N and ``normals`` is rounds×P×M. O(rounds · NMP).
    """
    clipped, _ = clip(sent, len(weights), S)
    return _signal(clipped, selected, weights, rate) + noise_deviation(weights, rate=rate, S=S, z=z) * normals


def aggregate(
    sent: Array, selected: NDArray[np.bool_], weights: Array, *, rate: float, S: float, z: float, normals: Array
) -> Broadcast:
    """Return ω^{(i)} = q⁻¹ Σ_{n selected} φ_n^{(i)} ω̂_n + N(0, (zφ_max S/q)² I) for each sub-region i (lines 5-12).

    ``sent`` holds the agents' vectors ω_n (N×M). They are clipped here (`clip`), so one agent's share of the joint
    vector is at most φ_max S/q long, where φ_max is the largest of ``weights`` (P×N). ``rate`` is q, and ``normals``
    are P×M standard normals. If no agent is selected, the sum is empty and the noise alone is sent. S may be ∞ if
    z = 0. O(NM P). For noise zS/(q√P) · max_n ‖φ_n‖₂, which fits the joint vector's own sensitivity, divide ``z`` by
    `gain` first.
    """
    clipped, excess = clip(sent, len(weights), S)
    signal = _signal(clipped, selected, weights, rate)
    deviation = noise_deviation(weights, rate=rate, S=S, z=z)
    noise = deviation * normals
    return _broadcast(signal + noise, (signal, noise), deviation, excess)


def publish(sent: Array, selected: NDArray[np.bool_], weights: Array, *, rate: float, S: float, z: float) -> Broadcast:
    """Return a real `aggregate`, whose noise is that of real releases (`privacy.release.noisy`) and takes no seed.

    The sensitivity φ_max S/q is taken larger by 1e-9, which covers the rounding of the sum.
    """
    if z == 0:
        return aggregate(sent, selected, weights, rate=rate, S=S, z=z, normals=np.zeros((len(weights), sent.shape[1])))
    clipped, excess = clip(sent, len(weights), S)
    signal = _signal(clipped, selected, weights, rate)
    sensitivity = float(weights.max()) * S / rate * (1.0 + 1e-9)
    released = release.noisy(signal, sensitivity, z)
    return _broadcast(released, (signal, released - signal), z * sensitivity, excess)


def _broadcast(vectors: Array, parts: tuple[Array, Array], deviation: float, excess: Array) -> Broadcast:
    signal, noise = parts
    return Broadcast(
        vectors=vectors,
        signal=float(np.linalg.norm(signal)),
        noise=float(np.linalg.norm(noise)),
        noise_deviation=deviation,
        clipped=float((excess > 1.0).mean()),
    )


def _signal(clipped: Array, selected: NDArray[np.bool_], weights: Array, rate: float) -> Array:
    """Return q⁻¹ Σ_{n selected} φ_n^{(i)} ω̂_n: P×M for N ``selected``, rounds×P×M for rounds×N."""
    return np.asarray((weights * selected[..., None, :]) @ clipped / rate)


@dataclass(frozen=True, eq=False)
class Turn:
    """Hold one iteration at the server: the ``selected`` agents, the P×N ``weights`` and the ``broadcast``.

    ``broadcast`` is None if the agents work alone.
    """

    selected: NDArray[np.bool_]
    weights: Array
    broadcast: Broadcast | None


class Server:
    """Aggregate the vectors of N agents. Without ``streams``, noise and selection are real and cannot be repeated.

    A simulation passes ``streams``. Its runs can be repeated, so their noise protects nothing.
    """

    def __init__(self, settings: Settings, agents: int, streams: Streams | None = None) -> None:
        self.settings, self.agents, self._streams = settings, agents, streams

    def turn(self, t: int, sent: Array | None) -> Turn:
        """Return iteration ``t`` = 1, 2, … with the agents' vectors (N×M, with zeros for an agent that sent none)."""
        each, weights = self.settings, weights_at(self.settings, self.agents, t)
        if sent is None:
            return Turn(np.zeros(self.agents, dtype=bool), weights, None)
        z = noise_multiplier(each, weights)
        if self._streams is None:
            selected, rate = select_for_real(each, self.agents)
            return Turn(selected, weights, publish(sent, selected, weights, rate=rate, S=each.S, z=z))
        selected, rate = select(each, self.agents, self._streams.selection)
        normals = self._streams.server.standard_normal((each.P, each.features))
        return Turn(selected, weights, aggregate(sent, selected, weights, rate=rate, S=each.S, z=z, normals=normals))
