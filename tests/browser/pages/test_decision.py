"""Decide in the browser: a sample is decided at once, its files print on one sheet, its order opens the workbench."""

import re
from dataclasses import replace
from functools import cache

import numpy as np
import pytest
from playwright.sync_api import expect

from pages.parts.decision.case import Drawn, Rule
from pages.parts.decision.question import Who
from pages.parts.decision.signing import DRAFT, SIGNED, file_of, signature_of
from pages.parts.decision.table import for_all, inside, outcome_of
from pages.parts.decision.words import TableBasis
from pages.parts.views.content import of_table
from privbo_core.data import Frame, FrameColumn, sample
from privbo_core.data.problem import normalise
from privbo_core.decision import EPSILONS, Decision, Person, recommend, weigh
from privbo_core.diagnostics import judge
from privbo_core.outsourced import Setting, Simulation
from tests.helpers.hands import handed_out, pages_in
from tests.helpers.waiting import ENDED, until

LONG = (
    "The instrument reads from one end to the other, as its manual of 2019 says on page 14; all residents were told. "
)


@cache
def sheets(columns):
    """Return both pages of a decision about so many columns, with as much text as can be typed."""
    problem = sample("hospital")
    if columns > 2:
        many = [FrameColumn(f"laboratory_value_{k}", "mmol/L", 0, 400, 4, known_from=LONG * 2) for k in range(columns)]
        original = np.random.default_rng(0).uniform(0, 400, (problem.n, columns))
        points = normalise(original)[0]
        named = {"names": tuple(each.name for each in many), "units": ("mmol/L",) * columns, "identity": None}
        numbers = {"points": points, "original": original, "unit_distance": np.ones(columns)}
        problem = replace(problem, **named, **numbers, known_frame=Frame(tuple(many)))
    setting = Setting(1.0, 1e-5, 10, 10, search="ucb/5", once=True)
    candidates = (*EPSILONS, 20.0, 50.0, 100.0)
    basis = TableBasis(Simulation(problem), setting, candidates, outcome_of(problem), of_table(problem))
    role = "head of the department of internal medicine"
    people = tuple(Person(f"Dr. Firstname Lastname {k}", role) for k in range(6))
    subject = "Residents of the county, 2014 to 2022; laboratory values at admission"
    who = Who(people, "2026-03-31", subject, LONG * 5, accepted=True)
    *_, weighing = weigh(basis.simulation, setting, basis.candidates, 5)
    rule = Rule(basis.weighed, weighing, "on these data", recommend(weighing.known, 1.0, basis.protects))
    signature = replace(signature_of(who, None), state=SIGNED, digest="sha256:" + 64 * "0")
    decision = Decision(basis.frame, basis.outcome, 5.0, 1e-5, 10, people, who.day, who.subject, who.notes)
    drawn = Drawn(weighing, judge(basis.problem), rule, 5.0)
    return inside(basis, drawn, signature), for_all(basis, decision, signature)


def test_both_pages_print_on_one_sheet_of_a4(page):
    for sheet in (*sheets(2), *sheets(6), *sheets(14)):
        page.set_content(file_of(sheet))
        assert pages_in(page.pdf(format="A4", prefer_css_page_size=True)) == 1
        assert page.locator("h2").count() == 5


def test_in_print_each_who_decided_has_a_line_to_sign_on_below_all_that_it_stands_for(page):
    for sheet in sheets(2):
        page.set_content(file_of(sheet))
        lines = page.locator(".pd-ink")
        assert not any(line.is_visible() for line in lines.all())  # nobody signs on a screen
        page.emulate_media(media="print")
        page.set_viewport_size({"width": 695, "height": 1040})  # what a sheet of A4 has between its margins
        assert lines.all_inner_texts() == ["Place and date", "By hand, if wanted"] * len(sheet.signature.people)
        ends = page.locator(".pd-digest").bounding_box()
        above = ends["y"] + ends["height"]
        for person in page.locator(".pd-person").all():
            named, *signed = (part.bounding_box() for part in person.locator("> div").all())
            assert named["x"] + named["width"] <= signed[0]["x"]
            assert all(part["width"] > 120 and part["y"] - above >= 22 for part in signed)  # 6 mm, in the fullest sheet
            above = max(part["y"] + part["height"] for part in (named, *signed))
        page.emulate_media(media="screen")
        draft = replace(sheet, signature=replace(sheet.signature, digest="", state=DRAFT))
        page.set_content(file_of(draft))
        assert lines.count() == 0


BEYOND = """() => [...document.querySelectorAll(".pd-wide, .pd tbody th, .pd tbody td")].filter(
    each => each.scrollWidth > each.clientWidth + 1 || each.getBoundingClientRect().right > innerWidth).length"""
"""How many tables and cells of the page are wider than their place."""


AS_CARDS = """() => {
    const places = [...document.querySelectorAll(".pd-numbers tbody tr:first-child > *")].map(
        each => each.getBoundingClientRect().y);
    return places.length > 1 ? places.at(-1) > places[0] + 5 : undefined; }"""
"""Whether the candidates stand as cards: what each costs below what it protects; undefined before there are any."""


def test_nothing_is_read_by_scrolling_sideways(page):
    for width, sheet in ((width, sheet) for width in (320, 390, 768) for sheet in sheets(6)):
        page.set_viewport_size({"width": width, "height": 844})
        page.set_content(file_of(sheet))
        assert page.evaluate(BEYOND) == 0
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        assert page.evaluate(AS_CARDS) == (width < 600)


def test_a_phone_reads_the_candidates_without_scrolling_sideways(page, app):
    page.set_viewport_size({"width": 390, "height": 844})
    page.goto(f"{app}/decision?view=expert&candidates=0.35, 0.5, 1, 2, 5, 10, 50, 150")
    expect(page.locator(".pd-verdict")).to_contain_text("Recommended: ε = ", timeout=90_000)
    expect(page.locator(".pd-numbers tbody tr")).to_have_count(8)
    until(page, AS_CARDS, True)
    until(page, BEYOND, 0)
    page.set_viewport_size({"width": 1440, "height": 844})
    until(page, AS_CARDS, False)


def test_a_person_reads_signs_and_takes_it_to_the_workbench(page, app, tmp_path):
    page.goto(f"{app}/decision?view=simple")
    expect(page.locator(".pd-verdict")).to_contain_text("Recommended: ε = ", timeout=90_000)
    sign = page.locator(".st-key-sign button").first
    page.get_by_text("Title, day, notes").click()
    page.get_by_role("textbox", name="Notes, for everybody").fill("Checked.")
    page.locator("h1").first.click()
    expect(page.locator(".pd-notes")).to_have_text("Checked.")
    page.locator(ENDED).wait_for()
    page.get_by_role("textbox", name="Who decides: name, role").fill("A. Muster, head of the ward")
    sign.click()  # the field is left by this very press
    expect(page.locator(".pd-state")).to_have_text("Signed")
    expect(page.locator(".pd-people")).to_contain_text("A. Muster")
    public = handed_out(page.locator(".st-key-get-public button").first, tmp_path).read_text(encoding="utf-8")
    assert "nothing on this page was computed from the data" in public
    assert "A. Muster" in public
    assert "Muster" not in page.url
    order = handed_out(page.locator(".st-key-get-order button").first, tmp_path)
    page.locator(".st-key-to-workbench button").first.click()
    expect(page.get_by_text(re.compile("By the order of .*signed by A. Muster"))).to_be_visible()
    expect(page.locator("[class*=st-key-release-] button").first).to_be_enabled()
    page.goto(f"{app}/workbench?view=simple&seat=holder&data=hospital")  # somebody else, with the file
    page.get_by_text("Open an order").click()
    page.locator("[class*=st-key-][class*=order-file] input[type=file]").set_input_files(order)
    expect(page.get_by_text(re.compile("By the order of .*signed by A. Muster"))).to_be_visible()


def test_notes_are_signed_with_the_press_that_leaves_their_field_and_no_reload_loses_them_unasked(page, app):
    asked = []
    page.on("dialog", lambda dialog: (asked.append(dialog.type), dialog.accept()))
    page.goto(f"{app}/decision?view=simple&decided=2")
    page.get_by_text("Title, day, notes").click()
    page.reload()
    assert asked == []
    expect(page.locator(".pd-decided")).to_contain_text("ε = 2", timeout=90_000)
    sign = page.locator(".st-key-sign button").first
    page.get_by_text("Title, day, notes").click()
    people, notes = (page.get_by_role("textbox", name=name) for name in ("Who decides: name, role", "Notes, for"))
    people.fill("A. Muster")
    people.press("Tab")
    expect(page.locator(".pd-people")).to_contain_text("A. Muster")
    page.locator(ENDED).wait_for()
    notes.focus()
    page.keyboard.type("Checked with the register office.")
    sign.hover()  # once it stands still
    page.mouse.down()  # the field is left by this very press
    page.mouse.up()
    expect(page.locator(".pd-state")).to_have_text("Signed")
    expect(page.locator(".pd-notes")).to_have_text("Checked with the register office.")
    expect(page.locator(".pd-digest")).to_have_count(1)
    notes.fill("Not checked.")
    notes.press("Tab")
    expect(page.locator(".pd-state")).to_have_text("Changed since it was signed")
    expect(page.locator(".pd-digest")).to_have_count(0)
    page.reload()
    assert asked == ["beforeunload"]


LINE = """(xref) => {
    const plot = document.querySelector(".st-key-chart-decision .plot");
    const [line] = plot?.layout?.shapes?.filter((one) => one.type === "line" && one.xref === xref) ?? [];
    if (!line || !plot._fullLayout._size) return null;
    const { xaxis, yaxis } = plot._fullLayout, box = plot.getBoundingClientRect(), upright = xref === "x";
    const across = upright ? xaxis.d2p(line.x0) : 0.6 * xaxis._length;
    const down = upright ? 0.6 * yaxis._length : yaxis.d2p(line.y0);
    return [box.left + xaxis._offset + across, box.top + yaxis._offset + down, upright ? line.x0 : line.y0];
}"""
"""Where the mouse finds the limit ("paper") or the least protection ("x"), and its value."""


def test_limit_and_least_protection_are_lines_that_can_be_dragged(page, app):
    page.goto(f"{app}/decision?view=simple&decide_about=Release&candidates=0.5, 1, 2, 5, 10")
    page.locator(ENDED).wait_for()
    for xref, across, down in (("paper", 0, -40), ("x", 120, 0)):
        x, y, before = page.wait_for_function(LINE, arg=xref).json_value()
        page.mouse.move(x, y)
        page.mouse.down()
        page.mouse.move(x + across, y + down, steps=6)
        page.mouse.up()
        page.wait_for_function(f"(more) => ({LINE})(more[0])?.[2] > more[1]", arg=[xref, 1.05 * before])
    limit = page.get_by_role("textbox", name="It may cost at most").input_value()
    assert float(limit.removesuffix(" whatever the data")) == page.evaluate(LINE, "paper")[2], (
        "it means what it meant before"
    )
    expect(page).to_have_url(re.compile("protects=weak"))


@pytest.mark.parametrize(("system", "unit"), [("Release", "percentage points"), ("Federated", "grades")])
def test_a_decision_is_three_sentences_and_a_picture_and_signed_without_opening_anything(
    page, app, tmp_path, system, unit
):
    few = "candidates=1, 2&federated_runs=5"
    page.goto(f"{app}/decision?view=simple&decide_about={system}&{few}")
    expect(page.locator(".st-key-chart-decision")).to_contain_text(unit, timeout=90_000)
    page.locator(ENDED).wait_for()
    assert len(page.locator(".stMain").inner_text().split()) < 220
    assert not page.locator(".pd").is_visible()
    page.locator(".st-key-chart-decision .nsewdrag").first.click(position={"x": 30, "y": 12})
    expect(page.get_by_role("textbox", name="It may cost at most")).not_to_have_value("")
    page.get_by_role("textbox", name="Who decides: name, role").fill("A. Muster")
    page.locator("h1").first.click()
    page.locator(".st-key-sign button").first.click()
    expect(page.locator(".pd-state")).to_have_text("Signed")
    page.get_by_text("The whole page").click()
    expect(page.locator(".pd-digest")).to_be_visible()
    buttons = [page.locator(f".st-key-{name} button").first for name in ("get-inside", "get-public", "get-order")]
    own, public, _ = (handed_out(button, tmp_path).read_text(encoding="utf-8") for button in buttons)
    for sheet in (own, public):
        page.set_content(sheet)
        assert pages_in(page.pdf(format="A4", prefer_css_page_size=True)) == 1
