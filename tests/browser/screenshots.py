"""Make the README's pictures from the running app: `make screenshots`."""

import subprocess
import sys
import time
import urllib.request
from pathlib import Path

from ensure_browser import find
from playwright.sync_api import sync_playwright

ROOT = Path(__file__).parents[2]
PORT = 8599
VIEWS = {
    "outsourced": ".st-key-chart-modeler-map .plot[data-drawn]",
    "data?data=homes": ".st-key-chart-histogram-0 .plot[data-drawn]",
    "release?epsilon=40": ".st-key-chart-terms .plot[data-drawn]",
    "federated": ".st-key-chart-federated-regret .plot[data-drawn]",
    "audit": "text=Told apart every time",
}


def main() -> None:
    """Start the app, take a picture of each view, stop the app."""
    path = find()
    server = subprocess.Popen(
        [sys.executable, "-m", "streamlit", "run", "app.py", "--server.port", str(PORT)], cwd=ROOT
    )
    try:
        for _ in range(300):
            try:
                urllib.request.urlopen(f"http://127.0.0.1:{PORT}/_stcore/health", timeout=1).close()
                break
            except OSError:
                time.sleep(0.1)
        with sync_playwright() as playwright:
            browser = playwright.chromium.launch(executable_path=path, args=["--no-sandbox", "--disable-gpu"])
            for view, ready in VIEWS.items():
                page = browser.new_page(viewport={"width": 1440, "height": 900})
                page.goto(f"http://127.0.0.1:{PORT}/{view}")
                page.wait_for_selector(ready, timeout=60_000)
                page.wait_for_timeout(2000)
                page.screenshot(path=ROOT / "docs" / f"{view.split('?')[0]}.png")
                page.close()
            browser.close()
    finally:
        server.terminate()
        server.wait(20)


if __name__ == "__main__":
    main()
