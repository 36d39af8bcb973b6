"""What the Simple page of Federated says: the answer, the facts to take away, the promise in two lines."""

import math
from dataclasses import dataclass

from pages.parts.federated.count import Counting
from pages.parts.federated.plain.told import Told
from pages.parts.federated.setup import NOTHING_PROMISED, Setup
from pages.parts.show.card import strength_fact
from pages.parts.values.numbers import rounded_up, two_digits
from pages.parts.values.text import minus, strong
from pages.parts.values.views import Brief, Fact, Finding
from privbo_core.federated import Progress, Saving, rounds_saved, saving
from privbo_core.privacy import Status, one_in

ALGORITHMS = ("DP-FTS-DE", "TS", "FTS-DE")
"""Together with privacy, alone, together without privacy; in the order in which they are computed."""
PRIVATE, ALONE, PLAIN = ALGORITHMS
ENOUGH = 8
"""So many runs can be compared."""


@dataclass(frozen=True)
class Words:
    """The words for one setting; ``runs``: how many there will be."""

    setup: Setup
    told: Told
    counting: Counting
    runs: int

    @property
    def question(self) -> str:
        """The page's heading."""
        return f"{self.told.many.capitalize()} tune together and hide who took part: does it pay?"

    @property
    def story(self) -> str:
        """Who does what, in one sentence."""
        told, setup = self.told, self.setup
        return (
            f"Each of {setup.N:,} {told.many} tunes {told.what}. In each of {setup.settings.iterations} rounds a server asks some, drawn "
            "at random, what they have learnt, adds it up, adds noise, and tells everybody."
        )

    @property
    def noiseless(self) -> bool:
        """Whether there is no noise, and so no promise."""
        return self.counting.counted.noiseless

    @property
    def scale(self) -> float:
        """How many of the units spoken of there are in one unit of the objectives."""
        return self.setup.agents.scale * self.told.size

    def enough(self, progress: Progress | None) -> bool:
        """Whether there is enough to compare."""
        return progress is not None and progress.runs >= min(ENOUGH, self.runs)

    def saved(self, progress: Progress, name: str, over: str) -> Saving:
        """Return how much nearer to its best ``name`` is than ``over`` in the first rounds, in the unit spoken of."""
        return saving(progress, name, over, self.setup.early).times(self.scale)

    def answer(self, progress: Progress | None) -> str:
        """Return the answer to the page's question, and what is no answer to it though it is seen in the picture."""
        aside = NO_GAIN if progress is not None and self.enough(progress) and self.lies_lower(progress) else ""
        return f"{self.alone(progress)}{aside}"

    def alone(self, progress: Progress | None) -> str:
        """Return how tuning together compares with each alone: nothing of it is said that the runs do not show."""
        told, T, early = self.told, self.setup.settings.iterations, self.setup.early
        if progress is None or not self.enough(progress):
            return f"{T} rounds with {self.setup.N:,} {told.many}: the first simulated runs are under way …"
        gain, rounds = self.saved(progress, PRIVATE, ALONE), rounds_saved(progress, PRIVATE, ALONE)
        how = "without any noise" if self.noiseless else "with privacy"
        size = f"{amount(abs(gain.mean), gain.standard_error)} {told.unit}"
        if rounds.low > 0:
            begins = "no difference shows"
            if gain.clear:
                begins = f"each {told.one} {(told.better if gain.mean > 0 else told.worse).format(size)}"
            joined = "and" if gain.clear and gain.mean > 0 else "but"
            return (
                f"{how.capitalize()}, tuning together reaches in {T - rounds.rounds} rounds what each {told.one} alone reaches in {T}, "
                f"{joined} in the first {early} {begins}."
            )
        if not gain.clear:
            return f"It does not show here that tuning together pays: {how}, it is no clearly better and no clearly worse than each {told.one} alone."
        first = f"in the first {early} rounds each {told.one}"
        if gain.mean > 0:
            return f"{how.capitalize()}, tuning together pays at first: {first} {told.better.format(size)} than alone; after {T}, no lead shows."
        return f"Here tuning together does not pay: {how}, {first} {told.worse.format(size)} than alone."

    def brief(self, progress: Progress | None) -> Brief:
        """Return the page in five seconds, as far as it is known."""
        told, T = self.told, self.setup.settings.iterations
        hidden = Fact(
            "What is hidden", f"Whether {told.a_one} took part at all", f"the strongest kind: with all that it sends in {T} rounds."
        )  # fmt: skip
        if self.noiseless:
            hidden = Fact(
                "What is hidden",
                "Nothing",
                "Without noise, what the server sends can give anybody away.",
                tone="refuted",
            )
        return Brief(
            self.answer(progress),
            (
                hidden,
                Fact("From whom", "All who see what the server sends", f"the other {told.many} too. Not from the server: it is trusted."),
                self.strength(),
                self.cost(progress),
            ),
            self.promise(),
        )  # fmt: skip

    def strength(self) -> Fact:
        """Return how strongly the promise protects, by the exact count as soon as it is there."""
        counting = self.counting
        fact = strength_fact(counting.guarantee, counting.line, guess=f"whether {self.told.a_one} took part")
        if counting.settled:
            return fact
        return Fact(
            fact.about,
            fact.text,
            f"{fact.remark} At least so strong: it is being counted exactly.",
            fact.level,
            fact.tone,
        )

    def promise(self) -> tuple[str, ...]:
        """Return what holds, and what it leaves out."""
        told, promise = self.told, self.counting.guarantee
        missing = (
            f"{strong('Not hidden:')} anything from the server, how many take part, and what {told.a_one} does with its result."
        )  # fmt: skip
        if self.noiseless:
            return f"{strong('Nothing is promised:')} there is no noise.", missing
        held = {
            Status.CONDITIONAL: f"Holds only if the model of all {told.many} was known before; it was fitted to their values:",
            Status.PROVED: "Proved:",
        }[promise.status]
        fold = two_digits(rounded_up(math.exp(promise.epsilon)))
        return (
            f"{strong(held)} whatever else somebody knows, the odds that {told.a_one} took part change at most {fold}-fold, "
            f"but for a chance that {one_in(promise.delta)} is exposed.",
            missing,
        )

    def cost(self, progress: Progress | None) -> Fact:
        """Return what privacy costs, against tuning together without it."""
        about, unit = "What it costs", self.told.unit
        if progress is None or not self.enough(progress):
            done = 0 if progress is None else progress.runs
            return Fact(
                about,
                "Being simulated",
                f"{done} of {self.runs} runs are done; it is said from {min(ENOUGH, self.runs)} on.",
            )
        lost, gained = self.saved(progress, PLAIN, PRIVATE), self.saved(progress, PLAIN, ALONE)
        low, high = (amount(end, lost.standard_error) for end in (lost.low, lost.high))
        runs = f"Lost in the first {self.setup.early} rounds: {low} to {high} {unit} with 95 % certainty, over {progress.runs} simulated runs."
        if lost.low > 0:
            return Fact(
                about, f"{amount(lost.mean, lost.standard_error)} {unit}", f"Against sharing without privacy. {runs}"
            )
        if gained.low <= 0:
            return Fact(about, "Nothing to gain", f"Even without privacy, tuning together does not pay here. {runs}")
        aside = ENDS_LOWER if self.ends_lower(progress) else ""
        return Fact(about, "Nothing that shows", f"Against sharing without privacy. {runs}{aside}", tone="met")

    def ahead(self, progress: Progress) -> Saving:
        """Return how much nearer to the best together with privacy ends than together without."""
        ends = [
            (plain.simple[-1] - private.simple[-1]) * self.scale
            for plain, private in zip(progress.finished[PLAIN], progress.finished[PRIVATE], strict=False)
        ]
        return Saving.of(ends)

    def ends_lower(self, progress: Progress) -> bool:
        """Whether together with privacy is clearly nearer to the best in the end than together without."""
        return self.ahead(progress).low > 0

    def lies_lower(self, progress: Progress) -> bool:
        """Whether the picture ends with privacy below without: no runs make that a gain of privacy."""
        return not self.noiseless and self.ahead(progress).mean > 0

    @property
    def alt(self) -> str:
        """What the picture shows, for those who cannot see it."""
        return f"How far each {self.told.one} is from its best, round by round: alone, together without privacy, together with privacy."

    def finding(self, progress: Progress) -> Finding:
        """Return the picture's title."""
        note = f"Means of {max(progress.runs, 1)} simulated runs, bands ± 1 standard error."
        return Finding(self.answer(progress), "simulation", note, stamp=NOTHING_PROMISED if self.noiseless else "")


NO_GAIN = " “With privacy” lying below “without” is no gain of privacy."
ENDS_LOWER = " That it ends lower is no gain of privacy: noise makes them try other settings, as any randomness would."


def amount(value: float, error: float) -> str:
    """Return a number with the digits down to the first of its standard error; never −0."""
    places = 2 if not error > 0 else min(5, max(0, -math.floor(math.log10(error))))
    return minus(f"{round(value, places) + 0.0:.{places}f}")
