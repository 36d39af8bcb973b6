"""The settings of a run, the five algorithms that follow from them, and cautions about weak guarantees."""

import math
from dataclasses import dataclass, replace
from typing import Literal, get_args

from privbo_core.errors import positive, whole
from privbo_core.gp import Kernel
from privbo_core.privacy import Sampling

Sensitivity = Literal["paper", "exact"]
"""The distance by which one agent can move the server's joint vector. "paper" is φ_max S/q, and "exact" is
(S/(q√P)) max_n ‖φ_n‖₂ (`gain`)."""
Beta = Literal["one", "theory"]
"""β_t. "one" is ``deviation``, and "theory" is B + σ√(2(γ_{t−1} + 1 + log(4/δ))) of the paper's Theorem 1."""
Ridge = Literal["noise", "theory"]
"""λ, the agents' regularisation. "noise" is the noise variance σ², and "theory" is the paper's 1 + 2/T (Theorem 1)."""
Start = Literal["region", "anywhere"]
"""The points from which an agent's initial ones are drawn: the sub-region that it explores, or the whole domain."""
MIN_AGENTS = 20
"""With fewer agents than this, δ = N^−1.1 is above 0.037. A guarantee that may fail in one case in 27 means little."""


@dataclass(frozen=True)
class Settings:
    """Set everything about a run except the objectives and the points.

    The agents' model is ``kernel``, with its length-scale in the units of the points, and ``noise_variance`` σ² in
    squared units of the objectives. There are ``iterations`` T, ``initial`` points N_init of each agent and
    ``features`` M. The server has the rate ``q``, the noise multiplier ``z``, the clipping threshold ``S`` and the
    sub-regions ``P``. Its weights depend on ``a``, stay constant for ``hold`` iterations and are uniform after ``fade``
    more. ``sampling`` is "poisson" (each agent with probability q) or "fixed" (round(qN) agents, at least one, without
    replacement).

    With probability 1 − p_t = t^−``decay`` an agent follows the server, and with ``decay`` = ∞ it never does.
    ``deviation`` is β_t, the factor on the spread of an agent's own Thompson samples around the posterior mean. If
    ``beta`` is "theory", β_t is B + σ√(2(γ_{t−1} + 1 + log(4/δ))) instead, where B = ``norm`` bounds the objectives'
    norms in the kernel's space. ``ridge`` sets λ to σ² ("noise") or 1 + 2/T ("theory"). If ``start`` is "anywhere",
    initial points need not lie in an agent's sub-region.

    ``calibration`` chooses the sensitivity that z multiplies. With "paper" the noise has deviation zφ_max S/q. With
    "exact" it is zS/(q√P) · max_n ‖φ_n‖₂ in round t, which is smaller by a factor of up to √P. Then z is the noise
    multiplier of every round, and ε is that of the plain subsampled Gaussian for every P. The other defaults are those
    of the synthetic section (Dai et al. 2021) without privacy or sub-regions, which is federated Thompson sampling.
    Raises ValueError with the parameter, its value and the allowed range.
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
            raise ValueError(f"q is {self.q!r}. It must lie above 0 and be at most 1.")
        if not (math.isfinite(self.z) and self.z >= 0):
            raise ValueError(f"z is {self.z!r}. It must be a finite number of at least 0 (0: no noise, no guarantee).")
        if not self.S > 0:
            raise ValueError(f"S is {self.S!r}. It must be above 0 (∞ for no clipping).")
        if self.z > 0 and not math.isfinite(self.S):
            raise ValueError(f"S is {self.S!r} while z is {self.z!r}. Noise of size zS needs a finite S.")
        if self.P & (self.P - 1):
            raise ValueError(f"P is {self.P!r}. The domain is cut by halving, so P must be one of 1, 2, 4, 8, …")
        positive("a", self.a)
        positive("deviation", self.deviation)
        if not self.decay >= 0:
            raise ValueError(f"decay is {self.decay!r}. It must be at least 0 (∞ for agents that work alone).")
        if self.sampling not in ("poisson", "fixed"):
            raise ValueError(f"sampling is {self.sampling!r}. It must be 'poisson' or 'fixed'.")
        positive("norm", self.norm)
        for name, words in (("calibration", Sensitivity), ("beta", Beta), ("ridge", Ridge), ("start", Start)):
            check_word(name, getattr(self, name), words)

    @property
    def regularisation(self) -> float:
        """Return λ, which the agents' posteriors use as the noise variance."""
        return 1.0 + 2.0 / self.iterations if self.ridge == "theory" else self.noise_variance

    @property
    def alone(self) -> bool:
        """Return whether every agent works on its own data alone (TS)."""
        return math.isinf(self.decay)

    def follows(self, t: int) -> float:
        """Return 1 − p_t for t = 1, 2, …: the probability that an agent follows the server at iteration t."""
        return 0.0 if self.alone else float(t) ** -self.decay


def variants(settings: Settings) -> dict[str, Settings]:
    """Return the settings of five algorithms: DP-FTS-DE with ``settings``, and four that leave out parts of it."""
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


NO_NOISE = "z is 0, so there is no noise and no guarantee, and ε is ∞."


def cautions(settings: Settings, agents: int) -> tuple[str, ...]:
    """Return a sentence for each reason why these settings guarantee less than they seem to."""
    check_agents(agents)
    found = []
    if settings.z == 0 and not settings.alone:
        found.append(NO_NOISE)
    if settings.z > 0 and not settings.alone and agents < MIN_AGENTS:
        found.append(
            f"N is {agents}, so δ = N^−1.1 is {delta_for(agents):.2g}. The guarantee may fail outright with that "
            f"probability, so it means little. From N = {MIN_AGENTS} on, δ is below 0.04."
        )
    return tuple(found)


def check_agents(agents: int) -> int:
    """Return N, or raise ValueError unless it is a whole number of at least 2."""
    if whole("N (the number of agents)", agents, least=0) < 2:
        raise ValueError(f"N (the number of agents) is {agents!r}. It takes at least 2 to learn from each other.")
    return int(agents)


def check_word(name: str, value: str, words: object) -> None:
    """Raise ValueError unless the value is one of the words of a literal."""
    if value not in get_args(words):
        raise ValueError(f"{name} is {value!r}. It must be one of {', '.join(map(repr, get_args(words)))}.")


def sample_size(q: float, agents: int) -> int:
    """Return the number of agents in a fixed-size sample: round(qN), and at least one."""
    return max(1, round(q * agents))
