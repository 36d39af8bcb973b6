"""A real federation on loopback for tests: Flower's SuperLink and SuperNodes with TLS, by docs/federation.md."""

import json
import os
import re
import signal
import ssl
import subprocess
import sys
import time
import urllib.request
from contextlib import suppress
from pathlib import Path

from tests.helpers.guides import blocks
from tests.helpers.paths import ROOT
from tests.helpers.serving import free_port

BESIDE = Path(sys.executable).parent
PATIENCE = 900  # Seconds, for a machine that is busy with something else.
GUIDE = (ROOT / "docs" / "federation.md").read_text(encoding="utf-8")
(APP,), (PROJECT,), SERVING, JOINING = (
    *([text for language, _, text in blocks(GUIDE) if language == wanted] for wanted in ("py", "toml")),
    *(text.splitlines() for language, _, text in blocks(GUIDE) if language == "sh"),
)
KEY = re.search(r"`(ssh-keygen [^`]+)`", GUIDE)[1]


def answer(said):
    """Return the JSON in a command's output."""
    found = json.loads(said[said.index("{") :])
    assert found["success"], said
    return found


class RealFederation:
    """The processes of a federation, ended with it. ``app`` is the source of its study.py."""

    def __init__(self, folder: Path, app: str, agents: int) -> None:
        self.folder, self.port, self.agents = folder, free_port(), agents
        self.processes, self.nodes = {}, []
        (folder / "study").mkdir()
        (folder / "study" / "study.py").write_text(app)
        (folder / "study" / "pyproject.toml").write_text(PROJECT)
        self.environment = {
            **os.environ,
            "FLWR_HOME": str(folder / "home"),
            "FLWR_TELEMETRY_ENABLED": "0",
            "FLWR_DISABLE_UPDATE_CHECK": "1",
            "FLWR_SUPEREXEC_TASK_POLL_INTERVAL": "0.1",
            "OMP_NUM_THREADS": "1",
            "PATH": f"{BESIDE}{os.pathsep}{os.environ['PATH']}",
            "PYTHONPATH": str(ROOT),
        }

    def __enter__(self):
        try:
            for line in SERVING[:-1]:
                self.once(line, self.folder)
            for number in range(self.agents):
                self.home(number).mkdir()
                self.once(KEY, self.home(number))
                (self.home(number) / "mine.txt").write_text(str(number))
            self.serve()
        except BaseException:
            self.__exit__()
            raise
        return self

    def __exit__(self, *_):
        for process in self.processes.values():
            self.kill(process)

    def serve(self):
        """Start a SuperLink, and register the agents' keys with it."""
        self.start("link", f"{SERVING[-1]} --port {self.port}", self.folder)
        self._wait_for_link()
        self.nodes = [self._registered(number) for number in range(self.agents)]

    def once(self, line, folder, **more):
        """Run a command of the guide to its end, and return what it printed."""
        environment = {**self.environment, **more}
        line = line.replace("127.0.0.1:8000", f"127.0.0.1:{self.port}")
        done = subprocess.run(["bash", "-c", line], cwd=folder, env=environment, capture_output=True, text=True)
        assert done.returncode == 0, f"{line}\n{done.stdout}{done.stderr}"
        return done.stdout

    def start(self, name, line, folder, **more):
        """Start a command of the guide in a process group of its own; its output is the `log` of that name."""
        line = line.replace("127.0.0.1:8000", f"127.0.0.1:{self.port}")
        with (self.folder / f"{name}.log").open("wb") as log:
            how = {"cwd": folder, "env": {**self.environment, **more}, "stdout": log, "stderr": subprocess.STDOUT}
            self.processes[name] = subprocess.Popen(["bash", "-c", f"exec {line}"], **how, start_new_session=True)

    def kill(self, process):
        """End a process and all that it started, at once."""
        with suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()

    def log(self, name):
        return (self.folder / f"{name}.log").read_text()

    def until(self, done, what):
        """Wait for a state, and return it."""
        end = time.monotonic() + PATIENCE
        while not (found := done()):
            assert time.monotonic() < end, f"{what}\n" + "\n".join(map(self.log, self.processes))
            time.sleep(0.2)
        return found

    def home(self, number):
        """Return the folder of an agent's machine."""
        return self.folder / f"agent{number}"

    def run(self):
        """Start a run with all agents, and return its ID."""
        line = next(line for line in JOINING if line.startswith("flwr run"))
        said = self.once(line.replace(" #", " --format json #"), self.folder, NODES=" ".join(self.nodes))
        return answer(said)["run-id"]

    def join(self, number, run):
        """Start the SuperNode of an agent, which takes part in that run."""
        home, line = self.home(number), next(line for line in JOINING if line.startswith("flower-supernode"))
        line = line.replace("ca.crt", "../ca.crt")
        line = line.replace(" #", f" --port {free_port()} #")
        self.start(f"agent{number}", line, home, RUN=run)

    def ended(self, run):
        """Return the log of a run if it has ended."""
        said = self.once(f"flwr list ours --run-id {run} --format json", self.folder)
        status = answer(said)["runs"][0]["status"]
        if not status.startswith("finished"):
            return None
        line = next(line for line in JOINING if line.startswith("flwr log"))
        return status + "\n" + self.once(line.replace(" #", " --show #"), self.folder, RUN=run)

    def _wait_for_link(self):
        trust = ssl.create_default_context(cafile=self.folder / "ca.crt")
        address = f"https://127.0.0.1:{self.port}/health"

        def answers():
            assert self.processes["link"].poll() is None, self.log("link")
            with suppress(OSError), urllib.request.urlopen(address, context=trust) as up:
                return up.status == 200

        self.until(answers, "the SuperLink did not start")

    def _registered(self, number):
        """Return the node ID that the SuperLink gives to an agent's key."""
        line = next(line for line in JOINING if line.startswith("flwr supernode register"))
        said = self.once(f"{line} --format json".replace("key.pub", str(self.home(number) / "key.pub")), self.folder)
        return str(answer(said)["node-id"])
