"""Two people at two command lines, for tests: each in a folder of their own, and nothing but files between them."""

import os
import shutil
from pathlib import Path

from privbo_core.workbench import main
from tests.helpers.paths import ROOT

SAMPLES = ROOT / "sample_data"
TABLE = "name,age,weight,glucose\n" + "".join(
    f"p{i},{20 + 7 * i % 60},{50 + 11 * i % 70},{80 + 13 * i % 90}\n" for i in range(40)
)
FRAME = [
    *("--column", "age", "years", "18", "100", "5", "adults take part"),
    *("--column", "weight", "kg", "30", "250", "10", "it goes no further"),
]
RELEASE = ["release", "people.csv", "frame.json", "--epsilon", "1", "--delta", "1e-5", "--out", "release.zip"]
GLUCOSE = ["--outcome", "glucose", "--unit", "mg/dL"]


class Seat:
    """A folder, and somebody who types commands in it."""

    def __init__(self, folder, capsys):
        self.folder, self._capsys = folder, capsys
        folder.mkdir()

    def types(self, line="", *more):
        """Return (exit status, what was printed, what was complained) of a line, and more words as they are."""
        before = Path.cwd()
        os.chdir(self.folder)
        try:
            status = main([*line.split(), *map(str, more)])
        finally:
            os.chdir(before)
        printed = self._capsys.readouterr()
        return status, printed.out, printed.err

    def does(self, *words):
        status, out, err = self.types(*words)
        assert status == 0, err
        lines = out.splitlines()
        assert 1 <= len(lines) <= 6 + sum(line.startswith("Test row") for line in lines)
        assert not err
        return lines

    def is_refused(self, *words):
        """Return the one sentence that a command says which must be refused."""
        before = self.state()
        status, out, err = self.types(*words)
        assert (status, out) == (2, "")
        assert len(err.splitlines()) == 1
        assert err.strip().endswith(".")
        assert "Traceback" not in err
        assert self.state() == before, "a refused command changes nothing"
        return err

    def state(self):
        return {path.name: path.read_bytes() for path in self.folder.iterdir() if not path.name.endswith(".lock")}

    def sends(self, name, other):
        shutil.copy(self.folder / name, other.folder / name)


def begin(holder, modeler):
    holder.does("frame", "frame.json", *FRAME)
    holder.does(*RELEASE, *GLUCOSE)
    holder.sends("release.zip", modeler)
    modeler.does("open", "release.zip", "search.zip")


def rows_in(lines):
    return [int(line.split()[2].rstrip(".")) for line in lines if line.startswith("Test row")]
