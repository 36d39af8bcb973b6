"""What a person sets, the five algorithms that it names, and what is promised to whom."""

import math
from dataclasses import dataclass, replace
from typing import Literal, get_args

from privbo_core.errors import positive, whole
from privbo_core.gp import Kernel
from privbo_core.privacy import Sampling

Sensitivity = Literal["paper", "exact"]
"""How far one agent can move the server's joint vector: φ_max S/q, or (S/(q√P)) max_n ‖φ_n‖₂ (`gain`)."""
Beta = Literal["one", "theory"]
"""β_t: ``deviation``, or B + σ√(2(γ_{t−1} + 1 + log(4/δ))) of the paper's Theorem 1."""
Ridge = Literal["noise", "theory"]
"""λ, the agents' regularisation: the noise variance σ², or the 1 + 2/T of the paper's Theorem 1."""
Start = Literal["region", "anywhere"]
"""Where an agent's initial points are drawn: in the sub-region that it explores, or in the whole domain."""
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
    ``deviation``: β_t, how far own Thompson samples stray from the posterior mean; with ``beta`` "theory" it is
    B + σ√(2(γ_{t−1} + 1 + log(4/δ))) instead, B = ``norm`` bounding the objectives' norms in the kernel's space.
    ``ridge``: λ = σ², or 1 + 2/T. ``start`` "anywhere": initial points are not kept to an agent's sub-region.
    ``calibration``: what z multiplies. "paper": the noise's deviation is zφ_max S/q. "exact": it is zS/(q√P) · max_n
    ‖φ_n‖₂ in round t, up to √P less; then z is the noise multiplier of every round, and ε that of the plain subsampled
    Gaussian, whatever P. The other defaults are the synthetic section's (Dai et al. 2021), without
    privacy or sub-regions: federated Thompson sampling.
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
    calibration: Sensitivity = "paper"
    beta: Beta = "one"
    norm: float = 1.0
    ridge: Ridge = "noise"
    start: Start = "region"

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
        positive("norm", self.norm)
        for name, words in (("calibration", Sensitivity), ("beta", Beta), ("ridge", Ridge), ("start", Start)):
            check_word(name, getattr(self, name), words)

    @property
    def regularisation(self) -> float:
        """λ, which the agents' posteriors take for the noise variance."""
        return 1.0 + 2.0 / self.iterations if self.ridge == "theory" else self.noise_variance

    @property
    def alone(self) -> bool:
        """Whether every agent works on its own data alone (TS)."""
        return math.isinf(self.decay)

    def follows(self, t: int) -> float:
        """Return 1 − p_t for t = 1, 2, …: the probability that an agent follows the server at iteration t."""
        return 0.0 if self.alone else float(t) ** -self.decay


def variants(settings: Settings) -> dict[str, Settings]:
    """Return the five algorithms that differ from ``settings`` (a DP-FTS-DE) only in what they leave out."""
    without_privacy = replace(settings, q=1.0, z=0.0, S=math.inf, sampling="poisson", calibration="paper")
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


NO_NOISE = "z is 0: without noise there is no guarantee, and ε is ∞."


def cautions(settings: Settings, agents: int) -> tuple[str, ...]:
    """Return sentences about settings that are allowed and say less than they seem to; none if all is well."""
    check_agents(agents)
    found = []
    if settings.z == 0 and not settings.alone:
        found.append(NO_NOISE)
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


def check_word(name: str, value: str, words: object) -> None:
    """Raise ValueError unless the value is one of the words of a literal."""
    if value not in get_args(words):
        raise ValueError(f"{name} is {value!r}; it must be one of {', '.join(map(repr, get_args(words)))}.")


def sample_size(q: float, agents: int) -> int:
    """Return how many agents a fixed-size sample holds: round(qN), and at least one."""
    return max(1, round(q * agents))
