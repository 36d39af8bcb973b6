"""Presenter view on a projector: 1920 × 1080, read from the last row."""

import pytest

from tests.helpers.waiting import rest

VIEWS = {
    "outsourced?T=12&runs=6": 2,
    "release?view=expert": 2,
    "federated?N=30&T=6&M=20&federated_runs=5": 2,
    "tradeoff?T=10&runs=5": 1,
    "tour?step=4&runs=6": 1,
    "tour?lesson=release&step=2": 1,
    "tour?lesson=federated&step=4": 1,
    "tour?lesson=epsilon&step=8": 1,
}
"""How many of a page's figures are looked at."""
SIMPLE = (
    "data",
    "outsourced",
    "release",
    "federated?federated_runs=5&M=10",
    "tradeoff",
    "audit?audited=noisy",
    "reproduce",
    "tour",
)
WITHOUT_SLIDERS = ("data", "reproduce")
# Height of the small letters, as a share of the screen's: the font's own, measured, times the size that is drawn.
LETTERS = """() => {
  const pen = document.createElement('canvas').getContext('2d');
  const ratio = family => { pen.font = `100px ${family}`; return pen.measureText('x').actualBoundingBoxAscent / 100; };
  const seen = e => { const s = getComputedStyle(e);
    return parseFloat(s.fontSize) * ratio(s.fontFamily) / innerHeight; };
  const plot = document.querySelector('[data-pb-slide] .plot');
  const all = selector => [...plot.querySelectorAll(selector)].filter(e => e.textContent.trim()).map(seen);
  return { title: [seen(document.querySelector('.pb-present-sentence h1'))], ticks: all('.xtick text, .ytick text'),
    axes: all('.xtitle, .ytitle, .x2title, .y2title'), labels: all('.annotation-text'),
    notes: [...document.querySelectorAll('.pb-present-sentence :is(.pb-note, .pb-badge)')]
      .filter(e => e.getClientRects().length).map(seen) };
}"""
SLIDERS = """() => { const find = root => [...root.querySelectorAll('*')].flatMap(e => [
    ...(e.matches('input[type=range]') && e.getClientRects().length ? [e.dataset.key] : []),
    ...(e.shadowRoot ? find(e.shadowRoot) : [])]);
  return [...document.querySelectorAll('[data-pb-strip]')].flatMap(find); }"""
READY = """strip => { const plot = document.querySelector('[data-pb-slide] .plot[data-drawn]');
  return plot && Math.round(plot._fullLayout.height) === Math.round(plot.clientHeight)
    && (document.querySelector('[data-pb-strip]') || !strip)
    && document.querySelector('.pb-present-sentence h1')?.textContent; }"""
# Ticks that cover each other, and what of the axes is cut off.
OVER = """() => {
  const plot = document.querySelector('[data-pb-slide] .plot'), whole = plot.getBoundingClientRect();
  const boxes = selector => [...plot.querySelectorAll(selector)].filter(e => e.textContent.trim())
    .map(e => [e.textContent, e.getBoundingClientRect()]);
  const crossed = (a, b) => Math.min(a.right, b.right) - Math.max(a.left, b.left) > 2
    && Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > 0.3 * Math.min(a.height, b.height);
  const ticks = boxes('.xtick text, .ytick text');
  const lost = boxes('.annotation text').filter(([, box]) => box.width
    && (box.left < whole.left - 1 || box.right > whole.right + 1)).map(([name]) => `${name} is cut off`);
  return [...lost, ...ticks.flatMap(([name, box], k) =>
      ticks.slice(k + 1).filter(([, other]) => crossed(box, other)).map(([other]) => `${name} and ${other}`)),
    ...boxes('.xtitle, .ytitle, .x2title, .y2title').filter(([, box]) => box.left < whole.left - 1
      || box.right > whole.right + 1 || box.top < whole.top - 1 || box.bottom > whole.bottom + 1)
      .map(([name]) => `${name} is cut off`)];
}"""
SAID = """() => [document.querySelector('.pb-present-sentence h1').innerText,
  document.querySelector('.pb-answer, .pb-finding h3').textContent]"""


def legible(letters):
    """Fail unless all of a slide's letters are tall enough: a fiftieth of the screen, and a seventieth in notes."""
    assert letters["ticks"]
    assert letters["axes"]
    for part in ("title", "ticks", "axes", "labels"):
        assert all(share >= 1 / 50 for share in letters[part]), (part, letters[part])
    assert all(share >= 1 / 70 for share in letters["notes"]), letters["notes"]


@pytest.mark.parametrize("view", VIEWS)
def test_every_figure_is_legible_from_the_last_row(page, app, view):
    page.set_default_timeout(90_000)
    page.set_viewport_size({"width": 1920, "height": 1080})
    for number in range(1, VIEWS[view] + 1):
        page.goto(f"{app}/{view}{'&' if '?' in view else '?'}present={number}")
        page.wait_for_function(READY, arg=True)
        legible(page.evaluate(LETTERS))
        assert page.evaluate(OVER) == []
        sliders = page.evaluate(SLIDERS)
        assert 1 <= len(sliders) <= 2, sliders
        if view.startswith("tradeoff"):
            assert "budget" in sliders
        assert page.locator(".pb-present-sentence .pb-curator").filter(visible=True).count() == 0


@pytest.mark.parametrize("view", SIMPLE)
def test_a_simple_page_s_picture_comes_with_the_answer_and_the_strength(page, app, view):
    """The picture has no title of its own there; nothing says that it should not be shown."""
    page.set_default_timeout(90_000)
    page.set_viewport_size({"width": 1920, "height": 1080})
    page.goto(f"{app}/{view}{'&' if '?' in view else '?'}view=simple&present=1")
    page.wait_for_function(READY, arg=view not in WITHOUT_SLIDERS)
    rest(page)
    page.wait_for_function(f"() => {{ const [said, answer] = ({SAID})(); return said.trim() === answer.trim(); }}")
    letters = page.evaluate(LETTERS)
    if view == "reproduce":  # a line for each table and figure of the papers: 27 of such letters fit on no screen
        letters["ticks"] = [size for size in letters["ticks"] if size >= 1 / 50]
    legible(letters)
    assert page.evaluate(OVER) == []
    assert len(page.evaluate(SLIDERS)) == (view not in WITHOUT_SLIDERS)
    sentence = page.locator(".pb-present-sentence")
    assert sentence.locator(".pb-badge:visible", has_text="eyes only").count() == 0
    strength = page.locator(".pb-fact .pb-strength")
    if strength.count():
        assert sentence.locator(".pb-strength").inner_text() == strength.text_content()


WHOLE_SCREEN = """() => { let whole = null; window.asked = 0;
  Object.defineProperty(document, 'fullscreenElement', { get: () => whole });
  const turn = element => { whole = element; document.dispatchEvent(new Event('fullscreenchange')); };
  Element.prototype.requestFullscreen = async function () { window.asked += 1; turn(this); };
  document.exitFullscreen = async () => turn(null); }"""


def test_the_button_takes_the_whole_screen_and_leaving_it_leaves_the_view(page, app):
    """A browser without a window has no whole screen to give, so here it only says so."""
    page.set_default_timeout(90_000)
    page.goto(f"{app}/outsourced?T=12&runs=6")
    page.locator(".st-key-chart-modeler-map .plot[data-drawn]").wait_for()
    page.evaluate(WHOLE_SCREEN)
    page.get_by_role("button", name="Presenter view").click()
    page.locator("[data-pb-slide] .plot").wait_for()
    assert page.evaluate("window.asked") == 1
    page.evaluate("() => void document.exitFullscreen()")
    page.wait_for_function("() => !document.querySelector('[data-pb-slide]')")
    assert "present=" not in page.url
