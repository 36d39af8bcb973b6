"""A team publishes model settings that a private choice selects."""

from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar

import numpy as np

from pages.ui.script import write_script
from pages.ui.stories.story import Cost, Costs, Story
from privbo_core.data import TuningTask, tuning_task
from privbo_core.privacy import Guarantee
from privbo_core.release import Selection, selection
from privbo_core.tradeoff import CostCurve, Question, curve_of_losses, expected_loss, released_question


@dataclass(frozen=True)
class Team(Story):
    """A team publishes model settings that a private choice selects."""

    reference: ClassVar[str] = "the best settings"
    limit: ClassVar[float] = 0.5
    measured_by: ClassVar[str] = "Computed exactly, so there is no interval."

    @cached_property
    def task(self) -> TuningTask:
        """The tuning of the model."""
        return tuning_task("logistic")

    def plan(self, epsilon: float) -> Selection:
        """Return the private choice."""
        task = self.task
        records, width = task.records or 1, task.largest_loss
        return selection(task.scores, records=records, epsilon=epsilon, largest_loss=width, way="permute-and-flip")

    def guarantee(self, epsilon: float) -> Guarantee:
        """Return the guarantee of the published settings."""
        return self.plan(epsilon).guarantee(1)

    def cost(self, epsilon: float) -> float:
        """Return the points of confidence that the published settings lose on average."""
        return 100.0 * expected_loss(self.task, self.plan(epsilon))

    def curve(self, known: Costs) -> CostCurve | None:
        """Return the loss over ε, which needs no simulation."""
        return curve_of_losses(self.values, [np.array([self.cost(epsilon)]) for epsilon in self.values])

    def protected(self) -> tuple[str, str]:
        """Return who is protected from whom."""
        return "Any one record, in full", (
            "among those used to compare settings, from everyone who sees the published settings. The records "
            "that the model was trained on are not protected by this."
        )

    def attacked(self, percent: str) -> str:
        """Return a sentence on the best attacker."""
        return f"Given two candidates, the best attacker picks the real record **{percent} times in 100**."

    def goal(self) -> str:
        """Return the end of "Points of confidence lost …"."""
        return "on average, compared with the best settings"

    def read_off(self, curve: CostCurve, epsilon: float) -> str:
        """Return the loss at an ε, which is always known."""
        return self.amount(self.cost(epsilon))

    def amount(self, cost: Cost) -> str:
        """Return a loss in words."""
        assert isinstance(cost, float)
        return f"{cost:.2f} points" if cost >= 0.005 else "Under 0.01 points"

    def title(self, epsilon: float, cost: Cost) -> str:
        """Return the finding."""
        return f"{super().title(epsilon, cost)} of confidence"

    @property
    def axis(self) -> str:
        """The name of the axis of cost."""
        return "points of confidence lost"

    def sure(self, cost: Cost) -> str:
        """Return how sure the cost is."""
        return "This average over the random choice is exact."

    def finding(self, curve: CostCurve | None, known: Costs) -> str:
        """Return the title of the figure."""
        return "Less privacy, less confidence lost"

    def lead(self, cost: Cost) -> str:
        """Return both sides of the cost."""
        assert isinstance(cost, float)
        best = 100.0 * (1.0 + float(self.task.scores.max()))
        return (
            f"With the published settings, the model’s confidence is {best - cost:.2f}% on average. With the best "
            f"settings, it is {best:.2f}%."
        )

    @property
    def vouchers(self) -> tuple[str, ...]:
        """Who vouches for each assumption of the guarantee."""
        return "the team, which listed the settings", "the team, which scored them"

    @property
    def signers(self) -> tuple[str, ...]:
        """Who signs a decision."""
        return "For the team", "For the data holder", "Data protection"

    def asked(self) -> str:
        """Return the question that a decision answers."""
        return "How much privacy should the team’s published settings give to the records behind them?"

    def question(self) -> Question:
        """Return the algorithms of DP-BO, and private selection."""
        return released_question(self.task)

    def regret(self) -> str:
        """Return the name of the regret axis."""
        return "mean score lost (nats)"

    def address(self, epsilon: float) -> tuple[str, dict[str, str]]:
        """Return Release with private selection."""
        query = {"task": "logistic", "algorithm": "selection", "way": "permute-and-flip", "epsilon": f"{epsilon:g}"}
        return "pages/release.py", query

    def script(self, epsilon: float) -> str:
        """Return a Python script that computes the cost again."""
        lines = f"""
task = pb.data.tuning_task("logistic")
plan = pb.release.selection(
    task.scores, records=task.records, epsilon={epsilon!r}, largest_loss=task.largest_loss, way="permute-and-flip"
)
print("points of confidence lost:", 100 * pb.tradeoff.expected_loss(task, plan))
print("attack accuracy:", plan.guarantee(1).attack_accuracy)
"""
        real = """The real publication, with randomness from the operating system. It can't be repeated:
published = pb.release.draw(plan, choice=True, value=False)"""
        return write_script("Trade-off", lines, real)
