"""What somebody's hands do on any page in a browser."""

import re
from pathlib import Path

from playwright.sync_api import Locator, Page
from playwright.sync_api import TimeoutError as PlaywrightTimeout

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


def box_of(page: Page, key: str) -> Locator:
    """Return the box for a slider's exact value, whatever the slider is called."""
    return row_of(page, key).locator("input.number")


def row_of(page: Page, key: str) -> Locator:
    """Return a slider with its name, its box and what is said of a wrong value."""
    return page.locator(".row", has=page.locator(f"input[type=range][data-key={key}]"))


def exact(page: Page, name: str) -> Locator:
    """Return the box for a slider's exact value."""
    return page.get_by_label(f"{name}: exact value", exact=True)


def within(page: Page, key: str, part: str = "button") -> Locator:
    """Return the parts of a widget that Streamlit knows by this key: its buttons, its box."""
    return page.locator(f".st-key-{re.sub('[^a-zA-Z0-9_-]', '-', key)} {part}")


def present(page: Page) -> None:
    page.get_by_role("button", name="Present", exact=True).click()


def pick(page: Page, key: str, name: str) -> None:
    """Pick an option of a select box. A list that a run of the page shuts in between is opened once more."""
    option = page.get_by_role("option", name=name, exact=True)
    within(page, key, "[role=combobox]").click()
    for _ in range(4):
        try:
            return option.click(timeout=5_000)
        except PlaywrightTimeout:
            if not option.is_visible():
                within(page, key, "[role=combobox]").click()
    option.click()


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


def turn_to(page: Page, path: str) -> None:
    """Open another page by its name in the bar. ``path`` is how its address ends."""
    page.locator(f"[data-testid=stTopNavLink][href$='/{path}']").click()
