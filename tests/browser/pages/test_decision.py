"""Decide in the browser: a sample is decided at once, its files print on one sheet, its order opens the workbench."""

import re
from dataclasses import replace

import numpy as np
import pytest
from playwright.sync_api import expect

from pages.parts.decision.asked import Who
from pages.parts.decision.matter import Matter, outcome_of
from pages.parts.decision.sheet import Drawn, for_all, inside
from pages.parts.decision.signing import SIGNED, file_of, signature_of
from pages.parts.outsourced.plain.told import told
from privbo_core.data import Frame, FrameColumn, sample
from privbo_core.data.problem import normalise
from privbo_core.decision import EPSILONS, Decision, Person, proposed_limit, recommend, weigh
from privbo_core.outsourced import Setting, Simulation
from privbo_core.worth import judge

LONG = (
    "The instrument reads from one end to the other, as its manual of 2019 says on page 14; all residents were told. "
)


def sheets(columns):
    """Return both pages of a decision about so many columns, with as much text as can be typed."""
    problem = sample("hospital")
    if columns > 2:
        many = [FrameColumn(f"laboratory_value_{k}", "mmol/L", 0, 400, 4, known_from=LONG * 2) for k in range(columns)]
        original = np.random.default_rng(0).uniform(0, 400, (problem.n, columns))
        points = normalise(original)[0]
        problem = replace(
            problem, points=points, original=original, names=tuple(each.name for each in many), identity=None,
            units=("mmol/L",) * columns, unit_distance=np.ones(columns),
            known_frame=Frame(tuple(many)),
        )  # fmt: skip
    setting = Setting(1.0, 1e-5, 10, 10, search="ucb/5", once=True)
    matter = Matter(Simulation(problem), setting, (*EPSILONS, 20.0, 50.0, 100.0), outcome_of(problem), told(problem))
    people = tuple(
        Person(f"Dr. Firstname Lastname {k}", "head of the department of internal medicine") for k in range(6)
    )
    subject = "Residents of the county, 2014 to 2022; laboratory values at admission"
    who = Who(people, "2026-03-31", subject, LONG * 5, accepted=True)
    *_, weighing = weigh(matter.simulation, setting, matter.candidates, 20)
    found = recommend(weighing.known, proposed_limit(weighing) or 1.0, matter.protects)
    signature = replace(signature_of(who, None), state=SIGNED, digest="sha256:" + 64 * "0")
    decision = Decision(matter.frame, matter.outcome, 5.0, 1e-5, 10, people, who.day, who.subject, who.notes)
    yield inside(
        matter,
        Drawn(weighing, judge(matter.problem), found, True, 5.0),
        signature,
    )
    yield for_all(matter, decision, signature)


@pytest.mark.parametrize("columns", [2, 6, 14])
def test_both_pages_print_on_one_sheet_of_a4(page, columns):
    for sheet in sheets(columns):
        page.set_content(file_of(sheet))
        pdf = page.pdf(format="A4", prefer_css_page_size=True)
        assert len(re.findall(rb"/Type\s*/Page\b", pdf)) == 1
        assert page.locator("h2").count() == 5


def test_a_person_reads_signs_and_takes_it_to_the_workbench(page, app):
    page.goto(f"{app}/decision?view=simple")
    expect(page.locator(".pd-verdict")).to_contain_text("Recommended: ε = ", timeout=90_000)
    sign = page.locator(".st-key-sign button").first
    expect(sign).to_be_disabled()
    page.get_by_role("textbox", name="Who decides: name, role").fill("A. Muster, head of the ward")
    page.get_by_role("textbox", name="Notes, for everybody").fill("Checked.")
    page.locator("h1").first.click()
    expect(page.locator(".pd-people")).to_contain_text("A. Muster")
    expect(page.locator(".pd-notes")).to_have_text("Checked.")  # what is signed is what was last drawn
    page.locator("[data-testid=stApp][data-test-script-state=notRunning]").wait_for()
    page.locator("[data-testid=stApp][data-test-script-state=notRunning]").wait_for()
    expect(sign).to_be_enabled()
    sign.click()
    expect(page.locator(".pd-state")).to_have_text("Signed")
    with page.expect_download() as got:
        page.locator(".st-key-get-public button").first.click()
    public = got.value.path().read_text()
    assert "nothing on this page was computed from the data" in public
    assert "A. Muster" in public
    assert "Muster" not in page.url
    with page.expect_download() as got:
        page.locator(".st-key-get-order button").first.click()
    order = got.value.path().read_bytes()
    page.locator(".st-key-to-workbench button").first.click()
    expect(page.get_by_text(re.compile("By the order of .*signed by A. Muster"))).to_be_visible()
    expect(page.locator("[class*=st-key-release-] button").first).to_be_enabled()
    page.goto(f"{app}/workbench?view=simple&seat=holder&data=hospital")  # somebody else, with the file
    page.get_by_text("Open an order").click()
    page.locator("[class*=st-key-][class*=order-file] input[type=file]").set_input_files(
        {"name": "order.json", "mimeType": "application/json", "buffer": order}
    )
    expect(page.get_by_text(re.compile("By the order of .*signed by A. Muster"))).to_be_visible()
