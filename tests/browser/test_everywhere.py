"""What holds on every page: from a room's last row, with a screen reader in either theme, and on a phone."""

import pytest

from tests.helpers.accessible import AT_THE_TOP, assert_for_everybody, violations
from tests.helpers.presenting import PROJECTOR, assert_seen_from_the_last_row, look
from tests.helpers.waiting import quiet, rest, until

PAGES = {
    "": ["patients"],
    "tour?lesson=outsourced&step=5&seen=1": ["tour"],
    "data": ["column"],
    "outsourced?T=12&runs=6": ["condition", "regret"],
    "release": ["configuration", "score"],
    "federated?T=5&runs=5&N=20": ["privacy", "regret"],
    "audit?trials=100": ["attack"],
    "tradeoff?story=team": ["tradeoff"],
    "papers": ["papers"],
}
"""The pages, and the cards that are presented on each, in their order."""
SMALL_AGAIN = """() => [...document.querySelectorAll('.plot.js-plotly-plot')].every(
  plot => Math.abs(plot._fullLayout.width - plot.clientWidth) < 1 && plot._fullLayout.font.size < 16)"""


@pytest.mark.parametrize(("name", "cards"), PAGES.items(), ids=[name.partition("?")[0] or "start" for name in PAGES])
def test_everybody_can_use_it(page, app, name, cards):
    """From a room's last row, with a screen reader, on a phone; the dark theme only recolours what is there."""
    page.set_viewport_size(PROJECTOR)
    page.goto(f"{app}/{name}{'&' if '?' in name else '?'}present=1")
    for number, card in enumerate(cards, 1):
        look(page, card)
        rest(page)
        seen = look(page, card)
        assert_seen_from_the_last_row(seen)
        assert seen["asked"] == str(number)
        if number < len(cards):
            page.keyboard.press("ArrowRight")
    found = violations(page)
    page.keyboard.press("Escape")
    page.wait_for_function("() => !document.querySelector('[data-pb-presented]')")
    until(page, "() => location.search.includes('present=')", False)
    page.set_viewport_size({"width": 1440, "height": 900})
    until(page, SMALL_AGAIN)
    quiet(page)
    page.wait_for_function("() => !document.querySelector('.pb-old')")  # numbers on their way out are faint
    assert_for_everybody(page, *found)


def test_the_bar_at_the_top_has_room_on_every_screen(page, app):
    page.goto(f"{app}/data")
    page.wait_for_selector(".st-key-chart-column .plot[data-drawn]")
    for width in (1920, 1440, 1366, 1280, 1100, 901, 900, 800, 768):
        page.set_viewport_size({"width": width, "height": 800})
        until(page, AT_THE_TOP, [])
