"""Each attack, started from the page in a browser. `app` is the address, `page` a fresh page at 1440×900."""

import re

import pytest
from playwright.sync_api import expect

from tests.helpers.attacked import ATTACKS, AUDITED, find

FINDINGS = {
    ("projection", "tell"): r"Told apart every time",
    ("projection", "rebuild"): r"3 known records of 10,000 reveal all the others",
    ("noisy", "tell"): r"lie on top of each other|overlap",
    ("noisy", "rebuild"): r"Knowing 3 records does not help",
    ("noisy", "sharpest"): r"the claim of 3 is not refuted",
    ("noisy", "frame-follows"): r"the claim of 3 is refuted",
    ("noisy", "frame-public"): r"the claim of 3 is not refuted",
    ("laplace", "sharpest"): r"the claim of 3 is not refuted",
    ("choice", "prior"): r"pairs drawn from the prior costs",
    ("choice", "task"): r"records left out costs",
    ("score", "noisy"): r"the claim of 1 is not refuted",
    ("score", "exact"): r"On these two datasets ε is at least 4\.\d+, where 1 is claimed",
    ("score", "ramp"): r"the claim of 1 is not refuted",
    ("score", "lipschitz"): r"100 records left out costs",
    ("selection", "setting"): r"the claim of 1 is kept",
    ("selection", "exponential"): r"the claim of 1 is kept",
    ("selection", "both"): r"the claim of 2 is not refuted",
    ("selection", "drawn"): r"the claim of 1 is not refuted",
    ("canary", "all"): r"the claim of 4.1 is not refuted",
    ("canary", "one"): r"the claim of 0.573 is not refuted",
    ("canary", "model"): r"One school less, and the unit is",
    ("textbook", "laplace"): r"the claim of 1 is not refuted",
    ("textbook", "gaussian"): r"the claim of 1 is not refuted",
}
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
            page.get_by_role("combobox", name=re.compile("Mechanism")).click()
            page.get_by_role("option", name=AUDITED[mechanism].name, exact=True).click()
        panel.get_by_role("radiogroup", name="Attack").get_by_text(attack.name, exact=True).click()
        found = re.compile(FINDINGS[mechanism, attack.key])
        slots = f".st-key-chart-audit-{mechanism}-{attack.key}"
        page.locator(".pb-finding", has_text=found).first.wait_for()
        drawn(page, f"{slots}-right")
        if attack.key in TESTED:
            drawn(page, f"{slots}-testing")
        if attack.key == "rebuild":
            expect(page.locator(".pb-grid tbody tr")).to_have_count(8)
