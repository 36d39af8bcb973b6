"""A story of Trade-off: a guarantee and a cost at each ε, and the words for them."""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

from pages.ui.numbers import count, power_of_ten, signed
from privbo_core.bo import ExtraSteps
from privbo_core.privacy import Guarantee, Status, strength
from privbo_core.tradeoff import CostCurve, Question, Zone, curve_of_steps, strength_zones

RUNS = 40
"""The number of simulated runs, as on Start and on the systems' pages."""
NBSP = "\N{NO-BREAK SPACE}"

Cost = ExtraSteps | float
"""Extra steps of a search, or points of confidence that are lost."""
Costs = Mapping[float, Cost]
"""The costs that are known, by ε."""


def decades(low: float, high: float, values: tuple[float, ...]) -> tuple[float, ...]:
    """Return these values of ε in each decade between two powers of ten, which are included."""
    first, last = round(math.log10(low)), round(math.log10(high))
    return (*(float(f"{value * 10.0**power:.3g}") for power in range(first, last) for value in values), high)


def written(epsilon: float) -> str:
    """Return "ε = 1" with at most three digits, which stays on one line."""
    return f"ε = {power_of_ten(float(f'{epsilon:.3g}'))}".replace(" ", NBSP)


@dataclass(frozen=True)
class Story:
    """One decision: who protects whom from whom, and the axes of its figure.

    ``payer`` bears the cost, whose ``unit`` is counted, in the singular and the plural. ``values`` are the ε of the
    curve.
    """

    key: str
    payer: str
    unit: tuple[str, str]
    bounds: tuple[float, float]
    values: tuple[float, ...]

    measured_by: ClassVar[str] = f"{RUNS} simulated searches at each ε, smoothed to a falling line. 95% band."
    reference: ClassVar[str] = "without privacy"
    repeated: ClassVar[str] = "searches"
    limit: ClassVar[float] = 5.0

    @property
    def own(self) -> bool:
        """Whether the data are the visitor's own."""
        return False

    @property
    def chosen_here(self) -> str:
        """A sentence on an assumption that choosing ε on this page breaks, or nothing."""
        return ""

    @property
    def identity(self) -> str:
        """The name under which costs are shared."""
        return self.key

    def guarantee(self, epsilon: float) -> Guarantee:
        """Return the guarantee at an ε."""
        raise NotImplementedError

    def cost(self, epsilon: float) -> Cost:
        """Return the cost at an ε, by the measure of the system's page. It may take a second or two."""
        raise NotImplementedError

    def curve(self, known: Costs) -> CostCurve | None:
        """Return the cost over ε as far as it is known, from the values that it is computed at."""
        found = {epsilon: cost for epsilon in self.values if isinstance(cost := known.get(epsilon), ExtraSteps)}
        return curve_of_steps(list(found), list(found.values())) if found else None

    @property
    def data(self) -> object:
        """The visitor's own data that the costs belong to, or None."""
        return None

    @property
    def axis(self) -> str:
        """The name of the axis of cost."""
        return self.unit[1]

    @property
    def vouchers(self) -> tuple[str, ...]:
        """Who vouches for each assumption of the guarantee."""
        raise NotImplementedError

    @property
    def signers(self) -> tuple[str, ...]:
        """Who signs a decision."""
        raise NotImplementedError

    def height(self, cost: Cost | None) -> float | None:
        """Return a cost as it is drawn. Where the search doesn't get there, it is the largest one known not to do."""
        if isinstance(cost, ExtraSteps):
            return float(cost.extra if cost.private_reached else max(0, cost.limit - cost.plain))
        return cost

    def sure(self, cost: Cost) -> str:
        """Return a sentence on how sure a cost is."""
        assert isinstance(cost, ExtraSteps)
        if too_short(cost):
            return f"So {cost.runs} simulated {self.repeated} of this length can’t tell what privacy costs."
        return f"The 95% interval is {self.interval(cost)}, from {cost.runs} simulated {self.repeated}."

    def finding(self, curve: CostCurve | None, known: Costs) -> str:
        """Return the title of the figure: whether less privacy costs less. It contradicts no cost that is known."""
        steps = [cost for cost in known.values() if isinstance(cost, ExtraSteps)]
        if curve is None:
            return "The first searches are being simulated"
        if steps and all(map(too_short, steps)):
            return f"These searches are too short to measure {self.unit[1]}"
        if curve.low[0] > 0 and curve.costs[-1] < curve.costs[0]:
            return f"Less privacy, fewer {self.unit[1]}"
        if any(cost.significant for cost in steps):
            return f"Some privacy budgets here cost {self.unit[1]}"
        return f"No privacy budget here costs a measurable number of {self.unit[1]}"

    def protected(self) -> tuple[str, str]:
        """Return the protected difference, and from whom it is protected."""
        raise NotImplementedError

    def attacked(self, percent: str) -> str:
        """Return a sentence on the best attacker, who is right so many times in 100."""
        return f"Given two similar candidates, the best attacker picks the real record **{percent} times in 100**."

    def goal(self) -> str:
        """Return the goal of a search as the end of "Extra tests until …"."""
        raise NotImplementedError

    def sought(self) -> list[tuple[str, str]]:
        """Return what a search looks for, as a name with a value, if a decision has to state it."""
        return []

    def lead(self, cost: Cost) -> str:
        """Return a sentence with both sides of the cost."""
        raise NotImplementedError

    def conditions(self, promise: Guarantee) -> list[tuple[str, bool]]:
        """Return each assumption of a guarantee in full, and whether it is known not to be met."""
        return [(each.in_full.replace("`", "").replace("aren't", "are not"), each.unmet) for each in promise.conditions]

    def asked(self) -> str:
        """Return the question that a decision answers."""
        raise NotImplementedError

    def caution(self, epsilon: float) -> str:
        """Return a sentence on why a cost means little, or an empty one. The searches at ε are in memory."""
        return ""

    def question(self) -> Question:
        """Return all mechanisms to be compared in regret."""
        raise NotImplementedError

    def regret(self) -> str:
        """Return the name of the regret axis."""
        return "simple regret at the end, σ_{y}"

    def address(self, epsilon: float) -> tuple[str, dict[str, str]]:
        """Return the system's page with these settings."""
        raise NotImplementedError

    def script(self, epsilon: float) -> str:
        """Return a Python script that computes the cost again."""
        raise NotImplementedError

    def zones(self, bounds: tuple[float, float]) -> tuple[Zone, ...]:
        """Return the words for the strength over ε, or none where an assumption isn't met."""
        if self.guarantee(1.0).status is Status.UNMET:
            return ()
        return strength_zones(lambda epsilon: strength(self.guarantee(epsilon)), *bounds)

    def read_off(self, curve: CostCurve, epsilon: float) -> str:
        """Return the cost in words as the curve shows it, at an ε whose own cost isn't known yet."""
        value = curve.at(epsilon)
        if not curve.reached_at(epsilon):
            return f"About {count(round(value) - 1, *self.unit)} or more"
        return f"About {count(round(value), *self.unit)}"

    def amount(self, cost: Cost) -> str:
        """Return a cost in words, such as "7 extra tests"."""
        assert isinstance(cost, ExtraSteps)
        if too_short(cost):
            return "Not measurable"
        if cost.significant and not cost.private_reached:
            return f"More than {count(cost.limit - cost.plain, *self.unit)}"
        if cost.significant:
            return count(cost.extra, *self.unit)
        if cost.saves:
            return f"{count(-cost.extra, self.unit[0], self.unit[1]).replace('extra ', '')} saved"
        return "No measurable difference"

    def title(self, epsilon: float, cost: Cost) -> str:
        """Return the finding in one of four cases."""
        if isinstance(cost, ExtraSteps) and too_short(cost):
            ends = f"within {count(cost.limit, *(each.removeprefix('extra ') for each in self.unit))}"
            return f"At {written(epsilon)}, the search isn’t done {ends}, with privacy or without"
        if isinstance(cost, float) or cost.significant:
            amount = self.amount(cost)
            return f"At {written(epsilon)}, privacy costs {self.payer} {amount[0].lower()}{amount[1:]}"
        if cost.saves:
            saved = self.amount(cost).removesuffix(" saved")
            return f"At {written(epsilon)}, noise makes {self.payer} explore more, which saves {saved}"
        return f"At {written(epsilon)}, privacy makes no measurable difference to the number of {self.steps}"

    @property
    def steps(self) -> str:
        """The plural of the unit, without "extra"."""
        return self.unit[1].removeprefix("extra ")

    def interval(self, cost: Cost) -> str:
        """Return the 95% interval of the cost."""
        assert isinstance(cost, ExtraSteps)
        low = f"{signed(cost.low, 0)} or less" if cost.low_open else signed(cost.low, 0)
        high = f"{signed(cost.high, 0)} or more" if cost.high_open else signed(cost.high, 0)
        return f"{low} to {high} {self.unit[1]}"


def too_short(cost: ExtraSteps) -> bool:
    """Return whether not even the search without privacy gets there, so that the cost is unknown."""
    return not cost.plain_reached and not cost.saves


def within(steps: int, limit: int) -> str:
    """Return a number of steps, which may lie beyond the end of the searches."""
    return f"{steps}" if steps <= limit else f"more than {limit}"
