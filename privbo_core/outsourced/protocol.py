"""The two parties, and all that passes between them: Z, then row numbers one way and outcomes the other."""

from collections.abc import Callable

import numpy as np

from privbo_core.bo import Trace, search
from privbo_core.bo.policies import Queries
from privbo_core.errors import Array, vector
from privbo_core.outsourced.projection import Release, Spectrum, curate, spectrum

Searcher = Callable[[Array], Queries]
"""A simulated modeler is a function of Z alone. It returns a coroutine that yields row numbers and is sent outcomes.

It holds no reference to the curator, so there is no way from it to X: what it knows is Z and the floats it is sent.
"""


class SimulatedCurator:
    """Plays the data holder, who answers ``objective`` + N(0, ``noise_variance``); never handed to the modeler."""

    def __init__(
        self, points: Array | Spectrum, objective: Array, noise_variance: float, rng: np.random.Generator
    ) -> None:
        self._spectrum = points if isinstance(points, Spectrum) else spectrum(points)
        self._objective = vector("objective", objective, len(self._spectrum.centred))
        self._deviation = float(np.sqrt(noise_variance))
        self._rng = rng

    def release(self, epsilon: float, delta: float, r: int, rng: np.random.Generator) -> Release:
        """Project the inputs (Algorithm 1)."""
        return curate(self._spectrum, epsilon, delta, r, rng)

    def answer(self, row: int) -> float:
        """Evaluate f at the preimage of the released row."""
        return float(self._objective[row] + self._deviation * self._rng.standard_normal())

    def trace(self, rows: list[int], observed: list[float], initial: int, taken: list[int] | None = None) -> Trace:
        """Judge a finished run by the true objective, which only the curator knows. ``taken`` as for `Trace.of`."""
        return Trace.of(rows, observed, self._objective, initial, taken)


def outsource(
    curator: SimulatedCurator,
    release: Release,
    modeler: Searcher,
    initial: int,
    answer: Callable[[int], float] | None = None,
) -> Trace:
    """Run Algorithm 2. ``answer`` stands in for ``curator.answer`` where a caller must watch or stop the run."""
    rows, observed = search(modeler(release.Z.copy()), answer or curator.answer)
    return curator.trace(rows, observed, initial)
