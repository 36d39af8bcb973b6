"""A link, opened by somebody else, shows exactly what was seen."""

import pytest

from tests.helpers.hands import box_of, enter, within
from tests.helpers.waiting import rest

FIGURES = """() => Object.fromEntries([...document.querySelectorAll(".plot[data-drawn]")].map((plot) => [
  plot.closest("[class*='st-key-chart-']").className.match(/st-key-(chart-[\\w-]+)/)[1],
  JSON.parse(JSON.stringify(plot.data.map(({ x, y, z, name, error_y }) => ({ x, y, z, name, error_y })))),
]))"""


def figures(page):
    rest(page)
    return page.evaluate(FIGURES)


@pytest.mark.long
@pytest.mark.parametrize(
    ("path", "moved", "picked"),
    [
        ("outsourced?T=15&runs=6&data=branin", ("r", "7"), ("measure", "cumulative")),
        ("outsourced?T=10&runs=5&release=both", ("delta", "2.345678e-7"), ("measure", "cumulative")),
        ("release?T=20&algorithm=1+noisy", ("k1", "0.8765432"), ("paper", "workshop")),
        ("federated?N=9&T=6&M=9&runs=5", ("z", "1.35"), ("measure", "cumulative")),
    ],
)
def test_a_copied_link_shows_the_same_figures_in_another_browser(app, page, browser, path, moved, picked):
    page.goto(f"{app}/{path}")
    rest(page)
    enter(box_of(page, moved[0]), moved[1])
    within(page, picked[0], "[role=radio]").nth(1).click()
    for key, value in ((moved[0], f"{float(moved[1]):.6g}"), picked):  # both have arrived
        asked = f"key => new URLSearchParams(location.search).get(key) === '{value}'"
        page.wait_for_function(asked, arg=key)
    seen = figures(page)
    assert len(seen) >= 2
    with browser.new_context(viewport={"width": 1024, "height": 768}) as other:
        visitor = other.new_page()
        visitor.goto(page.url)
        again = figures(visitor)
        assert visitor.url == page.url
    assert again == seen
