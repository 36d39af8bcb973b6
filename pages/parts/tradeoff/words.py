"""What the Trade-off page says: the figure's title, and the two answers with how sure they are."""

import math
from collections.abc import Mapping

import numpy as np

from pages.parts.system.question import Inquiry, Unit
from pages.parts.tradeoff.figures import SIGNS
from pages.parts.views.text import cost_text, epsilon_text, minus, strong, toned
from pages.parts.views.views import LUCK_STAMP, REFUTED_STAMP, Answer, Finding, Line
from privbo_core.errors import Array
from privbo_core.privacy import Status
from privbo_core.tradeoff import Answer as Needed
from privbo_core.tradeoff import Curve, Mark, Sweep, front

KEY = (
    "● {proved}; alone on the front (thick stairs) · ⊖ an assumption is not met: hollow with a bar, if what was "
    "taken from the data were public · ⊙ claimed · ⊗ refuted. Thin: fits that never rise"
)
ENOUGH = 8  # From so many runs at an ε on, its cost goes into the title.
RESERVES = {
    Status.PROVED: "",
    Status.UNMET: "if what was taken from the data were public",
    Status.CLAIMED: "if the claim holds",
    Status.REFUTED: "but this ε does not hold: refuted",
}
"""What has to be said beside an ε, by how far it can be relied on."""


def with_error(mean: float, error: float, unit: str) -> str:
    if math.isnan(error):
        return f"{cost_text(mean, error)} {unit} (one run)"
    if not error:
        return f"{cost_text(mean, error)} {unit} in every run"
    if error < 1e-3 * abs(mean):
        exactly = f"{mean:+,.4g}" if abs(mean) < 1e4 else f"{float(f'{mean:.3g}'):+,.0f}"
        return f"{minus(exactly)} {unit}"
    return f"{cost_text(mean, error)} ± {cost_text(error, error, signed=False)} {unit}"


def in_units(mean: float, error: float, units: tuple[Unit, ...]) -> str:
    first, *others = units
    text = with_error(mean, error, first.name)
    for unit in others:
        if unit.factor:
            low, high = (unit.write(mean + sign * (0 if math.isnan(error) else error)) for sign in (-1, 1))
            text += f", a factor of {unit.write(mean):.3g} ({low:.3g} to {high:.3g})"
        else:
            text += f" = {with_error(unit.write(mean), unit.write(error), unit.name)}"
    return text


def title(asked: Inquiry, sweep: Sweep, stopped: bool) -> Finding:
    drawn = [curve.status for curve in asked.question.curves if sweep.marks.get(curve.name)]
    stamps = [REFUTED_STAMP] if drawn and all(status is Status.REFUTED for status in drawn) else []
    stamps += [LUCK_STAMP] if asked.instead else []
    return Finding(_title(asked, sweep, stopped), "simulation", _note(asked, sweep, stopped), " · ".join(stamps))


def _title(asked: Inquiry, sweep: Sweep, stopped: bool) -> str:
    unit, question = asked.units[0].name, asked.question
    values = {mark.epsilon for marks in sweep.marks.values() for mark in marks}
    over = {curve.name: sweep.references.get(question.reference(curve).name, np.empty(0)) for curve in question.curves}
    found = [(name, mark.above(over[name])) for name, mark in front(question.curves, sweep.marks)]
    found = [(name, mark) for name, mark in found if mark.runs >= max(2, min(ENOUGH, asked.runs))]
    proved = any(curve.counts for curve in question.curves)
    if values and (instead := asked.instead):
        return instead.title if proved else f"{instead.title}; and no ε here is proved"
    if not proved and (sweep.complete or stopped):
        return _unproved(asked, sweep, over)
    if not found:
        return "Stopped before there was anything to compare" if stopped else "The first runs are on their way"
    if len(values) == 1:
        name, mark = found[0]
        cost = f"{with_error(mark.mean, mark.standard_error, unit)} ({name})"
        return f"A single ε, {epsilon_text(mark.epsilon)}, costs {cost}: too little for a front or a fit"
    (first, private), (last, useful) = found[0], found[-1]
    # Where several mechanisms are drawn, the title speaks of the one whose numbers it gives.
    kind = _subject(first) if len(question.curves) > 1 else "privacy"
    then = "it" if first == last else _subject(last)
    at, end = epsilon_text(private.epsilon), epsilon_text(useful.epsilon)
    if not _clear(private) and not _clear(useful):
        said = f"From ε = {at} on {kind} {_costs(private, unit)}"
    elif private.epsilon == useful.epsilon:
        said = f"Already at ε = {at} {kind} {_costs(private, unit)}, and more ε buys nothing"
    else:
        said = f"At ε = {at} {kind} {_costs(private, unit)}; at ε = {end} {then} {_costs(useful, unit)}"
    return said if sweep.complete else f"So far: {said[0].lower()}{said[1:]}"


def _unproved(asked: Inquiry, sweep: Sweep, over: Mapping[str, Array]) -> str:
    """Return the title where no curve is proven: the cost at its smallest ε where an assumption is not met."""
    for curve in asked.question.curves:
        marks = sweep.marks.get(curve.name, ())
        if curve.status is Status.UNMET and marks:
            extra = marks[0].above(over[curve.name])
            if extra.runs > 1:
                costs, at = _costs(extra, asked.units[0].name), epsilon_text(extra.epsilon)
                return f"No ε here is proved; {_subject(curve.name)} {costs} at ε = {at}, {RESERVES[curve.status]}"
    return "No ε here is proved, so there is no front"


def _subject(name: str) -> str:
    """Return a mechanism, or the way by which privacy is reached, as what a sentence is about."""
    return f"privacy {name}" if name.startswith("by ") else f"the {name}"


def _clear(extra: Mark) -> bool:
    return extra.mean > 0 and extra.mean >= 2 * extra.standard_error


def _costs(extra: Mark, unit: str) -> str:
    if not _clear(extra):
        return f"has no clear cost ({with_error(extra.mean, extra.standard_error, unit)})"
    return f"costs {cost_text(extra.mean, extra.standard_error, signed=False)} {unit}"


def _note(asked: Inquiry, sweep: Sweep, stopped: bool) -> str:
    count = sum(len(marks) for marks in sweep.marks.values())
    done = sum(mark.runs >= asked.runs for marks in sweep.marks.values() for mark in marks)
    runs = f"{asked.runs} {asked.repeats}"
    so_far = f"{done} of {count} marks so far have all {runs}{'; stopped' if stopped else ''}"
    state = f"{runs} at each of {count} marks" if sweep.complete else so_far
    proved = dict.fromkeys(curve.standing for curve in asked.question.curves if curve.counts and curve.standing)
    return f"{state}, ± 1 standard error. {KEY.format(proved=' or '.join(proved) or Status.PROVED.value)}."


def cost_answer(asked: Inquiry, epsilon: float, extras: Mapping[str, Mark], old: Mapping[str, Mark]) -> Answer:
    lines = tuple(_line(curve, _cost(asked, curve, epsilon, extras, old)) for curve in asked.question.curves)
    return Answer(lines, f"{asked.instead.title}." if asked.instead else "")


def _cost(asked: Inquiry, curve: Curve, epsilon: float, extras: Mapping[str, Mark], old: Mapping[str, Mark]) -> str:
    if not curve.low * (1 - 1e-9) <= epsilon <= curve.high * (1 + 1e-9):
        return _out_of_reach(curve, "this ε")
    if mark := extras.get(curve.name):
        text = strong(in_units(mark.mean, mark.standard_error, asked.units))
        if curve.status is Status.REFUTED:
            return f"{text}, but its ε = {epsilon_text(epsilon)} does not hold: refuted"
        return text if curve.counts else f"{text}, {RESERVES[curve.status]}"
    known = old.get(curve.name)
    return toned("old", in_units(known.mean, known.standard_error, asked.units) if known else "…")


def _out_of_reach(curve: Curve, which: str) -> str:
    return f"cannot be set to {which}; it reaches {epsilon_text(curve.low)} to {epsilon_text(curve.high)}"


def epsilon_answer(asked: Inquiry, answers: Mapping[str, Needed], old: Mapping[str, Needed]) -> Answer:
    """Say which ε each mechanism needs to keep to the budget; until that is there, dimmed, what ``old`` says."""
    lines = []
    for curve in asked.question.curves:
        answer = answers.get(curve.name) or old.get(curve.name)
        text = _needed(asked, curve, answer) if answer else "…"
        if curve.high < asked.low or curve.low > asked.high:
            lines.append(_line(curve, _out_of_reach(curve, "any of these ε")))
        else:
            lines.append(_line(curve, text if curve.name in answers else toned("old", text)))
    return Answer(tuple(lines), "In brackets: where it lies, about nine times in ten.")


def _line(curve: Curve, text: str) -> Line:
    return Line(curve.name, f"{SIGNS[curve.status]} {curve.name}", text, refuted=curve.status is Status.REFUTED)


def _needed(asked: Inquiry, curve: Curve, answer: Needed) -> str:
    cost = with_error(answer.cost, answer.error, asked.units[0].name)
    low, high = (epsilon_text(end) for end in answer.swept)
    reserve = "" if curve.counts else f"; {RESERVES[curve.status]}"
    if answer.reach == "never":
        likely = f", though in some resamples {epsilon_text(answer.low)} is enough" if math.isfinite(answer.low) else ""
        return f"{strong('not reached')}: even at ε = {high} it costs {cost}{likely}{reserve}"
    if answer.reach == "always":
        beyond = "" if answer.high <= answer.epsilon else f" (in some resamples not below {_end(answer)})"
        return f"{strong(f'ε = {low}')} is enough, the smallest tried: it costs {cost}{beyond}{reserve}"
    span = f"{epsilon_text(answer.low)} to {_end(answer)}"
    return f"{strong(f'ε = {epsilon_text(answer.epsilon)}')} ({span}); it then costs {cost}{reserve}"


def _end(answer: Needed) -> str:
    return epsilon_text(answer.high) if math.isfinite(answer.high) else f"beyond {epsilon_text(answer.swept[1])}"
