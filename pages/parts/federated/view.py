"""All that the Federated page shows of one setting, at either depth, as one value; and what is counted and said of it.

The shape of a page: `setup` reads what is set, `compute` yields a `View` as the runs come in, `page` draws it by one
renderer for each depth, with the pictures of `figures`. A renderer computes nothing, and a view knows no page: what a
depth says or draws is a method of the view, or a function of it. What an earlier setting left behind (a dimmed curve,
an axis that is held) is the renderer's.

"Exactly" is this project's count: one agent's share of all P vectors of a round as one vector, rounds composed by loss
distributions (`privbo_core.federated.losses`).
"""

import math
from collections.abc import Callable, Hashable, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

from pages.parts.federated.setup import ALL, ALONE, LONGEST, NOTHING_PROMISED, PLAIN, PRIVATE, Setup
from pages.parts.live.work import Steps, later, wait
from pages.parts.views.card import strength_fact
from pages.parts.views.text import epsilon_text, minus, rounded_up, strong, two_digits
from pages.parts.views.views import Brief, Fact, Finding
from privbo_core.bo import Difference
from privbo_core.federated import (
    Progress,
    Settings,
    delta_for,
    guarantee,
    losses,
    multipliers,
    rounds_needed,
    saving,
    total_loss,
    trade_off,
)
from privbo_core.privacy import Guarantee, Status, TradeOff, epsilon, one_in

PATIENCE = 20.0
"""Seconds for which a page at rest waits for a slow accountant; at the far end of the settings they give up."""
SOON, WHILE_HELD = 3.0, 0.2
"""Seconds for which a promise waits for its exact count, which takes a tenth of one; and while a thumb is held."""
ENOUGH = 8  # So many runs can be compared.
NO_GAIN = " Ending below “without privacy” is luck."
ENDS_LOWER = " That it ends lower is chance: noise makes them try other settings, as any randomness would."


@dataclass(frozen=True)
class Exact:
    """What all rounds promise, by one count: ε, and what any test can tell."""

    epsilon: float
    line: TradeOff


@dataclass(frozen=True)
class Counted:
    """ε after each round: by moments for the whole axis; up to T more tightly ("pld") and exactly ("exact").

    Unless ``fresh``, the tighter ones are those of an earlier setting, or none. ``exact``: what all rounds promise.
    """

    moments: Sequence[float]
    tighter: Mapping[str, Sequence[float]] = field(default_factory=dict)
    fresh: bool = False
    exact: Exact | None = None

    @property
    def noiseless(self) -> bool:
        return math.isinf(self.moments[0])

    @property
    def complete(self) -> bool:
        """Whether nothing is to come from the tighter accountants."""
        return self.fresh or self.noiseless

    @property
    def settled(self) -> bool:
        """Whether how strongly it protects is counted exactly, or nothing is promised."""
        return self.noiseless or self.exact is not None


class Counting:
    """What is promised, counted beside the script: exactly as soon as that is there, and never less so before.

    ``earlier``: the tighter curves of an earlier setting; None where none are drawn. They wait for a ``held`` thumb.
    """

    def __init__(self, setup: Setup, earlier: Mapping[str, Sequence[float]] | None = None, held: bool = False) -> None:
        self._setup, self._held, self._drawn = setup, held, earlier is not None
        self._times: int | None = None  # so many whole runs were asked for in vain
        moments = losses(replace(setup.settings, iterations=LONGEST), setup.N)
        self.counted = Counted(moments, earlier or {})
        self.look(WHILE_HELD if held else SOON)
        self._seen = self.counted

    def look(self, patience: float = 0.0) -> None:
        """Take what has been counted since, and go on with what is missing; wait so long for what is promised."""
        counted, settings, N = self.counted, self._setup.settings, self._setup.N
        if not counted.settled:
            counted = replace(counted, exact=exactly(settings, N, patience))

        def tighter() -> dict[str, list[float]]:
            exact = losses(settings, N, "pld", "exact")
            return {"pld": losses(settings, N, "pld"), "exact": exact}

        if self._drawn and counted.settled and not counted.complete:
            curves = self._ask("curves", tighter)
            if isinstance(curves, dict):
                counted = replace(counted, tighter=curves, fresh=True)
        if counted != self.counted:
            self.counted = counted

    def line(self, times: int = 1) -> TradeOff | None:
        """Return what all broadcasts of so many whole runs tell about an agent; None until `wait` has found it."""
        if times == 1:
            return self.counted.exact.line if self.counted.exact else None
        known = later().known(self._key(times))
        if known is None:
            self._times = times
        return known if isinstance(known, TradeOff) else None

    def together(self, times: int) -> float:
        """Return ε of so many whole runs with the same agents: exactly as soon as it is known, else by moments."""
        known, s, delta = self.line(times), self._setup.settings, delta_for(self._setup.N)
        return known.epsilon(delta) if known else epsilon(s.q, s.z, s.iterations * times, delta)

    def wait(self) -> bool:
        """Wait for something new to be seen, as long as patience lasts; return whether there is any."""
        settings, N, times = self._setup.settings, self._setup.N, self._times
        for _ in range(int(PATIENCE / 0.1)):
            self.look()
            if self.counted is not self._seen:
                self._seen = self.counted
                return True
            if self.counted.settled and (self.counted.complete or not self._drawn):
                if times is None or self.counted.noiseless:
                    return False
                if self._ask(times, lambda: trade_off(settings, N, "exact", times)) is not None:
                    return True
            wait(0.1)
        return False

    def _ask(self, what: Hashable, compute: Callable[[], object]) -> Any:  # noqa: ANN401
        return later().known(self._key(what)) if self._held else later().ask(self._key(what), compute)

    def _key(self, what: Hashable) -> Hashable:
        return what, *_counts(self._setup.settings, self._setup.N)


def exactly(settings: Settings, agents: int, patience: float) -> Exact | None:
    """Return what all rounds promise, counted beside the script: None if it is not there within so many seconds."""

    def count() -> Exact:
        return Exact(total_loss(settings, agents, "pld", "exact"), trade_off(settings, agents))

    found = later("promise").soon(_counts(settings, agents), count, patience)
    return found if isinstance(found, Exact) else None


def _counts(s: Settings, agents: int) -> tuple[Hashable, ...]:
    """Return all that ε depends on: nothing of it is anybody's data."""
    return s.q, s.z, s.iterations, s.P, s.a, s.hold, s.fade, s.calibration, s.sampling, agents


def most_saved(setup: Setup) -> float:
    """Return how many times less noise the exact calibration adds than the paper's, where it saves most."""
    papers = replace(setup.settings, z=1.0, calibration="paper")
    return float(multipliers(papers, setup.N, "exact").max())


@dataclass(frozen=True)
class View:
    """One setting as far as it has been computed: the runs, and what is counted of ε. ``stopped``: by a person."""

    setup: Setup
    progress: Progress
    counted: Counted
    stopped: bool = False

    @cached_property
    def guarantee(self) -> Guarantee:
        """What is promised, by the exact count; until that is there, what the paper's accountant allows at most."""
        settings, N, problem = self.setup.settings, self.setup.N, self.setup.simulation.problem(0)
        if exact := self.counted.exact:
            return guarantee(settings, N, "pld", "exact", problem=problem, counted=exact.epsilon)
        return guarantee(settings, N, problem=problem)

    @property
    def at_most(self) -> str:
        """What is said of ε until it is counted exactly: a bound, and no promise."""
        most = epsilon_text(self.guarantee.epsilon)
        return f"With noise {self.setup.settings.z:.3g}, ε is at most {most}, as the paper counts."

    @property
    def stamp(self) -> str:
        return NOTHING_PROMISED if self.counted.noiseless else ""

    @property
    def question(self) -> str:
        return f"{self.setup.agents.wording.many.capitalize()} tune together and hide who took part: does it pay?"

    @property
    def story(self) -> str:
        tunes = f"Each of {self.setup.N:,} {self.setup.agents.wording.many} tunes {self.setup.agents.wording.what}."
        return f"{tunes} A server adds up what some have learnt, adds noise, and tells all."

    @property
    def enough(self) -> bool:
        return self.progress.runs >= min(ENOUGH, self.setup.runs)

    def saved(self, name: str, over: str) -> Difference:
        """Return how much nearer to its best ``name`` is than ``over`` in the first rounds, in the unit spoken of."""
        return saving(self.progress, name, over, self.setup.early).times(self.setup.agents.in_words)

    @cached_property
    def answer(self) -> str:
        lies_lower = self.enough and not self.counted.noiseless and ahead(self.progress).mean > 0
        return f"{self._alone}{NO_GAIN if lies_lower else ''}"

    @property
    def _alone(self) -> str:
        """How tuning together compares with each alone: nothing of it is said that the runs do not show."""
        setup, wording = self.setup, self.setup.agents.wording
        T, early, one = setup.settings.iterations, setup.early, wording.one
        if not self.enough:
            return f"{T} rounds with {setup.N:,} {wording.many}: the first simulated runs are under way …"
        gain, rounds = self.saved(PRIVATE, ALONE), rounds_needed(self.progress, PRIVATE, PLAIN, ALONE)
        how = "without any noise" if self.counted.noiseless else "with privacy"
        differs = wording.differs(gain.mean, f"{amount(abs(gain.mean), gain.standard_error)} {wording.unit}")
        if rounds.saved_low > 0:
            begins = f"each {one} {differs}" if gain.clear else "no difference shows"
            less = "" if gain.clear and gain.mean > 0 else f", but in the first {early} {begins}"
            faster = f"reaches in {T - rounds.saved} rounds what each {one} alone reaches in {T}"
            return f"{how.capitalize()}, tuning together {faster}{less}."
        if not gain.clear:
            neither = f"it is no clearly better and no clearly worse than each {one} alone"
            return f"It does not show here that tuning together pays: {how}, {neither}."
        first = f"in the first {early} rounds each {one} {differs} than alone"
        if gain.mean > 0:
            return f"{how.capitalize()}, tuning together pays at first: {first}; after {T}, no lead shows."
        return f"Here tuning together does not pay: {how}, {first}."

    @property
    def brief(self) -> Brief:
        wording, hidden = self.setup.agents.wording, "What is hidden"
        sent = f"with all that it sends in {self.setup.settings.iterations} rounds."
        secret = Fact(hidden, f"Whether {wording.a_one} took part at all", sent)
        if self.counted.noiseless:
            why = "Without noise, what the server sends can give anybody away."
            secret = Fact(hidden, "Nothing", why, tone="refuted")
        whom = f"the other {wording.many} too. Not from the server: it is trusted."
        whom_from = Fact("From whom", "Everybody who listens", whom)
        return Brief(self.answer, (secret, whom_from, self.strength, self.cost), self._promise)

    @property
    def strength(self) -> Fact:
        if not self.counted.settled:
            return Fact("How strongly", "Being counted", self.at_most)
        exact = self.counted.exact
        return strength_fact(replace(self.guarantee, curve=exact.line if exact else None), guess="who took part")

    @property
    def _promise(self) -> tuple[str, ...]:
        wording, promise = self.setup.agents.wording, self.guarantee
        server = "anything from the server, how many take part"
        missing = f"{strong('Not hidden:')} {server}, and what {wording.a_one} does with its result."
        if self.counted.noiseless:
            return f"{strong('Nothing is promised:')} there is no noise.", missing
        only_if = f"Holds only if the model of all {wording.many} was known before; it was fitted to their values."
        held = f"{strong(only_if)} " if promise.status is Status.UNMET else ""
        fold = two_digits(rounded_up(math.exp(promise.epsilon))) if self.counted.settled else "…"
        return (
            f"{held}Whatever else somebody knows, the odds that {wording.a_one} took part change at most "
            f"{fold}-fold, and beyond that no more than if all were told {one_in(promise.delta)} times.",
            missing,
        )

    @property
    def cost(self) -> Fact:
        about, unit, done = "What it costs", self.setup.agents.wording.unit, self.progress.runs
        if not self.enough:
            remark = f"{done} of {self.setup.runs} runs are done; it is said from {min(ENOUGH, self.setup.runs)} on."
            return Fact(about, "Being simulated", remark)
        lost, gained = self.saved(PLAIN, PRIVATE), self.saved(PLAIN, ALONE)
        low, high = (amount(end, lost.standard_error) for end in (lost.low, lost.high))
        span = f"{low} to {high} {unit} with 95 % certainty"
        runs = f"Lost in the first {self.setup.early} rounds: {span}, over {done} simulated runs."
        if lost.low > 0:
            size = f"{amount(lost.mean, lost.standard_error)} {unit}"
            return Fact(about, size, f"Against sharing without privacy. {runs}")
        if gained.low <= 0:
            return Fact(about, "Nothing to gain", f"Even without privacy, tuning together does not pay here. {runs}")
        aside = ENDS_LOWER if ahead(self.progress).low > 0 else ""
        return Fact(about, "Nothing that shows", f"Against sharing without privacy. {runs}{aside}")

    @property
    def finding(self) -> Finding:
        note = f"Means of {max(self.progress.runs, 1)} simulated runs, bands ± 1 standard error."
        return Finding(self.answer, "simulation", note, self.stamp)


def ahead(progress: Progress) -> Difference:
    """Return how much nearer to the best together with privacy ends than without: that is no gain of privacy."""
    pairs = zip(progress.finished[PLAIN], progress.finished[PRIVATE], strict=False)
    return Difference.of([plain.simple[-1] - private.simple[-1] for plain, private in pairs])


def known(setup: Setup, counting: Counting, names: tuple[str, ...] = ALL, stopped: bool = False) -> View:
    done = setup.simulation.finished(setup.algorithms(names), setup.N, setup.runs)
    return View(setup, done, counting.counted, stopped)


def compute(setup: Setup, counting: Counting, names: tuple[str, ...] = ALL, stopped: bool = False) -> Steps[View]:
    """Yield the view of a setting as the runs come in, unless they were ``stopped``, and ε is counted."""
    if stopped:
        yield known(setup, counting, names, stopped)
        return
    with closing(setup.simulation.compare(setup.algorithms(names), setup.N, setup.runs)) as steps:
        for progress in steps:
            counting.look()
            yield View(setup, progress, counting.counted)
    if not counting.counted.settled:
        counting.look(PATIENCE)
        yield View(setup, progress, counting.counted)


def amount(value: float, error: float) -> str:
    """Return a number with the digits down to the first of its standard error; never −0."""
    places = 2 if not error > 0 else min(5, max(0, -math.floor(math.log10(error))))
    return minus(f"{round(value, places) + 0.0:.{places}f}")
