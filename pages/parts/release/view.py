"""All that the Release page shows of one setting, at either depth, as one value; and what is counted and said of it.

`setup` reads what is set, `compute` makes a `View` of it, `page` draws that by one renderer for each depth, with the
pictures of `figures`. What Simple says is a property of the view; what Expert says, a function of it in `words`. All
amounts are in units of the score f_V, whatever frame the plan works in.
"""

import math
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from pages.parts.release.setup import FROM, UP_TO, WAYS, Algorithm, Setup, Values, loosened
from pages.parts.release.tasks import Hidden, hidden, spoken_of
from pages.parts.table.diagnostics import NOTHING
from pages.parts.views.card import strength_fact
from pages.parts.views.content import Sample
from pages.parts.views.text import strong
from pages.parts.views.views import Brief, Fact
from privbo_core import release
from privbo_core.data import LipschitzLoss, TuningTask
from privbo_core.privacy import Guarantee, Status
from privbo_core.privacy.guarantee import further_condition
from privbo_core.release import Bound, Lipschitz, Selection, TableTask

COVERAGE = 0.95
PUBLISHED: Values = {"delta": 1e-3, "k1": 0.99, "sigma": 0.1, "T": 50.0, "a": 3.0}
"""Where the sliders of Algorithm 1 start."""
NEARLY_ALL = 0.9  # of the candidates: a draw among so many is nearly blind
COMPARED = 20  # random sets of candidates that private selection is averaged over
SCORE_BOUNDS: dict[Algorithm, int] = {0: 2, 1: 4, 2: 6, 3: 8, 4: 2}
"""The theorem on the published score, by algorithm; private selection has one bound in all."""
QUESTION = "A team publishes its best setting: at what cost?"
LEAST = 0.005  # A cost of fewer percentage points is none with the digits that are shown.
MOST_GROUPS = 20


@dataclass(frozen=True)
class Group:
    """Settings of mean ``score`` that are neighbours in the order of scores, and how likely one of them is published.

    ``published``: how likely by DP-BO as published; ``blind``: if one is drawn blindly.
    """

    size: int
    score: float
    chance: float
    published: float
    blind: float


@dataclass(frozen=True, eq=False)
class View(Setup):
    """What is set, and what follows from it. ``loose``: the constants that ask for less noise than the task needs."""

    search: release.Search
    plan: release.Noisy | release.NoiseFree | Lipschitz | Selection
    loose: tuple[str, ...] = ()

    @cached_property
    def sample(self) -> Sample:
        return spoken_of(self.task)

    @property
    def epsilon(self) -> float:
        return self.plan.epsilon

    @property
    def a(self) -> float:
        """How sure the bounds are: but for a probability of e^−a."""
        return self.values.get("a", PUBLISHED["a"])

    @property
    def in_scores(self) -> bool:
        """Whether the plan works in units of the score, and not in the frame of a prior."""
        return self.selects or self.algorithm == 3

    def named(self, theorem: int) -> str:
        return "the bound" if self.selects else f"Theorem {theorem}"

    @property
    def source(self) -> str:
        """Who proved that private selection keeps its ε."""
        return release.source_of(self.plan.choice) if isinstance(self.plan, Selection) else ""

    @property
    def unit(self) -> float:
        """How many units of the score one unit of the plan is."""
        return 1.0 if self.in_scores else self.task.unit

    def scored(self, value: float) -> float:
        """Return a number of the plan as a score."""
        return value if self.in_scores else float(self.task.score(value))

    def simulated(self, epsilons: list[float], draws: int, seed: int) -> release.SimulatedReleases:
        """Return releases of this plan, simulated with ordinary randomness, at each ε."""
        truth, rng = self.task.scores if self.in_scores else self.task.objective, np.random.default_rng(seed)
        return release.simulated_releases(self.plan, epsilons, draws=draws, objective=truth, rng=rng)

    @property
    def best(self) -> float:
        return float(self.task.scores.max())

    @property
    def spread(self) -> float:
        """The range of f_V: the most by which two candidates differ."""
        return float(np.ptp(self.task.scores))

    @property
    def protected(self) -> float:
        """The number that the noise is added to, as a score; its mean where it is that of the setting that is drawn."""
        if isinstance(self.plan, Selection):
            return float(self.plan.choice.probabilities @ self.plan.scores)
        return self.scored(self.plan.best)

    @property
    def scale(self) -> float:
        """The scale of the Laplace noise on the score."""
        return self.plan.value.scale * self.unit

    @property
    def half_width(self) -> float:
        """The half width of the interval that holds the noise with probability `COVERAGE`."""
        return self.plan.value.half_width(COVERAGE) * self.unit

    @cached_property
    def bounds(self) -> dict[int, Bound]:
        """The theorems of this algorithm by number, in the plan's units."""
        return {bound.theorem: bound for bound in self.plan.bounds(self.a)}

    @property
    def score_bound(self) -> Bound:
        """The theorem on how far the published score lies from the best one."""
        return self.bounds[SCORE_BOUNDS[self.algorithm]]

    def vacuous(self, theorem: int) -> bool:
        """Return whether a theorem's bound is at least the range of f_V."""
        return self.bounds[theorem].vacuous(self.spread / self.unit)

    def starts_at(self, theorem: int) -> float:
        """Return the ε above which a theorem's bound is below the range of f_V; infinity if there is none."""
        return self.bounds[theorem].smallest_epsilon(self.spread / self.unit)

    @cached_property
    def lost(self) -> float:
        """The mean of max f_V − f_V(λ̃) over the draw of λ̃; 0 if no setting is released."""
        return self.lost_at(self.epsilon)

    def lost_at(self, epsilon: float) -> float:
        choice = self.plan.at(epsilon).choice
        return 0.0 if choice is None else float(choice.probabilities @ (self.task.scores.max() - self.task.scores))

    @property
    def blind_loss(self) -> float:
        """The same for a setting drawn blindly, all candidates being equally likely."""
        return float(self.task.scores.max() - self.task.scores.mean())

    def amount(self, difference: float) -> str:
        return self.sample.amount(difference)

    @cached_property
    def recommended(self) -> "View | None":
        """Permute-and-flip among all candidates at the same ε; None if m is not known."""
        if self.algorithm == 0:
            return self
        if self.task.records is None:
            return None
        return compute(Setup(self.task, 0, self.variant, {"epsilon": self.epsilon, "a": self.a}))

    @cached_property
    def published(self) -> "View":
        """DP-BO’s Algorithm 1 at the same ε; its other sliders are where they start if it is not what is shown."""
        if self.algorithm == 1:
            return self
        return compute(Setup(self.task, 1, "icml", PUBLISHED | {"epsilon": self.epsilon}))

    def in_effect(self, epsilon: float) -> float:
        """Return among what share of the candidates the draw might as well be made blindly; 0 where none is drawn."""
        choice = self.plan.at(epsilon).choice
        return 0.0 if choice is None else choice.effective_candidates / self.task.n

    @cached_property
    def alternatives(self) -> list[Selection]:
        """Permute-and-flip among as many random candidates as the search evaluates, for several random sets."""
        task, rng = self.task, np.random.default_rng(0)
        if task.records is None or isinstance(self.plan, Selection):
            return []
        count = max(2, min(self.search.iterations, task.n))
        sets = [release.random_rows(task.n, count, rng).tolist() for _ in range(COMPARED)]
        return [selected(task, self.epsilon, rows=rows) for rows in sets]

    def selection_loss(self, epsilon: float) -> float | None:
        """Return permute-and-flip's mean of max f_V − f_V(λ̃) at ε, or None if m is not known."""
        plans = [plan.at(epsilon) for plan in self.alternatives]
        losses = [self.best - float(plan.choice.probabilities @ plan.scores) for plan in plans]
        return float(np.mean(losses)) if losses else None

    @cached_property
    def blind_below(self) -> float:
        """The ε below which the draw is nearly blind; 0 if there is none."""
        if self.in_effect(FROM) <= NEARLY_ALL:
            return 0.0
        low, high = FROM, UP_TO
        for _ in range(12):
            middle = math.sqrt(low * high)
            low, high = (middle, high) if self.in_effect(middle) > NEARLY_ALL else (low, middle)
        return high

    @property
    def stamp(self) -> str:
        """What must be known of a published setting's promise wherever a figure of it goes."""
        if self.loose:
            return "✗ promise not kept with these constants"
        return "" if self.guarantee(1).status is Status.PROVED else "the paper’s claim"

    @property
    def score_stamp(self) -> str:
        return "assumes unknown A and τ" if self.algorithm == 2 else self.stamp

    def guarantee(self, released: int) -> Guarantee:
        """Return what releasing one of setting and score (1) or both (2) costs: a claim where constants are loose."""
        plan, task = self.plan, self.task
        if isinstance(plan, Selection) and isinstance(task, TableTask) and task.table is not None:
            return task.table.guarantee(released * plan.epsilon, way=plan.way, score=released == 2)
        given = plan.guarantee() if isinstance(plan, Lipschitz) else plan.guarantee(released)
        size = f" of {task.records} records" if task.records else ""
        prior = "" if self.in_scores else ", and whose scores have prior correlation k₁ or more"
        neighbours = f"Two validation sets{size} that differ in one record, whatever that record holds{prior}."
        known = Status.UNMET if task.conditions and given.status is Status.PROVED else given.status
        status = Status.CLAIMED if self.loose else known
        conditions = (*given.conditions, *further_condition(task.conditions))
        assumptions = (*given.assumptions, *self.loose)
        return replace(given, neighbours=neighbours, status=status, assumptions=assumptions, conditions=conditions)

    @property
    def hidden(self) -> Hidden | None:
        return hidden(self.task)

    @property
    def holds(self) -> tuple[str, str]:
        """How far the promise of private selection holds: a word, and on what it depends."""
        if self.guarantee(1).status is not Status.PROVED:
            return "Holds", self.hidden.condition if self.hidden else Hidden.condition
        if self.hidden:
            return "Proved", "if settings and range were fixed before anyone looked at the records."
        return "Proved", "if the settings were picked without looking, whatever else somebody knows."

    @property
    def nearly_blind(self) -> bool:
        return self.published.in_effect(self.epsilon) > NEARLY_ALL

    @property
    def story(self) -> str:
        task, sample = self.task, self.sample
        if self.hidden is not None:
            return f"{sample.learner}: {task.n:,} settings were tried, and the team publishes one, drawn by lot."
        tries = f"tries {task.n:,} settings on {task.records:,} {sample.many}"
        return f"{sample.learner}. The team {tries} and publishes one, drawn by lot."

    @property
    def alike(self) -> bool:
        """Whether a setting drawn blindly would lose nothing that shows either: no cost is then a merit of privacy."""
        return self.sample.percent and 100 * self.blind_loss < LEAST

    @property
    def digits(self) -> int:
        return digits_of(1 + self.best, 1 + self.protected)

    @property
    def answer(self) -> str:
        best, mean, sample, digits = self.best, self.protected, self.sample, self.digits
        begins = f"At ε = {self.epsilon:.3g}"
        if not sample.percent:
            scores = f"the published setting scores {sample.score(mean)} on average"
            return f"{begins} {scores}; the best, {sample.score(best)}."
        if self.alike:
            alike = f"All {self.task.n:,} settings score alike, {sample.score(best)} {sample.measure}"
            return f"{alike}: none is better than another, whichever is published."
        if 100 * self.lost < LEAST:
            return f"{begins} privacy costs nothing that shows: {sample.score(best)} {sample.measure}."
        cost = f"{100 * self.lost:.{digits}f} percentage points of {sample.measure}"
        return f"{begins} privacy costs {cost}: {sample.score(mean, digits)} instead of {sample.score(best, digits)}."

    @property
    def cost(self) -> Fact:
        about, sample = "What it costs", self.sample
        if self.alike:
            return Fact(about, NOTHING, f"A setting drawn blindly is as good, in {sample.measure}.")
        shown = f"{100 * self.lost:.{self.digits}f} points" if sample.percent else self.amount(self.lost)
        if sample.percent and 100 * self.lost < LEAST:
            shown = "Nothing that shows"
        blindly = "nearly blindly" if self.nearly_blind else "less well"
        other = f"DP-BO as published draws {blindly} and would cost {self.amount(self.published.lost)}."
        meant = " That is the probability which the model gives to what is right." if sample.percent else ""
        return Fact(about, shown, f"of {sample.measure} on average.{meant} The team alone can compute this. {other}")

    @property
    def brief(self) -> Brief:
        sample, own, (how, condition) = self.sample, self.hidden, self.holds
        if own:
            secret = own.what, own.remark
        else:
            tried = f"whatever it holds: one of the {self.task.records:,} that settings were tried on."
            secret = f"One {sample.one}’s whole record", f"{tried} Not those that the model learned from."
        facts = (
            Fact("What is hidden", *secret),
            Fact("From whom", "Everybody", "who reads which setting was published."),
            strength_fact(self.guarantee(1)),
            self.cost,
        )
        promise = (
            f"{strong(how)} {condition} Each further publication about the same {sample.many} adds its ε.",
            f"{strong('Not hidden:')} which settings were tried, and what the model itself gives away of the records "
            "that it learned from.",
        )
        return Brief(self.answer, facts, promise, "curator")

    @property
    def groups(self) -> list[Group]:
        scores, choice, other = self.task.scores, self.plan.choice, self.published.plan.choice
        if choice is None or other is None:
            raise ValueError("Nothing is chosen here.")
        order = np.argsort(-scores, kind="stable")
        groups = []
        for rows in np.array_split(order, min(MOST_GROUPS, len(scores))):
            chance, published = (float(each.probabilities[rows].sum()) for each in (choice, other))
            groups.append(Group(len(rows), float(scores[rows].mean()), chance, published, len(rows) / len(scores)))
        return groups

    @property
    def alt(self) -> str:
        first = self.groups[0]
        return (
            f"How likely the published setting is to be among the best {first.size:,}, the next {first.size:,}, and so "
            f"on of {self.task.n:,}: {100 * first.chance:.0f} % for the best, where DP-BO has "
            f"{100 * first.published:.0f} % and a blind draw {100 * first.blind:.0f} %."
        )


def selected(
    task: TuningTask, epsilon: float, way: release.Way = "permute-and-flip", rows: list[int] | None = None
) -> Selection:
    """Return private selection among these rows of candidates; among all, if none are given."""
    if task.records is None:
        raise ValueError("Private selection needs m, the number of records behind each score.")
    records, width = task.records, task.largest_loss
    return release.selection(task.scores, records=records, epsilon=epsilon, rows=rows, largest_loss=width, way=way)


def compute(setup: Setup) -> View:
    """Run the search and plan the release. A few milliseconds for 1000 candidates."""
    task, values, epsilon = setup.task, setup.values, setup.values["epsilon"]
    fixed = task, setup.algorithm, setup.variant, values
    if setup.selects:
        # It needs no search: a short one stands where others have theirs.
        return View(*fixed, _search(task, 2), selected(task, epsilon, WAYS[setup.algorithm]))
    sigma = values["sigma"] if setup.algorithm == 1 else 0.0
    search = _search(task, min(int(values["T"]), task.n), sigma, values.get("delta", 0.05))
    if setup.algorithm == 1:
        return View(*fixed, search, release.noisy(search, epsilon=epsilon, k1=values["k1"], variant=setup.variant))
    if setup.algorithm == 2:
        known = {name: values[name] for name in ("k1", "A", "tau")}
        return View(*fixed, search, release.noise_free(search, epsilon=epsilon, variant=setup.variant, **known))
    assumed = LipschitzLoss(values["L"], values["g"], values["lambda_min"], values["lambda_max"])
    records = int(values["m"])
    plan = release.lipschitz(task.scores[search.rows], loss=assumed, records=records, epsilon=epsilon)
    return View(replace(task, loss=assumed), *fixed[1:], search, plan, loosened(task, assumed, records))


def permute_and_flip(task: TuningTask, epsilon: float) -> View:
    """Return private selection from the whole list."""
    return compute(Setup(task, 0, "icml", {"epsilon": epsilon}))


def _search(task: TuningTask, iterations: int, sigma: float = 0.0, delta: float = 0.05) -> release.Search:
    """Search with the same observation noise at each setting, so that only the setting moves."""
    rng = np.random.default_rng(0)
    return release.optimise(
        task.points, task.objective, kernel=task.kernel, sigma=sigma, iterations=iterations, delta=delta, rng=rng
    )


def digits_of(best: float, mean: float) -> int:
    """Return how many decimals make a subtraction of two percentages come out as it is written; 2 if none up to 4."""

    def comes_out(digits: int) -> bool:
        first, second, between = (math.floor(10.0 ** (2 + digits) * each + 0.5) for each in (best, mean, best - mean))
        return first - second == between > 0

    return next(filter(comes_out, (1, 2, 3, 4)), 2)
