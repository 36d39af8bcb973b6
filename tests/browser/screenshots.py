"""Make the README's pictures from the running app: `make screenshots`."""

import tempfile
from pathlib import Path

from playwright.sync_api import sync_playwright

from tests.helpers.ensure_browser import find
from tests.helpers.serving import ROOT, serving

VIEWS = {
    "outsourced": ".st-key-chart-modeler-map .plot[data-drawn]",
    "data?data=homes": ".st-key-chart-histogram-0 .plot[data-drawn]",
    "release?epsilon=40": ".st-key-chart-terms .plot[data-drawn]",
    "federated": ".st-key-chart-federated-regret .plot[data-drawn]",
    "audit": "text=Told apart every time",
    "tradeoff": "text=runs at each of",
    "reproduce": ".st-key-chart-reproduce-table .plot[data-drawn]",
    "tour?step=4&present=1": "[data-pb-slide] .plot[data-drawn]",
}


def main() -> None:
    """Start the app, take a picture of each view, stop the app."""
    path = find()
    with tempfile.TemporaryDirectory() as folder, serving(Path(folder)) as server, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=["--no-sandbox", "--disable-gpu"])
        for view, ready in VIEWS.items():
            page = browser.new_page(viewport={"width": 1440, "height": 900})
            page.goto(f"{server.address}/{view}")
            page.wait_for_selector(ready, timeout=60_000)
            page.wait_for_timeout(5000)
            page.screenshot(path=ROOT / "docs" / f"{view.split('?')[0]}.png")
            page.close()
        browser.close()


if __name__ == "__main__":
    main()
