"""Federated tuning as an entry: its lesson, its place among the systems."""

from dataclasses import replace
from functools import partial

import numpy as np

from pages.parts.federated import lesson_steps as steps
from pages.parts.federated.agents import GRADES, Agents, named
from pages.parts.federated.question import question
from pages.parts.federated.setup import PLAIN, PRIVATE
from pages.parts.live.sliders import Slider
from pages.parts.system.lesson import Lesson, Step, Values
from pages.parts.system.system import System
from privbo_core.federated import delta_for
from privbo_core.federated.server import clip, noise_deviation
from privbo_core.privacy import epsilon, least_error

SCHOOLS, ROUNDS, RATE, LIMIT = 30, 8, 0.5, 8.0
"""Schools that tune together, in the kit: so many, in so many rounds."""


def noise(agents: Agents, *others: str) -> list[Slider]:
    """Return the slider of the noise, which is never without, and others."""
    first, *rest = steps.panel(agents, "z", *others)
    label = "noise z, in multiples of the most that one can send"
    return [replace(first, min=0.3, label=label), *rest]


def kit() -> Values:
    delta = delta_for(SCHOOLS)
    few, many = (noise_deviation(np.full((1, each), 1 / each), rate=RATE, S=LIMIT, z=1.0) for each in (30, 60))
    sent, _ = clip(np.array([[12.0, 16.0]]), 1, LIMIT)
    one, other = map(float, sent[0])
    return {
        "schools": SCHOOLS,
        "rounds": ROUNDS,
        "more_rounds": 4 * ROUNDS,
        "everybody": epsilon(1.0, 1.0, ROUNDS, delta),
        "half": epsilon(RATE, 1.0, ROUNDS, delta),
        "longer": epsilon(RATE, 1.0, 4 * ROUNDS, delta),
        **{"noise_few": few, "noise_many": many, "one": one, "other": other},
        "right_at_1": 1 - least_error(0.5, 1.0, 0.0),
        "right_at_4": 1 - least_error(0.5, 4.0, 0.0),
    }


LESSON = Lesson(
    "federated",
    (
        Step(lambda agents: steps.panel(agents, "runs"), partial(steps.compared, name=PLAIN)),
        Step(noise, steps.what_is_sent),
        Step(lambda agents: [*steps.panel(agents, "S"), *noise(agents)], steps.clipping),
        Step(lambda agents: [replace(steps.panel(agents, "N")[0], value=20), *noise(agents)], steps.crowd),
        Step(lambda agents: noise(agents, "T"), steps.was_it_you),
        Step(  # four times as many rounds can be counted
            lambda agents: [replace(steps.panel(agents, "T")[0], max=steps.LONGEST // 4), *noise(agents)],
            steps.over_rounds,
        ),
        Step(lambda agents: noise(agents, "runs"), partial(steps.compared, name=PRIVATE)),
    ),
    lambda: (GRADES, named(GRADES)),
    lambda at: {
        "title": at.setup.agents.first.title,
        "schools": at.setup.N,
        "S": at.setup.settings.S,
        "z": at.setup.settings.z,
        "rounds": at.setup.settings.iterations,
        "few": steps.FEW,
        "many": steps.MANY,
    },
    steps.of,
    kit=kit,
)


FEDERATED = System(
    name="Federated",
    question=question,
    measures=("early", "simple", "cumulative"),
    neighbours="an agent that stays away",
    lesson=LESSON,
)
