"""What one record moves in the tasks that ship."""

import math

import numpy as np
import pytest

import privbo_core as pb
from tests.helpers.amounts import few
from tests.helpers.worked_example import R

RECORDS = range(0, 250, few(50, 10))
TUNING = R.Tuning(k1=0.99, sigma=0.1, iterations=25, delta=0.05)


@pytest.mark.parametrize("name", pb.data.TASKS)
def test_real_neighbours_stay_within_what_is_promised(name):
    task = pb.data.tuning_task(name)
    moved = dict(R.removals(task, RECORDS, TUNING, np.random.default_rng(0)))
    assert list(moved) == list(RECORDS)
    for record, movement in moved.items():
        after = pb.data.without(task, record)
        assert movement.score_moved == pytest.approx(np.abs(after - task.scores).max())
        assert 0 < movement.score_moved <= movement.score_limit
        assert 0 < movement.mean_moved < movement.theorem_1.value
        assert movement.best_moved < movement.theorem_3.value
        rms = np.sqrt(np.mean(((after - task.scores) / task.unit) ** 2))
        assert math.sqrt(2 * (1 - movement.matching_k1)) == pytest.approx(rms)
        plan = R.noisy(movement.before, epsilon=5.0, k1=TUNING.k1)
        assert movement.choice_loss(plan.choice) <= 5.0 * movement.mean_moved / plan.choice.sensitivity + 1e-12
        if task.loss:
            assert movement.best_score_moved <= movement.theorem_7.value
    assert (moved[0].theorem_7 is None) == (name == "svm")


def test_movements_are_differences_of_the_two_searches():
    task = pb.data.tuning_task("svm")
    moved = R.compare(task, pb.data.without(task, 136), TUNING, np.random.default_rng(0))
    before, after = moved.before, moved.after
    assert moved.mean_moved == pytest.approx(np.abs(after.mean - before.mean).max())
    assert moved.best_moved == pytest.approx(abs(after.observed.max() - before.observed.max()))
    scores = pb.data.without(task, 136)
    assert moved.best_score_moved == pytest.approx(abs(scores[after.rows].max() - task.scores[before.rows].max()))
    assert moved.same_path == (before.rows.tolist() == after.rows.tolist())
    # Both searches see the same noise, so where they ask for the same row first, the scores alone differ.
    assert before.rows[0] == after.rows[0]
    difference = (scores - task.scores)[before.rows[0]] / task.unit
    assert after.observed[0] - before.observed[0] == pytest.approx(difference)


def test_the_same_data_are_no_neighbour():
    task = pb.data.tuning_task("svm")
    same = R.compare(task, task.scores, TUNING, np.random.default_rng(0))
    assert (same.score_moved, same.mean_moved, same.best_moved, same.same_path) == (0, 0, 0, True)
    assert same.matching_k1 == 1
    flipped = R.compare(task, pb.data.with_replacement(task, 7, 1 - task.losses[7]), TUNING, np.random.default_rng(0))
    assert flipped.score_moved == pytest.approx(np.abs(1 - 2 * task.losses[7]).max() / 250)
    exact = R.compare(task, pb.data.without(task, 3), R.Tuning(0.9, 0.0, 10, 0.05), np.random.default_rng(0))
    assert exact.theorem_3 is None
