"""Each view that a kit names opens in exactly the state that the kit names."""

import re
from urllib.parse import parse_qsl, urlsplit

import pytest

from pages.parts.federated.agents import GRADES, named
from pages.parts.lessons.asking import MINE
from pages.parts.lessons.choosing import lessons
from pages.parts.lessons.kits import Link, read_kit
from pages.parts.live.sliders import Controls
from pages.parts.outsourced.lesson_simple import DATA as SIMPLE_DATA
from pages.parts.system.lesson import Situation
from pages.parts.table.own_table import public_simulation
from privbo_core.data import TASKS, tuning_task
from tests.helpers.kits import SOURCES
from tests.helpers.opening import open_page
from tests.helpers.reading import address, asked_in_vain

LESSONS = lessons()
KITS = [read_kit(source) for source in SOURCES.values()]
LINKS = list(dict.fromkeys(link for kit in KITS for link in kit.links))
TOUR = [link for link in LINKS if link.page == "tour"]
ABOUT = {
    "outsourced": lambda data: public_simulation(data),
    "release": lambda data: tuning_task(TASKS[0]),
    "federated": lambda data: named(GRADES),
    "epsilon": lambda data: None,
}
"""What each lesson is about, given the data that a link names."""


def name_of(link):
    return link.address("")


@pytest.mark.parametrize("link", LINKS, ids=name_of)
def test_a_link_opens_its_page_as_it_says(link: Link):
    parts = urlsplit(link.address("https://somewhere.example/app"))
    assert parts.path == f"/app/{link.page}"
    asked = dict(parse_qsl(parts.query))
    assert asked == dict(link.settings)
    app = open_page(link.page, **{"T": "10", "runs": "5"} | asked)
    assert not asked_in_vain(app)
    assert address(app).items() >= asked.items()


@pytest.mark.parametrize("kit", KITS, ids=lambda kit: kit.name)
def test_a_lesson_s_kit_leads_through_all_its_steps_in_their_order(kit):
    """With the sample that the lesson opens with; what is not in Simple stands in no plan where Simple has steps."""
    asked = [[dict(link.settings) for each in plan for link in each.links if link.page == "tour"]
             for plan in (kit.long, kit.short)]  # fmt: skip
    whole, short = ([int(each["step"]) for each in plan] for plan in asked)
    assert whole == list(range(1, len(names_of(kit.name, "simple")) + 1))
    assert short == sorted(set(short))
    for each in asked[0] + asked[1]:
        assert each["lesson"] == kit.name
        assert each.get("told_with", SIMPLE_DATA[0]) == SIMPLE_DATA[0]
        assert each["view"] == "simple" or not LESSONS[kit.name].short


def shown(name, view):
    lesson = LESSONS[name]
    return lesson.short if view == "simple" and lesson.short else lesson


def names_of(lesson, view):
    return shown(lesson, view).wording.names


def words_of(name):
    return set(re.findall(r"\w+", name.lower())) - {"the", "a", "what"}


@pytest.mark.parametrize("link", TOUR, ids=name_of)
def test_a_link_leads_to_simple_wherever_simple_has_it(link: Link):
    asked = dict(link.settings)
    set_there = {*asked} - {"lesson", "step", "seen", "view", "told_with", "tour_data"}
    simple = words_of(link.text) & set().union(*map(words_of, names_of(asked["lesson"], "simple")))
    known = {slider.key for slider in sliders_of(asked["lesson"], asked["step"], "simple")} if simple else set()
    has_it = bool(simple) and set_there <= known and link.text != "What it costs"  # of a condition: Expert's own
    assert asked["view"] == ("simple" if has_it else "expert")


def sliders_of(lesson, step, view, data="synthetic"):
    sliders = shown(lesson, view).steps[int(step) - 1].sliders(ABOUT[lesson](data))
    return sliders[:1] if view == "simple" else sliders


@pytest.mark.parametrize("link", TOUR, ids=name_of)
def test_a_setting_of_a_step_is_one_that_its_sliders_have(link: Link):
    # A covered step does not draw its sliders, so the page has nothing to say of them yet.
    asked = dict(link.settings)
    where = [asked.pop(name) for name in ("lesson", "step", "view")]
    assert asked.pop("told_with", "homes") in SIMPLE_DATA
    sliders = {slider.key: slider for slider in sliders_of(*where, asked.pop("tour_data", "synthetic"))}
    assert asked.pop("seen") == "0"
    for name, value in asked.items():
        assert f"{sliders[name].read(value):.6g}" == value


def test_each_lesson_has_its_kit_and_a_step_is_called_what_the_tour_calls_it():
    assert [kit.name for kit in KITS] == [*LESSONS]
    for link in TOUR:
        asked = dict(link.settings)
        name = names_of(asked["lesson"], asked["view"])[int(asked["step"]) - 1]
        assert {*re.findall(r"\w+", link.text.lower())} & {*re.findall(r"\w+", name.lower())}, (link.text, name)


@pytest.mark.parametrize(
    "link",
    [link for link in TOUR if {"epsilon", "times"} & {*dict(link.settings)}
     and dict(link.settings)["lesson"] != "outsourced"],
    ids=name_of,
)  # fmt: skip
def test_what_a_link_sets_is_what_is_shown_once_somebody_has_answered(link: Link):
    asked = dict(link.settings)
    app = open_page("tour", **asked)
    lesson = LESSONS[asked["lesson"]]
    question = lesson.question(int(asked["step"]) - 1, lesson.values(lesson.stand(stop_at(link))))
    answers = {option.text for option in question.options} | {MINE}
    next(button for button in app.button if button.label in answers).click().run()
    assert address(app).items() >= (asked | {"seen": "1"}).items()


def stop_at(link):
    """Return where a link leads, for the question that is asked there."""
    asked = dict(link.settings)
    about = ABOUT[asked["lesson"]]("")
    sliders = LESSONS[asked["lesson"]].steps[int(asked["step"]) - 1].sliders(about)
    return Situation(
        about, Controls({slider.key: slider.read(asked.get(slider.key, f"{slider.value:.6g}")) for slider in sliders})
    )
