"""The Python script that a page gives, run by an interpreter of its own, as where somebody took it to."""

import os
import re
import subprocess
import sys

from tests.helpers.paths import ROOT

MAX_LINES, MAX_WIDTH = 30, 400


def run(script, folder):
    """Run a script in a folder where nothing else is, and return its output."""
    (folder / "page.py").write_text(script, encoding="utf-8")
    own = {**os.environ, "PYTHONPATH": str(ROOT), "PYTHONIOENCODING": "utf-8"}
    how = {"capture_output": True, "text": True, "encoding": "utf-8", "timeout": 300}
    done = subprocess.run([sys.executable, "page.py"], cwd=folder, env=own, **how)
    assert done.returncode == 0, done.stderr
    return done.stdout


def printed(script, folder):
    """Run a script, and return what it prints, by name."""
    assert len(script.splitlines()) <= MAX_LINES
    return dict(line.split(":", 1) for line in run(script, folder).splitlines() if re.match(r"[\w %]+: ", line))


def with_real_call(script):
    """Return a script that makes the call for the real thing as well, which is commented out."""
    lines = script.rstrip("\n").split("\n")
    first = max(number for number, line in enumerate(lines) if not line.startswith("# ")) + 1
    assert len(lines) > first + 1, "a sentence, and the call below it"
    return "\n".join([*lines[:first], *(line.removeprefix("# ") for line in lines[first + 1 :])])
