"""Regularised logistic regression for many values of λ at once, and a bounded Lipschitz loss to validate it with."""

import numpy as np
from scipy.special import expit

from privbo_core.errors import Array, positive

SLOPE = 0.25  # L: the validation loss 1/(1 + exp(y wᵀx)) is ¼-Lipschitz in w for ‖x‖ ≤ 1.

LARGEST_LOSS = 1.0  # g*: the supremum of the validation loss over all w, x, y.


def in_unit_ball(train: Array, others: Array, *, products: bool) -> tuple[Array, Array]:
    """Return both sets of rows as features of Euclidean norm at most 1, with scales from ``train`` alone.

    Columns are standardised. ``products`` appends their squares and pairwise products. Then a constant is appended, and
    all features are divided by the 0.9-quantile of the training norms. Longer rows are shortened to norm 1. Because of
    this norm, the Lipschitz constants of Algorithm 3 hold, 1 for the training loss and `SLOPE` for the validation loss.
    """
    centre, spread = train.mean(axis=0), train.std(axis=0)
    spread = np.where(spread > 1e-12 * (np.abs(centre) + 1e-300), spread, 1.0)
    sets = [(rows - centre) / spread for rows in (train, others)]
    if products:
        first, second = np.triu_indices(train.shape[1])
        sets = [np.hstack([rows, rows[:, first] * rows[:, second]]) for rows in sets]
    sets = [np.hstack([rows, np.full((len(rows), 1), 2.0)]) for rows in sets]
    radius = np.quantile(np.linalg.norm(sets[0], axis=1), 0.9)
    inside, outside = (rows / np.maximum(radius, np.linalg.norm(rows, axis=1))[:, None] for rows in sets)
    return inside, outside


def fit_path(features: Array, labels: Array, lambdas: Array) -> Array:
    """Return the len(lambdas)×p minimisers w_λ of (λ/2)‖w‖² + (1/n) Σ log(1 + exp(−y_i wᵀx_i)).

    ``features`` is n×p, and ``labels`` are ±1. Newton's method starts at the largest λ, and for each further one at the
    minimiser of the one before, until the norm of the gradient is below 1e-10. Each λ takes about five steps, which
    cost O(n p² + p³) each. Raises ValueError if a λ is not above 0.
    """
    n, p = features.shape
    signed = features * labels[:, None]
    weights = np.empty((len(lambdas), p))
    w = np.zeros(p)
    for index in np.argsort(-lambdas):
        strength = positive("lambda", float(lambdas[index]))
        for _ in range(200):
            wrong = expit(-(signed @ w))
            gradient = strength * w - signed.T @ wrong / n
            if np.linalg.norm(gradient) < 1e-10:
                break
            hessian = (signed.T * (wrong * (1.0 - wrong))) @ signed / n
            hessian[np.diag_indices(p)] += strength
            step = np.linalg.solve(hessian, gradient)
            size, now, slope = 1.0, _objective(signed, w, strength), float(gradient @ step)
            # Without damping Newton's method can overshoot when λ is small and the classes separate.
            while _objective(signed, w - size * step, strength) > now - 1e-4 * size * slope and size > 1e-8:
                size *= 0.5
            w = w - size * step
        weights[index] = w
    return weights


def sigmoid_losses(features: Array, labels: Array, weights: Array) -> Array:
    """Return g(w, x_i, y_i) = 1/(1 + exp(y_i wᵀx_i)) in [0, 1] for each row i and each row w of ``weights``."""
    return np.asarray(expit(-labels[:, None] * (features @ weights.T)))


def losses_of_path(features: Array, labels: Array, lambdas: Array, *, train: int, products: bool) -> Array:
    """Train every λ on the first ``train`` rows, and return the (N − train)×|Λ| losses of the later rows."""
    inside, others = in_unit_ball(features[:train], features[train:], products=products)
    return sigmoid_losses(others, labels[train:], fit_path(inside, labels[:train], lambdas))


def _objective(signed: Array, w: Array, strength: float) -> float:
    return float(0.5 * strength * (w @ w) + np.logaddexp(0.0, -(signed @ w)).mean())
