"""“Be the attacker” with one projector and two phones, to its last picture and to the end of the room."""

import re

from playwright.sync_api import expect

from privbo_core.classroom.games.attacker import TESTS


def key_of(phone):
    return phone.locator("[data-phone]").get_attribute("data-key")


def tap(phone, button):
    """Answer a try, and wait until the next thing is on the phone."""
    key = key_of(phone)
    button.tap()
    phone.locator(f"[data-phone]:not([data-key='{key}'])").wait_for()


def guess(phone, tries, letter="A"):
    for _ in range(tries):
        tap(phone, phone.locator(".two button", has_text=letter))


def title(projector):
    return projector.locator(".st-key-stage .pb-finding h3")


def test_a_class_attacks_noise_and_then_a_projection(lesson):
    phones, projector = lesson.join(2), lesson.projector
    lesson.play("Be the attacker")
    projector.get_by_text("nobody knows which is in which").wait_for()
    begin = projector.get_by_role("button", name="Begin")
    expect(begin).to_be_disabled()
    for phone in phones:
        phone.get_by_text("You are the attacker.").wait_for()
    projector.get_by_role("button", name="Envelope 2").click()
    projector.get_by_text("Envelope 2 it is").wait_for()
    begin.click()
    for phone in phones:
        phone.locator("[data-key='guess/1']").wait_for()
    # The buttons of before are gone, and of what is in the envelope nothing is said.
    projector.get_by_role("button", name="Begin").wait_for(state="hidden")
    assert "ε =" not in projector.locator(".st-key-stage").inner_text()

    opening = projector.get_by_role("button", name="Open envelope 2")
    expect(opening).to_be_disabled()
    phones[0].get_by_text("grey: the other released records").wait_for()
    with phones[0].expect_response("**/app/answer") as posted:  # no page is run for a tap
        guess(phones[0], 1)
    assert posted.value.ok
    guess(phones[0], 2)
    # A candidate in the picture may be tapped as well as a button.
    tap(phones[1], phones[1].locator(".candidate[data-value=b]"))
    guess(phones[1], 1, "B")
    tried = 3 + 2
    expect(title(projector)).to_contain_text(re.compile(rf"Right in \d+ of {tried} tries so far"))
    right = int(re.search(r"Right in (\d+) of", title(projector).inner_text())[1])
    phones[1].reload()
    phones[1].locator("[data-key='guess/3']").wait_for()

    opening.click()
    projector.get_by_text(re.compile(rf"^ε was .*: the class was right in {right} of {tried}")).wait_for()
    for phone in phones:
        phone.get_by_text("The envelope is open").wait_for()
    scores = [phone.locator(".big").inner_text() for phone in phones]
    assert sum(int(score.split()[0]) for score in scores) == right

    projector.get_by_role("button", name="Now the paper’s projection").click()
    projector.get_by_text("Try again, with one line of arithmetic in hand").wait_for()
    assert "refuted" not in projector.locator(".st-key-stage").inner_text()
    phones[0].locator("[data-key='test/1']").wait_for()
    for phone in phones:
        phone.locator("[data-key='test/1']").wait_for()
        for _ in range(TESTS):
            tap(phone, phone.get_by_role("button", name="left over: 0.000"))
        phone.get_by_text(f"you tapped what the one-line test names in {TESTS} of {TESTS}").wait_for()
        expect(phone.locator(".big")).to_have_text(scores.pop(0), use_inner_text=True)
    tested = 2 * TESTS
    projector.get_by_text(f"One line of arithmetic was right in {tested} of {tested}").wait_for()
    expect(title(projector)).to_contain_text(re.compile("allows 62 of 100: refuted$"))
    projector.locator(".st-key-stage .pb-tiles").get_by_text("promise refuted").wait_for()
    projector.get_by_role("button", name="That is all").click()
    for phone in phones:
        phone.get_by_text("Noise kept its promise; the mix did not.").wait_for()
    projector.locator(".st-key-chart-attacker .plot .main-svg").first.wait_for()
    expect(title(projector)).to_contain_text(re.compile("allows 62 of 100: refuted$"))

    # In presenter view its letters, large already, grow to what the last row can read and no further.
    projector.get_by_role("button", name="Present").click()
    letters = projector.locator("[data-pb-slide] .plot .xtick text").first
    letters.wait_for()
    projector.wait_for_function(
        """() => {
          const text = document.querySelector("[data-pb-slide] .plot .xtick text");
          const size = text ? parseFloat(getComputedStyle(text).fontSize) : 0;
          return size >= innerHeight / 50 / 0.48 && size <= innerHeight / 15;
        }"""
    )
    projector.keyboard.press("Escape")

    # Another experiment is two clicks away, and nothing of this one stays on the wall.
    lesson.play("Be the searcher")
    projector.locator(".st-key-class-leave button").click()
    projector.locator(".st-key-chart-modeler .plot .main-svg").first.wait_for()
    expect(projector.locator(".plot")).to_have_count(1)
    # What was asked is gone with the answer, and not when the next click has moved what it was meant for.
    projector.locator(".st-key-class-leave").wait_for(state="hidden")
    projector.locator(".st-key-desk").get_by_role("button", name="Begin").click()
    lesson.shown("modeler", "100 patients on a map released at ε = 8")
    projector.get_by_role("button", name="Room").click()
    projector.get_by_role("button", name="End this room").click()
    projector.get_by_role("button", name="Open a room").wait_for()
    for phone in phones:
        phone.get_by_text("That room has ended").wait_for()
