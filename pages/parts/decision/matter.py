"""A table, how it is searched, what is looked for, and what an ε promises there."""

from dataclasses import dataclass, replace

from pages.parts.outsourced.shape import noisy_line
from pages.parts.views.content import Sample
from privbo_core.data import Frame, Problem
from privbo_core.outsourced import Outcome, Setting, Simulation, noisy_guarantee
from privbo_core.privacy import Guarantee, Strength, strength


@dataclass(frozen=True)
class Matter:
    """A table's simulation, how it is searched, the candidates of ε, what is looked for."""

    simulation: Simulation
    setting: Setting
    candidates: tuple[float, ...]
    outcome: Outcome
    sample: Sample

    @property
    def problem(self) -> Problem:
        """The table, prepared."""
        return self.simulation.problem

    @property
    def frame(self) -> Frame:
        """The frame that the inputs would leave in."""
        return self.problem.frame

    @property
    def own(self) -> bool:
        """Whether it is somebody's own table."""
        return self.problem.identity is None

    @property
    def hides(self) -> tuple[str, ...]:
        """What stays hidden of one row, column by column, from the frame alone."""
        return self.sample.hides(self.problem, self.setting.protected_distance)

    @property
    def unit(self) -> str:
        """The outcome's unit, or its name where it has none."""
        return self.outcome.unit or f"of {self.outcome.name}"

    @property
    def guess(self) -> str:
        """What an attacker guesses."""
        return "which of two records, as far apart as is hidden, is true"

    @property
    def gains(self) -> str:
        """What a limit that nobody set is."""
        return "a tenth of what the search without privacy finds more than chance does"

    @property
    def remedies(self) -> str:
        """What to do where no ε is found."""
        return f"plan more {self.sample.tests}"

    def at(self, epsilon: float) -> Setting:
        """Return the setting at this ε."""
        return replace(self.setting, epsilon=epsilon)

    def becomes(self, epsilon: float) -> float | None:
        """Return what ε can become if the frame was read off the data: computed from them. None in a public frame."""
        return self.simulation.true_epsilon(self.at(epsilon))

    def promise(self, epsilon: float, *, for_all: bool, looked: bool = False) -> Guarantee:
        """Return what is promised at this ε; ``for_all``: without anything that was computed from the data.

        ``looked``: ε was chosen after searches on the data.
        """
        becomes = None if for_all else self.becomes(epsilon)
        return noisy_guarantee(epsilon, self.setting.noisy_delta, "", self.frame, becomes, looked=looked)

    def protects(self, epsilon: float) -> Strength:
        """Return how strongly this ε protects one row as things stand.

        In a frame that was read off, with what ε becomes.
        """
        return self.strength(epsilon, for_all=False)

    def strength(self, epsilon: float, *, for_all: bool) -> Strength:
        """Return how strongly this ε protects one row, with ``for_all`` as for `promise`: if the promise holds."""
        becomes = None if for_all else self.becomes(epsilon)
        return strength(
            self.promise(epsilon, for_all=for_all), noisy_line(self.at(epsilon), self.frame.d), becomes=becomes
        )


def outcome_of(problem: Problem, unit: str = "") -> Outcome:
    """Return what is looked for: the outcome without its logarithm, in its own unit or the one that somebody gave."""
    known = problem.preparation.output_unit if problem.preparation else ""
    return Outcome(problem.output.removeprefix("log "), unit or known, problem.maximize)
