"""A small federation.toml, and agents that answer without a network."""

import math

import numpy as np

from privbo_core.federated.agents import Streams
from privbo_core.federated.flower.member import Member, NoNumberError, Own
from privbo_core.federated.flower.service import Heard, Received
from privbo_core.federated.flower.terms import read_terms

SETTINGS = """
[[inputs]]
name = "a"
low = -1.0
high = 1.0
levels = 12
[[inputs]]
name = "b"
low = 0.0
high = 100.0
levels = 10
[model]
kernel = "squared exponential"
lengthscale = 0.3
variance = 1.0
noise_variance = 0.01
centre = {centre}
scale = {scale}
[search]
rounds = {rounds}
initial = 3
features = 20
feature_seed = 4
regions = 2
[privacy]
agents = {agents}
q = {q}
clip = 2.0
delta = 0.001
{noise}
budget = {budget}
[time]
wait = 1
round = 1
"""


def written(folder, **changed):
    said = {"agents": 4, "rounds": 6, "q": 0.5, "noise": "z = 1.0", "budget": "inf", "centre": 0.0, "scale": 1.0}
    path = folder / "federation.toml"
    path.write_text(SETTINGS.format(**{**said, **changed}))
    return path


def terms(folder, **changed):
    return read_terms(written(folder, **changed))


class Crowd:
    """Agents 0 … N − 1 with the values ``objectives`` (N×n) and the noise that they have in `federated.run`."""

    def __init__(self, terms, folder, objectives, seed=None):
        streams = Streams.of(np.random.default_rng(0 if seed is None else seed))
        evaluations = terms.settings.initial + terms.settings.iterations
        noise = math.sqrt(terms.settings.noise_variance) * np.array(
            [streams.noise.standard_normal(terms.agents) for _ in range(evaluations)]
        )
        self.terms, self.seed, self.owns = terms, seed, []
        self.calls = [0] * terms.agents
        self.asked = [[] for _ in range(terms.agents)]
        self.silent, self.broken = set(), set()
        self.heard = []
        for number in range(terms.agents):
            evaluate = self._objective(number, objectives[number], noise[:, number])
            self.owns.append(Own(number, evaluate, folder / f"{number}.jsonl", None))

    def _objective(self, number, values, noise):
        rows = {tuple(self.terms.setting(row).values()): row for row in range(len(values))}

        def evaluate(setting):
            if number in self.broken:
                raise NoNumberError("a broken machine")
            row, call = rows[tuple(setting.values())], self.calls[number]
            self.calls[number] += 1
            self.asked[number].append(row)
            return float(values[row] + noise[call])

        return evaluate

    def ask(self, t, vectors):
        received, failed = [], 0
        for own in self.owns:
            if own.number in self.silent:
                continue
            # A new object each time, as each message finds a new process.
            answer = Member(self.terms, own, self.seed).turn("1", t, vectors)
            failed += answer.garbage
            if not answer.garbage:
                received.append(Received(answer.number, answer.t, answer.vector, answer.regret))
        self.heard.append(Heard(len(self.owns), tuple(received), failed))
        return self.heard[-1]
