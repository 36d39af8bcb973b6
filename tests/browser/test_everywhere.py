"""What holds on every page, in both depths: nothing in the way of people with a screen reader, and room on a phone."""

import pytest

from tests.helpers.accessible import AT_THE_TOP, PHONE, found_in_both_themes, in_each_other_s_way, width_on_a_phone

SETTLED = {
    ("", "simple"): ".pb-title, .pb-page",
    ("", "expert"): "text=How to read a page",
    ("tour", "simple"): ".st-key-chart-tour .plot[data-drawn]",
    ("tour", "expert"): ".st-key-chart-tour .plot[data-drawn]",
    ("data", "simple"): ".st-key-chart-hidden-change .plot[data-drawn]",
    ("data", "expert"): ".st-key-chart-histogram-0 .plot[data-drawn]",
    ("outsourced", "simple"): ".st-key-chart-found .plot[data-drawn]",
    ("outsourced", "expert"): ".st-key-chart-modeler-map .plot[data-drawn]",
    ("release", "simple"): ".st-key-chart-chances .plot[data-drawn]",
    ("release", "expert"): ".st-key-chart-terms .plot[data-drawn]",
    ("federated", "simple"): ".st-key-chart-federated-simple .plot[data-drawn]",
    ("federated", "expert"): ".st-key-chart-federated-regret .plot[data-drawn]",
    ("tradeoff", "simple"): ".st-key-chart-afford .plot[data-drawn]",
    ("tradeoff", "expert"): "text=runs at each of",
    ("audit", "simple"): ".pb-answer >> text=Broken",
    ("audit", "expert"): "text=Told apart every time",
    ("decision", "simple"): ".pd-verdict >> text=Recommended",
    ("decision", "expert"): ".pd-verdict >> text=Recommended",
    ("workbench", "simple"): ".st-key-chart-expected .plot[data-drawn]",
    ("workbench", "expert"): ".st-key-chart-expected .plot[data-drawn]",
    ("class", "simple"): "text=Open a room",
    ("class", "expert"): "text=Open a room",
    ("reproduce", "simple"): ".st-key-chart-reproduce-all .plot[data-drawn]",
    ("reproduce", "expert"): ".st-key-chart-reproduce-table .plot[data-drawn]",
}
"""What there is to see of each page, in each depth, once it is complete."""


@pytest.mark.parametrize(("name", "depth"), SETTLED)
def test_everybody_can_use_it(page, app, name, depth):
    """With a screen reader in either theme; the dark one only recolours what is there. And on a phone."""
    page.goto(f"{app}/{name}?view={depth}")
    page.wait_for_selector(SETTLED[name, depth])
    page.wait_for_function("!document.querySelector('.pb-old')", timeout=90_000)  # numbers on their way out are faint
    found = found_in_both_themes(page)
    assert not found, "\n".join(found)
    assert width_on_a_phone(page) <= PHONE["width"]
    assert in_each_other_s_way(page) == []


def test_the_bar_at_the_top_has_room_on_every_screen(page, app):
    page.goto(f"{app}/data?view=simple")
    page.wait_for_selector(SETTLED["data", "simple"])
    for width in (1920, 1440, 1366, 1280, 1100, 901, 900, 800, 768):
        page.set_viewport_size({"width": width, "height": 800})
        page.wait_for_function(f"({AT_THE_TOP})().length === 0", timeout=20_000)
    assert page.locator("[data-testid=stTopNavSection]").locator("visible=true").count() == 4


def test_a_phone_s_own_browser_fits_it_to_its_screen(browser, app):
    context = browser.new_context(viewport=PHONE, has_touch=True, is_mobile=True)
    page = context.new_page()
    page.goto(f"{app}/outsourced?view=expert")
    page.wait_for_selector(SETTLED["outsourced", "expert"], timeout=60_000)
    assert page.evaluate("document.querySelector('[data-testid=stMain]').scrollWidth") <= 390
    context.close()
