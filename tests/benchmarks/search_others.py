"""The same search by other libraries, as well as they do it: what search_speed.py compares with.

Each function does one run and returns the rows that it asked and the seconds that it took. Fixed hyperparameters; the
same initial rows, noise and upper bound as privbo_core, so that the rows asked are the same.
"""

import time
import warnings
from collections.abc import Callable
from importlib.util import find_spec

import numpy as np
from sklearn.gaussian_process import GaussianProcessRegressor
from sklearn.gaussian_process.kernels import RBF

import privbo_core as pb
from privbo_core.bo import beta
from privbo_core.errors import Array

T, INITIAL = 50, 5
Judge = Callable[[list[int], list[float], int], Array]
"""Of rows asked, what was measured there, and the step: every row's upper bound."""


def scikit_learn(run: int) -> tuple[list[int], float]:
    """GP-UCB by scikit-learn's regressor, fitted and predicted over all rows at each step."""
    problem = pb.data.synthetic(seed=1)
    kernel = RBF(problem.kernel.lengthscale, length_scale_bounds="fixed")

    def judge(rows: list[int], y: list[float], t: int) -> Array:
        model = GaussianProcessRegressor(kernel, alpha=problem.noise_variance, optimizer=None)
        model.fit(problem.points[rows], y)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            mean, deviation = model.predict(problem.points, return_std=True)
        return np.asarray(mean + np.sqrt(beta(t, problem.n, 0.05)) * deviation)

    return _searched(problem, judge, run)


def botorch(run: int) -> tuple[list[int], float]:
    """GP-UCB by BoTorch's model, conditioned on each new observation, all rows predicted in a batch of single points.

    The fastest of the forms that were tried: fitted anew at each step it takes a fifth longer, and the joint posterior
    of all rows, or of some hundred at once, takes several times as long.
    """
    import torch
    from botorch.models import SingleTaskGP
    from gpytorch.kernels import RBFKernel
    from gpytorch.means import ZeroMean

    warnings.simplefilter("ignore")
    torch.set_default_dtype(torch.float64)
    problem = pb.data.synthetic(seed=1)
    points = torch.tensor(np.ascontiguousarray(problem.points))
    kernel = RBFKernel()
    kernel.lengthscale = problem.kernel.lengthscale
    model = None

    def judge(rows: list[int], y: list[float], t: int) -> Array:
        nonlocal model
        with torch.no_grad():
            new = slice(None) if model is None else slice(-1, None)
            x, seen = points[rows[new]], torch.tensor(y[new]).unsqueeze(-1)
            known = torch.full_like(seen, problem.noise_variance)
            if model is None:
                model = SingleTaskGP(
                    x, seen, known, covar_module=kernel, mean_module=ZeroMean(), outcome_transform=None
                ).eval()
            else:
                model = model.condition_on_observations(x, seen, noise=known)
            posterior = model.posterior(points.unsqueeze(-2))
            weight = float(np.sqrt(beta(t, problem.n, 0.05)))
            return np.asarray((posterior.mean + weight * posterior.variance.sqrt()).reshape(-1))

    return _searched(problem, judge, run)


def others() -> dict[str, Callable[[int], tuple[list[int], float]]]:
    """Return the libraries that are here; BoTorch is optional."""
    return {"scikit-learn": scikit_learn} | ({"BoTorch": botorch} if find_spec("botorch") else {})


def _searched(problem: pb.data.Problem, judge: Judge, run: int) -> tuple[list[int], float]:
    start = time.perf_counter()
    rng = np.random.default_rng(run)
    rows = pb.bo.initial_rows(INITIAL, problem.n, rng)
    noise = float(np.sqrt(problem.noise_variance))
    y = [float(problem.objective[row] + noise * rng.standard_normal()) for row in rows]
    for t in range(1, T + 1):
        rows.append(int(np.argmax(judge(rows, y, t))))
        y.append(float(problem.objective[rows[-1]] + noise * rng.standard_normal()))
    return rows, time.perf_counter() - start
