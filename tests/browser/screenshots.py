"""Make the README's pictures from the running app: `make screenshots`."""

import tempfile
from io import BytesIO
from pathlib import Path

from PIL import Image
from playwright.sync_api import Page, sync_playwright

from tests.helpers.ensure_browser import find
from tests.helpers.hands import hold_thumb
from tests.helpers.serving import ROOT, serving
from tests.helpers.waiting import rest

FARTHEST, SIZE, COLOURS = 240, (880, 550), 48  # How far the thumb is dragged, in pixels, and the film's size.

VIEWS = {
    "": ".st-key-chart-patients .plot[data-drawn]",
    "outsourced": ".st-key-chart-regret .plot[data-drawn]",
    "data?data=homes": ".st-key-chart-column .plot[data-drawn]",
    "release?epsilon=2": ".st-key-chart-score .plot[data-drawn]",
    "federated": ".st-key-chart-regret .plot[data-drawn]",
    "audit": ".st-key-chart-attack .plot[data-drawn]",
    "tradeoff": ".st-key-chart-tradeoff .plot[data-drawn]",
    "papers": ".st-key-chart-papers .plot[data-drawn]",
    "tour?lesson=outsourced&step=5&seen=1": ".st-key-chart-tour .plot[data-drawn]",
}


def drag(page: Page, address: str) -> None:
    page.goto(f"{address}/outsourced?epsilon=0.5")
    rest(page)
    x, y = hold_thumb(page, "epsilon")
    frames = []
    for step in range(0, FARTHEST, 16):
        page.mouse.move(x + step, y)
        page.wait_for_timeout(1200)
        frames.append(Image.open(BytesIO(page.screenshot())).resize(SIZE).quantize(COLOURS, dither=Image.Dither.NONE))
    page.mouse.up()
    film = [*frames, *frames[::-1]]
    film[0].save(ROOT / "docs" / "drag.gif", save_all=True, append_images=film[1:], duration=260, loop=0, optimize=True)


def main() -> None:
    path = find()
    with tempfile.TemporaryDirectory() as folder, serving(Path(folder)) as server, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=["--no-sandbox", "--disable-gpu"])
        for view, ready in VIEWS.items():
            page = browser.new_page(viewport={"width": 1440, "height": 900})
            page.goto(f"{server.address}/{view}")
            page.wait_for_selector(ready, timeout=60_000)
            rest(page)
            page.screenshot(path=ROOT / "docs" / f"{view.split('?')[0] or 'start'}.png")
            page.close()
        drag(browser.new_page(viewport={"width": 1280, "height": 800}, reduced_motion="reduce"), server.address)
        browser.close()


if __name__ == "__main__":
    main()
