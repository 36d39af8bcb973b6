"""Agents and server as real processes of Flower on this machine."""

import json

import numpy as np

import privbo_core as pb
from privbo_core.federated import run
from privbo_core.federated.flower.ledger import read_ledger
from privbo_core.federated.flower.terms import read_terms
from tests.helpers.loopback import Federation
from tests.helpers.small_terms import SETTINGS

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
