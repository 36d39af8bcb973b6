"""Agents and server as real processes of Flower on this machine."""

import json
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

import numpy as np

import privbo_core as pb
from privbo_core.federated import run
from privbo_core.federated.flower.__main__ import QUIET, write_folder
from privbo_core.federated.flower.ledger import read_ledger
from privbo_core.federated.flower.terms import read_terms
from tests.helpers.paths import ROOT
from tests.helpers.serving import free_port
from tests.helpers.small_terms import SETTINGS

BESIDE = Path(sys.executable).parent
PATIENCE = 600  # Seconds, for a machine that is busy with something else.


def once(line, **more):
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
        known += ["--superlink", f"127.0.0.1:{self.port}", "--port", free_port(), "--node-config", home / "agent.toml"]
        return self.start(f"agent{number}", "flower-supernode", *known)

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
        return (self.folder / f"{name}.log").read_text()


SEED = 5
SEEDED = """from pathlib import Path

from privbo_core.federated.flower.apps import client_app, server_app

SETTINGS = Path(__file__).with_name("federation.toml")
server = server_app(SETTINGS, seed={seed})
client = client_app(SETTINGS, seed={seed})
"""
OBJECTIVE = '''
"""Values of a table, with noise from a list: the next one with each call, in whatever process."""

import json
from pathlib import Path

HERE = Path(__file__).parent


def score(setting):
    said = json.loads((HERE / "values.json").read_text())
    count = len((HERE / "calls").read_text()) if (HERE / "calls").exists() else 0
    with (HERE / "calls").open("a") as calls:
        calls.write("x")
    return said["values"][json.dumps(list(setting.values()))] + said["noise"][count]
'''


def settings(federation, wait=300, pace=300, **changed):
    said = {"agents": 3, "q": 0.5, "budget": "inf", "centre": 0.0, "scale": 1.0, **changed}
    path = federation.folder / "app" / "federation.toml"
    text = SETTINGS.format(**said).replace("wait = 1\nround = 1", f"wait = {wait}\nround = {pace}")
    path.write_text(text)
    return read_terms(path)


def ledger(federation):
    return read_ledger((federation.folder / "ledger.jsonl").read_bytes())


def give_values(federation, found, noise):
    """Write the agents' tables; return their values, agents×n."""
    values = pb.gp.prior_draws(found.points, found.settings.kernel, 3, np.random.default_rng(1))
    for number in range(3):
        table = {json.dumps(list(found.setting(row).values())): float(values[number, row]) for row in range(120)}
        text = json.dumps({"values": table, "noise": noise[:, number].tolist()})
        (federation.folder / f"agent{number}" / "values.json").write_text(text)
    return values


def test_three_agents_five_rounds_and_the_rows_of_the_simulation(tmp_path):
    with Federation(tmp_path / "federation") as federation:
        found = settings(federation, rounds=5, noise="epsilon = 3.0", budget=3.0)
        for number in range(3):
            federation.agent(number, OBJECTIVE, best=2.0)
        give_values(federation, found, np.zeros((8, 3)))
        said = federation.run()
        (noisy,) = ledger(federation)
        assert noisy.end == "done", said
        assert [count.answered for count in noisy.counts] == [3] * 5, federation.log("agent0")
        z = found.settings.z
        assert [count.epsilon for count in noisy.counts] == [
            pb.privacy.epsilon(0.5, z, t, 0.001, "pld") for t in range(1, 6)
        ]
        assert 2.999 < noisy.counts[-1].epsilon <= 3.0
        assert all(count.noise > 0 and count.published == 3 for count in noisy.counts)

        # The same agents anew, without noise and with the dice of the simulation.
        for name in ("ledger.jsonl", *(f"agent{n}/{file}" for n in range(3) for file in ("notebook.jsonl", "calls"))):
            (federation.folder / name).unlink()
        found = settings(federation, rounds=2, noise="z = 0.0", budget="inf")
        (federation.folder / "app" / "privbo_app.py").write_text(SEEDED.format(seed=SEED))
        streams = pb.federated.agents.Streams.of(np.random.default_rng(SEED))
        noise = 0.1 * np.array([streams.noise.standard_normal(3) for _ in range(5)])
        values = give_values(federation, found, noise)
        said = federation.run()
        assert ledger(federation)[0].end == "done", said
        rows = [
            [json.loads(line)["row"] for line in notebook.read_text().splitlines()[1:]]
            for notebook in (federation.folder / f"agent{number}" / "notebook.jsonl" for number in range(3))
        ]
        simulated = list(run(values, found.points, found.settings, np.random.default_rng(SEED)))
        expected = np.vstack([simulated[0].initial.T, [each.queries for each in simulated]])
        np.testing.assert_array_equal(np.array(rows).T, expected)


def test_with_keys_garbage_and_a_killed_agent_do_not_stop_the_rest(tmp_path):
    with Federation(tmp_path / "federation", secure=True) as federation:
        found = settings(federation, pace=60, rounds=3, noise="z = 1.0")
        federation.agent(0, "def score(setting):\n    return setting['a']")
        federation.agent(1, "", command="echo")  # its last word is no number
        # It takes down its SuperNode, and everything else that is its, in the middle of round 1.
        doomed = federation.agent(2, "import time\n\ndef score(setting): time.sleep(600)")
        killed = []

        def kill(line):
            if "Received successfully" in line and not killed:
                doomed.kill()
                killed.append(line)

        said = federation.run(watch=("agent2", kill))
        (one,) = ledger(federation)
        assert killed, federation.log("agent2")
        assert one.end == "done", said
        assert [count.epsilon for count in one.counts] == [
            pb.privacy.epsilon(0.5, 1.0, t, 0.001, "pld") for t in range(1, 4)
        ]
        assert max(count.answered for count in one.counts) == 1, said
        assert max(count.garbage for count in one.counts) >= 1, said
        assert found.agents == one.agents == 3
