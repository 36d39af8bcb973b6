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

    ``search`` is the rule of every policy that has a model. ``delta_ucb`` belongs to "ucb" (as published) and "ucb/5".
    With ``once``, these policies ask for no row twice, as when the rows are patients. Random search and "neighbour"
    never ask for a row twice as long as there are others.

    ``lengthscale``, ``signal`` and ``answer_noise`` multiply the length-scales, the signal variance and the noise
    variance of these models, which are those of the problem, or of the analyst's `Belief` where the release is noisy.
    The simulated answers carry ``answer_noise`` times the noise variance, too. Regrets stay in units of the problem's
    own σ_y.
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
        omega(self.epsilon, self.delta, self.r)
        whole("iterations", self.iterations)
        probability("delta_ucb", self.delta_ucb)
        whole("initial", self.initial, least=0)
        for name in ("protected_distance", "lengthscale", "signal", "answer_noise"):
            positive(name, getattr(self, name))
        if self.search not in get_args(Search):
            raise ValueError(f"search is {self.search!r}. It must be one of {', '.join(map(repr, get_args(Search)))}.")

    @property
    def searching(self) -> tuple[object, ...]:
        """The settings that a run with a model depends on, besides the problem. Only GP-UCB has a δ_ucb."""
        delta_ucb = self.delta_ucb if self.search in ("ucb", "ucb/5") else None
        return (self.search, self.once, delta_ucb, self.lengthscale, self.signal)

    def noise(self, frame: Frame, protected_distance: float | None = None) -> float:
        """Return σ of the noisy release with these column settings, in units of the protected differences.

        ``protected_distance`` is that of the setting if it is not given.
        """
        return noise_deviation(
            self.epsilon,
            self.delta,
            bounds=frame.bounds,
            protected_distance=protected_distance or self.protected_distance,
            d=frame.d,
        )
