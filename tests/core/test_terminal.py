"""Commands on terminals, pipes and full disks: nothing that others wrote is obeyed, and each ends with a sentence."""

import os
import signal
import subprocess
import sys
from functools import partial

import pytest

from privbo_core.data import FrameColumn, load_table
from privbo_core.errors import DataError
from privbo_core.terminal import visible
from tests.helpers.paths import ROOT

RED, BACK = "\x1b[31m", "\u202e"
LISTING, VERSION = ("privbo_core.experiments",), ("privbo_app", "--version")
PLACES = {"full": (">/dev/full", 1, "No space left on device"), "closed": (">&-", 1, "Bad file descriptor"),
          "a pipe that nobody reads": ("| true", 141, "Broken pipe"), "both closed": (">&- 2>&-", 1, "")}  # fmt: skip


def start(*words, folder=None, **how):
    """Start a command as a shell in the foreground does, whatever tests run in."""
    environ = {**os.environ, "PYTHONPATH": str(ROOT), "PYTHONUNBUFFERED": ""}
    heard = partial(signal.signal, signal.SIGINT, signal.SIG_DFL)  # what runs in the background ignores Ctrl+C
    return subprocess.Popen(words, cwd=folder, env=environ, stdout=-1, stderr=-1, text=True, preexec_fn=heard, **how)


@pytest.mark.parametrize(("command", "where"), [*((VERSION, where) for where in PLACES), (LISTING, "full")])
def test_lost_output_does_not_stop_a_command(tmp_path, command, where):
    redirected, status, why = PLACES[where]
    script = f'set -o pipefail; "$@" {redirected}'
    shell = start("bash", "-c", script, "sh", sys.executable, "-m", *command, folder=tmp_path)
    out, err = shell.communicate(timeout=60)
    assert (shell.returncode, out) == (status, "")
    assert err == (f"It is done, but what it says could not be printed: {why}.\n" if why else "")


@pytest.mark.parametrize("command", [LISTING, VERSION])
def test_an_interrupted_command_ends_with_a_sentence(tmp_path, command):
    interrupted = start(sys.executable, "-X", "importtime", "-m", *command, folder=tmp_path)
    said = iter(interrupted.stderr.readline, "")
    assert any("numpy" in line for line in said)
    interrupted.send_signal(signal.SIGINT)
    rest = list(said)
    assert (interrupted.wait(), rest[-1]) == (130, "Stopped before anything was begun.\n")
    assert not any("Traceback" in line for line in rest)
    interrupted.stdout.close()
    interrupted.stderr.close()


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("a\x1b[2J\x07b", r"a\x1b[2J\x07b"), ("one\r\ntwo", r"one\r\ntwo"), ("\x9b31m", r"\x9b31m"),
        (f"{BACK}abc\u2066", r"\u202eabc\u2066"), ("Ωé 漢 👩‍🔬", "Ωé 漢 👩‍🔬"),
    ],
)  # fmt: skip
def test_control_characters_are_written_out(text, shown):
    assert visible(text) == shown


@pytest.mark.parametrize("sign", [RED, BACK, "\n", "\x9b"])
def test_control_characters_are_kept_out_of_names_and_units(sign):
    for make in (
        lambda: FrameColumn(f"a{sign}ge", "", 0, 1, 0.1),
        lambda: FrameColumn("age", f"y{sign}", 0, 1, 0.1),
    ):
        with pytest.raises(DataError, match="terminals obey") as caught:
            make()
        assert sign not in str(caught.value)
    table = load_table(f'"a{sign}ge",b\n'.encode() + b"1,2\n" * 200)
    assert list(table.columns) == ["a ge" if sign == "\n" else f"a{sign[1:] if sign == RED else ''}ge", "b"]
