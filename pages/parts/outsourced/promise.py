"""Who neighbours are on the Outsourced page, in the data's own units, and what a guarantee means between them."""

import math
from collections.abc import Iterable

from pages.parts.live.meaning import show_meaning
from pages.parts.outsourced.setup import noisy_line
from pages.parts.views.content import Sample
from pages.parts.views.text import scientific
from pages.parts.views.views import Fact
from privbo_core.data import Problem
from privbo_core.outsourced import Setting, Simulation, larger_differences, larger_distances
from privbo_core.outsourced.comparison import Mechanism
from privbo_core.privacy import Guarantee, gaussian_epsilon, gaussian_sigma


def neighbours(problem: Problem) -> str:
    """Return the neighbouring relation of the projection in the data's own units."""
    moves = _moves(zip(problem.names, problem.units, problem.unit_distance, strict=True))
    differ = "differ in one row by at most a distance of 1 after scaling (the farthest row lies at 25)"
    return f"Two datasets that {differ}. That is {moves}, if only one of them changes."


def was_to_be_hidden(sample: Sample, problem: Problem) -> Fact:
    """Return what the paper's promise is about, and why that is not what a noisy release hides of the same column."""
    first, *others = sample.promised(problem)
    also = f"or {', or '.join(others)}: " if others else ""
    why = f"{also}the paper’s measure, a 25th of this table’s reach."
    noisy = f"Noise has its own: {', or '.join(sample.hides(problem, 1.0))}."
    return Fact("What was to be hidden", f"{first[0].upper()}{first[1:]}", f"{why} {noisy}")


def _moves(columns: Iterable[tuple[str, str, float]]) -> str:
    return " or ".join(f"{scientific(by)}{f' {unit}' if unit else ''} in {name}" for name, unit, by in columns)


def hidden(problem: Problem, distance: float = 1.0) -> str:
    """Return what the noisy release hides of one record, column by column, at so many hidden changes."""
    amounts = ((f"{scientific(distance * each.hide)} {each.unit}".rstrip(), each) for each in problem.frame.columns)
    return ", or ".join(f"± {amount} of {each.name}" for amount, each in amounts)


def noisy_neighbours(problem: Problem, distance: float) -> str:
    return (
        f"Two datasets that differ in one row by {hidden(problem, distance)}, if only one of them changes; if several "
        f"do, by a Euclidean distance of {distance:.3g} in hidden changes of the frame."
    )


def noisy_promise(simulation: Simulation, setting: Setting) -> Guarantee:
    return simulation.noisy_guarantee(setting, noisy_neighbours(simulation.problem, setting.protected_distance))


def show_meaning_of(card: Guarantee, setting: Setting, problem: Problem, mechanism: Mechanism) -> None:
    """Show what the guarantee of a release means. Several with Gaussian noise are one together, √k as far apart."""
    noisy, ratio = mechanism == "noisy", gaussian_sigma(setting.epsilon, setting.delta, 1.0)
    amounts = setting.protected_distance * problem.frame.hide if noisy else problem.unit_distance
    units = [column.unit for column in problem.frame.columns] if noisy else problem.units
    larger_noisy = larger_differences(setting.epsilon, setting.delta)
    show_meaning(
        card,
        "that a record is the real one",
        distances=list(zip(problem.names, units, amounts, strict=True)),
        together=(lambda times: gaussian_epsilon(setting.delta, ratio, math.sqrt(times))) if noisy else None,
        testing=noisy_line(setting) if noisy else None,
        larger=larger_noisy if noisy else larger_distances(setting.epsilon, setting.delta),
    )
