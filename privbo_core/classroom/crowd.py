"""What the favourite colour is found with: the agents' model and the agents, the rounds, and what they tell in all."""

import colorsys
import math
from dataclasses import dataclass, field
from functools import lru_cache

import numpy as np
from numpy.typing import ArrayLike, NDArray

from privbo_core.audit.federated import one_round
from privbo_core.errors import Array
from privbo_core.federated import Beliefs, Broadcast, Settings, aggregate, delta_for
from privbo_core.federated.agents import Rows, Streams, initial_rows
from privbo_core.federated.run import deviation_schedule
from privbo_core.federated.server import Server, clip
from privbo_core.gp import SquaredExponential, random_features, root
from privbo_core.privacy import epsilon_rounds, trade_off_rounds, worst_case_belief

RATINGS = 5  # Answers that a colour can be given: 0 (not at all) … 4 (very much).
MIDDLE, UNIT = 2.0, 1.0  # A rating is MIDDLE + UNIT times what the model is about, whose standard deviation is 1.
OWN, ROUNDS = 6, 8  # Colours that each agent rates of its own at first, and rounds.
SLIPS = 0.1  # Variance of how somebody would rate the same colour another time, in units of the model.
ROUNDING = (1.0 / UNIT) ** 2 / 12.0  # Variance that whole ratings add.


@lru_cache(maxsize=16)
def settings(z: float) -> Settings:
    """Return the settings of a run with noise multiplier z. Without noise it is the same server."""
    kernel = SquaredExponential(0.25)
    return Settings(
        kernel, SLIPS + ROUNDING, iterations=ROUNDS, initial=OWN, features=50, q=0.5, z=z, S=8.0, P=1, decay=0.5
    )


def outcome(ratings: ArrayLike) -> Array:
    """Return ratings in units of the model."""
    return (np.asarray(ratings, dtype=float) - MIDDLE) / UNIT


@lru_cache(maxsize=1)
def exact_features() -> Array:
    """Return features with which the agents' own beliefs are exact."""
    return root(points(), settings(0.0).kernel)


@lru_cache(maxsize=1)
def deviations() -> Array:
    """Return how far own draws stray, for each round."""
    return deviation_schedule(points(), settings(0.0))


HUES, LIGHTNESSES = 24, 12
COUNT = HUES * LIGHTNESSES
SATURATION = 0.72
DARKEST, LIGHTEST = 0.18, 0.9
HUE = np.repeat(np.arange(HUES), LIGHTNESSES)
LIGHTNESS = np.tile(np.arange(LIGHTNESSES), HUES)  # The hue and the lightness of each row, as numbers of their steps.


def points() -> Array:
    """Return where the colours lie for the model, 288×3: hues on a circle, lightness from 0 to 1.

    The circle is 1 around, so that half of it is about as far as from dark to the middle, and the last hue is beside
    the first.
    """
    angle, radius = 2.0 * math.pi * HUE / HUES, 1.0 / (2.0 * math.pi)
    return np.column_stack([radius * np.cos(angle), radius * np.sin(angle), LIGHTNESS / (LIGHTNESSES - 1)])


def code(row: int) -> str:
    """Return the colour of a row as screens write it."""
    lightness = DARKEST + (LIGHTEST - DARKEST) * float(LIGHTNESS[row]) / (LIGHTNESSES - 1)
    parts = colorsys.hls_to_rgb(float(HUE[row]) / HUES, lightness, SATURATION)
    return "#" + "".join(f"{round(255 * part):02x}" for part in parts)


CODES = tuple(code(row) for row in range(COUNT))


RESEMBLE = 0.75  # Correlation of two pupils' tastes.


class Crowd:
    """Pupils who do not exist. The first of them stay who they are, however many there are.

    Two tastes are draws of the model's process with correlation `RESEMBLE`: √ρ g + √(1 − ρ) h_k.
    """

    def __init__(self, rng: np.random.Generator) -> None:
        self._rng = rng
        self._common = self._draw(1)[0]
        self.tastes: Array = np.empty((0, len(self._common)))
        self.own_rows: Rows = np.empty((0, OWN), dtype=np.int64)
        self.own_ratings: Array = np.empty((0, OWN))

    def grow(self, rows: Rows) -> None:
        """Let there be as many as ``rows`` has; who is new rates its ``OWN`` colours at once."""
        new = len(rows) - len(self.tastes)
        if new <= 0:
            return
        tastes = math.sqrt(RESEMBLE) * self._common + math.sqrt(1.0 - RESEMBLE) * self._draw(new)
        before = len(self.tastes)
        self.tastes = np.vstack([self.tastes, tastes])
        self.own_rows = np.vstack([self.own_rows, rows[before:]])
        given = [self.rate(np.arange(before, len(rows)), column) for column in rows[before:].T]
        self.own_ratings = np.vstack([self.own_ratings, np.array(given).T])

    def rate(self, who: Rows, rows: Rows) -> Array:
        """Return how they rate one colour each: whole numbers from 0 to 4."""
        liked = self.tastes[who, rows] + math.sqrt(SLIPS) * self._rng.standard_normal(len(who))
        return np.asarray(np.clip(np.round(MIDDLE + UNIT * liked), 0, RATINGS - 1))

    def _draw(self, count: int) -> Array:
        features = exact_features()
        return np.asarray(self._rng.standard_normal((count, features.shape[1])) @ features.T)


class Agents:
    """Agents in groups, whose members have histories of one length. Seats are numbered as they are taken.

    ``phi``: the features that all share, n×M. Whoever is silent sends nothing but keeps the seat: the number of agents
    is public, and stays.
    """

    def __init__(self, phi: Array) -> None:
        self.phi = phi
        self._groups: list[tuple[slice, Beliefs, Beliefs]] = []
        self._silent: set[int] = set()
        self.count = 0

    def seat(self, members: int) -> int:
        noise, capacity = settings(0.0).regularisation, OWN + ROUNDS
        place = slice(self.count, self.count + members)
        own, shared = (Beliefs(each, noise, members, capacity) for each in (exact_features(), self.phi))
        self._groups.append((place, own, shared))
        self.count += members
        return len(self._groups) - 1

    def observe(self, group: int, rows: Rows, ratings: Array) -> None:
        _, own, shared = self._groups[group]
        own.observe(rows, outcome(ratings))
        shared.observe(rows, outcome(ratings))

    def silence(self, group: int) -> None:
        """Forget what a group has learnt; it keeps its seats and says nothing more."""
        place, own, shared = self._groups[group]
        nothing = (Beliefs(each.features, each.noise_variance, 1, 1) for each in (own, shared))
        self._groups[group] = (place, next(nothing), next(nothing))
        self._silent.add(group)

    def wishes(self, rng: np.random.Generator, deviation: float) -> Rows:
        """Return the colour that each would ask for by a draw of its own beliefs."""
        drawn = self._drawn([own for _, own, _ in self._groups], rng, deviation)
        return np.asarray((drawn @ exact_features().T).argmax(axis=1))

    def vectors(self, rng: np.random.Generator) -> Array:
        """Return what each sends to the server: a draw of its beliefs, N×M; nothing from the silent."""
        return self._drawn([shared for _, _, shared in self._groups], rng, 1.0)

    def _drawn(self, beliefs: list[Beliefs], rng: np.random.Generator, deviation: float) -> Array:
        """Return `Beliefs.draw` for everybody, with the dice of as many histories of the longest length."""
        prior = deviation * rng.standard_normal((self.count, beliefs[0].features.shape[1]))
        noise = rng.standard_normal((self.count, max(each.t for each in beliefs)))
        drawn = np.zeros_like(prior)
        for number, each in enumerate(beliefs):
            if number not in self._silent:
                place = self._groups[number][0]
                slips = deviation * np.sqrt(each.noise_variance) * noise[place, : each.t]
                drawn[place] = each.given(prior[place], slips)
        return drawn


@dataclass
class Ledger:
    """The noise multiplier of every broadcast so far, and the most agents that there were. Nothing of anybody.

    It outlasts the experiment that fills it: who plays again in the same room is in all broadcasts.
    """

    uses: list[float] = field(default_factory=list)
    agents: int = 0


def planned(z: float, uses: tuple[float, ...] = ()) -> tuple[float, ...]:
    """Return the multipliers of what was broadcast already and of a whole run more."""
    return (*uses, *(z,) * ROUNDS)


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
    each = settings(0.0)
    return 1.0 - trade_off_rounds(each.q, multipliers, each.sampling).least_error(0.5)


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
    q, still = settings.q, np.zeros_like(broadcast.vectors)
    signal = aggregate(sent, selected, weights, rate=q, S=settings.S, z=0.0, normals=still).vectors
    noise = (broadcast.vectors - signal).ravel()
    clipped, _ = clip(sent, len(weights), settings.S)
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


DRAWS = 400  # Draws of what the class may like, given the broadcasts.


class Dice:
    """Where chance comes from. Without ``rng``, the server's draw and noise come from the operating system.

    With ``rng`` everything can be repeated: for tests, and for measuring. Then nothing is hidden by it.
    """

    def __init__(self, rng: np.random.Generator | None = None) -> None:
        self.repeated = rng is not None
        self.streams = Streams.of(np.random.default_rng() if rng is None else rng)

    def server(self, each: Settings, agents: int) -> Server:
        """Return federated's server of so many agents, with these dice or the operating system's."""
        return Server(each, agents, self.streams if self.repeated else None)

    def starting_rows(self, agents: int, count: int) -> Rows:
        """Return the colours that each agent rates at first: distinct ones, agents×``count``."""
        everybody, everywhere = np.zeros(agents, dtype=np.int64), np.zeros(len(points()), dtype=np.int64)
        return initial_rows(everybody, everywhere, count, self.streams.initial)

    def features(self, each: Settings) -> Array:
        return random_features(points(), each.kernel, each.features, self.streams.features)


@dataclass(frozen=True, eq=False)
class Round:
    """Round ``t``: the colour that each agent is asked for, who follows the server, whom it drew, what it sent."""

    t: int
    rows: Rows
    follows: NDArray[np.bool_]
    selected: NDArray[np.bool_]
    broadcast: Broadcast


class Rounds:
    """One run. ``evidence``: what an observer has found out about each agent so far (`observer.evidence`).

    ``average`` is the mean of all broadcasts so far, ``named`` the colours that it was highest at, round by round.
    """

    def __init__(self, agents: Agents, each: Settings, dice: Dice) -> None:
        self.agents, self.settings, self._streams = agents, each, dice.streams
        self._server = dice.server(each, agents.count)
        self.t = 0
        self.evidence: Array = np.zeros(agents.count)
        self.average: Array = np.zeros(each.features)
        self.named: list[int] = []
        self._deviation = 0.0

    def next(self) -> Round:
        """Let the server draw, sum, add noise and send, and return what everybody is asked then."""
        each, agents, streams = self.settings, self.agents, self._streams
        self.t += 1
        follows = streams.coins.random(agents.count) < each.follows(self.t)
        wishes = agents.wishes(streams.own, float(deviations()[self.t - 1]))
        sent = agents.vectors(streams.vectors)
        turn = self._server.turn(self.t, sent)
        broadcast = turn.broadcast
        assert broadcast is not None
        self.evidence += evidence(sent, turn.selected, turn.weights, broadcast, each)
        self._deviation = broadcast.noise_deviation
        self.average += (broadcast.vectors[0] - self.average) / self.t
        self.named.append(int((agents.phi @ self.average).argmax()))
        said = int((agents.phi @ broadcast.vectors[0]).argmax())
        return Round(self.t, np.where(follows, said, wishes), follows, turn.selected, broadcast)

    def belief(self) -> Array:
        """Return with what probability each colour is the class's favourite, from the broadcasts alone.

        The average of t broadcasts is the class's weights plus the server's noise and what agents differ by, at most
        1/(qN) in each coordinate: (σ² + 1/(qN))/t in all.
        """
        spread = self._deviation**2 + 1.0 / (self.settings.q * self.agents.count)
        return believed(self.average, spread / self.t, self.agents.phi)


def believed(average: Array, variance: float, phi: Array) -> Array:
    """Return with what probability φ(x)·w is highest at each x, if w ~ N(0, I) and ``average`` ~ N(w, ``variance`` I).

    Shares of `DRAWS` draws, the same draws every time: this follows from what is public, and looks alike to everybody.
    """
    shrunk = 1.0 / (1.0 + variance)
    normals = np.random.default_rng(0).standard_normal((DRAWS, len(average)))
    best = ((shrunk * average + np.sqrt(shrunk * variance) * normals) @ phi.T).argmax(axis=1)
    return np.asarray(np.bincount(best, minlength=len(phi)) / DRAWS)
