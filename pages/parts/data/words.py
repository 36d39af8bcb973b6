"""What Expert says of a problem on the Data page."""

import pandas as pd

from pages.parts.data.view import View
from pages.parts.outsourced.promise import hidden, on_whose_word
from pages.parts.views.content import prose
from pages.parts.views.text import SIGMA_MIN, minus, scientific
from pages.parts.views.views import Box, Finding, Table, Tile, table
from privbo_core.data import Frame, Problem
from privbo_core.errors import Array

COLUMNS = Finding("How fast the output changes along each input", "curator", prose("data", "length-scales"))


def headline(view: View) -> tuple[Tile, ...]:
    """Return the headline numbers."""
    problem, condition, preparation = view.problem, view.condition, view.problem.preparation
    used = f"of {preparation.table_rows:,} in the table" if preparation else "made by a formula"
    goal = "highest" if problem.maximize else "lowest"
    return (
        Tile("Rows used", f"{problem.n:,}", used, "curator"),
        Tile("Inputs", str(problem.d), f"looking for the {goal} {problem.output}", "share"),
        Tile(SIGMA_MIN, f"{view.spectrum.sigma_min:,.0f}", "smallest spread of the inputs", "curator"),
        Tile("ω now", f"{condition.omega:,.0f}", f"at ε = {condition.epsilon:.3g}, r = {condition.r}", "refuted"),
    )


def protected(problem: Problem) -> Finding:
    """Return what one unit of protected distance means, column by column, for either release."""
    moves = (
        f"{scientific(distance)}{f' {unit}' if unit else ''} in {name}"
        for name, unit, distance in zip(problem.names, problem.units, problem.unit_distance, strict=True)
    )
    return Finding(
        "What one unit of protected distance hides",
        "curator",
        f"Noisy release: a change of one record by {hidden(problem)}, if only that column changes. "
        f"Projection, whose promise is refuted: by {', or '.join(moves)}. Larger differences are protected less.",
    )


def framed(problem: Problem) -> Finding:
    """Return whether the frame was known before anyone looked at the data, and why that matters."""
    frame = problem.frame
    why = prose("data", "why a frame has to be known before")
    if frame.public:
        word = on_whose_word(problem)
        so = f", {word}: if so, " if word else ": if so, "
        return Finding(
            f"The frame was known before anyone looked at the data{so}the noisy release is proved", "share", why
        )
    if not frame.read_off:
        title = (
            "How your table is written was told by reading all of it, not known before: the noisy release is "
            "conditional"
        )
        return Finding(title, "curator", prose("data", "why the way of writing has to be known before"))
    columns = ", ".join(frame.read_off[:4]) + (" …" if len(frame.read_off) > 4 else "")
    return Finding(f"Read off your data is the frame of {columns}: the noisy release is conditional", "curator", why)


def frame_table(frame: Frame) -> Table:
    """Return the frame column by column, with the reasons."""
    head = ("column", "unit", "low", "high", "hidden change", "length-scale, guessed", "known from")
    rows = [
        (
            column.name,
            column.unit,
            minus(f"{column.low:,.6g}"),
            minus(f"{column.high:,.6g}"),
            f"± {column.hide:,.6g}",
            "a quarter of the range" if column.lengthscale is None else f"{column.lengthscale:.6g}",
            column.known_from or "read off the data",
        )
        for column in frame.columns
    ]
    return table(head, rows)


def narrowest(view: View) -> Finding:
    """Return whether the condition of Theorem 1 is met."""
    least, threshold = view.spectrum.sigma_min, view.condition.omega
    verdict = "meets" if least >= threshold else "falls short of"
    return Finding(f"The narrowest direction, {least:,.0f}, {verdict} ω = {threshold:,.0f}", "curator")


def distributed(problem: Problem) -> Finding:
    """Return what stands above the histograms."""
    note = "The output last, in its own units." if problem.preparation else ""
    return Finding("How the columns are distributed", "curator", note)


def learned(problem: Problem) -> pd.DataFrame:
    """Return what was learned about each input, in original units."""
    return pd.DataFrame(
        {
            "input": problem.names,
            "unit": problem.units,
            "from": problem.original.min(axis=0),
            "to": problem.original.max(axis=0),
            "length-scale": problem.unit_distance * problem.kernel.lengthscale,
            "one unit of protected distance": problem.unit_distance,
        }
    )


def as_table(frame: pd.DataFrame) -> Table:
    """Return a table of names and numbers, these with six digits."""
    rows = [
        [minus(f"{cell:,.6g}") if isinstance(cell, float) else str(cell) for cell in row]
        for row in frame.itertuples(index=False, name=None)
    ]
    return table([str(name) for name in frame.columns], rows, "grid")


def prepared(problem: Problem) -> Box | None:
    """Return how the table was prepared, if there was one."""
    if problem.preparation is None:
        return None
    return Box("How the table was prepared", (*problem.preparation.steps(), *problem.preparation.warnings))


def output(problem: Problem) -> tuple[Array, str]:
    """Return the output as the table had it, and its name with its unit."""
    preparation = problem.preparation
    if preparation is None:
        return problem.objective if problem.maximize else -problem.objective, problem.output
    name = problem.output.removeprefix("log ") if preparation.log_output else problem.output
    unit = f" ({preparation.output_unit})" if preparation.output_unit else ""
    return preparation.output(problem.objective), f"{name}{unit}"
