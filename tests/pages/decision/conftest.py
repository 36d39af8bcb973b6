"""Tables made up in a frame are the same for every test, so they are searched once, and each as often as elsewhere."""

from functools import cache

import pytest

from pages.parts.decision import table
from pages.parts.system import system
from privbo_core.decision import stand_in

MADE = cache(stand_in)
RUNS = table.RUNS


@pytest.fixture(autouse=True)
def made_once(monkeypatch):
    monkeypatch.setattr(table, "stand_in", MADE)
    monkeypatch.setattr(table, "RUNS", system.RUNS)


@pytest.fixture
def as_often(made_once, monkeypatch):
    """Simulate as many searches as the page does, where what is asked hangs on their number."""
    monkeypatch.setattr(table, "RUNS", RUNS)
