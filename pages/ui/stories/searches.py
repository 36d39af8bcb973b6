"""A data holder hands out a noisy table, and an analyst searches it: the hospital, and other tables."""

import math
from dataclasses import dataclass, field, replace
from functools import cached_property

from pages.ui.differences import differences
from pages.ui.follow import interrupt
from pages.ui.numbers import count
from pages.ui.script import write_script
from pages.ui.stories.story import RUNS, Cost, Story, within
from pages.ui.text import verbatim
from privbo_core.bo import ExtraSteps
from privbo_core.data import rank_sought, suited_search
from privbo_core.outsourced import Setting, Simulation
from privbo_core.privacy import Guarantee
from privbo_core.tradeoff import Question, outsourced_question

DELTA = 1e-5
EVALUATIONS, INITIAL = 30, 5
MAX_COLUMNS, MAX_NAME = 3, 40
KNOWN = (
    "The data holder fixed the range, the protected difference and the length-scale of each column without looking at "
    "the data. Here those of {} were taken from the table, so ε is {:.3g} or more, and not {:.3g}."
)
CHOSEN = (
    "ε was set without this table. Here it was chosen after simulations on this table, and the guarantee does not "
    "count what that choice reveals."
)


@dataclass(frozen=True)
class Searches(Story):
    """A data holder hands out a noisy table, and an analyst searches it."""

    simulation: Simulation = field(kw_only=True)

    @property
    def own(self) -> bool:
        """Whether the table is the visitor's own."""
        return self.simulation.problem.identity is None

    @property
    def identity(self) -> str:
        """The name of the sample."""
        return f"searches/{self.simulation.problem.identity}"

    @property
    def data(self) -> object:
        """The problem that costs belong to."""
        return self.simulation.problem

    @cached_property
    def setting(self) -> Setting:
        """The settings of the searches, which are those that Outsourced opens with."""
        problem = self.simulation.problem
        T = max(1, min(EVALUATIONS, problem.n - INITIAL - 1))
        initial = max(0, min(INITIAL, problem.n - T - 1))
        return Setting(1.0, DELTA, 10, T, initial=initial, search=suited_search(problem), once=True)

    @property
    def differences(self) -> list[tuple[str, str]]:
        """The amount that is protected in each column, and the column's name."""
        return [(short(amount), short(name)) for amount, name in differences(self.simulation.problem)]

    def guarantee(self, epsilon: float) -> Guarantee:
        """Return the guarantee of the noisy release."""
        shown = self.differences
        listed = ", or ".join(f"{amount} in {name}" for amount, name in shown)
        together = ", or a smaller combination of these" if len(shown) > 1 else ""
        neighbours = f"two tables that differ in one row, by at most {listed}{together}"
        return self.simulation.noisy_guarantee(replace(self.setting, epsilon=epsilon), neighbours)

    def cost(self, epsilon: float) -> ExtraSteps:
        """Return the extra evaluations until one of the best rows is found."""
        at_epsilon = replace(self.setting, epsilon=epsilon)
        *_, found = self.simulation.compare(at_epsilon, RUNS, ("noisy",), interrupt)
        return found.extra_evaluations("noisy", rank_sought(self.simulation.problem))

    def protected(self) -> tuple[str, str]:
        """Return the protected differences, from the analyst."""
        if self.key == "hospital":
            return "Age differences of up to 4 years", (
                "or kidney-value differences of up to 10%, or a smaller combination of both, from the company and "
                "everyone else who gets the noisy table. The test results are not protected."
            )
        first, *others = self.differences
        more = [f"in {name} of up to {amount}" for amount, name in others[:MAX_COLUMNS]]
        if len(others) > MAX_COLUMNS:
            more.append(f"in {len(others) - MAX_COLUMNS} further columns")
        also = f"or differences {', or '.join(more)}, or a smaller combination, " if more else ""
        return f"Differences in {first[1]} of up to {first[0]}", (
            f"{also}from the analyst and everyone else who gets the noisy table. The outcomes are not protected."
        )

    @property
    def chosen_here(self) -> str:
        """A sentence on the assumption that choosing ε by simulations on a visitor's own table breaks."""
        return "Choosing ε by these simulations on your own table breaks number 2." if self.own else ""

    def sought(self) -> list[tuple[str, str]]:
        """Return the outcome of another table, and whether its highest or its lowest value is looked for."""
        if self.key == "hospital":
            return []
        problem = self.simulation.problem
        rank, end = rank_sought(problem), "highest" if problem.maximize else "lowest"
        which = f"The row with the {end}" if rank == 1 else f"One of the {rank} rows with the {end}"
        return [("Looked for", f"{which} {short(problem.output)}, among {problem.n:,} rows")]

    def goal(self) -> str:
        """Return which rows count as found."""
        if self.key == "hospital":
            return "until the highest level is found"
        rank = rank_sought(self.simulation.problem)
        return "until the best row is found" if rank == 1 else f"until one of the {rank} best rows is found"

    def lead(self, cost: Cost) -> str:
        """Return both sides of the cost."""
        assert isinstance(cost, ExtraSteps)
        private, plain = (within(steps, cost.limit) for steps in (cost.private, cost.plain))
        rows, rank = f"{self.simulation.problem.n:,}", rank_sought(self.simulation.problem)
        if self.key == "hospital":
            what = f"the highest of {rows} patients’ levels"
        else:
            what = f"the best of {rows} rows" if rank == 1 else f"one of the {rank} best of {rows} rows"
        return f"{self.who} finds {what} in {private} {self.steps} with privacy and in {plain} without."

    def caution(self, epsilon: float) -> str:
        """Return a sentence where even the search without privacy isn't clearly ahead of random choice, or nothing."""
        steps = self.simulation.compare(replace(self.setting, epsilon=epsilon), RUNS, ("noisy",), interrupt)
        *_, found = steps
        if found.lead(found.reference("noisy"), "rank").low > 0:
            return ""
        return "Even without privacy, the search isn’t clearly ahead of random choice, so there is little to lose."

    @property
    def who(self) -> str:
        """Who searches, at the beginning of a sentence."""
        return f"{self.payer[0].upper()}{self.payer[1:]}"

    @property
    def vouchers(self) -> tuple[str, ...]:
        """Who vouches for each assumption of the guarantee."""
        holder = "the hospital" if self.key == "hospital" else "the data holder"
        return f"{holder}, which set the columns", f"{holder}, which sets ε", f"{holder}, which runs the release"

    @property
    def signers(self) -> tuple[str, ...]:
        """Who signs a decision."""
        sides = ("For the hospital", "For the company") if self.key == "hospital" else ("Data holder", "Analyst")
        return *sides, "Data protection"

    def conditions(self, promise: Guarantee) -> list[tuple[str, bool]]:
        """Return each assumption of a guarantee in full.

        An ε for a visitor's own table was chosen after simulations on it. The names of columns are counted, since they
        may fill a page.
        """
        first, second, *rest = super().conditions(promise)
        frame = self.simulation.problem.frame
        if not frame.public:
            true = self.simulation.true_epsilon(replace(self.setting, epsilon=promise.epsilon)) or math.inf
            first = KNOWN.format(count(len(frame.read_off), "column", "columns"), true, promise.epsilon), True
        return [first, (CHOSEN, True) if self.own else second, *rest]

    def asked(self) -> str:
        """Return the question that a decision answers."""
        if self.key == "hospital":
            return "How much privacy should the hospital’s noisy table give its patients?"
        return f"How much privacy should the noisy table give to the rows of “{short(self.simulation.problem.title)}”?"

    def question(self) -> Question:
        """Return the projection and the noisy release."""
        return outsourced_question(self.simulation, self.setting, best_r=True)

    def address(self, epsilon: float) -> tuple[str, dict[str, str]]:
        """Return Outsourced with the noisy release."""
        data = (self.simulation.problem.identity or "own").rpartition("/")[2]
        query = {"data": data, "release": "noisy", "search": "suited", "rows": "once", "delta": f"{DELTA:g}"}
        more = {"distance": "1", "T": str(self.setting.iterations), "runs": str(RUNS), "epsilon": f"{epsilon:g}"}
        return "pages/outsourced.py", query | more

    def script(self, epsilon: float) -> str:
        """Return a Python script that computes the cost again."""
        problem = self.simulation.problem
        name = (problem.identity or "").rpartition("/")[2]
        load = f'problem = pb.data.sample("{name}")'
        if not name:
            load = (
                "# Prepare your own table as on the page Data: pb.data.load_table, pb.data.make_problem.\nproblem = ..."
            )
        setting = replace(self.setting, epsilon=epsilon)
        lines = f"""
{load}
simulation = pb.outsourced.Simulation(problem)
setting = pb.outsourced.{setting!r}
*_, found = simulation.compare(setting, {RUNS}, ("noisy",))
extra = found.extra_evaluations("noisy", pb.data.rank_sought(problem))
print("evaluations with privacy and without:", extra.private, extra.plain)
print("95% interval of the difference:", extra.low, "to", extra.high)
print("attack accuracy:", simulation.noisy_guarantee(setting, "two tables that differ in one row").attack_accuracy)
"""
        real = f"""The real noisy release of a table in its column settings, with noise from the operating system:
release = pb.outsourced.publish(problem.original, problem.frame, {epsilon!r}, {DELTA!r})"""
        return write_script("Trade-off", lines, real)


def short(name: str) -> str:
    """Return a column's name as it is, shortened where it would fill a card."""
    return verbatim(name if len(name) <= MAX_NAME else f"{name[: MAX_NAME - 1]}…")
