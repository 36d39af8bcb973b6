"""Scenes in a browser: kept, put in order, presented with the arrow keys; slides that print and that can be edited."""

import re
import shutil
import subprocess

import pytest
from playwright.sync_api import expect
from pptx import Presentation

from pages.parts.export.scene_files import from_link
from tests.helpers.accessible import PHONE, found_in_both_themes
from tests.helpers.hands import enter, exact, go_to, handed_out, open_scenes, pages_in
from tests.helpers.waiting import rest

SMALL = "view=expert&T=10&runs=5"
FITS = """() => [...document.querySelectorAll('*')].some(e => { const list = e.shadowRoot?.querySelector('.scenes');
  const box = list?.getBoundingClientRect(); return box?.width && box.left >= 0 && box.right <= innerWidth; })"""
ORDER = "rows => rows.map(row => row.querySelector('.title').value)"


def keep(page, number):
    open_scenes(page)
    page.get_by_role("button", name="Keep as scene").click()
    page.wait_for_function(
        "wanted => [...document.querySelectorAll('*')].some(e => "
        "e.shadowRoot?.querySelectorAll('.scenes li').length === wanted)",
        arg=number,
    )
    rest(page)


def three(page, app):
    page.goto(f"{app}/outsourced?{SMALL}&epsilon=2&data=branin")
    rest(page)
    keep(page, 1)
    page.keyboard.press("Escape")
    enter(exact(page, "ε"), "6")
    page.wait_for_function("() => location.search.includes('epsilon=6')")
    rest(page)
    keep(page, 2)
    page.keyboard.press("Escape")
    go_to(page, "Explore", "Data")
    page.wait_for_selector(".st-key-chart-singular .plot[data-drawn]")
    rest(page)
    keep(page, 3)


def titles(page):
    return page.locator(".scenes li").evaluate_all(ORDER)


def wait_for_order(page, wanted):
    page.wait_for_function(
        "wanted => [...document.querySelectorAll('*')].some(e => e.shadowRoot && JSON.stringify("
        "[...e.shadowRoot.querySelectorAll('.scenes .title')].map(t => t.value)) === JSON.stringify(wanted))",
        arg=wanted,
    )


def saved(page, name, folder):
    rest(page)  # what a page hands out is made when it is asked for, and goes with what is drawn
    return handed_out(page.get_by_role("button", name=name), folder)


def test_scenes_are_ordered_presented_saved_and_opened_again(app, page, browser, tmp_path):
    three(page, app)
    first, second, third = titles(page)
    assert len({first, second, third}) == 3
    page.locator(".scenes .handle").nth(2).press("ArrowUp")
    wait_for_order(page, [first, third, second])
    # By the mouse: the first is dragged below all others.
    rest(page)
    handle = page.locator(".scenes .handle").first.bounding_box()
    last = page.locator(".scenes li").last.bounding_box()
    page.mouse.move(handle["x"] + 5, handle["y"] + 5)
    page.mouse.down()
    page.mouse.move(handle["x"] + 5, last["y"] + last["height"] - 4, steps=6)
    page.mouse.up()
    wait_for_order(page, [third, second, first])
    note = page.locator(".scenes .note").nth(1)
    note.fill("Ask: who knows σ_min?")
    note.blur()
    title = page.locator(".scenes .title").nth(2)
    title.fill("At ε = 2 <b>")
    title.press("Enter")
    wait_for_order(page, [third, second, "At ε = 2 <b>"])
    rest(page)

    page.get_by_text("Save, share, open").click()
    link = page.get_by_test_id("stCode").inner_text().strip()
    file = saved(page, "Save as a file", tmp_path)

    page.get_by_role("button", name="Present the scenes").click()
    for number, (name, epsilon) in enumerate([("data", None), ("outsourced", "6"), ("outsourced", "2")], 1):
        page.get_by_text(f"Scene {number} / 3", exact=True).locator("visible=true").wait_for()
        page.wait_for_function(
            "([name, epsilon]) => location.pathname.endsWith(name)"
            " && (!epsilon || new URLSearchParams(location.search).get('epsilon') === epsilon)",
            arg=[name, epsilon],
        )
        page.wait_for_selector("[data-pb-slide] .plot[data-drawn]")
        if number == 2:
            page.wait_for_selector(".st-key-chart-regret[data-pb-slide]", state="attached")
            page.keyboard.press("n")
            page.get_by_text("Ask: who knows σ_min?").locator("visible=true").wait_for()
            page.keyboard.press("n")
        if number < 3:
            page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowLeft")
    page.wait_for_function("() => location.search.includes('epsilon=6')")
    page.keyboard.press("Escape")
    page.wait_for_function("() => !('pbPresenting' in document.documentElement.dataset)")
    page.wait_for_selector(".st-key-scenes-leave", state="detached")

    where, _, packed = link.partition("/?scenes=")
    assert where == app
    assert [scene.title for scene in from_link(packed, {"data", "outsourced"})] == ["", "", "At ε = 2 <b>"]
    with browser.new_context(viewport={"width": 1440, "height": 900}) as other:
        visitor = other.new_page()
        visitor.set_default_timeout(60_000)
        visitor.goto(app)
        open_scenes(visitor)
        visitor.get_by_text("Save, share, open").click()
        visitor.locator("input[type=file]").last.set_input_files(file)
        visitor.wait_for_function("() => location.pathname.endsWith('/data')")
        rest(visitor)
        open_scenes(visitor)
        expect(visitor.locator(".scenes .title").nth(2)).to_have_value("At ε = 2 <b>")
        expect(visitor.locator(".scenes .note").nth(1)).to_have_value("Ask: who knows σ_min?")


@pytest.mark.long
def test_slides_print_a_scene_a_page_and_open_in_powerpoint(app, page, browser, tmp_path):
    three(page, app)
    note = page.locator(".scenes .note").first
    note.fill("Say hello")
    note.blur()
    said = titles(page)

    html = saved(page, "Slides as PDF", tmp_path)
    with browser.new_context() as printed:
        slides = printed.new_page()
        problems = []
        slides.on("pageerror", lambda error: problems.append(str(error)))
        slides.on("console", lambda message: problems.append(message.text))
        slides.goto(html.as_uri())
        slides.wait_for_selector("html[data-ready]")
        assert slides.locator("section h1").all_inner_texts() == said
        assert slides.locator("section .main-svg .trace").count() >= 3
        over = """rooms => rooms.filter(room => [...room.children].some(
          each => each.getBoundingClientRect().bottom > room.getBoundingClientRect().bottom + 1)).length"""
        assert slides.eval_on_selector_all(".room", over) == 0
        assert "refuted" in slides.locator("section .promise").first.inner_text()
        pdf = slides.pdf(prefer_css_page_size=True)
        assert pages_in(pdf) == 3
        width, height = map(float, re.search(rb"/MediaBox\s*\[0 0 ([\d.]+) ([\d.]+)\]", pdf).groups())
        assert width / height == pytest.approx(16 / 9, rel=0.01)
        assert problems == []

    page.get_by_role("button", name="Slides for PowerPoint").click()
    page.get_by_role("button", name="Save for PowerPoint").wait_for()
    path = saved(page, "Save for PowerPoint", tmp_path)
    deck = Presentation(path).slides
    assert [slide.shapes.title.text_frame.text for slide in deck] == said
    assert deck[0].notes_slide.notes_text_frame.text == "Say hello"
    for slide in deck:
        (picture,) = [shape for shape in slide.shapes if shape.name == "Picture"]
        wide, high = picture.image.size
        assert wide >= 2000
        assert picture.width / picture.height == pytest.approx(wide / high, rel=0.01)
        assert len(set(picture.image.blob)) > 100  # something is drawn in it
        text = {shape.name: shape.text_frame.text for shape in slide.shapes if shape.has_text_frame}
        assert text["Who may see it"]
        assert "Made with PrivBO" in text["Where it came from"]
    assert "refuted" in {shape.name: shape for shape in deck[0].shapes}["Guarantee"].text_frame.text
    assert found_in_both_themes(page) == []
    page.set_viewport_size(PHONE)
    page.locator(".scenes").wait_for()
    page.wait_for_function(FITS)
    if office := shutil.which("soffice"):
        to_pdf = [office, "--headless", "--convert-to", "pdf", "--outdir", tmp_path, path]
        subprocess.run(to_pdf, check=True, timeout=180)
        assert pages_in(path.with_suffix(".pdf").read_bytes()) == 3
