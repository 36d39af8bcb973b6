"""What the Simple page of Release says: the answer, the facts to take away, the promise in two lines."""

import math
from dataclasses import dataclass

from pages.parts.bring.worth.words import NOTHING
from pages.parts.release.own.words import hidden, holds
from pages.parts.release.plain.picture import groups
from pages.parts.release.setup import NEARLY_ALL, Setup
from pages.parts.show.card import strength_fact
from pages.parts.values.samples import Sample
from pages.parts.values.text import strong
from pages.parts.values.views import Brief, Fact, Finding

QUESTION = "A team publishes its best setting: how, and at what cost?"
NO_RECORDS = (
    "How many records are behind each score is not known, so nothing can be promised. Say so above: m, the number of "
    "validation records, and the range of what one of them contributes."
)
DRAW = "Draw it by permute-and-flip:"
"""What to do; what it costs follows."""

LEAST = 0.005
"""A cost of fewer percentage points is none with the digits that are shown."""


@dataclass(frozen=True)
class Words:
    """The words for one setting."""

    setup: Setup
    told: Sample

    @property
    def story(self) -> str:
        """Who does what, in one sentence."""
        task = self.setup.task
        system = f"A published system for that, DP-BO, draws {self._blindly}; this is what to do instead."
        if hidden(task) is not None:
            return f"{self.told.learner}: {task.n:,} settings were tried, and the team publishes one. {system}"
        return (
            f"{self.told.learner}; its setting is {self.told.setting}. The team tries {task.n:,} settings on the records of "
            f"{task.records:,} {self.told.many} and publishes one. {system}"
        )

    @property
    def lost(self) -> float:
        """What the published setting loses on average, in units of the score."""
        return self.setup.loss_of_choice() or 0.0

    @property
    def alike(self) -> bool:
        """Whether a setting drawn blindly would lose nothing that shows either: no cost is then a merit of privacy."""
        scores = self.setup.task.scores
        return self.told.percent and 100 * float(scores.max() - scores.mean()) < LEAST

    @property
    def digits(self) -> int:
        """How many decimals the percentages have."""
        return digits_of(1 + float(self.setup.task.scores.max()), 1 + self.setup.protected)

    @property
    def answer(self) -> str:
        """The answer to the page's question."""
        best, mean = float(self.setup.task.scores.max()), self.setup.protected
        epsilon, told = f"at ε = {self.setup.plan.epsilon:.3g}", self.told
        theirs = self.setup.published.loss_of_choice() or 0.0
        other = f"DP-BO as published would cost {told.amount(theirs)}"
        if not told.percent:
            return f"{DRAW} {epsilon} the published setting scores {told.score(mean)} on average; the best, {told.score(best)}. {other}."
        if self.alike:
            return f"All {self.setup.task.n:,} settings score alike, {told.score(best)} {told.measure}: none is better than another, whichever is published."
        if 100 * self.lost < LEAST:
            return f"{DRAW} {epsilon} privacy costs nothing that shows: {told.score(best)} {told.measure}. {other}."
        digits = self.digits
        cost = f"{100 * self.lost:.{digits}f} percentage points of {told.measure}"
        return f"{DRAW} {epsilon} privacy costs {cost}: {told.score(mean, digits)} instead of {told.score(best, digits)}. {other}."

    @property
    def _blindly(self) -> str:
        """How DP-BO draws at this ε, in a few words."""
        return "nearly blindly" if self.setup.published.in_effect > NEARLY_ALL else "less well"

    @property
    def cost(self) -> Fact:
        """What privacy costs, in units of the score."""
        told = self.told
        shown = f"{100 * self.lost:.{self.digits}f} points" if told.percent else told.amount(self.lost)
        if self.alike:
            return Fact("What it costs", NOTHING, f"A setting drawn blindly is as good, in {told.measure}.")
        if told.percent and 100 * self.lost < LEAST:
            shown = "Nothing that shows"
        return Fact("What it costs", shown, f"of {told.measure} on average; the team alone can compute this.")

    def brief(self) -> Brief:
        """Return the page in five seconds."""
        task, told = self.setup.task, self.told
        guarantee, own = self.setup.guarantee(1), hidden(task)
        how, condition = holds(task, guarantee)
        facts = (
            Fact("What is hidden", own.what, own.remark) if own else
            Fact("What is hidden", f"One {told.one}’s whole record", f"whatever it holds: one of the {task.records:,} that the settings were tried on. Not those that the model learned from."),
            Fact("From whom", "Everybody", "who reads which setting was published."),
            strength_fact(guarantee),
            self.cost,
        )  # fmt: skip
        return Brief(
            self.answer,
            facts,
            (
                f"{strong(how)} {condition} Each further publication about the same {told.many} adds its ε.",
                f"{strong('Not hidden:')} which settings were tried, and what the model itself gives away of the records that it learned from.",
            ),
            "curator",
        )

    @property
    def finding(self) -> Finding:
        """The picture's title."""
        return Finding(self.answer, "curator")

    @property
    def alt(self) -> str:
        """What the picture shows, for those who cannot see it."""
        first = groups(self.setup)[0]
        return (
            f"How likely the published setting is to be among the best {first.size:,}, the next {first.size:,}, and so on of "
            f"{self.setup.task.n:,}: {100 * first.chance:.0f} % for the best, where DP-BO has {100 * first.published:.0f} % and a blind draw {100 * first.blind:.0f} %."
        )


def digits_of(best: float, mean: float) -> int:
    """Return how many decimals make a subtraction of two percentages come out as it is written: 1, or else 2."""
    first, second, between = (math.floor(1000 * value + 0.5) for value in (best, mean, best - mean))
    return 1 if first - second == between > 0 else 2
