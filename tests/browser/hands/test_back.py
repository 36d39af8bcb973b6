"""Back leads to the page before, not through the values that a slider has had."""

from tests.helpers.hands import go_to, hold_thumb
from tests.helpers.waiting import rest

EPSILON = "() => new URLSearchParams(location.search).get('epsilon')"


def test_back_leaves_a_page_whose_sliders_were_moved(page, app):
    page.goto(f"{app}/audit?trials=20")
    page.get_by_text("Told apart every time").wait_for()
    go_to(page, "Explore", "Release")
    page.locator(".st-key-chart-terms .plot[data-drawn]").wait_for()
    rest(page)
    entries = page.evaluate("history.length")
    values = set()
    for step in (10, 20, -35):
        x, y = hold_thumb(page, "epsilon")
        page.mouse.move(x + step, y, steps=4)
        page.mouse.up()
        page.wait_for_function(f"old => !old.includes(({EPSILON})())", arg=list(values) or ["3"])
        rest(page)
        values.add(page.evaluate(EPSILON))
    assert len(values) == 3
    assert page.evaluate("history.length") == entries
    page.go_back()
    page.wait_for_url("**/audit*")
    page.get_by_text("Told apart every time").wait_for()
    page.go_forward()
    page.wait_for_url("**/release*")
    page.locator(".st-key-chart-terms .plot[data-drawn]").wait_for()
