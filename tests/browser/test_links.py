"""A link, opened by somebody else, shows exactly what was seen."""

import pytest

from tests.helpers.hands import enter, exact
from tests.helpers.waiting import rest

FIGURES = """() => Object.fromEntries([...document.querySelectorAll(".plot[data-drawn]")].map((plot) => [
  plot.closest("[class*='st-key-chart-']").className.match(/st-key-(chart-[\\w-]+)/)[1],
  JSON.parse(JSON.stringify(plot.data.map(({ x, y, z, name, error_y }) => ({ x, y, z, name, error_y })))),
]))"""


def figures(page, done):
    page.get_by_text(done).first.wait_for()
    rest(page)
    return page.evaluate(FIGURES)


@pytest.mark.long
@pytest.mark.parametrize(
    ("path", "moved", "picked", "done"),
    [
        ("outsourced?T=15&runs=6&data=branin", ("r", "7"), "Summed up", "6 runs, bands"),
        ("outsourced?T=10&runs=5&release=both&meaning=true", ("δ", "2.345678e-7"), "Summed up", "5 runs, "),
        ("release?T=20&algorithm=1+noisy", ("k₁", "0.8765432"), "workshop", "Nothing released"),
        ("federated?N=9&T=6&M=9&federated_runs=5", ("z, noise multiplier", "1.35"), "cumulative", "5 runs, "),
    ],
)  # fmt: skip
def test_a_copied_link_shows_the_same_figures_in_another_browser(app, page, browser, path, moved, picked, done):
    slider, value = moved
    page.goto(f"{app}/{path}")
    page.get_by_text(done).first.wait_for()
    enter(exact(page, slider), value)
    page.get_by_text(picked, exact=True).first.click()
    chosen = {"Summed up": "cumulative"}.get(picked, picked)  # as the address has it
    page.wait_for_function("chosen => location.search.includes(chosen)", arg=chosen)  # the click has arrived
    seen = figures(page, done)
    assert len(seen) >= 2
    with browser.new_context(viewport={"width": 1024, "height": 768}) as other:
        visitor = other.new_page()
        visitor.goto(page.url)
        again = figures(visitor, done)
        assert visitor.url == page.url
    assert again == seen
