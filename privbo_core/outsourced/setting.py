"""The settings of a simulated search."""

from dataclasses import dataclass
from typing import get_args

from privbo_core.bo import Search
from privbo_core.data import Frame
from privbo_core.errors import positive, probability, whole
from privbo_core.outsourced.noisy import noise_deviation
from privbo_core.outsourced.projection import omega


@dataclass(frozen=True)
class Setting:
    """The settings of a simulated search: (ε, δ), projection dimension r, T iterations, δ_ucb and ``initial`` points.

    Two of them concern only the noisy release. ``protected_distance`` is the distance that it protects, in protected
    differences of the problem's columns. ``aware`` makes the analyst's kernel take the noise into account (see
    results/noisy_release.json).

    ``search`` is the rule by which every policy with a model chooses the next row. ``delta_ucb`` is used by "ucb",
    which is GP-UCB as published, and by "ucb/5". With ``once``, these policies never ask for the same row twice, which
    suits rows that are patients. Random search and "neighbour" never repeat a row while others are left.

    ``lengthscale``, ``signal`` and ``answer_noise`` multiply the length-scales, the signal variance and the noise
    variance of every model. A search of a noisy release has the model of the analyst's `Belief`, and every other search
    has the model of the problem. ``answer_noise`` multiplies the noise variance of the simulated answers, too. Regrets
    stay in units of the problem's own σ_y.
    """

    epsilon: float
    delta: float
    r: int
    iterations: int
    delta_ucb: float = 0.05
    initial: int = 5
    protected_distance: float = 1.0
    aware: bool = True
    search: Search = "ucb"
    once: bool = False
    lengthscale: float = 1.0
    signal: float = 1.0
    answer_noise: float = 1.0

    def __post_init__(self) -> None:
        omega(self.epsilon, self.delta, self.r)  # Checks all three.
        whole("iterations", self.iterations)
        probability("delta_ucb", self.delta_ucb)
        whole("initial", self.initial, least=0)
        for name in ("protected_distance", "lengthscale", "signal", "answer_noise"):
            positive(name, getattr(self, name))
        if self.search not in get_args(Search):
            raise ValueError(f"search is {self.search!r}. It must be one of {', '.join(map(repr, get_args(Search)))}.")

    @property
    def search_key(self) -> tuple[object, ...]:
        """The settings of the rule and the model, on which a run with a model depends. Only GP-UCB has a δ_ucb."""
        delta_ucb = self.delta_ucb if self.search in ("ucb", "ucb/5") else None
        return (self.search, self.once, delta_ucb, self.lengthscale, self.signal)

    def noise(self, frame: Frame, protected_distance: float | None = None) -> float:
        """Return the σ of the noisy release with these column settings, in units of the protected differences.

        ``protected_distance`` replaces that of the setting if it is given.
        """
        return noise_deviation(
            self.epsilon,
            self.delta,
            bounds=frame.bounds,
            protected_distance=protected_distance or self.protected_distance,
            d=frame.d,
        )
