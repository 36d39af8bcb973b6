"""Dots on a figure that are dragged in a real browser, and what is seen of a figure meanwhile."""

from playwright.sync_api import Page

SEEN = """() => {
  const plot = name => document.querySelector(`.st-key-chart-${name} .plot`);
  const curve = (name, trace) => plot(name).data.find(t => t.name === trace)?.y.join();
  return { omega: document.querySelectorAll('.pb-tile .pb-value')[2]?.textContent,
    headline: document.querySelector('.pb-headline').textContent,
    condition: curve('condition', 'ω(r)'), private: curve('regret', 'projection'),
    random: curve('regret', 'random search'), plain: curve('regret', 'non-private'),
    axes: JSON.stringify([plot('condition').layout.yaxis.range, plot('condition').layout.xaxis.range,
      plot('regret').layout.yaxis.range, plot('regret').layout.xaxis.range]) }; }"""
"""What the page shows now: numbers, curves and axes."""
PLACES = """keys => keys.map(key => {
  const box = document.querySelector(`.st-key-${key}`).getBoundingClientRect();
  return [key, ...[box.left, box.top + document.querySelector('[data-testid=stMain]').scrollTop, box.width, box.height]
    .map(Math.round)].join(); })"""
PARTS = ("panel", "headline", "tiles", "card-condition", "card-regret", "chart-condition", "chart-regret")
"""What must keep its place and its size while a thumb or a dot is held."""
WATCH = """keys => { window.looks = new Set();
  const look = () => { window.looks.add(JSON.stringify((PLACES)(keys))); requestAnimationFrame(look); };
  look(); }""".replace("PLACES", PLACES)
# After each move of the pointer, in the same frame: how far the dot is from it, and from its curve, in pixels.
FOLLOW = """dot => { window.misses = [];
  const chart = dot.parentElement, plot = chart.querySelector('.plot');
  window.addEventListener('pointermove', event => {
    if (!event.buttons) return;
    requestAnimationFrame(() => {
      const box = dot.getBoundingClientRect(), x = box.left + box.width / 2, y = box.top + box.height / 2;
      const paths = [...plot.querySelectorAll('.scatterlayer .js-line')];
      const from = path => { let least = Infinity; const screen = path.getScreenCTM();
        for (let at = 0; at <= path.getTotalLength(); at += 1) {
          const p = path.getPointAtLength(at).matrixTransform(screen);
          least = Math.min(least, Math.hypot(p.x - x, p.y - y)); }
        return least; };
      window.misses.push([Math.abs(x - event.clientX), Math.min(...paths.map(from))]); });
  }, { capture: true }); }"""


def dot(page: Page, number: int = 0):
    """Return a dot on the condition: 0, the one on ω(ε), or 1, the one on ω(r)."""
    return page.locator(".st-key-chart-condition .pb-handle").nth(number)


def middle(locator) -> tuple[float, float]:
    box = locator.bounding_box()
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def hold_dot(page: Page, number: int = 0) -> tuple[float, float]:
    """Press the mouse on a dot, and return where."""
    dot(page, number).scroll_into_view_if_needed()
    x, y = middle(dot(page, number))
    page.mouse.move(x, y)
    page.mouse.down()
    return x, y


def value_of(page: Page, number: int = 0) -> float:
    return float(dot(page, number).get_attribute("aria-valuenow"))


def in_address(page: Page, key: str) -> float | None:
    text = page.evaluate("key => new URLSearchParams(location.search).get(key)", key)
    return None if text is None else float(text)


def touch(page: Page, x: float, y: float, across: float, down: float = 0.0, steps: int = 12) -> None:
    """Move a finger from a place."""
    finger = page.context.new_cdp_session(page)
    finger.send("Input.dispatchTouchEvent", {"type": "touchStart", "touchPoints": [{"x": x, "y": y}]})
    for step in range(1, steps + 1):
        place = {"x": x + across * step / steps, "y": y + down * step / steps}
        finger.send("Input.dispatchTouchEvent", {"type": "touchMove", "touchPoints": [place]})
        page.evaluate("() => new Promise(requestAnimationFrame)")
    finger.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
