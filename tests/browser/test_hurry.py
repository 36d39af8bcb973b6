"""Figures that are taken away while they are still being drawn, and moves that are made while the network is away."""

import re

import pytest

from tests.helpers.hands import box_of, enter, turn_to
from tests.helpers.waiting import ENDED, quiet, rest, until

# The plotting library works in steps. Here it takes its time between them, and tells when it is asked for a second
# thing on a figure, or to let the figure go, before it is done with the first.
SLOW_LIBRARY = """
window.clashes = 0;
let library;
const busy = window.busy = new Set();
Object.defineProperty(window, "Plotly", {
  get: () => library,
  set(value) {
    const { react, purge } = value;
    value.react = async (plot, ...rest) => {
      if (busy.has(plot)) window.clashes += 1;
      busy.add(plot);
      const drawn = await react(plot, ...rest);
      await new Promise((done) => setTimeout(done, 400));
      busy.delete(plot);
      return drawn;
    };
    value.purge = (plot) => {
      if (busy.has(plot)) window.clashes += 1;
      window.purged = (window.purged ?? 0) + 1;
      return purge(plot);
    };
    library = value;
  },
});
"""


@pytest.mark.long
def test_pages_left_while_their_figures_are_drawn_leave_no_error_behind(app, page):
    page.add_init_script(SLOW_LIBRARY)
    page.goto(f"{app}/audit")
    page.locator(".plot .main-svg").first.wait_for()
    for path, sign in [("outsourced", ".st-key-chart-condition"), ("audit", ".st-key-chart-attack")] * 4:
        turn_to(page, path)
        page.locator(sign).locator("visible=true").first.wait_for()
        page.locator(".plot .main-svg").first.wait_for()
    page.locator(".plot[data-drawn]").first.wait_for()
    quiet(page)
    until(page, "() => window.busy.size", 0)
    assert page.evaluate("window.purged") >= 4
    assert page.evaluate("window.clashes") == 0


LATE = """() => { const chart = window.privboCharts.get("regret"), { shown, version } = chart;
  chart.receive({ ...shown, alt: "newer", version: version + 2 });
  chart.receive({ ...shown, alt: "older", version: version + 1 }); }"""


def test_a_figure_that_comes_late_replaces_no_newer_one(app, page):
    page.goto(f"{app}/outsourced?T=8&runs=5")
    page.locator(".st-key-chart-regret .plot[data-drawn]").wait_for()
    rest(page)
    page.evaluate(LATE)
    rest(page)
    assert page.locator(".st-key-chart-regret .plot").get_attribute("aria-label") == "newer"


@pytest.mark.long
def test_what_is_moved_while_the_network_is_away_is_sent_once_it_is_back(app, page):
    lines, away = [], []

    def connect(line):
        if away:
            line.close()
        else:
            lines.append(line)
            line.connect_to_server()

    page.route_web_socket(re.compile("_stcore/stream"), connect)
    page.goto(f"{app}/release?task=logistic&algorithm=1+noisy&T=20")
    page.locator(".st-key-chart-score .plot[data-drawn]").wait_for()
    page.locator(ENDED).wait_for()
    away.append(True)
    lines[0].close()
    page.locator("[data-testid=stApp]:not([data-test-connection-state=CONNECTED])").wait_for()
    enter(box_of(page, "T"), "33")
    assert "T=33" not in page.url
    away.clear()
    page.wait_for_url(re.compile(r"\bT=33\b"))
