"""Searches of few runs on the holder's table, but where what is said of them hangs on their number."""

import pytest

from pages.parts.system import system

RUNS = system.RUNS


@pytest.fixture(autouse=True)
def few_runs(monkeypatch):
    monkeypatch.setattr(system, "RUNS", 5)


@pytest.fixture
def as_often(few_runs, monkeypatch):
    """Simulate as many searches as the page does."""
    monkeypatch.setattr(system, "RUNS", RUNS)
