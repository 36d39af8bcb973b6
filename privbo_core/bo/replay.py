"""A finished search once more, one evaluation at a time: what the model believed and why it asked for the next row."""

from collections.abc import Generator
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from privbo_core.bo.rules import Rule, UpperBound
from privbo_core.bo.trace import Trace
from privbo_core.errors import Array
from privbo_core.gp import Kernel, Posterior


@dataclass(frozen=True, eq=False)
class Belief:
    """The model's belief about all n rows after t iterations, and what it leads to.

    ``upper`` is the rule's acquisition in iteration t + 1, so ``upper.argmax()`` is the row asked for next. GP-UCB's is
    ``mean`` + ``root_beta`` · ``deviation``; for other rules ``root_beta`` is NaN, and ``upper`` is log EI or a draw of
    f. With ``once`` it is −∞ for rows asked for before. The arrays are overwritten by the next step: copy what must be
    kept.
    """

    t: int
    mean: Array
    deviation: Array
    root_beta: float
    upper: Array


def replay(
    points: ArrayLike,
    trace: Trace,
    *,
    kernel: Kernel,
    noise_variance: float,
    delta_ucb: float = 0.05,
    nugget: float = 0.0,
    rule: Rule | None = None,
) -> Generator[Belief, None, None]:
    """Yield the belief after the initial evaluations and after each of the trace's T iterations: T + 1 of them.

    Arguments as for `rule_queries`; without a ``rule``, as for `ucb_queries`. Thompson sampling's must have the
    generator that the run had, at its beginning. Step t costs O(n(t + d)), all of them O(nT²); memory 8nT bytes.
    Raises what `Posterior` raises.
    """
    used = UpperBound(delta_ucb) if rule is None else rule
    posterior = Posterior(points, kernel, noise_variance, capacity=max(1, len(trace.rows)), nugget=nugget)
    for row, y in zip(trace.rows[: trace.initial], trace.observed[: trace.initial], strict=True):
        posterior.observe(int(row), float(y))
    acquisition = used.begin(points, posterior, trace.iterations + 1)
    deviation = np.empty(posterior.n)
    for t in range(trace.iterations + 1):
        root_beta = float(np.sqrt(used.weight(t + 1, posterior.n))) if isinstance(used, UpperBound) else float("nan")
        upper = acquisition(t + 1)
        if used.once:
            upper[posterior.rows] = -np.inf
        np.sqrt(posterior.variance, out=deviation)
        yield Belief(t, posterior.mean, deviation, root_beta, upper)
        if t < trace.iterations:
            row = trace.initial + t
            posterior.observe(int(trace.rows[row]), float(trace.observed[row]))
