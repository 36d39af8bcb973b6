"""A finished search once more, one evaluation at a time: what GP-UCB believed and why it asked for the next row."""

from collections.abc import Generator
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from privbo_core.bo.policies import beta
from privbo_core.bo.trace import Trace
from privbo_core.errors import Array
from privbo_core.gp import Kernel, Posterior


@dataclass(frozen=True, eq=False)
class Belief:
    """GP-UCB's belief about all n rows after t iterations, and what it leads to.

    ``upper`` = ``mean`` + ``root_beta`` · ``deviation`` with √β of iteration t + 1, so ``upper.argmax()`` is the row
    asked for next. The arrays are overwritten by the next step: copy what must be kept.
    """

    t: int
    mean: Array
    deviation: Array
    root_beta: float
    upper: Array


def replay(
    points: ArrayLike, trace: Trace, *, kernel: Kernel, noise_variance: float, delta_ucb: float, nugget: float = 0.0
) -> Generator[Belief, None, None]:
    """Yield the belief after the initial evaluations and after each of the trace's T iterations: T + 1 of them.

    Arguments as for `ucb_queries`. Step t costs O(n(t + d)), all of them O(nT²); memory 8nT bytes. Raises what
    `Posterior` raises.
    """
    posterior = Posterior(points, kernel, noise_variance, capacity=max(1, len(trace.rows)), nugget=nugget)
    deviation, upper = np.empty(posterior.n), np.empty(posterior.n)
    for done, (row, y) in enumerate(zip(trace.rows, trace.observed, strict=True)):
        if done >= trace.initial:
            yield _belief(done - trace.initial, posterior, delta_ucb, deviation, upper)
        posterior.observe(int(row), float(y))
    yield _belief(trace.iterations, posterior, delta_ucb, deviation, upper)


def _belief(t: int, posterior: Posterior, delta_ucb: float, deviation: Array, upper: Array) -> Belief:
    weight = beta(t + 1, posterior.n, delta_ucb)
    # In the order of `ucb_queries`, so that not even rounding tells the two apart.
    np.multiply(posterior.variance, weight, out=upper)
    np.sqrt(upper, out=upper)
    np.add(upper, posterior.mean, out=upper)
    np.sqrt(posterior.variance, out=deviation)
    return Belief(t, posterior.mean, deviation, float(np.sqrt(weight)), upper)
