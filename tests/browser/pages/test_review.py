"""The review sheet as it is read: one sheet of A4 in print, nothing cut off on a phone, readable in the dark."""

import pytest

from pages.parts.export.record import review_sheet
from privbo_core.deployment import Curator, planned, searched
from tests.core.decision.test_order import DECISION
from tests.helpers.hands import pages_in
from tests.helpers.holding import PRIVATE, held, released

FULL = ("Donaudampfschiff, " * 20)[:300]


def sheets():
    """Return a sheet on which nothing was typed, and one with everything in each field that the page lets in."""
    curator = held()
    released(curator, private=PRIVATE)
    released(curator, epsilon=0.5, again=True)
    typed = Curator(FULL, FULL, FULL, "Healthcare", (FULL,), access=FULL, recipient=FULL, contract=FULL, retention=FULL)
    return review_sheet(planned(DECISION)), review_sheet(searched(curator.ledger, typed))


def test_it_prints_on_one_sheet_of_a4(page):
    for sheet in sheets():
        page.set_content(sheet)
        page.emulate_media(media="print")
        assert pages_in(page.pdf(format="A4", prefer_css_page_size=True)) == 1
        size = page.evaluate("parseFloat(getComputedStyle(document.querySelector('td')).fontSize)")
        assert size > 8  # px: 6 points
        assert "Their collection" in page.inner_text("table")


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [390, 1280])
def test_nothing_is_cut_off_and_the_letters_stand_out(page, scheme, width):
    page.set_viewport_size({"width": width, "height": 844})
    page.emulate_media(color_scheme=scheme)
    for sheet in sheets():
        page.set_content(sheet)
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        dark = page.evaluate(
            "['color', 'backgroundColor'].map(name => getComputedStyle(document.body)[name].match(/\\d+/g)[0] < 128)"
        )
        assert dark == ([True, False] if scheme == "light" else [False, True])
        assert page.locator(".printed").is_hidden()
        assert page.locator(".record dt").count() > 30
