"""Represent a kernel by inner products of finite vectors.

`random_features` are random and approximate. `root` is deterministic and exact to a tolerance.
"""

import numpy as np
from numpy.typing import ArrayLike

from privbo_core.errors import Array, matrix, positive, whole
from privbo_core.gp.kernels import Kernel, Matern52, squared_distances

CHUNK_ROWS = 512
"""How many rows `prior_draws` works on at a time, so that their features fit into the processor's caches."""


def random_features(points: ArrayLike, kernel: Kernel, features: int, rng: np.random.Generator) -> Array:
    """Return the n×M random Fourier features φ(x) = √(2/M) cos(Sx + b), with each row scaled to norm σ_y.

    M is the number of ``features``. Then φ(x)·φ(x′) ≈ k(x, x′) (Rahimi & Recht 2007), and φ(x)·φ(x) = σ_y² exactly
    because of the scaling (Dai, Low, Jaillet 2021). The rows of S are drawn from N(0, ℓ⁻²I) for the squared
    exponential. For Matérn 5/2 they are drawn from Student's t with 5 degrees of freedom and divided by ℓ. The phases b
    are uniform on [0, 2π]. O(nMd). Raises ValueError or DataError on unusable input.
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
    """Return a draws×n array of draws of f ~ GP(0, k) at n points.

    All draws share one set of random features, and each has weights of its own. Given the features, the variance at a
    row is exact, and the covariance of two rows is right to about σ_y²/√M. Except for rounding, the first draws do not
    depend on how many follow. The products are computed in single precision. O(nM(d + draws)) time, 8n·draws bytes.
    """
    points = matrix("points", points)
    shape, weights = rng.spawn(2)
    frequencies, phases = _spectral(points.shape[1], kernel, whole("features", features), shape)
    # Single precision takes half the time, and its error of 1e-5 is far below that of the features.
    w = weights.standard_normal((whole("draws", draws), features)).astype(np.float32)
    centred = (points - points.mean(axis=0)).astype(np.float32)
    s = frequencies.T.astype(np.float32)
    b = phases.astype(np.float32)
    values = np.empty((len(w), len(points)))
    for start in range(0, len(points), CHUNK_ROWS):
        chunk = slice(start, start + CHUNK_ROWS)
        phi = centred[chunk] @ s
        phi += b
        np.cos(phi, out=phi)
        norms = np.sqrt(np.einsum("ij,ij->i", phi, phi))
        values[:, chunk] = (w @ phi.T) * (np.sqrt(kernel.variance) / np.maximum(norms, 1e-30))
    return values


def _spectral(d: int, kernel: Kernel, features: int, rng: np.random.Generator) -> tuple[Array, Array]:
    """Return the M×d frequencies S and the M phases b of a set of features."""
    frequencies = rng.standard_normal((features, d)) / kernel.lengthscale
    if isinstance(kernel, Matern52):
        frequencies *= np.sqrt(5.0 / rng.chisquare(5.0, features))[:, None]
    return frequencies, rng.uniform(0.0, 2.0 * np.pi, features)


def root(points: ArrayLike, kernel: Kernel, tolerance: float = 1e-10) -> Array:
    """Return an n×r matrix L with r ≤ n whose product LLᵀ equals the covariance K to a tolerance.

    K − LLᵀ is positive semi-definite, and no entry of it exceeds ``tolerance``·σ_y². This is a pivoted Cholesky
    factorisation. It always continues with the row of the largest remaining variance, and stops once that is small
    enough. For a smooth kernel r is far below n. With standard normal w, Lw is a draw of the process to that tolerance.
    O(nr²). Raises ValueError or DataError on unusable input.
    """
    points = matrix("points", points)
    negligible = positive("tolerance", tolerance) * kernel.variance
    n = len(points)
    remaining = np.full(n, float(kernel.variance))
    columns = np.empty((min(n, 64), n))
    rank = 0
    while rank < n:
        row = int(remaining.argmax())
        if remaining[row] <= negligible:
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
