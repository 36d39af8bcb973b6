"""What holds on every page: nothing in the way of people with a screen reader, and room enough on a phone."""

import pytest
from accessible import PHONE, found_in_both_themes, width_on_a_phone

SETTLED = {
    "": "text=How to read a page",
    "data": ".st-key-chart-histogram-0 .plot[data-drawn]",
    "outsourced": ".st-key-chart-modeler-map .plot[data-drawn]",
    "release": ".st-key-chart-terms .plot[data-drawn]",
    "federated": ".st-key-chart-federated-regret .plot[data-drawn]",
    "audit": "text=Told apart every time",
    "tradeoff": "text=runs at each of",
    "reproduce": ".st-key-chart-reproduce-table .plot[data-drawn]",
    "tour": ".st-key-chart-tour .plot[data-drawn]",
}
"""What there is to see of each page once it is complete."""


@pytest.mark.parametrize("path", SETTLED)
def test_everybody_can_use_it(page, app, path):
    """With a screen reader in either theme; the dark one only recolours what is there. And on a phone."""
    page.goto(f"{app}/{path}")
    page.wait_for_selector(SETTLED[path])
    found = found_in_both_themes(page)
    assert not found, "\n".join(found)
    assert width_on_a_phone(page) <= 390


def test_a_phone_s_own_browser_fits_it_to_its_screen(browser, app):
    context = browser.new_context(viewport=PHONE, has_touch=True, is_mobile=True)
    page = context.new_page()
    page.goto(f"{app}/outsourced")
    page.wait_for_selector(SETTLED["outsourced"], timeout=60_000)
    assert page.evaluate("document.querySelector('[data-testid=stMain]').scrollWidth") <= 390
    context.close()
