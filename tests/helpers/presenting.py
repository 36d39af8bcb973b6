"""Presenter view as an audience sees it: one figure, its sentence and its sliders on a whole screen."""

import re

from playwright.sync_api import Page, expect

PROJECTOR = {"width": 1920, "height": 1080}
SLIDE = "[data-pb-slide] .plot[data-drawn]"
# Everything that can be seen although it is no part of the view.
REMAINS = """() => [...document.querySelectorAll('.stApp *')].filter(e => e.getClientRects().length
  && getComputedStyle(e).visibility === 'visible' && e.closest('.stMain, .stAppHeader')
  && !e.closest('[data-pb-slide], [data-pb-strip], .st-key-present')
  && [...e.childNodes].some(n => n.nodeType === 3 && n.textContent.trim())).map(e => e.textContent)"""
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
SLIDERS = """() => { const find = root => [...root.querySelectorAll('*')].flatMap(e => [
    ...(e.matches('input[type=range]') && e.getClientRects().length ? [e.dataset.key] : []),
    ...(e.shadowRoot ? find(e.shadowRoot) : [])]);
  return [...document.querySelectorAll('[data-pb-strip]')].flatMap(find); }"""
# The letters’ heights are those of the small ones, as a share of the screen’s: the font’s own times its size.
SEEN = """() => { const plot = document.querySelector('[data-pb-slide] .plot'), box = plot.getBoundingClientRect();
  const below = document.querySelector('[data-pb-strip]')?.getBoundingClientRect().top ?? innerHeight;
  const above = document.querySelector('.pb-present-head').getBoundingClientRect().bottom;
  const pen = document.createElement('canvas').getContext('2d');
  const ratio = family => { pen.font = `100px ${family}`; return pen.measureText('x').actualBoundingBoxAscent / 100; };
  const height = e => { const s = getComputedStyle(e);
    return parseFloat(s.fontSize) * ratio(s.fontFamily) / innerHeight; };
  const all = selector => [...plot.querySelectorAll(selector)].filter(e => e.textContent.trim());
  const title = document.querySelector('.pb-present-sentence h1');
  return { share: box.width * box.height / (innerWidth * innerHeight),
    covered: above > box.top + 1 || below < box.bottom - 1,
    inside: box.left >= 0 && box.right <= innerWidth && box.bottom <= innerHeight,
    drawn: [plot._fullLayout.width, plot._fullLayout.height].map(Math.round).join()
      === [box.width, box.height].map(Math.round).join(),
    ticks: all('.xtick text, .ytick text').map(e => parseFloat(getComputedStyle(e).fontSize)),
    title: title.textContent, size: parseFloat(getComputedStyle(title).fontSize),
    over: (OVER)(), left: (REMAINS)(), slide: plot.closest('[data-pb-slide]').className,
    number: parseInt(document.querySelector('.pb-present-nav [role=status]').textContent),
    asked: Number(new URLSearchParams(location.search).get('present')),
    badge: document.querySelector('.pb-present-sentence .pb-badge')?.textContent,
    letters: { title: [height(title)], ticks: all('.xtick text, .ytick text').map(height),
      axes: all('.xtitle, .ytitle, .x2title, .y2title').map(height), labels: all('.annotation-text').map(height),
      notes: [...document.querySelectorAll('.pb-present-sentence :is(.pb-note, .pb-badge)')]
        .filter(e => e.getClientRects().length).map(height) } }; }""".replace("OVER", OVER).replace("REMAINS", REMAINS)


def look(page: Page, number: int | None = None) -> dict:
    """Wait until a figure, this one if it is said, fills its place and nothing covers it; return what is seen then.

    Letters are measured in the fonts that the app brings along, once they are there.
    """
    return page.wait_for_function(
        f"""number => {{ try {{ const now = document.querySelector('{SLIDE}') && ({SEEN})();
            const whole = document.fonts.status === 'loaded' && now.drawn && !now.covered;
            return whole && now.title && (!number || now.number === number) && now;
            }} catch {{ return false; }} }}""",
        arg=number,
        polling=100,  # it looks at every element of the page
    ).json_value()


def count(page: Page) -> int:
    """Return how many figures there are to be shown, the first of which is shown now."""
    status = page.locator(".pb-present-nav [role=status]")
    expect(status).to_have_text(re.compile(r"^1 / \d+$"))
    return int(status.inner_text().split(" / ")[1])


def assert_legible(page: Page, ticks: bool = True) -> None:
    """Fail unless letters are tall enough for the last row, a fiftieth of the screen, a seventieth in notes."""
    seen = look(page)
    letters = seen["letters"]
    assert letters["ticks"]
    assert letters["axes"]
    for part in ("title", "axes", "labels", *(["ticks"] if ticks else [])):
        assert all(share >= 1 / 50 for share in letters[part]), (part, letters[part])
    assert all(share >= 1 / 70 for share in letters["notes"]), letters["notes"]
    assert seen["over"] == []
