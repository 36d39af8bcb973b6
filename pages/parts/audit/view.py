"""What the Simple page of Audit says and shows: it follows what an attack shows, and calls no promise proved by it."""

from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from pages.parts.audit.setup import Choice
from pages.parts.outsourced.promise import was_to_be_hidden
from pages.parts.outsourced.rebuild import Rebuilt, RebuiltView
from pages.parts.system.system import Aim
from pages.parts.system.trials import TrialView
from pages.parts.views.card import strength_fact
from pages.parts.views.content import Sample, of_table, plainly
from pages.parts.views.text import minus, scientific, strong, toned
from pages.parts.views.views import Brief, Cell, Fact, Figure, Finding, Row, Table, View
from privbo_core.outsourced import Setting
from privbo_core.privacy import Guarantee, Status, TradeOff

SLOT = "audit-simple"
SHOWN = 6  # Records that are shown.
RELEASED = 3  # Numbers that are shown of each released row.
STAMP = "✗ promise refuted"
QUESTION = "Does the promise hold?"
EXACT = 1e-3
"""What is rebuilt counts as read off if it is wrong by no more than this, in units of what was to be hidden."""
ROUNDING = 1e-9  # What is wrong by less is wrong by rounding alone: its digits say nothing.
PROOFS = {
    Status.PROVED: "That alone is no proof; mathematics is.",
    Status.UNMET: "That alone is no proof; the proof holds only if the frame was known before anybody looked at "
    "the data.",
    Status.CLAIMED: "That alone is no proof; the proof is the paper’s.",
}
NOBODY_HIDDEN = "The promise is refuted."
BROKEN = toned("refuted", "✗ Broken")


@dataclass(frozen=True)
class Plainly:
    """One attack on one aim, in plain words."""

    choice: Choice
    aim: Aim

    @cached_property
    def sample(self) -> Sample:
        return of_table(self.aim.problem) if self.aim.simulation else plainly("nobody")

    @property
    def story(self) -> str:
        said = {name: getattr(self.sample, name) for name in ("holder", "chooser", "one", "many")}
        return self.choice.simply.story.format(**said)

    @property
    def claimed(self) -> Guarantee:
        return self.choice.attacked.claim(self.aim)[0]

    @property
    def hidden(self) -> Fact:
        """What the promise is about: the paper's in its own measure, another one than that of the noisy release."""
        if not self.aim.simulation:
            return Fact("What is hidden", *self.choice.simply.hidden)
        if self.claimed.status is Status.REFUTED:
            return was_to_be_hidden(self.sample, self.aim.problem)
        first, *others = self.sample.hides(self.aim.problem, 1.0)
        also = f", or {', or '.join(others)}" if others else ""
        return Fact("What is hidden", f"{first[0].upper()}{first[1:]}", f"of each {self.sample.one}{also}.")

    def facts(self, got: Fact, line: TradeOff | None = None) -> tuple[Fact, ...]:
        guarantee, becomes, given = self.claimed, None, self.aim.controls
        if guarantee.status is Status.UNMET and self.aim.simulation is not None:
            becomes = self.aim.simulation.true_epsilon(Setting(given["epsilon"], given["delta"], 1, 1))
        strength = strength_fact(replace(guarantee, curve=line or guarantee.curve), becomes, self.choice.simply.guess)
        if guarantee.status is Status.REFUTED:
            strength = replace(strength, remark=NOBODY_HIDDEN)
        whom = self.choice.simply.whom
        if self.aim.simulation:
            whom = self.sample.chooser.capitalize(), "and all who get it."
        return self.hidden, Fact("From whom", *whom), strength, got

    def brief(self, view: View) -> Brief:
        if isinstance(view, RebuiltView):
            return self._of_rebuilt(view.rebuilt)
        assert isinstance(view, TrialView)
        return self._of_trials(view)

    def figure(self, view: View, brief: Brief) -> Figure:
        """Return its picture: records side by side, or the attack's errors against the line of the promise."""
        if isinstance(view, RebuiltView):
            finding = Finding(brief.answer, "curator", "None of these was known to the attacker.", STAMP)
            return Figure(SLOT, finding, table=side_by_side(view.rebuilt, self.sample))
        assert isinstance(view, TrialView)
        testing = view.figures[2]
        stamp = STAMP if view.shown.refuted(view.trial.claim) else ""
        return replace(testing, slot=SLOT, finding=replace(testing.finding, title=brief.answer, stamp=stamp))

    @property
    def too_few(self) -> Brief:
        """What is said of a table in which nothing is left to rebuild."""
        problem = self.aim.problem
        has_to_know = f"of {problem.n} {self.sample.many} this attack has to know {problem.d + 1}"
        got = Fact("What the attack got", "Nothing here", "Choose a larger table to see what it gets.")
        return Brief(f"{BROKEN}; but {has_to_know}, so nothing is left to show.", self.facts(got))

    def _of_rebuilt(self, rebuilt: Rebuilt) -> Brief:
        problem, known, many = rebuilt.problem, len(rebuilt.known), self.sample.many
        worst, left = float(rebuilt.errors.max()), f"{len(rebuilt.others):,} other {many}"
        most = "less than a billionth" if worst < ROUNDING else f"at most {scientific(worst)}"
        off = f"Wrong by {most} of what was to be hidden."
        if not rebuilt.whole:
            what = f"{rebuilt.learned} of the {problem.d} numbers"
            read, got = f"{what} of each of the {left}", (what, f"of each of the {left}.")
        elif worst < EXACT:
            read, got = "all the others, exactly", (f"All {left}", off)
        else:
            typical = scientific(float(np.median(rebuilt.errors)))
            read, got = f"all the others, typically to within {typical}", (f"The {left}", off)
        promise = (
            f"{strong('Refuted, whatever ε is:')} what is handed out is the table itself, only mixed. No noise hides "
            "anybody.",
            f"{strong('What holds instead:')} the noisy release. Pick it above.",
        )
        start = f"{BROKEN}. Knowing {known} of {problem.n:,} {many}, the attacker has read off"
        facts = self.facts(Fact("What the attack got", *got, tone="refuted"))
        return Brief(f"{start} {read}, whatever ε is.", facts, promise, "curator")

    def _of_trials(self, view: TrialView) -> Brief:
        claim, last, shown = view.trial.claim, view.shown.last, view.shown.most.epsilon
        tries, error = f"{last.tested:,} tries", view.shown.least.error
        errs = "It never errs." if view.shown.flawless else f"At best it errs {100 * error:.1f} %: see the diamond."
        claimed = f"ε = {claim:.3g}"
        if refuted := view.shown.refuted(claim):
            most = f"ε is at least {shown:.2f}, where {claimed} is promised"
            answer = f"{BROKEN}. In {tries} this attack shows that {most}."
        elif not last.could_refute(claim):
            most = f"ε = {last.strongest:.2f}, and {claimed} is promised"
            answer = f"Not refuted, but {tries} could not show more than {most}."
        else:
            answer = f"It held: in {tries} this attack got no further than promised. {PROOFS[self.claimed.status]}"
        got = Fact(
            "What the attack got",
            "More than promised" if refuted else "No more than promised",
            f"{errs} It shows ε ≥ {shown:.2f}; promised: {self.claimed.epsilon:.3g}.",
            tone="refuted" if refuted else "met",
        )
        how = f"{strong('How to read it:')} no attack on a kept promise gets below the line."
        return Brief(answer, self.facts(got, view.trial.promise), (how,), view.trial.seen.audience)


def side_by_side(rebuilt: Rebuilt, sample: Sample) -> Table:
    """Return a few records as they are, as the attacker has read them off, and what of them was handed out."""
    problem, recovered = rebuilt.problem, rebuilt.in_units
    names = [sample.label(problem, column) for column in range(problem.d)]
    groups = (("in the table", problem.d), ("read off by the attacker", problem.d), ("from what was handed out", 1))
    head = (
        Row((Cell(sample.one, head=True, tall=2), *(Cell(name, head=True, wide=wide) for name, wide in groups))),
        Row(tuple(Cell(name, head=True) for name in (*names, *names, "mixed numbers"))),
    )
    body = []
    for row in rebuilt.shown[:SHOWN]:
        mixed = [*(f"{value:.1f}" for value in rebuilt.z[row, :RELEASED]), "…"][: rebuilt.z.shape[1]]
        numbers = [*(f"{value:,.5g}" for value in (*problem.original[row], *recovered[row])), ", ".join(mixed)]
        body.append(Row((Cell(f"{row + 1:,}", head=True), *(Cell(minus(text)) for text in numbers))))
    label = f"A few of the {problem.n:,}: in the table, and read off by the attacker"
    return Table(head, tuple(body), "compare", label)
