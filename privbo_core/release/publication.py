"""What a team publishes of a tuning task, with all numbers in units of the score f_V and its guarantee."""

from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from privbo_core.data import TuningTask
from privbo_core.errors import Array, probability, whole
from privbo_core.privacy import Condition, Guarantee, Status
from privbo_core.privacy.guarantee import further_condition
from privbo_core.release.draw import Plan
from privbo_core.release.lipschitz import Lipschitz, unmet_constants
from privbo_core.release.noise_free import NoiseFree
from privbo_core.release.noisy import Noisy, prior_guarantee
from privbo_core.release.prior import Share
from privbo_core.release.selection import Selection
from privbo_core.release.table_task import TableTask
from privbo_core.release.theory import Bound


@dataclass(frozen=True, eq=False)
class Publication:
    """A ``setting``, a ``score`` or both, published of a task by a plan.

    Plans of Algorithms 1 and 2 work in prior standard deviations, and the other two in the score itself. Here every
    number is in units of the score. ``held`` is the share of pairs drawn from the prior in which the theorem on the
    published number held (`coverage`), if that was counted. Raises ValueError if nothing is published, or if a setting
    is to be published by Algorithm 3.
    """

    task: TuningTask
    plan: Plan
    setting: bool = True
    score: bool = True
    held: Share | None = None

    def __post_init__(self) -> None:
        if not (self.setting or self.score):
            raise ValueError("setting and score are both false, so nothing is published.")
        if self.setting and self.plan.choice is None:
            raise ValueError("setting is true, but Algorithm 3 publishes a score alone.")

    @property
    def in_scores(self) -> bool:
        """Whether the plan is in units of the score, and needs no prior."""
        return isinstance(self.plan, Selection | Lipschitz)

    @property
    def unit(self) -> float:
        """How many units of the score one unit of the plan is."""
        return 1.0 if self.in_scores else self.task.unit

    @property
    def spread(self) -> float:
        """The range of all scores, which no bound below a loss exceeds usefully."""
        return float(np.ptp(self.task.scores))

    @property
    def uniform_loss(self) -> float:
        """The mean loss of a setting that is drawn uniformly."""
        return float(self.task.scores.max() - self.task.scores.mean())

    @property
    def sensitivity(self) -> float:
        """The sensitivity that the noise on the score covers."""
        return self.plan.value.sensitivity * self.unit

    @property
    def noise_scale(self) -> float:
        """The scale of the Laplace noise on the score."""
        return self.plan.value.scale * self.unit

    def half_width(self, coverage: float) -> float:
        """Return the half width of the interval that holds the noise on the score with this probability."""
        return self.plan.value.half_width(coverage) * self.unit

    @property
    def before_noise(self) -> float | None:
        """The score that noise is added to, or None for private selection, where it is that of the setting drawn."""
        if isinstance(self.plan, Selection):
            return None
        return self.plan.best if isinstance(self.plan, Lipschitz) else float(self.task.score(self.plan.best))

    @property
    def centres(self) -> tuple[Array, Array]:
        """The scores that noise may be added to, and the probability of each."""
        if isinstance(self.plan, Selection):
            return self.plan.scores, self.plan.choice.probabilities
        assert self.before_noise is not None
        return np.array([self.before_noise]), np.ones(1)

    def loss_quantile(self, share: float) -> float:
        """Return the loss max f_V − f_V(λ̃) that this share of all draws does not exceed."""
        losses, reached = self._losses
        return float(losses[min(int(np.searchsorted(reached, probability("share", share))), len(losses) - 1)])

    def chance_of_best(self, count: int) -> float:
        """Return the probability that one of the best ``count`` settings is drawn."""
        return float(self._losses[1][min(whole("count", count), len(self._losses[1])) - 1])

    @cached_property
    def _losses(self) -> tuple[Array, Array]:
        """The loss of each setting from the best one on, and the probability of drawing it or a better one."""
        if self.plan.choice is None:
            raise ValueError("This plan publishes no setting, so there is none that loses anything.")
        losses = self.task.scores.max() - (self.plan.scores if isinstance(self.plan, Selection) else self.task.scores)
        order = np.argsort(losses, kind="stable")
        return losses[order], np.cumsum(self.plan.choice.probabilities[order])

    def bounds(self, a: float) -> dict[int, Bound]:
        """Return the theorems on this plan by number, with their terms in units of the score."""

        def scaled(bound: Bound) -> Bound:
            return replace(bound, terms=tuple(replace(term, value=term.value * self.unit) for term in bound.terms))

        return {bound.theorem: scaled(bound) for bound in self.plan.bounds(a)}

    @cached_property
    def unmet(self) -> tuple[str, ...]:
        """A sentence for each constant that asks Algorithm 3 for less noise than the task needs."""
        if not isinstance(self.plan, Lipschitz):
            return ()
        return unmet_constants(self.task, self.plan.loss, self.plan.records)

    @property
    def refuted(self) -> bool:
        """Whether pairs from the prior refute the theorem on which the ε of the published score rests."""
        return self.score and self.held is not None and self.held.verdict == "refuted"

    @property
    def guarantee(self) -> Guarantee:
        """What publishing this guarantees, or what the paper claims of it, for everything that is published."""
        plan, task, pieces = self.plan, self.task, self.setting + self.score
        if isinstance(plan, Selection):
            if isinstance(task, TableTask) and task.table is not None:
                return task.table.guarantee(pieces * plan.epsilon, way=plan.way, score=self.score)
            given = plan.guarantee(2 if self.score else 1)
        elif isinstance(plan, Lipschitz):
            given = plan.guarantee()
        elif isinstance(plan, NoiseFree) and not self.score:
            # With exact observations, the papers publish the setting by Algorithm 1.
            given = prior_guarantee(plan.epsilon, plan.delta, 1, "Algorithm 1, Corollary 1", plan.variant)
        else:
            given = plan.guarantee(pieces)
        size = f" of {task.records:,} records" if task.records else ""
        prior = "" if self.in_scores else ", and whose scores have a prior correlation of at least k₁"
        return replace(
            given,
            neighbours=f"two validation sets{size} that differ in one record, whatever it holds{prior}",
            conditions=(*given.conditions, *self._conditions),
            status=self._status(given.status),
        )

    @property
    def _conditions(self) -> tuple[Condition, ...]:
        """The conditions that are known not to be met."""
        known = "The constants are not too small for the task."
        unmet = (Condition("the constants hold", f"{known} {' '.join(self.unmet)}", unmet=True),) if self.unmet else ()
        return (*unmet, *further_condition(self.task.conditions))

    def _status(self, given: Status) -> Status:
        if self.refuted:
            return Status.REFUTED
        if self.unmet or (given is Status.PROVED and self.task.conditions):
            return Status.UNMET
        return given

    @property
    def constants(self) -> tuple["Constant", ...]:
        """Every constant of the algorithm, with its unit."""
        score, plan = self.plan.value, self.plan
        found = [Constant("ε of each publication", plan.epsilon), Constant("δ of each publication", plan.delta)]
        if isinstance(plan, Selection):
            found += [
                Constant("candidates n", len(plan.rows)),
                Constant("validation records m", plan.records),
                Constant("Δ of configuration and score, range/m", score.sensitivity, "score"),
                Constant("2Δ/ε, scale of the draw", plan.choice.scale, "score"),
                Constant("Δ/ε, noise scale of the score", score.scale, "score"),
            ]
        elif isinstance(plan, Lipschitz):
            loss, theorem = plan.loss, plan.bounds(1.0)[0]
            found += [
                Constant("L, Lipschitz constant of the loss", loss.slope, "score per unit of w"),
                Constant("g*, largest loss", loss.largest, "score"),
                Constant("λ_min", loss.lambda_min),
                Constant("λ_max", loss.lambda_max),
                Constant("validation records m", plan.records),
                Constant("range term (λ_max − λ_min)L/(λ_max λ_min)", theorem.term("range of λ"), "score"),
                Constant("record term min{g*/m, L/(mλ_min)}", theorem.term("record"), "score"),
                Constant("Δ of the score", score.sensitivity, "score"),
                Constant("Δ/ε, noise scale of the score", score.scale, "score"),
            ]
        else:
            found += self._prior_constants(plan)
        return (*found, Constant("range of all scores", self.spread, "score"))

    def _prior_constants(self, plan: Noisy | NoiseFree) -> list["Constant"]:
        """Return the constants of Algorithm 1 or 2, most of which are in prior standard deviations."""
        search, sigma_f = plan.search, "σ_f"
        found = [
            Constant("candidates |Λ|", search.n),
            Constant("evaluations T", search.iterations),
            Constant("k₁, prior correlation of neighbours", plan.k1),
            Constant("c", plan.c, sigma_f),
        ]
        if isinstance(plan, Noisy):
            found += [
                Constant("σ, noise of an evaluation", search.sigma, sigma_f),
                Constant("β_T", plan.beta_T),
                Constant("β_{T+1}", plan.beta_next),
                Constant("q", plan.q, sigma_f),
                Constant("C₁", plan.C1),
                Constant("γ_T, upper bound in use", search.gamma_upper, "nats"),
                Constant("γ_T, greedy value", search.gamma_greedy, "nats"),
                Constant("√(C₁β_Tγ_T/T), bound on the mean regret", plan.bounds(1.0)[2].term("regret"), sigma_f),
            ]
        else:
            found += [
                Constant("A", plan.A, sigma_f),
                Constant("τ", plan.tau),
                Constant("Ω, assumed regret of the search", plan.omega, sigma_f),
            ]
        return [
            *found,
            Constant("Δ of the configuration, 2√β_{T+1} + c", plan.choice.sensitivity, sigma_f),
            Constant("Δ of the score", plan.value.sensitivity, sigma_f),
            Constant("Δ/ε, noise scale of the score", plan.value.scale, sigma_f),
            Constant("Δ/ε, noise scale of the score", self.noise_scale, "score"),
            Constant("one σ_f, the prior standard deviation", self.unit, "score"),
        ]


@dataclass(frozen=True)
class Constant:
    """One constant of an algorithm.

    ``unit`` is "score", "σ_f" for prior standard deviations, "nats", another unit in words, or empty for a pure number.
    """

    name: str
    value: float
    unit: str = ""
