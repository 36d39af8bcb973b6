"""The attacks as they are set up for the Audit page: each succeeds where it must, and none passes a proven ε."""

import numpy as np
import pytest

import privbo_core as pb
from privbo_core.federated import Settings, total_loss
from privbo_core.gp import SquaredExponential
from privbo_core.release import Tuning

A = pb.audit
DELTA = 1e-5


def last(attack, total, **options):
    *_, progress = A.run(attack, total, **options)
    return progress


def table(n=80, d=3, seed=0):
    return 10 * np.random.default_rng(seed).normal(size=(n, d))


@pytest.mark.parametrize(("epsilon", "r"), [(0.01, 1), (0.01, 10), (3.0, 2), (1000.0, 1), (1000.0, 10)])
def test_the_projection_is_broken_at_any_epsilon(epsilon, r):
    points = table()
    neighbour, row, _ = A.move_one(points, np.random.default_rng(1))
    known = A.known_rows(points, row, np.random.default_rng(2))
    release = A.Projection(epsilon, DELTA, r)
    for attack in (
        A.attack_column_space(points, neighbour, release),
        A.attack_by_reconstruction(points, neighbour, row, known, release),
    ):
        found = last(attack, 200)
        assert found.flawless
        assert found.here.max() < -10 < found.there.min()
        assert found.epsilon == pytest.approx(found.last.strongest)
        assert found.refutes(epsilon) == (epsilon < found.last.strongest)


def test_the_rebuilt_record_shows_how_far_it_was_moved():
    points = table()
    neighbour, row, move = A.move_one(points, np.random.default_rng(1))
    known = A.known_rows(points, row, np.random.default_rng(2))
    attack = A.attack_by_reconstruction(points, neighbour, row, known, A.Projection(2.0, DELTA, 5))
    found = last(attack, 50)
    assert 10**found.there == pytest.approx(np.full(50, np.linalg.norm(move)), rel=1e-6)


def test_the_attacker_does_not_know_the_record_in_question():
    for n, d in ((5, 3), (80, 3), (9, 1)):
        points = table(n, d)
        for row in range(n):
            known = A.known_rows(points, row, np.random.default_rng(row))
            assert len({*known.tolist()} - {row}) == d + 1
    with pytest.raises(pb.DataError, match="knows d \\+ 1 = 4"):
        A.known_rows(table(4, 3), 0, np.random.default_rng(0))


def test_the_projection_pauses_before_each_release():
    pauses = []
    points = table()
    neighbour, _, _ = A.move_one(points, np.random.default_rng(1))
    release = A.Projection(2.0, DELTA, 5, lambda: pauses.append(1))
    last(A.attack_column_space(points, neighbour, release), 60)
    assert len(pauses) == 120


def test_a_move_inwards_is_of_length_one_and_leaves_no_bounds():
    points = np.random.default_rng(0).uniform(-5, 5, size=(40, 3))
    for seed in range(40):
        neighbour, row, move = A.move_inwards(points, np.random.default_rng(seed))
        changed = np.flatnonzero((neighbour != points).any(axis=1))
        assert changed.tolist() == [row]
        assert np.linalg.norm(move) == pytest.approx(1)
        assert (np.abs(neighbour[row]) <= np.maximum(np.abs(points[row]), 1)).all()


@pytest.mark.parametrize("epsilon", [0.5, 1.0, 3.0])
def test_the_sharpest_test_of_the_noisy_release_comes_close(epsilon):
    bounds = [[-20, 20]] * 2
    record, other = np.array([3.0, -4.0]), np.array([3.6, -3.2])
    found = last(A.attack_noisy_release(record, other, epsilon=epsilon, delta=DELTA, bounds=bounds), 100_000)
    assert 0.8 * epsilon < found.epsilon <= epsilon
    sigma = pb.privacy.gaussian_sigma(epsilon, DELTA, 1.0)
    assert (found.here.mean(), found.there.mean()) == pytest.approx((0, 1), abs=5 * sigma / np.sqrt(1e5))
    assert (found.here.std(), found.there.std()) == pytest.approx((sigma, sigma), rel=0.02)


def test_a_record_out_of_bounds_is_clipped_before_the_noise():
    far = A.attack_noisy_release([30.0, 0.0], [31.0, 0.0], epsilon=5.0, delta=DELTA, bounds=[[-20, 20]] * 2)
    found = last(far, 20_000)
    assert found.epsilon < 0.5
    assert found.least.error > 0.45


def test_the_most_telling_record_does_not_depend_on_noise():
    task = pb.data.tuning_task("svm")
    tuning = Tuning(0.99, 0.0, 50, 1e-3, A=1.0, tau=0.1)
    found = A.most_telling_record(task, tuning)
    for other, epsilon in ((tuning, 7.0), (Tuning(0.5, 0.0, 50, 1e-3, A=20.0, tau=0.4), 0.3)):
        changes = list(A.score_changes(task, other, epsilon, records=range(task.records)))
        largest = max(change.epsilon for change in changes)
        assert changes[found.record].epsilon == pytest.approx(largest)
    attacked = last(A.attack_score(found), 100_000)
    assert found.epsilon > 4
    assert 0.9 * found.epsilon < attacked.epsilon <= found.epsilon


@pytest.mark.parametrize("regions", [1, 4])
def test_a_canary_passes_none_of_three_accounts(regions):
    settings = Settings(SquaredExponential(1.0), 1.0, 8, q=0.25, z=1.0, S=1.0, P=regions)
    found = last(A.attack_broadcasts(settings, 40), 20_000)
    exact, pld = (total_loss(settings, 40, "pld", how) for how in ("exact", "paper"))
    assert 0.4 * exact < found.epsilon < exact <= pld < total_loss(settings, 40)


def test_rounds_of_equal_weights_are_set_up_once():
    pauses = []
    settings = Settings(SquaredExponential(1.0), 1.0, 60, q=0.25, z=1.0, S=1.0, P=2, hold=10, fade=20)
    attack = A.attack_broadcasts(settings, 20, lambda: pauses.append(1))
    assert len(pauses) <= 22
    plain = A.server_canary(settings, 20)
    rngs = [np.random.default_rng(3) for _ in range(2)]
    assert np.array_equal(attack.mechanism(True, 100, rngs[0]), plain(True, 100, rngs[1]))


@pytest.mark.parametrize("shape", ["laplace", "gaussian"])
def test_the_audit_finds_noise_that_is_a_fifth_too_small(shape):
    scale = A.known_scale(shape, 1.0, DELTA)
    truth = 1.25 if shape == "laplace" else pb.privacy.gaussian_epsilon(DELTA, 0.8 * scale, 1.0)
    right, small = (last(A.attack_known_noise(shape, 1.0, DELTA, share), 100_000, seed=4) for share in (1.0, 0.8))
    assert right.epsilon <= 1 < small.epsilon <= truth
    assert (right.refutes(1.0), small.refutes(1.0)) == (False, True)


def test_unknown_noise_is_refused():
    with pytest.raises(ValueError, match="'laplace' or 'gaussian'"):
        A.attack_known_noise("cauchy", 1.0, DELTA)
