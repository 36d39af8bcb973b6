"""How long it takes to import the engine, to start the app, and to see its first page. Run by `make bench`.

Python, NumPy and an empty Streamlit app are measured by turns with ours on one machine, so the ratio is what to quote.
The best time of each counts, because other programs only add to it. The time that processors worked is given besides.
"""

import asyncio
import os
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from tests.benchmarks.allowed import allow, ended
from tests.helpers.paths import ROOT
from tests.helpers.serving import free_port, running
from tests.helpers.visitor import Visitor

IMPORT, PAGE = 0.3, 1.5
"""Seconds of work that `import privbo_core` may take, and seconds from a server's first answer to its first page."""
IMPORTS = {"nothing": "pass", "numpy": "import numpy", "privbo_core": "import privbo_core"}
EMPTY = "import streamlit as st\n\nst.html('<h1>Empty</h1>')\n"


@dataclass(frozen=True)
class Taken:
    """Seconds on the clock, and seconds that processors worked."""

    clock: float
    worked: float

    def __str__(self) -> str:
        return f"{self.clock:6.2f} s ({self.worked:5.2f} s of work)"


def imported(code: str) -> Taken:
    """Return what a new Python takes to run some code."""
    before, start = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
    subprocess.run([sys.executable, "-c", code], check=True, cwd=ROOT)
    clock, after = time.perf_counter() - start, resource.getrusage(resource.RUSAGE_CHILDREN)
    return Taken(clock, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)


def worked(process: subprocess.Popen) -> float:
    """Return the seconds that processors have worked for a process."""
    fields = Path(f"/proc/{process.pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def served(words: Sequence[str], folder: Path, cwd: Path, *, empty: bool) -> tuple[Taken, Taken]:
    """Return what a server takes until it answers, and from then until its first page has a figure and sliders."""
    port, start = free_port(), time.perf_counter()
    with running([sys.executable, *words], port, folder / "log.txt", cwd=cwd) as process:
        up, up_worked = time.perf_counter(), worked(process)

        async def visit() -> Taken:
            visitor = await Visitor.arrive(port, "")
            await visitor.until(lambda: visitor.html and (empty or (visitor.pictures and visitor.panels)))
            seen = Taken(time.perf_counter() - up, worked(process) - up_worked)
            await visitor.leave()
            return seen

        return Taken(up - start, up_worked), asyncio.run(visit())


def best(taken: Sequence[Taken]) -> Taken:
    """Return the least time of several, on the clock and at work."""
    return Taken(min(each.clock for each in taken), min(each.worked for each in taken))


def main(times: int) -> None:
    """Measure everything several times by turns, and print the best."""
    rounds = [{name: imported(code) for name, code in IMPORTS.items()} for _ in range(2 * times)]
    for name in IMPORTS:
        print(f"import {name:12} {best([each[name] for each in rounds])}")
    allow("import privbo_core", best([each["privbo_core"] for each in rounds]).worked, IMPORT)
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder)
        (place / "empty.py").write_text(EMPTY, encoding="utf-8")
        quiet = ["--server.headless", "true", "--server.fileWatcherType", "none", "--browser.gatherUsageStats", "false"]
        empty = ["-m", "streamlit", "run", "empty.py", *quiet]
        pairs = [
            (served(empty, place, place, empty=True), served(["-m", "privbo_app"], place, ROOT, empty=False))
            for _ in range(times)
        ]
    for k, what in enumerate(("until the server answers", "from then to the first page")):
        there, here = best([pair[0][k] for pair in pairs]), best([pair[1][k] for pair in pairs])
        print(f"{what:30} {here}, an empty app {there}")
    allow("the first page", here.clock, PAGE)


if __name__ == "__main__":
    main(int(sys.argv[2]) if len(sys.argv) > 2 else 5)
    sys.exit(ended())
