"""Tuning tasks: candidates, the validation score of each, and the contribution of each validation record."""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any, Literal, TypedDict, Unpack

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike
from scipy.linalg import cho_factor, cho_solve
from scipy.optimize import minimize
from threadpoolctl import threadpool_limits

from privbo_core.about import SAMPLE_DATA
from privbo_core.data.logistic import LARGEST_LOSS, SLOPE, losses_of_path
from privbo_core.data.rows import averaged, usable
from privbo_core.errors import Array, DataError, matrix, positive, row_indices, vector, whole
from privbo_core.gp import Kernel, SquaredExponential
from privbo_core.gp.kernels import covariance

FIXED_POINT = 65535
"""Losses in [0, 1] are stored as multiples of 1/65535, so that a file is small and the same on every machine."""


Decimals = int | Literal["exact"] | None
"""The number of decimals that mean scores were rounded to, "exact" if they were not rounded, or None if unknown."""


def rounding_unit(decimals: Decimals) -> float:
    """Return the effect of rounding on the distance of two mean scores: 10^−decimals, or 0 for "exact".

    A rounded number differs from the exact one by at most half a unit (to nearest), or by less than one unit in one
    direction (up or down). In both cases two rounded means differ by at most one unit more than the exact ones.
    Raises DataError for None, and ValueError for anything but a whole number of at least 0.
    """
    if decimals is None:
        raise DataError(
            "decimals is missing, and one record can move a rounded mean by more than range/m. Pass decimals=3 if the "
            "mean scores were rounded to 3 decimals, or decimals='exact' if they were not rounded."
        )
    if isinstance(decimals, str):
        if decimals != "exact":
            raise ValueError(f"decimals is {decimals!r}. It must be a whole number, or 'exact'.")
        return 0.0
    return float(f"1e-{whole('decimals', decimals, least=0)}")


@dataclass(frozen=True)
class LipschitzLoss:
    """The constants of a task that Algorithm 3 uses.

    The model w_λ minimises (λ/2)‖w‖² plus the mean training loss, which is 1-Lipschitz and convex. ``slope`` is L, the
    Lipschitz constant of the validation loss g in w. ``largest`` is g* = max g, where g ≥ 0. ``lambda_min`` and
    ``lambda_max`` are the ends of the range of Λ. Raises ValueError if Algorithm 3 would divide by zero.
    """

    slope: float
    largest: float
    lambda_min: float
    lambda_max: float

    def __post_init__(self) -> None:
        positive("slope (L)", self.slope)
        positive("largest (g*)", self.largest)
        positive("lambda_min", self.lambda_min)
        if not self.lambda_min <= self.lambda_max < math.inf:
            raise ValueError(
                f"lambda_max is {self.lambda_max!r}. It must be a finite number of at least lambda_min = "
                f"{self.lambda_min!r}."
            )


@dataclass(frozen=True, eq=False)
class TuningTask:
    """A finite set Λ of n candidates and f_V, the validation score of each, to be maximised.

    ``parameters`` are the n×d values in their own units, and ``names`` are their d names. ``points`` are the same
    values in the units of ``kernel``, as logarithms where ``logarithmic``, and with each column divided by its
    length-scale. ``scores`` are f_V = −(mean loss). ``losses`` (m×n) are the losses of each sensitive validation
    record, or None if only the means are known. ``reserve`` has the losses of further records, which can replace one.
    ``records`` is m, or None if unknown. The loss of one record lies in [0, ``largest_loss``], so replacing the record
    moves a score by at most largest_loss/m.

    The Gaussian process models ``objective`` = (scores − centre)/unit with k₂(λ, λ) = 1. ``prior_from`` names the data
    from which centre, unit and length-scales were learned. If they are the sensitive records, no ε covers that.
    ``loss`` is None if Algorithm 3 does not apply. ``identity`` names a public task for shared caches. ``noise`` is the
    standard deviation of a score, estimated from repeated settings, or 0 if none is repeated. ``notes`` are sentences
    about the reading of the table. ``conditions`` are required for any ε to hold.
    """

    title: str
    names: tuple[str, ...]
    logarithmic: tuple[bool, ...]
    parameters: Array
    points: Array
    kernel: Kernel
    scores: Array
    centre: float
    unit: float
    prior_from: str
    largest_loss: float = 1.0
    records: int | None = None
    losses: Array | None = None
    reserve: Array | None = None
    loss: LipschitzLoss | None = None
    identity: str | None = None
    noise: float = 0.0
    notes: tuple[str, ...] = ()
    conditions: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        points = matrix("points", self.points, least_rows=2)
        vector("scores", self.scores, len(points))
        positive("unit", self.unit)
        if self.records is not None:
            whole("records (m)", self.records)

    @property
    def n(self) -> int:
        """The number of candidates, |Λ|."""
        return len(self.points)

    @property
    def objective(self) -> Array:
        """The scores in units of the Gaussian process."""
        return (self.scores - self.centre) / self.unit

    def frame(self, scores: ArrayLike) -> Array:
        """Return scores in units of the Gaussian process, in which the prior variance is 1."""
        return np.asarray((np.asarray(scores, dtype=float) - self.centre) / self.unit)

    def score(self, framed: ArrayLike) -> Array:
        """Return numbers in units of the Gaussian process as scores, the inverse of `frame`."""
        return np.asarray(np.asarray(framed, dtype=float) * self.unit + self.centre)


def without(task: TuningTask, record: int) -> Array:
    """Return f_V′ for V′ = V without one validation record, in O(n). No model is trained again.

    Raises DataError if the task has no losses or a single record, and ValueError for a record outside 0 … m−1.
    """
    losses = _losses(task)
    (record,) = row_indices("record", [record], len(losses))
    if len(losses) < 2:
        raise DataError("losses has 1 record. Removing it would leave no validation data.")
    return np.asarray((task.scores * len(losses) + losses[record]) / (len(losses) - 1))


def with_replacement(task: TuningTask, record: int, loss: ArrayLike) -> Array:
    """Return f_V′ if one validation record is replaced by another, with ``loss`` as its losses (one per candidate).

    ``loss`` may be a row of ``task.reserve``. For the sigmoid loss it may also be 1 − ``task.losses[record]``, which is
    the same person with the other label. Raises DataError if it is not finite, outside [0, largest_loss], or of another
    length.
    """
    losses = _losses(task)
    (record,) = row_indices("record", [record], len(losses))
    new = vector("loss", loss, task.n)
    if new.min() < 0 or new.max() > task.largest_loss:
        raise DataError(
            f"loss runs from {new.min():g} to {new.max():g}. It must lie within 0 to {task.largest_loss:g}."
        )
    return np.asarray(task.scores + (losses[record] - new) / len(losses))


def _losses(task: TuningTask) -> Array:
    if task.losses is None:
        raise DataError("This task holds mean scores only, which do not reveal the contribution of one record.")
    return task.losses


TASKS = ("logistic", "svm")
"""The tuning tasks that come with PrivBO, by name."""


@lru_cache(maxsize=len(TASKS))
def tuning_task(name: str) -> TuningTask:
    """Return the task of that name, from sample_data/tuning_<name>.npz.

    "logistic" tunes λ of a logistic regression over 400 candidates. "svm" tunes C and γ of a support vector machine
    over 20×20 candidates. Both models separate malignant from benign tumours by the texture and symmetry of cell nuclei
    (Breast Cancer Wisconsin Diagnostic, UCI, CC BY 4.0). 60 records train the models, 120 public ones determine the
    prior, and m = 250 sensitive ones validate. Raises ValueError, listing the names, for an unknown name.
    """
    if name not in TASKS:
        raise ValueError(f"name is {name!r}. The tuning tasks are {', '.join(map(repr, TASKS))}.")
    with np.load(SAMPLE_DATA / f"tuning_{name}.npz", allow_pickle=False) as file:
        parameters, public = file["parameters"], file["public_scores"]
        losses, reserve = file["losses"] / FIXED_POINT, file["reserve"] / FIXED_POINT
    what, names = ("Logistic regression", ("λ",)) if name == "logistic" else ("Support vector machine", ("C", "γ"))
    task = _task(f"{what} on a tumour table", names, parameters, losses, reserve, public)
    return replace(task, identity=f"tuning/{name}")


@dataclass(frozen=True)
class LogisticPath:
    """The logistic regressions to choose from, which have ``candidates`` values of λ, evenly spaced in log λ.

    ``products`` adds the squares and pairwise products of the features. Raises ValueError for an empty range.
    """

    candidates: int = 400
    lambda_min: float = 1e-6
    lambda_max: float = 1.0
    products: bool = False

    def __post_init__(self) -> None:
        whole("candidates", self.candidates, least=2)
        if not positive("lambda_min", self.lambda_min) < positive("lambda_max", self.lambda_max):
            raise ValueError(f"lambda_max is {self.lambda_max!r}. It must exceed lambda_min = {self.lambda_min!r}.")

    @property
    def lambdas(self) -> Array:
        """The candidates Λ, from the smallest λ to the largest."""
        return np.geomspace(self.lambda_min, self.lambda_max, int(self.candidates))


class Split(TypedDict):
    """The numbers of rows that train, that determine the prior in public, and that validate. Each is at least 2."""

    train: int
    public: int
    validation: int


def logistic_task(
    features: ArrayLike,
    labels: Sequence[object] | Array | pd.Series,
    *,
    rng: np.random.Generator,
    title: str = "Logistic regression",
    path: LogisticPath | None = None,
    **split: Unpack[Split],
) -> TuningTask:
    """Make a task that tunes λ of a logistic regression on a dataset: split it, train every candidate, and validate.

    ``features`` are N×p numbers, and ``labels`` are N entries of exactly two kinds. The N rows are shuffled and split.
    ``train`` of them train the models, ``public`` of them determine the prior, and neither are protected.
    ``validation`` of them are the m sensitive records, and the rest are the reserve. ``path`` has the candidates, by
    default 400 from λ = 1e-6 to 1. It takes about 0.5 s for 400 candidates, 60 rows and 28 features. Raises DataError
    or ValueError on unusable input.
    """
    rows = matrix("features", features)
    train, public, asked = _split(**split)
    signs = _signs(labels, len(rows))
    if asked > len(rows):
        raise DataError(f"features has {len(rows)} rows, but train + public + validation is {asked}.")
    order = rng.permutation(len(rows))
    rows, signs = rows[order], signs[order]
    if len(set(signs[:train])) < 2:
        raise DataError(f"labels: the {train} training rows are all of one kind. Use more of them.")
    path = path or LogisticPath()
    with threadpool_limits(1, user_api="blas"):
        losses = losses_of_path(rows, signs, path.lambdas, train=train, products=path.products)
    end = asked - train
    known = -losses[:public].mean(axis=0)
    return _task(title, ("λ",), path.lambdas[:, None], losses[public:end], losses[end:], known)


def _split(*, train: int, public: int, validation: int) -> tuple[int, int, int]:
    """Return how many rows train, how many are public, and how many are asked for in all."""
    sizes = {"train": train, "public": public, "validation": validation}
    wanted = [whole(name, size, least=2) for name, size in sizes.items()]
    return wanted[0], wanted[1], sum(wanted)


def _signs(labels: Sequence[object] | Array | pd.Series, rows: int) -> Array:
    """Return +1 for the kind that sorts last and −1 for the other. Raise DataError unless there are exactly two."""
    column = pd.Series(np.asarray(labels))
    if len(column) != rows:
        raise DataError(f"labels has {len(column)} entries. One for each of the {rows} rows is needed.")
    if column.isna().any():
        raise DataError(f"labels is empty in row {int(column.isna().argmax())}. Every row needs a label.")
    kinds = sorted(column.unique(), key=str)
    if len(kinds) != 2:
        raise DataError(f"labels has {len(kinds)} kinds. Exactly two are needed, such as 0 and 1.")
    return np.where(column == kinds[1], 1.0, -1.0)


def task_from_table(
    table: pd.DataFrame,
    parameters: Sequence[str],
    score: str,
    *,
    logarithmic: Sequence[str] = (),
    records: int | None = None,
    largest_loss: float = 1.0,
    decimals: Decimals = None,
    maximize: bool = True,
) -> TuningTask:
    """Make a tuning task of a table with one row per candidate: its parameters and its validation score.

    ``logarithmic`` names the parameters to take logarithms of. ``records`` is m, and ``largest_loss`` is the width of
    the range of one record's contribution. Algorithm 3 and private selection need m. With m, ``decimals`` is required.
    It is the number of decimals that the scores were rounded to, or "exact" if they were not rounded. Rounding has the
    effect of a ``largest_loss`` that is larger by records · 10^−decimals, and that of the task includes it.

    The prior is learned from the scores themselves, which no ε covers (see ``prior_from``). Rows in which a cell is not
    a finite number are left out and counted in ``notes``. A setting that occurs several times (seeds, folds) counts
    with the mean of its scores. One record moves this mean by no more than the most that it moves any of them.

    Raises DataError, naming the column, for missing columns, fewer than 2 candidates, columns that are mostly unusable,
    a constant column, or a parameter that is not above 0 if its logarithm is needed.
    """
    if not parameters:
        raise DataError("parameters is empty. Name at least one column that holds a tuned parameter.")
    if len(table) < 2:
        raise DataError(f"The table has {len(table)} rows. At least 2 candidates are needed.")
    positive("largest_loss", largest_loss)
    if records is not None:
        largest_loss += whole("records (m)", records) * rounding_unit(decimals)
    read = usable(table, (*parameters, score))
    columns, scores = list(read.amounts[:, :-1].T), read.amounts[:, -1]
    unknown = [name for name in logarithmic if name not in parameters]
    if unknown:
        raise DataError(f"logarithmic names {unknown[0]!r}. The parameters are {', '.join(map(repr, parameters))}.")
    for name, values in zip(parameters, columns, strict=True):
        if name in logarithmic and values.min() <= 0:
            raise DataError(f"Column {name!r} holds {values.min():g}. A logarithm needs numbers above 0.")
        if np.ptp(values) == 0:
            raise DataError(f"Column {name!r} is constant. Leave it out, because it leaves nothing to choose.")
    if np.ptp(scores) <= 1e-12 * np.abs(scores).max():
        raise DataError(f"Column {score!r} is constant. Every candidate is as good as any other.")
    means = averaged([tuple(row) for row in np.column_stack(columns)], scores if maximize else -scores)
    values, known = np.column_stack(columns)[means.rows], means.means
    if len(values) < 2:
        raise DataError("All rows have the same parameters. At least 2 candidates are needed to choose between.")
    if np.ptp(known) <= 1e-12 * np.abs(known).max():
        raise DataError(f"Column {score!r} has the same mean for every candidate. Any is as good as any other.")
    repeated = () if means.variance is None else (means.note("settings"),)
    return _fitted(
        known,
        values,
        tuple(name in logarithmic for name in parameters),
        title="Uploaded scores",
        names=tuple(parameters),
        scores=known,
        prior_from="the sensitive scores themselves",
        largest_loss=largest_loss,
        records=records,
        noise=means.noise,
        notes=(*read.notes, *repeated),
        conditions=(UNSCORED,) if any(each.column == score for each in read.dropped) else (),
    )


UNSCORED = "Rows without a score were left out, so the absence of a score must not depend on the records."


def _task(
    title: str, names: tuple[str, ...], parameters: Array, losses: Array, reserve: Array, public: Array
) -> TuningTask:
    """Build a task from per-record losses of parameters on logarithmic scales, with a prior from public scores.

    If λ alone is tuned, the losses are those of a logistic regression.
    """
    alone = names == ("λ",)
    return _fitted(
        public,
        parameters,
        (True,) * len(names),
        title=title,
        names=names,
        scores=-losses.mean(axis=0),
        prior_from="public records of the same table",
        records=len(losses),
        losses=losses,
        reserve=reserve,
        loss=LipschitzLoss(SLOPE, LARGEST_LOSS, float(parameters.min()), float(parameters.max())) if alone else None,
    )


def _fitted(
    known: Array,
    parameters: Array,
    logarithmic: tuple[bool, ...],
    noise: float = 0.0,
    **rest: Any,  # noqa: ANN401 - the other fields of a task
) -> TuningTask:
    """Return a task with centre, unit and length-scales learned from ``known``, one score per candidate."""
    points = np.column_stack(
        [np.log10(column) if log else column for column, log in zip(parameters.T, logarithmic, strict=True)]
    )
    centre, unit = float(known.mean()), float(known.std())
    if unit == 0:
        raise DataError("The public scores are all equal. No prior can be learned from them.")
    points = points / _lengthscales(points, (known - centre) / unit, max(1e-3, (noise / unit) ** 2))
    frame: dict[str, Any] = {"points": points, "kernel": SquaredExponential(1.0), "centre": centre, "unit": unit}
    return TuningTask(parameters=parameters, logarithmic=logarithmic, noise=noise, **frame, **rest)


def _lengthscales(points: Array, y: Array, noise_variance: float = 1e-3, subset: int = 150) -> Array:
    """Return the length-scales of the columns that maximise the likelihood of y under unit signal variance.

    The algorithms need k₂(λ, λ) = 1, so unlike in `privbo_core.gp.fit` the variance is not free. Length-scales stay
    within 0.05 and 5 standard deviations of their column. A few dozen steps cost O(subset³) each.
    """
    spread = points.std(axis=0)
    chosen = np.unique(np.linspace(0, len(points) - 1, min(subset, len(points))).round().astype(int))
    x, y = points[chosen] / spread, y[chosen]

    def loss(log_scales: Array) -> float:
        k = covariance(SquaredExponential(1.0), x / np.exp(log_scales), x / np.exp(log_scales))
        k[np.diag_indices(len(k))] += noise_variance
        factor = cho_factor(k, lower=True)
        return float(0.5 * y @ cho_solve(factor, y) + np.log(np.diag(factor[0])).sum())

    bounds = [(math.log(0.05), math.log(5.0))] * points.shape[1]
    with threadpool_limits(1, user_api="blas"):  # The matrices are too small for several threads.
        found = minimize(loss, np.full(points.shape[1], math.log(0.5)), method="L-BFGS-B", bounds=bounds)
    return np.asarray(np.exp(found.x) * spread)
