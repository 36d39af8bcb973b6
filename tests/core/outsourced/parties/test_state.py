"""The file of a search: brought back, all is as it was; what is no whole search is refused and loses nothing."""

import io
import json
import os
import zipfile
from contextlib import suppress

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from privbo_core import files
from privbo_core.data import Frame, FrameColumn
from privbo_core.errors import DataError
from privbo_core.outsourced import Modeler, Outcome, Package, Private
from privbo_core.outsourced.parties.state import Search
from tests.helpers.amounts import few
from tests.helpers.holding import sentence

MADE = "2026-01-02T03:04:05+00:00"
FRAME = Frame((FrameColumn("age", "years", 0.0, 100.0, 4.0, 20.0, "people"),))
OUTCOMES = 5.0 + np.sin(np.arange(1.0, 41.0))


def package(rows=40, private=None, seed=0):
    values = np.random.default_rng(seed).uniform(0.0, 100.0, (rows, 1))
    return Package(FRAME, 3.0, 1e-5, 1.0, 1, MADE, Outcome("glucose", "mg/dL"), private, values)


def begun():
    """Return a search in which every kind of step was made."""
    modeler = Modeler(package())
    for asked in modeler.ask(5):
        modeler.tell(asked.row, OUTCOMES[asked.row - 1])
    first, second, third, *_ = modeler.outcomes
    modeler.correct(first, 7.5)
    modeler.untell(second)
    modeler.untell(third)
    modeler.skip(third)
    modeler.skip(second)
    modeler.unskip(second)
    modeler.ask()
    return modeler


WHOLE = begun().to_bytes()
STEPS = ["asked", "told", "corrected", "taken back", "skipped", "unskipped"]


def parts(data=WHOLE):
    found = files.unzipped(data, "The search", {"search.json": 10**6, "release.zip": 10**6}, "again")
    return json.loads(found["search.json"]), found["release.zip"]


def written(about, release=None):
    text = about if isinstance(about, bytes) else json.dumps(about).encode()
    return files.zipped({"search.json": text, "release.zip": parts()[1] if release is None else release})


def changed(**keys):
    about, _ = parts()
    return written(about | keys)


def either(act, *given):
    """Return what ``act`` returns; None if it refuses, as it must, in a sentence."""
    with suppress(DataError):
        return act(*given)
    return sentence(act, *given) and None


def with_entry(entry):
    about, _ = parts()
    return written(about | {"entries": [*about["entries"], entry]})


@pytest.mark.parametrize("private", [None, Private(0.0, 10.0, 1.0, 2.0, 1e-5, "the device")])
def test_a_search_that_is_brought_back_after_every_step_goes_the_same_way(tmp_path, private):
    stays, travels = Modeler(package(private=private)), Modeler(package(private=private))
    path = tmp_path / "search.zip"
    for step in range(12):
        travels.save(path)
        travels = Modeler.load(path)
        count = 1 + step % 2
        asked = stays.ask(count)
        assert [each.row for each in travels.ask(count)] == [each.row for each in asked]
        for modeler in (stays, travels):
            modeler.tell(asked[-1].row, OUTCOMES[asked[-1].row - 1])
    assert travels.to_bytes() == stays.to_bytes()
    assert len(stays.pending) == 6
    assert [entry.name for entry in tmp_path.iterdir()] == ["search.zip"]


def test_the_release_travels_byte_for_byte(tmp_path):
    """Packed by other hands it is not what this program would write, and its digest is that of the bytes received."""
    path = tmp_path / "release.zip"
    with zipfile.ZipFile(path, "w") as archive, zipfile.ZipFile(io.BytesIO(package().to_bytes())) as packed:
        for name in packed.namelist():
            archive.writestr(name, packed.read(name))
    modeler = Modeler.open(path)
    for _ in range(2):
        modeler.ask()
        modeler = Modeler.load(modeler.to_bytes())
    about, release = parts(modeler.to_bytes())
    assert release == path.read_bytes() != package().to_bytes()
    assert about["release"] == files.digest(release)


REFUSED = {
    "newer": (changed(version=2), "update the program"),
    "of another kind": (changed(format="privbo ledger"), "a search has 'privbo search' there"),
    "a key of its own": (changed(notes="mine"), "has the key 'notes'"),
    "a step's key of its own": (with_entry({"step": "told", "row": 30, "outcome": 1.0, "by": "me"}), "the key 'by'"),
    "an outcome of a row asked for": (
        with_entry({"step": "asked", "row": 30, "outcome": 1.0}),
        "'asked' with an outcome",
    ),
    "no outcome": (with_entry({"step": "told", "row": 30}), "'told' without an outcome"),
    "no step": (with_entry({"row": 3}), "lacks the key 'step'"),
    "a step of later days": (with_entry({"step": "weighed", "row": 3}), "it must be one of 'asked'"),
    "no object as a step": (with_entry(7), "must be an object with the keys step"),
    "a row outside": (with_entry({"step": "asked", "row": 41}), "whole numbers from 1 to 40"),
    "out of all proportion": (with_entry({"step": "told", "row": 30, "outcome": 1e200}), "between ±1e100"),
    "asked for twice": (with_entry({"step": "asked", "row": next(iter(begun().outcomes))}), "was asked for, told or"),
    "corrected too early": (with_entry({"step": "corrected", "row": 30, "outcome": 1.0}), "has not been told"),
    "put back too early": (with_entry({"step": "unskipped", "row": 30}), "was not skipped"),
    "more rows": (changed(rows=41), "is among 41 rows and its release has 40"),
    "no program": (changed(program=None), "program of search.json"),
    "another's release": (written(parts()[0], package(seed=1).to_bytes()), "the digest differs"),
    "its digest changed": (changed(release="sha256:" + 64 * "0"), "the digest differs"),
    "a damaged release": (
        written(parts()[0] | {"release": files.digest(b"PK")}, b"PK"),
        "The release is not a ZIP file",
    ),
    "not JSON": (written(b"{"), "not a JSON file"),
    "no object": (written(b"[]"), "must be an object"),
    "not UTF-8": (written(b'"\xff"'), "not a text in UTF-8"),
    "a release by itself": (package().to_bytes(), "a release by itself is opened, not brought back"),
    "half of it": (files.zipped({"search.json": b"{}"}), "lacks release.zip"),
    "more than it": (files.zipped({"search.json": b"{}", "release.zip": b"", "../x": b""}), "holds '../x' beside"),
    "something else": (b"row,outcome\r\n1,2\r\n", "not a ZIP file"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_what_is_no_whole_search_is_refused_in_a_sentence_and_stays_as_it_is(name, tmp_path):
    data, words = REFUSED[name]
    path = tmp_path / "search.zip"
    path.write_bytes(data)
    assert words in sentence(Modeler.load, path)
    assert words in sentence(Modeler.load, data)
    assert path.read_bytes() == data
    assert len(list(tmp_path.iterdir())) == 1


def test_a_file_that_is_not_there_is_named(tmp_path):
    assert sentence(Modeler.load, tmp_path / "search.zip").startswith("The search cannot be read: No such file")
    assert sentence(Modeler.open, tmp_path / "release.zip").startswith("The release cannot be read: No such file")
    assert "The release holds 'search.json' beside" in sentence(Modeler.open, WHOLE)


@settings(max_examples=150, deadline=None)
@given(place=st.integers(0, len(WHOLE) - 1), bit=st.integers(0, 7))
def test_a_damaged_byte_is_found_or_changes_nothing(place, bit):
    data = bytearray(WHOLE)
    data[place] ^= 1 << bit
    back = either(Modeler.load, bytes(data))
    assert back is None or back.to_bytes() == WHOLE


@settings(max_examples=80, deadline=None)
@given(length=st.integers(0, len(WHOLE) - 1))
def test_a_truncated_file_is_refused(length):
    assert sentence(Modeler.load, WHOLE[:length])


JSON = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False)
    | st.text(max_size=8)
    | st.sampled_from(STEPS),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.sampled_from(["step", "row", "outcome"]), inner),
    max_leaves=12,
)


@settings(max_examples=few(60, 150), deadline=None)
@given(entries=st.lists(JSON, max_size=4), rows=JSON)
def test_whatever_stands_in_it_is_a_search_or_a_sentence(entries, rows):
    about, _ = parts()
    for keys in ({"entries": entries}, {"rows": rows}):
        found = either(Search.from_bytes, written(about | keys))
        assert found is None or set(found[0].pending) <= set(found[0].requests)


def test_a_search_that_cannot_be_written_is_named_and_the_last_one_stays(tmp_path, monkeypatch):
    path = tmp_path / "search.zip"
    path.write_bytes(WHOLE)
    modeler = Modeler.load(path)
    modeler.ask()

    def full(_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    assert "The search cannot be written to 'search.zip': No space left" in sentence(modeler.save, path)
    assert path.read_bytes() == WHOLE
    assert [entry.name for entry in tmp_path.iterdir()] == ["search.zip"]
    monkeypatch.undo()
    assert "cannot be written" in sentence(modeler.save, tmp_path / "nowhere" / "search.zip")
    modeler.save(path)
    assert Modeler.load(path).pending == modeler.pending
