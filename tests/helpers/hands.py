"""What somebody's hands do on any page in a browser."""

import re
from pathlib import Path

from playwright.sync_api import Locator, Page

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


def exact(page: Page, name: str) -> Locator:
    """Return the box for a slider's exact value."""
    return page.get_by_label(f"{name}: exact value", exact=True)


def enter(box: Locator, text: str) -> None:
    box.fill(text)
    box.press("Enter")


def bring(place: Locator, name: str, content: bytes) -> None:
    place.set_input_files({"name": name, "mimeType": "text/csv", "buffer": content})


def handed_out(button: Locator, folder: Path) -> Path:
    """Press a button, and return the file that is downloaded, in this folder and under its own name."""
    with button.page.expect_download() as started:
        button.click()
    path = folder / started.value.suggested_filename
    started.value.save_as(path)
    return path


def pages_in(pdf: bytes) -> int:
    """Return on how many sheets of paper something was printed."""
    return len(re.findall(rb"/Type\s*/Page\b", pdf))


def go_to(page: Page, group: str, name: str) -> None:
    page.locator("[data-testid=stTopNavSection]", has_text=re.compile(f"^{group}")).click()
    page.get_by_role("menuitem", name=name, exact=True).click()


def open_scenes(page: Page) -> None:
    if not page.locator(".st-key-scenes-keep").count():
        page.locator(".st-key-scenes-bar button").click()
    page.locator(".st-key-scenes-keep").wait_for()
