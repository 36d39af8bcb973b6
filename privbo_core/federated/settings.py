"""What a person sets, the five algorithms that it names, and what is promised to whom."""

import math
from dataclasses import dataclass, replace

from privbo_core.errors import positive, whole
from privbo_core.gp import Kernel
from privbo_core.privacy import Guarantee, Method, Sampling, Status, epsilon_curve
from privbo_core.privacy import epsilon as privacy_loss

FEWEST_AGENTS = 20
"""With fewer agents, δ = N^−1.1 is above 0.037: a promise that may fail in one case out of 27 says little."""


@dataclass(frozen=True)
class Settings:
    """Everything about a run but the objectives and the points.

    ``kernel`` and ``noise_variance`` σ² (squared units of the objectives) are the agents' model; the kernel's
    length-scale is in the units of the points. ``iterations`` T; ``initial`` N_init, the points that each agent starts
    from; ``features`` M. The server: rate ``q``, noise multiplier ``z``, clipping threshold ``S``, sub-regions ``P``,
    ``a`` and the schedule of the weights (constant for ``hold`` iterations, uniform after ``fade`` more). ``sampling``
    is "poisson" (each agent with probability q) or "fixed" (round(qN) agents, at least one, without replacement).
    With probability 1 − p_t = t^−``decay`` an agent follows the server; ``decay`` = ∞ means that it never does.
    ``deviation``: β_t, how far own Thompson samples stray from the posterior mean. The other
    defaults are the synthetic section's (Dai et al. 2021), without privacy or sub-regions: federated Thompson sampling.
    Raises ValueError, naming parameter, value and what is allowed.
    """

    kernel: Kernel
    noise_variance: float
    iterations: int = 40
    initial: int = 10
    features: int = 50
    q: float = 1.0
    z: float = 0.0
    S: float = math.inf
    P: int = 1
    a: float = 15.0
    hold: int = 10
    fade: int = 30
    decay: float = 0.5
    deviation: float = 1.0
    sampling: Sampling = "poisson"

    def __post_init__(self) -> None:
        positive("noise_variance", self.noise_variance)
        for name in ("iterations", "initial", "features", "P", "fade"):
            whole(name, getattr(self, name))
        whole("hold", self.hold, least=0)
        if not 0 < self.q <= 1:
            raise ValueError(f"q is {self.q!r}; it must lie above 0 and be at most 1.")
        if not (math.isfinite(self.z) and self.z >= 0):
            raise ValueError(f"z is {self.z!r}; it must be a finite number of at least 0 (0: no noise, no guarantee).")
        if not self.S > 0:
            raise ValueError(f"S is {self.S!r}; it must be above 0 (∞ for no clipping).")
        if self.z > 0 and not math.isfinite(self.S):
            raise ValueError(f"S is {self.S!r} while z is {self.z!r}; noise of size zS needs a finite S.")
        if self.P & (self.P - 1):
            raise ValueError(f"P is {self.P!r}; the domain is cut by halving, so P must be one of 1, 2, 4, 8, …")
        positive("a", self.a)
        positive("deviation", self.deviation)
        if not self.decay >= 0:
            raise ValueError(f"decay is {self.decay!r}; it must be at least 0 (∞ for agents that work alone).")
        if self.sampling not in ("poisson", "fixed"):
            raise ValueError(f"sampling is {self.sampling!r}; it must be 'poisson' or 'fixed'.")

    @property
    def alone(self) -> bool:
        """Whether every agent works on its own data alone (TS)."""
        return math.isinf(self.decay)

    def follows(self, t: int) -> float:
        """Return 1 − p_t for t = 1, 2, …: the probability that an agent follows the server at iteration t."""
        return 0.0 if self.alone else float(t) ** -self.decay


def variants(settings: Settings) -> dict[str, Settings]:
    """Return the five algorithms that differ from ``settings`` (a DP-FTS-DE) only in what they leave out."""
    without_privacy = replace(settings, q=1.0, z=0.0, S=math.inf, sampling="poisson")
    return {
        "TS": replace(without_privacy, P=1, decay=math.inf),
        "FTS": replace(without_privacy, P=1),
        "FTS-DE": without_privacy,
        "DP-FTS": replace(settings, P=1),
        "DP-FTS-DE": settings,
    }


def delta_for(agents: int) -> float:
    """Return δ = N^−1.1 (Section 5, after McMahan et al. 2018). Raises ValueError for fewer than two agents."""
    return float(check_agents(agents) ** -1.1)


def losses(settings: Settings, agents: int, method: Method = "moments") -> list[float]:
    """Return ε after t = 1, …, T iterations at δ = N^−1.1.

    0 throughout where agents work alone, for then nothing is sent; ∞ where z = 0. A fixed-size sample is accounted for
    by Rényi whatever ``method`` says, between neighbours that differ by one agent *replaced*.
    """
    delta = delta_for(agents)
    if settings.alone:
        return [0.0] * settings.iterations
    if settings.sampling == "fixed":
        rate = sample_size(settings.q, agents) / agents
        return [float(x) for x in epsilon_curve(rate, settings.z, settings.iterations, delta, "rdp", "fixed")]
    return [float(x) for x in epsilon_curve(settings.q, settings.z, settings.iterations, delta, method)]


def guarantee(settings: Settings, agents: int, method: Method = "moments") -> Guarantee:
    """Return what T iterations promise to an agent that takes part."""
    fixed = settings.sampling == "fixed"
    replaced = "one agent, with its whole history, is replaced by another"
    present = "one agent takes part, with its whole history, or stays away"
    if settings.alone:
        value = 0.0
    elif fixed:
        value = losses(settings, agents)[-1]
    else:
        value = privacy_loss(settings.q, settings.z, settings.iterations, delta_for(agents), method)
    return Guarantee(
        protects="an agent's participation: everything that it sends during the whole run",
        against="whoever sees all vectors that the server broadcasts, the other agents included",
        neighbours=replaced if fixed else present,
        epsilon=value,
        delta=delta_for(agents),
        assumptions=(
            "the server is trusted, and who was selected stays secret",
            "the number of agents and the sub-region that each starts in are public: the weights depend on them",
            "settings were not chosen by looking at the agents' data",
            "what an agent does with its own queries outside this exchange is not covered",
        ),
        status=Status.PROVED,
        source=f"Dai, Low, Jaillet (NeurIPS 2021), Proposition 1; {'rdp' if fixed else method} accounting",
    )


def cautions(settings: Settings, agents: int) -> tuple[str, ...]:
    """Return sentences about settings that are allowed and say less than they seem to; none if all is well."""
    check_agents(agents)
    found = []
    if settings.z == 0 and not settings.alone:
        found.append("z is 0: without noise there is no guarantee, and ε is ∞.")
    if settings.z > 0 and not settings.alone and agents < FEWEST_AGENTS:
        found.append(
            f"N is {agents}, so δ = N^−1.1 is {delta_for(agents):.2g}: the promise may fail outright with that "
            f"probability, which is too often to mean much. From N = {FEWEST_AGENTS} on it is below 0.04."
        )
    return tuple(found)


def check_agents(agents: int) -> int:
    """Return N if it is a whole number of at least 2; raise ValueError otherwise."""
    if whole("N (the number of agents)", agents, least=0) < 2:
        raise ValueError(f"N (the number of agents) is {agents!r}; it takes at least 2 to learn from each other.")
    return int(agents)


def sample_size(q: float, agents: int) -> int:
    """Return how many agents a fixed-size sample holds: round(qN), and at least one."""
    return max(1, round(q * agents))
