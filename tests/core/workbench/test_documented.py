"""docs/workbench.md does what it says: its code is run, its outputs are compared, its tables have every key."""

import contextlib
import io
import json
import os
import re
import shlex
import shutil
import zipfile

import pytest

from privbo_core.data import load_table
from privbo_core.outsourced import read_questions
from privbo_core.workbench import main
from tests.helpers.seats import ROOT, SAMPLES

GUIDE = (ROOT / "docs" / "workbench.md").read_text(encoding="utf-8")
BLOCK = re.compile(r"^```(?P<language>\w+)(?: (?P<seat>\w+))?\n(?P<text>.*?)^```$", re.MULTILINE | re.DOTALL)


@pytest.fixture
def folders(tmp_path, monkeypatch):
    for seat in ("holder", "modeler"):
        (tmp_path / seat).mkdir()
    for name in ("hospital.csv", "hospital.frame.json"):
        shutil.copy(SAMPLES / name, tmp_path / "holder")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def blocks(text):
    """Return the blocks of a guide, or of a part of it: (language, seat, text) in order."""
    found = [block.group("language", "seat", "text") for block in BLOCK.finditer(text)]
    assert text.count("```") == 2 * len(found), "every block has a language"
    return found


def section(title):
    return blocks(GUIDE.split(f"\n## {title}\n")[1].split("\n## ")[0])


def check(printed, expected):
    """Compare an output with the documented one, in which … stands for anything."""
    pattern = ".*".join(re.escape(part) for part in expected.strip().split("…"))
    assert re.fullmatch(pattern, printed.strip()), f"documented:\n{expected}\nprinted:\n{printed}"
    assert len(printed.strip().splitlines()) == len(expected.strip().splitlines())


def commands(text):
    return [shlex.split(line) for line in text.replace("\\\n", " ").strip().splitlines()]


def as_asked(text, questions):
    """Put the rows that are open in the place of those that the guide supposes to be."""
    if re.search(r"\b(812|5077)\b", text):
        first, second, _ = map(str, read_questions(questions.read_text()))
        text = re.sub(r"\b812\b", first, re.sub(r"\b5077\b", "SECOND", text)).replace("SECOND", second)
    return text


def carry_out(words):
    """Do what a shell would do with a command of the guide; return its exit status."""
    if words[:3] == ["python", "-m", "privbo_core.workbench"]:
        return main(words[3:])
    assert words[0] == "cp", words
    shutil.copy(*words[1:])
    return 0


def run(found, guide):
    """Run blocks of Python, compare what they print with the blocks of text; return their names, and how many ran."""
    printed, names, ran = "", {}, 0
    for language, _, text in found:
        if language == "text":
            check(printed, text)
            printed = ""
            continue
        assert language == "python"
        assert not printed, "what a block prints is documented"
        with contextlib.redirect_stdout(io.StringIO()) as out:
            exec(compile(text, guide, "exec"), names)
        printed, ran = out.getvalue(), ran + 1
    assert not printed
    return names, ran


def documented(what):
    """Return the keys in the table that follows the bold name of a file or a part of it."""
    table = GUIDE.split(f"**`{what}`**")[1].split("| key | |\n|---|---|\n")[1].split("\n\n")[0]
    return {line.split("|")[1].strip(): line.split("|")[2] for line in table.splitlines()}


def keys_of(table):
    return {key for first in table for key in re.findall(r"`(\w+)`", first)}


def test_the_python_does_what_the_guide_says_and_the_tables_have_every_key_of_its_files(folders):
    names, ran = run(section("In Python"), "docs/workbench.md")
    assert ran >= 8
    searching = names["search"]
    assert len(searching.outcomes) == 30
    assert searching.outcomes == {answer.row: answer.value for answer in names["curator"].ledger.answers}
    complete = load_table(SAMPLES / "hospital.csv").dropna(subset=["age", "log_creatinine", "free_light_chain"])
    # Chance finds one of the best hundredth in a quarter of all searches; of 20 of these searches none missed it.
    assert (complete["free_light_chain"] > searching.best.outcome).mean() < 0.01
    release = zipfile.ZipFile(folders / "modeler" / "release.zip")
    about = json.loads(release.read("release.json"))
    ledger = json.loads((folders / "holder" / "ledger.json").read_text())
    search = json.loads(zipfile.ZipFile(folders / "modeler" / "search.zip").read("search.json"))
    for name, found in (("release.zip", about), ("ledger.json", ledger), ("search.zip", search)):
        assert keys_of(documented(name)) == set(found)
        assert f"format `{found['format']}`, version {found['version']}" in GUIDE
    said = documented("ledger.json")
    assert set(ledger["releases"][0]) == keys_of([said["`releases`"]])
    assert set(ledger["answers"][0]) == keys_of([said["`answers`"]])
    assert {key for entry in search["entries"] for key in entry} <= keys_of([documented("search.zip")["`entries`"]])
    assert all(f"`{name}`" in GUIDE for name in release.namelist())


def test_the_command_line_does_what_the_guide_says(folders, capsys, monkeypatch):
    (folders / "holder" / "people.csv").write_text("age,weight\n34,71\n51,88\n47,64\n29,59\n60,93\n42,77\n")
    printed, ran, refused = "", 0, 0
    for language, seat, text in section("From the command line"):
        text = as_asked(text, folders / "modeler" / "questions.csv")
        if language == "text":
            check(printed, text)
            printed = ""
            continue
        assert language == "sh"
        monkeypatch.chdir(folders / seat)
        for words in commands(text):
            status = carry_out(words)
            out, err = capsys.readouterr()
            assert (status, bool(out), bool(err)) in {(0, True, False), (0, False, False), (2, False, True)}, err
            printed, ran, refused = printed + out + err, ran + 1, refused + (status == 2)
    assert not printed
    assert (ran >= 15, refused) == (True, 2)
    assert not {"ledger.json", "hospital.csv", "sheet.csv"} & set(os.listdir(folders / "modeler"))


def test_eight_lines_are_a_whole_round(folders, capsys, monkeypatch):
    lines = []
    for _, seat, text in section("In short"):
        monkeypatch.chdir(folders / seat)
        for words in commands(text):
            assert carry_out(words) == 0, capsys.readouterr().err
            lines.append(words[0])
    assert lines.count("python") == 8
    assert "Best of 3 tests: row " in capsys.readouterr().out
