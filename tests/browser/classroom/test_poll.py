"""A question of the tour is put to the room: two phones answer, the projector shows how many said what."""

import re

import pytest

from tests.helpers.hands import go_to
from tests.helpers.presenting import COVERED, SHOWN

RIGHT = re.compile("blurred by noise|mixed by chance")


@pytest.mark.long
def test_the_room_answers_and_the_projector_shows_how(lesson):
    phones = lesson.join(2)
    page = lesson.projector
    go_to(page, "Teach", "Tour")  # whoever reloads the page is somebody else until the browser has told who they are
    page.wait_for_function(COVERED)
    page.get_by_role("button", name="Ask the room").click()
    page.get_by_text("0 of 2 have answered").wait_for()
    for number, phone in enumerate(phones, start=1):
        phone.get_by_role("button", name=RIGHT).first.tap()
        page.get_by_text(f"{number} of 2 have answered").wait_for()
    assert page.locator(".st-key-chart-tour-room").count() == 0
    page.get_by_role("button", name="Show the answers").click()
    page.wait_for_function(SHOWN)
    page.get_by_text("2 of 2 were right").wait_for()
    page.locator(".st-key-chart-tour-room .plot[data-drawn]").wait_for()
    for phone in phones:
        phone.get_by_text("You were right").first.wait_for()
