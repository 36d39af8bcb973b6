"""“What would you accept?” with one projector and five phones, to the decision in the report."""

import pytest
from playwright.sync_api import expect

from privbo_core.classroom.games.accept import COSTS, EPSILONS
from tests.helpers.hands import handed_out

LABELS = {"epsilon": "The most that may leak about me", "cost": "The most that the search may pay for it"}


def put(phone, epsilon, cost):
    for name, place in (("epsilon", EPSILONS.index(epsilon)), ("cost", COSTS.index(cost))):
        slider = phone.get_by_role("slider", name=LABELS[name])
        slider.focus()
        slider.press("Home")
        for _ in range(place):
            slider.press("ArrowRight")
    phone.get_by_role("button", name="This is my answer").tap()
    phone.get_by_text("You can change it until the answers are closed").wait_for()


def nothing_is_chosen_before_it_is_moved(phone):
    """Look at both sliders: where they stand at first is no answer, and both have to be moved."""
    answer = phone.get_by_role("button", name="This is my answer")
    epsilon, cost = (phone.get_by_role("slider", name=LABELS[name]) for name in ("epsilon", "cost"))
    for slider in (epsilon, cost):
        slider.wait_for()
        assert slider.input_value() == "0"
        assert slider.get_attribute("aria-valuetext") == "Move this"
    assert answer.is_disabled()
    epsilon.focus()
    epsilon.press("Tab")
    assert epsilon.get_attribute("aria-valuetext") == "Move this"
    epsilon.press("ArrowRight")
    assert "ε = 0.2" in epsilon.get_attribute("aria-valuetext")
    assert answer.is_disabled()
    # A thumb on the first stop chooses it, though nothing moves.
    cost.click(position={"x": 8, "y": 20})
    phone.locator("output", has_text="no more tests").wait_for()
    assert answer.is_enabled()


@pytest.mark.long
def test_a_class_says_what_it_would_accept_and_decides(lesson, tmp_path):
    phones, projector = lesson.join(5), lesson.projector
    lesson.play("What would you accept?")
    projector.get_by_text("How much may leak about you, and what may that cost the search?").wait_for()
    closing = projector.get_by_role("button", name="Close the answers")
    closing.wait_for()
    expect(closing).to_be_disabled()
    projector.get_by_text("can be closed from 5 answers on").wait_for()
    nothing_is_chosen_before_it_is_moved(phones[0])
    for phone, wish in zip(phones[:4], [(1, 10), (1, 10), (2, 20), (0.1, 0)], strict=True):
        put(phone, *wish)
    projector.get_by_text("4 of 5 have answered").wait_for()
    put(phones[4], 0.5, 20)
    stage = projector.locator(".st-key-stage")
    stage.get_by_text("5 of 5 have answered").wait_for()
    put(phones[3], 10, 20)
    phones[3].reload()
    slider = phones[3].get_by_role("slider", name=LABELS["epsilon"])
    expect(slider).to_have_value(str(EPSILONS.index(10)), timeout=60_000)
    closing.click()
    stage.get_by_text("They meet at ε = 1").wait_for()
    stage.get_by_text("4 of 5 would accept it").first.wait_for()
    for phone in phones:
        phone.get_by_text("The answers are closed.").wait_for()

    projector.get_by_role("button", name="Record the decision").click()
    stage.get_by_text("Decided: ε = 1").wait_for()
    for phone in phones[:4]:
        phone.get_by_text("It suits you.").wait_for()
    phones[4].get_by_text("More may leak than you would accept.").wait_for()
    projector.get_by_role("button", name="Take away").click()
    report = handed_out(projector.get_by_role("button", name="Report (HTML)"), tmp_path).read_text(encoding="utf-8")
    assert "Decided: ε = 1" in report
    assert "4 of 5 would accept it; " in report
