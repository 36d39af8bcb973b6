"""Files that are exchanged: read strictly, written whole or not at all, by one at a time."""

import io
import os
import subprocess
import sys

import numpy as np
import pytest

from privbo_core import files
from privbo_core.errors import DataError
from tests.helpers.paths import ROOT
from tests.helpers.refusing import refusals

test_what_is_no_strict_json_is_one_sentence = refusals(
    ('{"a": 1, "a": 2}', "^The note .*key 'a' twice"),
    ('{"a": {"b": 1, "b": 2}}', "key 'b' twice"),
    ('{"a": NaN}', "holds NaN"),
    ('{"a": -Infinity}', "holds -Infinity"),
    ('{"a": 1e999}', "holds '1e999'; every number must be finite"),
    ('{"a": ' + "9" * 9999 + "}", "larger than 9 kB"),
    ("[" * 999, "^The note is not a JSON file"),
    ("9" * 6000, "not a JSON file"),
    ("", r"not a JSON file that can be read \(line 1\); write one anew"),
    ('{"a":\n 1', r"\(line 2\)"),
    act=lambda text: files.read_json(io.StringIO(text), "The note", 9000, "write one anew"),
    error=DataError,
)


def test_a_format_or_a_version_that_is_not_known_says_what_to_do():
    for version, words in ((3, "version is 3; this program reads version 2: update"), (True, "version is True")):
        with pytest.raises(DataError, match=words):
            files.format_and_version("The note", {"format": "privbo note", "version": version}, "privbo note", 2)
    files.format_and_version("The note", {"format": "privbo note", "version": 2}, "privbo note", 2)
    with pytest.raises(DataError, match="format is 'privbo frame'; a note has 'privbo note' there"):
        files.format_and_version("The note", {"format": "privbo frame", "version": 1}, "privbo note", 1)


@pytest.mark.parametrize("value", [True, np.True_, "3", None, [3], 1 + 2j, 10**400, float("nan"), 1e101])
def test_what_is_no_number_is_refused(value):
    with pytest.raises(DataError, match=r"^x is .*; it must be a number"):
        files.number("x", value)


def test_a_private_file_is_its_owner_s_alone(tmp_path):
    files.write_whole(tmp_path / "open", b"")
    files.write_whole(tmp_path / "shut", b"", private=True)
    assert (tmp_path / "shut").stat().st_mode & 0o077 == 0
    (tmp_path / "usual").write_bytes(b"")
    assert (tmp_path / "open").stat().st_mode == (tmp_path / "usual").stat().st_mode


def test_a_folder_that_is_not_there_is_a_sentence(tmp_path):
    with pytest.raises(DataError, match=r"The file cannot be written to 'a.json': No such file"):
        files.write_whole(tmp_path / "none" / "a.json", b"")
    with pytest.raises(DataError, match="The file cannot be held: No such file"), files.alone(tmp_path / "none" / "a"):
        pass


def test_a_file_is_replaced_whole_or_the_old_one_stays_and_nothing_is_left_beside_it(tmp_path, monkeypatch):
    path = tmp_path / "a.json"
    files.write_whole(path, b"one")

    def full(*_):
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr(files.os, "replace", full)
        with pytest.raises(DataError, match="No space left"):
            files.write_whole(path, b"two")
    assert (path.read_bytes(), os.listdir(tmp_path)) == (b"one", ["a.json"])
    files.write_whole(path, b"two")
    assert (path.read_bytes(), os.listdir(tmp_path)) == (b"two", ["a.json"])


HOLD = """
import sys
if sys.argv[2] == "no locks":
    sys.modules["fcntl"] = None
from privbo_core import files
with files.alone(sys.argv[1]):
    print("held", flush=True)
    sys.stdin.read()
"""


@pytest.mark.parametrize("system", ["locks", "no locks"])
def test_two_programs_do_not_hold_one_file_and_a_killed_one_lets_go(tmp_path, system):
    def hold(system=system):
        words = [sys.executable, "-c", HOLD, str(tmp_path / "kept.json"), system]
        return subprocess.Popen(words, stdin=-1, stdout=-1, stderr=-1, text=True, cwd=ROOT)

    with hold("locks") as before:  # what it leaves beside the file holds nobody off
        assert before.communicate()[0] == "held\n"
    with hold() as one:
        assert one.stdout.readline() == "held\n"
        with hold() as other:
            assert "in use by another program" in other.communicate()[1]
        one.kill()
    with hold() as third:
        assert third.communicate()[0] == "held\n"
