"""What holds on every page: nothing in the way of people with a screen reader, and room enough on a phone."""

import pytest
from accessible import violations

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


def opened(browser, app, path, **properties):
    """Open a page as a visitor of that kind, and wait until it is complete."""
    page = browser.new_context(**properties).new_page()
    page.goto(f"{app}/{path}")
    page.wait_for_selector(SETTLED[path], timeout=60_000)
    return page


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("path", SETTLED)
def test_no_serious_accessibility_violation(browser, app, scheme, path):
    page = opened(browser, app, path, viewport={"width": 1440, "height": 900}, color_scheme=scheme)
    found = violations(page)
    page.context.close()
    assert not found, "\n".join(found)


@pytest.mark.parametrize("path", SETTLED)
def test_it_can_be_used_on_a_phone(browser, app, path):
    page = opened(browser, app, path, viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True)
    assert page.evaluate("document.querySelector('[data-testid=stMain]').scrollWidth") <= 390
    page.context.close()
