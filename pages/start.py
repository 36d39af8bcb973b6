"""Start: what privacy costs and what it buys, in one picture that moves and three stories."""

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from pages import ui
from pages.figures import start as figures
from pages.ui import demo
from pages.ui.numbers import count, in_100, power_of_ten
from privbo_core.data import rank_sought, suited_search, tuning_task
from privbo_core.federated import GRADES_START, Progress, guarantee, rounds_needed, trade_off, variants
from privbo_core.outsourced import Setting, Simulation
from privbo_core.privacy import Guarantee, strength
from privbo_core.release import selection
from privbo_core.tradeoff import expected_loss

TITLE = "What does privacy cost, and what does it buy?"
LEAD = (
    "Bayesian optimisation finds good choices with few expensive trials. When the records behind them are sensitive, "
    "others must not learn what they contain. Set the level of protection and watch what happens to the search."
)
DELTA = 1e-5
EVALUATIONS, RUNS = 30, 40
PRIVATE, NOISELESS, ALONE = "DP-FTS-DE", "FTS-DE", "TS"
"""The schools tune together with noise, together without noise, or each on its own."""
WAITING = ui.Tile("", "…", "is being computed", old=True)
NBSP = "\N{NO-BREAK SPACE}"
NO_DIFFERENCE, NO_COST = "No measurable difference", "No measurable cost"


Numbers = tuple[ui.Tile, ui.Tile]
"""The two numbers of a story: how often attacks succeed, and what privacy costs."""


@dataclass(frozen=True)
class Story:
    """One story: its name in keys, its system, what happens, who is protected from whom, and the way to its page."""

    key: str
    system: str
    heading: str
    text: str
    button: str
    page: str


HOSPITAL = Story(
    "hospital",
    "Outsourced · noisy release",
    "A hospital lets a company choose whom to test",
    "Protects small differences in each patient’s record, such as four years of age, from the company. The test "
    "results themselves are not protected.",
    "Explore the hospital",
    "pages/outsourced.py",
)
TEAM = Story(
    "team",
    "Release · private selection",
    "A team publishes the model settings it found",
    "Protects everyone whose record was used to compare settings, from anyone who sees the published settings. The "
    "model tells malignant tumours from benign ones.",
    "Explore the team",
    "pages/release.py",
)
SCHOOLS = Story(
    "schools",
    "Federated · DP-FTS-DE",
    "Schools tune together and hide who took part",
    "Hides whether a school took part from everyone except the server that adds the noise. The schools tune a "
    "model of grades at a fixed ε, so the slider has no effect here.",
    "Explore the schools",
    "pages/federated.py",
)
STORIES = (HOSPITAL, TEAM, SCHOOLS)
PAPERS: Mapping[str, tuple[str, dict[str, str]]] = {
    "σ_min against ω": (
        "pages/outsourced.py",
        {"data": "synthetic", "release": "projection", "search": "ucb", "rows": "again", "delta": f"{DELTA:g}"}
        | {"epsilon": f"{math.exp(1.1):.6g}", "r": "10", "T": "50"},
    ),
    "what DP-BO publishes": ("pages/release.py", {"algorithm": "1 noisy", "epsilon": "3"}),
    "ε over rounds": ("pages/federated.py", {"agents": "family"}),
    "our check of every published number": ("pages/papers.py", {}),
}
"""What readers of the papers look for: the page and its settings. The first are those of Table 1."""


def main() -> None:
    """Draw what follows the thumb, then the slider, and then the numbers that take longer."""
    ui.begin("start")
    with st.container(key="split-start"):
        left, right = st.columns([1, 1.25], gap="medium")
    with left:
        ui.Place("headline").html(ui.display(TITLE, LEAD))
        about = "How much one record may change what others see. A smaller ε protects more, and it may cost more."
        panel = ui.Panel("start", [replace(ui.epsilon_slider(1.0, about), label="Privacy budget (ε)")])
        slider_here = st.container(key="sliders")
        show_ways_on()
    epsilon = panel["epsilon"]
    simulation = ui.sample_simulation("hospital")
    setting = Setting(epsilon, DELTA, 10, EVALUATIONS, search=suited_search(simulation.problem), once=True)
    with right:
        draw_patients(simulation, setting)
    hospital, team, schools = show_stories(epsilon)
    show_footer()
    ui.bar("start", {"patients": "Patients"})

    attack = attack_tile(simulation.noisy_guarantee(setting, "two tables that differ in one row"))
    known = searched(simulation, setting)
    cost = hospital_cost(simulation, setting) if known else replace(panel.recall("hospital") or WAITING, old=True)
    hospital.html(ui.facts(attack, cost))
    team.html(ui.facts(*team_numbers(epsilon)))
    numbers: Numbers = panel.recall("schools") or (WAITING, WAITING)
    schools.html(ui.facts(*numbers))
    with slider_here:
        panel.show()

    if panel.dragging:
        return
    if not known:
        cost = hospital_cost(simulation, setting)
        hospital.html(ui.facts(attack, cost))
    panel.remember("hospital", cost)
    if WAITING.value in (tile.value for tile in numbers):
        for numbers in school_numbers():
            panel.remember("schools", numbers)
            schools.html(ui.facts(*numbers))


def show_ways_on() -> None:
    """Show the ways to the tour, and to a table of the visitor's own."""
    with st.container(key="actions-start", horizontal=True, gap="small"):
        with st.container(key="action-primary", width="content"):
            st.page_link("pages/tour.py", label="Take the tour")
        if not demo.is_demo():
            st.page_link("pages/data.py", label="Use my own table", query_params={"view": "simple", "bring": "table"})
    demo.show_note()


def draw_patients(simulation: Simulation, setting: Setting) -> None:
    """Draw some of the hospital's patients as the company sees them."""
    seen = figures.blur(simulation.problem, setting.noise(simulation.problem.frame))
    title = f"What a company sees of {figures.SHOWN} hospital patients at {write(setting.epsilon)}"
    times = f"{100 * figures.COVERAGE:.0f} times in 100"
    note = f"The company sees the dots. The patient marked in black appears somewhere in the ellipse {times}."
    outside = int((~seen.inside).sum())
    if outside:
        note += f" {count(outside, 'patient lies', 'patients lie').replace(' ', NBSP)} outside this picture."
    with ui.card("patients", ui.explanation("start", "patients")) as place:
        place.html(ui.title(title, note))
        ui.Chart("patients").draw(figures.patients(seen), f"{title}. {note}")


def show_stories(epsilon: float) -> list[ui.Place]:
    """Show the three stories, and return the places of their numbers."""
    at = {"epsilon": f"{epsilon:g}"}
    searches = {"delta": f"{DELTA:g}", "distance": "1", "T": str(EVALUATIONS), "runs": str(RUNS)}
    queries = (
        {"data": "hospital", "release": "noisy", "search": "suited", "rows": "once", **at, **searches},
        {"task": "logistic", "algorithm": "selection", "way": "permute-and-flip", **at},
        {"agents": "grades", "z": f"{GRADES_START.z:g}"},
    )
    with st.container(key="stories"):
        columns = st.columns(len(STORIES), gap="small")
    return [show_story(*each) for each in zip(columns, STORIES, queries, strict=True)]


def show_story(column: DeltaGenerator, story: Story, query: Mapping[str, str]) -> ui.Place:
    """Show one story and the way to its page, and return the place of its numbers."""
    with column, st.container(border=True, key=f"story-{story.key}", gap="small"):
        ui.Place().html(ui.story(story.system, story.heading, story.text))
        numbers = ui.Place(f"numbers-{story.key}")
        icon = ":material/arrow_forward:"
        st.page_link(story.page, label=story.button, icon=icon, icon_position="right", query_params=dict(query))
    return numbers


def show_footer() -> None:
    """Show where the numbers come from, and the ways to the papers' own examples."""
    with st.container(key="papers", horizontal=True, vertical_alignment="center", gap="small"):
        st.markdown("Know the papers? Go to", width="content")
        for label, (page, query) in PAPERS.items():
            st.page_link(page, label=label, query_params=query)
        with st.popover("Where these numbers come from", type="tertiary"):
            st.markdown(ui.explanation("start", "numbers"))


def write(epsilon: float) -> str:
    """Return "ε = 1" with at most three digits, which stays on one line."""
    return f"ε = {power_of_ten(float(f'{epsilon:.3g}'))}".replace(" ", NBSP)


def attack_tile(promise: Guarantee) -> ui.Tile:
    """Return how often the best attack succeeds, and how strong a protection that is."""
    found = strength(promise)
    right = f"{in_100(found.accuracy)} in 100".capitalize()
    at = f"guesses by the best attacker are right at {write(promise.epsilon)} (chance gets 50)"
    return ui.Tile("", right, f"{at}: {ui.protection(found)}")


def searched(simulation: Simulation, setting: Setting) -> bool:
    """Return whether all searches of the hospital are in memory, so that their cost takes no time."""
    policies = simulation.policies(("noisy",))
    return all(simulation.finished(policy, setting, RUNS) == RUNS for policy in policies)


def hospital_cost(simulation: Simulation, setting: Setting) -> ui.Tile:
    """Return the extra tests until the highest level is found. It takes a moment unless all searches are in memory."""
    *_, found = ui.follow(simulation.compare(setting, RUNS, ("noisy",), ui.interrupt))
    extra = found.extra_evaluations("noisy", rank_sought(simulation.problem))
    to_find = f"to find the highest level of a blood marker, not counting {setting.initial} random tests"
    if not extra.private_reached:
        more = f"More than {count(extra.limit - extra.plain, 'extra test', 'extra tests')}"
        return ui.Tile("", more, f"more than {extra.limit} instead of {extra.plain} {to_find}")
    remark = f"{extra.private} instead of {extra.plain} {to_find}"
    if not extra.significant:
        return ui.Tile("", NO_DIFFERENCE, remark)
    interval = f"simulated, 95%: {extra.low} to {extra.high}"
    return ui.Tile("", count(extra.extra, "extra test", "extra tests"), f"{remark} ({interval})")


def team_numbers(epsilon: float) -> Numbers:
    """Return the numbers of the team, which draws one of all its settings. They need no simulation."""
    task = tuning_task("logistic")
    records, width = task.records or 1, task.largest_loss
    plan = selection(task.scores, records=records, epsilon=epsilon, largest_loss=width, way="permute-and-flip")
    points = 100 * expected_loss(task, plan)
    lost = f"{points:.2f} points" if points >= 0.005 else "Under 0.01 points"
    best = 100 * (1 + task.scores.max())
    return attack_tile(plan.guarantee(1)), ui.Tile(
        "", lost, f"lost on average from the best setting’s {best:.1f}% confidence"
    )


def school_numbers() -> Iterator[Numbers]:
    """Yield the numbers of the schools as their simulated runs come in."""
    simulation = ui.grades_simulation()
    problem = simulation.problem(0)
    schools, settings = len(problem.agents), GRADES_START.settings(problem)
    promise = guarantee(settings, schools, "pld", "exact", problem=problem)
    attack = attack_tile(replace(promise, curve=trade_off(settings, schools)))
    algorithms = {name: each for name, each in variants(settings).items() if name in (PRIVATE, NOISELESS, ALONE)}
    for progress in ui.follow(simulation.compare(algorithms, schools, RUNS)):
        yield attack, rounds_tile(progress, settings.iterations)


def rounds_tile(progress: Progress, rounds: int) -> ui.Tile:
    """Return the cost of privacy in rounds, beside the rounds that a school saves against tuning on its own."""
    if progress.runs < RUNS:
        return replace(WAITING, remark=f"rounds ({progress.runs} of {RUNS} simulated runs are done)")
    found = rounds_needed(progress, PRIVATE, NOISELESS, ALONE)
    extra = found.extra
    cost = count(extra.extra, "extra round", "extra rounds") if extra.significant else NO_COST
    saved = count(found.saved, "round", "rounds") if found.saved_low > 0 else "no measurable number of rounds"
    return ui.Tile("", cost, f"in rounds of tuning. Together, the schools save {saved} compared with tuning alone")


main()
