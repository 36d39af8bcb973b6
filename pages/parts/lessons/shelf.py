"""The lessons in their order: their steps, and what their words name.

Another one is an entry here, and a file of words.
"""

import math
from dataclasses import replace

import streamlit as st

from pages.parts.federated.agents import GRADES, Agents, named
from pages.parts.lessons.lesson import Lesson, Step, Stop, Values, points
from pages.parts.lessons.steps import cost, meaning, outsourced, release, rounds, searches, simple
from pages.parts.lessons.steps import outsourced as search
from pages.parts.live.sliders import Slider
from pages.parts.outsourced.setup import pick_searching
from pages.parts.release.setup import sliders
from pages.parts.release.tasks import spoken_of
from pages.parts.release.trained import EPSILONS
from pages.parts.shell.address import choose
from pages.parts.shell.undocumented import give_way
from pages.parts.table.own_table import public_simulation
from pages.parts.views.text import SIGMA_Y
from privbo_core.data import TASKS, TuningTask, tuning_task
from privbo_core.outsourced import Simulation

DATA = ("synthetic", "homes", "hospital")


def pick() -> tuple[str, Simulation]:
    """Show the picker of the data."""
    data = choose(
        st.segmented_control,
        "Data",
        DATA,
        key="tour_data",
        format_func=str.capitalize,
        required=True,
        persist_state="session",
    )
    return data, public_simulation(data)


def stand(stop: Stop) -> search.Station:
    """Return where the lesson stands, with the search that suits the data."""
    searching = pick_searching(stop.about.problem, shown=False)
    return search.Station(stop.about, stop.controls, searching, stop.put_axis, give_way)


def of_search(station: search.Station) -> Values:
    """Return what the first lesson's words name."""
    setting = station.setting()
    return {
        "title": station.simulation.problem.title,
        "tests": setting.iterations,
        "epsilon": setting.epsilon,
        "loss": f"{station.controls.values.get('loss', 0.0):.2g}",
        "sigma_y": SIGMA_Y,
        "small": searches.SMALL,
        "large": searches.LARGE,
    }


OUTSOURCED = Lesson(
    "outsourced",
    (
        Step(lambda about: [search.DIMENSION], outsourced.who_sees_what),
        Step(lambda about: [search.evaluations(about), search.RUNS], searches.search_beats_chance),
        Step(
            lambda about: [search.marked_epsilon(about, search.enough_epsilon(about)), search.DIMENSION],
            outsourced.distances_survive,
        ),
        Step(
            lambda about: [search.marked_epsilon(about), search.evaluations(about), search.RUNS], searches.what_it_costs
        ),
        Step(lambda about: [search.marked_epsilon(about), search.RUNS], searches.which_r),
        Step(lambda about: [search.EPSILON, search.DIMENSION, outsourced.TRIALS], outsourced.tell_apart),
        Step(lambda about: [search.EPSILON, search.DISTANCE, search.RUNS], searches.promise_kept),
        Step(lambda about: [search.LOSS, search.RUNS], searches.what_would_you_choose),
    ),
    pick,
    of_search,
    stand,
)

COVERED = Slider(
    "covered",
    "ε",
    EPSILONS[0],
    EPSILONS[-1],
    1.0,
    "more private",
    "more useful",
    "Of the promise that covers training and validation records.",
    step=math.log(EPSILONS[1] / EPSILONS[0]) / 2,
    log=True,
    allowed=EPSILONS,
)
POINTS = Slider(
    "loss",
    "acceptable loss, in points",
    0.1,
    9,
    1.0,
    "demand more",
    "accept more",
    "How many percentage points of confidence the published setting may lose.",
    step=0.02,
    log=True,
)


def tried(task: TuningTask) -> list[Slider]:
    """Return the slider of how many settings were tried."""
    return [
        Slider(
            "tried",
            "settings tried",
            2,
            task.n,
            task.n,
            "few",
            "all",
            "How many settings the best one is picked from.",
            step=0.02,
            log=True,
            whole=True,
        )
    ]


def epsilon(task: TuningTask) -> list[Slider]:
    """Return the slider of ε, which most steps have."""
    return [sliders(task, 0)[0]]


def of_release(stop: Stop) -> Values:
    """Return what the second lesson's words name."""
    task: TuningTask = stop.about
    return {
        "title": task.title.lower(),
        "records": task.records,
        "settings": task.n,
        "tried": _asked(stop, "tried"),
        "epsilon": _asked(stop, "epsilon"),
        "loss": _loss(stop, task),
        "some": release.SOME,
        "little": release.LITTLE,
        "small": release.SMALL,
        "large": release.LARGE,
    }


RELEASE = Lesson(
    "release",
    (
        Step(tried, release.who_decides),
        Step(epsilon, release.good_draws),
        Step(epsilon, release.how_blind),
        Step(epsilon, release.more_tries),
        Step(epsilon, release.score_too),
        Step(lambda task: [COVERED], release.left_out),
        Step(lambda task: [POINTS], release.what_would_you_choose),
    ),
    lambda: (TASKS[0], tuning_task(TASKS[0])),
    of_release,
)


def noise(agents: Agents, *others: str) -> list[Slider]:
    """Return the slider of the noise, which is never without, and others."""
    first, *rest = rounds.panel(agents, "z", *others)
    label = "noise z, in multiples of the most that one can send"
    return [replace(first, min=0.3, label=label), *rest]


def one_of(agents: Agents, key: str) -> Slider:
    """Return a slider of the Federated page."""
    return rounds.panel(agents, key)[0]


def of_schools(at: rounds.Schools) -> Values:
    """Return what the third lesson's words name."""
    settings = at.setup.settings
    return {
        "title": at.agents.first.title,
        "schools": at.setup.N,
        "S": settings.S,
        "z": settings.z,
        "rounds": settings.iterations,
        "few": rounds.FEW,
        "many": rounds.MANY,
    }


FEDERATED = Lesson(
    "federated",
    (
        Step(lambda agents: rounds.panel(agents, "runs"), rounds.together_or_alone),
        Step(noise, rounds.what_is_sent),
        Step(lambda agents: [one_of(agents, "S"), *noise(agents)], rounds.clipping),
        Step(lambda agents: [replace(one_of(agents, "N"), value=20), *noise(agents)], rounds.crowd),
        Step(lambda agents: noise(agents, "T"), rounds.was_it_you),
        # Four times as many rounds can be counted.
        Step(
            lambda agents: [replace(one_of(agents, "T"), max=rounds.LONGEST // 4), *noise(agents)], rounds.over_rounds
        ),
        Step(lambda agents: noise(agents, "runs"), rounds.does_it_pay),
    ),
    lambda: (GRADES, named(GRADES)),
    of_schools,
    rounds.of,
)

EPSILON = Slider("epsilon", "ε", 0.1, 10, 1, "more private", "more useful", "Of one release.", step=0.01, log=True)
TIMES = Slider(
    "times",
    "releases about the same people",
    2,
    meaning.TIMES,
    10,
    "few",
    "many",
    "Each with the same ε again.",
    step=0.02,
    log=True,
    whole=True,
)
GUESSES = Slider(
    "guesses",
    "right guesses accepted, of 100",
    51,
    99,
    70,
    "more private",
    "more useful",
    "How often the best attacker may be right about one patient.",
    whole=True,
)


def of_epsilon(stop: Stop) -> Values:
    """Return what the last lesson's words name."""
    return {
        "epsilon": _asked(stop, "epsilon"),
        "times": _asked(stop, "times"),
        "guesses": _asked(stop, "guesses"),
        "loss": _loss(stop, tuning_task(TASKS[0])),
        "few": meaning.FEW,
        "many": meaning.MANY,
        "little": meaning.LITTLE,
        "much": meaning.MUCH,
        "small": simple.SOME,
        "large": simple.MUCH,
        "least": release.SMALL,
        "most": release.LARGE,
    }


CHOOSING = Lesson(
    "epsilon",
    (
        Step(lambda about: [EPSILON], meaning.guesses, meaning.GUESSES),
        Step(lambda about: [EPSILON], meaning.hunch),
        Step(lambda about: [replace(EPSILON, value=8.0)], meaning.protective),
        Step(lambda about: [TIMES, EPSILON], meaning.adding_up, meaning.GUESSES),
        Step(lambda about: [EPSILON], cost.hospital),
        Step(lambda about: [POINTS], cost.team),
        Step(lambda about: [replace(rounds.RUNS, value=10)], cost.schools),
        Step(lambda about: [GUESSES, POINTS], cost.decision),
    ),
    lambda: ("all", None),
    of_epsilon,
)


def _asked(stop: Stop, key: str) -> float:
    """Return what a slider asks for; 0 where the step has none of that name, and its words do not name it."""
    return stop.controls.values.get(key, 0.0)


def _loss(stop: Stop, task: TuningTask) -> str:
    """Return the loss that is accepted, as somebody says it."""
    return points(spoken_of(task).amount(_asked(stop, "loss") / 100))


LESSONS: tuple[Lesson, ...] = (OUTSOURCED, RELEASE, FEDERATED, CHOOSING)
NAMES = [lesson.name for lesson in LESSONS]


def lesson_of(name: str) -> Lesson:
    """Return the lesson of a name."""
    return LESSONS[NAMES.index(name)]
