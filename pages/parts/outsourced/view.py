"""What Trade-off's Simple page and the tour show of one setting of Outsourced, as one value.

`setup` reads what is set, and `compute` yields a `View` as the searches come in.
"""

from contextlib import closing
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from pages.parts.live.work import Steps
from pages.parts.outsourced.promise import neighbours, noisy_promise, was_to_be_hidden
from pages.parts.outsourced.setup import (
    Case,
    leads,
)
from pages.parts.table.diagnostics import NOTHING
from pages.parts.views.card import strength_fact
from pages.parts.views.content import Sample, of_table
from pages.parts.views.text import strong, toned
from pages.parts.views.views import LUCK_STAMP, Brief, Fact
from pages.ui.follow import interrupt as give_way
from privbo_core.bo import ExtraSteps
from privbo_core.data import rank_sought
from privbo_core.errors import Array
from privbo_core.outsourced import (
    Comparison,
    Measure,
    Mechanism,
    Policy,
    guarantee,
    larger_differences,
)
from privbo_core.privacy import Guarantee, Status

FIRST_RUNS = 4  # What the first picture of a new curve is made of.
ENOUGH = 8  # From so many runs on, something is said of what privacy costs.
BEST = 1.5  # Typical ranks below this are the best row's.
NAMES: dict[Mechanism, str] = {"private": "mixed table", "noisy": "noisy table"}


@dataclass(frozen=True)
class View:
    """One case in one measure, with what its searches have come to so far, if there are any yet.

    Simple speaks of ranks, whatever the measure. ``earlier``: these are another setting's searches, which stand until
    the first ones are in.
    """

    case: Case
    comparison: Comparison | None = None
    measure: Measure = "simple"
    wording: Sample | None = None
    earlier: bool = False

    @cached_property
    def sample(self) -> Sample:
        return self.wording or of_table(self.case.problem)

    @property
    def runs(self) -> int:
        return self.comparison.runs if self.comparison else 0

    @property
    def searches(self) -> Comparison:
        assert self.comparison is not None
        return self.comparison

    @property
    def policies(self) -> tuple[Policy, ...]:
        """Those who search, in the order in which they are drawn."""
        now = self.searches
        return ("random", *now.baselines, *now.references, *now.mechanisms)

    def curve(self, policy: Policy) -> Array:
        """Return what is drawn of a policy: means, or for ranks medians, over the tests."""
        if self.measure == "rank":
            return np.asarray(self.searches.typical_ranks(policy).median)
        return self.searches.band(policy, self.measure).mean

    @property
    def top(self) -> float:
        """The top of the axis: the early drop may leave the picture, the comparison at the end must not."""
        if self.measure == "rank":
            return float(self.case.problem.n)
        return max(1.05 * max(self.late(policy) for policy in self.policies), 1e-3)

    def late(self, policy: Policy) -> float:
        """Return how high a curve is where the picture must hold it."""
        curve = self.curve(policy)
        return float(curve[-1] if self.measure == "cumulative" else curve[min(2, len(curve) - 1)])

    def ranks(self, mechanism: Mechanism) -> tuple[float, float]:
        """Return the typical rank of the best row found on a release, and without privacy."""
        now = self.searches
        return float(now.typical_rank(mechanism).median), float(now.typical_rank(now.reference(mechanism)).median)

    @property
    def luck(self) -> str:
        """What is stamped on curves that show a lead where the table carries no answer."""
        return LUCK_STAMP if self.case.instead else ""

    @property
    def rows(self) -> str:
        return f"{self.case.problem.n:,} {self.sample.many}"

    @property
    def tests(self) -> str:
        return f"{self.case.setting.iterations} {self.sample.tests}"

    @property
    def story(self) -> str:
        sample = self.sample
        table = "a table of mixed columns" if self.refuted else "a noisy table"
        setting = self.case.setting
        asked = f"asks for {setting.initial} random {sample.many}, then {setting.iterations}"
        return f"{sample.chooser.capitalize()} gets {table}, {asked}, seeking {sample.sought}."

    @property
    def refuted(self) -> bool:
        """Whether the paper's projection leads, whose promise is refuted."""
        return self.case.leading == "private"

    @cached_property
    def promise(self) -> Guarantee:
        setting, simulation = self.case.setting, self.case.simulation
        if self.refuted:
            return guarantee(setting.epsilon, setting.delta, neighbours(simulation.problem))
        return noisy_promise(simulation, setting)

    @cached_property
    def strength(self) -> Fact:
        if self.refuted:
            return strength_fact(self.promise)
        setting, simulation = self.case.setting, self.case.simulation
        return strength_fact(self.promise, simulation.true_epsilon(setting))

    @property
    def way(self) -> str:
        """How the search is made: never "with privacy" where next to nothing is protected."""
        if self.refuted:
            return "With the paper’s projection, which hides nothing,"
        if self.earlier:  # at another setting, which hid more or less
            return "With privacy"
        level = self.strength.level or 0
        return ("With no privacy left,", "With hardly any privacy")[level] if level < 2 else "With privacy"

    @property
    def hides(self) -> tuple[str, ...]:
        """What the noise hides of one row, each if it alone changes."""
        return self.sample.hides(self.case.problem, self.case.setting.protected_distance)

    @property
    def settled(self) -> bool:
        """Whether all runs are in: until then, what is said of them is so far."""
        return self.runs >= self.case.runs and not self.earlier

    @property
    def chance(self) -> float:
        """The typical rank of the best row that chance finds."""
        return float(self.searches.typical_rank("random").median)

    @property
    def gains(self) -> bool:
        """Whether a search without privacy beats chance for certain, and typically ends with a better row."""
        plain = self.searches.reference(self.case.leading)
        return leads(self.searches, plain, "rank") and self.ranks(self.case.leading)[1] < self.chance

    @property
    def nothing_to_tell(self) -> str:
        """What is said where there is nothing to tell of a cost: too early, no such table, no better than chance."""
        if self.runs < ENOUGH:
            return f"{self.tests} among {self.rows}: the first searches are under way …"
        if instead := self.case.instead:
            return f"{instead.title}."
        if self.gains:
            return ""
        fewer = " Plan fewer tests." if self.chance < BEST else ""
        even = f"Even without privacy {self.tests} among {self.rows} find no more than chance does"
        return self.so_far(f"{even}: there is nothing to gain by a search.{fewer}")

    @property
    def answer(self) -> str:
        if nothing := self.nothing_to_tell:
            return nothing
        sample, needed, best = self.sample, self.needed, self.sample.best
        (rank, plain), of_rows = self.ranks(self.case.leading)[:2], f"of {self.rows}"
        if needed.significant:
            takes = f"needs {self.counted} {sample.tests} to find {best(self.sought)} {of_rows}"
            return self.so_far(f"{self.way} {sample.chooser} {takes}; without, {needed.plain}.")
        if best(rank) == best(plain):
            finds = f"finds {best(rank)} {of_rows} in {self.tests}, as without: {self._later}."
            return self.so_far(f"{self.way} {sample.chooser} {finds}")
        ended = ": that may be chance"
        way = self.way[0].lower() + self.way[1:]
        found = f"{sample.chooser} has found {best(rank)} {of_rows}"
        return self.so_far(f"After {self.tests} {way} {found}; without privacy, {best(plain)}{ended}.")

    def so_far(self, said: str) -> str:
        """Return a sentence about the searches; while some are under way, as one that may still change."""
        if self.settled:
            return said
        so_far = "Before" if self.earlier else f"So far, in {self.runs} of {self.case.runs} searches"
        return f"{so_far}: {said[0].lower()}{said[1:]}"

    @property
    def needed(self) -> ExtraSteps:
        return self.searches.extra_evaluations(self.case.leading, self.sought)

    @property
    def sought(self) -> int:
        """The rank that counts as found."""
        return rank_sought(self.case.problem)

    @property
    def counted(self) -> str:
        needed = self.needed
        return str(needed.private) if needed.private_reached else f"more than {needed.limit}"

    @property
    def brief(self) -> Brief:
        setting, sample = self.case.setting, self.sample
        first, *others = self.hides
        also = f"or {', or '.join(others)}. One of them, not all at once. " if others else ""
        visible = f"{also}Still visible: who is in the table, larger differences, the outcomes."
        hidden = Fact("What is hidden", f"{first[0].upper()}{first[1:]}", visible)
        facts = (
            was_to_be_hidden(sample, self.case.problem) if self.refuted else hidden,
            Fact("From whom", sample.chooser.capitalize(), f"and whoever gets the {NAMES[self.case.leading]}."),
            self.strength,
            self.cost,
        )
        if self.refuted:
            found = f"Whoever knows a few {sample.many} can compute all others: see Audit."
            return Brief(self.answer, facts, (f"{strong('Refuted.')} {found}",))
        read_off = self.promise.status is Status.UNMET
        hides = "hides" if (self.strength.level or 0) > 1 else "hardly hides"
        only_if = f"{strong('Not met: the frame was taken from the data.')} " if read_off else ""
        small = f"the noise {hides} so small a difference in one {sample.one}’s record"
        larger = larger_differences(setting.epsilon, setting.delta)
        answer = self.answer if self.settled else toned("old", self.answer)
        return Brief(answer, facts, (f"{only_if}Whatever else somebody knows, {small}. {larger}",))

    @property
    def cost(self) -> Fact:
        about = "What it costs"
        if self.runs < ENOUGH:
            return Fact(about, "…", "being simulated")
        if instead := self.case.instead:
            return Fact(about, instead.text, instead.remark)
        runs = f"{self.runs} simulated searches."
        if not self.gains:
            no_more = f"Even without privacy the search finds no more than chance here. {runs}"
            fact = Fact(about, NOTHING, no_more)
        else:
            needed, goal = self.needed, f"to find {self.sample.best(self.sought)}"
            counts = f"{self.counted} instead of {needed.plain} {goal}"
            if not needed.plain_reached:
                counts = f"{self.counted} {goal}; without, {needed.limit} are too few"
            low, high = (f"{each}".replace("-", "−") for each in (needed.low, needed.high))
            sure = f"95 % interval: {low} to {'more than ' if needed.high_open else ''}{high} more"
            text, stop = f"{self._later[0].upper()}{self._later[1:]}", "." if needed.significant else ";"
            fact = Fact(about, text, f"{counts}{stop} {sure}; {runs}")
        if self.settled:
            return fact
        return replace(fact, text=f"{'Before:' if self.earlier else 'So far'} {fact.text.lower()}", tone="old")

    @property
    def _later(self) -> str:
        """How many more tests it takes, in words: where that is not clear, as much as it may be."""
        needed, tests, hedge = self.needed, self.sample.tests, ""
        count = needed.extra
        if not needed.significant:
            if count <= 0 and needed.high_open:
                return f"perhaps more {tests}"
            if needed.high <= 0:
                return f"no more {tests}"
            hedge, count = ("perhaps ", count) if count > 0 else ("at most ", max(needed.high, 0))
        return f"{hedge}{count} more {tests.removesuffix('s') if count == 1 else tests}"

    @property
    def alt(self) -> str:
        found = f"The rank of the best {self.sample.one} found so far against the tests made"
        return f"{found}, private, non-private and by chance."

    @property
    def median(self) -> str:
        return f"Median of {self.runs} simulated searches."


def compute(view: View) -> Steps[View]:
    case = view.case
    with closing(case.simulation.compare(case.setting, case.runs, case.mechanisms, give_way, case.also)) as steps:
        for comparison in steps:
            yield replace(view, comparison=comparison, earlier=False)
