"""The privacy loss of T rounds for an agent, by the paper's sensitivity and by that of the joint vector."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from privbo_core.errors import Array, positive, whole
from privbo_core.federated.problem import FederatedProblem
from privbo_core.federated.settings import Sensitivity, Settings, check_word, delta_for, sample_size
from privbo_core.federated.sub_regions import gain_at
from privbo_core.privacy import (
    Condition,
    Guarantee,
    Method,
    Status,
    TradeOff,
    composed_epsilon,
    composed_epsilons,
    epsilon_rounds,
    noise_for_rounds,
    rate_for_rounds,
    trade_off_rounds,
)

ACCOUNTING: dict[Method, str] = {
    "moments": "the paper's moments accounting",
    "pld": "accounting by loss distributions",
}
JOINT = "the sensitivity of the joint vector, which is derived here and not in the paper"


def multipliers(settings: Settings, agents: int, sensitivity: Sensitivity = "paper") -> Array:
    """Return the noise multipliers z_t = (noise deviation)/(sensitivity) of rounds t = 1, …, T. O(TNP).

    With the paper's sensitivity and calibration, z_t = z. By the joint vector's sensitivity ("exact"), the paper's
    noise amounts to z_t = z · φ_max(t)√P / max_n ‖φ_n(t)‖₂ ∈ [z, z√P]. Noise that was calibrated to the joint
    sensitivity amounts to z by both. See `privbo_core.federated.sub_regions.gain` for the derivation. The multipliers
    depend only on public values.
    """
    check_word("sensitivity", sensitivity, Sensitivity)
    gains = np.ones(settings.iterations)
    if sensitivity == "exact" and settings.calibration == "paper" and settings.P > 1:
        gains[:] = [gain_at(settings, agents, t) for t in range(1, settings.iterations + 1)]
    return np.asarray(settings.z * gains)


def losses(
    settings: Settings, agents: int, method: Method = "moments", sensitivity: Sensitivity = "paper"
) -> list[float]:
    """Return ε after t = 1, …, T iterations at δ = N^−1.1.

    ε is always 0 if agents work alone, because then nothing is sent, and ∞ if z = 0. Moments do not cover a fixed-size
    sample, so loss distributions replace them for it. Its neighbours differ by one agent that is *replaced*.

    With ``sensitivity`` "exact", an agent's share of the P vectors of a round counts as one vector. ω^{(i)} contains
    φ_n^{(i)} ω̂_n/q with ‖ω̂_n‖ ≤ S/√P, so the joint vector moves by (S/(q√P))·√(Σ_i (φ_n^{(i)})²) and not by φ_max S/q.
    Round t then has the multiplier z_t of `multipliers`, and the T different rounds are composed (`epsilon_rounds`).
    Every rounding overstates ε, by less than 0.03% for the default weights. A round takes a few milliseconds.
    """
    delta = delta_for(agents)
    each = multipliers(settings, agents, sensitivity)
    if settings.alone:
        return [0.0] * settings.iterations
    accountant = accounting(settings, method)
    curve = epsilon_rounds(rate_of(settings, agents), each.tolist(), delta, accountant, settings.sampling)
    return [float(x) for x in curve]


def total_loss(
    settings: Settings, agents: int, method: Method = "moments", sensitivity: Sensitivity = "paper"
) -> float:
    """Return only the last of `losses`, which is several times faster, because equal rounds are composed at once."""
    if settings.alone:
        return 0.0
    each = multipliers(settings, agents, sensitivity).tolist()
    accountant = accounting(settings, method)
    return composed_epsilon(rate_of(settings, agents), each, delta_for(agents), accountant, settings.sampling)


def total_losses(
    settings: Settings,
    agents: int,
    rounds: Sequence[int],
    method: Method = "moments",
    sensitivity: Sensitivity = "paper",
) -> list[float]:
    """Return `total_loss` after each of these numbers of rounds, whatever T the settings have, in one pass."""
    if settings.alone or not rounds:
        return [0.0] * len(rounds)
    each = multipliers(replace(settings, iterations=max(rounds)), agents, sensitivity).tolist()
    accountant = accounting(settings, method)
    return composed_epsilons(rate_of(settings, agents), each, delta_for(agents), rounds, accountant, settings.sampling)


PARTICIPATION = "an agent's participation: everything that it sends during the whole run"
PRESENT = "one agent takes part, with its whole history, or stays away"
OBSERVER = "everyone who sees the vectors that the server broadcasts, including the other agents"


def guarantee(
    settings: Settings,
    agents: int,
    method: Method = "moments",
    sensitivity: Sensitivity = "paper",
    *,
    problem: FederatedProblem | None = None,
    counted: float | None = None,
) -> Guarantee:
    """Return the guarantee of T iterations for an agent that takes part.

    An assumption is not met if parts of the model of ``problem`` were computed from the agents' values. ``counted`` is
    the ε by ``method`` and ``sensitivity``, if it is known already.
    """
    replaced = "one agent, with its whole history, is replaced by another"
    known = "The model and the settings were known without the agents' values."
    if problem is not None and problem.read_off:
        known += f" Not met: the agents' data determined {', '.join(problem.read_off)}."
    by = "the paper's sensitivity φ_max S/q"
    if settings.P > 1 and settings.calibration == "exact":
        by = f"noise calibrated to {JOINT}"
    elif settings.P > 1 and sensitivity == "exact":
        by = f"the paper's noise, counted by {JOINT}"
    return Guarantee(
        protects=PARTICIPATION,
        against=OBSERVER,
        neighbours=replaced if settings.sampling == "fixed" else PRESENT,
        epsilon=losses(settings, agents, method, sensitivity)[-1] if counted is None else counted,
        delta=delta_for(agents),
        assumptions=(
            "The number of agents and the sub-region that each starts in are public, because the weights depend on "
            "them.",
            "The guarantee does not cover an agent's use of its own queries outside this exchange.",
            "The guarantee covers the agents' values as they were read, not how a file writes them.",
        ),
        status=Status.UNMET if problem is not None and problem.read_off else Status.PROVED,
        source=f"Dai, Low, Jaillet (NeurIPS 2021), Proposition 1; {ACCOUNTING[accounting(settings, method)]}; {by}",
        conditions=(
            Condition("the server is trusted", "The server is trusted, and keeps secret which agents it selected."),
            Condition(
                "the model and the settings were known without the agents' values",
                known,
                unmet=problem is not None and bool(problem.read_off),
            ),
            Condition(
                "the noise is exact",
                "The noise is drawn exactly, as PrivBO draws it between real machines. A simulation draws it in "
                "floating point.",
            ),
        ),
        curve=trade_off(settings, agents, sensitivity) if settings.q == 1.0 and settings.z > 0 else None,
    )


def trade_off(settings: Settings, agents: int, sensitivity: Sensitivity = "exact", times: int = 1) -> TradeOff:
    """Return the trade-off function of all T broadcasts, by loss distributions. No attack on one agent lies below it.

    With ``times``, it is that of so many whole runs with the same agents together. f(α) is 1 − α if agents work alone,
    and 0 if z = 0. An attacker without false alarms (α = 0) misses a share f(0).
    """
    each = multipliers(settings, agents, sensitivity)
    if settings.alone:
        return TradeOff.gaussian(0.0)
    return trade_off_rounds(rate_of(settings, agents), each.tolist(), settings.sampling, times)


def noise_needed(
    settings: Settings, agents: int, epsilon: float, method: Method = "moments", sensitivity: Sensitivity = "paper"
) -> float:
    """Return the least z with which T rounds of these settings keep ε, whatever z they have now.

    All other settings stay the same, including the calibration. It takes a tenth of a second if the rounds differ.
    Raises ValueError if no z up to a million is enough, or if agents work alone and need no noise.
    """
    positive("epsilon", epsilon)
    if settings.alone:
        raise ValueError("decay is inf, so the agents work alone, nothing is sent, and no noise is needed.")
    gains = multipliers(replace(settings, z=1.0, S=1.0), agents, sensitivity).tolist()
    return noise_for_rounds(
        epsilon, rate_of(settings, agents), gains, delta_for(agents), accounting(settings, method), settings.sampling
    )


def rate_allowed(
    settings: Settings, agents: int, epsilon: float, method: Method = "moments", sensitivity: Sensitivity = "paper"
) -> float:
    """Return the largest q with which T rounds of these settings keep ε, whatever q they have now.

    All other settings stay the same. Raises ValueError if even a q of one in a billion is too large, if z is 0, or if
    agents work alone.
    """
    positive("epsilon", epsilon)
    if settings.alone:
        raise ValueError("decay is inf, so the agents work alone, nothing is sent, and every q keeps ε.")
    each = multipliers(settings, agents, sensitivity).tolist()
    accountant = accounting(settings, method)
    return rate_for_rounds(epsilon, each, delta_for(agents), accountant, settings.sampling)


def rounds_allowed(
    settings: Settings,
    agents: int,
    epsilon: float,
    method: Method = "moments",
    sensitivity: Sensitivity = "paper",
    *,
    most: int = 100,
) -> int:
    """Return the largest T up to ``most`` with which these settings keep ε, whatever T they have now, or 0."""
    positive("epsilon", epsilon)
    spent = losses(replace(settings, iterations=whole("most", most)), agents, method, sensitivity)
    return sum(loss <= epsilon for loss in spent)


@dataclass(frozen=True)
class EveryAgent:
    """Settings with which every agent takes part in every round, at the (ε, δ) of some original settings.

    ``settings`` have q = 1 and the noise multiplier that keeps this (ε, δ). ``noise_ratio`` is the noise on the mean
    vector, which is proportional to z/q, relative to that of the original settings.
    """

    settings: Settings
    epsilon: float
    noise_ratio: float


def ask_every_agent(settings: Settings, agents: int, sensitivity: Sensitivity = "paper") -> EveryAgent:
    """Return the settings that keep (ε, δ) of the tight account with q = 1, for less noise on the mean.

    Every agent is asked in every round anyway, so sampling saves no message. With q = 1 the trade-off function is
    exactly G_μ with μ = √(Σ_t z_t⁻²), no sampling error is left, and the selection need not stay secret. A
    subsampled Gaussian never does better: at the same privacy its noise z/q is larger, since
    q·√(T(e^{1/z²} − 1)) ≥ q·√T/z.
    """
    epsilon = total_loss(settings, agents, "pld", sensitivity)
    every = replace(settings, q=1.0)
    z = noise_needed(every, agents, epsilon, "pld", sensitivity)
    return EveryAgent(replace(every, z=z), epsilon, z * rate_of(settings, agents) / settings.z)


def accounting(settings: Settings, method: Method) -> Method:
    """Return the accountant in use, which is "pld" for a fixed-size sample, because moments do not cover it."""
    return "pld" if settings.sampling == "fixed" and method == "moments" else method


def rate_of(settings: Settings, agents: int) -> float:
    """Return the rate that is accounted for: q, or the share of the agents in a fixed-size sample."""
    return sample_size(settings.q, agents) / agents if settings.sampling == "fixed" else settings.q
