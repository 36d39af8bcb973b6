"""How a sample is spoken of: what pages/content/samples.toml says of it, or plainly of somebody's own data."""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from typing import Any

from pages.parts.values.content import facts, fill
from pages.parts.values.numbers import scientific, two_digits
from pages.parts.values.text import minus
from privbo_core.data import Problem


@dataclass(frozen=True)
class Goal:
    """What is looked for on a sample's map: which record, how far one is from the best.

    ``offer``: its name where one is chosen; ``better``, ``worse``: what yellow and blue mean; ``wanted``: which it is.
    """

    offer: str
    aim: str
    away: str
    best: str
    better: str = "higher"
    worse: str = "lower"
    wanted: str = "Higher is what is looked for."


@dataclass(frozen=True)
class Column:
    """A column that is spoken of: its name in the table, what it is called, and how much of it is hidden, in words."""

    name: str
    hides: str
    called: str = ""


@dataclass(frozen=True, kw_only=True)
class Sample:
    """A row, or a record that something is tried on, is ``one`` of ``many``.

    Of a table: ``holder`` has it and lets ``chooser`` choose; ``sought`` is the outcome, and to find it somebody has to
    ``verb`` rows, in so many ``tests``. ``columns``: those that are spoken of, one for several that are said together; if
    there are none, all are, by their own names and units. ``answers``: the terms of private answers to begin with.

    Of what is tuned: ``learner``, and what for; its ``setting``; its score is ``measure``, and where that is a
    ``percent``, −(mean loss) of a loss in [0, 1], the probability that the model gives to the wrong answer: 1 + score is
    then its mean confidence in the right one.
    """

    one: str
    many: str
    holder: str = ""
    chooser: str = ""
    sought: str = ""
    verb: str = "test"
    tests: str = "tests"
    columns: tuple[Column, ...] = ()
    answers: tuple[str, ...] = ("", "", "", "1")
    goal: Goal | None = None
    learner: str = ""
    setting: str = ""
    measure: str = ""
    percent: bool = False

    def label(self, problem: Problem, column: int) -> str:
        """Return a column's name, as it is spoken of, with its unit."""
        unit, name = problem.units[column], problem.names[column]
        called = next((each.called for each in self.columns if each.name == name), "") or name
        return f"{called} ({unit})" if unit else called

    def hides(self, problem: Problem, distance: float) -> tuple[str, ...]:
        """Return what a release hides of one row, each if it alone changes, at so many hidden changes of the frame."""
        return self._hidden((each.name, each.unit, distance * each.hide) for each in problem.frame.columns)

    def promised(self, problem: Problem) -> tuple[str, ...]:
        """Return what the paper's promise is about, column by column: a distance of 1 after its own scaling."""
        return self._hidden(zip(problem.names, problem.units, map(float, problem.unit_distance), strict=True))

    def _hidden(self, columns: Iterable[tuple[str, str, float]]) -> tuple[str, ...]:
        """Return how much of each column is hidden, given its name, unit and that amount."""
        if not self.columns:
            return tuple(f"{name} to within {scientific(amount)} {unit}".rstrip() for name, unit, amount in columns)
        written = {column.name: column.hides for column in self.columns}
        return tuple(fill(written[name], {"amount": amount}) for name, _, amount in columns if name in written)

    def amount(self, difference: float) -> str:
        """Return a difference of two scores, in percentage points where a score is a percentage."""
        if not self.percent:
            return two_digits(difference)
        points = 100 * difference
        return "under 0.01 points" if 0 < points < 0.005 else f"{points:.{1 if points >= 0.95 else 2}f} points"

    def score(self, score: float, digits: int = 1) -> str:
        """Return a score as a person reads it."""
        return f"{100 * (1 + score):.{digits}f} %" if self.percent else minus(f"{score:.{digits + 2}f}")


def known(identity: str | None) -> Sample | None:
    """Return how a sample is spoken of, by its identity; None for somebody's own data."""
    said = facts("samples.toml").get(identity or "")
    return _sample(identity) if said else None


def plainly(kind: str, **changed: str) -> Sample:
    """Return how somebody's own data are spoken of: a ``table``, a ``dataset`` to tune on, or another ``task``."""
    return Sample(**{**facts("samples.toml")["plain"][kind], **changed})


def of_table(problem: Problem) -> Sample:
    """Return how to speak of a problem: in its sample's words, or plainly."""
    best = f"the {'largest' if problem.maximize else 'smallest'} {problem.output}"
    return known(problem.identity) or plainly("table", sought=best)


@cache
def _sample(identity: str) -> Sample:
    said: dict[str, Any] = dict(facts("samples.toml")[identity])
    columns = tuple(Column(**each) for each in said.pop("columns", ()))
    goal = Goal(**said.pop("goal")) if "goal" in said else None
    answers = tuple(said.pop("answers", Sample.answers))
    return Sample(columns=columns, goal=goal, answers=answers, **said)
