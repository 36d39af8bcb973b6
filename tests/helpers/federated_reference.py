"""DP-FTS-DE as one would first write it: a loop over agents, each with its own solves.

It uses the random numbers of `privbo_core.federated.run`, and shares nothing else with it beyond the features, the root
of the kernel matrix and the schedule of deviations, so the two must ask for the same rows.
"""

import math

import numpy as np

from privbo_core.errors import Array
from privbo_core.federated import Settings
from privbo_core.federated.run import Streams, deviation_schedule
from privbo_core.gp import random_features, root
from privbo_core.gp.kernels import covariance


def reference_rows(
    objectives: Array, points: Array, regions: np.ndarray, settings: Settings, rng: np.random.Generator
) -> np.ndarray:
    """Return the (N_init + T)×N rows that each agent queries, in order."""
    dice = Streams.of(rng)
    agents, n = objectives.shape
    P, M, noise = settings.P, settings.features, settings.noise_variance
    ridge = 1.0 + 2.0 / settings.iterations if settings.ridge == "theory" else noise
    spreads = deviation_schedule(points, settings)
    phi = random_features(points, settings.kernel, M, dice.features)
    basis = root(points, settings.kernel)
    k = covariance(settings.kernel, points, points)
    asked: list[list[int]] = [[] for _ in range(agents)]
    seen: list[list[float]] = [[] for _ in range(agents)]
    keys = dice.initial.random((agents, n))
    outside = (regions[None, :] != (np.arange(agents) % P)[:, None]) & (settings.start == "region")
    starts = []
    for agent in range(agents):
        inside = [row for row in range(n) if not outside[agent, row]]
        inside.sort(key=lambda row: keys[agent, row])
        starts.append(set(inside[: settings.initial]))
    # The order in which an agent evaluates its first points is immaterial, but the noise that each gets is not.
    order = np.argpartition(keys + outside, settings.initial - 1, axis=1)[:, : settings.initial]
    for i in range(settings.initial):
        for agent in range(agents):
            row = int(order[agent, i])
            assert row in starts[agent]
            asked[agent].append(row)
            seen[agent].append(objectives[agent, row] + math.sqrt(noise) * dice.noise.standard_normal())
    for t in range(1, settings.iterations + 1):
        coins = [dice.coins.random() for _ in range(agents)]
        evaluations = settings.initial + t - 1
        spread = spreads[t - 1]
        own_w = [spread * dice.own.standard_normal(basis.shape[1]) for _ in range(agents)]
        own_e = [spread * math.sqrt(ridge) * dice.own.standard_normal(evaluations) for _ in range(agents)]
        own_rows, sent = [], []
        for agent in range(agents):
            rows, y = asked[agent], np.array(seen[agent])
            prior = basis @ own_w[agent]
            gram = k[np.ix_(rows, rows)] + ridge * np.eye(evaluations)
            sample = prior + k[:, rows] @ np.linalg.solve(gram, y - prior[rows] - own_e[agent])
            own_rows.append(int(sample.argmax()))
        share = 0.0 if math.isinf(settings.decay) else t**-settings.decay
        if share > 0:
            w = [dice.vectors.standard_normal(M) for _ in range(agents)]
            e = [math.sqrt(ridge) * dice.vectors.standard_normal(evaluations) for _ in range(agents)]
            for agent in range(agents):
                features, y = phi[asked[agent]], np.array(seen[agent])
                gram = features @ features.T + ridge * np.eye(evaluations)
                sent.append(w[agent] + features.T @ np.linalg.solve(gram, y - features @ w[agent] - e[agent]))
            inverse_temperature = min(1.0, max(0.0, 1.0 - (t - settings.hold) / settings.fade))
            weights = np.zeros((P, agents))
            for i in range(P):
                exponents = [
                    (settings.a * (agent % P == i) + 1.0) * inverse_temperature if inverse_temperature else 0.0
                    for agent in range(agents)
                ]
                weights[i] = np.exp(exponents) / np.exp(exponents).sum()
            drawn, q = [dice.selection.random() for _ in range(agents)], settings.q
            joined = [agent for agent in range(agents) if drawn[agent] < q]
            if settings.sampling == "fixed":
                size = max(1, round(q * agents))
                joined, q = sorted(np.argsort(drawn)[:size].tolist()), size / agents
            normals = dice.server.standard_normal((P, M))
            best, best_value = 0, -math.inf
            vectors = []
            for i in range(P):
                total = np.zeros(M)
                for agent in joined:
                    length = np.linalg.norm(sent[agent])
                    total += weights[i, agent] / q * sent[agent] / max(1.0, length * math.sqrt(P) / settings.S)
                largest = weights.max()
                if settings.calibration == "exact":
                    largest = max(np.linalg.norm(weights[:, agent]) for agent in range(agents)) / math.sqrt(P)
                deviation = settings.z * largest * settings.S / q if settings.z else 0.0
                vectors.append(total + deviation * normals[i])
            for row in range(n):
                value = phi[row] @ vectors[regions[row]]
                if value > best_value:
                    best, best_value = row, value
        for agent in range(agents):
            row = best if coins[agent] < share else own_rows[agent]
            asked[agent].append(row)
            seen[agent].append(objectives[agent, row] + math.sqrt(noise) * dice.noise.standard_normal())
    return np.array(asked).T
