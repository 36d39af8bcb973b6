"""Page tests are about the whole page, unless they say otherwise, and about what it shows in the end."""

from functools import cache

import pytest
import streamlit as st
from streamlit.components.v2 import manifest_scanner
from streamlit.testing.v1 import AppTest, local_script_runner

from tests.helpers.opening import PATIENCE

INSTALLED = cache(manifest_scanner.scan_component_manifests)
"""What is installed beside Streamlit, which looks through all packages for it whenever a test opens a page."""

LOOKS = local_script_runner.require_widgets_deltas


def wait(runner, timeout=PATIENCE):
    """Wait for the page's thread, where Streamlit looks a thousand times a second whether it has ended."""
    runner._script_thread.join(timeout)
    LOOKS(runner, 1)


@pytest.fixture(autouse=True)
def whole(monkeypatch):
    """Wait for the whole page, and look through the installed packages once."""
    monkeypatch.setattr(manifest_scanner, "scan_component_manifests", INSTALLED)
    monkeypatch.setattr(local_script_runner, "require_widgets_deltas", wait)
    monkeypatch.setattr(AppTest, "default_timeout", property(lambda _: PATIENCE, lambda *_: None), raising=False)


@pytest.fixture
def scripts(monkeypatch):
    """Return the scripts that the buttons of a page hand out, as they would be at a press."""
    given = []

    def offer(label, data, name="", *_, **__):
        if str(name).endswith(".py"):
            given.append(data())

    monkeypatch.setattr(st, "download_button", offer)
    return given
