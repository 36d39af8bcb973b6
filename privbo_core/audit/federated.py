"""Attack DP-FTS-DE, by a canary agent in the server's own code and through the model that agents are given.

A canary sends the vector that is easiest to notice.
"""

import math
from collections.abc import Callable
from functools import partial

import numpy as np

from privbo_core.audit.lower_bound import Audited
from privbo_core.errors import Array, positive
from privbo_core.federated import FederatedProblem, Settings
from privbo_core.federated.server import broadcasts, noise_multiplier, select, selected_by
from privbo_core.federated.settings import check_agents
from privbo_core.federated.sub_regions import weights_at
from privbo_core.gp import SquaredExponential

CANARY_AGENTS = 20
"""The number of agents in `canary`. Under Poisson sampling the ε of one agent does not depend on it."""
MAX_BATCH = 16_384
"""The largest number of trials that are drawn together, so that their numbers stay in the processor's cache."""
CANARY_LENGTH = 1000.0
"""The length of the canary's vector before clipping, relative to the limit. It exposes a server that does not clip."""


def canary(q: float, z: float, steps: int = 1) -> Audited:
    """Return `server_canary` for ``steps`` rounds at rate q and noise multiplier z without sub-regions.

    All weights are equal then, and each round shows N(b, z²) in units of φ_max S/q, b = 1 with probability q if the
    canary takes part, else 0. Raises ValueError for q outside (0, 1], z ≤ 0 or steps not a whole number ≥ 1.
    """
    kernel = SquaredExponential(1.0)
    return server_canary(Settings(kernel=kernel, noise_variance=1.0, iterations=steps, q=q, z=z, S=1.0), CANARY_AGENTS)


def server_canary(settings: Settings, agents: int, pause: Callable[[], None] = lambda: None) -> Audited:
    """Return a mechanism of True (the canary takes part) or False that outputs the evidence in all T broadcasts.

    The server's own selection, clipping, weights, sum and noise run on ``agents`` vectors of two numbers. The canary is
    the agent with the longest weights at the start. It sends a vector along the first axis that is far too long. All
    other agents send too long vectors along the second axis, where they do not disturb. An absent canary adds nothing.
    For samples of a fixed size, neighbours differ by one agent replaced, so it sends the opposite vector instead.

    An attacker looks along the direction u of the canary's joint vector. Let μ_t be the length of that vector and s_t
    the observation along u, both in units of the noise's standard deviation. The output is the logarithm of the
    likelihood ratio, Σ_t log(1 − q + q exp(μ_t s_t − μ_t²/2)). For a replaced agent the same sum with −s_t is
    subtracted.

    The contribution of each agent along u is the same in all trials. A trial draws the selection and one normal number.
    Independent draws are made only for agents that contribute along u, which costs O(trials · T), and N times that for
    samples of a fixed size. Each round with other weights takes O(N²P) once, and ``pause`` is called before it. Raises
    ValueError for z = 0, for fewer than 2 agents, and for settings in which every agent
    works alone.
    """
    positive("z", settings.z)
    if settings.alone:
        raise ValueError("decay is ∞: every agent works alone, so nothing is sent that could be audited.")
    check_agents(agents)
    by_round = [weights_at(settings, agents, t) for t in range(1, settings.iterations + 1)]
    watched = int(np.linalg.norm(by_round[0], axis=0).argmax())
    different: dict[bytes, _Round] = {}
    attacks = []
    for weights in by_round:
        key = weights.tobytes()
        if key not in different:
            pause()
            different[key] = _Round(settings, weights, watched)
        attacks.append(different[key])

    def watch(present: bool, trials: int, rng: np.random.Generator) -> Array:
        total = np.zeros(trials)
        for start in range(0, trials, MAX_BATCH):
            part = total[start : start + MAX_BATCH]
            for attack in attacks:
                part += attack.ratios(bool(present), len(part), rng)
        return total

    return watch


class _Round:
    """The attack on one round, with these weights (P×N)."""

    def __init__(self, settings: Settings, weights: Array, canary: int) -> None:
        self.settings, self.replaced = settings, settings.sampling == "fixed"
        P, agents = weights.shape
        sent = np.tile([0.0, CANARY_LENGTH * settings.S], (agents, 1))
        sent[canary] = [CANARY_LENGTH * settings.S, 0.0]
        _, self.rate = selected_by(settings, np.zeros(agents))
        S, z, each = settings.S, noise_multiplier(settings, weights), np.eye(agents, dtype=bool)
        rule = partial(broadcasts, weights=weights, rate=self.rate, S=S, z=z)
        quiet = np.zeros((agents, P, 2))
        here = rule(sent, each, normals=quiet)
        sent[canary] *= -1.0
        each[canary, canary] = self.replaced
        there = rule(sent, each, normals=quiet)
        length = float(np.linalg.norm(here[canary]))
        u = here[canary] / length
        deviation = float((rule(sent, np.zeros((1, agents), dtype=bool), normals=u[None]) * u).sum())
        self.mu = length / deviation
        self.adds = {
            present: np.einsum("npm,pm->n", parts, u) / deviation for present, parts in ((True, here), (False, there))
        }
        """The contribution of each agent along u, in units of the noise, with the canary and without it."""

    def ratios(self, present: bool, trials: int, rng: np.random.Generator) -> Array:
        """Return the log-likelihood ratio of each of so many independent rounds."""
        adds = self.adds[present]
        if self.settings.sampling == "poisson":
            adds = adds[adds != 0.0]
        selected, _ = select(self.settings, (trials, len(adds)), rng)
        product = self.mu * (selected @ adds + rng.standard_normal(trials))
        ratio = one_round(product, self.mu, self.rate)
        return ratio - one_round(-product, self.mu, self.rate) if self.replaced else ratio


def one_round(product: Array, mu: float, q: float) -> Array:
    """Return log(1 − q + q exp(μs − μ²/2)), the evidence of one round, from μs (``product``) and μ."""
    exponent = product - 0.5 * mu**2
    if q == 1:
        return exponent
    # log(e^x + e^y), by functions that a processor works out for many numbers at once.
    exponent += math.log(q) - math.log1p(-q)
    return np.asarray(np.maximum(exponent, 0.0) + np.log1p(np.exp(-np.abs(exponent))) + math.log1p(-q))


UNIT_RESOLUTION = 1e-9
"""The last digit of the unit that is written. Digits beyond it are drawn at random."""


def units(problem: FederatedProblem) -> tuple[float, Array]:
    """Return the unit read off all agents' values, and the one read off all but agent n, for each n.

    The unit is the standard deviation of all agents' centred values. It is part of the model that every agent is given,
    to the last digit that is written, and the server's noise does not cover it. O(nN).
    """
    squares = (problem.objectives**2).sum(axis=1)
    count = problem.objectives.shape[1]
    others = (squares.sum() - squares) / (count * (len(squares) - 1))
    return float(problem.unit * np.sqrt(squares.mean() / count)), np.asarray(problem.unit * np.sqrt(others))


def model_attack(problem: FederatedProblem) -> Audited:
    """Return the unit that agents are given, as a mechanism of True (one agent takes part) or False (it does not).

    The agent whose absence moves the unit most is chosen. If the model was known before, nothing moves.
    """
    whole, without = units(problem)
    least = whole if not problem.read_off else float(without[np.abs(without - whole).argmax()])

    def given(present: bool, trials: int, rng: np.random.Generator) -> Array:
        return (whole if present else least) + UNIT_RESOLUTION * rng.uniform(-0.5, 0.5, trials)

    return given
