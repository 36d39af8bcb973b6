"""What the command line refuses, what it survives, and what it says of itself."""

import argparse
import io
import json
import os

import pytest

from privbo_core import files
from privbo_core.outsourced import Ledger, Modeler
from privbo_core.workbench import main
from privbo_core.workbench.command_line import _parser
from privbo_core.workbench.files import free
from tests.helpers.holding import in_file, released, sentence
from tests.helpers.seats import FRAME, GLUCOSE, RELEASE, TABLE

COMMANDS = ("frame", "release", "find", "answer", "ledger", "open", "ask", "tell", "untell", "skip", "best")


REFUSED = [
    ("", "required: COMMAND"),
    ("sell release.zip", "invalid choice: 'sell'"),
    ("ledger", "required: LEDGER"),
    ("ledger nothing.json", "The ledger 'nothing.json' does not exist"),
    ("ledger people.csv", "not a JSON file"),
    ("ledger .", "is a folder"),
    ("ledger ledger.json --row 41", "Row 41 is not in release 1"),
    ("ledger ledger.json --release 1", "give the row, too"),
    ("find ledger.json people.csv 41", "Row 41 is not in release 1"),
    ("find ledger.json people.csv", "Give the rows to find"),
    ("find ledger.json people.csv 0", "ROW: '0' is no whole number"),
    ("find ledger.json other.csv 1", "not those that the ledger is for"),
    ("find ledger.json people.csv 1 --release 2", "no release 2"),
    ("find ledger.json people.csv --questions empty.csv --out sheet.csv", "questions are empty"),
    ("find ledger.json people.csv --questions people.csv", "go together"),
    ("answer ledger.json people.csv", "Give a row"),
    ("answer ledger.json people.csv 1 3,5", "OUTCOME: '3,5' is no number; write one with a point"),
    ("answer ledger.json people.csv 1 nan", "outcome of row 1 is nan"),
    ("answer ledger.json people.csv 1 5 --correct", "has not been answered yet"),
    ("answer ledger.json people.csv 1 5 --out answers.csv", "go together"),
    ("answer ledger.json people.csv --questions no.csv --out answers.csv", "file of questions 'no.csv' does not"),
    ("answer ledger.json people.csv --questions empty.csv --out people.csv --force", "reads or keeps"),
    ("release people.csv frame.json --epsilon 1 --delta 1e-5 --out ledger.json --again --force", "reads or keeps"),
    ("release people.csv frame.json --epsilon 1 --delta 1e-5 --out no/r.zip --again", "folder 'no' does not exist"),
    ("release people.csv frame.json --epsilon 1 --delta 1e-5 --out r.zip --ledger no/l", "folder 'no' does"),
    ("release people.csv frame.json --epsilon 1 --delta 1e-5 --out r.zip --ledger .", "is a folder"),
    ("release people.csv frame.json --epsilon 0 --delta 1e-5 --out r.zip --again", "epsilon of the release is 0"),
    ("release people.csv frame.json --epsilon x --delta 1e-5 --out r.zip --again", "'x' is no number"),
    ("release people.csv frame.json --epsilon 1 --delta 2 --out r.zip --again", "delta of the release is 2"),
    ("release people.csv read-off.json --epsilon 1 --delta 1e-5 --out r.zip --again", "where age was known"),
    ("release people.csv people.csv --epsilon 1 --delta 1e-5 --out r.zip --again", "frame is not a JSON file"),
    ("release people.csv frame.json --epsilon 1 --delta 1e-5 --out r.zip --unit kg --again", "Say with --outcome"),
    ("release people.csv frame.json --epsilon 1 --delta 1e-5 --out r.zip --ledger l.json", "--outcome glucose"),
    ("frame frame.json --column a kg 1 2 .1 x", "'frame.json' exists already"),
    ("frame f.json --column a kg 1 2", "expected 6 arguments"),
    ("frame f.json --column a kg 2 1 .1 x", "low must be below high"),
    ("frame f.json --column a kg one 2 .1 x", "LOW of column 'a' is 'one'"),
    ("open release.zip release.zip --force", "reads or keeps"),
    ("frame ledger.json --column a kg 1 2 .1 x --force", "no ledger is written over"),
    ("release people.csv frame.json --epsilon 1 --delta 1e-5 --out theirs.json --again --force", "is a ledger"),
    ("release people.csv frame.json --epsilon 1 --delta 1e-5 --out r.zip --ledger theirs.json", "is for one of"),
    ("find ledger.json people.csv --questions three.csv --out theirs.json --force", "no ledger is written over"),
    ("answer ledger.json people.csv --questions three.csv --out theirs.json --force", "no ledger is written over"),
    ("open release.zip theirs.json --force", "no ledger is written over"),
    ("ask search.zip --out theirs.json --force", "no ledger is written over"),
    ("open people.csv new.zip", "not a ZIP file"),
    ("open cut.zip new.zip", "ZIP"),
    ("ask release.zip", "release by itself is opened"),
    ("ask search.zip 41", "40 rows are left"),
    ("ask search.zip 3 4", "Unrecognized arguments: 4"),
    ("tell search.zip 1", "Give a row and its outcome"),
    ("tell search.zip 41 100", "Row 41 is not in this release"),
    ("tell search.zip 1 1e999", "outcome of row 1 is inf"),
    ("tell search.zip --answers bad.csv", "'much' in line 3"),
    ("tell search.zip --answers beyond.csv", "Row 99 is not in this release"),
    ("tell search.zip 1 2 --answers bad.csv", "not both"),
    ("untell search.zip 1", "has not been told"),
    ("skip search.zip 1 --undo", "was not skipped"),
    ("best ledger.json", "not a ZIP file"),
]  # fmt: skip


def test_what_cannot_be_done_is_said_in_one_sentence_and_changes_nothing(begun):
    holder, modeler = begun
    modeler.sends("search.zip", holder)
    for name, text in {
        "empty.csv": "row\n",
        "bad.csv": "row,outcome\n1,100\n2,much\n",
        "beyond.csv": "row,outcome\n1,100\n99,100\n",
        "other.csv": TABLE.replace("p3,41", "p3,42"),
        "three.csv": "row\n3\n",
        "read-off.json": (holder.folder / "frame.json").read_text().replace("adults take part", ""),
    }.items():
        (holder.folder / name).write_text(text)
    assert (holder.folder / "other.csv").read_text() != TABLE
    released(in_file(holder.folder / "theirs.json"))
    (holder.folder / "cut.zip").write_bytes((holder.folder / "release.zip").read_bytes()[:-100])
    for words, said in REFUSED:
        assert said in holder.is_refused(words), words


def test_a_read_off_frame_is_released_when_said_and_in_doubt(holder):
    said = holder.does("frame", "frame.json", *FRAME[:-1], "")
    assert any("from where weight was known" in line for line in said)
    said = holder.does(*RELEASE, *GLUCOSE, "--read-off", "--looked")
    assert any("ε holds only if weight was known before" in line for line in said)
    told = " ".join(holder.does("ledger", "ledger.json"))
    assert "What it has cost holds only if weight was known before" in told
    assert "ε was chosen after searches on the data" in told


def test_files_are_written_over_only_when_said(begun):
    holder, modeler = begun
    holder.does("frame", "frame.json", *FRAME, "--force")
    released = (holder.folder / "release.zip").read_bytes()
    assert "--force" in holder.is_refused(*RELEASE, "--again")
    holder.does(*RELEASE, "--again", "--force")
    assert (holder.folder / "release.zip").read_bytes() != released
    modeler.does("tell", "search.zip", 1, 5)
    assert "--force" in modeler.is_refused("open", "release.zip", "search.zip")
    modeler.does("open", "release.zip", "search.zip", "--force")
    assert Modeler.load(modeler.folder / "search.zip").outcomes == {}


def test_a_search_in_use_is_left_alone(begun):
    _, modeler = begun
    with files.alone(modeler.folder / "search.zip"):
        assert "in use by another program" in modeler.is_refused("tell", "search.zip", 1, 5)
    modeler.does("tell", "search.zip", 1, 5)


def test_what_stops_half_way_leaves_whole_files_and_a_ledger_that_counts(begun, monkeypatch):
    holder, modeler = begun
    before = modeler.state()

    def full(*_):
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as broken:
        broken.setattr(os, "replace", full)
        assert modeler.types("tell", "search.zip", 1, 5) == (
            2, "", "The search cannot be written to 'search.zip': No space left on device.\n"
        )  # fmt: skip
        assert modeler.state() == before
    with monkeypatch.context() as broken:
        broken.setattr("privbo_core.workbench.holder.write_whole", lambda *_, **__: full())
        status, _, err = holder.types(*RELEASE[:-1], "second.zip", "--again")
        spent = "The release had begun: its ε = 1 is spent, and ledger.json counts it.\n"
        assert (status, err) == (2, f"The file cannot be used: No space left on device. {spent}")
    assert not (holder.folder / "second.zip").exists()
    assert len(Ledger.from_bytes((holder.folder / "ledger.json").read_bytes()).releases) == 2

    def stopped(*_):
        raise KeyboardInterrupt

    with monkeypatch.context() as broken:
        broken.setattr("privbo_core.workbench.holder._drawn", stopped)
        status, _, err = holder.types(*RELEASE[:-1], "third.zip", "--again")
        assert status == 130
        assert err.startswith("Stopped.")
        assert err.endswith(spent)
    unfinished = holder.does("ledger", "ledger.json")[2]
    assert unfinished.startswith("Release 3")
    assert "not finished (it counts all the same)" in unfinished


def test_a_table_with_something_to_say_is_read_all_the_same(holder):
    holder.does("frame", "frame.json", *FRAME)
    (holder.folder / "people.csv").write_bytes(TABLE.replace("p1,", "Zoë,").replace("p2,34", "p2,?").encode("cp1252"))
    said = holder.does(*RELEASE, *GLUCOSE)
    assert any(line.startswith("Left out: 1 record ") and "is not hidden" in line for line in said)


def subcommands():
    (actions,) = (action for action in _parser()._actions if isinstance(action, argparse._SubParsersAction))
    return actions.choices


def test_help_names_every_command_and_each_explains_its_arguments(capsys, monkeypatch):
    monkeypatch.setenv("COLUMNS", "80")
    assert tuple(subcommands()) == COMMANDS
    for words in ([], *([name] for name in COMMANDS)):
        with pytest.raises(SystemExit) as done:
            main([*words, "--help"])
        assert done.value.code == 0
        text = capsys.readouterr().out
        assert max(map(len, text.splitlines())) <= 80
        assert all(name in text for name in COMMANDS) or words
    for name, parser in subcommands().items():
        for action in parser._actions:
            assert action.help, f"{name}: {action.dest} is not explained"


def test_help_is_shown_on_a_terminal_with_few_letters(monkeypatch):
    shown = io.BytesIO()
    monkeypatch.setattr("sys.stdout", io.TextIOWrapper(shown, encoding="ascii", write_through=True))
    with pytest.raises(SystemExit) as done:
        main(["--help"])
    assert done.value.code == 0
    assert b"make the ZIP file to send   ?   open  begin a search with it" in shown.getvalue()


def test_the_frame_that_is_written_is_the_one_that_was_said(holder):
    holder.does("frame", "frame.json", "--column", "log c", "", "-1.2", "2.7e0", "1e-1", "a “book”, p. 3")
    (column,) = json.loads((holder.folder / "frame.json").read_text())["columns"]
    assert column == {
        "name": "log c", "unit": "", "low": -1.2, "high": 2.7, "hide": 0.1, "lengthscale": None,
        "known_from": "a “book”, p. 3",
        "marks": {"decimal": ".", "thousands": "", "unit": "", "missing": []},
    }  # fmt: skip


def test_what_cannot_be_read_may_be_a_ledger(tmp_path, monkeypatch):
    def shut(*_, **__):
        raise PermissionError(13, "Permission denied")

    (tmp_path / "theirs").write_text("{}")
    assert free(tmp_path / "theirs", force=True)
    monkeypatch.setattr("privbo_core.workbench.files.Path.open", shut)
    assert "may be a ledger" in sentence(lambda: free(tmp_path / "theirs", force=True))
