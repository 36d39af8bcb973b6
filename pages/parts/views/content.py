"""What is told and does not hang on a computation: the files of pages/content, and the named values that fill them.

A file is a template of text. A name in it that nobody gives is an error (`StrictUndefined`); `names_in` says which it
uses.
"""

import math
import re
import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from jinja2 import Environment, StrictUndefined, meta

from pages.parts.views.text import epsilon_text, in_formula, minus, scientific, two_digits, whole_text
from privbo_core.data import Problem

FOLDER = Path(__file__).parents[2] / "content"


def number(value: float, digits: int = 3) -> str:
    """Return a number with so many digits, or as a whole one where they all stand before the point."""
    return whole_text(value) if value >= 10 ** (digits - 1) else f"{value:.{digits}g}"


def percent(share: float) -> str:
    """Return a share in whole per cent, or with two digits below one."""
    return f"{100 * share:.0f} %" if share >= 0.01 else f"{two_digits(100 * share)} %"


def rounded(value: float) -> str:
    """Return a number as a whole one from 100 up to a million, or as `scientific` has it."""
    return f"{value:,.0f}" if 100 <= value < 1e6 else scientific(value)


def short_epsilon(value: float) -> str:
    """Return ε as it stands in a sentence: no zeros that say nothing, no power of ten."""
    return f"{value:.3g}" if value < 1000 else epsilon_text(value)


_texts = Environment(autoescape=False, undefined=StrictUndefined, keep_trailing_newline=True)
_texts.filters |= {
    "number": number,
    "decimals": lambda value, digits: f"{value:.{digits}f}",
    "two_digits": two_digits,
    "rounded": rounded,
    "scientific": scientific,
    "in_formula": in_formula,
    "percent": percent,
    "in_100": lambda share: f"{100 * share:.0f}",
    "epsilon": short_epsilon,
    "whole": lambda value: f"{value:,.0f}",
    # How much more so much more of a logarithm is, in whole per cent, rounded down: so much is hidden.
    "growth": lambda logarithm: f"{math.floor(round(100 * math.expm1(logarithm), 1))}",
    "metres": lambda degrees: scientific(round(degrees * 111_200, -1)),  # of latitude: one is 111.2 km
}


@cache
def text_of(name: str | Path) -> str:
    return (FOLDER / name).read_text(encoding="utf-8")


def fill(text: str, values: Mapping[str, object]) -> str:
    return _template(text).render(values)


_template = cache(_texts.from_string)


def names_in(text: str) -> set[str]:
    return meta.find_undeclared_variables(_texts.parse(text))


@cache
def facts(name: str) -> dict[str, Any]:
    return tomllib.loads(text_of(name))


def sections(text: str) -> tuple[str, dict[str, str]]:
    """Return what stands before the first heading of the second order, and by heading what stands below each."""
    before, *parts = re.split(r"^## (.+)\n", text, flags=re.MULTILINE)
    return before, dict(zip(parts[::2], parts[1::2], strict=True))


def items(text: str) -> list[str]:
    """Return the items of a list, each as it stands; what stands before the first is left out."""
    return re.split(r"^(?:-|\d+\.) ", text, flags=re.MULTILINE)[1:]


def joined(text: str) -> str:
    return re.sub(r"[ \n]+", " ", text).strip()


WRAPPED = re.compile(r"(?<!\n) *+\n *+(?!\n|- |\|)")
"""A line's end in the middle of a paragraph, of an item or of a row."""


def prose(file: str, heading: str, **values: object) -> str:
    """Return what a file of pages/content/explain says below a heading, its names filled in.

    Each paragraph, each item of a list and each row of a table is one line of it, however it is wrapped in the file.
    File, heading and names are written out where this is called, or `explanation`: a test compares them with the files.
    """
    return WRAPPED.sub(" ", fill(_prose(file)[heading], values).strip())


def explanation(file: str, heading: str, **values: object) -> tuple[str, str]:
    return heading, prose(file, heading, **values)


@cache
def _prose(file: str) -> dict[str, str]:
    return sections(text_of(f"explain/{file}.md"))[1]


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
    ``verb`` rows, in so many ``tests``. ``columns``: those that are spoken of, one for several that are said together;
    if there are none, all are, by their own names and units. ``answers``: the terms of private answers to begin with.
    ``peaks``: what the first of all rows is, and what the first few are.

    Of what is tuned: ``learner``, and what for; its ``setting``; its score is ``measure``, and where that is a
    ``percent``, −(mean loss) of a loss in [0, 1], the probability that the model gives to the wrong answer: 1 + score
    is then its mean confidence in the right one.
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
    peaks: tuple[str, str] = ("best", "best")
    learner: str = ""
    setting: str = ""
    measure: str = ""
    percent: bool = False

    def label(self, problem: Problem, column: int) -> str:
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
        if not self.columns:
            return tuple(f"{name} to within {scientific(amount)} {unit}".rstrip() for name, unit, amount in columns)
        written = {column.name: column.hides for column in self.columns}
        return tuple(fill(written[name], {"amount": amount}) for name, _, amount in columns if name in written)

    def best(self, rank: float) -> str:
        """Return a rank in words, before "of" so many rows."""
        return f"the {self.peaks[0]}" if rank < 1.5 else f"one of the {rank:,.0f} {self.peaks[1]}"

    def amount(self, difference: float) -> str:
        if not self.percent:
            return two_digits(difference)
        points = 100 * difference
        return "under 0.01 points" if 0 < points < 0.005 else f"{points:.{1 if points >= 0.95 else 2}f} points"

    def score(self, score: float, digits: int = 1) -> str:
        return f"{100 * (1 + score):.{digits}f} %" if self.percent else minus(f"{score:.{digits + 2}f}")


def known(identity: str | None) -> Sample | None:
    """Return how a sample is spoken of, by its identity; None for somebody's own data."""
    return _sample(identity) if identity in facts("samples.toml") else None


def plainly(kind: str, **changed: str) -> Sample:
    """Return how somebody's own data are spoken of: a ``table``, a ``dataset`` to tune on, or another ``task``."""
    return Sample(**{**facts("samples.toml")["plain"][kind], **changed})


def of_table(problem: Problem) -> Sample:
    best = f"the {'largest' if problem.maximize else 'smallest'} {problem.output}"
    return known(problem.identity) or plainly("table", sought=best)


@cache
def _sample(identity: str) -> Sample:
    said: dict[str, Any] = dict(facts("samples.toml")[identity])
    columns = tuple(Column(**each) for each in said.pop("columns", ()))
    lists: dict[str, Any] = {name: tuple(said.pop(name)) for name in ("answers", "peaks") if name in said}
    return Sample(columns=columns, **lists, **said)
