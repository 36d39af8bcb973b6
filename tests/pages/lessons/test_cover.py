"""A picture is covered until its question is answered; links that name a step or a setting come uncovered."""

import re
from urllib.parse import parse_qsl

import pytest
import streamlit as st

from pages.parts.outsourced.system import LESSON
from pages.parts.views.text import as_plain
from tests.helpers.opening import open_page
from tests.helpers.reading import address, choose, html, numbers, record, said

RIGHT, WRONG = "mixed", "outcome"
QUESTION = LESSON.wording.question(0, {})


def opened(**address):
    return open_page("tour", **address)


def answers(app):
    """Return the keys of the options that are offered; none where the picture is not covered."""
    return [button.key.removeprefix("tour-answer-") for button in app.button if button.key.startswith("tour-answer-")]


def tap(app, key):
    app.button(key=key).click().run()
    return app


def title(app):
    return record(app).figures["tour"].finding.title


def verdict(app):
    """Return what is said of an answer, as HTML; empty where nothing is."""
    return "".join(re.findall(r'<p class="pb-verdict".*?</p>', html(app), re.DOTALL))


def was_right(app):
    return 'class="pb-met"' in verdict(app)


def place(app):
    """Return which step this is, of how many."""
    return tuple(map(int, re.search(r'class="pb-step-count"[^>]*>(\d+) / (\d+)<', html(app)).groups()))


def test_a_visitor_is_asked_before_anything_is_shown():
    app = opened(view="expert")
    assert QUESTION.text in said(app)
    assert (title(app), answers(app)) == (QUESTION.text, [option.key for option in QUESTION.options])
    assert [button for button in app.button if button.key == "tour-show"], "one may look without guessing"
    assert 10_000 not in numbers(said(app))


@pytest.mark.parametrize(
    ("button", "told"), [(f"answer-{RIGHT}", [RIGHT]), (f"answer-{WRONG}", [WRONG, RIGHT]), ("show", [])]
)
def test_an_answer_or_none_uncovers_and_is_put_right(button, told):
    app = tap(opened(view="expert"), f"tour-{button}")
    assert not answers(app)
    assert address(app)["seen"] == "1"
    assert 10_000 in numbers(title(app)), "so many records are kept"
    assert all(QUESTION.text_of(key) in verdict(app) for key in told)
    assert bool(told) == bool(verdict(app))
    assert was_right(app) == (told == [RIGHT])


def test_an_answer_is_kept_at_once_and_judged_when_the_runs_are_there(monkeypatch):
    """Here no more than the first picture is ever computed."""
    monkeypatch.setattr("pages.parts.lessons.page.Live.follow", lambda *_: st.stop())
    app = opened(view="expert", lesson="federated", step="7", seen="0")
    first = answers(app)[0]
    (label,) = [button.label for button in app.button if button.key == f"tour-answer-{first}"]
    tap(app, f"tour-answer-{first}")
    assert not answers(app)
    assert label in verdict(app)
    assert not was_right(app)
    assert "<strong>" not in verdict(app), "what is right is not known yet"


def test_every_step_is_covered_once_and_stays_open_and_none_is_after_a_link_into_presenter_view():
    app = tap(opened(view="expert"), f"tour-answer-{RIGHT}")
    tap(app, "tour-next")
    assert answers(app)
    tap(app, "tour-previous")
    assert not answers(app)
    assert was_right(app)
    assert not answers(tap(opened(present="1", view="expert"), "tour-next"))


COVERED = ["&", "lesson=release", "tour_data=homes", "step=3&seen=0", "step=3&seen=<b>", "present=1&seen=0"]
OPEN = ["step=1", "seen=1", "r=7&view=expert", "present=1", "view=simple&lesson=2"]


@pytest.mark.parametrize("link", [*COVERED, *OPEN])
def test_which_links_come_uncovered(link):
    app = opened(**dict(parse_qsl(link)))
    covered = link in COVERED
    assert (bool(answers(app)), address(app)["seen"]) == (covered, "0" if covered else "1")


def test_a_link_names_a_lesson_and_a_step_and_another_lesson_begins_anew():
    app = opened(lesson="release", step="3", epsilon="2")
    assert place(app) == (3, 7)
    assert 2 in numbers(title(app)), "the ε of the link"
    assert address(app).items() >= {"lesson": "release", "step": "3", "epsilon": "2"}.items()
    app = opened(step="3", epsilon="1", view="expert")
    choose(app, lesson="epsilon")
    assert place(app) == (1, 8)
    assert answers(app)
    assert "epsilon" not in app.query_params
    assert address(app)["lesson"] == "epsilon"


def test_a_step_is_found_again_in_the_other_depth():
    app = opened(step="7", seen="0", view="expert")
    assert place(app) == (7, 8)
    app.segmented_control(key="view").set_value("simple").run()
    assert place(app) == (5, 6), "a promise with noise"
    app.segmented_control(key="view").set_value("expert").run()
    assert place(app) == (7, 8)


@pytest.mark.parametrize(
    ("number", "level"),
    [
        (2, "0"),  # a search without privacy hides nothing
        (4, "0"),  # a promise that is refuted
        *((number, "4") for number in (1, 3, 5, 6)),
    ],
)
def test_each_simple_step_asks_first_one_option_is_right_and_facts_are_told(number, level):
    app = opened(view="simple", step=str(number), seen="0")
    offered = answers(app)
    assert 2 <= len(offered) <= 4
    assert "pb-facts" not in html(app)
    tap(app, f"tour-answer-{offered[0]}")
    assert not answers(app)
    assert was_right(app) != ("<strong>" in verdict(app)), "one option is right"
    assert re.findall(r"pb-level-(\d)", html(app)) == [level]
    if level == "4":
        assert 4 in numbers(said(app)), "years of age that are hidden"


def test_a_simple_lesson_has_one_slider_and_one_sentence():
    app = opened(view="simple", lesson="epsilon", step="4")
    (answer,) = [element.proto.body for element in app.get("html") if 'class="pb-answer"' in element.proto.body]
    assert as_plain(title(app)) in as_plain(re.sub(r"<[^>]+>", "", answer))
    assert len(record(app).settings) == 1


@pytest.mark.parametrize(("guess", "right"), [(73, True), (95, False)])
def test_a_guess_can_be_dragged(guess, right):
    app = opened(lesson="epsilon", view="simple")
    assert answers(app) == ["dragged"]
    app.slider(key="tour-guess").set_value(guess).run()
    tap(app, "tour-answer-dragged")
    assert was_right(app) == right
    assert {60, 80} <= {*numbers(verdict(app))}, "between these the right answer lies"
    assert 73 in numbers(title(app))
