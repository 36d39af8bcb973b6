"""Attacks on DP-FTS-DE: a canary agent through the server's own code, and what a model read off the agents tells.

A canary has the vector that is easiest to notice.
"""

import math
from functools import partial

import numpy as np

from privbo_core.audit.lower_bound import Audited
from privbo_core.errors import Array, positive
from privbo_core.federated import FederatedProblem, Settings
from privbo_core.federated.server import broadcasts, noise_multiplier, select, selected_by, weights_at
from privbo_core.federated.settings import check_agents
from privbo_core.gp import SquaredExponential

FEW_AGENTS = 20
"""Agents in `canary`. What one of them costs under Poisson sampling does not depend on how many there are."""
AT_ONCE = 16_384  # Trials at a time: their numbers stay in the processor's cache.
TOO_LONG = 1000.0
"""How much longer than allowed the canary's vector is before clipping: a server that does not clip is found out."""


def canary(q: float, z: float, steps: int = 1) -> Audited:
    """Return `server_canary` for ``steps`` rounds at rate q and noise multiplier z without sub-regions.

    All weights are equal then, and each round shows N(b, z²) in units of φ_max S/q, b = 1 with probability q if the
    canary takes part, else 0. Raises ValueError for q outside (0, 1], z ≤ 0 or steps not a whole number ≥ 1.
    """
    kernel = SquaredExponential(1.0)
    return server_canary(Settings(kernel=kernel, noise_variance=1.0, iterations=steps, q=q, z=z, S=1.0), FEW_AGENTS)


def server_canary(settings: Settings, agents: int) -> Audited:
    """Return what the broadcasts of all T rounds tell about one agent, as a mechanism of True (present) or False.

    The server's own selection, clipping, weights, sum and noise, on ``agents`` vectors of two numbers.
    The canary, of those whose weights are the longest at the start, sends far too long a vector along the first axis;
    all others send too long ones along the second, where they do not disturb. Absent, it adds nothing; where the
    sample has a fixed size, and neighbours differ by one agent replaced, it sends the opposite vector instead.
    An attacker looks along the direction u in which the canary's joint vector lies. With its length in units of the
    noise's standard deviation, μ_t, and s_t what is seen in the same units, the output is the logarithm of the
    likelihood ratio, Σ_t log(1 − q + q exp(μ_t s_t − μ_t²/2)), less the same with −s_t for a replaced agent.
    What each agent adds along u is the same in all trials. A trial draws the noise along u, one normal number, and who
    is selected; of independent draws only those of agents that add something there: O(trials · T), and N times that
    for samples of a fixed size.
    Raises ValueError for z = 0, fewer than 2 agents, or settings in which every agent works alone.
    """
    positive("z", settings.z)
    if settings.alone:
        raise ValueError("decay is ∞: every agent works alone, so nothing is sent that could be audited.")
    check_agents(agents)
    by_round = [weights_at(settings, agents, t) for t in range(1, settings.iterations + 1)]
    watched = int(np.linalg.norm(by_round[0], axis=0).argmax())
    attacks = [_Round(settings, weights, watched) for weights in by_round]

    def watch(present: bool, trials: int, rng: np.random.Generator) -> Array:
        total = np.zeros(trials)
        for start in range(0, trials, AT_ONCE):
            part = total[start : start + AT_ONCE]
            for attack in attacks:
                part += attack.ratios(bool(present), len(part), rng)
        return total

    return watch


class _Round:
    """The attack on one round, with these weights (P×N)."""

    def __init__(self, settings: Settings, weights: Array, canary: int) -> None:
        self.settings, self.replaced = settings, settings.sampling == "fixed"
        P, agents = weights.shape
        sent = np.tile([0.0, TOO_LONG * settings.S], (agents, 1))
        sent[canary] = [TOO_LONG * settings.S, 0.0]
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
        """What each agent adds along u, in units of the noise, with the canary and without it."""

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
    """Return log(1 − q + q exp(μs − μ²/2)), what one round tells, from μs (``product``) and μ."""
    exponent = product - 0.5 * mu**2
    if q == 1:
        return exponent
    # log(e^x + e^y), by functions that a processor works out for many numbers at once.
    exponent += math.log(q) - math.log1p(-q)
    return np.asarray(np.maximum(exponent, 0.0) + np.log1p(np.exp(-np.abs(exponent))) + math.log1p(-q))


WRITTEN = 1e-9  # The last digit of the unit that is written; what lies beyond it is left to the dice.


def units(problem: FederatedProblem) -> tuple[float, Array]:
    """Return the unit read off all agents' values, and the one read off all but agent n, for each n.

    The unit is the standard deviation of all agents' centred values. It is part of the model that every agent is given,
    as exactly as numbers are written; no noise of the server's covers it. O(nN).
    """
    squares = (problem.objectives**2).sum(axis=1)
    count = problem.objectives.shape[1]
    others = (squares.sum() - squares) / (count * (len(squares) - 1))
    return float(problem.unit * np.sqrt(squares.mean() / count)), np.asarray(problem.unit * np.sqrt(others))


def model_attack(problem: FederatedProblem) -> Audited:
    """Return the unit that agents are given, as a mechanism of True (one agent takes part) or False (it does not).

    The agent is the one whose absence moves the unit most. With a model that was known before, nothing moves.
    """
    whole, without = units(problem)
    least = whole if not problem.read_off else float(without[np.abs(without - whole).argmax()])

    def given(present: bool, trials: int, rng: np.random.Generator) -> Array:
        return (whole if present else least) + WRITTEN * rng.uniform(-0.5, 0.5, trials)

    return given
