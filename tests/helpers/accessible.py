"""Whether a page can be used by everybody: with a screen reader, in either theme, on a phone."""

import time
from collections.abc import Sequence
from contextlib import suppress

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page, TimeoutError

COLOURS = """() => ({ met: getComputedStyle(document.documentElement).getPropertyValue('--pb-met'),
  page: getComputedStyle(document.querySelector('.stApp')).backgroundColor,
  text: document.querySelector('.plot[data-drawn]')?.layout?.font.color })"""
RECOLOURED = """before => {
  const now = (COLOURS)();
  const plots = [...document.querySelectorAll('.plot[data-drawn]')].filter(plot => plot.getClientRects().length);
  return (!before.met || now.met !== before.met) && now.page !== before.page
    && plots.every(plot => plot.layout?.font.color !== before.text);
}""".replace("COLOURS", COLOURS)
OF_COLOUR = ("color-contrast", "link-in-text-block")
PATIENCE = 60.0  # seconds
PHONE = {"width": 390, "height": 844}
# What stays at the top of the screen, and of that what covers something else or is cut off.
AT_THE_TOP = """() => {
  const shown = [...document.querySelectorAll(`.st-key-bar button,
    [data-testid=stExpandSidebarButton], [data-testid=stTopNavLink]`)]
    .filter(e => e.getClientRects().length && e.checkVisibility({ opacityProperty: true }));
  const boxes = shown.map(e => [e.innerText || e.ariaLabel || e.dataset.testid, e.getBoundingClientRect()]);
  const crossed = (a, b) => Math.min(a.right, b.right) - Math.max(a.left, b.left) > 1
    && Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > 1;
  const bar = boxes.filter((_, k) => shown[k].closest("[class*=st-key-]"));
  const left = bar.length ? innerWidth - Math.max(...bar.map(([, box]) => box.right)) : 16;
  return [
    ...bar.filter(([, box]) => Math.abs(box.top - bar[0][1].top) > 1).map(([name]) => `${name} is off the line`),
    ...(Math.abs(left - 16) > 8 ? [`the bar ends ${left} pixels before the edge`] : []),
  ].concat(boxes.flatMap(([name, box], k) => [
    ...(box.left < 0 || box.right > innerWidth ? [`${name} is cut off`] : []),
    ...boxes.slice(k + 1).filter(([, other]) => crossed(box, other)).map(([other]) => `${name} and ${other}`)]));
}"""
WIDTH = "document.querySelector('[data-testid=stMain]').scrollWidth"


def violations(page: Page, only: Sequence[str] = ()) -> list[str]:
    """Return each serious or critical violation that stays: the rule, the element and what is wrong with it.

    A page may be about to be drawn anew, and a theme's colours come by and by, the later the busier the machine.
    ``only``: the rules that are looked at, if not all.
    """
    end = time.monotonic() + PATIENCE
    while (found := _violations(page, only)) and time.monotonic() < end:
        page.wait_for_timeout(700)
    return found


def _violations(page: Page, only: Sequence[str]) -> list[str]:
    options = {"resultTypes": ["violations"]} | ({"runOnly": list(only)} if only else {})
    return [
        f"{violation['id']}: {violation['help']}: {node['html'][:160]} {node['failureSummary'][:200]}"
        for violation in Axe().run(page, options=options).response["violations"]
        if violation["impact"] in ("serious", "critical")
        for node in violation["nodes"]
    ]


def change_theme(page: Page, theme: str) -> None:
    """Change the browser's theme to the other one, and wait until the page and all its figures have followed."""
    before = page.evaluate(COLOURS)
    page.emulate_media(color_scheme=theme)
    page.wait_for_function(RECOLOURED, arg=before)


def found_in_both_themes(page: Page) -> list[str]:
    """Return each violation in the light theme, and what the dark one, which only recolours, adds by its colours."""
    light = [f"light: {found}" for found in violations(page)]
    change_theme(page, "dark")
    return light + [f"dark: {found}" for found in violations(page, only=OF_COLOUR)]


def width_on_a_phone(page: Page) -> int:
    """Return how wide the page is on a phone’s screen, once tables and figures have taken the room there is."""
    page.set_viewport_size(PHONE)
    with suppress(TimeoutError):
        page.wait_for_function(f"() => {WIDTH} <= {PHONE['width']}", timeout=1000 * PATIENCE)
    return int(page.evaluate(WIDTH))


def in_each_other_s_way(page: Page) -> list[str]:
    """Return what covers what in the bar at the top of the page, once all of it has found its place."""
    with suppress(TimeoutError):
        page.wait_for_function(f"() => ({AT_THE_TOP})().length === 0", timeout=1000 * PATIENCE)
    return list(page.evaluate(AT_THE_TOP))


def assert_for_everybody(page: Page, *found: str) -> None:
    """Fail unless the page can be used with a screen reader in both themes, then on a phone; ``found``: before."""
    found = [*found, *found_in_both_themes(page)]
    assert not found, "\n".join(found)
    assert width_on_a_phone(page) <= PHONE["width"]
    assert in_each_other_s_way(page) == []
