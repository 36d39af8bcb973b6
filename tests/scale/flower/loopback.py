"""A federation of real processes on this machine: a SuperLink, SuperNodes, and runs."""

import os
import socket
import subprocess
import sys
import time
import urllib.request
from contextlib import suppress
from pathlib import Path

from privbo_core.federated.flower.__main__ import QUIET
from privbo_core.federated.flower.folder import write_folder

ROOT = Path(__file__).parents[3]
BESIDE = Path(sys.executable).parent
PATIENCE = 120


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


class Federation:
    """The processes of one federation, ended with it. ``folder`` is written by `write_folder`."""

    def __init__(self, folder):
        self.folder, self.port = folder, free_port()
        write_folder(folder, self.port)
        self.processes = []
        self.environment = {
            **os.environ,
            **QUIET,
            "FLWR_HOME": str(folder / "home"),
            "PATH": f"{BESIDE}{os.pathsep}{os.environ['PATH']}",
            "PYTHONPATH": str(ROOT),
            "OMP_NUM_THREADS": "1",
            "FLWR_SUPEREXEC_TASK_POLL_INTERVAL": "0.1",
        }

    def __enter__(self):
        self.start("link", "flower-superlink", "--insecure", "--port", self.port)
        end = time.monotonic() + PATIENCE
        while time.monotonic() < end:
            with suppress(OSError), urllib.request.urlopen(f"http://127.0.0.1:{self.port}/health", timeout=5) as answer:
                if answer.status == 200:
                    return self
            time.sleep(0.2)
        self.__exit__()
        raise AssertionError(f"the SuperLink did not start:\n{self.log('link')}")

    def __exit__(self, *_):
        for process in reversed(self.processes):
            process.terminate()
        for process in self.processes:
            try:
                process.wait(15)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()

    def start(self, name, *command):
        """Start a program that ends with this federation."""
        with (self.folder / f"{name}.log").open("wb") as log:
            self.processes.append(
                subprocess.Popen(
                    [BESIDE / command[0], *map(str, command[1:])],
                    cwd=self.folder,
                    env=self.environment,
                    stdout=log,
                    stderr=subprocess.STDOUT,
                )
            )
        return self.processes[-1]

    def agent(self, number, objective, **more):
        """Start a SuperNode; ``objective`` is the source of its objective.py."""
        home = self.folder / f"agent{number}"
        home.mkdir()
        (home / "objective.py").write_text(objective)
        said = {"agent": number, "folder": str(home), "notebook": "notebook.jsonl", **more}
        said = said if "command" in said else {"objective": "objective:score", **said}
        (home / "agent.toml").write_text("".join(f"{key} = {value!r}\n" for key, value in said.items()))
        return self.start(
            f"agent{number}", "flower-supernode", "--insecure", "--superlink", f"127.0.0.1:{self.port}",
            "--port", free_port(), "--node-config", home / "agent.toml",
        )  # fmt: skip

    def run(self):
        """Run the app to its end and return what it printed."""
        done = subprocess.run(
            [BESIDE / "flwr", "run", "app", "local", "--stream"],
            cwd=self.folder, env=self.environment, capture_output=True, text=True, timeout=3 * PATIENCE, check=False,
        )  # fmt: skip
        return done.stdout + done.stderr

    def log(self, name):
        """Return what a program has said."""
        return (self.folder / f"{name}.log").read_text()
