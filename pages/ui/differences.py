"""Name the protected differences of a problem in the units of its columns."""

import math

from pages.ui.numbers import significant
from privbo_core.data import Problem


def differences(problem: Problem, distance: float = 1.0) -> list[tuple[str, str]]:
    """Return the amount that is protected in each column, and the column's name.

    ``distance`` multiplies the protected differences. A category that is hidden as a whole is one difference, although
    it was made into several columns.
    """
    found: dict[str, str] = {}
    hidden = hidden_categories(problem)
    for column, source in zip(problem.frame.columns, sources_of(problem), strict=True):
        if source in hidden:
            found[source] = (
                "the whole category" if distance == 1 else f"{significant(distance)} times the whole category"
            )
        else:
            found[column.name] = f"{significant(distance * column.hide)} {column.unit}".strip()
    return [(amount, name) for name, amount in found.items()]


def sources_of(problem: Problem) -> tuple[str, ...]:
    """Return the column of the table that each input was made of."""
    sources = problem.preparation.sources if problem.preparation is not None else ()
    return sources or problem.names


def hidden_categories(problem: Problem) -> set[str]:
    """Return the categories of which any two values are at most one protected difference apart."""
    sources = sources_of(problem)
    found = {
        source
        for column, source in zip(problem.frame.columns, sources, strict=True)
        if column.name.startswith(f"{source} = ")
    }
    for column, source in zip(problem.frame.columns, sources, strict=True):
        # Another value changes two of several columns by 1, or the only one.
        least = math.sqrt(2.0) if sources.count(source) > 1 else 1.0
        if source in found and column.hide < least - 1e-9:
            found.discard(source)
    return found
