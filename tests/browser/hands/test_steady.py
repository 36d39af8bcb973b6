"""What stays where it is while a thumb is held: figures keep their height, and nothing on the page jumps."""

import pytest

from tests.helpers.hands import hold_thumb
from tests.helpers.waiting import rest, until

LOOKS = 30
PLACES = """() => { const main = document.querySelector('[data-testid=stMain]');
  const place = e => { const box = e.getBoundingClientRect();
    return [Math.round(box.top + main.scrollTop), Math.round(box.height)]; };
  const plot = name => place(document.querySelector(`.st-key-chart-${name} .plot`));
  return { condition: plot('condition'), regret: plot('regret'),
    cards: [...document.querySelectorAll('.pb-card')].map(card => place(card)[0]) }; }"""
WATCH = """() => { window.looks = new Set(); const look = () => {
  window.looks.add(JSON.stringify((PLACES)())); requestAnimationFrame(look); }; look(); }""".replace("PLACES", PLACES)
DRAWN = "() => Number(document.querySelector('.st-key-chart-condition .plot').dataset.drawn)"


@pytest.mark.long
@pytest.mark.parametrize("release", ["both", "projection"])
def test_nothing_jumps_while_epsilon_is_dragged(page, app, release):
    """Titles change between one line and two, figures are drawn late; no frame shows one of them elsewhere."""
    page.goto(f"{app}/outsourced?release={release}&T=30&runs=40")
    page.wait_for_selector(".st-key-chart-modeler-map .plot[data-drawn]")
    rest(page)
    before = page.evaluate(PLACES)
    assert before["regret"][1] == before["condition"][1] == 300
    drawn = page.evaluate(DRAWN)
    page.evaluate(WATCH)
    x, y = hold_thumb(page, "epsilon")
    looks = []

    def followed():
        """Move the thumb on, and tell whether the figures have followed it for a while."""
        page.mouse.move(x + 2 * (len(looks) % 15) - 10, y)
        looks.append(page.evaluate(PLACES))
        return len(looks) >= LOOKS and page.evaluate(DRAWN) - drawn >= 5

    until(page, followed)
    page.mouse.up()
    assert [look for look in looks if look != before] == []
    assert len(page.evaluate("[...window.looks]")) == 1
