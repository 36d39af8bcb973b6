"""Tour: four lessons, each step of which asks before it shows.

A lesson is a Markdown file in pages/content/lessons. Its front matter names each step's figure, its settings, and the
number that decides which case of the text is the answer.
"""

import math
import tomllib
from bisect import bisect_right
from collections.abc import Callable, Generator, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import lru_cache
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import streamlit as st

from pages import ui
from pages.figures import start as start_figures
from pages.figures import tour as figures
from pages.ui import address
from pages.ui.figure import NON_PRIVATE, PRIVATE, PROVEN, RANDOM, REFUTED, SECOND_PRIVATE
from pages.ui.numbers import count, in_100, power_of_ten, with_error
from pages.ui.text import SIGMA_Y
from privbo_core import federated
from privbo_core.audit import reconstruct
from privbo_core.bo import Difference
from privbo_core.data import TASKS, TuningTask, rank_sought, suited_search, tuning_task
from privbo_core.errors import Array
from privbo_core.federated import GRADES_START, delta_for, saving, variants
from privbo_core.federated import run as run_rounds
from privbo_core.federated.server import Broadcast
from privbo_core.federated.simulation import EARLY
from privbo_core.outsourced import Setting, Simulation
from privbo_core.outsourced.comparison import Comparison
from privbo_core.privacy import Laplace, TradeOff, gaussian_sigma, worst_case_belief
from privbo_core.privacy import epsilon as epsilon_of_rounds
from privbo_core.release import noisy, optimise, random_rows, selection
from privbo_core.tradeoff import expected_loss

FOLDER = Path(__file__).parent / "content" / "lessons"
LESSONS = ("outsourced", "release", "federated", "epsilon")
DELTA, T, RUNS = 1e-5, 30, 40
FIRST_RUNS = 8
CHOICES = (0.1, 0.3, 0.5, 1.0, 2.0, 3.0, 5.0, 10.0, 30.0)
TOP = 0.05
LISTS, SETS = (2, 5, 10, 20, 50, 100, 200), 30
LOSS_EPSILONS: tuple[float, ...] = tuple(np.geomspace(0.1, 1000.0, 41).tolist())
SCHOOLS = 237
CROWDS = (5, 10, 30, 100, SCHOOLS)
LOOKS = 6
"""How many first rounds are looked at, each with random numbers of its own."""
TOGETHER, ALONE, NOISY = "FTS-DE", "TS", "DP-FTS-DE"
PRIOR = 0.1
SKIPPED = "skipped"


@dataclass(frozen=True)
class Guess:
    """A number that is guessed with a slider: its range, where it begins, and its unit."""

    low: int
    high: int
    start: int
    unit: str


@dataclass(frozen=True)
class Case:
    """One answer that is offered, and the text if it is the right one: the finding, and a note below it."""

    option: str
    finding: str
    note: str


@dataclass(frozen=True)
class Step:
    """A step of a lesson. ``number`` names the number that decides, and ``cases`` are the borders between answers."""

    name: str
    question: str
    answers: tuple[Case, ...]
    figure: str
    number: str
    cases: tuple[float, ...]
    settings: Mapping[str, float] = field(default_factory=dict)
    sliders: tuple[str, ...] = ()
    guess: Guess | None = None

    def right(self, number: float) -> Case:
        """Return the case that a number falls into. A number on a border belongs to the case above it."""
        return self.answers[bisect_right(self.cases, number)]


@dataclass(frozen=True)
class Lesson:
    """A lesson with its title, a sentence on its data, and its steps."""

    title: str
    about: str
    steps: tuple[Step, ...]


@dataclass(frozen=True)
class Shown:
    """A figure with its numbers, its words for the text, and whether all simulated runs are in."""

    figure: ui.Figure
    numbers: Mapping[str, float]
    words: Mapping[str, str]
    done: bool = True


Settings = Mapping[str, float]
Showing = Generator[Shown, None, None]
"""A generator of one step's figures: a first one, and better ones as simulated runs come in."""


@lru_cache(maxsize=8)
def read_lesson(name: str) -> Lesson:
    """Read a lesson from its Markdown file."""
    _, front, text = (FOLDER / f"{name}.md").read_text("utf-8").split("+++\n", 2)
    head = tomllib.loads(front)
    sections = {part.partition("\n")[0].strip(): part.partition("\n")[2] for part in text.split("\n## ")[1:]}
    return Lesson(head["title"], head["about"], tuple(_step(each, sections[each["name"]]) for each in head["steps"]))


def _step(front: dict[str, Any], text: str) -> Step:
    question, *parts = text.split("\n### ")
    answers = tuple(_case(part) for part in parts)
    cases = tuple(front["cases"])
    if len(answers) != len(cases) + 1:
        raise ValueError(f"{front['name']} has {len(answers)} answers and {len(cases)} borders.")
    return Step(
        name=front["name"],
        question=_joined(question),
        answers=answers,
        figure=front["figure"],
        number=front["number"],
        cases=cases,
        settings=front.get("settings", {}),
        sliders=tuple(front.get("sliders", ())),
        guess=Guess(**front["guess"]) if "guess" in front else None,
    )


def _case(part: str) -> Case:
    option, finding, *notes = part.strip().split("\n\n")
    return Case(option.strip(), _joined(finding), " ".join(map(_joined, notes)))


def _joined(lines: str) -> str:
    return " ".join(lines.split())


def fill(text: str, words: Mapping[str, str]) -> str:
    """Return a text with each [[value]] filled in."""
    for key, value in words.items():
        text = text.replace(f"[[{key}]]", value)
    return text


def main() -> None:
    """Ask the question of a step, and show its figure once it is answered."""
    ui.begin("tour")
    left, first_screen, _ = ui.columns()
    with left:
        name = pick_lesson()
        lesson = read_lesson(name)
        number = pick_step(lesson)
        sliders_here = st.container(key="sliders")
    step, key = lesson.steps[number - 1], f"tour/{name}/{number}"
    panel = ui.Panel(key, [SLIDERS[slider](step.settings[slider]) for slider in step.sliders])
    forget_other_sliders(step)
    settings = {**step.settings, **{slider: panel[slider] for slider in step.sliders}}
    guess = guess_of(key)

    with first_screen:
        show_moves(name, number, len(lesson.steps))
        headline = ui.Place("headline")
        with ui.card("tour") as title:
            asked = st.container(key="asked")
            chart = ui.Chart("tour")
    ui.bar("tour", {"tour": step.name})
    results = FIGURES[step.figure](settings)
    if guess is None:
        headline.html(ui.headline(fill(step.question, words_of(settings)), lesson.about))
        title.html(ui.title("What do you think?", "Answer first. The figure comes with the answer."))
        with asked:
            ask(step, key)
        chart.draw(figures.covered(), "The figure is covered until the question is answered.")
        return
    first = next(results)
    draw(step, first, settings, guess, headline, title, chart)
    with sliders_here:
        panel.show()
    for shown in ui.follow(results):
        draw(step, shown, settings, guess, headline, title, chart)


def pick_lesson() -> str:
    """Show the choice of a lesson, which begins with its first step."""
    titles = {name: read_lesson(name).title for name in LESSONS}
    return ui.choose(st.radio, "Lesson", titles, key="lesson", on_change=ui.set_choices, args=({"step": "1"},))


def pick_step(lesson: Lesson) -> int:
    """Show the steps of a lesson, and return the number of the one that is chosen."""
    names = {f"{number}": f"{number}. {step.name}" for number, step in enumerate(lesson.steps, 1)}
    return int(ui.choose(st.radio, "Step", names, key="step"))


def show_moves(lesson: str, number: int, last: int) -> None:
    """Show the ways to the step before and to the next one, which stay in their place."""
    place = LESSONS.index(lesson)
    following = (
        {"lesson": LESSONS[(place + 1) % len(LESSONS)], "step": "1"} if number == last else {"step": f"{number + 1}"}
    )
    before = {"step": f"{max(1, number - 1)}"}
    with st.container(key="moves", horizontal=True, vertical_alignment="center", gap="small"):
        st.button("Previous", on_click=ui.set_choices, args=(before,), disabled=number == 1, key="previous")
        ui.Place("step-count").html(ui.remark(f"Step {number} of {last}"))
        label = "Next lesson" if number == last else "Next"
        st.button(label, on_click=ui.set_choices, args=(following,), type="primary", key="next")


def forget_other_sliders(step: Step) -> None:
    """Take the sliders of other steps out of the address."""
    address.write({key: None for key in SLIDERS if key not in step.sliders})


# Guesses


def guess_of(key: str) -> str | None:
    """Return the option or the number that was guessed, or None while the question is open.

    A link can show a step's figure at once (seen=1), or ask its question once more (seen=0).
    """
    name, asked = f"{key}/guess", st.query_params.get("seen")
    if asked is not None and address.is_news("seen", asked):
        if asked == "0":
            st.session_state[name] = None
        elif st.session_state.get(name) is None:
            st.session_state[name] = SKIPPED
    guess: str | None = st.session_state.get(name)
    address.write({"seen": None if guess is None else "1"})
    return guess


def ask(step: Step, key: str) -> None:
    """Show the answers that are offered, and the way to skip the question."""

    def answer(text: str) -> None:
        st.session_state[f"{key}/guess"] = text

    def take() -> None:
        answer(f"{st.session_state[f'{key}/slider']}")

    if step.guess is None:
        for case in step.answers:
            st.button(case.option, on_click=answer, args=(case.option,), width="stretch", key=f"answer/{case.option}")
    else:
        guess = step.guess
        label = f"Drag to your guess ({guess.unit})"
        st.slider(label, guess.low, guess.high, guess.start, key=f"{key}/slider")
        st.button("That is my guess", on_click=take, type="primary", key="take")
    st.button("Show me without guessing", on_click=answer, args=(SKIPPED,), type="tertiary", key="skip")


def verdict(step: Step, guess: str, number: float) -> str:
    """Answer a guess, in one sentence."""
    if guess == SKIPPED:
        return ""
    if step.guess is not None:
        found = f"{number:.0f}"
        return (
            f"**You said {guess}, and that is right.**"
            if guess == found
            else f"**You said {guess}, and it is {found}.**"
        )
    right = step.right(number).option
    if guess == right:
        return f"**You said “{guess}”, and that is right.**"
    return f"**You said “{guess}”, and the answer is “{right}”.**"


def draw(
    step: Step, shown: Shown, settings: Settings, guess: str, headline: ui.Place, title: ui.Place, chart: ui.Chart
) -> None:
    """Draw the figure of a step, with its finding above and the answer to the guess."""
    number = shown.numbers[step.number]
    words, case = {**words_of(settings), **shown.words}, step.right(number)  # a figure's own words come first
    finding, note = fill(case.finding, words), fill(case.note, words)
    if shown.done:
        lead = " ".join(filter(None, [verdict(step, guess, number), note]))
    else:
        lead = "The first simulated runs are in, and the numbers may still change."
    headline.html(ui.headline(finding.removesuffix("."), lead, old=not shown.done))
    title.html(ui.title(step.name, fill(step.question, words)))
    chart.draw(shown.figure, finding)


def words_of(settings: Settings) -> dict[str, str]:
    """Return the settings of a step in words, with those of the data."""
    task = team()
    known = {"records": task.records, "settings": task.n, "top": round(TOP * task.n), "T": T, "early": EARLY}
    problem = ui.sample_simulation("hospital").problem
    known |= {"known": problem.d + 1, "schools": SCHOOLS, "rounds": GRADES_START.iterations}
    words = {key: f"{value}" for key, value in known.items()}
    words |= {key: power_of_ten(float(f"{value:.3g}")) for key, value in settings.items()}
    if "T" in settings:
        words["later"] = f"{4 * round(settings['T'])}"
    if "loss" in settings:
        words["loss"] = count_points(settings["loss"])
    return words


def count_points(points: float) -> str:
    """Return an amount of points with its noun."""
    return "1 point" if points == 1 else f"{points:.3g} points"


SLIDERS: dict[str, Callable[[float], ui.Slider]] = {
    "epsilon": lambda value: replace(
        ui.epsilon_slider(value, "A smaller ε protects more."), label="Privacy budget (ε)", shared=False
    ),
    "tests": lambda value: ui.Slider(
        "tests", "Accepted extra tests", 0, 20, value, "fewer", "more", whole=True, presented=True
    ),
    "tried": lambda value: ui.Slider(
        "tried", "Settings tried", 2, 400, value, "fewer", "more", log=True, whole=True, presented=True
    ),
    "loss": lambda value: ui.Slider(
        "loss", "Accepted loss (points)", 0.05, 10, value, "less", "more", log=True, presented=True
    ),
    "z": lambda value: ui.Slider("z", "Noise z", 0.3, 10, value, "less noise", "more noise", log=True, presented=True),
    "S": lambda value: ui.Slider(
        "S", "Largest size S", 1, 60, value, "scales down more", "more noise", log=True, presented=True
    ),
    "N": lambda value: ui.Slider(
        "N", "Schools N", 2, SCHOOLS, value, "fewer", "more", log=True, whole=True, presented=True
    ),
    "T": lambda value: ui.Slider("T", "Rounds T", 2, 25, value, "fewer", "more", whole=True, presented=True),
    "times": lambda value: ui.Slider(
        "times", "Releases", 2, 100, value, "fewer", "more", log=True, whole=True, presented=True
    ),
    "right": lambda value: ui.Slider(
        "right", "Accepted attack success", 51, 99, value, "fewer", "more", whole=True, presented=True
    ),
}
"""The sliders of all steps, by their keys."""


# The hospital


def hospital_setting(epsilon: float) -> tuple[Simulation, Setting]:
    """Return the hospital's simulation, and a search on its noisy table."""
    simulation = ui.sample_simulation("hospital")
    return simulation, Setting(epsilon, DELTA, 10, T, search=suited_search(simulation.problem), once=True)


def hospital_searches(epsilon: float) -> Iterator[tuple[Comparison, bool]]:
    """Yield the searches with privacy and without as they come in, and whether these are all."""
    simulation, setting = hospital_setting(epsilon)
    known = simulation.finished("noisy", setting, RUNS)
    for found in simulation.compare(setting, RUNS, ("noisy",), ui.interrupt):
        if found.runs >= max(known, FIRST_RUNS):
            yield found, found.runs == RUNS


def show_patients(settings: Settings) -> Showing:
    """Show some patients as the company sees them."""
    simulation, setting = hospital_setting(settings["epsilon"])
    problem, hide = simulation.problem, simulation.problem.frame.hide[0]
    years = setting.noise(problem.frame) * float(hide)
    figure = start_figures.patients(start_figures.blur(problem, setting.noise(problem.frame)))
    yield Shown(
        figure, {"years": years}, {"years": f"{years:.0f}" if years >= 10 else f"{years:.2g}", "hide": f"{hide:g}"}
    )


def show_search(settings: Settings) -> Showing:
    """Show a search without privacy beside random choice."""
    simulation, _ = hospital_setting(1.0)
    reference = simulation.reference("noisy")
    for found, done in hospital_searches(1.0):
        plain, chance = found.band(reference), found.band("random")
        bands = {"search": (plain, figures.TOGETHER), "random choice": (chance, figures.ALONE)}
        words = {
            "search": f"{plain.mean[-1]:.2f}",
            "random": f"{chance.mean[-1]:.2f}",
            "T": f"{T}",
            "runs": f"{found.runs}",
        }
        figure = figures.regret(bands, "tests", SIGMA_Y)
        yield Shown(figure, {"lead": errors_from_zero(found.lead(reference))}, words, done)


def show_cost(settings: Settings) -> Showing:
    """Show a search on the noisy table beside the same search without privacy."""
    simulation, setting = hospital_setting(settings["epsilon"])
    first = setting.initial
    for found, done in hospital_searches(settings["epsilon"]):
        extra = found.extra_evaluations("noisy", rank_sought(simulation.problem))
        private = f"{extra.private}" if extra.private_reached else f"more than {extra.limit}"
        bands = {
            "with privacy": (found.band("noisy"), replace(figures.NOISY, colour=SECOND_PRIVATE)),
            "without": (found.band(simulation.reference("noisy")), figures.TOGETHER),
        }
        words = {
            "private": private,
            "plain": f"{extra.plain}",
            "T": f"{T}",
            "runs": f"{found.runs}",
            "first": f"{first}",
        }
        number = extra.extra if extra.significant else 0
        yield Shown(figures.regret(bands, "tests", SIGMA_Y), {"extra": float(number)}, words, done)


def show_attack(settings: Settings) -> Showing:
    """Show the ages that an attacker reconstructs from the projected table and a few known patients."""
    simulation, setting = hospital_setting(1.0)
    problem, points = simulation.problem, simulation.problem.points
    known = spanning_rows(points)
    found = reconstruct(simulation.release(setting, 0), known, points[known])
    others = np.setdiff1d(np.arange(problem.n), known)
    near = np.linalg.norm(found.points - points, axis=1) < 1e-6 * np.linalg.norm(points, axis=1).max()
    shown = np.random.default_rng(0).choice(others, 400, replace=False)
    ages = rebuilt_column(problem.original[:, 0], points, found.points)
    figure = figures.reconstructed(problem.original[shown, 0], ages[shown])
    words = {"known": f"{len(known)}", "found": f"{int(near[others].sum()):,}", "others": f"{len(others):,}"}
    yield Shown(figure, {"percent": 100 * float(near[others].mean())}, words)


def spanning_rows(points: Array) -> list[int]:
    """Return d + 1 rows that span all directions: the first one, and those farthest from the span so far."""
    rows, rest = [0], points - points[0]
    for _ in range(points.shape[1]):
        lengths = np.linalg.norm(rest, axis=1)
        rows.append(int(lengths.argmax()))
        unit = rest[rows[-1]] / lengths.max()
        rest = rest - np.outer(rest @ unit, unit)
    return rows


def rebuilt_column(original: Array, points: Array, found: Array) -> Array:
    """Return a column in its own unit, given the points that were rebuilt. The points are linear in it."""
    ones = np.ones((len(points), 1))
    weights, *_ = np.linalg.lstsq(np.hstack([points, ones]), original, rcond=None)
    return np.asarray(np.hstack([found, ones]) @ weights)


def show_through_noise(settings: Settings) -> Showing:
    """Show how often the best attacker is right through Gaussian noise, against ε."""
    x = np.geomspace(0.03, 30.0, 60)
    rights = [right_through_noise(float(each)) for each in x]
    now = right_through_noise(settings["epsilon"])
    figure = figures.right_guesses(x, rights, (settings["epsilon"], now), "privacy budget ε", (0.1, 1, 10))
    yield Shown(figure, {"right": now}, {"right": in_100(now / 100)})


@lru_cache(maxsize=512)
def right_through_noise(epsilon: float) -> float:
    """Return how often of 100 the best attacker is right through the least Gaussian noise for ε."""
    return 100 * (1 - TradeOff.gaussian(1 / gaussian_sigma(epsilon, DELTA, 1.0)).least_error(0.5))


def show_choice(settings: Settings) -> Showing:
    """Show the extra tests at several privacy budgets, and the smallest one that costs no more than is accepted."""
    simulation, _ = hospital_setting(1.0)
    rank, limit = rank_sought(simulation.problem), settings["tests"]
    costs = []
    for epsilon in CHOICES:
        *_, (found, _) = hospital_searches(epsilon)
        extra = found.extra_evaluations("noisy", rank)
        costs.append(float(extra.extra) if extra.significant or not extra.private_reached else 0.0)
    # The cost of more privacy is never smaller. A dip is chance.
    costs = np.maximum.accumulate(costs[::-1])[::-1].tolist()
    enough = next((place for place, cost in enumerate(costs) if cost <= limit), None)
    figure = figures.steps_over(CHOICES, costs, limit, "extra tests", "extra tests", T - 5.0)
    if enough is None:
        yield Shown(
            figure, {"epsilon": math.inf}, {"least": f"more than {CHOICES[-1]:g}", "extra": "more than you accept"}
        )
        return
    least, cost = CHOICES[enough], costs[enough]
    extra_words = count(round(cost), "extra test", "extra tests") if cost else "no measurable extra tests"
    yield Shown(figure, {"epsilon": least}, {"least": f"ε = {least:g}", "extra": extra_words})


def errors_from_zero(difference: Difference) -> float:
    """Return how many standard errors a difference is from zero. Two or more are measurable."""
    if not difference.clear:
        return 0.0
    return math.copysign(max(2.0, abs(difference.mean / difference.standard_error)), difference.mean)


# The team


def team() -> TuningTask:
    """Return the table of settings that the team has tried."""
    return tuning_task(TASKS[0])


def show_deciders(settings: Settings) -> Showing:
    """Show which settings win if one patient stays away."""
    task = team()
    assert task.losses is not None
    tried = random_rows(task.n, round(settings["tried"]), np.random.default_rng(0))
    total = task.losses[:, tried].sum(axis=0)
    best, without = int(total.argmin()), (total - task.losses[:, tried]).argmin(axis=1)
    deciders = int((without != best).sum())
    rows, times = np.unique(without, return_counts=True)
    order = np.argsort(-times, kind="stable")[:6]
    lengths = {f"setting {tried[rows[place]] + 1}": float(times[place]) for place in order}
    colours = [NON_PRIVATE if rows[place] == best else REFUTED for place in order]
    figure = figures.bars(lengths, "patients without whom it wins", [f"{times[place]}" for place in order], colours)
    words = {"deciders": count(deciders, "", "").strip(), "records": f"{len(without)}"}
    yield Shown(figure, {"deciders": float(deciders)}, words)


@lru_cache(maxsize=512)
def lost(epsilon: float) -> float:
    """Return the loss of the private choice, in points."""
    task = team()
    plan = selection(
        task.scores, records=task.records or 1, epsilon=epsilon, largest_loss=task.largest_loss, way="permute-and-flip"
    )
    return 100 * expected_loss(task, plan)


@lru_cache(maxsize=512)
def lost_by_published(epsilon: float) -> float:
    """Return the loss of DP-BO's Algorithm 1, in points, with 50 evaluations as on the Release page."""
    task = team()
    search = optimise(
        task.points,
        task.objective,
        kernel=task.kernel,
        sigma=0.1,
        iterations=50,
        delta=1e-3,
        rng=np.random.default_rng(0),
    )
    return 100 * expected_loss(task, noisy(search, epsilon=epsilon, k1=0.99))


def blind_loss() -> float:
    """Return the loss of a random choice, in points."""
    return 100 * float(team().scores.max() - team().scores.mean())


def show_draw(settings: Settings) -> Showing:
    """Show how likely each part of the list is to be chosen, the best settings first."""
    task, epsilon = team(), settings["epsilon"]
    plan = selection(
        task.scores, records=task.records or 1, epsilon=epsilon, largest_loss=task.largest_loss, way="permute-and-flip"
    )
    order = np.argsort(-task.scores, kind="stable")
    parts = [round(share * task.n) for share in (0, TOP, 0.25, 0.5, 0.75, 1)]
    chances = [100 * float(plan.choice.probabilities[order[a:b]].sum()) for a, b in pairwise(parts)]
    names = [f"best {parts[1]}", *(f"{a + 1} to {b}" for a, b in pairwise(parts[1:]))]
    texts = [f"{chance:.0f} in 100" for chance in chances]
    figure = figures.bars(dict(zip(names, chances, strict=True)), "times in 100", texts, [PROVEN, *[PRIVATE] * 4])
    factor = f"{math.exp(epsilon):.3g}" if epsilon < 10 else "e^{ε}"
    words = {
        "top": f"{parts[1]}",
        "chance": texts[0].split()[0],
        "blind": f"{100 * TOP:.0f}",
        "factor": factor,
        "settings": f"{task.n}",
    }
    yield Shown(figure, {"chance": chances[0]}, words)


def show_ways(settings: Settings) -> Showing:
    """Show the losses of three ways to choose a setting."""
    own, theirs, blind = lost(settings["epsilon"]), lost_by_published(settings["epsilon"]), blind_loss()
    share = 100 * (theirs - own) / (blind - own) if blind > own else 0.0
    lengths = {"private choice": own, "DP-BO": theirs, "random choice": blind}
    texts = [f"{each:.2f}" for each in lengths.values()]
    figure = figures.bars(lengths, "points lost on average", texts, [PROVEN, SECOND_PRIVATE, RANDOM])
    yield Shown(figure, {"blind_share": share}, dict(zip(("own", "theirs", "random"), texts, strict=True)))


def show_lists(settings: Settings) -> Showing:
    """Show the loss of the chosen setting against the length of the list."""
    task, epsilon = team(), settings["epsilon"]
    found = {length: losses_of_lists(length, epsilon) for length in (*LISTS, task.n)}
    means = [float(each.mean()) for each in found.values()]
    errors = [float(each.std(ddof=1)) / math.sqrt(SETS) for each in found.values()]
    figure = figures.dots([*found], means, errors, ("settings on the list", "points lost on average"))
    gain = Difference.of(found[LISTS[0]] - found[task.n])
    words = {"short": f"{means[0]:.2f}", "long": f"{means[-1]:.2f}", "sets": f"{SETS}", "settings": f"{task.n}"}
    yield Shown(figure, {"gain": errors_from_zero(gain)}, words)


def losses_of_lists(length: int, epsilon: float) -> Array:
    """Return the losses of the private choice from each of `SETS` random lists against the best of all, in points."""
    task = team()
    found = []
    for number in range(SETS):
        rows = random_rows(task.n, length, np.random.default_rng([0, number])).tolist() if length < task.n else None
        plan = selection(
            task.scores,
            records=task.records or 1,
            epsilon=epsilon,
            rows=rows,
            largest_loss=task.largest_loss,
            way="permute-and-flip",
        )
        found.append(100 * expected_loss(task, plan))
    return np.array(found)


def show_score(settings: Settings) -> Showing:
    """Show where the published score falls."""
    task, epsilon = team(), settings["epsilon"]
    noise = Laplace(100 * task.largest_loss / (task.records or 1), epsilon)
    half, scale = noise.half_width(0.95), noise.half_width(0.95) / math.log(20)
    figure = figures.density(100 * (1 + float(task.scores.max())), scale, half, "published score of the model, in %")
    yield Shown(figure, {"width": half}, {"width": write_points(half), "both": f"{2 * epsilon:.3g}"})


def write_points(points: float) -> str:
    """Return points with two digits."""
    return f"{points:.2f}" if points < 1 else f"{points:.1f}" if points < 10 else f"{points:.0f}"


def show_loss(settings: Settings) -> Showing:
    """Show the losses of two ways to choose against ε, and the least ε that keeps to a loss."""
    accepted = settings["loss"]
    curves = {
        "private choice": ([lost(epsilon) for epsilon in LOSS_EPSILONS], replace(figures.NOISY, colour=PROVEN)),
        "DP-BO": (
            [lost_by_published(epsilon) for epsilon in LOSS_EPSILONS],
            replace(figures.NOISY, colour=SECOND_PRIVATE),
        ),
    }
    own, other = (least_epsilon(values, accepted) for values, _ in curves.values())
    figure = figures.losses(LOSS_EPSILONS, curves, accepted, blind_loss())
    yield Shown(figure, {"epsilon": own}, {"least": write_epsilon(own), "other": write_epsilon(other)})


def least_epsilon(values: list[float], accepted: float) -> float:
    """Return the smallest ε from which on a loss is kept to, between those of the grid by its logarithm."""
    if values[-1] > accepted:
        return math.inf
    place = next(k for k in range(len(values)) if max(values[k:]) <= accepted)
    if place == 0:
        return LOSS_EPSILONS[0]
    share = (values[place - 1] - accepted) / (values[place - 1] - values[place])
    return float(LOSS_EPSILONS[place - 1] * (LOSS_EPSILONS[place] / LOSS_EPSILONS[place - 1]) ** share)


def write_epsilon(epsilon: float) -> str:
    """Return an ε with two digits, or that it is beyond the values that are tried."""
    return f"{epsilon:.2g}" if epsilon < 100 else f"{epsilon:.0f}" if math.isfinite(epsilon) else "more than 1,000"


# The schools


def schools(z: float = GRADES_START.z) -> tuple[federated.Simulation, federated.Settings, int]:
    """Return the schools' simulation, their settings with noise z, and how many schools there are."""
    simulation = ui.grades_simulation()
    problem = simulation.problem(0)
    return simulation, replace(GRADES_START.settings(problem), z=z), len(problem.agents)


def show_rounds_of(name: str, z: float) -> Showing:
    """Show how far a school is from its best setting, together and alone, as the simulated runs come in."""
    simulation, settings, agents = schools(z)
    algorithms = {
        key: each for key, each in variants(settings).items() if key in dict.fromkeys((name, TOGETHER, ALONE))
    }
    early = min(EARLY, settings.iterations)
    strokes = {
        NOISY: ("with noise", figures.NOISY),
        TOGETHER: ("together", figures.TOGETHER),
        ALONE: ("alone", figures.ALONE),
    }
    for progress in simulation.compare(algorithms, agents, RUNS):
        if progress.runs < FIRST_RUNS:
            continue
        gain = saving(progress, name, ALONE, early)
        bands = {
            strokes[key][0]: (progress.band(key, "simple"), strokes[key][1]) for key in strokes if key in algorithms
        }
        known = {key: (band, stroke) for key, (band, stroke) in bands.items() if band is not None}
        words = {
            "early": f"{early}",
            "size": with_error(abs(gain.mean), gain.standard_error),
            "runs": f"{progress.runs}",
        }
        done = progress.runs == RUNS
        yield Shown(figures.regret(known, "rounds", "grades"), {"gain": errors_from_zero(gain)}, words, done)


@lru_cache(maxsize=256)
def first_broadcast(settings: federated.Settings, agents: int, look: int) -> Broadcast:
    """Return the vector that the server sends in the first round. The same look has the same random numbers."""
    problem = ui.grades_simulation().problem(0)
    rng = np.random.default_rng([1, look])
    found = next(iter(run_rounds(problem.objectives[:agents], problem.points, replace(settings, iterations=1), rng)))
    assert found.broadcast is not None
    return found.broadcast


def show_sent(settings: Settings) -> Showing:
    """Show the numbers that the server sends, with noise and without."""
    _, setting, agents = schools(settings["z"])
    heard, plain = first_broadcast(setting, agents, 0), first_broadcast(replace(setting, z=0.0), agents, 0)
    lists = len(heard.vectors)
    words = {"lists": f"{lists}", "features": f"{setting.features}", "schools": f"{agents}"}
    yield Shown(figures.sent(plain.vectors[0], heard.vectors[0]), {"lists": float(lists)}, words)


def show_clipping(settings: Settings) -> Showing:
    """Show the share of lists that are shortened, against the longest that may be sent."""
    _, setting, agents = schools()
    limits = np.geomspace(1.0, 60.0, 25)
    shares = [100 * first_broadcast(replace(setting, S=float(S)), agents, 0).clipped for S in limits]
    here = [first_broadcast(replace(setting, S=settings["S"]), agents, look).clipped for look in range(LOOKS)]
    percent = 100 * float(np.mean(here))
    axes = "largest size S", "lists in 100 that are scaled down"
    figure = figures.curve(limits, shares, (settings["S"], percent), axes, (1, 2, 5, 10, 20, 50))
    yield Shown(figure, {"percent": percent}, {"percent": f"{percent:.0f}"})


def loudness(agents: int) -> Difference:
    """Return ln(noise ÷ knowledge) over several first rounds in which some school was drawn."""
    _, setting, _ = schools()
    found = [first_broadcast(setting, agents, look) for look in range(LOOKS)]
    return Difference.of([math.log(each.noise / each.signal) for each in found if each.signal > 0])


def show_crowd(settings: Settings) -> Showing:
    """Show the noise as a multiple of the schools' knowledge, against the number of schools."""
    ratios = [math.exp(loudness(each).mean) for each in CROWDS]
    here = loudness(round(settings["N"]))
    ratio = math.exp(here.mean)
    figure = figures.loudness(CROWDS, ratios, (settings["N"], ratio))
    yield Shown(figure, {"louder": errors_from_zero(here)}, {"ratio": f"{ratio:.2g}"})


@lru_cache(maxsize=128)
def right_about_presence(z: float) -> float:
    """Return how often of 100 the best attacker is right about whether a school took part."""
    _, setting, agents = schools(z)
    return 100 * (1 - float(federated.trade_off(setting, agents).least_error(0.5)))


def show_presence(settings: Settings) -> Showing:
    """Show how often the best attacker is right about whether a school took part, against the noise."""
    z = float(f"{settings['z']:.3g}")
    x = (0.3, 0.5, 0.8, 1.2, 2.0, 3.0, 5.0, 10.0)
    now, (_, setting, _) = right_about_presence(z), schools(z)
    figure = figures.right_guesses(x, [right_about_presence(each) for each in x], (z, now), "noise z", (0.3, 1, 3, 10))
    yield Shown(figure, {"right": now}, {"right": in_100(now / 100), "T": f"{setting.iterations}"})


@lru_cache(maxsize=512)
def epsilon_after(rounds: int) -> float:
    """Return ε after so many rounds, by tight accounting."""
    _, setting, agents = schools()
    return float(epsilon_of_rounds(setting.q, setting.z, rounds, delta_for(agents), "pld"))


def show_over_rounds(settings: Settings) -> Showing:
    """Show ε over the rounds."""
    now, later = round(settings["T"]), 4 * round(settings["T"])
    x = sorted({1, 2, 4, 8, 16, 30, 60, 100, now, later})
    first, then = epsilon_after(now), epsilon_after(later)
    axes = "rounds", "privacy budget ε"
    figure = figures.curve(x, [epsilon_after(each) for each in x], (later, then), axes, (1, 2, 5, 10, 20, 50, 100))
    words = {"later": f"{later}", "factor": f"{then / first:.1f}", "now": f"{first:.2g}", "then": f"{then:.2g}"}
    yield Shown(figure, {"factor": then / first}, words)


# Choosing ε


def right_at(epsilon: float) -> float:
    """Return how often of 100 the best attacker can be right at ε, whatever the method."""
    return 100 * (1 - TradeOff.of(epsilon).least_error(0.5))


def show_meaning(settings: Settings) -> Showing:
    """Show how often the best attacker can be right, against ε."""
    x, now = np.geomspace(0.01, 20.0, 80), right_at(settings["epsilon"])
    rights = [right_at(float(each)) for each in x]
    figure = figures.right_guesses(x, rights, (settings["epsilon"], now), "privacy budget ε", (0.01, 0.1, 1, 10))
    yield Shown(figure, {"right": now}, {"right": in_100(now / 100)})


def show_belief(settings: Settings) -> Showing:
    """Show how sure an attacker can become who was 10% sure."""
    x, sure = np.geomspace(0.01, 20.0, 80), 100 * worst_case_belief(PRIOR, settings["epsilon"])
    beliefs = [100 * worst_case_belief(PRIOR, float(each)) for each in x]
    axes = "privacy budget ε", "how sure the attacker becomes, in %"
    figure = figures.curve(x, beliefs, (settings["epsilon"], sure), axes, (0.01, 0.1, 1, 10))
    yield Shown(figure, {"sure": sure}, {"sure": in_100(sure / 100)})


def show_proofs(settings: Settings) -> Showing:
    """Show how often the best attacker can be right at several proven ε."""
    shown = sorted({0.1, 0.3, 1.0, 3.0, 10.0, settings["epsilon"]})
    rights = {f"ε = {epsilon:.3g}": right_at(epsilon) for epsilon in shown}
    colours = [PRIVATE if epsilon == settings["epsilon"] else RANDOM for epsilon in shown]
    figure = figures.bars(
        rights, "times in 100 that the attacker is right", [in_100(right / 100) for right in rights.values()], colours
    )
    now = right_at(settings["epsilon"])
    yield Shown(figure, {"right": now}, {"right": in_100(now / 100)})


def show_repeats(settings: Settings) -> Showing:
    """Show how often the best attacker is right after several releases with Gaussian noise."""
    epsilon, times = settings["epsilon"], round(settings["times"])
    one = TradeOff.gaussian(1 / gaussian_sigma(epsilon, DELTA, 1.0))
    x = sorted({1, 2, 3, 5, 7, 10, 20, 30, 50, 70, 100, times})
    rights = [100 * (1 - one.repeated(each).least_error(0.5)) for each in x]
    first, now = rights[0], rights[x.index(times)]
    figure = figures.right_guesses(x, rights, (times, now), "releases about the same people", (1, 10, 100))
    together = write_epsilon(one.repeated(times).epsilon(DELTA))
    words = {
        "first": in_100(first / 100),
        "right": in_100(now / 100),
        "together": together,
        "added": f"{times * epsilon:.3g}",
    }
    yield Shown(figure, {"right": now}, words)


def show_decision(settings: Settings) -> Showing:
    """Show the ε that patients accept at most, beside the ε that the team needs at least."""
    right, accepted = settings["right"] / 100, settings["loss"]
    most = math.log(right / (1 - right))
    values = [lost(epsilon) for epsilon in LOSS_EPSILONS]
    least = least_epsilon(values, accepted)
    curves = {"private choice": (values, replace(figures.NOISY, colour=PROVEN))}
    figure = figures.losses(LOSS_EPSILONS, curves, accepted, blind_loss())
    figure.upright(most, replace(figures.NOISY, width=2))
    top = figure.layout["yaxis"]["range"][1]
    figure.label(most, top, "patients accept up to here", PRIVATE, xanchor="left", xshift=6, yanchor="top")
    words = {"most": f"{most:.2g}", "least": write_epsilon(least), "right": f"{settings['right']:.0f}"}
    yield Shown(figure, {"room": most / least}, words)


FIGURES: dict[str, Callable[[Settings], Showing]] = {
    "patients": show_patients,
    "search": show_search,
    "cost": show_cost,
    "attack": show_attack,
    "through_noise": show_through_noise,
    "choice": show_choice,
    "deciders": show_deciders,
    "draw": show_draw,
    "ways": show_ways,
    "lists": show_lists,
    "score": show_score,
    "loss": show_loss,
    "together": lambda settings: show_rounds_of(TOGETHER, GRADES_START.z),
    "sent": show_sent,
    "clipping": show_clipping,
    "crowd": show_crowd,
    "presence": show_presence,
    "rounds": show_over_rounds,
    "with_noise": lambda settings: show_rounds_of(NOISY, settings["z"]),
    "meaning": show_meaning,
    "belief": show_belief,
    "proofs": show_proofs,
    "repeats": show_repeats,
    "decision": show_decision,
}
"""The function that draws each figure, under the name that a step's front matter has for it."""

main()
