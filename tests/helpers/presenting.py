"""Presenter view as an audience sees it: one figure, the page's sentence and its sliders on a whole screen."""

from playwright.sync_api import Page

PROJECTOR = {"width": 1920, "height": 1080}
PRESENTED = "[data-pb-presented] .plot[data-drawn]"
# Ticks that cover each other, and what of the axes and labels is cut off.
OVER = """() => {
  const plot = document.querySelector('[data-pb-presented] .plot'), whole = plot.getBoundingClientRect();
  const boxes = selector => [...plot.querySelectorAll(selector)].filter(e => e.textContent.trim())
    .map(e => [e.textContent, e.getBoundingClientRect()]).filter(([, box]) => box.width);
  const crossed = (a, b) => Math.min(a.right, b.right) - Math.max(a.left, b.left) > 2
    && Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > 0.3 * Math.min(a.height, b.height);
  const ticks = boxes('.xtick text, .ytick text');
  return [
    ...ticks.flatMap(([name, box], k) =>
      ticks.slice(k + 1).filter(([, other]) => crossed(box, other)).map(([other]) => `${name} and ${other}`)),
    ...boxes('.annotation text, .xtitle, .ytitle, .x2title, .y2title').filter(([, box]) => box.left < whole.left - 1
      || box.right > whole.right + 1 || box.top < whole.top - 1 || box.bottom > whole.bottom + 1)
      .map(([name]) => `${name} is cut off`)];
}"""
# What else of the page can be seen or clicked, found by a grid of points all over the screen.
REMAINS = """() => {
  const parts = '[data-pb-presented], .st-key-headline, .st-key-sliders, .st-key-moves, .st-key-bar, .stTooltipIcon';
  const points = [...Array(48 * 27).keys()].map(k => [(k % 48 + 0.5) / 48, (Math.floor(k / 48) + 0.5) / 27]);
  const found = points.map(([x, y]) => document.elementFromPoint(x * innerWidth, y * innerHeight))
    .filter(e => e && !e.closest(parts) && !e.querySelector('[data-pb-presented]'));
  return [...new Set(found)].map(e => e.outerHTML.slice(0, 120)); }"""
SEEN = """() => {
  const place = name => document.querySelector(name)?.getBoundingClientRect();
  const plot = document.querySelector('[data-pb-presented] .plot'), box = plot.getBoundingClientRect();
  const sliders = place('.st-key-sliders'), title = place('.st-key-headline'), leave = place('.pb-present-nav');
  const sizes = (selector, within = plot) => [...within.querySelectorAll(selector)]
    .filter(e => e.textContent.trim() && e.getClientRects().length).map(e => parseFloat(getComputedStyle(e).fontSize));
  const card = plot.closest('[data-pb-presented]');
  return {
    card: card.className.match(/st-key-card-([\\w-]+)/)[1],
    asked: new URLSearchParams(location.search).get('present'),
    share: box.width * box.height / (innerWidth * innerHeight),
    inside: box.left >= 0 && box.right <= innerWidth && box.bottom <= (sliders?.top ?? innerHeight) + 1
      && box.top >= title.bottom - 1,
    apart: title.right <= leave.left || title.top >= leave.bottom,
    drawn: [plot._fullLayout.width, plot._fullLayout.height].map(Math.round).join()
      === [box.width, box.height].map(Math.round).join(),
    notes: [...card.querySelectorAll('.pb-foot')].filter(e => e.getClientRects().length).length,
    letters: sizes('.xtick text, .ytick text, .xtitle, .ytitle, .x2title, .y2title, .annotation-text'),
    heading: sizes('.pb-title', card), title: sizes('h1', document.querySelector('.st-key-headline')),
    over: (OVER)(), left: (REMAINS)() }; }""".replace("OVER", OVER).replace("REMAINS", REMAINS)


def look(page: Page, card: str = "") -> dict:
    """Wait until a figure, this card's if it is said, has its size on the screen; return what is seen then."""
    return page.wait_for_function(
        f"""card => {{ try {{ const now = document.querySelector('{PRESENTED}') && ({SEEN})();
            return document.fonts.status === 'loaded' && now && now.drawn && (!card || now.card === card) && now;
            }} catch {{ return false; }} }}""",
        arg=card,
        polling=100,  # it looks at every element of the figure
    ).json_value()


def assert_seen_from_the_last_row(seen: dict) -> None:
    """Fail unless a figure fills the screen, is whole and alone there, and its letters are tall enough."""
    assert seen["inside"], seen
    assert seen["apart"], seen
    assert seen["share"] >= 0.45
    assert seen["letters"]
    assert min(seen["letters"]) >= PROJECTOR["height"] / 50
    assert min(seen["title"]) >= PROJECTOR["height"] / 30
    assert min(seen["heading"]) >= PROJECTOR["height"] / 40
    assert seen["over"] == []
    assert seen["left"] == []
    assert seen["notes"] == 0
