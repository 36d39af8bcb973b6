"""How the Trade-off page gets from a question to its marks and answers, state by state; and the script of it."""

from collections.abc import Generator, Mapping
from contextlib import closing
from dataclasses import dataclass, field, replace

import numpy as np

from pages.parts.export.offer import ENGINE, NUMPY, number, script
from pages.parts.system.question import Inquiry
from privbo_core.errors import Array
from privbo_core.tradeoff import Answer, Curve, Mark, Sweep, measure, settle, solve, sweep
from privbo_core.tradeoff.sweep import FIRST_RUNS


@dataclass(frozen=True)
class Wanted:
    """What a person wants to know of a question: what exactly this ε costs, and which ε keeps to this extra cost."""

    inquiry: Inquiry
    epsilon: float
    budget: float


@dataclass(frozen=True, eq=False)
class State:
    """How far the page has got.

    ``extras``: the extra cost at exactly the ε asked about, by mechanism; ``answers``: the ε needed; those of an ε or a
    budget asked about before are ``old``. ``settled``: marks added on the way to the ε needed. ``measured``: all
    that an outlined sweep allows to say at once is there.
    """

    sweep: Sweep = field(default_factory=Sweep)
    settled: Mapping[str, tuple[Mark, ...]] = field(default_factory=dict)
    extras: Mapping[str, Mark] = field(default_factory=dict)
    answers: Mapping[str, Answer] = field(default_factory=dict)
    old_extras: Mapping[str, Mark] = field(default_factory=dict)
    old_answers: Mapping[str, Answer] = field(default_factory=dict)
    measured: bool = False

    def again(self, *, same_budget: bool) -> "State":
        """Return what the next run of the page begins with, for the same sweep."""
        return State(
            self.sweep,
            self.settled if same_budget else {},
            old_extras={**self.old_extras, **self.extras},
            old_answers={**self.old_answers, **self.answers},
        )

    @property
    def shown(self) -> Sweep:
        """The sweep with the marks that were settled, in order of ε; where both have one, that with more runs."""
        merged = {}
        for name, known in self.sweep.marks.items():
            by_epsilon = {mark.epsilon: mark for mark in self.settled.get(name, ())}
            for mark in known:
                if mark.epsilon not in by_epsilon or mark.runs >= by_epsilon[mark.epsilon].runs:
                    by_epsilon[mark.epsilon] = mark
            merged[name] = tuple(by_epsilon[epsilon] for epsilon in sorted(by_epsilon))
        return replace(self.sweep, marks=merged)

    def marks(self, curve: Curve) -> tuple[Mark, ...]:
        """Return a mechanism's marks to solve with, those that were settled among them, but none just begun."""
        both = (*self.settled.get(curve.name, ()), *self.sweep.marks.get(curve.name, ()))
        known = {mark.epsilon: mark for mark in both if mark.runs}
        enough = min(FIRST_RUNS, max((mark.runs for mark in known.values()), default=0))
        return tuple(known[epsilon] for epsilon in sorted(known) if known[epsilon].runs >= enough)


States = Generator[State, None, None]
Stage = Generator[State, None, State]  # A part of the way: its states, and at last the one that it has come to.


def states(wanted: Wanted, state: State, *, stopped: bool, held: bool) -> States:
    """Yield how far the page has got, from ``state`` on, and again where nothing is new.

    First the sweep; as soon as it is outlined, both answers; when it is complete, both answers as exactly as they can
    be had. A ``stopped`` sweep is not continued; while a thumb is ``held`` it goes no further than its outline, and no
    marks are added for the ε needed.
    """
    state = _estimated(wanted, state)
    yield state
    if not (stopped or state.sweep.complete):
        state = yield from _swept(wanted, state, held)
    state = yield from _measured(wanted, state)
    yield state
    if not held:
        yield from _settled(wanted, state)


def _swept(wanted: Wanted, state: State, held: bool) -> Stage:
    """Go on with the sweep. One that was interrupted catches up from memory; until then nothing is new."""
    asked = wanted.inquiry
    with closing(sweep(asked.question, low=asked.low, high=asked.high, runs=asked.runs)) as stream:
        for found in stream:
            if found.total < state.sweep.total and not found.complete:
                yield state
                continue
            state = replace(state, sweep=found)
            yield state
            if found.outlined and not state.measured:
                state = yield from _measured(wanted, state)
                state = _estimated(wanted, state)
                yield state
            if found.outlined and held:
                break
    return state


def _measured(wanted: Wanted, state: State) -> Stage:
    """Run every mechanism that can be set to it at exactly this ε."""
    asked = wanted.inquiry
    for curve in asked.question.curves:
        if curve.low <= wanted.epsilon <= curve.high:
            plain = _plain(asked, curve, state.sweep)
            if len(plain) < asked.runs:
                for more in asked.question.reference(curve).costs(asked.runs):
                    plain = more
                    yield state
            mark = Mark(wanted.epsilon, np.empty(0))
            for grown in measure(curve, wanted.epsilon, asked.runs):
                mark = grown
                yield state
            if mark.runs:
                state = replace(state, extras={**state.extras, curve.name: mark.above(plain)})
    return replace(state, measured=True)


def _estimated(wanted: Wanted, state: State) -> State:
    answers = dict(state.answers)
    for curve in wanted.inquiry.question.curves:
        plain, marks = _plain(wanted.inquiry, curve, state.sweep), state.marks(curve)
        if len(plain) and marks:
            answers[curve.name] = solve([mark.above(plain) for mark in marks], wanted.budget, resamples=100)
    return replace(state, answers=answers)


def _settled(wanted: Wanted, state: State) -> States:
    """Solve for ε, measuring more where the answer lies."""
    for curve in wanted.inquiry.question.curves:
        plain, marks = _plain(wanted.inquiry, curve, state.sweep), state.marks(curve)
        if not len(plain) or not marks:
            continue
        for answer, used in settle(curve, marks, plain, wanted.budget):
            state = replace(
                state, answers={**state.answers, curve.name: answer}, settled={**state.settled, curve.name: used}
            )
            yield state


def _plain(asked: Inquiry, curve: Curve, sweep: Sweep) -> Array:
    """Return the costs of the search that a mechanism is compared with, as far as they are known."""
    return np.asarray(sweep.references.get(asked.question.reference(curve).name, np.empty(0)))


def trade_off(asked: Inquiry, epsilon: float, budget: float) -> str:
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
    text = "\n".join(lines)
    needed = [line for line, used in (("import math", "math."), (NUMPY, "np.")) if used in text]
    return script("Trade-off", [*needed, ENGINE, *imports], text)
