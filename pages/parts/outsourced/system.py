"""Outsourced optimisation as an entry: its lesson, its story as Start tells it, its place among the systems."""

from functools import partial
from pathlib import Path

from pages.parts.live.sliders import Controls
from pages.parts.outsourced import lesson_searches as searches
from pages.parts.outsourced import lesson_steps as search
from pages.parts.outsourced.afford import AffordPage
from pages.parts.outsourced.attacks import AUDITED
from pages.parts.outsourced.lesson_simple import SHORT
from pages.parts.outsourced.question import question
from pages.parts.outsourced.setup import DIMENSION, DISTANCE, Searching, case_of, pick_searching, sliders
from pages.parts.outsourced.view import View
from pages.parts.system.lesson import Lesson, Situation, Step, Values
from pages.parts.system.system import DELTA, Link, R, Story, System
from pages.parts.table.own_table import public_simulation
from pages.parts.views.text import SIGMA_MIN, SIGMA_Y, strong
from privbo_core.data import sample, suited_search
from privbo_core.outsourced import Mechanism, noise_deviation, omega, smallest_epsilon, spectrum
from privbo_core.privacy import TradeOff, gaussian_sigma, group_epsilon

HERE = Path(__file__).parent
DATA = "hospital"  # What the short form is about.
MECHANISMS: tuple[Mechanism, ...] = ("noisy",)
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


def _cost(epsilon: float) -> str:
    """Return what privacy costs there, in tests: the page's own searches, which take less than a second."""
    simulation = public_simulation(DATA)
    start = {slider.key: slider.nearest(slider.value) for slider in sliders(simulation, MECHANISMS)}
    controls = Controls(start | {"epsilon": epsilon, "delta": DELTA})
    case = case_of(simulation, MECHANISMS, controls, Searching(suited_search(simulation.problem), once=True))
    *_, comparison = simulation.compare(case.setting, case.runs, MECHANISMS)
    return View(case, comparison).cost.text.lower()


STORY = Story(
    "A hospital lets somebody else choose whom to test",
    (
        "A test for early relapse is expensive, so only a few of thousands of patients can have it. A company knows "
        "how to choose them well, one after the other, by Bayesian optimisation. The hospital may not hand over the "
        "records.",
        f"So it hands over a {strong('random projection')} of them. The company never learns what a number means; it "
        "says “test number 4,711 next”, gets the result back, and chooses again. How good is a choice made "
        "half-blind? And does the projection really hide the patients?",
    ),
    HERE / "story.html",
    (
        Link(
            "pages/outsourced.py",
            "Drag ε and see: Outsourced, running on a sample",
            ":material/hub:",
            {"data": "hospital", "epsilon": "3", "r": "10"},
        ),
        Link(
            "pages/audit.py",
            "Does it hide them? Audit",
            ":material/fact_check:",
            {"audited": "projection", "data": "hospital", "epsilon": "3", "r": "10"},
        ),
    ),
    drawing=HERE / "start.html",
    protected="small differences in a record, not the person, from the company",
    shown=Link(
        "pages/outsourced.py",
        "Show me the hospital",
        ":material/hub:",
        {"view": "simple", "data": DATA, "delta": f"{DELTA:g}"},
    ),
    line=lambda epsilon: TradeOff.gaussian(1 / gaussian_sigma(epsilon, DELTA, 1.0)),
    cost=_cost,
)

OUTSOURCED = System(
    name="Outsourced",
    page="pages/outsourced.py",
    icon=":material/hub:",
    story=STORY,
    audited=AUDITED,
    question=question,
    afford=AffordPage,
    neighbours="a record that moves a little",
    paper="σ_min and ω",
    lesson=LESSON,
)
