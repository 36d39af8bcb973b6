"""A script runs in a folder where nothing else is, or says what is missing."""

import os
import subprocess
import sys

import pytest

from pages.parts.export.offer import INSTALL
from privbo_core.about import made_with
from tests.helpers.taken import ROOT, code_of, visit


@pytest.fixture(scope="module")
def code():
    app, _ = visit("tradeoff", {"data": "homes", "T": "5", "runs": "3", "from": "3", "to": "3"})
    return code_of(app)


def run(code, folder, *options, **environment):
    (folder / "view.py").write_text(code, encoding="utf-8")
    known = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    return subprocess.run(
        [sys.executable, *options, "view.py"], cwd=folder, capture_output=True, encoding="utf-8", timeout=120,
        env={**known, "PYTHONIOENCODING": "utf-8", **environment},
    )  # fmt: skip


def test_without_the_engine_it_says_what_to_do(code, tmp_path):
    done = run(code, tmp_path, "-S")  # without any installed package
    assert done.returncode == 1
    assert INSTALL in done.stderr
    assert "Traceback" not in done.stderr
    top = code.splitlines()[:6]
    assert any(INSTALL in line for line in top)
    assert any("PYTHONPATH" in line for line in top)


def test_with_the_folder_that_it_names_it_runs_and_says_what_it_was_made_with(code, tmp_path):
    done = run(code, tmp_path, PYTHONPATH=str(ROOT))
    assert (done.returncode, done.stderr) == (0, "")
    assert "singular_values" in done.stdout
    (made,) = [line for line in code.splitlines() if line.startswith("# Made with")]
    assert all(f"{name} {number}" in made for name, number in made_with().items())
