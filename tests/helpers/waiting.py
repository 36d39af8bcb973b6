"""When a page is complete, and how it is asked while it may still be drawn anew."""

import time

from playwright.sync_api import Error, Page

PATIENCE = 120.0  # seconds
AT_REST = """() => {
  const state = document.querySelector('[data-testid=stApp]')?.dataset.testScriptState;
  const drawn = [...document.querySelectorAll('.plot')].map(plot => plot.dataset.drawn);
  const now = drawn.join();
  const same = state === 'notRunning' && drawn.length && drawn.every(Boolean) && window.before === now;
  window.times = same ? window.times + 1 : 0;
  window.before = now;
  return window.times >= 6;
}"""
QUIET = """() => {
  const now = document.querySelector('[data-testid=stApp]')?.dataset.testScriptState === 'notRunning';
  window.still = now ? (window.still ?? 0) + 1 : 0;
  return window.still >= 6;
}"""
ENDED = "[data-testid=stApp][data-test-script-state=notRunning]"
BELOW = """([all, within]) => all.every((each, k) => {
  const lower = k && each.getBoundingClientRect().top - all[k - 1].getBoundingClientRect().top;
  return each.isConnected && (!k || (lower > 0 && lower < within)); })"""


def rest(page: Page) -> None:
    """Wait until the server has computed everything, all figures are drawn and they no longer change."""
    page.wait_for_function(AT_REST, polling=100, timeout=1000 * PATIENCE)


def quiet(page: Page, polling: int = 100) -> None:
    """Wait until the server has computed everything, whether figures are drawn or not."""
    page.evaluate("window.still = 0")
    page.wait_for_function(QUIET, polling=polling)


def until(page, look, wanted=True):
    """Look again until what is seen is as wanted: by a function of the page's own, or one that asks the page once."""
    end = time.monotonic() + PATIENCE
    while True:
        try:
            seen = page.evaluate(look) if isinstance(look, str) else look()
        except (Error, LookupError) as fault:  # what is asked about is just being drawn
            seen = fault
        if seen == wanted or time.monotonic() > end:
            break
        page.wait_for_timeout(50)
    assert seen == wanted


def one_below_the_other(page, *parts, within=9999):
    """Wait until parts of a page stand below each other in this order, each at most so far below the one before."""
    until(page, lambda: page.evaluate(BELOW, [[part.element_handle() for part in parts], within]))
