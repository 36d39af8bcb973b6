"""Attacks that the product does not have, against every mechanism whose guarantee says "proved"."""

import itertools
import math

import numpy as np
import pytest

import privbo_core as pb
from privbo_core.federated.run import Streams
from privbo_core.federated.server import aggregate

A, R = pb.audit, pb.release
DELTA = 1e-3


def shown(mechanism, delta, trials, gaussian=False):
    bound = A.gaussian_lower_bound if gaussian else A.epsilon_lower_bound
    return bound(mechanism, 0, 1, delta, trials, 0.999, np.random.default_rng(0))


@pytest.mark.statistical
@pytest.mark.parametrize("epsilon", [0.5, 3.0])
@pytest.mark.parametrize("distance", [1.0, math.inf])
def test_noisy_release_against_an_extreme_record_moved_where_the_map_stretches_most(distance, epsilon):
    """One row lies far beyond the bounds. The attacker knows the two records, and the map A, which is skewed.

    Noise is independent from row to row, so many rows with the same record are many releases of it.
    """
    skewed = np.array([[3.0, 1.0, 0.0], [0.0, 0.2, 1.0]])
    bounds = np.array([[-1.0, 1.0], [-2.0, 2.0]])
    steepest = np.linalg.svd(skewed)[0][:, 0]
    here = np.array([-9.0, 9.0]) if math.isinf(distance) else -0.5 * steepest
    there = -here if math.isinf(distance) else 0.5 * steepest
    clipped = [np.clip(record, bounds[:, 0], bounds[:, 1]) @ skewed for record in (here, there)]
    direction = clipped[1] - clipped[0]

    def attack(which, trials, rng):
        table = np.tile((here, there)[which], (trials, 1))
        sent = pb.outsourced.noisy_release(
            table, epsilon, DELTA, bounds=bounds, protected_distance=distance, projection=skewed, rng=rng
        )
        return sent.Z @ direction

    found = shown(attack, DELTA, 200_000, gaussian=True)
    assert found.verdict(epsilon) == "not refuted"
    # Along the steepest direction nothing is given away: the account is exact.
    assert math.isinf(distance) or found.epsilon > 0.8 * epsilon


def test_private_selection_against_every_pair_of_small_tables():
    """All 19 683 pairs of two records' losses in {0, ½, 1} on three candidates that differ in one record, exactly."""
    epsilon, rows = 1.7, np.array(list(itertools.product([0.0, 0.5, 1.0], repeat=3)))
    log_p = np.array(
        [
            [R.selection(-(one + two) / 2, records=2, epsilon=epsilon).choice.log_probabilities for two in rows]
            for one in rows
        ]
    )
    losses = np.abs(log_p[:, :, None] - log_p[:, None, :]).max(axis=-1)
    assert losses.size == 19_683
    assert losses.max() <= epsilon + 1e-12
    assert losses.max() > 0.6 * epsilon


@pytest.mark.statistical
def test_private_selection_against_a_reader_of_the_score_alone():
    """The record turns a single good candidate bad, so that another one's score is published."""
    epsilon, m = 1.0, 20
    here, there = (R.selection([-0.5, good, -0.5, -0.5], records=m, epsilon=epsilon) for good in (-0.5 + 1 / m, -0.5))

    def attack(which, trials, rng):
        plan = (here, there)[which]
        rows = pb.privacy.simulate.select(plan.choice, pb.privacy.simulate.gumbel(trials, 4, rng))
        return plan.scores[rows] + plan.value.scale * pb.privacy.simulate.laplace(trials, rng)

    assert shown(attack, 0.0, 100_000).verdict(here.guarantee(2).epsilon) == "not refuted"


@pytest.mark.statistical
@pytest.mark.parametrize("seed", range(3))
def test_algorithm_3_against_a_search_whose_path_betrays_the_record(seed):
    """On V the search tries all candidates, on V′, with one label turned round, only the worst: any search may."""
    rng, epsilon, m = np.random.default_rng(seed), 1.0, 30
    features = rng.normal(size=(12 + m, 4))
    features /= np.linalg.norm(features, axis=1)[:, None]
    labels = np.where(features @ rng.normal(size=4) > 0, 1.0, -1.0)
    lambdas = np.geomspace(0.2, 0.25, 40)
    w = pb.data.logistic.fit_path(features[:12], labels[:12], lambdas)
    scores = []
    for turned in (None, *range(12, 12 + m)):
        given = labels.copy()
        if turned is not None:
            given[turned] *= -1
        scores.append(-pb.data.logistic.sigmoid_losses(features, given, w)[12:].mean(axis=0))
    known = pb.data.LipschitzLoss(0.25, 1.0, 0.2, 0.25)
    other = min(scores[1:], key=lambda score: score.min())
    here = R.lipschitz(scores[0], loss=known, records=m, epsilon=epsilon)
    there = R.lipschitz([other.min()], loss=known, records=m, epsilon=epsilon)
    assert here.guarantee().status == pb.privacy.Status.PROVED
    mechanism = lambda which, trials, rng: (here, there)[which].best + here.value.scale * rng.laplace(size=trials)  # noqa: E731
    assert shown(mechanism, 0.0, 100_000).verdict(epsilon) == "not refuted"


def broadcast_energy(settings, z, agents=2):
    """The longest part of each round's broadcast, summed: an observer who knows neither vectors nor selection.

    Agent 0 sends as long a vector as it can, in another direction each round; agent 1 sends nothing.
    """
    explores = np.arange(agents) % settings.P
    weights = pb.federated.region_weights(explores, settings.P, settings.a, 1.0)

    def attack(present, trials, rng):
        streams, seen = Streams.of(rng), np.zeros(trials)
        for trial in range(trials):
            for round_ in range(settings.iterations):
                sent = np.zeros((agents, settings.features))
                sent[0, round_ % settings.features] = 1e9
                selected = streams.selection.random(agents) < settings.q
                selected[0] &= bool(present)
                normals = streams.server.standard_normal((settings.P, settings.features))
                broadcast = aggregate(sent, selected, weights, rate=settings.q, S=settings.S, z=z, normals=normals)
                seen[trial] += np.linalg.norm(broadcast.vectors, axis=1).max()
        return seen

    return attack


@pytest.mark.statistical
@pytest.mark.parametrize("P", [1, 2])
def test_federated_broadcast_against_an_observer_of_its_length(P):
    settings = pb.federated.Settings(
        kernel=pb.gp.SquaredExponential(1.0), noise_variance=1.0, iterations=3, features=4, q=0.5, z=1.0, S=5.0, P=P
    )
    claim = pb.privacy.epsilon(settings.q, settings.z, settings.iterations, DELTA, "pld")
    assert shown(broadcast_energy(settings, settings.z), DELTA, 10_000).verdict(claim) == "not refuted"
    caught = shown(broadcast_energy(settings, 0.1 * settings.z), DELTA, 10_000)
    assert caught.verdict(claim) == "refuted", "the attack sees a tenth of the noise"
