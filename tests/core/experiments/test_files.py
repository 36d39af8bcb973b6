"""Files are replaced in one step and locked against other programs."""

import os
import subprocess
import sys

import pytest

from privbo_core.errors import DataError
from privbo_core.experiments import files
from tests.helpers.paths import ROOT


def test_a_folder_that_is_not_there_is_a_sentence(tmp_path):
    with pytest.raises(DataError, match=r"The file cannot be written to 'a.json': No such file"):
        files.write_whole(tmp_path / "none" / "a.json", b"")
    with pytest.raises(DataError, match="The file cannot be held: No such file"), files.locked(tmp_path / "none" / "a"):
        pass


def test_a_file_is_replaced_whole_or_not_at_all(tmp_path, monkeypatch):
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
import runpy, sys
if sys.argv[2] == "no locks":
    sys.modules["fcntl"] = None
locked = runpy.run_path(sys.argv[3])["locked"]  # without all of the experiments, which take a second to load
with locked(sys.argv[1]):
    print("held", flush=True)
    sys.stdin.read()
"""


@pytest.mark.parametrize("system", ["locks", "no locks"])
def test_a_locked_file_is_free_again_after_a_kill(tmp_path, system):
    def hold(system=system):
        words = [sys.executable, "-c", HOLD, str(tmp_path / "kept.json"), system, files.__file__]
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
