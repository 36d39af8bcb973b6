"""DP-FTS-DE between real processes of Flower with TLS: the engine's numbers, whoever dies, and no second server."""

import json
import re

import numpy as np

import privbo_core as pb
from privbo_core.federated.agents import Agents, RandomNumbers, Streams
from privbo_core.federated.flower import FEATURE_SEED
from privbo_core.federated.run import common
from privbo_core.federated.server import Server, noise_deviation
from privbo_core.federated.sub_regions import weights_at
from tests.helpers.real_federation import APP, RealFederation

POINTS = np.linspace(0, 1, 40)[:, None]
SETTINGS = pb.federated.Settings(
    pb.gp.SquaredExponential(0.2), 0.01, iterations=4, initial=2, features=15, q=1.0, z=0.0, S=3.0, P=2, hold=1, fade=2
)
REPEATABLE = '''
"""A study whose agents have the dice of the simulation. Agent 2 hangs in round 2."""

import json
import time
from dataclasses import fields
from pathlib import Path

import numpy as np
from privbo_core.federated import flower
from tests.scale.federation.test_flower import POINTS, SETTINGS, value

FOLDER, STREAMS = Path({folder!r}), []


def alone(number):
    streams = flower_agents.Streams.of(np.random.default_rng(flower.FEATURE_SEED))
    STREAMS[:] = [(number, streams)]
    file = FOLDER / f"dice{{number}}.json"
    for name, state in (json.loads(file.read_text()) if file.exists() else {{}}).items():
        getattr(streams, name).bit_generator.state = state
    return flower_agents.RandomNumbers(streams, 3, np.array([number]))


def answer(agent, message, original=flower._Agent.answer):
    found = original(agent, message)
    ((number, streams),) = STREAMS
    states = {{each.name: getattr(streams, each.name).bit_generator.state for each in fields(streams)}}
    (FOLDER / f"dice{{number}}.json").write_text(json.dumps(states))
    return found


def objective(point, config):
    number = int(Path(config["data"]).read_text())
    with (FOLDER / f"asked{{number}}").open("a") as asked:
        asked.write(f"{{float(point[0])!r}}\\n")
    if number == 2 and len((FOLDER / f"asked{{number}}").read_text().splitlines()) == SETTINGS.initial + 2:
        (FOLDER / "hangs").touch()
        time.sleep(100_000)
    return value(number, point[0])


def done(result):
    (vectors,) = result.arrays.to_numpy_ndarrays()
    (FOLDER / "result.json").write_text(json.dumps(vectors.tolist()))


from privbo_core.federated import agents as flower_agents

flower.RandomNumbers.alone, flower._Agent.answer = staticmethod(alone), answer
server = flower.server_app(POINTS, SETTINGS, done)
client = flower.client_app(POINTS, SETTINGS, objective)
'''


def value(number, x):
    return float(np.sin(6 * x + number) + 0.3 * np.cos(20 * x))


def asked(folder, number):
    return [float(line) for line in (folder / f"asked{number}").read_text().splitlines()]


def expected():
    """Return what each agent asks for and the last broadcast, where agent 2 sends nothing from round 3 on."""
    streams, everyone = Streams.of(np.random.default_rng(FEATURE_SEED)), np.arange(3)
    shared = common(POINTS, SETTINGS, 3, streams.features)
    agents = Agents(shared, RandomNumbers(streams, 3, everyone), SETTINGS.initial + SETTINGS.iterations)
    server, rows = Server(SETTINGS, 3), []

    def evaluate(chosen):
        rows.append(chosen)
        agents.observe(chosen, np.array([value(n, POINTS[row, 0]) for n, row in enumerate(chosen)]))

    for column in agents.begin().T:
        evaluate(column)
    for t in range(1, SETTINGS.iterations + 1):
        sent = agents.vectors()
        sent[2] *= t <= 2
        vectors = server.turn(t, sent).broadcast.vectors
        chosen, _ = agents.asks(t, vectors)
        evaluate(chosen)
    return POINTS[np.array(rows).T, 0], vectors


def test_killed_agent_leaves_the_numbers_of_the_engine(tmp_path):
    """Kill a SuperNode in the middle of round 2: the other agents ask for what the engine computes without it."""
    app = REPEATABLE.format(folder=str(tmp_path))
    with RealFederation(tmp_path, app, agents=3) as federation:
        run = federation.run()
        for number in range(3):
            federation.join(number, run)
        federation.until((tmp_path / "hangs").exists, "agent 2 was not asked twice")
        federation.kill(federation.processes["agent2"])
        log = federation.until(lambda: federation.ended(run), "the run did not end")
        assert log.startswith("finished:completed"), log
        points, vectors = expected()
        for number in (0, 1):
            np.testing.assert_array_equal(asked(tmp_path, number), points[number])
        np.testing.assert_array_equal(asked(tmp_path, 2), points[2, : SETTINGS.initial + 2])
        np.testing.assert_allclose(json.loads((tmp_path / "result.json").read_text()), vectors, rtol=1e-9)
        assert re.findall(r"Round (\d) of 4: (\d) of 3 agents", log) == [("1", "3"), ("2", "3"), ("3", "2"), ("4", "2")]


def guide_app(folder, iterations):
    """Return the guide's app with fewer rounds and a file of its last broadcast, and its settings."""
    app = APP.replace("iterations=20", f"iterations={iterations}")
    assert app != APP
    names = {}
    exec(compile(app, "study.py", "exec"), names)
    return app + RESULT.format(file=str(folder / "result.json")), names["settings"]


RESULT = """
import json


def done(result):
    (vectors,) = result.arrays.to_numpy_ndarrays()
    open({file!r}, "w").write(json.dumps(vectors.tolist()))


server = flower.server_app(points, settings, done)
"""


def test_guide_runs_and_a_second_run_is_refused(tmp_path):
    """The guide's app and commands: ε after each round is the engine's. Another run gets noise alone."""
    app, settings = guide_app(tmp_path, iterations=2)
    losses = [f"{x:.6g}" for x in pb.federated.losses(settings, 3, "pld", "exact")]
    with RealFederation(tmp_path, app, agents=3) as federation:
        first = federation.run()
        for number in range(3):
            federation.join(number, first)
        log = federation.until(lambda: federation.ended(first), "the run did not end")
        assert re.findall(r"(\d) of 3 agents", log) == ["3", "3"], log
        assert re.findall(r"ε = (\S+) at", log) == losses
        measured = [federation.log(f"agent{number}").count("measured") for number in range(3)]
        assert measured == [settings.initial + 2] * 3

        second = federation.run()
        log = federation.until(lambda: federation.ended(second), "the second run did not end")
        assert re.findall(r"(\d) of 3 agents", log) == ["0", "0"], log
        assert len(re.findall(r"Agent \d sent no vector", log)) == 9
        assert [federation.log(f"agent{number}").count("measured") for number in range(3)] == measured
        vectors = np.array(json.loads((tmp_path / "result.json").read_text()))
        deviation = noise_deviation(weights_at(settings, 3, 2), rate=settings.q, S=settings.S, z=settings.z)
        # 50 numbers: their root mean square is within a factor of two of the deviation but for less than 1e-6.
        assert vectors.shape == (1, settings.features)
        assert 0.5 < np.sqrt(np.mean(vectors**2)) / deviation < 2.0


def test_restarted_server_is_refused_by_the_agents_of_its_run(tmp_path):
    """Kill the server in the middle of a run and start it again: the agents' services, started again too, refuse it."""
    app, _ = guide_app(tmp_path, iterations=2)
    with RealFederation(tmp_path, app, agents=2) as federation:
        first = federation.run()
        for number in range(2):
            federation.join(number, first)
        federation.until(lambda: "Round 1: measured" in federation.log("agent0"), "round 1 did not begin")
        for process in federation.processes.values():
            federation.kill(process)
        federation.serve()
        second = federation.run()
        for number in range(2):
            federation.join(number, first)
        log = federation.until(lambda: federation.ended(second), "the second run did not end")
        assert re.findall(r"(\d) of 2 agents", log) == ["0", "0"], log
        assert len(re.findall(r"Agent \d sent no vector", log)) == 6
        assert not any("measured" in federation.log(f"agent{number}") for number in range(2))
