"""The search behind the two maps of the Outsourced page, evaluation by evaluation, reduced to what is drawn."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

import numpy as np

from pages.parts.outsourced.figures import flat, flat_release
from privbo_core.bo import Trace, replay
from privbo_core.errors import Array
from privbo_core.outsourced import Setting, Simulation, belief
from privbo_core.outsourced.simulation import Mechanism

MOST_POINTS = 2000  # more are averaged over the cells of a grid
CELLS = 60  # along each side of that grid
Shown = Literal["upper bound", "posterior mean", "uncertainty"]


class Cells:
    """Points in the plane as they are drawn: each by itself, or averaged over cells of a grid if there are many.

    ``places``: n×2 coordinates; ``sent``: the same as two lists, where each point is drawn. `reduce` turns n values into what is drawn: n values, or CELLS² with NaN where no point is.
    """

    def __init__(self, places: Array) -> None:
        self.places = places
        self.binned = len(places) > MOST_POINTS
        # To write numbers for the browser takes longer than all else in a step, so places are written once.
        shown = [] if self.binned else places.T.tolist()
        self.sent = [[float(f"{value:.6g}") for value in column] for column in shown]
        self.centres: tuple[Array, Array] = (np.empty(0), np.empty(0))
        if self.binned:
            low, span = places.min(axis=0), np.maximum(np.ptp(places, axis=0), 1e-12)
            inside = np.minimum(((places - low) / span * CELLS).astype(np.int64), CELLS - 1)
            self._cell = inside[:, 1] * CELLS + inside[:, 0]
            self._count = np.bincount(self._cell, minlength=CELLS**2)
            middles = (np.arange(CELLS) + 0.5) / CELLS
            self.centres = (low[0] + span[0] * middles, low[1] + span[1] * middles)

    def reduce(self, values: Array) -> Array:
        """Return the values that are drawn, in single precision. O(n)."""
        if not self.binned:
            return values.astype(np.float32)
        with np.errstate(invalid="ignore"):
            sums = np.bincount(self._cell, values, minlength=CELLS**2)
            return np.asarray(sums / self._count, dtype=np.float32)


@dataclass(frozen=True, eq=False)
class Frame:
    """The modeler's belief after t evaluations: reduced values to draw, exact numbers to tell.

    ``next_row`` has the highest upper bound of all n rows, ``favourite`` the highest posterior mean.
    """

    t: int
    mean: Array
    deviation: Array
    root_beta: float
    next_row: int
    next_upper: float
    next_mean: float
    next_deviation: float
    favourite: int
    favourite_mean: float

    def values(self, shown: Shown) -> Array:
        """Return what the modeler's map is coloured by."""
        if shown == "posterior mean":
            return self.mean
        return self.deviation if shown == "uncertainty" else self.mean + self.root_beta * self.deviation


class Film:
    """One run as a sequence of frames, each computed once, in order, and remembered.

    Up to CELLS² values twice per frame: 6 MB for 200 evaluations, whatever n. The posterior itself, 8nT bytes, is
    let go after the last frame.
    """

    def __init__(self, simulation: Simulation, setting: Setting, policy: Mechanism, run: int = 0) -> None:
        self.of = (simulation, setting, policy, run)
        problem = simulation.problem
        self.trace: Trace = simulation.run(policy, setting, run)
        kernel, nugget, noise_variance = problem.kernel, 0.0, problem.noise_variance
        if policy == "private":
            z = simulation.release(setting, run).Z
            read = z
        else:
            noisy, prior = simulation.noisy_release(setting, run), belief(problem)
            z, noise_variance = noisy.Z, prior.noise_variance
            read, kernel, nugget = prior.read(z, noisy.sigma if setting.aware else 0.0)
        places, self.axes = flat(problem)
        released, self.modeler_axes = flat_release(problem, z, policy)
        self.curator, self.modeler = Cells(places), Cells(released)
        self.objective = simulation.objective(run)
        self.truth = self.curator.reduce(self.objective)
        self._frames: list[Frame] = []
        self._beliefs = replay(
            read, self.trace, kernel=kernel, noise_variance=noise_variance, delta_ucb=setting.delta_ucb, nugget=nugget,
            rule=simulation.rule(setting, run),
        )  # fmt: skip

    def at(self, t: int, pause: Callable[[], None] = lambda: None) -> Frame:
        """Return the frame after t evaluations. A new one costs O(nt), a known one nothing; ``pause`` is called between."""
        while len(self._frames) <= t:
            belief = next(self._beliefs)
            row, favourite = int(belief.upper.argmax()), int(belief.mean.argmax())
            self._frames.append(
                Frame(
                    belief.t,
                    self.modeler.reduce(belief.mean),
                    self.modeler.reduce(belief.deviation),
                    belief.root_beta,
                    row,
                    float(belief.upper[row]),
                    float(belief.mean[row]),
                    float(belief.deviation[row]),
                    favourite,
                    float(belief.mean[favourite]),
                )
            )
            if belief.t == self.trace.iterations:
                self._beliefs.close()
            else:
                pause()
        return self._frames[t]

    def asked(self, t: int) -> tuple[list[int], int | None]:
        """Return the rows evaluated after t evaluations, initial ones first, and the row that is next, if any is."""
        rows = [int(row) for row in self.trace.rows[: self.trace.initial + t + 1]]
        return (rows, None) if t == self.trace.iterations else (rows[:-1], rows[-1])
