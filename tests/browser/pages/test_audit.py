"""Each attack, started from the page in a browser. `app` is the address, `page` a fresh page at 1440×900."""

import re

import pytest

from pages.parts import systems
from pages.parts.audit.textbook import TEXTBOOK

AUDITED = {each.key: each for each in (*(a for system in systems.SYSTEMS for a in system.audited), TEXTBOOK)}

FINDINGS = {
    ("projection", "tell"): r"Told apart every time",
    ("projection", "rebuild"): r"3 known records of 10,000 reveal all the others",
    ("noisy", "tell"): r"lie on top of each other|overlap",
    ("noisy", "rebuild"): r"Knowing 3 records does not help",
    ("noisy", "sharpest"): r"the claim of 3 is not refuted",
    ("choice", "prior"): r"pairs drawn from the prior costs",
    ("choice", "task"): r"records left out costs",
    ("canary", "all"): r"the claim of 9.91 is not refuted",
    ("canary", "one"): r"the claim of 2.31 is not refuted",
    ("textbook", "laplace"): r"the claim of 1 is not refuted",
    ("textbook", "gaussian"): r"the claim of 1 is not refuted",
}


def choose(page, mechanism, attack):
    names = {each.key: each.name for each in AUDITED[mechanism].attacks}
    if mechanism != "projection":
        page.get_by_role("combobox", name=re.compile("Mechanism")).click()
        page.get_by_role("option", name=AUDITED[mechanism].name).click()
        page.locator(f".st-key-attack-{mechanism}").wait_for()  # attacks of two mechanisms may have the same name
    page.get_by_role("radiogroup", name="Attack").get_by_text(names[attack], exact=True).click()


@pytest.mark.parametrize(("mechanism", "attack"), list(FINDINGS))
def test_each_attack_runs_from_the_page(app, page, mechanism, attack):
    page.goto(f"{app}/audit")
    page.locator(".js-plotly-plot").first.wait_for(timeout=60_000)
    choose(page, mechanism, attack)
    page.locator(".pb-finding", has_text=re.compile(FINDINGS[mechanism, attack])).first.wait_for(timeout=60_000)
    page.locator(".js-plotly-plot").first.wait_for(timeout=60_000)
    if attack == "rebuild":
        assert page.locator(".pb-grid tbody tr").count() == 8


def test_the_link_on_outsourced_leads_to_the_refutation(app, page):
    page.goto(f"{app}/outsourced")
    page.get_by_text("refuted: see Audit").first.wait_for(timeout=60_000)
    page.get_by_role("link", name="See it refuted: Audit").click()
    page.locator(".pb-finding", has_text="is refuted").first.wait_for(timeout=60_000)
    assert page.locator(".pb-value s").inner_text() == "ε = 3"


def test_outsourced_shows_both_regret_curves_when_asked(app, page):
    page.goto(f"{app}/outsourced")
    page.get_by_role("radio", name="Both").or_(page.get_by_role("button", name="Both")).first.click()
    page.get_by_text("proved, assuming the bounds are public").wait_for(timeout=60_000)
    page.locator(".annotation-text", has_text="noisy release").first.wait_for(timeout=60_000)
    page.locator(".annotation-text", has_text="projection").last.wait_for(timeout=60_000)
