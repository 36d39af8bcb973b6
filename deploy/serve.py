"""Start several processes of PrivBO, and start anew what ends; HAProxy in front of them sends each visitor to one.

`python deploy/serve.py --processes 2` starts them on ports 8501, 8502, …; with `--haproxy` it starts nothing and writes
the configuration of HAProxy that goes with them. What stands after `--` is told to each process, as to `privbo`.
"""

import argparse
import os
import re
import secrets
import signal
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from types import FrameType

ROOT = Path(__file__).parents[1]
OF_PROCESSES = re.compile(r"    (presetenv PRIVBO_P\d+|server p\d+) ")
LOOK = 0.2  # seconds between two looks whether a process has ended
BREATH = 1.0  # seconds before one that has ended is started anew


def haproxy(processes: int, port: int) -> str:
    """Return deploy/haproxy.cfg for so many processes, the first one on ``port``."""
    lines = {"presetenv": [], "server": []}
    for k in range(1, processes + 1):
        lines["presetenv"].append(f"    presetenv PRIVBO_P{k} 127.0.0.1:{port + k - 1}")
        lines["server"].append(f'    server p{k} "${{PRIVBO_P{k}}}" cookie p{k}')
    written: list[str] = []
    for line in (ROOT / "deploy" / "haproxy.cfg").read_text(encoding="utf-8").splitlines():
        if OF_PROCESSES.match(line):
            written += lines.pop(line.split()[0], [])  # in the place of the first of them
        else:
            written.append(line.replace("--processes 2", f"--processes {processes}"))
    return "\n".join(written) + "\n"


def start(port: int, environment: Mapping[str, str], options: Sequence[str]) -> subprocess.Popen[bytes]:
    """Start one process."""
    return subprocess.Popen(
        [sys.executable, "-m", "privbo_app", "--server.port", str(port), *options],
        cwd=ROOT,
        env=environment,
    )


def serve(processes: int, port: int, options: Sequence[str]) -> None:
    """Start the processes and start anew what ends, until this is told to end."""
    # Each accepts the XSRF cookie of the others. Memory that one visitor's thread gave back is used for the next one's.
    given = {"STREAMLIT_SERVER_COOKIE_SECRET": secrets.token_hex(32), "MALLOC_ARENA_MAX": "4"}
    environment = {**given, **os.environ}
    running = [start(port + k, environment, options) for k in range(processes)]

    def end(number: int, frame: FrameType | None) -> None:
        raise SystemExit(0)

    signal.signal(signal.SIGTERM, end)
    signal.signal(signal.SIGINT, end)
    try:
        while True:
            time.sleep(LOOK)
            for k, process in enumerate(running):
                if process.poll() is not None:
                    print(
                        f"The process on port {port + k} ended with {process.returncode}. It is started anew.",
                        flush=True,
                    )
                    time.sleep(BREATH)
                    running[k] = start(port + k, environment, options)
    finally:
        for process in running:
            process.terminate()
        for process in running:
            try:
                process.wait(10)
            except subprocess.TimeoutExpired:
                process.kill()


def main() -> None:
    """Read the command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--processes", type=int, default=2, help="how many (2)")
    parser.add_argument("--port", type=int, default=8501, help="of the first one (8501)")
    parser.add_argument("--haproxy", action="store_true", help="write the configuration of HAProxy instead")
    parser.add_argument("options", nargs="*", help="for each process, after --")
    said = parser.parse_args()
    if said.processes < 1:
        parser.error(f"There is at least 1 process, not {said.processes}.")
    if said.haproxy:
        print(haproxy(said.processes, said.port), end="")
    else:
        serve(said.processes, said.port, said.options)


if __name__ == "__main__":
    main()
