"""What the Simple page of Audit says. It follows what the attack has shown, and never calls a promise proved because of it."""

from dataclasses import dataclass, replace

import numpy as np

from pages.parts.audit.plain.choices import Choice, spoken
from pages.parts.outsourced.rebuild import Rebuilt
from pages.parts.show.card import strength_fact
from pages.parts.system.attack import Scene
from pages.parts.system.trials import TrialView
from pages.parts.values.numbers import scientific
from pages.parts.values.samples import Sample
from pages.parts.values.text import strong, toned
from pages.parts.values.views import Brief, Fact
from privbo_core.outsourced import Setting
from privbo_core.privacy import Guarantee, Status, TradeOff

QUESTION = "Does the promise hold?"
EXACT = 1e-3
"""What is rebuilt counts as read off if it is wrong by no more than this, in units of what was to be hidden."""
PROOFS = {
    Status.PROVED: "That alone is no proof; the proof is mathematics.",
    Status.CONDITIONAL: "That alone is no proof; the proof holds only if the frame was known before anybody looked at the data.",
    Status.CLAIMED: "That alone is no proof; the proof is the paper’s.",
}
NOBODY_HIDDEN = "Whatever ε is set to: the promise is refuted."
HOW_TO_READ = "if the promise is kept, no attack gets below the line. One in the hatched region would refute it."


@dataclass(frozen=True)
class Words:
    """The words for one attack on one scene."""

    choice: Choice
    scene: Scene

    @property
    def told(self) -> Sample:
        """How the data are spoken of."""
        return spoken(self.scene)

    @property
    def story(self) -> str:
        """Who does what, in a sentence or two."""
        told = self.told
        return self.choice.story.format(holder=told.holder, chooser=told.chooser, one=told.one, many=told.many)

    @property
    def claimed(self) -> Guarantee:
        """What is promised."""
        return self.choice.attacked.claim(self.scene)[0]

    def facts(self, got: Fact, line: TradeOff | None = None) -> tuple[Fact, ...]:
        """Return the facts to take away, with what the attack ``got``."""
        guarantee = self.claimed
        becomes = None
        if guarantee.status is Status.CONDITIONAL and self.scene.simulation is not None:
            given = self.scene.controls
            becomes = self.scene.simulation.true_epsilon(Setting(given["epsilon"], given["delta"], 1, 1))
        strength = strength_fact(guarantee, line, becomes, self.choice.guess)
        about = "What was to be hidden" if guarantee.status is Status.REFUTED else "What is hidden"
        return (
            Fact(about, *self.choice.hidden(self.scene, self.told)),
            Fact("From whom", *self.choice.whom(self.scene, self.told)),
            strength if guarantee.status is not Status.REFUTED else replace(strength, remark=NOBODY_HIDDEN),
            got,
        )

    @property
    def too_few(self) -> Brief:
        """What is said of a table in which nothing is left to rebuild."""
        problem = self.scene.problem
        answer = f"{_refuted('Broken')}; but of {problem.n} {self.told.many} this attack has to know {problem.d + 1}, so nothing is left to show."
        return Brief(answer, self.facts(Fact("What the attack got", "Nothing here", "Choose a larger table to see what it gets.")))  # fmt: skip

    def of_rebuilt(self, rebuilt: Rebuilt) -> Brief:
        """Return what the attacker made of a projection."""
        problem, known, many = rebuilt.problem, len(rebuilt.known), self.told.many
        epsilon = f"{self.scene.controls['epsilon']:.3g}"
        worst, left = float(rebuilt.errors.max()), f"{len(rebuilt.others):,} other {many}"
        start = f"Knowing {known} of {problem.n:,} {many}, the attacker has read off"
        off = f"wrong by at most {scientific(worst)} of what was to be hidden."
        if not rebuilt.whole:
            numbers = f"{rebuilt.learned} of the {problem.d} numbers"
            said = f"{start} {numbers} of each of the {left}"
            got = Fact("What the attack got", f"{numbers}", f"of each of the {left}.", tone="refuted")
        elif worst < EXACT:
            said = f"{start} all the others, exactly"
            got = Fact("What the attack got", f"All {left}", off.capitalize(), tone="refuted")
        else:
            typical = scientific(float(np.median(rebuilt.errors)))
            said = f"{start} all the others, typically to within {typical}"
            got = Fact("What the attack got", f"The {left}", off.capitalize(), tone="refuted")
        promise = (
            f"{strong('Refuted, whatever ε is:')} what is handed out is the table itself, only mixed. No noise hides anybody.",
            f"{strong('What holds instead:')} the noisy release. Pick it above.",
        )
        return Brief(
            f"{_refuted('Broken')}. {said}, at ε = {epsilon} and at any other.", self.facts(got), promise, "curator"
        )

    def of_trials(self, view: TrialView) -> Brief:
        """Return what the looks so far have shown."""
        claim, found, shown = view.trial.claim, view.shown.last, view.shown.most.epsilon
        tries, errs = f"{found.tested:,} tries", view.tiles[2].value
        claimed = f"ε = {claim:.3g}"
        guarantee = self.claimed
        refuted, able = view.shown.refuted(claim), found.could_refute(claim)
        if refuted:
            said = f"{_refuted('Broken')}. In {tries} this attack shows that ε is at least {shown:.2f}, where {claimed} is promised."
        elif not able:
            said = f"Not refuted, but {tries} could not show more than ε = {found.strongest:.2f}, and {claimed} is promised."
        else:
            said = f"It held: in {tries} this attack got no further than is promised. {PROOFS[guarantee.status]}"
        counted = f" ({claim:.3g} if counted exactly)" if claim < guarantee.epsilon else ""
        got = Fact(
            "What the attack got", "More than is promised" if refuted else "No more than is promised",
            f"It errs: {errs}; a coin: 50 %. It shows ε ≥ {shown:.2f}; promised: {guarantee.epsilon:.3g}{counted}.",
            tone="refuted" if refuted else "met",
        )  # fmt: skip
        return Brief(
            said, self.facts(got, view.trial.promise), (f"{strong('How to read it:')} {HOW_TO_READ}",),
            view.trial.seen.audience,
        )  # fmt: skip


def _refuted(text: str) -> str:
    return toned("refuted", f"✗ {text}")
