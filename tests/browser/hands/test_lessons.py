"""A lesson from question to question, to its last picture, by tapping."""

import pytest
from playwright.sync_api import expect

from tests.helpers.accessible import PHONE, assert_for_everybody, violations, width_on_a_phone
from tests.helpers.hands import within
from tests.helpers.presenting import COVERED, PROJECTOR, SHOWN
from tests.helpers.waiting import rest, until

FROM, STEPS = 5, 7
ANSWERS = "[class*=st-key-tour-answer-] button"
TALL = f"""() => {{ const all = [...document.querySelectorAll('{ANSWERS}')];
  return all.length > 1 && all.every(each => each.getBoundingClientRect().height >= 48); }}"""


def answer(option):
    """Tap an option of a question; see that the verdict is on that one, and whether it is the right one."""
    page, chosen = option.page, option.inner_text().strip()
    others = {text.strip() for text in page.locator(ANSWERS).all_inner_texts()} - {chosen}
    option.click()
    page.wait_for_function(SHOWN)
    verdict = page.locator(".pb-verdict").first
    verdict.wait_for()
    said = verdict.inner_text()
    assert chosen in said
    if not verdict.locator(".pb-met").count():
        assert verdict.locator("strong").inner_text().strip().rstrip(".") in others
    else:
        assert not any(other in said for other in others)


def covered(page, number):
    """Wait for a step's question; return its options."""
    page.locator(".pb-step-count", has_text=f"{number} / {STEPS}").wait_for()
    page.wait_for_function(COVERED)
    page.wait_for_function(f"() => location.search.includes('seen=0') && /step={number}(&|$)/.test(location.search)")
    rest(page)
    return page.locator(ANSWERS)


def test_a_lesson_is_tapped_through_to_the_last_picture(page, app):
    page.goto(f"{app}/tour?lesson=release&step={FROM}&seen=0")
    titles = []
    for number in range(FROM, STEPS + 1):
        options = covered(page, number)
        assert 2 <= options.count() <= 4
        expect(page.locator("input[type=range]")).to_have_count(0)
        answer(options.nth(number % options.count()))
        expect(page.locator(ANSWERS)).to_have_count(0)
        page.locator("input[type=range]").first.wait_for()
        rest(page)
        titles.append(page.locator(".st-key-title-tour h3").inner_text())
        if number < STEPS:
            within(page, "tour-next").click()
    assert len(set(titles)) == len(titles)
    within(page, "tour-previous").click()
    page.locator(".pb-step-count", has_text=f"{STEPS - 1} / {STEPS}").wait_for()
    page.wait_for_function(SHOWN)


@pytest.mark.long
@pytest.mark.parametrize(("lesson", "depth"), [("release", "simple"), ("federated", "expert"), ("epsilon", "simple")])
def test_everybody_can_answer(page, app, lesson, depth):
    """With a screen reader in either theme, covered and uncovered, and on a phone."""
    page.goto(f"{app}/tour?lesson={lesson}&view={depth}&step=2&seen=0")
    page.wait_for_function(COVERED)
    found = violations(page)
    answer(page.locator(ANSWERS).first)
    assert_for_everybody(page, *found)


def test_a_thumb_is_enough_on_a_phone(phone, app):
    phone.goto(f"{app}/tour?view=simple&lesson=release")
    phone.wait_for_function(COVERED)
    until(phone, TALL)
    phone.locator(ANSWERS).nth(1).tap()
    phone.wait_for_function(SHOWN)
    phone.locator(".pb-verdict").wait_for()
    assert width_on_a_phone(phone) <= PHONE["width"]


def look_at_question(page, number):
    """Wait for a step's question in presenter view; return it."""
    page.wait_for_function(f"() => /step={number}(&|$)/.test(location.search)")
    page.wait_for_function(COVERED)
    page.locator(ANSWERS).first.wait_for()
    rest(page)
    return page.locator(".pb-present-sentence h1").inner_text()


def test_a_question_can_be_presented_and_the_next_one_says_nothing_of_it(page, app):
    """The arrow uncovers before it leads on; the verdict stands below the sentence, and only of its own question."""
    page.set_viewport_size(PROJECTOR)
    page.goto(f"{app}/tour?lesson=epsilon&view=simple&step=1&seen=0&present=1")
    asked = look_at_question(page, 1)
    options = page.locator(ANSWERS)
    options.first.wait_for()
    expect(options.filter(visible=False)).to_have_count(0)
    page.keyboard.press("ArrowRight")
    page.wait_for_function(SHOWN)
    expect(page.locator(".pb-present-sentence h1")).not_to_have_text(asked)  # it says what the picture shows
    rest(page)  # until the question's own button has gone, the arrow presses that
    page.keyboard.press("ArrowRight")
    assert look_at_question(page, 2) != asked
    options.nth(1).click()
    page.locator(".pb-present-sentence .pb-verdict").wait_for()
    page.wait_for_function(SHOWN)
    rest(page)  # until the question's own button has gone, the arrow presses that
    page.keyboard.press("ArrowRight")
    page.wait_for_function("() => /step=3/.test(location.search) && location.search.includes('seen=0')")
    page.wait_for_function(COVERED)
    rest(page)
    expect(page.locator(".pb-verdict")).to_have_count(0)
