"""Problems for many agents: draws that resemble each other, a table that somebody uploads, schools tuning together."""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

import numpy as np
import pandas as pd

from privbo_core.about import SAMPLE_DATA
from privbo_core.errors import Array, DataError, matrix, positive, whole
from privbo_core.federated.settings import check_agents
from privbo_core.gp import Kernel, SquaredExponential, fit, root

SCHOOLS = SAMPLE_DATA / "schools.csv"
FITTED_AGENTS = 5
"""The kernel is fitted to this many agents' values, one by one; a fit takes about half a second."""
LEAST_NOISE = 1e-6
"""A smaller noise variance adds nothing to what an agent knows, and much to rounding errors of its linear algebra."""


READ_OFF = ("the kernel's length-scales", "the noise variance", "the unit of the values")
"""What is computed from the agents' values where nobody says that it was known."""


@dataclass(frozen=True)
class PublicModel:
    """The agents' model, as it was known before anyone looked at their values.

    ``unit``: how far values spread around an agent's own mean, in units of the output; ``noise``: the standard
    deviation of one evaluation, in the same units; ``lengthscales``: the change of each parameter that matters, in its
    own units.
    ``known_from`` says in words from where. Raises DataError, naming what it is, unless all numbers are above 0 and
    ``known_from`` says something.
    """

    unit: float
    noise: float
    lengthscales: tuple[float, ...]
    known_from: str

    def __post_init__(self) -> None:
        given = [("unit", self.unit), ("noise", self.noise)]
        for name, value in [*given, *(("a length-scale", each) for each in self.lengthscales)]:
            if not (math.isfinite(value) and value > 0):
                raise DataError(f"{name} of the model is {value!r}; it must be a finite number above 0.")
        if not self.known_from.strip():
            raise DataError(
                "known_from is empty; say from where the model was known before anyone looked at the values."
            )


@dataclass(frozen=True, eq=False)
class FederatedProblem:
    """N agents' objectives on one finite domain, and what the numbers mean to a person.

    ``points``: n×d, in the frame of ``kernel``. ``objectives``: N×n, noise-free, to be *maximised*, on the scale of a
    GP with mean 0 and variance 1. ``agents``: their N names. ``original``: the n×d parameters as they came. One unit of
    objective is ``unit`` units of ``output``. ``maximize`` is False when a person minimises ``output``: then the
    objectives are negated. ``identity`` names a public problem for caches; it is None for anything uploaded.
    ``read_off`` names what of the model was computed from the agents' values, which no noise covers; where nothing was,
    ``known_from`` says in words from where the model is known.
    """

    title: str
    points: Array
    objectives: Array
    kernel: Kernel
    noise_variance: float
    agents: tuple[str, ...]
    names: tuple[str, ...]
    original: Array
    output: str
    unit: float = 1.0
    maximize: bool = True
    identity: str | None = None
    read_off: tuple[str, ...] = ()
    known_from: str = ""

    def __post_init__(self) -> None:
        points = matrix("points", self.points, least_rows=2)
        objectives = matrix("objectives", self.objectives)
        check_agents(len(self.agents))
        if objectives.shape != (len(self.agents), len(points)):
            raise DataError(
                f"objectives has shape {objectives.shape}; {len(self.agents)} agents × {len(points)} points are needed."
            )


def synthetic(
    *,
    agents: int = 200,
    side: int = 32,
    dimensions: int = 2,
    lengthscale: float = 0.2,
    heterogeneity: float = 0.1,
    noise_variance: float = 1e-2,
    seed: int = 0,
) -> FederatedProblem:
    """Return f_n = √(1−h²) f + h g_n on a grid of ``side``^d points of the unit cube, h = ``heterogeneity``.

    f and all g_n are draws from one GP (squared exponential, variance 1), so every f_n has variance 1 and two agents
    are correlated by 1 − h²: h = 0 makes them alike, h = 1 strangers. Dai et al. (2021) describe "one GP sample and
    small perturbations" and give no numbers for it. O(nr² + Nnr), r the numerical rank of the kernel matrix.
    Raises ValueError on unusable input.
    """
    check_agents(agents)
    if not 0 <= heterogeneity <= 1:
        raise ValueError(f"heterogeneity is {heterogeneity!r}; it must lie between 0 (all alike) and 1 (strangers).")
    side, dimensions = whole("side", side, least=2), whole("dimensions", dimensions)
    axes = [np.linspace(0.0, 1.0, side)] * dimensions
    points = np.stack(np.meshgrid(*axes, indexing="ij"), axis=-1).reshape(-1, dimensions)
    kernel = SquaredExponential(lengthscale)
    basis = root(points, kernel)
    rng = np.random.default_rng(seed)
    common = rng.standard_normal(basis.shape[1])
    # A child stream for each part, so that f stays the same when N changes, and g_n when h does.
    own = rng.spawn(1)[0].standard_normal((agents, basis.shape[1]))
    weights = np.sqrt(1.0 - heterogeneity**2) * common + heterogeneity * own
    return FederatedProblem(
        title="Agents with similar objectives",
        points=points,
        objectives=weights @ basis.T,
        kernel=kernel,
        noise_variance=positive("noise_variance", noise_variance),
        agents=tuple(f"agent {n + 1}" for n in range(agents)),
        names=tuple(f"x{j + 1}" for j in range(dimensions)),
        original=points,
        output="f",
        identity=f"agents/{agents}/{side}/{dimensions}/{lengthscale}/{heterogeneity}/{noise_variance}/{seed}",
        known_from="it is the one that the agents are drawn from",
    )


def from_table(
    table: pd.DataFrame,
    agent: str,
    parameters: Sequence[str],
    output: str,
    *,
    maximize: bool = True,
    public: PublicModel | None = None,
) -> FederatedProblem:
    """Return the problem in a long table: one row for each agent and each point of a grid that all agents share.

    Each agent's values are centred by their own mean (where an agent stands says nothing about which point is best) and
    all are divided by one standard deviation, ``unit``. Points are divided by the length-scales fitted to a few agents.
    A table value is taken for the noise-free objective; ``noise_variance`` is what the fit could not explain. So the
    model is read off the agents' values, and what is promised about them is conditional. With ``public`` it is that
    one, and nothing that one agent sends depends on another's values. Raises DataError, naming column, row or agent, on
    missing or non-numeric values, an agent or a grid point that occurs twice, agents with different grids, fewer than
    two agents or points, constant columns.
    """
    _columns(table, agent, parameters, output)
    values = {name: _numbers(table, name) for name in (*parameters, output)}
    missing = np.flatnonzero(table[agent].isna())
    if len(missing):
        raise DataError(f"column {agent!r} is empty in row {missing[0] + 1}; every row needs the name of its agent.")
    labels, names = pd.factorize(table[agent])
    if len(names) < 2:
        raise DataError(f"column {agent!r} names {len(names)} agent; it takes at least 2 to learn from each other.")
    original, place = np.unique(np.column_stack([values[name] for name in parameters]), axis=0, return_inverse=True)
    objectives = _one_grid(labels, place.ravel(), values[output], names, original, parameters)
    if not maximize:
        objectives = -objectives
    objectives = objectives - objectives.mean(axis=1, keepdims=True)
    spread = float(objectives.std())
    if spread <= 1e-12 * max(1.0, float(np.abs(values[output]).max())):
        raise DataError(f"column {output!r} is the same at every point for each agent; there is nothing to optimise.")
    if public is None:
        unit, (lengthscales, noise_variance) = spread, _model(original, objectives / spread)
    else:
        if len(public.lengthscales) != len(parameters):
            raise DataError(
                f"the model has {len(public.lengthscales)} length-scales; each of the {len(parameters)} parameters "
                "needs one."
            )
        unit, lengthscales = public.unit, np.array(public.lengthscales)
        noise_variance = max((public.noise / unit) ** 2, LEAST_NOISE)
    return FederatedProblem(
        title="Your agents",
        points=original / lengthscales,
        objectives=objectives / unit,
        kernel=SquaredExponential(1.0),
        noise_variance=noise_variance,
        agents=tuple(str(name) for name in names),
        names=tuple(parameters),
        original=original,
        output=output,
        unit=unit,
        maximize=maximize,
        read_off=() if public else READ_OFF,
        known_from=public.known_from if public else "",
    )


@lru_cache(maxsize=1)
def schools() -> FederatedProblem:
    """Return 98 schools, each tuning C and gamma of a classifier of its own pupils (sample_data/SCHOOLS.md).

    Their model is fitted to the schools' values, so what is promised with it is conditional.
    """
    problem = from_table(pd.read_csv(SCHOOLS, dtype={"school": str}), "school", ["log10_C", "log10_gamma"], "accuracy")
    return replace(problem, title="Schools tuning together", identity="schools")


def _columns(table: pd.DataFrame, agent: str, parameters: Sequence[str], output: str) -> None:
    wanted = [agent, *parameters, output]
    if not parameters:
        raise DataError("parameters is empty; name at least one column that the agents tune.")
    for name in wanted:
        if name not in table.columns:
            raise DataError(f"there is no column {name!r}; the columns are {', '.join(map(repr, table.columns))}.")
        if wanted.count(name) > 1:
            raise DataError(f"column {name!r} is used twice; agent, parameters and value are different columns.")


def _numbers(table: pd.DataFrame, name: str) -> Array:
    numbers = pd.to_numeric(table[name], errors="coerce").to_numpy(dtype=float)
    bad = np.flatnonzero(~np.isfinite(numbers))
    if len(bad):
        value = table[name].iloc[bad[0]]
        what = "is empty" if pd.isna(value) else f"holds {str(value)!r}"
        raise DataError(f"column {name!r} {what} in row {bad[0] + 1}; every row needs a finite number there.")
    return numbers


def _one_grid(
    labels: np.ndarray, place: np.ndarray, values: Array, names: pd.Index, original: Array, parameters: Sequence[str]
) -> Array:
    """Return the N×n values, or say which agent has a point twice or lacks one."""

    def point(row: int) -> str:
        return ", ".join(f"{name} = {x:g}" for name, x in zip(parameters, original[row], strict=True))

    count = np.zeros((len(names), len(original)), dtype=np.int64)
    np.add.at(count, (labels, place), 1)
    for which, what in ((count > 1, "has more than one row for"), (count == 0, "has no row for")):
        if which.any():
            n, row = np.argwhere(which)[0]
            raise DataError(f"agent {names[n]!s} {what} {point(row)}; every agent needs one row for each grid point.")
    if len(original) < 2:
        raise DataError("the grid has a single point, so there is nothing to choose between.")
    objectives = np.empty(count.shape)
    objectives[labels, place] = values
    return objectives


def _model(original: Array, objectives: Array) -> tuple[Array, float]:
    """Return length-scales and noise variance: geometric means of the fits to a few agents spread over the table."""
    moving = np.flatnonzero(objectives.std(axis=1) > 1e-9)
    chosen = moving[np.unique(np.linspace(0, len(moving) - 1, FITTED_AGENTS).astype(int))]
    fits = [fit(original, objectives[n], restarts=1, subset=225) for n in chosen]
    lengthscales = np.exp(np.mean([np.log(each.lengthscales) for each in fits], axis=0))
    noise = float(np.exp(np.mean([np.log(each.noise_variance) for each in fits])))
    return lengthscales, max(noise, LEAST_NOISE)
