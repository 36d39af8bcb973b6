"""Attacks that the product does not have, against every mechanism whose guarantee says "proved"."""

import itertools
import math

import numpy as np
import pytest

import privbo_core as pb

A, R = pb.audit, pb.release
DELTA = 1e-3


def shown(mechanism, delta, trials, gaussian=False):
    bound = A.gaussian_lower_bound if gaussian else A.epsilon_lower_bound
    return bound(mechanism, 0, 1, delta, trials, 0.999, np.random.default_rng(0))


@pytest.mark.parametrize("epsilon", [0.5, 3.0])
@pytest.mark.parametrize("distance", [1.0, math.inf])
def test_the_noisy_release_along_its_steepest_direction(distance, epsilon):
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


@pytest.mark.parametrize("way", ["exponential", "permute-and-flip"])
@pytest.mark.parametrize("largest", [1.0, 3.0])
def test_private_selection_on_every_pair_of_small_tables(way, largest):
    """All 19 683 pairs of two records' losses in {0, ½, 1} on three candidates that differ in one record, exactly."""
    epsilon, rows = 1.7, largest * np.array(list(itertools.product([0.0, 0.5, 1.0], repeat=3)))
    given = {"records": 2, "epsilon": epsilon, "largest_loss": largest, "way": way}
    plans = [R.selection(-(one + two) / 2, **given).choice.log_probabilities for one in rows for two in rows]
    log_p = np.reshape(plans, (27, 27, 3))
    losses = np.abs(log_p[:, :, None] - log_p[:, None, :]).max(axis=-1)
    assert losses.size == 19_683
    assert 0.6 * epsilon < losses.max() <= epsilon + 1e-12
