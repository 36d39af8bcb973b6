"""What a person sets before searches are simulated."""

from dataclasses import dataclass
from typing import get_args

from privbo_core.bo import Search
from privbo_core.data import Frame
from privbo_core.errors import positive, probability, whole
from privbo_core.outsourced.noisy import noise_deviation
from privbo_core.outsourced.projection import omega


@dataclass(frozen=True)
class Setting:
    """What a person sets: privacy (ε, δ), projection dimension r, T iterations, GP-UCB's δ_ucb, initial points.

    For the noisy release alone: how many hidden changes of the problem's frame are protected (``protected_distance``),
    and whether the modeler's kernel takes the noise into account (``aware``; see results/noisy_release.json).
    ``search``: how everybody with a model searches; δ_ucb is that of "ucb" (as published) and "ucb/5". ``once``: they
    ask for no row twice, as one does who tests patients. (Random search and "neighbour" never ask twice anyway.)

    ``lengthscale``, ``signal``, ``answer_noise``: what everybody with a model takes for the length-scales, the signal's
    variance and the variance of an answer's noise, in multiples of the problem's, or of the belief's where the release
    is noisy. Answers carry so much more noise too, and the model knows; regrets stay in the problem's own σ_y.
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
            raise ValueError(f"search is {self.search!r}; it is one of {', '.join(map(repr, get_args(Search)))}.")

    @property
    def searching(self) -> tuple[object, ...]:
        """What a run with a model depends on besides what the problem says: only GP-UCB has a δ_ucb."""
        delta_ucb = self.delta_ucb if self.search in ("ucb", "ucb/5") else None
        return (self.search, self.once, delta_ucb, self.lengthscale, self.signal)

    def noise(self, frame: Frame, protected_distance: float | None = None) -> float:
        """Return σ of the noisy release in this frame, in hidden changes: for the setting's own protected distance."""
        return noise_deviation(
            self.epsilon,
            self.delta,
            bounds=frame.bounds,
            protected_distance=protected_distance or self.protected_distance,
            d=frame.d,
        )
