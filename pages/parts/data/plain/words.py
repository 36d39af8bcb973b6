"""What the Simple page of Data says: what is in the table, and what of it will be hidden once it leaves."""

from dataclasses import dataclass, replace

from pages.parts.bring.worth.words import instead
from pages.parts.data.words import Condition
from pages.parts.outsourced.promise import on_whose_word
from pages.parts.outsourced.shape import noisy_line
from pages.parts.show.card import strength_fact
from pages.parts.values.samples import Sample
from pages.parts.values.text import strong
from pages.parts.values.views import Brief, Fact, Finding
from privbo_core.data import Problem
from privbo_core.diagnostics import Worth
from privbo_core.outsourced import Setting, noisy_guarantee
from privbo_core.privacy import Guarantee, strength

QUESTION = "What is in the table, and what of it will be hidden?"
STEPS = "Choose the file, check what was read, say what is looked for, say what was known of each column, and decide."
SAY_BELOW = " Say below what was known, and from where."
NAMED = 3
"""Columns that are named where more than these are meant."""


@dataclass(frozen=True)
class Words:
    """The words for one problem. ``condition``: what Outsourced is set to now; ``becomes``: the ε that a conditional promise can become.

    ``worth``: whether the table can carry an answer, as far as that is known.
    """

    problem: Problem
    told: Sample
    condition: Condition
    becomes: float | None = None
    worth: Worth | None = None

    @property
    def hides(self) -> tuple[str, ...]:
        """How much of each column will be hidden, in the column's own unit; of many columns, the first ones."""
        said = self.told.hides(self.problem, 1.0)
        return said if len(said) <= NAMED else (*said[:NAMED], f"so much of {len(said) - NAMED} other columns")

    @property
    def story(self) -> str:
        """What is in the table, in one sentence."""
        problem, preparation = self.problem, self.problem.preparation
        n, whole, many = problem.n, preparation.table_rows if preparation else problem.n, self.told.many
        place = "the table" if problem.identity is None else "this sample"
        used = f"{n:,} of the {whole:,} {many} in {place} are used" if whole > n else f"{n:,} {many}"
        return f"{used}{self.unused}. Somebody else will look for {self.told.sought} among them."

    @property
    def unused(self) -> str:
        """Why rows are not used, as the rest of a sentence; nothing if all are."""
        preparation = self.problem.preparation
        found = preparation.dropped if preparation else ()
        if not found:
            return ""
        cells = [
            f"{each.column} is {each.reason}{',' if ',' in each.reason else ''} in {each.count:,}"
            for each in found[:NAMED]
        ]
        more = f" (and {len(found) - NAMED} more reasons)" if len(found) > NAMED else ""
        said = " and ".join(filter(None, (", ".join(cells[:-1]), cells[-1])))
        return f"; of the others, {said}{more}"

    @property
    def brief(self) -> Brief:
        """The page in five seconds."""
        one, (first, *others) = self.told.one, self.hides
        also = f", or {', or '.join(others)} (one of them, not all at once)" if others else ""
        setting = Setting(self.condition.epsilon, self.condition.delta, 1, 1)
        promise = noisy_guarantee(setting.epsilon, setting.delta, "", self.problem.frame)
        fact = strength_fact(
            promise, noisy_line(setting, self.problem.frame.d), self.becomes, word=on_whose_word(self.problem)
        )
        whether = "" if self.problem.frame.public else f" {self._conditional(promise, fact)}"
        return Brief(
            f"Of each {one}, noise will hide the {first}{also}. It will not hide which {self.told.many} are in the table.",
            (
                Fact("What is hidden", first[0].upper() + first[1:], f"of each {one}, and more: see above. Not the outcomes." if others else f"of each {one}. Not the outcomes."),
                Fact("From whom", self.told.chooser.capitalize(), "and everybody else who gets the noisy table."),
                replace(fact, remark=f"at ε = {setting.epsilon:.3g}, which is set on the next page: the smaller, the stronger.{whether}"),
                self.cost,
            ),
            (self.known,),
            "curator",
        )  # fmt: skip

    def _conditional(self, promise: Guarantee, fact: Fact) -> str:
        """Return why so little is left while the frame is one that was read off the data."""
        better = strength(promise, noisy_line(Setting(promise.epsilon, promise.delta, 1, 1), self.problem.frame.d))
        if better.level <= (fact.level or 0):
            return "The promise is conditional: see below."
        return (
            "It is so little because the ranges were read off the data: one record can then move every row. Known beforehand, the same ε would be "
            f"{better.word}."
        )

    @property
    def cost(self) -> Fact:
        """What privacy costs: nothing can be said of that here, and nothing is to be said where the table carries no answer."""
        about = "What it costs"
        if nothing := instead(self.worth):
            return Fact(about, nothing.text, f"{nothing.because[0].upper()}{nothing.because[1:]}: see above.")
        return Fact(about, "See the next page", f"Noise blurs where {self.told.sought} lies; that may take more {self.told.tests}.")  # fmt: skip

    @property
    def known(self) -> str:
        """Where the frame was known from, and what follows."""
        frame = self.problem.frame
        if frame.public:
            what = "the range of each column and the difference to hide were known before anybody looked"
            if word := on_whose_word(self.problem):
                return f"{strong(f'Known beforehand, {word}:')} {what}. If that is so, the promise is proved; nobody has checked it."
            return f"{strong('Known beforehand:')} {what}: the promise is proved."
        if not frame.read_off:
            return f"{strong('Read off the data:')} how its numbers are written. The promise then holds only if that could have been known without looking.{SAY_BELOW if self.problem.identity is None else ''}"
        more = " and others" if len(frame.read_off) > NAMED else ""
        return (
            f"{strong('Read off the data:')} the range of {', '.join(frame.read_off[:NAMED])}{more}, and the difference to hide. The promise then holds only if they "
            f"could have been known without looking.{SAY_BELOW if self.problem.identity is None else ''}"
        )

    @property
    def finding(self) -> Finding:
        """The picture's title."""
        return Finding(self.brief.answer, "curator", "What lies outside of the frame counts as at its edge.")

    @property
    def alt(self) -> str:
        """What the picture shows, for those who cannot see it."""
        return f"Dots for the {self.told.many}, and around one of them, to scale, what will be hidden: {', or '.join(self.hides)}."
