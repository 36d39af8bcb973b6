"""How the data are spoken of on a Simple page: who holds them, what a row is, what is looked for, what is hidden."""

import math
from collections.abc import Callable
from dataclasses import dataclass

from pages.parts.outsourced.figures import label
from pages.parts.values.numbers import scientific
from privbo_core.data import Problem

Written = Callable[[float], str]
"""An amount of one column, in words."""


@dataclass(frozen=True)
class Told:
    """``holder`` has the table and lets ``chooser`` choose; a row is ``one`` of ``many``; ``sought`` is the outcome.

    To find it somebody has to ``verb`` rows, in so many ``tests``. ``hidden``: how much of each column is hidden, in words, given that amount in the column's unit; those of columns
    that are spoken of together are said once. Without it the columns' own names and units are used.
    ``called``: other names for columns, those that are spoken with.
    """

    holder: str
    chooser: str
    one: str
    many: str
    sought: str
    verb: str = "test"
    tests: str = "tests"
    hidden: tuple[tuple[str, Written], ...] = ()
    called: tuple[tuple[str, str], ...] = ()

    def label(self, problem: Problem, column: int) -> str:
        """Return a column's name, as it is spoken of, with its unit."""
        return label(problem, column, dict(self.called).get(problem.names[column], ""))

    def hides(self, problem: Problem, distance: float) -> tuple[str, ...]:
        """Return what a release hides of one row, each if it alone changes, at so many hidden changes of the frame."""
        written = dict(self.hidden)
        said = []
        for column in problem.frame.columns:
            amount = distance * column.hide
            if not self.hidden:
                said.append(f"{column.name} to within {scientific(amount)} {column.unit}".rstrip())
            elif column.name in written:
                said.append(written[column.name](amount))
        return tuple(said)

    def promised(self, problem: Problem) -> tuple[str, ...]:
        """Return what the paper's promise is about, column by column: a distance of 1 after its own scaling."""
        written, said = dict(self.hidden), []
        for name, unit, amount in zip(problem.names, problem.units, problem.unit_distance, strict=True):
            if not self.hidden:
                said.append(f"{name} to within {scientific(amount)} {unit}".rstrip())
            elif name in written:
                said.append(written[name](float(amount)))
        return tuple(said)


def _metres(degrees: float) -> str:
    return f"place to within {scientific(round(degrees * 111_200, -1))} m"  # a degree of latitude is 111.2 km


SAMPLES = {
    "sample/hospital": Told(
        "A hospital", "the company", "patient", "patients", "the highest level of a blood marker",
        hidden=(
            ("age", lambda years: f"age to within {years:.2g} years"),
            ("log_creatinine", lambda change: f"kidney value to within {100 * math.expm1(change):.0f} %"),
        ),
        called=(("log_creatinine", "kidney value"),),
    ),
    "sample/loans": Told(
        "A bank", "the analyst", "loan", "loans", "the highest return", "check", "checks",
        hidden=(
            ("amount", lambda amount: f"amount to within {amount:,.0f} USD"),
            ("interest_rate", lambda points: f"interest rate to within {points:.3g} {'point' if points == 1 else 'points'}"),
            ("annual_income", lambda amount: f"income to within {amount:,.0f} USD"),
        ),
        called=(("interest_rate", "interest rate"), ("annual_income", "income")),
    ),
    "sample/homes": Told(
        "An estate agent", "the consultant", "home", "homes", "the lowest price per square metre", "visit", "visits",
        hidden=(("latitude", _metres),),
    ),
}  # fmt: skip
"""By the identity of a sample."""


def told(problem: Problem) -> Told:
    """Return how to speak of a problem: in its sample's words, or plainly."""
    best = f"the {'largest' if problem.maximize else 'smallest'} {problem.output}"
    plain = Told("The holder of a table", "the other party", "row", "rows", best)
    return SAMPLES.get(problem.identity or "", plain)
