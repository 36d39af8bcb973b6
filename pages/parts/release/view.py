"""What the Tour shows of a release: private selection from a whole list, beside Algorithm 1 of DP-BO as published."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from pages.parts.release.tasks import spoken_of
from pages.parts.views.content import Sample
from privbo_core import release
from privbo_core.data import TuningTask
from privbo_core.release import Design, Noisy, Selection
from privbo_core.tradeoff import expected_loss

COVERAGE = 0.95
NEARLY_ALL = 0.9  # of the candidates: a draw among so many is nearly uniform
MAX_GROUPS = 20


@dataclass(frozen=True)
class Group:
    """Settings of mean ``score`` that are neighbours in the order of scores, and how likely one of them is published.

    ``published``: how likely by DP-BO as published; ``blind``: if one is drawn uniformly.
    """

    size: int
    score: float
    chance: float
    published: float
    blind: float


@dataclass(frozen=True, eq=False)
class View:
    """A task and a plan that publishes one of its settings. All amounts are in units of the score."""

    task: TuningTask
    plan: Noisy | Selection

    @cached_property
    def sample(self) -> Sample:
        """Return how the task is spoken of."""
        return spoken_of(self.task)

    @property
    def protected(self) -> float:
        """The mean score of the setting that is drawn, before noise."""
        return float(self.plan.choice.probabilities @ self.task.scores)

    @property
    def scale(self) -> float:
        """The scale of the Laplace noise on the score."""
        return release.Publication(self.task, self.plan).noise_scale

    @property
    def half_width(self) -> float:
        """The half width of the interval that holds the noise with probability `COVERAGE`."""
        return release.Publication(self.task, self.plan).half_width(COVERAGE)

    @cached_property
    def lost(self) -> float:
        """The mean of max f_V − f_V(λ̃) over the draw of λ̃."""
        return self.lost_at(self.plan.epsilon)

    def lost_at(self, epsilon: float) -> float:
        """Return that mean at another ε."""
        return expected_loss(self.task, self.plan.at(epsilon))

    @property
    def blind_loss(self) -> float:
        """The same for a setting that is drawn uniformly."""
        return float(self.task.scores.max() - self.task.scores.mean())

    @cached_property
    def published(self) -> "View":
        """DP-BO's Algorithm 1 at the same ε, with the first values of its other constants."""
        plan = Design("noisy", self.plan.epsilon).publication(self.task).plan
        assert isinstance(plan, Noisy)
        return View(self.task, plan)

    @property
    def nearly_blind(self) -> bool:
        """Whether more than nine candidates in ten are in effect in DP-BO's draw."""
        return self.published.plan.choice.effective_candidates > NEARLY_ALL * self.task.n

    @property
    def groups(self) -> list[Group]:
        """The settings in groups, from the best scores to the worst."""
        scores, choice, other = self.task.scores, self.plan.choice, self.published.plan.choice
        order = np.argsort(-scores, kind="stable")
        groups = []
        for rows in np.array_split(order, min(MAX_GROUPS, len(scores))):
            chance, published = (float(each.probabilities[rows].sum()) for each in (choice, other))
            groups.append(Group(len(rows), float(scores[rows].mean()), chance, published, len(rows) / len(scores)))
        return groups


def selected(
    task: TuningTask, epsilon: float, way: release.Way = "permute-and-flip", rows: list[int] | None = None
) -> Selection:
    """Return private selection among these rows of candidates; among all, if none are given."""
    if task.records is None:
        raise ValueError("Private selection needs m, the number of records behind each score.")
    records, width = task.records, task.largest_loss
    return release.selection(task.scores, records=records, epsilon=epsilon, rows=rows, largest_loss=width, way=way)


def permute_and_flip(task: TuningTask, epsilon: float) -> View:
    """Return private selection from the whole list."""
    return View(task, selected(task, epsilon))
