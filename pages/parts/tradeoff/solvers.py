"""The two questions of the Trade-off page, from either end: what an ε costs, and which ε a budget needs."""

from collections.abc import Generator
from typing import Any

import numpy as np

from pages.parts.controls.live_sliders import Slider
from pages.parts.tradeoff.questions import Asked, Unit
from privbo_core.errors import Array
from privbo_core.tradeoff import Answer, Mark, Sweep, measure, settle, solve
from privbo_core.tradeoff.sweep import FIRST


def epsilon_slider(asked: Asked) -> Slider:
    """Return the slider of the ε that is asked about."""
    ends = next(slider for slider in asked.panel if slider.key == "from")
    return Slider("epsilon", "ε", ends.min, ends.max, 3, "more private", "more useful",
                  "The ε that you can spend.", step=0.01, log=True)  # fmt: skip


def budget_slider(asked: Asked, unit: Unit) -> Slider:
    """Return the slider of the extra cost that is allowed, in a unit. A tenth of its size per evaluation is the default.

    The range does not depend on T, so that a budget stays when T moves.
    """
    shares = (0.002, 2.0, 0.1) if asked.summed is None else (0.02, 400.0, 0.1 * asked.summed)
    low, high, value = (unit.write(share * asked.size) for share in shares)
    name = f"a factor in {unit.text}" if unit.factor else unit.text
    return Slider("budget", f"at most this much more than {asked.question.plain.name} ({name})", low, high, value,
                  "stricter", "looser", "The extra regret that you can afford.", step=0.01, log=True)  # fmt: skip


class Solvers:
    """What is known of the two answers, to be called as the sweep goes on.

    ``extras``: the extra cost at exactly this ε by mechanism, ``old_extras`` at the ε asked about before;
    ``answers``: the ε needed, ``old_answers`` before; ``settled``: marks added on the
    way there. ``memory``: what an earlier run of the page settled for the same sweep and budget.
    """

    def __init__(self, asked: Asked, epsilon: float, budget: float, memory: dict[str, Any]) -> None:
        self._asked, self._epsilon, self._budget = asked, epsilon, budget
        self.extras: dict[str, Mark] = {}
        self.old_extras: dict[str, Mark] = memory.get("extras", {})
        self.answers: dict[str, Answer] = {}
        self.old_answers: dict[str, Answer] = memory.get("answers", {})
        same = memory.get("budget") == budget
        self.settled: dict[str, tuple[Mark, ...]] = dict(memory["settled"]) if same else {}

    def measure(self, sweep: Sweep) -> Generator[None, None, None]:
        """Run every mechanism that can be set to it at exactly this ε; yield now and then."""
        plain = self._plain(sweep)
        for _ in self._asked.question.plain.costs(self._asked.runs) if len(plain) < self._asked.runs else ():
            plain = np.asarray(_)
            yield
        for curve in self._asked.question.curves:
            if curve.low <= self._epsilon <= curve.high:
                for mark in measure(curve, self._epsilon, self._asked.runs):
                    if mark.runs:
                        self.extras[curve.name] = mark.above(plain)
                    yield

    def estimate(self, sweep: Sweep) -> None:
        """Solve for ε with the marks that there are."""
        plain = self._plain(sweep)
        for curve in self._asked.question.curves:
            marks = self._marks(sweep, curve.name)
            if len(plain) and marks:
                self.answers[curve.name] = solve([mark.above(plain) for mark in marks], self._budget, resamples=100)

    def settle(self, sweep: Sweep) -> Generator[None, None, None]:
        """Solve for ε, measuring more where the answer lies; yield now and then."""
        plain = self._plain(sweep)
        for curve in self._asked.question.curves:
            marks = self._marks(sweep, curve.name)
            if not len(plain) or not marks:
                continue
            for answer, used in settle(curve, marks, plain, self._budget):
                self.answers[curve.name] = answer
                self.settled[curve.name] = used
                yield

    def _plain(self, sweep: Sweep) -> Array:
        return np.asarray(sweep.references.get(self._asked.question.plain.name, np.empty(0)))

    def _marks(self, sweep: Sweep, name: str) -> tuple[Mark, ...]:
        """Return the marks to solve with, those that were settled earlier among them; not those that have just begun."""
        known = {mark.epsilon: mark for mark in (*self.settled.get(name, ()), *sweep.marks.get(name, ())) if mark.runs}
        enough = min(FIRST, max((mark.runs for mark in known.values()), default=0))
        return tuple(known[epsilon] for epsilon in sorted(known) if known[epsilon].runs >= enough)
