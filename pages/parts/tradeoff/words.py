"""What the Trade-off page says: the figure's title, and the two answers with how sure they are."""

import math
from collections.abc import Mapping

from pages.parts.federated.words import epsilon_text
from pages.parts.show.look import badge, finding
from pages.parts.tradeoff.figures import SIGNS
from pages.parts.tradeoff.questions import Asked, Unit
from privbo_core.privacy import Status
from privbo_core.tradeoff import Answer, Curve, Mark, Sweep, front

KEY = "● proved · ⊙ claimed · ⊗ refuted, never on the front (thick stairs). Thin: fits that never rise"


def amount(value: float, error: float, signed: bool = True) -> str:
    """Return a cost with as many digits as its error deserves: two decimals at least, or three digits above 100."""
    if value and abs(value) >= 100:
        return f"{float(f'{value:.3g}'):{'+' if signed else ''},.0f}".replace("-", "−")
    digits = 2 if not (math.isfinite(error) and error > 0) else min(5, max(2, 1 - math.floor(math.log10(error))))
    text = f"{value:{'+' if signed else ''}.{digits}f}"
    return text.replace("-", "−")


def with_error(mean: float, error: float, unit: str) -> str:
    """Return a cost, its standard error, and the unit."""
    if math.isnan(error):
        return f"{amount(mean, error)} {unit} (one run)"
    if error < 1e-3 * abs(mean):
        exactly = f"{mean:+,.4g}" if abs(mean) < 1e4 else f"{float(f'{mean:.3g}'):+,.0f}"
        return f"{exactly.replace('-', '−')} {unit}"
    return f"{amount(mean, error)} ± {amount(error, error, signed=False)} {unit}"


def in_units(mean: float, error: float, units: tuple[Unit, ...]) -> str:
    """Return a cost in the figure's unit and, where there are any, in the output's own."""
    first, *others = units
    text = with_error(mean, error, first.name)
    for unit in others:
        if unit.factor:
            low, high = (unit.write(mean + sign * (0 if math.isnan(error) else error)) for sign in (-1, 1))
            text += f", a factor of {unit.write(mean):.3g} ({low:.3g} to {high:.3g})"
        else:
            text += f" = {with_error(unit.write(mean), unit.write(error), unit.name)}"
    return text


def title(asked: Asked, sweep: Sweep, stopped: bool) -> str:
    """Return the figure's title: what privacy costs at the ends of the front."""
    unit, plain = asked.units[0].name, asked.question.plain.name
    values = {mark.epsilon for marks in sweep.marks.values() for mark in marks}
    small = _note(asked, sweep, stopped)
    counted = [curve for curve in asked.question.curves if curve.counts]
    found = [(name, mark.above(sweep.references[plain])) for name, mark in front(counted, sweep.marks)
             if len(sweep.references.get(plain, ()))]  # fmt: skip
    found = [(name, mark) for name, mark in found if mark.runs > 1]
    if not found:
        said = "Stopped before there was anything to compare" if stopped else "The first runs are on their way"
        return finding(said, "simulation", small)
    if len(values) == 1:
        name, mark = found[0]
        cost = f"{with_error(mark.mean, mark.standard_error, unit)} ({name})"
        return finding(
            f"A single ε, {epsilon_text(mark.epsilon)}, costs {cost}: too little for a front or a fit",
            "simulation",
            small,
        )
    (_, private), (_, useful) = found[0], found[-1]
    kind = (
        "proved privacy" if all(curve.status is Status.PROVED for curve in counted) else "privacy, proved or claimed,"
    )
    at, end = epsilon_text(private.epsilon), epsilon_text(useful.epsilon)
    if not _clear(private) and not _clear(useful):
        said = f"From ε = {at} on {kind} {_costs(private, unit)}"
    elif private.epsilon == useful.epsilon:
        said = f"Already at ε = {at} {kind} {_costs(private, unit)}, and more ε buys nothing"
    else:
        said = f"At ε = {at} {kind} {_costs(private, unit)}; at ε = {end} it {_costs(useful, unit)}"
    return finding(said if sweep.complete else f"So far: {said[0].lower()}{said[1:]}", "simulation", small)


def _clear(extra: Mark) -> bool:
    return extra.mean > 0 and extra.mean >= 2 * extra.standard_error


def _costs(extra: Mark, unit: str) -> str:
    if not _clear(extra):
        return f"has no clear cost ({with_error(extra.mean, extra.standard_error, unit)})"
    return f"costs {amount(extra.mean, extra.standard_error, signed=False)} {unit}"


def _note(asked: Asked, sweep: Sweep, stopped: bool) -> str:
    count = sum(len(marks) for marks in sweep.marks.values())
    done = sum(mark.runs >= asked.runs for marks in sweep.marks.values() for mark in marks)
    state = (
        f"{asked.runs} runs at each of {count} marks"
        if sweep.complete
        else f"{done} of {count} marks so far have all {asked.runs} runs{'; stopped' if stopped else ''}"
    )
    return f"{state}, ± 1 standard error. {KEY}."


def cost_answer(asked: Asked, epsilon: float, extras: Mapping[str, Mark], old: Mapping[str, Mark]) -> str:
    """Return the HTML that says what each mechanism costs at this ε; dimmed, until it is there, what ``old`` says."""
    rows = []
    for curve in asked.question.curves:
        if not curve.low * (1 - 1e-9) <= epsilon <= curve.high * (1 + 1e-9):
            reach = f"{epsilon_text(curve.low)} to {epsilon_text(curve.high)}"
            rows.append((curve, f"cannot be set to this ε; it reaches {reach}"))
            continue
        mark = extras.get(curve.name)
        if mark is None or not mark.runs:
            known = old.get(curve.name)
            text = in_units(known.mean, known.standard_error, asked.units) if known and known.runs else "…"
            rows.append((curve, f'<span class="pb-old">{text}</span>'))
            continue
        text = f"<b>{in_units(mark.mean, mark.standard_error, asked.units)}</b>"
        if not curve.counts:
            text += f", but its ε = {epsilon_text(epsilon)} does not hold: refuted"
        rows.append((curve, text))
    return _answers(rows)


def epsilon_answer(asked: Asked, answers: Mapping[str, Answer], old: Mapping[str, Answer]) -> str:
    """Return the HTML that says which ε each mechanism needs to keep to the budget; dimmed, until it is there, ``old``."""
    rows = []
    for curve in asked.question.curves:
        answer = answers.get(curve.name)
        if answer is None:
            known = old.get(curve.name)
            rows.append((curve, f'<span class="pb-old">{_needed(asked, curve, known) if known else "…"}</span>'))
            continue
        rows.append((curve, _needed(asked, curve, answer)))
    return _answers(rows) + '<div class="pb-note">In brackets: where it lies, about nine times in ten.</div>'


def _needed(asked: Asked, curve: Curve, answer: Answer) -> str:
    cost = with_error(answer.cost, answer.error, asked.units[0].name)
    low, high = (epsilon_text(end) for end in answer.swept)
    refuted = "" if curve.counts else "; but this ε does not hold: refuted"
    if answer.reach == "never":
        likely = f", though in some resamples {epsilon_text(answer.low)} is enough" if math.isfinite(answer.low) else ""
        return f"<b>not reached</b>: even at ε = {high} it costs {cost}{likely}{refuted}"
    if answer.reach == "always":
        beyond = "" if answer.high <= answer.epsilon else f" (in some resamples not below {_end(answer)})"
        return f"<b>ε = {low}</b> is enough, the smallest tried: it costs {cost}{beyond}{refuted}"
    span = f"{epsilon_text(answer.low)} to {_end(answer)}"
    return f"<b>ε = {epsilon_text(answer.epsilon)}</b> ({span}); it then costs {cost}{refuted}"


def _end(answer: Answer) -> str:
    return epsilon_text(answer.high) if math.isfinite(answer.high) else f"beyond {epsilon_text(answer.swept[1])}"


def _answers(rows: list[tuple[Curve, str]]) -> str:
    items = "".join(
        f'<div data-mechanism="{curve.name}"><span{"" if curve.counts else " class=pb-refuted"}>{SIGNS[curve.status]} {curve.name}</span>: {text}.</div>'
        for curve, text in rows
    )
    return f'<div class="pb-answers" role="status">{items}</div>'


def heading(text: str) -> str:
    """Return the HTML of a solver's heading."""
    return f'<div class="pb-finding"><h3>{text}</h3>{badge("simulation")}</div>'
