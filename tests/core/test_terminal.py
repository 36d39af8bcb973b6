"""Commands on terminals, pipes and full disks: nothing that others wrote is obeyed, and each ends with a sentence."""

import os
import signal
import subprocess
import sys
from functools import partial

import pytest

from privbo_core.data import Frame, FrameColumn, load_table, read_frame
from privbo_core.errors import DataError
from privbo_core.outsourced import Ledger, Outcome
from privbo_core.terminal import visible
from tests.helpers.paths import ROOT
from tests.helpers.seats import FRAME, GLUCOSE, RELEASE, TABLE, Seat

RED, BACK = "\x1b[31m", "\u202e"
LISTING, WRITING = ("privbo_core.experiments",), ("privbo_core.workbench", "frame", "people.frame.json", *FRAME)
OTHERS = [LISTING, ("privbo_app", "--version")]
PLACES = {"full": (">/dev/full", 1, "No space left on device"), "closed": (">&-", 1, "Bad file descriptor"),
          "a pipe that nobody reads": ("| true", 141, "Broken pipe"), "both closed": (">&- 2>&-", 1, "")}  # fmt: skip


def start(*words, folder=None, **how):
    """Start a command as a shell in the foreground does, whatever tests run in."""
    environ = {**os.environ, "PYTHONPATH": str(ROOT), "PYTHONUNBUFFERED": ""}
    heard = partial(signal.signal, signal.SIGINT, signal.SIG_DFL)  # what runs in the background ignores Ctrl+C
    return subprocess.Popen(words, cwd=folder, env=environ, stdout=-1, stderr=-1, text=True, preexec_fn=heard, **how)


@pytest.mark.parametrize(("command", "where"), [(WRITING, where) for where in PLACES] + [(c, "full") for c in OTHERS])
def test_what_cannot_be_printed_is_done_all_the_same_and_said(tmp_path, command, where):
    redirected, status, why = PLACES[where]
    script = f'set -o pipefail; "$@" {redirected}'
    shell = start("bash", "-c", script, "sh", sys.executable, "-m", *command, folder=tmp_path)
    out, err = shell.communicate(timeout=60)
    assert (shell.returncode, out) == (status, "")
    assert err == (f"It is done, but what it says could not be printed: {why}.\n" if why else "")
    if command is WRITING:
        assert read_frame(tmp_path / "people.frame.json").names == ("age", "weight")


@pytest.mark.parametrize("command", [WRITING, *OTHERS])
def test_a_command_that_is_interrupted_while_it_is_loaded_ends_with_a_sentence(tmp_path, command):
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
def test_what_a_terminal_would_obey_is_shown(text, shown):
    assert visible(text) == shown


@pytest.mark.parametrize("sign", [RED, BACK, "\n", "\x9b"])
def test_names_and_units_hold_nothing_that_a_terminal_obeys(sign, tmp_path, capsys):
    for make in (
        lambda: FrameColumn(f"a{sign}ge", "", 0, 1, 0.1),
        lambda: FrameColumn("age", f"y{sign}", 0, 1, 0.1),
        lambda: Outcome(f"glu{sign}cose"),
        lambda: Outcome("glucose", f"mg{sign}"),
    ):
        with pytest.raises(DataError, match="terminals obey") as caught:
            make()
        assert sign not in str(caught.value)
    table = load_table(f'"a{sign}ge",b\n'.encode() + b"1,2\n" * 200)
    assert list(table.columns) == ["a ge" if sign == "\n" else f"a{sign[1:] if sign == RED else ''}ge", "b"]
    seat = Seat(tmp_path / "holder", capsys)
    assert "terminals obey" in seat.is_refused("frame", "f.json", "--column", f"a{sign}ge", "", 0, 1, 0.1, "x")


def test_cells_and_other_names_are_shown_and_not_obeyed(tmp_path, capsys):
    seat = Seat(tmp_path / "holder", capsys)
    (seat.folder / "people.csv").write_text(TABLE.replace("p1,", f"{RED}p1{BACK},").replace("p2,", '"p\n2",'))
    seat.does("frame", "frame.json", *FRAME)
    seat.does(*RELEASE, *GLUCOSE)
    order = Ledger.from_bytes((seat.folder / "ledger.json").read_bytes()).released().order.tolist()
    said = seat.does("find", "ledger.json", "people.csv", order.index(1) + 1, order.index(2) + 1)
    assert r"name \x1b[31mp1\u202e, age" in said[0]
    assert r"name p\n2, age" in said[1]
    assert r"\x1b[31m.csv" in seat.is_refused("find", "ledger.json", f"{RED}.csv", 1)


def test_the_narrowest_range_can_be_released(tmp_path, capsys):
    seat = Seat(tmp_path / "holder", capsys)
    (seat.folder / "people.csv").write_text(TABLE)
    for low, high, hide in (("0", "1e-100", "1e-100"), ("0", "1e-100", "1e100"), ("-1e100", "1e100", "1e100")):
        seat.does("frame", "frame.json", "--column", "age", "", low, high, hide, "the scale", "--force")
        seat.does(*RELEASE, *GLUCOSE, "--force", "--again")
    assert Frame((FrameColumn("age", "", 0, 1e-100, 1e100),)).warnings
