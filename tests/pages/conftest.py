"""Page tests are about the whole page, unless they say otherwise."""

import pytest

from pages.parts.frame import depth


@pytest.fixture(autouse=True)
def expert(monkeypatch):
    """Let a visitor who comes without a link see the Expert page."""
    monkeypatch.setattr(depth, "FIRST", "expert")
