"""Schools tune together through a server, which hides who took part."""

from dataclasses import dataclass, replace
from functools import cached_property
from typing import ClassVar

from pages.ui.agents import grades_simulation
from pages.ui.follow import interruptible
from pages.ui.numbers import rounded_up
from pages.ui.script import write_script
from pages.ui.stories.story import RUNS, Cost, Story, within
from privbo_core.bo import ExtraSteps
from privbo_core.federated import (
    GRADES_START,
    Settings,
    Simulation,
    guarantee,
    noise_needed,
    rounds_needed,
    trade_off,
    variants,
)
from privbo_core.privacy import Guarantee
from privbo_core.tradeoff import Question, federated_question

PRIVATE, NOISELESS, ALONE = "DP-FTS-DE", "FTS-DE", "TS"
"""The schools tune together with noise, together without noise, or each on its own."""


@dataclass(frozen=True)
class Schools(Story):
    """Schools tune together through a server, which hides who took part."""

    reference: ClassVar[str] = "without noise"
    repeated: ClassVar[str] = "runs"
    measured_by: ClassVar[str] = f"{RUNS} simulated runs at each ε, smoothed to a falling line. 95% band."

    @cached_property
    def simulation(self) -> Simulation:
        """The simulation of the schools."""
        return grades_simulation()

    @cached_property
    def agents(self) -> int:
        """The number of schools."""
        return len(self.simulation.problem(0).agents)

    def settings(self, epsilon: float) -> Settings:
        """Return the settings in which z gives this ε."""
        start = GRADES_START.settings(self.simulation.problem(0))
        return replace(start, z=rounded_up(noise_needed(start, self.agents, epsilon, "pld", "exact")))

    def guarantee(self, epsilon: float) -> Guarantee:
        """Return the guarantee of all rounds, by the tight account."""
        settings, problem = self.settings(epsilon), self.simulation.problem(0)
        found = guarantee(settings, self.agents, "pld", "exact", problem=problem, counted=epsilon)
        return replace(found, curve=trade_off(settings, self.agents))

    def cost(self, epsilon: float) -> ExtraSteps:
        """Return the extra rounds over the same algorithm without noise."""
        named = variants(self.settings(epsilon))
        algorithms = {name: named[name] for name in (PRIVATE, NOISELESS, ALONE)}
        *_, found = interruptible(self.simulation.compare(algorithms, self.agents, RUNS))
        return rounds_needed(found, PRIVATE, NOISELESS, ALONE).extra

    def protected(self) -> tuple[str, str]:
        """Return who is protected from whom."""
        return "Whether a school took part", (
            "with all that it sends, from everyone except the server that adds the noise. What a school does with its "
            "own result is not protected."
        )

    def attacked(self, percent: str) -> str:
        """Return a sentence on the best attacker."""
        return f"The best attacker is right **{percent} times in 100** about whether one school took part."

    def goal(self) -> str:
        """Return which result counts."""
        return "until the schools do as well as one that tunes alone"

    def lead(self, cost: Cost) -> str:
        """Return both sides of the cost."""
        assert isinstance(cost, ExtraSteps)
        private, plain = (within(steps, cost.limit) for steps in (cost.private, cost.plain))
        alone = f"{cost.limit} rounds of tuning alone"
        return f"Together, they match {alone} in {private} rounds with noise and in {plain} without."

    @property
    def vouchers(self) -> tuple[str, ...]:
        """Who vouches for each assumption of the guarantee."""
        return "who runs the server", "the schools", "who runs the server"

    @property
    def signers(self) -> tuple[str, ...]:
        """Who signs a decision."""
        return "For the schools", "For the server", "Data protection"

    def asked(self) -> str:
        """Return the question that a decision answers."""
        return "How well should the server hide whether a school took part?"

    def question(self) -> Question:
        """Return more noise, and fewer participants."""
        start = GRADES_START.settings(self.simulation.problem(0))
        return federated_question(self.simulation, start, self.agents, method="pld", sensitivity="exact")

    def regret(self) -> str:
        """Return the name of the regret axis."""
        return "simple regret at the end, σ_{f}"

    def address(self, epsilon: float) -> tuple[str, dict[str, str]]:
        """Return Federated with the z of this ε."""
        return "pages/federated.py", {"agents": "grades", "z": f"{self.settings(epsilon).z:g}"}

    def script(self, epsilon: float) -> str:
        """Return a Python script that computes the cost again."""
        lines = f"""
problem = pb.federated.grades()
simulation = pb.federated.Simulation(lambda run: problem)
settings = replace(pb.federated.GRADES_START.settings(problem), z={self.settings(epsilon).z!r})
named = pb.federated.variants(settings)
algorithms = {{name: named[name] for name in ("{PRIVATE}", "{NOISELESS}", "{ALONE}")}}
*_, progress = simulation.compare(algorithms, len(problem.agents), {RUNS})
extra = pb.federated.rounds_needed(progress, "{PRIVATE}", "{NOISELESS}", "{ALONE}").extra
print("rounds with noise and without:", extra.private, extra.plain)
print("95% interval of the difference:", extra.low, "to", extra.high)
"""
        real = "privbo_core.federated.flower runs the same agents and server on real machines."
        return write_script("Trade-off", lines, real, "from dataclasses import replace\n\n")
