"""Each attack, started from the page in a browser. `app` is the address, `page` a fresh page at 1440×900."""

import re

import pytest
from playwright.sync_api import expect

from tests.helpers.attacked import ATTACKS, AUDITED, find
from tests.helpers.hands import pick

NUMBERS = {
    ("projection", "rebuild"): ("3", "10,000"),
    ("noisy", "rebuild"): ("3",),
    ("noisy", "sharpest"): ("3",),
    ("noisy", "frame-follows"): ("3",),
    ("noisy", "frame-public"): ("3",),
    ("score", "noisy"): ("1",),
    ("score", "exact"): (r"4\.\d+", "1"),
    ("score", "ramp"): ("1",),
    ("score", "lipschitz"): ("100",),
    ("selection", "setting"): ("1",),
    ("selection", "exponential"): ("1",),
    ("selection", "both"): ("2",),
    ("selection", "drawn"): ("1",),
    ("canary", "all"): (r"4\.1",),
    ("canary", "one"): (r"0\.573",),
    ("textbook", "laplace"): ("1",),
    ("textbook", "gaussian"): ("1",),
}
"""What is claimed, and known or found, in the finding of an attack: a bound that refutes the claim of 1 is above 4."""
TESTED = {"tell", "sharpest", "noisy", "exact", "ramp", "both", "drawn", "model"}
"""The attacks that show the promise as a trade-off function, with the attack as a point."""


def drawn(page, place):
    """Wait until there is a figure to be seen; that of another attack may still be there, out of sight."""
    page.locator(f"{place} .plot[data-drawn]").locator("visible=true").first.wait_for()


@pytest.mark.long
def test_each_attack_runs_from_the_page(app, page):
    page.goto(f"{app}/audit?view=expert")
    page.locator(".js-plotly-plot").first.wait_for()
    for mechanism, key in ATTACKS:
        attack = find(mechanism, key)
        panel = page.locator(f".st-key-attack-{mechanism}")  # attacks of two mechanisms may have the same name
        if not panel.is_visible():
            pick(page, "audited", AUDITED[mechanism].name)
        panel.get_by_role("radiogroup").get_by_text(attack.name, exact=True).click()
        slots = f".st-key-chart-audit-{mechanism}-{attack.key}"
        drawn(page, f"{slots}-right")
        found = page.locator(".pb-finding").filter(visible=True)
        for number in NUMBERS.get((mechanism, attack.key), ()):
            found = found.filter(has_text=re.compile(rf"(?<![\d.,]){number}(?!\d|[.,]\d)"))
        found.first.wait_for()
        if attack.key in TESTED:
            drawn(page, f"{slots}-testing")
        if attack.key == "rebuild":
            expect(page.locator(".pb-grid tbody tr")).to_have_count(8)
