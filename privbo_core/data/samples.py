"""The problems that come with PrivBO, by name: two made by a formula, three from the tables in sample_data/."""

import tomllib
from collections.abc import Callable
from functools import lru_cache, partial
from typing import Any, Literal, NamedTuple

import numpy as np

from privbo_core.about import SAMPLE_DATA
from privbo_core.data.frame import Frame, FrameColumn
from privbo_core.data.prepare import clean, finish
from privbo_core.data.problem import Problem, normalise
from privbo_core.data.reading import load_table
from privbo_core.errors import Array, positive, whole
from privbo_core.gp import Fit, SquaredExponential
from privbo_core.gp.kernels import covariance


def synthetic(
    *, side: int = 100, half_width: float = 4.0, lengthscale: float = 1.25, noise_variance: float = 1e-5, seed: int = 1
) -> Problem:
    """Return a draw f from a GP (squared exponential, σ_y² = 1) on a square grid of ``side``² points.

    ``half_width`` and ``lengthscale`` are in the grid's own units. Kharkovskii et al. (2020) give ℓ = 1.25 on a
    100×100 grid, but not its extent. A half-width of 4 reproduces their Table 1. ``seed`` chooses the function. With
    the default, the plain search leaves about the regret that they print. The draw is exact, because the grid's
    covariance is a Kronecker product K₁⊗K₁, so f = A W Aᵀ with AAᵀ = K₁ and W standard normal.
    """
    side = whole("side", side, least=2)
    axis = np.linspace(-positive("half_width", half_width), half_width, side)
    draw = partial(_function, side, half_width, lengthscale)
    original = _grid(axis, axis)
    points, factor = normalise(original)
    return Problem(
        title="Synthetic Gaussian process",
        points=points,
        objective=draw(np.random.default_rng(seed)),
        kernel=SquaredExponential(lengthscale * factor),
        noise_variance=noise_variance,
        output="f",
        identity=f"synthetic/{side}/{half_width}/{lengthscale}/{noise_variance}/{seed}",
        draw=draw,
        **_by_formula(original, np.full(2, 1.0 / factor), np.full(2, lengthscale)),
    )


def _function(side: int, half_width: float, lengthscale: float, rng: np.random.Generator) -> Array:
    """Return a draw f on the grid of `synthetic`. A millisecond, after the first."""
    root = _root(side, half_width, lengthscale)
    return np.asarray((root @ rng.standard_normal((side, side)) @ root.T).ravel())


@lru_cache(maxsize=4)
def _root(side: int, half_width: float, lengthscale: float) -> Array:
    axis = np.linspace(-half_width, half_width, side)
    values, vectors = np.linalg.eigh(covariance(SquaredExponential(lengthscale), axis[:, None], axis[:, None]))
    return np.asarray(vectors * np.sqrt(np.maximum(values, 0.0)))


def branin(*, side: int = 50) -> Problem:
    """Return the Branin–Hoo function on a ``side``×``side`` grid over [−5, 10] × [0, 15], to be minimised.

    The output is log-transformed (log(1 + value)), centred and divided by its standard deviation. Length-scales,
    signal and noise variance are the maximum-likelihood ones on the default grid, kept as numbers.
    """
    side = whole("side", side, least=2)
    lengthscales = np.array([0.72, 2.38])
    original = _grid(np.linspace(-5, 10, side), np.linspace(0, 15, side))
    output = -np.log1p(branin_values(original))
    points, factor = normalise(original / lengthscales)
    return Problem(
        title="Branin–Hoo",
        points=points,
        objective=(output - output.mean()) / output.std(),
        kernel=SquaredExponential(factor, 0.43),
        noise_variance=1e-4,
        output="log(1 + Branin)",
        maximize=False,
        identity=f"branin/{side}",
        **_by_formula(original, lengthscales / factor, lengthscales),
    )


def branin_values(points: Array) -> Array:
    """Return the Branin–Hoo function at each row (x₁, x₂) of ``points``. Its three minima are 0.397887."""
    x, y = points[:, 0], points[:, 1]
    curve = y - 5.1 / (4 * np.pi**2) * x**2 + 5 / np.pi * x - 6
    return curve**2 + 10 * (1 - 1 / (8 * np.pi)) * np.cos(x) + 10


def _by_formula(grid: Array, unit: Array, lengthscales: Array) -> dict[str, Any]:
    """Return the fields of a problem on points that a formula made. They are no records, so the frame is public."""
    names, low, high = ("x₁", "x₂"), grid.min(axis=0), grid.max(axis=0)
    columns = (FrameColumn(names[j], "", low[j], high[j], unit[j], lengthscales[j]) for j in (0, 1))
    frame = Frame(tuple(columns))
    return {"names": names, "units": ("", ""), "original": grid, "unit_distance": unit, "known_frame": frame}


def _grid(first: Array, second: Array) -> Array:
    return np.stack(np.meshgrid(first, second, indexing="ij"), axis=-1).reshape(-1, 2)


FOLDER = SAMPLE_DATA  # Its README says where each table comes from, under which licence, and what its columns mean.


class _Table(NamedTuple):
    """A table of that folder: which of its columns is looked for, in which unit, and the model of it.

    The hyperparameters are those of `fitting(cleaned, subset=1000)`, kept as numbers so that a sample opens at once.
    """

    title: str
    outcome: str
    unit: str
    variance: float
    noise_variance: float
    lengthscales: tuple[float, ...]
    maximize: bool = True

    def problem(self, name: str) -> Problem:
        """Return the problem with the column settings from the table's TOML file. The inputs are those columns."""
        settings = tomllib.loads((FOLDER / f"{name}.toml").read_text(encoding="utf-8"))
        frame = Frame(tuple(FrameColumn(**column) for column in settings["columns"]))
        cleaned = clean(
            load_table(FOLDER / f"{name}.csv"),
            frame.names,
            self.outcome,
            maximize=self.maximize,
            log_output=True,
            units={self.outcome: self.unit, **{column.name: column.unit for column in frame.columns}},
        )
        fit = Fit(SquaredExponential(1.0, self.variance), self.noise_variance, np.array(self.lengthscales))
        return finish(cleaned, fit, title=self.title, identity=f"sample/{name}", frame=frame)


_HOMES, _HOSPITAL = "Homes: the lowest price per square metre", "Hospital: the highest free light chain"
_TABLES = {
    "loans": _Table("Loans: the highest return", "roi", "% a year", 0.271, 0.243, (101900.0, 8.67, 371600.0)),
    "homes": _Table(_HOMES, "price_per_area", "USD per m²", 0.0425, 0.0367, (0.01116, 0.004586), maximize=False),
    "hospital": _Table(_HOSPITAL, "free_light_chain", "mg/dL", 0.517, 0.1485, (32.14, 0.7416)),
}
SAMPLES: dict[str, Callable[[], Problem]] = {
    "synthetic": synthetic,
    "branin": branin,
    **{name: partial(table.problem, name) for name, table in _TABLES.items()},
}
"""The samples that come with PrivBO, by name."""
SEARCHES: dict[str, Literal["ucb", "ucb/5"]] = {name: "ucb" if name in _TABLES else "ucb/5" for name in SAMPLES}
"""The search rule that suits each sample: one that clearly beats random search in the study of docs/searches.md."""
UNMEASURED: Literal["ucb/5"] = "ucb/5"
"""The search rule for a table on which no search has been measured."""
RANKS_SOUGHT = {"synthetic": 10, "branin": 5, "loans": 20, "homes": 20, "hospital": 1}
"""The rank that counts as found on each sample.

It is the smallest of 1, 2, 5, 10, 20 and 50 that nine in ten searches without privacy reach in 30 evaluations, over 100
runs of the suited rule with a seed that no page uses.
"""
SHARE_SOUGHT, MAX_RANK_SOUGHT = 0.01, 20
"""The rank that counts as found on other tables: one of the best 1%, but at most the twentieth."""


def suited_search(problem: Problem) -> Literal["ucb", "ucb/5"]:
    """Return the search rule that suits a problem, by stored studies and never by the runs that are shown.

    The searches with and without privacy both use it, so that their difference is the cost of privacy alone.
    """
    return SEARCHES.get(_sample_name(problem), UNMEASURED)


def rank_sought(problem: Problem) -> int:
    """Return the rank k of the question "how many evaluations until one of the k best rows is found?".

    It is fixed for each problem, and depends on neither ε nor the number of evaluations.
    """
    return RANKS_SOUGHT.get(_sample_name(problem), max(1, min(int(SHARE_SOUGHT * problem.n), MAX_RANK_SOUGHT)))


def _sample_name(problem: Problem) -> str:
    kind, _, rest = (problem.identity or "").partition("/")
    return rest if kind == "sample" else kind


@lru_cache(maxsize=len(SAMPLES))
def sample(name: str) -> Problem:
    """Return the sample problem of that name. Raises ValueError, listing the names, for an unknown one."""
    if name not in SAMPLES:
        raise ValueError(f"name is {name!r}. The samples are {', '.join(map(repr, SAMPLES))}.")
    return SAMPLES[name]()
