"""When a page is complete."""

from playwright.sync_api import Page

AT_REST = """() => {
  const state = document.querySelector('[data-testid=stApp]')?.dataset.testScriptState;
  const now = [...document.querySelectorAll('.plot')].map(plot => plot.dataset.drawn).join();
  const same = state === 'notRunning' && window.before === now;
  window.times = same ? window.times + 1 : 0;
  window.before = now;
  return window.times >= 6;
}"""


def rest(page: Page) -> None:
    """Wait until the server has computed everything and the figures no longer change."""
    page.wait_for_function(AT_REST, polling=100)
