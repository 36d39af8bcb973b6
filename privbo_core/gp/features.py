"""A kernel as inner products of finite vectors: random Fourier features, and a root that is exact to a tolerance."""

import numpy as np
from numpy.typing import ArrayLike

from privbo_core.errors import Array, matrix, positive, whole
from privbo_core.gp.kernels import Kernel, Matern52, squared_distances

PIECE = 512  # Rows at a time.


def random_features(points: ArrayLike, kernel: Kernel, features: int, rng: np.random.Generator) -> Array:
    """Return the n×M random Fourier features φ(x) = √(2/M) cos(Sx + b), each row scaled to norm σ_y, M = ``features``.

    Then φ(x)·φ(x′) ≈ k(x, x′), and φ(x)·φ(x) = σ_y² exactly (Rahimi & Recht 2007; the scaling is that of the federated
    paper). Rows of S are N(0, ℓ⁻²I) for the squared exponential; for Matérn 5/2 they are Student's t with 5 degrees of
    freedom over ℓ. b ~ U(0, 2π). O(nMd). Raises ValueError or DataError on unusable input.
    """
    points = matrix("points", points)
    features = whole("features", features)
    frequencies, phases = _spectral(points.shape[1], kernel, features, rng)
    phi = np.cos(points @ frequencies.T + phases)
    norms = np.linalg.norm(phi, axis=1, keepdims=True)
    # A row of zeros has probability 0, but one feature may come close to it.
    return np.asarray(phi * (np.sqrt(kernel.variance) / np.maximum(norms, 1e-300)))


def prior_draws(
    points: ArrayLike, kernel: Kernel, draws: int, rng: np.random.Generator, *, features: int = 512
) -> Array:
    """Return ``draws`` draws of f ~ GP(0, k) at n points, by one set of random features and fresh weights for each.

    draws×n. Their covariance, given the features, is that of `random_features`: exact for one row, for two to about
    σ_y²/√M. The first of them do not depend on how many follow, but for rounding. O(nM(d + draws)), in pieces that fit
    into the processor's caches and in single precision; memory 8n·draws bytes.
    """
    points = matrix("points", points)
    shape, weights = rng.spawn(2)
    frequencies, phases = _spectral(points.shape[1], kernel, whole("features", features), shape)
    # Single precision: half the time, and 1e-5 of a draw's size is nothing to a draw.
    w = weights.standard_normal((whole("draws", draws), features)).astype(np.float32)
    centred = (points - points.mean(axis=0)).astype(np.float32)
    turned, shift = frequencies.T.astype(np.float32), phases.astype(np.float32)
    found = np.empty((len(w), len(points)))
    for start in range(0, len(points), PIECE):
        piece = slice(start, start + PIECE)
        phi = centred[piece] @ turned
        phi += shift
        np.cos(phi, out=phi)
        norms = np.sqrt(np.einsum("ij,ij->i", phi, phi))
        found[:, piece] = (w @ phi.T) * (np.sqrt(kernel.variance) / np.maximum(norms, 1e-30))
    return found


def _spectral(d: int, kernel: Kernel, features: int, rng: np.random.Generator) -> tuple[Array, Array]:
    """Return the M×d frequencies S and the M phases b of a set of features."""
    frequencies = rng.standard_normal((features, d)) / kernel.lengthscale
    if isinstance(kernel, Matern52):
        frequencies *= np.sqrt(5.0 / rng.chisquare(5.0, features))[:, None]
    return frequencies, rng.uniform(0.0, 2.0 * np.pi, features)


def root(points: ArrayLike, kernel: Kernel, tolerance: float = 1e-10) -> Array:
    """Return an n×r matrix L, r ≤ n, with K − LLᵀ positive semi-definite and no entry above ``tolerance``·σ_y².

    Cholesky factorisation with the largest remaining variance chosen first, stopped when that is small enough: for a
    smooth kernel r is far below n. A draw Lw with w standard normal is then a draw of the process to that tolerance.
    O(nr²). Raises ValueError or DataError on unusable input.
    """
    points = matrix("points", points)
    enough = positive("tolerance", tolerance) * kernel.variance
    n = len(points)
    remaining = np.full(n, float(kernel.variance))
    columns = np.empty((min(n, 64), n))
    rank = 0
    while rank < n:
        row = int(remaining.argmax())
        if remaining[row] <= enough:
            break
        if rank == len(columns):
            columns = np.vstack([columns, np.empty((min(rank, n - rank), n))])
        column = kernel.profile(squared_distances(points, points[row : row + 1])[:, 0])
        column -= columns[:rank, row] @ columns[:rank]
        column /= np.sqrt(remaining[row])
        columns[rank] = column
        remaining -= column**2
        remaining[row] = 0.0
        rank += 1
    return np.ascontiguousarray(columns[:rank].T)
