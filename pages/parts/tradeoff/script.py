"""The Trade-off page's view as a script: the same sweep, and the same two answers."""

from collections.abc import Sequence

from pages.parts.bring.problems import Recipe
from pages.parts.federated.agents import Agents
from pages.parts.release.script import task_lines
from pages.parts.take_away import script as scripts
from pages.parts.take_away.script import ENGINE, NUMPY, arguments, number
from privbo_core.data import Problem
from privbo_core.federated import Settings
from privbo_core.outsourced import Setting
from privbo_core.outsourced.simulation import Measure
from privbo_core.privacy import Method

Lines = tuple[list[str], list[str]]
"""The imports and the lines that make ``question``."""
HETEROGENEITY = 0.1


def outsourced(problem: Problem, own: Recipe | None, setting: Setting, measure: Measure, best_r: bool) -> Lines:
    """Return what makes the outsourced task's question."""
    chosen = {"epsilon": setting.epsilon, "delta": setting.delta, "r": setting.r, "iterations": setting.iterations}
    chosen |= {"delta_ucb": setting.delta_ucb, "protected_distance": setting.protected_distance}
    lines = [
        scripts.problem_lines(problem, own),
        f"setting = Setting({arguments(chosen)})",
        f"question = outsourced_question(Simulation(problem), setting, measure={measure!r}, best_r={best_r})",
    ]
    return [
        "from privbo_core.outsourced import Setting, Simulation",
        "from privbo_core.tradeoff import measure, outsourced_question, settle, sweep",
    ], lines


def released(name: str, options: dict[str, object]) -> Lines:
    """Return what makes the release task's question."""
    lines = [*task_lines(name), f"question = released_question(task, {arguments(options)})"]
    return ["from privbo_core.tradeoff import measure, released_question, settle, sweep"], lines


def federated(agents: Agents, settings: Settings, N: int, measure: Measure, method: Method) -> Lines:
    """Return what makes the federated task's question."""
    lines = [
        *scripts.agents_lines(agents, HETEROGENEITY, settings),
        f"question = federated_question(simulation, settings, {N}, measure={measure!r}, method={method!r})",
    ]
    return [
        "from privbo_core.federated import Settings, Simulation",
        "from privbo_core.tradeoff import federated_question, measure, settle, sweep",
    ], lines


def trade_off(question: Lines, low: float, high: float, runs: int, epsilon: float, budget: float) -> str:
    """Return the script that makes ``question``, sweeps ε and solves both ways."""
    imports, lines = question
    lines = [
        *lines,
        f"*_, found = sweep(question, low={number(low)}, high={number(high)}, runs={runs})",
        "for name, costs in found.references.items():",
        '    show(name.replace(" ", "_"), costs.mean())',
        "plain = found.references[question.plain.name]",
        "for curve in question.curves:",
        '    name, marks = curve.name.replace(" ", "_"), found.marks[curve.name]',
        f"    if curve.low <= {number(epsilon)} <= curve.high:",
        f"        *_, here = measure(curve, {number(epsilon)}, {runs})",
        "        extra = here.above(plain)",
        '        show(f"{name}_extra", extra.mean, extra.standard_error)',
        "    if marks:",
        f"        *_, (answer, marks) = settle(curve, marks, plain, {number(budget)})",
        '        show(f"{name}_needs", answer.epsilon, answer.low, answer.high)',
        '    show(f"{name}_at", *(mark.epsilon for mark in marks))',
        '    show(f"{name}_cost", *(mark.mean for mark in marks))',
        '    show(f"{name}_error", *(mark.standard_error for mark in marks))',
    ]
    return scripts.script("Trade-off", _imports(imports, lines), "\n".join(lines))


def _imports(own: Sequence[str], lines: Sequence[str]) -> list[str]:
    text = "\n".join(lines)
    return [*(["import math"] if "math." in text else []), *([NUMPY] if "np." in text else []), ENGINE, *own]
