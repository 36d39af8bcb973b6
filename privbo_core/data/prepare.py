"""Make a problem from a table: clean it, learn its length-scales, normalise it.

`make_problem` does all three. A page that shows progress takes them one by one:

    cleaned = clean(table, ["amount", "rate"], "roi", log_output=True)
    for progress in fitting(cleaned):       # may be left at any time
        fit = progress.best
    problem = finish(cleaned, fit)          # or finish(cleaned, rule_of_thumb(cleaned)) without any fit
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, TypedDict, Unpack, cast, get_args

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from privbo_core.data.columns import MAX_LEVELS, Mask, dates, levels, numbers
from privbo_core.data.frame import Frame
from privbo_core.data.problem import Dropped, Preparation, Problem, normalise
from privbo_core.data.rows import check_columns, finite, rows_left, unusable
from privbo_core.errors import MAX_MAGNITUDE, Array, DataError, positive
from privbo_core.gp import Fit, SquaredExponential
from privbo_core.gp import fitting as gp_fitting
from privbo_core.gp.fit import FitStep

Encoding = Literal["date", "category", "frequent", "log"]
FREQUENT = 5  # So many values of a category are kept where only the frequent ones are; the others count as one.
OTHER = "other"

STARTS = 4  # So often the maximisation of the likelihood starts where nobody stops it before.
MAX_INPUTS = 50  # More length-scales than this cannot be learned from the rows that a fit looks at.
MAX_LENGTHSCALE = 10.0
"""In standard deviations of an input. The fitted length-scale of an input that explains nothing would be infinite. The
normalised points would then be flat in it, σ_min nearly 0, and no privacy setting would ever keep the distances."""


@dataclass(frozen=True, eq=False)
class Cleaned:
    """The usable rows of the chosen columns as numbers, in original units, without missing cells.

    ``inputs``: n×d. ``outcome``: length n, the logarithm if ``log_output``, not negated. ``output`` is its name.
    ``sources`` are the table's columns that the inputs were made of. The rest is explained at `Preparation`.
    """

    inputs: Array
    outcome: Array
    names: tuple[str, ...]
    units: tuple[str, ...]
    output: str
    output_unit: str
    maximize: bool
    log_output: bool
    table_rows: int
    rows: NDArray[np.int64]
    dropped: tuple[Dropped, ...]
    encodings: tuple[str, ...]
    warnings: tuple[str, ...]
    sources: tuple[str, ...] = ()


class Reading(TypedDict, total=False):
    """How a table's columns are read: see `clean`."""

    maximize: bool
    log_output: bool
    encode: Mapping[str, Encoding] | None
    units: Mapping[str, str] | None


class Making(Reading, total=False):
    """How a table becomes a problem: how its columns are read, its title, and its known column settings."""

    title: str
    frame: Frame | None


def make_problem(
    table: pd.DataFrame,
    inputs: Sequence[str],
    output: str,
    *,
    hyperparameters: Fit | None = None,
    rng: np.random.Generator | None = None,
    **options: Unpack[Making],
) -> Problem:
    """Return the problem of finding the row of ``table`` with the best ``output``, given the ``inputs`` of all rows.

    ``options`` are those of `clean`, ``maximize`` (True), ``log_output`` (False), ``encode`` and ``units`` (none), the
    ``title`` (see `Problem`), and the ``frame`` with the column settings that were known without the data. Without a
    frame, ``problem.frame`` is taken from the data and marked so. ``hyperparameters``, as `pb.gp.fit` returns them for
    inputs and (log) output in original units, skip the fit, which takes seconds. Rows with an unusable cell are
    dropped, and counted in ``problem.preparation``.
    Raises DataError if the table does not make a problem (see `clean`), or if the frame lacks an input.
    """
    title, frame = options.pop("title", ""), options.pop("frame", None)
    cleaned = clean(table, inputs, output, **cast(Reading, options))
    if frame is not None:
        frame = frame.chosen(cleaned.names)
    if hyperparameters is None:
        *_, last = fitting(cleaned, rng=rng)
        hyperparameters = last.best
    return finish(cleaned, hyperparameters, title=title, frame=frame)


def clean(
    table: pd.DataFrame,
    inputs: Sequence[str],
    output: str,
    *,
    maximize: bool = True,
    log_output: bool = False,
    encode: Mapping[str, Encoding] | None = None,
    units: Mapping[str, str] | None = None,
) -> Cleaned:
    """Return the rows in which every chosen cell is usable, as numbers, with an account of those that are not.

    ``maximize`` is False if small outputs are good. ``log_output`` takes the output's logarithm. ``encode`` names the
    inputs to encode: a "date" becomes its days since 1970, a "category" a 0/1 column for each value but the most
    frequent, "frequent" does the same for the 5 most frequent values and one for all others, and "log" takes the
    logarithm to base 10. ``units`` are names for people, by column. Units that `load_table` found need not be repeated.
    A cell is unusable if it is missing, is not a number (date, category), is infinite or beyond ±1e100, or has no
    logarithm although one is needed.
    Raises DataError, naming the column, if more than half of its cells are unusable, if it is constant, if a category
    has more than 20 values, if the inputs are collinear, or if fewer rows than inputs + 1 are left. O(cells of the
    chosen columns).
    """
    chosen, encode = _chosen(table, inputs, output, encode or {}), encode or {}
    units = {**table.attrs.get("units", {}), **(units or {})}
    read = [_read(table[name], name, encode.get(name)) for name in chosen]
    outcome_read = _read(table[output], output, "log" if log_output else None)
    good = np.ones(len(table), dtype=bool)
    dropped: list[Dropped] = []
    for each in (*read, outcome_read):
        found, bad = unusable(table[each.name], each.name, each.faults, asked=each.name in encode)
        dropped += found
        good &= ~bad
    rows = rows_left(good, dropped)
    made = [_made(each, good, units) for each in read]
    names = [name for each in made for name in each.columns]
    points = np.column_stack([column for each in made for column in each.columns.values()])
    _check_inputs(points, names)
    outcome = _outcome(np.asarray(outcome_read.cells)[good], output, log_output)
    return Cleaned(
        inputs=points,
        outcome=outcome,
        names=tuple(names),
        units=tuple(each.unit for each in made for _ in each.columns),
        output=f"log {output}" if log_output else output,
        output_unit=units.get(output, ""),
        maximize=maximize,
        log_output=log_output,
        table_rows=len(table),
        rows=rows,
        dropped=tuple(dropped),
        encodings=(
            *(text for each in read for text in each.sentences),
            *(text for each in made for text in each.sentences),
        ),
        warnings=(*(warning for each in read for warning in each.warnings), *_warnings(points, outcome, len(table))),
        sources=tuple(each.source for each in made for _ in each.columns),
    )


@dataclass(frozen=True, eq=False)
class _Read:
    """A column as it was read by its encoding ``how``: numbers, or texts for a category. ``faults`` are by reason."""

    name: str
    how: Encoding | None
    cells: Array | pd.Series
    faults: dict[str, Mask]
    sentences: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()


def _read(column: pd.Series, name: str, how: Encoding | None) -> _Read:
    """Return a column as numbers or, for a category, as texts, with the unusable cells."""
    if how in ("category", "frequent"):
        cells = levels(column)[1]
        if how == "category":
            return _Read(name, how, cells, {"missing": np.asarray(cells == "", dtype=bool)})
        cells, sentence = _grouped(name, cells)
        return _Read(name, how, cells, {"missing": np.asarray(cells == "", dtype=bool)}, (sentence,))
    if how == "date":
        days, doubt = dates(column)
        missing = numbers(column).missing
        faults = {"missing": missing, "not a date": ~missing & ~np.isfinite(days)}
        sentences = (f"{name!r} counts the days since 1970-01-01.",)
        return _Read(name, how, days, faults, sentences, (f"{name!r}: {doubt}.",) if doubt else ())
    amounts, faults = finite(numbers(column))
    if how == "log":
        faults["not above 0, so without a logarithm"] = (np.abs(amounts) < MAX_MAGNITUDE) & ~(amounts > 0)
    return _Read(name, how, amounts, faults)


@dataclass(frozen=True, eq=False)
class _Made:
    """The columns of numbers that were made of the column ``source``, which share a ``unit``."""

    source: str
    unit: str
    columns: dict[str, Array]
    sentences: tuple[str, ...] = ()


def _made(read: _Read, good: Mask, units: Mapping[str, str]) -> _Made:
    """Return the columns of numbers that a column makes, in the rows that are used."""
    name, unit = str(read.name), units.get(read.name, "")
    if read.how in ("category", "frequent"):
        columns, sentence = _indicators(name, pd.Series(read.cells)[good])
        return _Made(read.name, "", columns, (sentence,))
    amounts = np.asarray(read.cells)[good]
    if read.how == "log":
        sentence = f"{name!r} counts as its logarithm to base 10."
        return _Made(read.name, f"log10 {unit}" if unit else "", {f"log10 {name}": np.log10(amounts)}, (sentence,))
    return _Made(read.name, "days" if read.how == "date" else unit, {name: amounts})


def _outcome(amounts: Array, name: str, log: bool) -> Array:
    """Return the outcome, or its logarithm. Raises DataError if it does not vary."""
    if _constant(amounts[:, None])[0]:
        raise DataError(f"{name!r} has the same value in every usable row. Choose an output that varies.")
    outcome = np.log(amounts) if log else amounts
    if _constant(outcome[:, None])[0]:
        raise DataError(f"The logarithm of {name!r} is the same in every usable row. Leave the logarithm out.")
    return outcome


def fitting(
    cleaned: Cleaned, *, restarts: int = STARTS, subset: int = 400, rng: np.random.Generator | None = None
) -> Iterator[FitStep]:
    """Yield the best hyperparameters so far after each restart of the likelihood's maximisation.

    ``subset`` random rows are used, and those that keep a column from being constant.
    Length-scales come out in the original units of the columns, none above 10 of their standard deviations. A restart
    costs O(subset³) per step. See `pb.gp.fit`.
    """
    rng = rng or np.random.default_rng(0)
    n = len(cleaned.inputs)
    rows = np.sort(rng.choice(n, subset, replace=False)) if n > subset else np.arange(n)
    # Centring and scaling by the whole table's spread keep tiny and huge columns within floating point's reach.
    centre, spread = _frame(cleaned.inputs)
    shift, scale = (float(value[0]) for value in _frame(cleaned.outcome[:, None]))
    x, y = (cleaned.inputs - centre) / spread, (cleaned.outcome - shift) / scale
    both = np.column_stack([x, y])
    stuck = _constant(both[rows])
    rows = np.union1d(rows, np.concatenate([both[:, stuck].argmin(axis=0), both[:, stuck].argmax(axis=0)]))
    for progress in gp_fitting(x[rows], y[rows], restarts=restarts, subset=len(rows), longest=MAX_LENGTHSCALE, rng=rng):
        found = progress.best
        kernel = type(found.kernel)(found.kernel.lengthscale, found.kernel.variance * scale**2)
        best = Fit(kernel, found.noise_variance * scale**2, found.lengthscales * spread)
        yield FitStep(best, progress.log_likelihood, progress.done, progress.restarts, progress.subset)


def rule_of_thumb(cleaned: Cleaned) -> Fit:
    """Return hyperparameters without a fit: each length-scale is √d standard deviations, a tenth of σ_y² is noise."""
    spread = _frame(cleaned.inputs)[1]
    variance = float(_frame(cleaned.outcome[:, None])[1][0]) ** 2
    return Fit(SquaredExponential(1.0, 0.9 * variance), 0.1 * variance, spread * np.sqrt(len(spread)))


def finish(
    cleaned: Cleaned, fit: Fit, *, title: str = "", identity: str | None = None, frame: Frame | None = None
) -> Problem:
    """Return the normalised problem: each input divided by its length-scale, the largest row norm 25, σ_y² ≤ 1.

    The output is divided by its standard deviation, or by the fitted σ_y if that is larger. Raises ValueError for
    hyperparameters that are not above 0, DataError if their number is not that of the inputs, or the frame lacks one.
    """
    lengthscales = np.asarray(fit.lengthscales, dtype=float)
    if lengthscales.shape != (len(cleaned.names),):
        raise DataError(f"hyperparameters hold {lengthscales.size} length-scales. The inputs are {len(cleaned.names)}.")
    for name, lengthscale in zip(cleaned.names, lengthscales, strict=True):
        positive(f"the length-scale of {name!r}", float(lengthscale))
    means, deviations = _frame(cleaned.inputs)
    # The limit holds for the rows that the fit saw, whose deviation is not quite that of all rows.
    idle = (
        f"{name!r} hardly changes the output: its length-scale is near the limit of {MAX_LENGTHSCALE:.0f} deviations."
        for name, length in zip(cleaned.names, lengthscales / deviations, strict=True)
        if length > 0.8 * MAX_LENGTHSCALE
    )
    points, factor = normalise((cleaned.inputs - means) / lengthscales)
    centre, spread = (float(value[0]) for value in _frame(cleaned.outcome[:, None]))
    scale = max(spread, float(np.sqrt(fit.kernel.variance)))
    sign = 1.0 if cleaned.maximize else -1.0
    preparation = Preparation(
        table_rows=cleaned.table_rows,
        rows=cleaned.rows,
        dropped=cleaned.dropped,
        encodings=cleaned.encodings,
        log_output=cleaned.log_output,
        maximize=cleaned.maximize,
        output_unit=cleaned.output_unit,
        output_centre=centre,
        output_scale=scale,
        means=means,
        lengthscales=lengthscales,
        factor=factor,
        warnings=(*cleaned.warnings, *idle),
        sources=cleaned.sources,
    )
    return Problem(
        title=title or f"{cleaned.output} by {', '.join(cleaned.names[:4])}{' …' if len(cleaned.names) > 4 else ''}",
        points=points,
        objective=sign * (cleaned.outcome - centre) / scale,
        kernel=type(fit.kernel)(fit.kernel.lengthscale * factor, min(fit.kernel.variance / scale**2, 1.0)),
        noise_variance=fit.noise_variance / scale**2,
        names=cleaned.names,
        units=cleaned.units,
        original=cleaned.inputs,
        unit_distance=preparation.unit_distance,
        output=cleaned.output,
        maximize=cleaned.maximize,
        identity=identity,
        preparation=preparation,
        known_frame=None if frame is None else frame.chosen(cleaned.names),
    )


def _chosen(table: pd.DataFrame, inputs: Sequence[str], output: str, encode: Mapping[str, Encoding]) -> tuple[str, ...]:
    """Return the inputs. Raises DataError unless each of them is one column of the table."""
    chosen = (inputs,) if isinstance(inputs, str) else tuple(inputs)
    if not chosen:
        raise DataError("No input is chosen. Choose at least one column that the output may depend on.")
    if len(chosen) > MAX_INPUTS:
        raise DataError(f"{len(chosen)} inputs are chosen. At most {MAX_INPUTS} can be used. Choose those that matter.")
    check_columns(table, (*chosen, output))
    for name in chosen:
        if chosen.count(name) > 1 or name == output:
            used = "both as input and as output" if name == output else "twice as input"
            raise DataError(f"{name!r} is chosen {used}. Choose each column once.")
    for name, encoding in encode.items():
        if name not in chosen:
            raise DataError(f"encode names {name!r}, which is not one of the inputs.")
        if encoding not in get_args(Encoding):
            allowed = ", ".join(map(repr, get_args(Encoding)))
            raise DataError(f"encode asks for {encoding!r} in {name!r}. It must be one of {allowed}.")
    return chosen


def _grouped(name: str, cells: pd.Series) -> tuple[pd.Series, str]:
    """Return a category of its most frequent values and one for all others, and a sentence about that."""
    kept = levels(cells)[0][:FREQUENT]
    rare = ~cells.isin(["", *kept])
    others = f"all others ({int(rare.sum()):,} rows) count as one"
    return cells.mask(rare, OTHER), f"{name!r} keeps its {len(kept)} most frequent values, and {others}."


def _indicators(name: str, text: pd.Series) -> tuple[dict[str, Array], str]:
    """Return a 0/1 column for each value but the most frequent, and a sentence about that."""
    values, cells = levels(text)
    if len(values) > MAX_LEVELS:
        raise DataError(f"{name!r} has {len(values):,} different values. A category may have {MAX_LEVELS} at most.")
    if len(values) == 1:
        raise DataError(f"{name!r} has the same value {values[0]!r} in every usable row. Leave it out.")
    made: dict[str, Array] = {f"{name} = {value}": np.asarray(cells == value, dtype=float) for value in values[1:]}
    return made, f"{name!r} is 1 or 0 for each of {', '.join(map(repr, values[1:]))}. All 0 is {values[0]!r}."


def _check_inputs(points: Array, names: list[str]) -> None:
    n, d = points.shape
    if len(set(names)) < d:
        raise DataError("Two inputs have the same name once a category is encoded. Rename one of the columns.")
    if d > MAX_INPUTS:
        raise DataError(f"The inputs make {d} columns once categories are encoded. At most {MAX_INPUTS} can be used.")
    for name, constant in zip(names, _constant(points), strict=True):
        if constant:
            raise DataError(f"{name!r} has the same value in every usable row. Leave it out of the inputs.")
    if n <= d:
        raise DataError(f"{n} usable rows are too few for {d} inputs. There must be more rows than inputs.")
    centre, spread = _frame(points)
    _, values, directions = np.linalg.svd(np.linalg.qr((points - centre) / spread, mode="r"))
    if values[-1] <= 1e-9 * values[0]:
        among = [repr(name) for name, share in zip(names, np.abs(directions[-1]), strict=True) if share > 0.05]
        raise DataError(
            f"The inputs {', '.join(among)} are collinear, because one of them follows exactly from the others "
            "(σ_min = 0). Leave one of them out."
        )


def _constant(columns: Array) -> Mask:
    """Return which columns hold one value, up to round-off or to a size that vanishes when squared."""
    largest = np.abs(columns).max(axis=0)
    spread = np.ptp(columns - columns[0], axis=0)
    constant: Mask = (spread <= 1e-12 * largest) | (largest < 1.0 / MAX_MAGNITUDE)
    return constant


def _frame(columns: Array) -> tuple[Array, Array]:
    """Return mean and standard deviation of each column, exact also where squares would overflow or vanish."""
    size = np.abs(columns).max(axis=0)
    scaled = columns / size
    return scaled.mean(axis=0) * size, scaled.std(axis=0) * size


def _warnings(points: Array, outcome: Array, table_rows: int) -> list[str]:
    warnings = []
    n = len(points)
    if n < 0.9 * table_rows:
        warnings.append(f"{table_rows - n:,} of {table_rows:,} rows are dropped. The rest may not represent the whole.")
    frame = pd.DataFrame(points)
    alike = int(frame.duplicated(keep=False).sum())
    if alike:
        equal = int(frame.assign(outcome=outcome).duplicated().sum())
        warnings.append(
            f"{alike:,} rows share all their inputs with another row"
            + (f", and {equal:,} rows repeat an earlier one in the output too" if equal else "")
            + ". All are kept, as separate records."
        )
    if n < 20:
        warnings.append(f"Only {n} rows are usable. Length-scales fitted to so few are little more than a guess.")
    return warnings
