"""What the Simple page of Outsourced says: the answer, the facts to take away, the promise in two lines."""

from dataclasses import dataclass

from pages.parts.bring.worth.words import NOTHING
from pages.parts.outsourced.neighbours import noisy_promise, on_whose_word
from pages.parts.outsourced.regret import ENOUGH, leads
from pages.parts.outsourced.shape import noisy_line
from pages.parts.outsourced.sliders import Case
from pages.parts.show.card import strength_fact
from pages.parts.values.numbers import best
from pages.parts.values.samples import Sample
from pages.parts.values.text import strong
from pages.parts.values.views import Brief, Fact, Finding
from privbo_core.outsourced import Comparison, larger_differences
from privbo_core.privacy import Status


@dataclass(frozen=True)
class Words:
    """The words for one setting."""

    case: Case
    told: Sample

    @property
    def question(self) -> str:
        """The page's heading."""
        told = self.told
        return f"{told.holder} lets somebody else choose which {told.many} to {told.verb}: what does privacy cost?"

    @property
    def story(self) -> str:
        """Who does what, in one sentence."""
        told, problem = self.told, self.case.simulation.problem
        return (
            f"{told.chooser.capitalize()} gets the table of {problem.n:,} {told.many} with noise added, asks for one {told.one} after "
            f"the other to {told.verb}, {self.case.setting.iterations} in all, and looks for {told.sought}."
        )

    @property
    def hides(self) -> tuple[str, ...]:
        """What is hidden of one row, each if it alone changes."""
        return self.told.hides(self.case.simulation.problem, self.case.setting.protected_distance)

    def answer(self, comparison: Comparison | None) -> str:
        """Return the answer to the page's question: the same two curves as in the picture, in words."""
        told, rows = self.told, f"{self.case.simulation.problem.n:,} {self.told.many}"
        tests = f"{self.case.setting.iterations} {told.tests}"
        if comparison is None or comparison.runs < ENOUGH:
            return f"{tests} among {rows}: the first searches are under way …"
        if instead := self.case.instead:
            return f"{instead.title}."
        if not leads(comparison, comparison.reference("noisy"), "rank"):
            return f"Even without privacy {tests} among {rows} find no more than chance does: there is nothing to gain by a search."
        needed = comparison.tests_needed("noisy")
        plain = float(comparison.typical_rank(comparison.reference("noisy")).median)
        if needed.low > 0 and needed.rank <= plain:
            takes = (
                f"With privacy {told.chooser} needs {needed.private} {told.tests} to find {best(needed.rank)} of {rows}"
            )
            why = "" if needed.rank < 1.5 else f", as good as in all {self.case.setting.iterations}"
            return f"{takes}{why}; without, {needed.plain}."
        if needed.low > 0:
            return f"After {tests} with privacy {told.chooser} has found {best(needed.rank)} of {rows}; without privacy, {best(plain)}."
        return f"With privacy {told.chooser} finds {best(max(needed.rank, plain))} of {rows} in {tests}, about as well as without."

    def brief(self, comparison: Comparison | None) -> Brief:
        """Return the page in five seconds, as far as it is known."""
        setting, simulation = self.case.setting, self.case.simulation
        promise, told = noisy_promise(simulation, setting), self.told
        first, *others = self.hides
        also = f"or {', or '.join(others)}: one of them, not all at once. " if others else ""
        word = on_whose_word(simulation.problem)
        facts = (
            Fact("What is hidden", first[0].upper() + first[1:], f"{also}Still visible: who is in the table, larger differences, the outcomes."),
            Fact("From whom", told.chooser.capitalize(), "and everybody else who gets the noisy table."),
            strength_fact(promise, noisy_line(setting, simulation.problem.frame.d), simulation.true_epsilon(setting), word=word),
            self.cost(comparison),
        )  # fmt: skip
        held = "Holds only if the frame was known beforehand"
        if promise.status is Status.PROVED:
            held = f"Proved if the frame was public, {word}" if word else "Proved"
        return Brief(
            self.answer(comparison),
            facts,
            (
                f"{strong(f'{held}:')} whatever else somebody knows, the noise hides so small a difference in one {told.one}’s record. "
                f"{larger_differences(setting.epsilon, setting.noisy_delta)}",
            ),
        )

    def cost(self, comparison: Comparison | None) -> Fact:
        """Return what privacy costs, in tests: the distance between the two curves of the picture."""
        about = "What it costs"
        if comparison is None or comparison.runs < ENOUGH:
            return Fact(about, "…", "being simulated")
        needed, tests = comparison.tests_needed("noisy"), self.told.tests
        runs = f"{comparison.runs} simulated searches."
        if instead := self.case.instead:
            return Fact(about, instead.text, instead.remark)
        if not leads(comparison, comparison.reference("noisy"), "rank"):
            return Fact(about, NOTHING, f"Even without privacy the search finds no more than chance here. {runs}")
        if needed.low <= 0:
            return Fact(
                about,
                f"No more {tests} measured",
                f"At most {self._more(max(needed.high, 0))}, with 95 % certainty; {runs}",
                tone="met",
            )
        said = f"{needed.private} instead of {needed.plain} until {best(needed.rank)} is found. 95 % interval: {needed.low} to {needed.high} more; {runs}"
        return Fact(about, self._more(needed.more), said)

    def _more(self, count: int) -> str:
        """Return so many more tests, in words."""
        tests = self.told.tests
        return f"{count} more {tests.removesuffix('s') if count == 1 else tests}"

    @property
    def alt(self) -> str:
        """What the picture shows, for those who cannot see it."""
        return f"The rank of the best {self.told.one} found so far against the tests made, private, non-private and by chance."

    def finding(self, comparison: Comparison) -> Finding:
        """Return the picture's title."""
        return Finding(self.answer(comparison), "simulation", f"Median of {comparison.runs} simulated searches.")
