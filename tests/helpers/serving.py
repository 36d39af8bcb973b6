"""The app as its own process on this machine, for tests that need the real server."""

import os
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from tests.helpers.paths import ROOT

READY = 120  # seconds


@dataclass
class Server:
    """A running app: its process, its port, what it writes."""

    process: subprocess.Popen
    port: int
    log: Path

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def resident(self) -> float:
        """Return the memory that the process holds, in MB."""
        said = subprocess.run(["ps", "-o", "rss=", "-p", str(self.process.pid)], capture_output=True, check=True)
        return int(said.stdout) / 1024

    def busy(self) -> float:
        """Return the processor time used so far, in seconds."""
        record = Path(f"/proc/{self.process.pid}/stat")
        if record.exists():
            fields = record.read_text().rpartition(")")[2].split()
            return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
        command = ["ps", "-o", "time=", "-p", str(self.process.pid)]
        said = subprocess.run(command, capture_output=True, check=True, text=True)
        seconds = 0.0
        for part in said.stdout.strip().replace("-", ":").split(":"):  # [[days-]hours:]minutes:seconds
            seconds = seconds * 60 + float(part)
        return seconds


def free_port() -> int:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return free.getsockname()[1]


@contextmanager
def running(words: Sequence[str], port: int, log: Path, **how) -> Iterator[subprocess.Popen]:
    """Start the app by a command, wait until it answers at its port, and stop it in the end; it writes to ``log``."""
    with log.open("a") as output:
        process = subprocess.Popen([*words, "--server.port", str(port)], stdout=output, stderr=subprocess.STDOUT, **how)
    try:
        deadline = time.monotonic() + READY
        while True:
            try:
                urllib.request.urlopen(f"http://127.0.0.1:{port}/_stcore/health", timeout=1).close()
                break
            except OSError:
                assert process.poll() is None, f"the app ended:\n{log.read_text()}"
                assert time.monotonic() < deadline, f"the app did not start:\n{log.read_text()}"
                time.sleep(0.05)
        yield process
    finally:
        process.terminate()
        try:
            process.wait(30)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait(30)


@contextmanager
def serving(
    folder: Path,
    port: int | None = None,
    options: Sequence[str] = (),
    folder_of_app: Path = ROOT,
    program: Sequence[str] = ("-m", "streamlit", "run", "app.py"),
) -> Iterator[Server]:
    """Start the app by a ``program`` of Python's and stop it in the end; log and temporary files go to ``folder``."""
    port = port or free_port()
    log, temporary = folder / "log.txt", folder / "temporary"
    temporary.mkdir(parents=True, exist_ok=True)
    words = [sys.executable, *program, *options]
    own = {**os.environ, "PYTHONPATH": str(folder_of_app), "TMPDIR": str(temporary)}
    with running(words, port, log, cwd=folder_of_app, env=own) as process:
        yield Server(process, port, log)
