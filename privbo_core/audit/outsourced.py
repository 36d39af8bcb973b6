"""Attack released inputs: test which dataset they come from, and rebuild records from known ones or from the frame."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Protocol

import numpy as np
from numpy.typing import ArrayLike, NDArray
from threadpoolctl import threadpool_limits

from privbo_core.audit.lower_bound import Audited
from privbo_core.data import Frame
from privbo_core.errors import Array, DataError, matrix, row_indices
from privbo_core.outsourced import hardest_move, noisy_release
from privbo_core.outsourced.displacement import following


class Released(Protocol):
    """Anything with an n×r array ``Z`` that was handed out."""

    @property
    def Z(self) -> Array:  # noqa: N802 - the paper's letter
        """Return the released array, n×r."""


def column_space(candidate: ArrayLike) -> Array:
    """Return an orthonormal basis (n×d) of the column space of the centred candidate. O(nd²).

    Raises DataError unless n > d + 1, because with fewer rows every centred release lies in that space.
    """
    x = matrix("candidate", candidate, least_rows=2)
    n, d = x.shape
    if n <= d + 1:
        raise DataError(
            f"candidate has {n} rows and {d} columns. More than d + 1 = {d + 1} rows are needed, because the column "
            "space of fewer is everything there is."
        )
    basis, _ = np.linalg.qr(x - x.mean(axis=0))
    return np.asarray(basis)


def column_space_test(release: Released, candidate: ArrayLike) -> float:
    """Return how far Z lies outside the column space of the centred ``candidate``: ‖Z − QQᵀZ‖/‖Z‖, from 0 to 1.

    Algorithm 1 of the outsourcing paper returns Z = r^{−1/2} X̃M. In both branches its columns are combinations of the
    columns of the centred X. So the test gives rounding error (about 1e−15) for the dataset that was released, and far
    more for another one in general position. Z is centred first, which changes nothing for this release and makes the
    test fair to others. O(nd(d + r)), or 10 ms for n = 36 000, d = 3.
    """
    return _residual(_of(release, len(np.atleast_2d(np.asarray(candidate)))), column_space(candidate))


def _residual(z: Array, basis: Array) -> float:
    z = z - z.mean(axis=0)
    size = float(np.linalg.norm(z))
    if size == 0:
        raise DataError("Z is the same in every row, so there is nothing to compare.")
    return float(np.linalg.norm(z - basis @ (basis.T @ z))) / size


def _of(release: Released, n: int) -> Array:
    z = matrix("Z", release.Z)
    if len(z) != n:
        raise DataError(f"the release has {len(z)} rows and the candidate {n}. They must have equally many.")
    return z


@dataclass(frozen=True, eq=False)
class Reconstruction:
    """The records rebuilt from d + 1 known ones.

    ``points`` are the rebuilt records, n×d. ``learned`` is how many combinations of a record's d columns are
    determined, at most r. If it is below d, ``points`` is right along the ``directions`` (d×learned, orthonormal), and
    across them it is a guess, namely the value of the first known record. ``map`` is the d×r matrix that was solved
    for.
    """

    points: Array
    learned: int
    directions: Array
    map: Array


def reconstruct(
    release: Released, known_rows: Sequence[int] | NDArray[np.int64], known_points: ArrayLike
) -> Reconstruction:
    """Return all records, rebuilt from Z and the ``known_points`` (k×d, k ≥ d + 1) in the rows ``known_rows``.

    Every release that is an affine map of the records, Z = XW + 1bᵀ, with or without amplification, gives k − 1
    equations (x_i − x_0) W = z_i − z_0. W follows by least squares, and each record from (x − x_0) W = z − z_0. With r
    ≥ d that has one solution. With r < d it fixes r combinations of each record. Noise in Z becomes an error of the
    rebuilt records. O(nrd). Raises ValueError or DataError for too few known records, or for ones that do not span all
    directions.
    """
    z = matrix("Z", release.Z)
    known = matrix("known_points", known_points)
    rows = row_indices("known_rows", known_rows, len(z))
    d = known.shape[1]
    if len(rows) != len(known) or len(set(rows)) != len(rows):
        raise DataError(
            f"known_rows names {len(set(rows))} different rows and known_points has {len(known)}. Give one each."
        )
    if len(rows) < d + 1:
        raise ValueError(f"known_rows has {len(rows)} rows. With d = {d} columns at least d + 1 = {d + 1} are needed.")
    differences, images = known[1:] - known[0], z[rows[1:]] - z[rows[0]]
    if np.linalg.matrix_rank(differences) < d:
        raise DataError("known_points do not span all directions (they lie in one plane). Choose other records.")
    solved, *_ = np.linalg.lstsq(differences, images, rcond=None)
    left, values, _ = np.linalg.svd(solved, full_matrices=False)
    learned = int((values > 1e-10 * values[0]).sum()) if values[0] > 0 else 0
    points = known[0] + (z - z[rows[0]]) @ np.linalg.pinv(solved, rcond=1e-10)
    return Reconstruction(points, learned, left[:, :learned], solved)


Releasing = Callable[[Array, np.random.Generator], Released]
"""A mechanism that takes the n×d points and a generator and hands out a release."""


def column_space_attack(release: Releasing, x: ArrayLike) -> Audited:
    """Return the column-space test against ``x`` as a mechanism of scalars: log₁₀ of the residual of each release.

    For `epsilon_lower_bound`: under ``x`` the values are small, under a neighbour larger. O(ndr) a trial.
    """
    # Under ``x`` the residual is rounding error, which must not depend on how many threads multiply.
    with threadpool_limits(1, user_api="blas"):
        basis = column_space(x)

    def attack(data: Array, trials: int, rng: np.random.Generator) -> Array:
        with threadpool_limits(1, user_api="blas"):
            residuals = [_residual(matrix("Z", release(data, rng).Z), basis) for _ in range(trials)]
        return np.log10(np.maximum(residuals, 1e-17))

    return attack


def membership_attack(
    release: Releasing, x: ArrayLike, neighbour: ArrayLike, row: int, known_rows: Sequence[int]
) -> Audited:
    """Return reconstruction as a mechanism of scalars: how far the rebuilt ``row`` lies from x towards the neighbour.

    It serves `epsilon_lower_bound`, which asks whether ``row`` holds the record of ``x`` or of ``neighbour``. The value
    is the rebuilt record's coordinate along the line between the two, 0 at that of ``x``.
    """
    here, there = matrix("x", x), matrix("neighbour", neighbour)
    known = here[list(known_rows)]
    step = there[row] - here[row]

    def attack(data: Array, trials: int, rng: np.random.Generator) -> Array:
        rebuilt = [reconstruct(release(data, rng), known_rows, known).points[row] for _ in range(trials)]
        return np.asarray((np.array(rebuilt) - here[row]) @ step)

    return attack


def likelihood_ratio_attack(release: Releasing, here: ArrayLike, there: ArrayLike) -> Audited:
    """Return the best test between two datasets whose rows before noise are ``here`` and ``there``, both n×d.

    It is for releases that add the same Gaussian noise to every entry. The likelihood ratio of Z grows with its
    coordinate along the line from ``here`` to ``there``, which is 0 half-way. If the two are equal, no test tells them
    apart and any direction is as good. The value is in the units of Z. O(nd) a trial, plus the release. Raises
    DataError if the shapes differ.
    """
    a, b = matrix("here", here), matrix("there", there)
    if a.shape != b.shape:
        raise DataError(f"here has shape {a.shape} and there {b.shape}. They must have the same shape.")
    apart = b - a if (a != b).any() else np.ones_like(a)
    middle, direction = (a + b) / 2.0, apart / np.linalg.norm(apart)

    def attack(data: Array, trials: int, rng: np.random.Generator) -> Array:
        return np.array([float(((release(data, rng).Z - middle) * direction).sum()) for _ in range(trials)])

    return attack


def frame_attack(
    data: ArrayLike, frame: Frame, epsilon: float, delta: float, *, follows: bool
) -> tuple[Audited, Array, Array]:
    """Return the attack on a noisy release in a frame, and the two datasets (n×d, original units) that it compares.

    The datasets differ in one record by one protected difference, the one that matters most if the frame were read off
    the data. With ``follows`` it is, and each dataset is released in a frame of its own. Otherwise both are released in
    ``frame``. The datasets are the same either way. The attack serves `gaussian_lower_bound` and `epsilon_lower_bound`.
    Each trial is a whole release, O(nd). A frame that was fixed in advance may clip the move away altogether.
    """
    x = matrix("data", data, least_rows=2)
    read = following(Frame(tuple(replace(column, taken_from_data=True) for column in frame.columns)), x)
    move = hardest_move(x, lambda other: read(other).place(other), frame.hide)

    def placed(other: Array) -> tuple[Array, Array]:
        used = read(other) if follows else frame
        return used.place(other), used.bounds

    def release(other: Array, rng: np.random.Generator) -> Released:
        rows, bounds = placed(other)
        return noisy_release(rows, epsilon, delta, bounds=bounds, rng=rng)

    attack = likelihood_ratio_attack(release, placed(x)[0], placed(move.neighbour)[0])
    return attack, x, move.neighbour
