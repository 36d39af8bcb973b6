"""A slider's thumb, held with the mouse."""

from playwright.sync_api import Page

SHARE = """slider => (slider.value - slider.min) / (slider.max - slider.min)"""


def hold_thumb(page: Page, key: str) -> tuple[float, float]:
    """Press the mouse on a slider's thumb; return its place."""
    slider = page.locator(f"input[type=range][data-key={key}]")
    slider.scroll_into_view_if_needed()
    box, share = slider.bounding_box(), slider.evaluate(SHARE)
    assert box is not None
    x, y = box["x"] + 8 + share * (box["width"] - 16), box["y"] + box["height"] / 2
    page.mouse.move(x, y)
    page.mouse.down()
    return x, y
