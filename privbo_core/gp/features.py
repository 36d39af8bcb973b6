"""A kernel as inner products of finite vectors: random Fourier features, and a root that is exact to a tolerance."""

import numpy as np
from numpy.typing import ArrayLike

from privbo_core.errors import Array, matrix, positive, whole
from privbo_core.gp.kernels import Kernel, Matern52, squared_distances


def random_features(points: ArrayLike, kernel: Kernel, features: int, rng: np.random.Generator) -> Array:
    """Return the n×M random Fourier features φ(x) = √(2/M) cos(Sx + b), each row scaled to norm σ_y, M = ``features``.

    Then φ(x)·φ(x′) ≈ k(x, x′), and φ(x)·φ(x) = σ_y² exactly (Rahimi & Recht 2007; the scaling is that of the federated
    paper). Rows of S are N(0, ℓ⁻²I) for the squared exponential; for Matérn 5/2 they are Student's t with 5 degrees of
    freedom over ℓ. b ~ U(0, 2π). O(nMd). Raises ValueError or DataError on unusable input.
    """
    points = matrix("points", points)
    features = whole("features", features)
    frequencies = rng.standard_normal((features, points.shape[1])) / kernel.lengthscale
    if isinstance(kernel, Matern52):
        frequencies *= np.sqrt(5.0 / rng.chisquare(5.0, features))[:, None]
    phi = np.cos(points @ frequencies.T + rng.uniform(0.0, 2.0 * np.pi, features))
    norms = np.linalg.norm(phi, axis=1, keepdims=True)
    # A row of zeros has probability 0, but one feature may come close to it.
    return np.asarray(phi * (np.sqrt(kernel.variance) / np.maximum(norms, 1e-300)))


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
