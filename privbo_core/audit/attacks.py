"""Set up the sharpest attack of each kind for `privbo_core.audit.run`.

There are two attacks on the projection, and one each on the noisy release, on a published score and on broadcasts. The
audit tests itself with noise of a known ε.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal, cast

import numpy as np
from numpy.typing import ArrayLike, NDArray
from threadpoolctl import threadpool_limits

from privbo_core.audit.federated import server_canary
from privbo_core.audit.lower_bound import Audited, spread_rows
from privbo_core.audit.outsourced import Releasing, column_space_attack, reconstruct
from privbo_core.audit.release import ScoreChange, published_score, score_changes
from privbo_core.audit.running import Attack
from privbo_core.data import TuningTask
from privbo_core.errors import Array, DataError, matrix, positive
from privbo_core.federated import Settings, delta_for
from privbo_core.outsourced import Release, Spectrum, curate, noisy_release, spectrum
from privbo_core.privacy import gaussian_sigma
from privbo_core.release import Tuning

SMALLEST_DISTANCE = 1e-17
"""Distances below this count as this, so that they have a logarithm."""
NoiseShape = Literal["laplace", "gaussian"]


def move_inwards(points: ArrayLike, rng: np.random.Generator) -> tuple[Array, int, Array]:
    """Return a neighbour with one row moved by 1 towards the middle, that row, and the move (length d).

    It is `move_one` with each sign chosen so that no value leaves bounds around 0, and nothing is clipped away.
    """
    points = matrix("points", points)
    row = int(rng.integers(len(points)))
    move = rng.standard_normal(points.shape[1])
    move = -np.copysign(move / np.linalg.norm(move), points[row])
    neighbour = points.copy()
    neighbour[row] += move
    return neighbour, row, move


def known_rows(points: ArrayLike, unknown: int, rng: np.random.Generator) -> NDArray[np.int64]:
    """Return d + 1 rows in general position that an attacker knows, without the row ``unknown``.

    Raises DataError for a table of d + 1 rows or fewer, in which nothing is left to rebuild.
    """
    points = matrix("points", points)
    n, d = points.shape
    if n <= d + 1:
        raise DataError(f"points has {n} rows. The attacker knows d + 1 = {d + 1} of them, so nothing is left.")
    others = np.delete(np.arange(n), unknown)
    return others[spread_rows(points[others], rng)]


@dataclass(frozen=True)
class Projection:
    """The paper's projection at these settings, as a mechanism of the decomposed table.

    ``pause`` is called before each release.
    """

    epsilon: float
    delta: float
    r: int
    pause: Callable[[], None] = lambda: None

    def __call__(self, table: Spectrum, rng: np.random.Generator) -> Release:
        """Return a simulated release of the table."""
        self.pause()
        return curate(table, self.epsilon, self.delta, self.r, rng)


def attack_column_space(points: ArrayLike, neighbour: ArrayLike, release: Projection) -> Attack:
    """Return the attack that distinguishes the projections of two tables by the column space of ``points``.

    The attacker's number is log₁₀ of how far the release lies outside that space (`column_space_test`). A release of
    ``points`` lies in it, and one of a neighbour in general position doesn't, whatever ε is. O(ndr) a trial. Raises
    DataError unless n > d + 1.
    """
    mechanism = column_space_attack(cast("Releasing", release), points)
    return Attack(mechanism, (spectrum(points), spectrum(neighbour)), release.delta, first=10, factor=1.5)


def attack_by_reconstruction(
    points: ArrayLike,
    neighbour: ArrayLike,
    row: int,
    known: Sequence[int] | NDArray[np.int64],
    release: Projection,
) -> Attack:
    """Return the attack that rebuilds the ``row`` in which two tables differ from d + 1 ``known`` rows of both.

    The attacker's number is log₁₀ of the distance from the rebuilt record to that of ``points``, along the directions
    that the release determines. It is rounding error under ``points``. Under the neighbour it is the length of the move
    along these directions. O(ndr) a trial.
    """
    mechanism = reconstruction_attack(cast("Releasing", release), points, row, known)
    return Attack(mechanism, (spectrum(points), spectrum(neighbour)), release.delta, first=10, factor=1.5)


def reconstruction_attack(
    release: Releasing, points: ArrayLike, row: int, known: Sequence[int] | NDArray[np.int64]
) -> Audited:
    """Return log₁₀ of the distance from the rebuilt ``row`` to that of ``points``, as a mechanism of scalars."""
    points = matrix("points", points)
    known = np.asarray(known)

    def attack(data: Array, trials: int, rng: np.random.Generator) -> Array:
        distances = np.empty(trials)
        # Rounding error must not depend on how many threads multiply.
        with threadpool_limits(1, user_api="blas"):
            for trial in range(trials):
                rebuilt = reconstruct(release(data, rng), known, points[known])
                distances[trial] = np.linalg.norm((rebuilt.points[row] - points[row]) @ rebuilt.directions)
        return np.log10(np.maximum(distances, SMALLEST_DISTANCE))

    return attack


def attack_noisy_release(
    record: ArrayLike, other: ArrayLike, *, epsilon: float, delta: float, bounds: ArrayLike
) -> Attack:
    """Return the most powerful test of whether a noisy release holds ``record`` or the ``other`` one in its place.

    Both have length d, in protected differences. The attacker knows all other records, whose noise is independent. The
    number is the place of the released record on the line between the two, 0 at ``record`` and 1 at the other, which
    grows with the likelihood ratio. O(d) a trial.
    """
    records = np.array([record, other], dtype=float)
    step = records[1] - records[0]

    def mechanism(which: int, trials: int, rng: np.random.Generator) -> Array:
        # The noise is independent from row to row, so many rows with one record are many releases of it.
        many = noisy_release(np.tile(records[which], (trials, 1)), epsilon, delta, bounds=bounds, rng=rng)
        return np.asarray((many.Z - records[0]) @ step / (step @ step))

    return Attack(mechanism, (0, 1), delta, gaussian=True)


def most_telling_record(task: TuningTask, tuning: Tuning) -> ScoreChange:
    """Return the change by the one record that moves Algorithm 2's published score most, at ε = 1.

    The record does not depend on ε, k₁, A and τ, because they only scale the noise. One search for each record,
    O(nT²). Raises DataError for a task without records.
    """
    if not task.records:
        raise DataError("This task has no validation records that could be removed.")
    return max(score_changes(task, tuning, 1.0, records=range(task.records)), key=lambda change: change.epsilon)


def attack_score(change: ScoreChange) -> Attack:
    """Return the most powerful test between the published scores with and without the record of a ``change``."""
    return Attack(published_score(change.here, change.there), (0, 1), change.here.delta)


def attack_broadcasts(settings: Settings, agents: int, pause: Callable[[], None] = lambda: None) -> Attack:
    """Return the canary among ``agents`` agents, and the most powerful test of whether it took part.

    ``pause`` is called while the rounds are set up. See `server_canary`.
    """
    return Attack(server_canary(settings, agents, pause), (False, True), delta_for(agents), first=250)


def attack_known_noise(shape: NoiseShape, epsilon: float, delta: float, share: float = 1.0) -> Attack:
    """Return the test between 0 and 1 with a ``share`` of the noise that ε and δ require.

    The truth is known, so this shows whether an audit finds an error. Laplace noise has δ = 0. Raises ValueError for an
    unknown shape or numbers out of range.
    """
    scale = positive("share", share) * known_scale(shape, epsilon, delta)
    gaussian = shape == "gaussian"

    def mechanism(value: float, trials: int, rng: np.random.Generator) -> Array:
        noise = rng.standard_normal(trials) if gaussian else rng.laplace(size=trials)
        return value + scale * noise

    return Attack(mechanism, (0.0, 1.0), delta if gaussian else 0.0, gaussian=gaussian)


def known_scale(shape: NoiseShape, epsilon: float, delta: float) -> float:
    """Return the scale that ε and δ require of noise between 0 and 1: b = 1/ε of Laplace, or σ of Gaussian noise."""
    if shape not in ("laplace", "gaussian"):
        raise ValueError(f"shape is {shape!r}. It must be 'laplace' or 'gaussian'.")
    return gaussian_sigma(epsilon, delta, 1.0) if shape == "gaussian" else 1.0 / positive("epsilon", epsilon)
