"""Lessons whose searches have few runs."""

import pytest

from pages.parts.system import system


@pytest.fixture(autouse=True)
def few_runs(monkeypatch):
    monkeypatch.setattr(system, "RUNS", 10)
