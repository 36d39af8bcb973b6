"""Be the searcher: a class of five taps its way through two maps, on phones with touch, to the last picture."""

import pytest
from playwright.sync_api import expect

TESTS = 2
PICTURE = ".st-key-chart-modeler .plot[data-drawn]"


def tap(phone, number, share):
    """Tap a point of the map, then the button; wait until the phone has something else to show."""
    phone.get_by_text(f"Test {number} of {TESTS}").wait_for()
    box = phone.locator("[data-phone] svg").bounding_box()
    phone.touchscreen.tap(box["x"] + share[0] * box["width"], box["y"] + share[1] * box["height"])
    button = phone.get_by_role("button", name="Test this patient")
    expect(button).to_be_enabled()
    assert button.bounding_box()["height"] >= 48
    button.tap()
    phone.get_by_text(f"Test {number} of {TESTS}").wait_for(state="detached")


def taps(phone, shares):
    for number, share in enumerate(shares, start=1):
        tap(phone, number, share)
    phone.get_by_text("All your tests are made").wait_for()


@pytest.mark.long
def test_a_class_is_the_modeler(lesson):
    phones = lesson.join(5)
    lesson.play("Be the searcher")
    lesson.shown("modeler", "Soon everybody has a map")
    for phone in phones:
        phone.get_by_text("You are the searcher").wait_for()
    desk = lesson.projector.locator(".st-key-desk")
    desk.get_by_role("button", name="What is searched").click()
    tests = lesson.projector.get_by_label("Tests each")
    tests.fill(str(TESTS))
    tests.press("Enter")
    lesson.projector.keyboard.press("Escape")
    desk.get_by_role("button", name="Begin").click()
    lesson.shown("modeler", "100 patients on a map released at ε = 8")
    for way in ("older", "higher kidney value"):
        phones[0].locator(".axis", has_text=way).wait_for()
    dots = phones[0].locator("[data-phone] svg .cloud")
    expect(dots).to_have_count(97)
    assert min(dots.evaluate_all("all => all.map(each => each.getBoundingClientRect().width)")) >= 16
    corners = [(0.2, 0.2), (0.8, 0.2), (0.2, 0.8), (0.8, 0.8)]
    for phone, corner in zip(phones, corners, strict=False):
        taps(phone, [corner, (0.5, 0.5)])
    lesson.shown("modeler", f"After {TESTS} tests the class is .* the machine .* blind taps")
    lesson.projector.get_by_text("4 of 5 have begun, 4 made all 2.").wait_for()
    assert lesson.barriers() == []
    # The fifth is late, and is asked the first test of the new map like everybody.
    desk.get_by_role("button", name="Blur the map").click()
    lesson.shown("modeler", "100 patients on a map released at ε = 0.3")
    for phone in phones:
        taps(phone, [(0.5, 0.3), (0.3, 0.7)])
    lesson.shown("modeler", f"After {TESTS} tests the class is")
    lesson.projector.get_by_text("5 of 5 have begun, 5 made all 2.").wait_for()
    desk.get_by_role("button", name="End, and compare").click()
    last = lesson.shown(
        "modeler", "After .* at ε = 0.3 instead of 8, the class is .* on its map; .* machine .*, blind taps"
    )
    assert "refuted" not in last
    for phone in phones:
        phone.get_by_text("Your search").wait_for()
    phones[4].get_by_text("At ε = 8: you made no test.").wait_for()
    # In presenter view the picture fills the screen.
    lesson.projector.get_by_role("button", name="Presenter view").click()
    lesson.projector.locator("[data-pb-slide] .plot[data-drawn]").wait_for()
    lesson.projector.wait_for_function(
        """() => {
          const plot = document.querySelector("[data-pb-slide] .plot"), text = plot?.querySelector(".xtick text");
          const letters = text ? parseFloat(getComputedStyle(text).fontSize) : 0;
          return plot?._fullLayout?.width === plot?.clientWidth && letters >= 24;
        }"""
    )
    lesson.projector.keyboard.press("Escape")
    lesson.projector.locator("[data-pb-slide]").wait_for(state="detached")
    assert lesson.barriers() == []


@pytest.mark.long
def test_the_paper_s_map_is_stamped_wherever_it_is_shown(lesson):
    phone, *_ = lesson.join(2)
    lesson.play("Be the searcher")
    desk = lesson.projector.locator(".st-key-desk")
    desk.get_by_role("button", name="What is searched").click()
    lesson.projector.get_by_label("Released by").click()
    lesson.projector.get_by_role("option", name="The paper’s projection").click()
    lesson.projector.keyboard.press("Escape")
    desk.get_by_role("button", name="Begin").click()
    stamp = lesson.projector.locator(PICTURE).get_by_text("promise refuted").first
    stamp.wait_for()
    phone.get_by_text("promise refuted").wait_for()
    desk.get_by_role("button", name="End, and compare").click()
    phone.get_by_text("Your search").wait_for()
    stamp.wait_for()
    lesson.shown("modeler", "Nobody has made a test")
