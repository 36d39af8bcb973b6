"""How the data are spoken of on the Simple page: who tunes what, and in which unit a difference is said."""

from dataclasses import dataclass

from pages.parts.federated.agents import FAMILY, GRADES, SCHOOLS, Agents


@dataclass(frozen=True)
class Told:
    """``one`` of ``many`` who tune ``what``. A difference in what is found is said in ``unit``, of which the page's own has ``size``.

    ``errs``: what is tuned is an error, which is to be small. ``axis``: what the picture shows, in that unit.
    """

    one: str
    many: str
    what: str
    unit: str
    size: float
    errs: bool
    axis: str

    @property
    def a_one(self) -> str:
        """One of them, whoever it is."""
        return f"{'an' if self.one[0] in 'aeiou' else 'a'} {self.one}"

    @property
    def better(self) -> str:
        """How to say that something is better, by an amount."""
        return "errs by {} less" if self.errs else "is better by {}"

    @property
    def worse(self) -> str:
        """How to say that something is worse, by an amount."""
        return "errs by {} more" if self.errs else "is worse by {}"


SAMPLES = {
    GRADES: Told(
        "school", "schools", "a model that predicts its pupils’ grades", "grades", 1.0, True,
        "error above the school’s own best, in grades",
    ),
    SCHOOLS: Told(
        "school", "schools", "a classifier of its pupils", "percentage points", 100.0, False,
        "right predictions short of the school’s own best, in %",
    ),
    FAMILY: Told(
        "agent", "agents", "much the same thing, in a simulation", "% of the usual spread", 100.0, False,
        "short of the agent’s own best, in % of the usual spread",
    ),
}  # fmt: skip
"""By the name of the agents. What one unit of the page is in the unit here: accuracies are shares, spreads are σ_f."""


def told(agents: Agents) -> Told:
    """Return how to speak of agents: in their sample's words, or plainly."""
    first = agents.first
    own = Told(
        "participant", "participants", "the same thing", first.output, 1.0, not first.maximize,
        f"short of each one’s own best, in {first.output}",
    )  # fmt: skip
    return SAMPLES.get(agents.name, own)
