"""The two seats."""

import pytest

from tests.helpers.seats import TABLE, Seat, begin


@pytest.fixture
def holder(tmp_path, capsys):
    seat = Seat(tmp_path / "holder", capsys)
    (seat.folder / "people.csv").write_text(TABLE)
    return seat


@pytest.fixture
def modeler(tmp_path, capsys):
    return Seat(tmp_path / "modeler", capsys)


@pytest.fixture
def begun(holder, modeler):
    """Two seats with a release in both, and a search begun."""
    begin(holder, modeler)
    return holder, modeler
