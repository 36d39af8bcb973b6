"""Whether a page can be used by everybody: with a screen reader, in either theme, on a phone."""

from contextlib import suppress

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page, TimeoutError

RECOLOURED = """light => {
  const colour = getComputedStyle(document.documentElement).getPropertyValue('--pb-met');
  const plots = [...document.querySelectorAll('.plot[data-drawn]')].filter(plot => plot.getClientRects().length);
  return colour !== light.met && plots.every(plot => plot.layout.font.color !== light.text);
}"""
COLOURS = """() => ({ met: getComputedStyle(document.documentElement).getPropertyValue('--pb-met'),
  text: document.querySelector('.plot[data-drawn]')?.layout.font.color })"""
PHONE = {"width": 390, "height": 844}
WIDTH = "document.querySelector('[data-testid=stMain]').scrollWidth"


def violations(page: Page) -> list[str]:
    """Return each serious or critical violation: the rule, the element and what is wrong with it."""
    return [
        f"{violation['id']}: {violation['help']}: {node['html'][:160]} {node['failureSummary'][:200]}"
        for violation in Axe().run(page).response["violations"]
        if violation["impact"] in ("serious", "critical")
        for node in violation["nodes"]
    ]


def go_dark(page: Page) -> None:
    """Change the browser's theme from light to dark, and wait until the page and all its figures have followed."""
    light = page.evaluate(COLOURS)
    page.emulate_media(color_scheme="dark")
    page.wait_for_function(RECOLOURED, arg=light)


def found_in_both_themes(page: Page) -> list[str]:
    """Return the violations in the light theme, then those in the dark one."""
    light = [f"light: {found}" for found in violations(page)]
    go_dark(page)
    return light + [f"dark: {found}" for found in violations(page)]


def width_on_a_phone(page: Page) -> int:
    """Return how wide the page is on a phone’s screen, once tables and figures have taken the room there is."""
    page.set_viewport_size(PHONE)
    with suppress(TimeoutError):
        page.wait_for_function(f"() => {WIDTH} <= {PHONE['width']}", timeout=20_000)
    return int(page.evaluate(WIDTH))
