"""Page tests are about the whole page, unless they say otherwise."""

import pytest
from streamlit.testing.v1 import AppTest

from pages.parts.shell import depth
from tests.helpers.opening import PATIENCE


@pytest.fixture(autouse=True)
def expert(monkeypatch):
    """Let a visitor who comes without a link see the Expert page, however long a busy machine takes for it."""
    monkeypatch.setattr(depth, "FIRST", "expert")
    monkeypatch.setattr(AppTest, "default_timeout", property(lambda _: PATIENCE, lambda *_: None), raising=False)
