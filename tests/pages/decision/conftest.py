"""Tables made up in a frame are the same for every test, so they are searched once."""

from functools import cache

import pytest

from pages.parts.decision import table
from privbo_core.decision import stand_in

MADE = cache(stand_in)


@pytest.fixture(autouse=True)
def made_once(monkeypatch):
    monkeypatch.setattr(table, "stand_in", MADE)
