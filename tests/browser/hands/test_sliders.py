"""The values that a thumb stops at, and what a finger does to a slider."""

import math

from playwright.sync_api import expect

from tests.helpers.hands import box_of, enter, hold_thumb, row_of
from tests.helpers.waiting import rest


def human(value):
    """Tell whether people write a value so: two digits, or three that end in 5 between 1 and 2 of a decade."""
    mantissa = round(value / 10 ** math.floor(math.log10(value) + 1e-12) * 100)
    return mantissa % (5 if mantissa < 200 else 10) == 0


def walk(box, slider, up, values):
    """Press the arrow keys, first so often upwards, then down; look at each value on the way."""
    for number, value in enumerate(values):
        slider.press("ArrowRight" if number < up else "ArrowLeft")
        expect(box).to_have_value(f"{value:g}")


def drag(page, key, most, least):
    """Draw the thumb along, and then to both ends: it stops nowhere but at what people say."""
    box, slider = box_of(page, key), page.locator(f"input[type=range][data-key={key}]")
    x, y = hold_thumb(page, key)
    values = set()
    for step in range(-50, 100, 12):
        page.mouse.move(x + step, y)
        values.add(float(box.input_value()))
    page.mouse.up()
    assert len(values) >= 10
    assert [value for value in values if not human(value)] == []
    for press, end in (("End", most), ("Home", least)):
        slider.press(press)
        expect(box).to_have_value(f"{end:g}")


def test_a_logarithmic_slider_stops_at_values_that_people_say(page, app):
    page.goto(f"{app}/outsourced?T=10&runs=5&epsilon=3")
    page.wait_for_selector(".st-key-chart-regret .plot[data-drawn]")
    rest(page)
    box, wrong = box_of(page, "epsilon"), row_of(page, "epsilon").locator(".error")
    drag(page, "epsilon", 1000.0, 0.01)
    for typed, value in (("e^1.1", "3.00417"), ("0,5", "0.5"), ("10^-1", "0.1")):
        enter(box, typed)
        expect(box).to_have_value(value)
        page.wait_for_function(f"() => new URLSearchParams(location.search).get('epsilon').startsWith('{value}')")
    rest(page)
    expect(wrong).to_be_empty()
    enter(box, "many")
    expect(wrong).not_to_be_empty()
    expect(box).to_have_value("many")  # what was typed stays, so that it can be mended
    slider = page.locator("input[type=range][data-key=epsilon]")
    enter(box, "3")
    expect(wrong).to_be_empty()
    walk(box, slider, 2, [3.1, 3.2, 3.1, 3, 2.9])
    enter(box, "2.1")
    walk(box, slider, 0, [2, 1.95, 1.9])  # where steps become finer
    enter(box, "9.8")
    walk(box, slider, 3, [9.9, 10, 10.5, 10, 9.9, 9.8, 9.7])  # from one decade into the next
