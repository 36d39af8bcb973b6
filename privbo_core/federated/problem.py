"""Problems for many agents: draws that resemble each other, an uploaded table, and schools that tune together."""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

import numpy as np
import pandas as pd

from privbo_core.about import SAMPLE_DATA
from privbo_core.data.columns import numbers
from privbo_core.data.rows import check_columns
from privbo_core.errors import Array, DataError, matrix, positive, whole
from privbo_core.federated.measured import (
    MIN_NOISE_VARIANCE,
    Measured,
    common_grid,
    enough,
    measured,
    model_of,
    read_off,
)
from privbo_core.federated.settings import Settings, check_agents
from privbo_core.gp import Kernel, SquaredExponential, root

SCHOOLS = SAMPLE_DATA / "schools.csv"

READ_OFF = ("the kernel's length-scales", "the noise variance", "the unit of the values")
"""The parts of the model that are computed from the agents' values unless a `PublicModel` is given."""
GRID = "the grid, because the agents were measured at different points"
"""The part that is computed from the points of measurement even if a `PublicModel` is given."""


@dataclass(frozen=True)
class PublicModel:
    """State the agents' model, as it was known before anyone looked at their values.

    ``unit`` is the standard deviation of the values around an agent's own mean, in units of the output. ``noise`` is
    the standard deviation of one evaluation, in the same units. ``lengthscales`` are the changes of the parameters that
    matter, each in units of its parameter. Raises DataError, naming the number, unless all are finite and above 0.
    """

    unit: float
    noise: float
    lengthscales: tuple[float, ...]

    def __post_init__(self) -> None:
        given = [("unit", self.unit), ("noise", self.noise)]
        for name, value in [*given, *(("a length-scale", each) for each in self.lengthscales)]:
            if not (math.isfinite(value) and value > 0):
                raise DataError(f"{name} of the model is {value!r}. It must be a finite number above 0.")


@dataclass(frozen=True, eq=False)
class FederatedProblem:
    """Hold N agents' objectives on one finite domain, with names and units for people.

    ``points`` is n×d, in the units of ``kernel``. ``objectives`` is N×n, noise-free and to be *maximised*, on the scale
    of a GP with mean 0 and variance 1. ``agents`` are the N names, and ``original`` holds the n×d parameters in their
    own units. One unit of objective is ``unit`` units of ``output``. If ``output`` is to be minimised, ``maximize`` is
    False and the objectives are negated. ``identity`` names a public problem for caches, and is None for an upload.
    ``read_off`` names the parts of the model that were computed from the agents' values, which no noise covers.
    ``notes`` are sentences about the reading of a table. ``modelled`` is true if the objectives are models of the
    agents' values, and not the values themselves.
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
    notes: tuple[str, ...] = ()
    modelled: bool = False

    def __post_init__(self) -> None:
        points = matrix("points", self.points, least_rows=2)
        objectives = matrix("objectives", self.objectives)
        check_agents(len(self.agents))
        if objectives.shape != (len(self.agents), len(points)):
            raise DataError(
                f"objectives has shape {objectives.shape}. It must be {len(self.agents)} agents × {len(points)} points."
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
    are correlated by 1 − h²: they are alike if h = 0, and independent if h = 1. Dai et al. (2021) describe "one GP
    sample and small perturbations" and give no numbers for it. O(nr² + Nnr), where r is the numerical rank of the
    kernel matrix. Raises ValueError on unusable input.
    """
    check_agents(agents)
    if not 0 <= heterogeneity <= 1:
        raise ValueError(f"heterogeneity is {heterogeneity!r}. It must lie between 0 (all alike) and 1 (independent).")
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
    """Return the problem in a long table, which has a row for each agent and each point at which it was measured.

    Each agent's values are centred by their own mean, since the level of an agent does not tell which point is best.
    All values are divided by one standard deviation, ``unit``, and points by the length-scales fitted to a few agents.
    Rows with an unusable cell are left out. Repeats of an agent's point are averaged, and their spread is the noise of
    one evaluation. Without repeats, the noise is the part of the values that the fit does not explain. If all agents
    were measured at the same points, each value is used as the noise-free objective. Otherwise each agent's objective
    is the mean of a Gaussian process fitted to its own values, at points common to all agents. Then ``notes`` reports
    how well that model predicts.

    The model therefore depends on the agents' values, so an assumption of the guarantee is not met. With a ``public``
    model, no message of one agent depends on another's values. Only a grid that is not shared still depends on the
    points of measurement. A value that is not a number then counts as the mean of its agent's others, so that it
    removes no point from all agents. Raises DataError, naming the column, if a column is mostly unusable or constant,
    or if there are fewer than two agents or points.
    """
    check_columns(table, _columns_of(agent, parameters, output))
    filled: tuple[str, ...] = ()
    if public is not None:
        if len(public.lengthscales) != len(parameters):
            raise DataError(
                f"the model has {len(public.lengthscales)} length-scales. Each of the {len(parameters)} parameters "
                "needs one."
            )
        table, filled = _without_gaps(table, agent, output)
    found = measured(table, agent, parameters, output, sign=1.0 if maximize else -1.0)
    if len(found.grid) < 2:
        raise DataError("the grid has a single point, so there is nothing to choose between.")
    found = found if found.shared else enough(found)
    spread = _spread(found, output)
    unit, lengthscales, noise_variance = _fitted(found, spread) if public is None else _given(public)
    if found.shared:
        original, objectives = found.grid, _on_grid(found) / unit
        modelled: tuple[str, ...] = ()
    else:
        original, objectives, modelled = _models_of(found, unit, lengthscales, noise_variance, output)
    return FederatedProblem(
        title="Your agents",
        points=original / lengthscales,
        objectives=objectives,
        kernel=SquaredExponential(1.0),
        noise_variance=noise_variance,
        agents=found.agents,
        names=tuple(parameters),
        original=original,
        output=output,
        unit=unit,
        maximize=maximize,
        read_off=(*(() if public else READ_OFF), *(() if found.shared else (GRID,))),
        notes=(*found.notes, *filled, *modelled),
        modelled=not found.shared,
    )


def _columns_of(agent: str, parameters: Sequence[str], output: str) -> list[str]:
    """Return the columns that must hold numbers. Raises DataError unless each column has one role."""
    if not parameters:
        raise DataError("parameters is empty. Name at least one column that the agents tune.")
    names = [agent, *parameters, output]
    for name in names:
        if names.count(name) > 1:
            raise DataError(f"column {name!r} is used twice. Agent, parameters and value must be different columns.")
    return names[1:]


def _without_gaps(table: pd.DataFrame, agent: str, output: str) -> tuple[pd.DataFrame, tuple[str, ...]]:
    """Return the table in which a missing value is the mean of its agent's others, or 0, and a note on how many are."""
    amounts = numbers(table[output]).amounts
    values = pd.Series(np.where(np.isfinite(amounts), amounts, np.nan), index=table.index)
    missing = int(values.isna().sum())
    if not missing:
        return table.assign(**{output: values}), ()
    means = values.groupby(table[agent].to_numpy()).transform("mean")
    note = f"{output!r}: {missing:,} missing. Each counts as the mean of its agent's other values."
    return table.assign(**{output: values.fillna(means).fillna(0.0)}), (note,)


def _on_grid(found: Measured) -> Array:
    """Return each agent's values at all points of the grid, centred by their mean."""
    values = found.on_grid()
    return np.asarray(values - values.mean(axis=1, keepdims=True))


def _spread(found: Measured, output: str) -> float:
    """Return the standard deviation of the values around their agents' means. Raises DataError if it is 0."""
    spread = float((_on_grid(found) if found.shared else found.centred()).std())
    if spread <= 1e-12 * max(1.0, float(np.abs(found.means).max())):
        raise DataError(f"column {output!r} is the same at every point for each agent. There is nothing to optimise.")
    return spread


def _fitted(found: Measured, spread: float) -> tuple[float, Array, float]:
    """Return the unit of the values, the length-scales and the noise variance that the agents' values suggest."""
    shared = (found.grid, _on_grid(found) / spread) if found.shared else None
    lengthscales, noise_variance = model_of(found, found.centred() / spread, shared)
    if found.variance is not None:
        noise_variance = max(found.variance / spread**2, MIN_NOISE_VARIANCE)
    return spread, lengthscales, noise_variance


def _given(public: PublicModel) -> tuple[float, Array, float]:
    """Return the unit of the values, the length-scales and the noise variance that were known before."""
    noise_variance = max((public.noise / public.unit) ** 2, MIN_NOISE_VARIANCE)
    return public.unit, np.array(public.lengthscales), noise_variance


def _models_of(
    found: Measured, unit: float, lengthscales: Array, noise_variance: float, output: str
) -> tuple[Array, Array, tuple[str, ...]]:
    """Return points common to all agents, a model of each agent's values there, and a note on how well it predicts."""
    centred, points = found.centred(), common_grid(found.grid)
    values, missed = read_off(found, centred / unit, points, lengthscales, noise_variance)
    note = (
        "The agents were measured at different points. A Gaussian process was therefore fitted to each agent's own "
        f"values and evaluated at {len(points):,} points common to all. The search optimises this model, not the "
        f"measurements. It predicts a value of {output!r} that was left out to ± {missed * unit:.3g}. The values "
        f"themselves spread by ± {float(centred.std()):.3g}."
    )
    return points, values - values.mean(axis=1, keepdims=True), (note,)


@lru_cache(maxsize=1)
def schools() -> FederatedProblem:
    """Return 98 schools, each tuning C and gamma of a classifier of its own pupils (sample_data/SCHOOLS.md).

    Their model is fitted to the schools' values, so an assumption of the guarantee is not met.
    """
    problem = from_table(pd.read_csv(SCHOOLS, dtype={"school": str}), "school", ["log10_C", "log10_gamma"], "accuracy")
    return replace(problem, title="Schools tuning together", identity="schools")


GRADES = SAMPLE_DATA / "grades.npz"
NAMES = ("log10_gamma_gcse", "log10_gamma_sex_age", "log10_ridge")
OUTPUT = "grades"  # The mean error of a prediction is to be minimised, and its unit is a grade.


@dataclass(frozen=True)
class Recommended:
    """Hold the settings of DP-FTS-DE that a task starts with, under the names that they have in `Settings`."""

    initial: int
    iterations: int
    features: int
    q: float
    z: float
    S: float
    P: int
    decay: float

    def settings(self, problem: FederatedProblem) -> Settings:
        """Return the settings with the model of a problem."""
        return Settings(
            problem.kernel, problem.noise_variance, self.iterations, self.initial, self.features, self.q, self.z,
            self.S, self.P, decay=self.decay,
        )  # fmt: skip


GRADES_START = Recommended(initial=5, iterations=15, features=30, q=0.25, z=1.65, S=5.5, P=1, decay=0.5)
"""The settings that `grades` starts with. There are five trials before the first round and fifteen rounds, because a
trial is expensive. Few features make short vectors and little noise. S is near the median norm √M, and z gives ε ≤ 3
by the paper's accountant too. The features were chosen on the smaller schools, which do not take part.
results/schools.json has other choices."""


@lru_cache(maxsize=1)
def grades() -> FederatedProblem:
    """Return 237 schools, each tuning three parameters of a model of its own pupils' grades (sample_data/GRADES.md).

    Their model was fitted to other, smaller schools that do not take part, so it is known without the agents' values.
    """
    with np.load(GRADES, allow_pickle=False) as file:
        schools, grid, errors = file["schools"], file["grid"], file["errors"] * float(file["step"])
        public = PublicModel(
            unit=float(file["unit"]),
            noise=float(file["noise"]),
            lengthscales=tuple(file["lengthscales"].tolist()),
        )
    table = pd.DataFrame(np.tile(grid, (len(schools), 1)), columns=list(NAMES))
    table["school"], table[OUTPUT] = np.repeat(schools, len(grid)).astype(str), errors.ravel()
    problem = from_table(table, "school", NAMES, OUTPUT, maximize=False, public=public)
    return replace(problem, title="Schools predicting grades", identity="grades")
