"""A picture is covered until its question is answered; links that name a step or a setting come uncovered."""

import re
from urllib.parse import parse_qsl

import pytest
import streamlit as st

from pages.parts.lessons.asking import SKIP
from pages.parts.outsourced.system import LESSON
from pages.parts.views.text import as_plain
from tests.helpers.opening import open_page
from tests.helpers.reading import address, choose, labels, record, said

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


def test_a_visitor_is_asked_before_anything_is_shown():
    app = opened(view="expert")
    assert QUESTION.text in said(app)
    assert (title(app), answers(app)) == (QUESTION.text, [option.key for option in QUESTION.options])
    assert SKIP in labels(app)
    assert "The curator keeps" not in said(app)


@pytest.mark.parametrize(
    ("button", "told"),
    [
        (f"answer-{RIGHT}", f"✓ You were right: {QUESTION.text_of(RIGHT)}."),
        (f"answer-{WRONG}", f"Not quite. You said “{QUESTION.text_of(WRONG)}”; it is: {QUESTION.text_of(RIGHT)}."),
        ("show", ""),
    ],
)
def test_an_answer_or_none_uncovers_and_is_put_right_kindly(button, told):
    app = tap(opened(view="expert"), f"tour-{button}")
    assert not answers(app)
    assert address(app)["seen"] == "1"
    assert "The curator keeps 10,000 records" in said(app)
    assert told in said(app)
    assert bool(told) == bool(re.search("You said|You were right", said(app)))


def test_an_answer_is_kept_at_once_and_judged_when_the_runs_are_there(monkeypatch):
    """Here no more than the first picture is ever computed."""
    monkeypatch.setattr("pages.parts.lessons.page.Live.follow", lambda *_: st.stop())
    app = opened(view="expert", lesson="federated", step="7", seen="0")
    first = answers(app)[0]
    (label,) = [button.label for button in app.button if button.key == f"tour-answer-{first}"]
    tap(app, f"tour-answer-{first}")
    assert not answers(app)
    assert f"Your answer is kept: “{label}”. The verdict comes with the runs." in said(app)


def test_every_step_is_covered_once_and_stays_open_and_none_is_after_a_link_into_presenter_view():
    app = tap(opened(view="expert"), f"tour-answer-{RIGHT}")
    tap(app, "tour-next")
    assert answers(app)
    tap(app, "tour-previous")
    assert not answers(app)
    assert "You were right" in said(app)
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
    assert "3 / 7" in said(app)
    assert "At ε = 2 DP-BO" in said(app)
    assert address(app).items() >= {"lesson": "release", "step": "3", "epsilon": "2"}.items()
    app = opened(step="3", epsilon="1", view="expert")
    choose(app, lesson="epsilon")
    assert "1 / 8" in said(app)
    assert answers(app)
    assert "epsilon" not in app.query_params
    assert address(app)["lesson"] == "epsilon"


def test_a_step_is_found_again_in_the_other_depth():
    app = opened(step="7", seen="0", view="expert")
    assert "7 / 8" in said(app)
    app.segmented_control(key="view").set_value("simple").run()
    assert "5 / 6" in said(app), "A promise with noise"
    app.segmented_control(key="view").set_value("expert").run()
    assert "7 / 8" in said(app)


NOISY = ("Age to within 4 years", "Strong ●●●●○", r"\d+ more tests")


@pytest.mark.parametrize(
    ("number", "facts"),
    [
        (2, ("Nothing", "Not at all", "Nothing")),  # a search without privacy hides nothing
        (4, ()),
        *((number, NOISY) for number in (1, 3, 5, 6)),
    ],
)
def test_each_simple_step_asks_first_one_option_is_right_and_facts_are_told(number, facts):
    app = opened(view="simple", step=str(number), seen="0")
    offered = answers(app)
    assert 2 <= len(offered) <= 4
    assert "What is hidden" not in said(app)
    tap(app, f"tour-answer-{offered[0]}")
    assert not answers(app)
    assert len(re.findall(r"You were right:|Not quite\.", said(app))) == 1
    for about, fact in zip(("What is hidden", "How strongly", "What it costs"), facts, strict=False):
        assert re.search(f"{about} {fact}", said(app))


def test_a_simple_lesson_has_one_slider_and_one_sentence():
    app = opened(view="simple", lesson="epsilon", step="4")
    (answer,) = [element.proto.body for element in app.get("html") if 'class="pb-answer"' in element.proto.body]
    assert as_plain(title(app)) in as_plain(re.sub(r"<[^>]+>", "", answer))
    assert len(record(app).settings) == 1


@pytest.mark.parametrize(("guess", "verdict"), [(73, "You were right: 60 to 80 times"), (95, "Not quite.")])
def test_a_guess_can_be_dragged(guess, verdict):
    app = opened(lesson="epsilon", view="simple")
    assert answers(app) == ["dragged"]
    app.slider(key="tour-guess").set_value(guess).run()
    tap(app, "tour-answer-dragged")
    assert verdict in said(app)
    assert "allows 73 right guesses in 100 at most" in said(app)
