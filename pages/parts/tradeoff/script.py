"""The Trade-off page's view as a script: the same sweep, and the same two answers."""

from collections.abc import Sequence

from pages.parts.system.question import Asked
from pages.parts.take_away.script import ENGINE, NUMPY, number, script


def trade_off(asked: Asked, epsilon: float, budget: float) -> str:
    """Return the script that makes the question, sweeps ε and solves both ways."""
    imports, lines = asked.lines()
    lines = [
        *lines,
        f"*_, found = sweep(question, low={number(asked.low)}, high={number(asked.high)}, runs={asked.runs})",
        "for name, costs in found.references.items():",
        '    show(name.replace(" ", "_"), costs.mean())',
        "for curve in question.curves:",
        '    name, marks = curve.name.replace(" ", "_"), found.marks[curve.name]',
        "    plain = found.references[question.reference(curve).name]",
        f"    if curve.low <= {number(epsilon)} <= curve.high:",
        f"        *_, here = measure(curve, {number(epsilon)}, {asked.runs})",
        "        extra = here.above(plain)",
        '        show(f"{name}_extra", extra.mean, extra.standard_error)',
        "    if marks:",
        f"        *_, (answer, marks) = settle(curve, marks, plain, {number(budget)})",
        '        show(f"{name}_needs", answer.epsilon, answer.low, answer.high)',
        '    show(f"{name}_at", *(mark.epsilon for mark in marks))',
        '    show(f"{name}_cost", *(mark.mean for mark in marks))',
        '    show(f"{name}_error", *(mark.standard_error for mark in marks))',
    ]
    return script("Trade-off", _imports(imports, lines), "\n".join(lines))


def _imports(own: Sequence[str], lines: Sequence[str]) -> list[str]:
    text = "\n".join(lines)
    return [*(["import math"] if "math." in text else []), *([NUMPY] if "np." in text else []), ENGINE, *own]
