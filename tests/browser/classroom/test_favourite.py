"""Our favourite, with one projector and five phones, to its last picture: with noise, then without."""

import re

import pytest
from playwright.sync_api import TimeoutError as TooLateError

OWN = 6


def rate(phone, key):
    """Tap an answer once the phone asks this, and wait until it shows something else."""
    phone.locator(f"[data-phone][data-key='{key}']").wait_for()
    button = phone.get_by_role("button", name="very much")
    assert button.bounding_box()["height"] >= 48
    button.tap()
    phone.locator(f"[data-phone]:not([data-key='{key}'])").wait_for()


def to_the_end(lesson):
    """Let one phone rate what it is asked, and the teacher go on, until the run is over.

    Nobody waits for a round of its own: on a slow machine its time may be up before a thumb is there.
    """
    projector, phone = lesson.projector, lesson.phones[0]
    phone.locator("[data-key^='round/']").first.wait_for()
    over = projector.get_by_role("button", name="Vote again")
    lesson.shown("favourite", r"Round \d of 8")
    while not over.is_visible():
        try:
            if phone.locator("[data-key^='round/']").is_visible():
                phone.get_by_role("button", name="much", exact=True).tap(timeout=2000)
            projector.get_by_role("button", name="Go on").click(timeout=2000)
        except TooLateError:
            continue
    for each in lesson.phones:
        each.get_by_text("Were you in it?").wait_for()


OUTSIDE = """(least) => {
  const plot = document.querySelector(".st-key-chart-favourite .plot[data-drawn]");
  if (!plot || plot.getBoundingClientRect().width < least) return ["nothing is drawn yet"];
  const box = plot.querySelector(".main-svg").getBoundingClientRect();
  const [right, bottom] = [Math.min(box.right, innerWidth) + 1, Math.min(box.bottom, innerHeight) + 1];
  const outside = (part) => {
    const at = part.getBoundingClientRect();
    return at.left < box.left - 1 || at.top < box.top - 1 || at.right > right || at.bottom > bottom;
  };
  return [...plot.querySelectorAll(".annotation-text-g, .xtitle, .x2title, .ytitle, .scatterlayer .point")]
    .filter(outside).map((part) => part.textContent || "a point");
}"""


def nothing_cut(page, least):
    """Wait until nothing of a picture that is so wide is cut or below the edge of the screen."""
    try:
        page.wait_for_function(f"(least) => ({OUTSIDE})(least).length === 0", arg=least)
    except TooLateError:
        assert page.evaluate(OUTSIDE, least) == []


def all_on_the_screen(lesson):
    """See to it that nothing of the picture is cut or below the edge of any screen, as it is and in Present."""
    projector = lesson.projector
    projector.evaluate("scrollTo(0, 0)")
    for width, height in ((1280, 720), (1440, 900), (1920, 1080)):
        projector.set_viewport_size({"width": width, "height": height})
        nothing_cut(projector, 0)
    projector.get_by_role("button", name="Presenter view").click()
    nothing_cut(projector, 1800)
    projector.keyboard.press("Escape")
    projector.locator("[data-pb-slide]").wait_for(state="detached")


@pytest.mark.long
def test_a_class_finds_its_favourite_with_noise_and_without(lesson):
    phones = lesson.join(5)
    lesson.play("Our favourite")
    for number, phone in enumerate(phones):
        phone.get_by_role("button", name="Without noise" if number == 4 else "With noise").tap()
    lesson.shown("favourite", "5 of 5 have voted: 4 with noise, 1 without")
    desk = lesson.projector.locator(".st-key-desk")
    desk.get_by_role("radio", name="20", exact=True).or_(
        desk.get_by_role("button", name="20", exact=True)
    ).first.click()
    desk.get_by_role("button", name="Begin as voted").click()
    lesson.shown("favourite", "First everybody rates 6 colours")
    for phone in phones:
        for number in range(1, OWN + 1):
            rate(phone, f"own/{number}")
    to_the_end(lesson)
    lesson.shown(
        "favourite",
        "20, of them 5 of you, seem to like an? .* best; guessing whether you took part is right in at most 64 of 100",
    )
    lesson.projector.get_by_text("of them 5 of you, and 15 simulated pupils").wait_for()
    for phone in phones:
        assert re.fullmatch(r"(over |under )?\d+ of 100", phone.locator(".big").inner_text())
    all_on_the_screen(lesson)
    assert lesson.barriers() == []
    desk.get_by_role("button", name="Again, without noise").click()
    to_the_end(lesson)
    lesson.shown("favourite", "[Ww]ith noise")
    lesson.projector.get_by_text("nothing is promised").first.wait_for()
    phones[0].get_by_text("From all 2 runs that you were in").wait_for()
    all_on_the_screen(lesson)
    assert lesson.barriers() == []
