"""When a page is complete."""

from playwright.sync_api import Page

AT_REST = """() => {
  const state = document.querySelector('[data-testid=stApp]')?.dataset.testScriptState;
  const drawn = [...document.querySelectorAll('.plot')].map(plot => plot.dataset.drawn);
  const now = drawn.join();
  const same = state === 'notRunning' && drawn.length && drawn.every(Boolean) && window.before === now;
  window.times = same ? window.times + 1 : 0;
  window.before = now;
  return window.times >= 6;
}"""


def rest(page: Page) -> None:
    """Wait until the server has computed everything, all figures are drawn and they no longer change."""
    page.wait_for_function(AT_REST, polling=100)
