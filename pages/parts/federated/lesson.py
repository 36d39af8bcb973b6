"""The lesson about tuning together: its steps, and what its words and its teacher's kit name."""

from dataclasses import replace

import numpy as np

from pages.parts.federated import lesson_steps as steps
from pages.parts.federated.agents import GRADES, Agents, named
from pages.parts.live.sliders import Slider
from pages.parts.system.lesson import Lesson, Step, Values
from privbo_core.federated import delta_for
from privbo_core.federated.server import clip, noise_deviation
from privbo_core.privacy import epsilon, least_error

SCHOOLS, ROUNDS, RATE, LIMIT = 30, 8, 0.5, 8.0
"""A class that tunes together, in the kits: as many pupils, in so many rounds."""


def noise(agents: Agents, *others: str) -> list[Slider]:
    """Return the slider of the noise, which is never without, and others."""
    first, *rest = steps.panel(agents, "z", *others)
    label = "noise z, in multiples of the most that one can send"
    return [replace(first, min=0.3, label=label), *rest]


def one_of(agents: Agents, key: str) -> Slider:
    """Return a slider of the Federated page."""
    return steps.panel(agents, key)[0]


def of_schools(at: steps.Schools) -> Values:
    """Return what its words name."""
    settings = at.setup.settings
    return {
        "title": at.agents.first.title,
        "schools": at.setup.N,
        "S": settings.S,
        "z": settings.z,
        "rounds": settings.iterations,
        "few": steps.FEW,
        "many": steps.MANY,
    }


def kit() -> Values:
    """Return ε after the rounds, the noise in two crowds, a list that is shortened, and how often a guess is right."""
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
        "noise_few": few,
        "noise_many": many,
        "one": one,
        "other": other,
        "right_at_1": 1 - least_error(0.5, 1.0, 0.0),
        "right_at_4": 1 - least_error(0.5, 4.0, 0.0),
    }


LESSON = Lesson(
    "federated",
    (
        Step(lambda agents: steps.panel(agents, "runs"), steps.together_or_alone),
        Step(noise, steps.what_is_sent),
        Step(lambda agents: [one_of(agents, "S"), *noise(agents)], steps.clipping),
        Step(lambda agents: [replace(one_of(agents, "N"), value=20), *noise(agents)], steps.crowd),
        Step(lambda agents: noise(agents, "T"), steps.was_it_you),
        # Four times as many rounds can be counted.
        Step(lambda agents: [replace(one_of(agents, "T"), max=steps.LONGEST // 4), *noise(agents)], steps.over_rounds),
        Step(lambda agents: noise(agents, "runs"), steps.does_it_pay),
    ),
    lambda: (GRADES, named(GRADES)),
    of_schools,
    steps.of,
    kit=kit,
)
