"""A federation of real processes on this machine: a SuperLink, SuperNodes, and runs."""

import os
import shlex
import signal
import ssl
import subprocess
import sys
import time
import urllib.request
from contextlib import suppress
from pathlib import Path

from privbo_core.federated.flower.__main__ import QUIET, write_folder
from tests.helpers.paths import ROOT
from tests.helpers.serving import free_port

BESIDE = Path(sys.executable).parent
PATIENCE = 600
"""Seconds, for a machine that is busy with something else."""


def once(line, **more):
    """Run a command to its end; it must end well."""
    done = subprocess.run(shlex.split(line), capture_output=True, text=True, check=False, **more)
    assert done.returncode == 0, done.stdout + done.stderr


def certify(folder):
    """Make an authority of one's own, and a certificate for this machine."""
    (folder / "names").write_text("subjectAltName = IP:127.0.0.1, DNS:localhost")
    signing = "-CA ca.crt -CAkey ca.key -CAcreateserial -days 30 -extfile names"
    for line in (
        "openssl req -x509 -newkey rsa:3072 -nodes -days 30 -subj /CN=ours -keyout ca.key -out ca.crt",
        "openssl req -newkey rsa:3072 -nodes -subj /CN=localhost -keyout server.key -out server.csr",
        f"openssl x509 -req -in server.csr {signing} -out server.crt",
    ):
        once(line, cwd=folder)


class Federation:
    """The processes of one federation, ended with it. ``folder`` is written by `write_folder`.

    ``secure``: with TLS, and with agents that prove by a key who they are, by the commands of docs/federated.md.
    """

    def __init__(self, folder, secure=False):
        self.folder, self.port, self.secure = folder, free_port(), secure
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
        known = ["--insecure"]
        if self.secure:
            certify(self.folder)
            known = ["--ssl-ca-certfile", "ca.crt", "--ssl-certfile", "server.crt", "--ssl-keyfile", "server.key"]
            known.append("--enable-supernode-auth")
            config = self.folder / "home" / "config.toml"
            trusted = f'root-certificates = "{self.folder}/ca.crt"'
            config.write_text(config.read_text().replace("insecure = true", trusted))
        self.start("link", "flower-superlink", *known, "--port", self.port)
        end, trust = time.monotonic() + PATIENCE, ssl.create_default_context()
        if self.secure:
            trust.load_verify_locations(self.folder / "ca.crt")
        address = f"http{'s' if self.secure else ''}://127.0.0.1:{self.port}/health"
        while time.monotonic() < end:
            with suppress(OSError), urllib.request.urlopen(address, timeout=5, context=trust) as answer:
                if answer.status == 200:
                    return self
            time.sleep(0.2)
        self.__exit__()
        raise AssertionError(f"the SuperLink did not start:\n{self.log('link')}")

    def __exit__(self, *_):
        for process in reversed(self.processes):
            process.terminate()
        for process in self.processes:
            with suppress(subprocess.TimeoutExpired):
                process.wait(15)
            with suppress(ProcessLookupError):  # what a program started and left behind goes with it
                os.killpg(process.pid, signal.SIGKILL)
            process.wait()

    def start(self, name, *command):
        """Start a program that ends with this federation."""
        with (self.folder / f"{name}.log").open("wb") as log:
            how = {"cwd": self.folder, "env": self.environment, "stdout": log, "stderr": subprocess.STDOUT}
            words = [BESIDE / command[0], *map(str, command[1:])]
            self.processes.append(subprocess.Popen(words, **how, start_new_session=True))
        return self.processes[-1]

    def agent(self, number, objective, **more):
        """Start a SuperNode; ``objective`` is the source of its objective.py."""
        home = self.folder / f"agent{number}"
        home.mkdir()
        (home / "objective.py").write_text(objective)
        said = {"agent": number, "folder": str(home), "notebook": "notebook.jsonl", **more}
        said = said if "command" in said else {"objective": "objective:score", **said}
        (home / "agent.toml").write_text("".join(f"{key} = {value!r}\n" for key, value in said.items()))
        known = self.registered(home) if self.secure else ["--insecure"]
        return self.start(
            f"agent{number}", "flower-supernode", *known, "--superlink", f"127.0.0.1:{self.port}",
            "--port", free_port(), "--node-config", home / "agent.toml",
        )  # fmt: skip

    def registered(self, home):
        """Give an agent a key, and tell the SuperLink about it."""
        once("ssh-keygen -q -t ecdsa -b 384 -N '' -f key", cwd=home)
        once(f"{BESIDE}/flwr supernode register {home}/key.pub local", cwd=self.folder, env=self.environment)
        return ["--root-certificates", "ca.crt", "--auth-supernode-private-key", home / "key"]

    def run(self, watch=None):
        """Run the app to its end and return what it printed. ``watch``: whose log to read meanwhile, and a function."""
        going = self.start("run", "flwr", "run", "app", "local", "--stream")
        end, seen = time.monotonic() + 2 * PATIENCE, 0
        while going.poll() is None:
            assert time.monotonic() < end, self.log("run")
            if watch:
                lines = self.log(watch[0]).splitlines()
                for line in lines[seen:]:
                    watch[1](line)
                seen = len(lines)
            time.sleep(0.2)
        return self.log("run")

    def log(self, name):
        """Return what a program has said."""
        return (self.folder / f"{name}.log").read_text()
