"""“Be the attacker” with one projector and five phones, to its last picture."""

import re

from privbo_core.classroom.attacker import TESTS, TRIES


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
    return projector.locator(".st-key-stage .pb-finding h3").inner_text()


def test_a_class_attacks_noise_and_then_a_projection(lesson):
    phones, projector = lesson.join(5), lesson.projector
    lesson.play("Be the attacker")
    projector.get_by_text("nobody knows which is in which").wait_for()
    begin = projector.get_by_role("button", name="Begin")
    assert begin.is_disabled()
    for phone in phones:
        phone.get_by_text("You are the attacker.").wait_for()
    projector.get_by_role("button", name="Envelope B").click()
    projector.get_by_text("Envelope B it is").wait_for()
    begin.click()
    for phone in phones:
        phone.locator("[data-key='guess/1']").wait_for()
    # The buttons of before are gone, and of what is in the envelope nothing is said.
    projector.get_by_role("button", name="Begin").wait_for(state="hidden")
    assert "ε =" not in projector.locator(".st-key-stage").inner_text()

    guess(phones[0], TRIES)
    phones[0].get_by_text(re.compile(rf"^\d+ of {TRIES}$")).wait_for()
    # A candidate in the picture may be tapped as well as a button.
    tap(phones[1], phones[1].locator(".candidate[data-value=b]"))
    guess(phones[1], 4, "B")
    for phone in phones[2:]:
        guess(phone, 5)
    tried = TRIES + 4 * 5
    projector.get_by_text(f"of {tried} tries so far").wait_for()
    right = int(re.search(r"Right in (\d+) of", title(projector))[1])
    phones[3].reload()
    phones[3].locator("[data-key='guess/6']").wait_for()

    projector.get_by_role("button", name="Open envelope B").click()
    projector.get_by_text(re.compile(rf"^ε was .*: the class was right in {right} of {tried}")).wait_for()
    for phone in phones:
        phone.get_by_text("The envelope is open").wait_for()
    assert sum(int(phone.locator(".big").inner_text().split()[0]) for phone in phones) == right

    projector.get_by_role("button", name="Now the paper’s projection").click()
    for phone in phones:
        phone.locator("[data-key='test/1']").wait_for()
        for _ in range(TESTS):
            tap(phone, phone.get_by_role("button", name="left over: 0.000"))
        assert phone.locator(".big").inner_text() == f"{TESTS} of {TESTS}"
    tested = 5 * TESTS
    projector.get_by_text(f"the one-line test was right in {tested} of {tested}").wait_for()
    assert "refuted by this class" in title(projector)
    projector.locator(".st-key-stage .pb-tiles").get_by_text("promise refuted").wait_for()
    projector.get_by_role("button", name="That is all").click()
    for phone in phones:
        phone.get_by_text("That was noise, and that was none.").wait_for()
    projector.locator(".st-key-chart-attacker .plot .main-svg").first.wait_for()
    assert "refuted by this class" in title(projector)

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
