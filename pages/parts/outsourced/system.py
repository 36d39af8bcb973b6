"""Outsourced optimisation as an entry: its lesson, its story as Start tells it, its place among the systems."""

from functools import partial

from pages.parts.outsourced import lesson_searches as searches
from pages.parts.outsourced import lesson_steps as search
from pages.parts.outsourced.afford import AffordPage
from pages.parts.outsourced.lesson_simple import SHORT
from pages.parts.outsourced.question import question
from pages.parts.outsourced.setup import DIMENSION, DISTANCE, pick_searching
from pages.parts.system.lesson import Lesson, Situation, Step, Values
from pages.parts.system.system import DELTA, R, System
from pages.parts.views.text import SIGMA_MIN, SIGMA_Y
from privbo_core.data import sample
from privbo_core.outsourced import noise_deviation, omega, smallest_epsilon, spectrum
from privbo_core.privacy import group_epsilon

LESSON_DATA = ("synthetic", "homes", "hospital")
APART = 20.0  # How many years lie between the two ages of an exercise.


def stand(situation: Situation) -> search.SearchSituation:
    searching = pick_searching(situation.about.problem, shown=False)
    return search.SearchSituation(situation.about, situation.controls, searching, situation.put_axis, situation.pause)


def of_search(here: search.SearchSituation) -> Values:
    setting = here.setting()
    return {
        "title": here.simulation.problem.title,
        "tests": setting.iterations,
        "epsilon": setting.epsilon,
        "loss": f"{here.controls.values.get('loss', 0.0):.2g}",
        "sigma_y": SIGMA_Y,
        "small": searches.SMALL,
        "large": searches.LARGE,
    }


def kit() -> Values:
    """Return what the noise on the patients’ ages is, what the paper asks of them, and how far blind tests come."""
    hospital = sample("hospital")
    frame, least = hospital.frame, spectrum(hospital.points).sigma_min
    hidden = frame.columns[0].hide
    one, eight = (
        hidden * noise_deviation(each, DELTA, bounds=frame.bounds, protected_distance=1.0, d=frame.d)
        for each in (1.0, 8.0)
    )
    best, missed, tests = round(0.01 * hospital.n), 1.0, 0
    while missed > 0.05:
        missed *= (hospital.n - best - tests) / (hospital.n - tests)
        tests += 1
    return {
        "years_at_1": one,
        "years_at_8": eight,
        "part": eight / one,
        "sigma_min": SIGMA_MIN,
        "omega": omega(1.0, DELTA, R),
        "least": least,
        "enough": smallest_epsilon(least, DELTA, R),
        "years": APART,
        "changes": APART / hidden,
        "across": group_epsilon(1.0, DELTA, APART / hidden),
        "patients": hospital.n,
        "best": best,
        "tests": tests,
    }


LESSON = Lesson(
    "outsourced",
    (
        Step(lambda about: [DIMENSION], search.who_sees_what),
        Step(lambda about: [search.evaluations(about), search.RUNS], searches.search_beats_chance),
        Step(
            lambda about: [search.marked_epsilon(about, search.enough_epsilon(about)), DIMENSION],
            search.distances_survive,
        ),
        Step(
            lambda about: [search.marked_epsilon(about), search.evaluations(about), search.RUNS], searches.what_it_costs
        ),
        Step(lambda about: [search.marked_epsilon(about), search.RUNS], searches.which_r),
        Step(lambda about: [search.EPSILON, DIMENSION, search.TRIALS], search.tell_apart),
        Step(lambda about: [search.EPSILON, DISTANCE, search.RUNS], searches.promise_kept),
        Step(lambda about: [search.LOSS, search.RUNS], searches.what_would_you_choose),
    ),
    partial(search.pick, LESSON_DATA, "tour_data"),
    of_search,
    stand,
    kit=kit,
    short=SHORT,
)

OUTSOURCED = System(
    name="Outsourced",
    question=question,
    afford=AffordPage,
    neighbours="a record that moves a little",
    lesson=LESSON,
)
