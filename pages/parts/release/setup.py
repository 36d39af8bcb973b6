"""One setting of the Release page: the task, the algorithm's plan, and what follows from them in units of the score."""

import math
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Literal

import numpy as np

from privbo_core.data import LipschitzLoss, TuningTask
from privbo_core.privacy import Guarantee, Status
from privbo_core.release import (
    Bound,
    Lipschitz,
    NoiseFree,
    Noisy,
    Search,
    Selection,
    Variant,
    Way,
    lipschitz,
    noise_free,
    noisy,
    optimise,
    random_rows,
    selection,
    source_of,
)
from privbo_core.tuning import Listed

Algorithm = Literal[0, 1, 2, 3, 4]
"""What publishes: permute-and-flip (0), one of DP-BO’s three, or the exponential mechanism (4)."""
WAYS: dict[Algorithm, Way] = {0: "permute-and-flip", 4: "exponential"}
"""The ways of private selection, by number; the first is the recommended one."""
NAMES: dict[Algorithm, str] = {0: "Permute-and-flip", 4: "The exponential mechanism"}
OwnPlan = Noisy | NoiseFree | Lipschitz | Selection
Values = dict[str, float]
"""What the sliders say, by name."""
COVERAGE = 0.95
FROM, UP_TO = 0.1, 1000.0  # ε
PUBLISHED: Values = {"delta": 1e-3, "k1": 0.99, "sigma": 0.1, "T": 50.0, "a": 3.0}
"""Where the sliders of Algorithm 1 start."""
NEARLY_ALL = 0.9  # of the candidates: a draw among so many is nearly blind
COMPARED = 20  # random sets of candidates that private selection is averaged over
SCORE_BOUND = {
    0: 2,
    1: 4,
    2: 6,
    3: 8,
    4: 2,
}  # the theorem on the published score; private selection has one bound in all


@dataclass(frozen=True, eq=False)
class Setup:
    """What the page shows now. All amounts are in units of the score f_V, whatever frame the plan works in."""

    task: TuningTask
    algorithm: Algorithm
    variant: Variant
    search: Search
    plan: OwnPlan
    a: float
    loose: tuple[str, ...] = ()

    @property
    def name(self) -> str:
        """What publishes, by name."""
        return NAMES.get(self.algorithm, f"Algorithm {self.algorithm}")

    @property
    def selects(self) -> bool:
        """Whether it publishes by private selection, which needs neither a search nor a prior."""
        return self.algorithm in WAYS

    @property
    def in_scores(self) -> bool:
        """Whether the plan works in units of the score, and not in the frame of a prior."""
        return self.selects or self.algorithm == 3

    def named(self, theorem: int) -> str:
        """Return a bound by name, in the middle of a sentence."""
        return "the bound" if self.selects else f"Theorem {theorem}"

    @property
    def source(self) -> str:
        """Who proved that private selection keeps its ε."""
        return source_of(self.plan.choice) if isinstance(self.plan, Selection) else ""

    @property
    def unit(self) -> float:
        """How many units of the score one unit of the plan is."""
        return 1.0 if self.in_scores else self.task.unit

    def scored(self, value: float) -> float:
        """Return a number of the plan, before or after its noise, as a score."""
        return value if self.in_scores else float(self.task.score(value))

    @property
    def spread(self) -> float:
        """The range of f_V: the most by which two candidates differ."""
        return float(np.ptp(self.task.scores))

    @property
    def protected(self) -> float:
        """The number that the noise is added to, as a score; its mean where it is the score of the setting that is drawn."""
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
        return self.bounds[SCORE_BOUND[self.algorithm]]

    def vacuous(self, theorem: int) -> bool:
        """Return whether a theorem's bound is at least the range of f_V."""
        return self.bounds[theorem].vacuous(self.spread / self.unit)

    def starts_at(self, theorem: int) -> float:
        """Return the ε above which a theorem's bound is below the range of f_V; infinity if there is none."""
        return self.bounds[theorem].smallest_epsilon(self.spread / self.unit)

    def loss_of_choice(self) -> float | None:
        """Return the mean of max f_V − f_V(λ̃) over the draw of λ̃, None if no setting is released."""
        if self.plan.choice is None:
            return None
        return float(self.plan.choice.probabilities @ (self.task.scores.max() - self.task.scores))

    @property
    def blind_loss(self) -> float:
        """The same for a setting drawn blindly, all candidates being equally likely."""
        return float(self.task.scores.max() - self.task.scores.mean())

    @cached_property
    def recommended(self) -> "Setup | None":
        """Permute-and-flip among all candidates at the same ε; None if m is not known."""
        if self.algorithm == 0:
            return self
        if self.task.records is None:
            return None
        return set_up(self.task, 0, self.variant, {"epsilon": self.plan.epsilon, "a": self.a})

    @cached_property
    def published(self) -> "Setup":
        """DP-BO’s Algorithm 1 at the same ε; its other sliders are where they start if it is not what is shown."""
        if self.algorithm == 1:
            return self
        return set_up(self.task, 1, "icml", PUBLISHED | {"epsilon": self.plan.epsilon})

    @property
    def in_effect(self) -> float:
        """Among what share of the candidates the draw might as well be made blindly; 0 where none is drawn."""
        return self._in_effect(self.plan.epsilon)

    @cached_property
    def alternatives(self) -> list[Selection]:
        """Permute-and-flip among as many random candidates as the search evaluates, for several random sets."""
        if self.task.records is None or isinstance(self.plan, Selection):
            return []
        rng = np.random.default_rng(0)
        count = max(2, min(self.search.iterations, self.task.n))
        records, width, epsilon = self.task.records, self.task.largest_loss, self.plan.epsilon
        sets = [random_rows(self.task.n, count, rng) for _ in range(COMPARED)]
        scores, way = self.task.scores, WAYS[0]
        return [
            selection(scores, records=records, epsilon=epsilon, rows=rows.tolist(), largest_loss=width, way=way)
            for rows in sets
        ]

    def selection_loss(self, epsilon: float) -> float | None:
        """Return permute-and-flip's mean of max f_V − f_V(λ̃) at ε, or None if m is not known."""
        best = self.task.scores.max()
        losses = [
            float(best - plan.choice.probabilities @ plan.scores) for plan in (p.at(epsilon) for p in self.alternatives)
        ]
        return float(np.mean(losses)) if losses else None

    @property
    def neighbours(self) -> str:
        """Who neighbours are, where nothing is assumed about the scores."""
        size = f" of {self.task.records} records" if self.task.records else ""
        return f"Two validation sets{size} that differ in one record, whatever that record holds"

    @cached_property
    def blind_below(self) -> float:
        """The ε below which more than nine candidates in ten are in effect, so that the draw is nearly blind; 0 if there is none."""
        choice = self.plan.choice
        if choice is None or self._in_effect(FROM) <= NEARLY_ALL:
            return 0.0
        low, high = FROM, UP_TO
        for _ in range(12):
            middle = math.sqrt(low * high)
            low, high = (middle, high) if self._in_effect(middle) > NEARLY_ALL else (low, middle)
        return high

    def _in_effect(self, epsilon: float) -> float:
        """Return the share of candidates that are in effect at another ε."""
        choice = self.plan.at(epsilon).choice
        return 0.0 if choice is None else choice.effective_candidates / self.task.n

    @property
    def stamp(self) -> str:
        """What must be known of a published setting's promise wherever a figure of it goes."""
        if self.loose:
            return "✗ promise not kept with these constants"
        return "" if self.guarantee(1).status is Status.PROVED else "the paper’s claim"

    @property
    def score_stamp(self) -> str:
        """The same of a published score."""
        return "assumes unknown A and τ" if self.algorithm == 2 else self.stamp

    def guarantee(self, released: int) -> Guarantee:
        """Return what releasing one of setting and score (1) or both (2) costs; a claim where constants were loosened."""
        plan, task = self.plan, self.task
        if isinstance(plan, Selection) and isinstance(task, Listed) and task.results is not None:
            return task.results.guarantee(released * plan.epsilon, way=plan.way, score=released == 2)
        given = plan.guarantee() if isinstance(plan, Lipschitz) else plan.guarantee(released)
        prior = "" if self.in_scores else ", and whose scores have prior correlation k₁ or more"
        known = Status.CONDITIONAL if task.conditions and given.status is Status.PROVED else given.status
        status = Status.CLAIMED if self.loose else known
        assumptions = (*given.assumptions, *task.conditions, *self.loose)
        return replace(given, neighbours=f"{self.neighbours}{prior}.", status=status, assumptions=assumptions)


def set_up(task: TuningTask, algorithm: Algorithm, variant: Variant, values: Values) -> Setup:
    """Run the search and set up the release at ``values`` of the sliders. A few milliseconds for 1000 candidates."""
    if algorithm in WAYS:
        return _select(task, algorithm, variant, values)
    sigma = values["sigma"] if algorithm == 1 else 0.0
    search = optimise(
        task.points,
        task.objective,
        kernel=task.kernel,
        sigma=sigma,
        iterations=min(int(values["T"]), task.n),
        delta=values.get("delta", 0.05),
        rng=np.random.default_rng(0),  # the same observation noise at each setting, so that only the setting moves
    )
    epsilon = values["epsilon"]
    plan: OwnPlan
    if algorithm == 1:
        plan = noisy(search, epsilon=epsilon, k1=values["k1"], variant=variant)
    elif algorithm == 2:
        plan = noise_free(search, epsilon=epsilon, k1=values["k1"], A=values["A"], tau=values["tau"], variant=variant)
    else:
        assumed = LipschitzLoss(values["L"], values["g"], values["lambda_min"], values["lambda_max"])
        records = int(values["m"])
        plan = lipschitz(task.scores[search.rows], loss=assumed, records=records, epsilon=epsilon)
        loose = _loosened(task, assumed, records)
        return Setup(replace(task, loss=assumed), algorithm, variant, search, plan, values["a"], loose)
    return Setup(task, algorithm, variant, search, plan, values["a"])


def _select(task: TuningTask, algorithm: Algorithm, variant: Variant, values: Values) -> Setup:
    """Set up private selection among all candidates. It needs no search; a short one stands where others have theirs."""
    if task.records is None:
        raise ValueError("Private selection needs m, the number of records behind each score.")
    rng, fewest = np.random.default_rng(0), 2
    search = optimise(
        task.points, task.objective, kernel=task.kernel, sigma=0.0, iterations=fewest, delta=0.05, rng=rng
    )
    epsilon, width, way = values["epsilon"], task.largest_loss, WAYS[algorithm]
    plan = selection(task.scores, records=task.records, epsilon=epsilon, largest_loss=width, way=way)
    return Setup(task, algorithm, variant, search, plan, values.get("a", 3.0))


def within(task: TuningTask, low: float, high: float) -> TuningTask | None:
    """Return the task with the candidates λ in [low, high] alone, or None if fewer than two are left."""
    slack = 1e-6
    values = task.parameters[:, 0]
    keep = (values >= low * (1 - slack)) & (values <= high * (1 + slack))
    if keep.all():
        return task
    if keep.sum() < 2:
        return None
    return replace(
        task,
        parameters=task.parameters[keep],
        points=task.points[keep],
        scores=task.scores[keep],
        losses=None if task.losses is None else task.losses[:, keep],
        reserve=None if task.reserve is None else task.reserve[:, keep],
    )


def _loosened(task: TuningTask, assumed: LipschitzLoss, records: int) -> tuple[str, ...]:
    """Return a sentence for each constant that asks for less noise than the task's own needs."""
    own, exact = task.loss, 1 - 1e-6
    if own is None or task.records is None:
        return ()
    found = []
    if assumed.slope < own.slope * exact:
        found.append(f"L = {assumed.slope:.3g} is below the loss’s own {own.slope:.3g}.")
    if assumed.largest < own.largest * exact:
        found.append(f"g* = {assumed.largest:.3g} is below the loss’s own {own.largest:.3g}.")
    if records > task.records:
        found.append(f"m = {records} exceeds the {task.records} records there are.")
    return tuple(f"Does not hold for this task: {sentence}" for sentence in found)
