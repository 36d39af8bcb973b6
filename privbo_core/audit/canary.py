"""Canary agents for DP-FTS-DE: one agent with the vector that is easiest to notice, through the server's own code."""

import numpy as np
from numpy.typing import NDArray

from privbo_core.audit.lower_bound import Audited
from privbo_core.errors import Array, positive
from privbo_core.federated import Settings, aggregate, region_weights, temperature
from privbo_core.federated.server import broadcasts, noise_multiplier, select
from privbo_core.federated.settings import check_agents
from privbo_core.gp import SquaredExponential

FEW_AGENTS = 20
"""Agents in `canary`. What one of them costs under Poisson sampling does not depend on how many there are."""
CELLS = 2_000_000
"""Rounds are aggregated a few at a time, so that no array has more entries than about this."""
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

    Every round runs the server's own selection, clipping, weights, sum and noise on ``agents`` vectors of two numbers.
    The canary, of those whose weights are the longest at the start, sends far too long a vector along the first axis;
    all others send too long ones along the second, where they do not disturb. Absent, it is never selected; where the
    sample has a fixed size, and neighbours differ by one agent replaced, it sends the opposite vector instead.
    An attacker looks along the direction u in which the canary's joint vector lies. With its length in units of the
    noise's standard deviation, μ_t, and s_t what is seen in the same units, the output is the logarithm of the
    likelihood ratio, Σ_t log(1 − q + q exp(μ_t s_t − μ_t²/2)), less the same with −s_t for a replaced agent.
    O(trials · TPN): about 0.1 s for 20 000 trials of one round of 20 agents, 0.2 s with 200.
    Raises ValueError for z = 0, fewer than 2 agents, or settings in which every agent works alone.
    """
    positive("z", settings.z)
    if settings.alone:
        raise ValueError("decay is ∞: every agent works alone, so nothing is sent that could be audited.")
    explores = np.arange(check_agents(agents)) % settings.P
    by_round = [
        region_weights(explores, settings.P, settings.a, temperature(t, settings.hold, settings.fade))
        for t in range(1, settings.iterations + 1)
    ]
    attack = _Watch(settings, int(np.linalg.norm(by_round[0], axis=0).argmax()), agents)

    def watch(present: bool, trials: int, rng: np.random.Generator) -> Array:
        total = np.zeros(trials)
        at_once = max(1, CELLS // (settings.P * agents))
        for weights in by_round:
            for start in range(0, trials, at_once):
                part = total[start : start + at_once]
                part += attack.ratios(weights, bool(present), len(part), rng)
        return total

    return watch


class _Watch:
    """The attack on one round at a time."""

    def __init__(self, settings: Settings, canary: int, agents: int) -> None:
        self.settings, self.canary = settings, canary
        self.replaced = settings.sampling == "fixed"
        self.sent = np.tile([0.0, TOO_LONG * settings.S], (agents, 1))
        self.sent[canary] = [TOO_LONG * settings.S, 0.0]

    def ratios(self, weights: Array, present: bool, rounds: int, rng: np.random.Generator) -> Array:
        """Return the log-likelihood ratio of each of ``rounds`` independent rounds with these weights (P×N)."""
        selected, rate = self._selected(len(self.sent), rounds, rng)
        sent = self.sent.copy()
        if not present and self.replaced:
            sent[self.canary] *= -1.0
        elif not present:
            selected[:, self.canary] = False
        normals = rng.standard_normal((rounds, len(weights), 2))
        S, z = self.settings.S, noise_multiplier(self.settings, weights)
        seen = broadcasts(sent, selected, weights, rate=rate, S=S, z=z, normals=normals)
        only = np.arange(len(self.sent)) == self.canary
        alone = aggregate(self.sent, only, weights, rate=rate, S=S, z=z, normals=np.zeros((len(weights), 2)))
        mu = alone.signal / alone.noise_deviation
        s = np.einsum("rpm,pm->r", seen, alone.vectors) / (alone.signal * alone.noise_deviation)
        ratio = one_round(mu * s, mu, rate)
        return ratio - one_round(-mu * s, mu, rate) if self.replaced else ratio

    def _selected(self, agents: int, rounds: int, rng: np.random.Generator) -> tuple[NDArray[np.bool_], float]:
        selected = np.empty((rounds, agents), dtype=bool)
        rate = 1.0
        for row in selected:
            row[:], rate = select(self.settings, agents, rng)
        return selected, rate


def one_round(product: Array, mu: float, q: float) -> Array:
    """Return log(1 − q + q exp(μs − μ²/2)), what one round tells, from μs (``product``) and μ."""
    exponent = product - 0.5 * mu**2
    return np.asarray(np.logaddexp(np.log1p(-q), np.log(q) + exponent)) if q < 1 else exponent
