"""Find a Chromium for the browser tests, or install one. `make test` runs this; it fails if there is none."""

import os
import shutil
import subprocess
import sys

from playwright.sync_api import sync_playwright

NAMES = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
"""The first has no windows at all, and needs less of a processor for the same pages."""


def works(path: str) -> bool:
    """Tell whether the program at ``path`` starts (Ubuntu has a chromium-browser that only asks for a snap)."""
    try:
        return subprocess.run([path, "--version"], capture_output=True, timeout=60).returncode == 0
    except (OSError, subprocess.TimeoutExpired):
        return False


def find() -> str | None:
    """Return the path of a Chromium, or None: $PRIVBO_BROWSER alone if set, else the usual names, then Playwright's."""
    asked = os.environ.get("PRIVBO_BROWSER")
    candidates = [asked] if asked else [path for name in NAMES if (path := shutil.which(name))]
    with sync_playwright() as playwright:
        candidates.append(playwright.chromium.executable_path)
    return next((path for path in candidates if os.path.exists(path) and works(path)), None)


def by_apt(packages: str) -> None:
    """Install packages where that is allowed."""
    if hasattr(os, "geteuid") and os.geteuid() == 0 and shutil.which("apt-get"):
        for words in ("update -qq", f"install -y -qq {packages}"):
            quietly = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
            subprocess.run(["apt-get", *words.split()], check=False, env=quietly)


if __name__ == "__main__":
    if find() is None:
        by_apt(f"{NAMES[0]} fonts-noto-core")
    if find() is None:
        subprocess.run([sys.executable, "-m", "playwright", "install", "chromium"], check=False)
    browser = find()
    if browser is None:
        sys.exit(
            "The browser tests need Chromium and none could be found or installed. Install it (on Debian: "
            "apt-get install chromium-headless-shell) or name one in the environment variable PRIVBO_BROWSER."
        )
    print(f"browser: {browser}")
