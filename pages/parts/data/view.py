"""All that the Data page shows of one problem, at either depth, as one value; and what is said of it in short.

What Simple says is a property of the view: what is in the table, and what of it will be hidden once it leaves. What
Expert says is a function below.
"""

from dataclasses import dataclass, replace
from functools import cached_property

import pandas as pd

from pages.parts.live.desk import START
from pages.parts.live.sliders import last_values
from pages.parts.outsourced.promise import hidden
from pages.parts.shell.depth import simple
from pages.parts.system import system
from pages.parts.table.diagnostics import instead
from pages.parts.views.card import strength_fact
from pages.parts.views.content import Sample, of_table, prose
from pages.parts.views.text import SIGMA_MIN, first_hidden, minus, scientific, strong
from pages.parts.views.views import Box, Brief, Fact, Finding, Table, Tile, table
from privbo_core.data import Frame, Problem
from privbo_core.diagnostics import Diagnosis
from privbo_core.errors import Array, listed
from privbo_core.outsourced import Setting, Simulation, Spectrum, noisy_guarantee, omega
from privbo_core.privacy import strength

QUESTION = "What of a table will be hidden?"
STEPS = "Choose the file, check what was read, say what is looked for, say what was known of each column, and decide."
SAY_THERE = " Say in the table what was known, and from where."
NAMED = 3  # Columns that are named where more than these are meant.


@dataclass(frozen=True)
class Condition:
    """What Outsourced is set to, as far as the Data page depends on it."""

    epsilon: float
    delta: float
    r: int

    @property
    def omega(self) -> float:
        return omega(self.epsilon, self.delta, self.r)

    @property
    def setting(self) -> Setting:
        """The release of a hidden change that is meant by it."""
        return Setting(self.epsilon, self.delta, 1, 1)


def condition_now() -> Condition:
    """Return what was set last on Outsourced, or what it starts with."""
    last = last_values("outsourced")
    epsilon = last.get("epsilon", START if simple() else system.EPSILON)
    return Condition(epsilon, last.get("delta", system.DELTA), int(last.get("r", system.R)))


@dataclass(frozen=True)
class View:
    """A problem under a condition. ``becomes``: the ε that a promise can become of which an assumption is not met.

    ``worth``: whether the table can carry an answer, as far as that is known.
    """

    problem: Problem
    spectrum: Spectrum
    condition: Condition
    becomes: float | None = None
    worth: Diagnosis | None = None

    @cached_property
    def sample(self) -> Sample:
        return of_table(self.problem)

    @property
    def hides(self) -> tuple[str, ...]:
        """How much of each column will be hidden, in the column's own unit; of many columns, the first ones."""
        return first_hidden(self.sample.hides(self.problem, 1.0), NAMED)

    @property
    def story(self) -> str:
        problem, preparation = self.problem, self.problem.preparation
        n, whole, many = problem.n, preparation.table_rows if preparation else problem.n, self.sample.many
        used = f"{n:,} of the {whole:,} {many} are used" if whole > n else f"{n:,} {many}"
        why = self.unused if problem.identity is None else ""
        return f"{used}{why}. Somebody else will look for {self.sample.sought}."

    @property
    def unused(self) -> str:
        """Why rows are not used, as the rest of a sentence; nothing if all are."""
        dropped = self.problem.preparation.dropped if self.problem.preparation else ()
        if not dropped:
            return ""
        cells = [
            f"{each.column} is {each.reason}{',' if ',' in each.reason else ''} in {each.count:,}"
            for each in dropped[:NAMED]
        ]
        more = f" (and others: {len(dropped) - NAMED} more)" if len(dropped) > NAMED else ""
        return f"; of the others, {listed(cells)}{more}"

    @property
    def answer(self) -> str:
        first, *others = self.hides
        also = f", or {', or '.join(others)}" if len(others) < 2 else ", or a little of one other column"
        also = also if others else ""
        one, many = self.sample.one, self.sample.many
        return f"Of each {one}, noise hides the {first}{also}, but not which {many} are in the table."

    @property
    def brief(self) -> Brief:
        one, (first, *others) = self.sample.one, self.hides
        more = f". Or {', or '.join(others)}: one of them, not all at once." if others else "."
        facts = (
            Fact("What is hidden", first[0].upper() + first[1:], f"of each {one}{more} Not the outcomes."),
            Fact("From whom", self.sample.chooser.capitalize(), "and whoever gets the noisy table."),
            self.strength,
            self.cost,
        )
        unused = self.unused if self.problem.identity is not None else ""
        left_out = (f"{strong('Left out:')} {unused.removeprefix('; ')}.",) if unused else ()
        return Brief(self.answer, facts, (self.known, *left_out), "curator")

    @property
    def strength(self) -> Fact:
        """How strongly a hidden change is protected, at the ε that is set on the next page."""
        frame, setting = self.problem.frame, self.condition.setting
        promise = noisy_guarantee(setting.epsilon, setting.delta, "", frame)
        fact = strength_fact(promise, self.becomes)
        remark = f"at ε = {setting.epsilon:.3g}. The smaller, the stronger. It is set on the next page."
        if not frame.public:
            known = strength(promise)  # had it not been taken from the data
            better = f"If they were not, the same ε would be {known.word}."
            why = "It is so little because the ranges were taken from the data: one record can then move every row."
            little = known.level > (fact.level or 0)
            remark = (
                f"{remark} {f'{why} {better}' if little else 'An assumption of the guarantee is not met: see below.'}"
            )
        return replace(fact, remark=remark, right=None)

    @property
    def cost(self) -> Fact:
        """What privacy costs: nothing can be said of that here."""
        about = "What it costs"
        if nothing := instead(self.worth):
            return Fact(about, nothing.text, f"{nothing.because[0].upper()}{nothing.because[1:]}: see above.")
        return Fact(about, "See the next page", f"Noise blurs; that may take more {self.sample.tests}.")

    @property
    def known(self) -> str:
        frame, what = self.problem.frame, "range of each column and the difference to hide"
        if frame.public:
            return f"{strong('Not from the data:')} the {what}. The noisy release is proven, if that is so."
        there = SAY_THERE if self.problem.identity is None else ""
        more = " and others" if len(frame.read_off) > NAMED else ""
        ranges = f"the range of {', '.join(frame.read_off[:NAMED])}{more}, and the difference to hide"
        return f"{strong('Taken from the data:')} {ranges}. An assumption of the guarantee is not met{there}"

    @property
    def alt(self) -> str:
        dots = f"Dots for the {self.sample.many}, and around one of them, to scale"
        return f"{dots}, what will be hidden: {', or '.join(self.hides)}."


def compute(simulation: Simulation, condition: Condition) -> View:
    """Return the view of a problem; whether it carries an answer is told later."""
    return View(simulation.problem, simulation.spectrum, condition, simulation.true_epsilon(condition.setting))


def in_frame(view: View, problem: Problem) -> View:
    """Return the view of its problem in another frame, one that is typed and not yet in use."""
    same = problem.frame == view.problem.frame
    becomes = view.becomes if same else Simulation(problem).true_epsilon(view.condition.setting)
    return replace(view, problem=problem, becomes=becomes)


COLUMNS = Finding("How fast the output changes along each input", "curator", prose("data", "length-scales"))


def headline(view: View) -> tuple[Tile, ...]:
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
    frame = problem.frame
    why = prose("data", "why a frame has to be known before")
    if frame.public:
        return Finding("The frame was not taken from the data: if so, the noisy release is proven", "share", why)
    columns = ", ".join(frame.read_off[:4]) + (" …" if len(frame.read_off) > 4 else "")
    title = f"Taken from your data is the frame of {columns}: an assumption of the noisy release is not met"
    return Finding(title, "curator", why)


def frame_table(frame: Frame) -> Table:
    head, rows = ("column", "unit", "low", "high", "hidden change", "length-scale, guessed", "from the data"), []
    for each in frame.columns:
        ends = minus(f"{each.low:,.6g}"), minus(f"{each.high:,.6g}"), f"± {each.hide:,.6g}"
        scale = "a quarter of the range" if each.lengthscale is None else f"{each.lengthscale:.6g}"
        rows.append((each.name, each.unit, *ends, scale, "yes" if each.taken_from_data else "no"))
    return table(head, rows)


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
    rows = frame.map(lambda cell: minus(f"{cell:,.6g}") if isinstance(cell, float) else str(cell))
    return table([str(name) for name in frame.columns], rows.to_numpy().tolist(), "grid")


def prepared(problem: Problem) -> Box | None:
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
