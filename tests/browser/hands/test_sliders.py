"""The values that a thumb stops at, and what a finger does to a slider."""

import math
import re

import pytest
from playwright.sync_api import expect

from tests.helpers.hands import PLACE, box_of, enter, hold_thumb, row_of, take_depth
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
    """What was wrong in its box before is forgotten where another panel shows what is used."""
    page.goto(f"{app}/outsourced?view=expert&T=10&runs=5&delta_ucb=0.05")
    rest(page)
    drag(page, "delta_ucb", 0.5, 0.001)
    box = box_of(page, "epsilon")
    expect(box).to_have_value("3")
    form, wrong = (row_of(page, "epsilon").locator(part) for part in (".form", ".error"))
    expect(form).to_have_text(re.compile(r"≈\s*e\^1\.10"))  # as the paper writes it, which is not exact
    enter(box, "3.00417")
    page.wait_for_function("() => new URLSearchParams(location.search).get('epsilon') === '3.00417'")
    rest(page)
    expect(box).to_have_value("3.00417")
    expect(form).to_have_text(re.compile(r"=\s*e\^1\.10"))
    expect(wrong).to_be_empty()
    enter(box, "")
    expect(wrong).not_to_be_empty()
    take_depth(page, 0)
    expect(box).to_have_value("3.00417")
    expect(wrong).to_be_empty()
    rest(page)
    slider = page.locator("input[type=range][data-key=epsilon]")
    enter(box, "3")
    walk(box, slider, 2, [3.1, 3.2, 3.1, 3, 2.9])
    enter(box, "2.1")
    walk(box, slider, 0, [2, 1.95, 1.9])  # where steps become finer
    enter(box, "9.8")
    walk(box, slider, 3, [9.9, 10, 10.5, 10, 9.9, 9.8, 9.7])  # from one decade into the next
    drag(page, "epsilon", 150.0, 0.35)


ON_THE_AXIS = """(plot, value) => { const { _offset, d2p } = plot._fullLayout.xaxis;
  return plot.getBoundingClientRect().left + _offset + d2p(value); }"""
BELOW = [
    ("outsourced?T=10&runs=5&meaning=true", "meaning", "prior", (5, 95)),
    ("tradeoff?T=10&runs=5", "afford", "epsilon", (0.2, 20)),
]


@pytest.mark.parametrize(("address", "slot", "key", "values"), BELOW)
def test_a_slider_below_a_picture_stands_at_its_value_on_the_axis(page, app, address, slot, key, values):
    page.goto(f"{app}/{address}&view=simple&{key}={values[0]}")
    plot = page.locator(f".st-key-chart-{slot} .plot[data-drawn]")
    plot.wait_for()
    for value in values:
        enter(box_of(page, key), f"{value}")
        page.wait_for_function(f"() => new URLSearchParams(location.search).get('{key}') === '{value}'")
        rest(page)
        _, _, x, _ = page.locator(f"input[type=range][data-key={key}]").evaluate(PLACE)
        assert x == pytest.approx(plot.evaluate(ON_THE_AXIS, value), abs=2)
