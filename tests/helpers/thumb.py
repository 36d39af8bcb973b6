"""A slider's thumb, held with the mouse."""

from playwright.sync_api import Page

PLACE = """slider => { const { left, top, width, height } = slider.getBoundingClientRect();
  const x = 8 + (slider.value - slider.min) / (slider.max - slider.min) * (width - 16);
  return [x, height / 2, left + x, top + height / 2]; }"""


def hold_thumb(page: Page, key: str) -> tuple[float, float]:
    """Press the mouse on a slider's thumb, once it stands still; return its place."""
    slider = page.locator(f"input[type=range][data-key={key}]")
    across, down, *_ = slider.evaluate(PLACE)
    slider.hover(position={"x": across, "y": down})
    page.mouse.down()
    *_, x, y = slider.evaluate(PLACE)
    return x, y
