"""Implant one fault after another into a copy of the working tree, and see that the tests catch each.

    python -m tests.faults             all faults of faults.toml
    python -m tests.faults ω seed      those whose name contains one of these words

A fault is caught if one of its tests fails with it and passes without it. The command ends with exit code 1 if a fault
is not caught, or if its old text is not in the file exactly once. The working tree itself is never changed.
"""

import json
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from tests.faults import Fault, listed
from tests.helpers.paths import ROOT

NOT_COPIED = shutil.ignore_patterns(".git", ".venv*", "build", "__pycache__", ".*_cache", ".hypothesis")
LAST_FAILED = Path(".pytest_cache/v/cache/lastfailed")
TESTS_FAILED = 1
"""The exit code of pytest if a test failed. Another one means that something else went wrong, such as an import."""


def run(tree: Path, tests: tuple[str, ...], *options: str) -> int:
    """Run tests of the copy with this Python until one fails, and return the exit code of pytest."""
    words = [sys.executable, "-m", "pytest", "-x", "--tb=no", *options, *tests]
    return subprocess.run(words, cwd=tree, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False).returncode


def caught_by(fault: Fault, tree: Path) -> str:
    """Return the test that fails with a fault and passes without it, or an empty text if there is none."""
    file, last_failed = tree / fault.file, tree / LAST_FAILED
    last_failed.unlink(missing_ok=True)
    sound = file.read_text("utf-8")
    file.write_text(fault.implanted(sound), "utf-8")
    failed = run(tree, fault.tests) == TESTS_FAILED
    file.write_text(sound, "utf-8")
    if not failed:
        return ""
    test = next(iter(json.loads(last_failed.read_text("utf-8"))))
    its_file = test.partition("::")[0]
    return test if run(tree, (its_file,), "--last-failed") == 0 else ""


def main(words: list[str]) -> int:
    """Print a row for each chosen fault, and return the exit code."""
    chosen = [fault for fault in listed() if not words or any(word in fault.name for word in words)]
    missed = 0
    with tempfile.TemporaryDirectory() as folder:
        tree = Path(folder) / "tree"
        shutil.copytree(ROOT, tree, ignore=NOT_COPIED)
        for fault in chosen:
            began = time.monotonic()
            try:
                test = caught_by(fault, tree)
            except ValueError as problem:
                test, by = "", str(problem)
            else:
                by = test or f"no test in {', '.join(fault.tests)}"
            missed += not test
            seconds = f"{time.monotonic() - began:.0f} s"
            print(f"{'caught' if test else 'MISSED':8}{seconds:>6}  {fault.name:72}  {by}", flush=True)
    print(f"{len(chosen) - missed} of {len(chosen)} faults are caught.")
    return 1 if missed or not chosen else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
