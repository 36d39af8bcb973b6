"""The lesson about tuning together, as the tour knows it."""

from dataclasses import replace

from pages.parts.controls.live_sliders import Slider
from pages.parts.federated.agents import GRADES, Agents, named
from pages.parts.tour.lesson import NOW, Lesson, Step
from pages.parts.tour.lessons.federated import questions, schools
from pages.parts.tour.lessons.federated.sharing import does_it_pay, together_or_alone
from pages.parts.tour.lessons.federated.telling import clipping, crowd, what_is_sent
from pages.parts.tour.lessons.federated.watching import over_rounds, was_it_you


def noise(agents: Agents, *others: str) -> list[Slider]:
    """Return the slider of the noise, which is never without, and others."""
    first, *rest = schools.panel(agents, "z", *others)
    label = "noise z, in multiples of the most that one can send"
    return [replace(first, min=0.3, label=label), *rest]


def rounds(agents: Agents) -> list[Slider]:
    """Return the slider of the rounds, up to where four times as many can be counted; and that of the noise."""
    (first,) = schools.panel(agents, "T")
    return [replace(first, max=schools.LONGEST // 4), *noise(agents)]


def crowds(agents: Agents) -> list[Slider]:
    """Return the slider of the crowd, small at first, and that of the noise."""
    (first,) = schools.panel(agents, "N")
    return [replace(first, value=20), *noise(agents)]


STEPS = (
    Step(
        "Alone or together",
        lambda agents: schools.panel(agents, "runs"),
        together_or_alone,
        questions.together_or_alone,
    ),
    Step("What the server tells", noise, what_is_sent, questions.what_is_sent),
    Step(
        "Nobody counts too much",
        lambda agents: [*schools.panel(agents, "S"), *noise(agents)],
        clipping,
        questions.clipping,
    ),
    Step("How large a crowd?", crowds, crowd, questions.crowd),
    Step("Was it you?", lambda agents: noise(agents, "T"), was_it_you, questions.was_it_you),
    Step("ε over the rounds", rounds, over_rounds, questions.rounds),
    Step("Does it still pay?", lambda agents: noise(agents, "runs"), does_it_pay, questions.does_it_pay),
)
"""In their order."""

FEDERATED = Lesson(
    name="federated",
    title="Federated",
    promise="Many tune together",
    steps=STEPS,
    pick=lambda: (GRADES, named(GRADES)),
    stand=schools.of,
    note=lambda agents: f"Data: {agents.first.title}. {NOW}",
)
