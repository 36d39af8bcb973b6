"""Tuning tasks: the models behind the scores, the files that ship, uploads, and neighbouring data."""

import runpy

import numpy as np
import pandas as pd
import pytest

import privbo_core as pb
from privbo_core.data.logistic import fit_path, in_unit_ball, losses_of_path, sigmoid_losses
from tests.helpers.amounts import few
from tests.helpers.numbers import numbers
from tests.helpers.paths import SAMPLES
from tests.helpers.refusing import refusals

TASKS = [pb.data.tuning_task(name) for name in pb.data.TASKS]


def two_classes(n=120, p=4, seed=0):
    rng = np.random.default_rng(seed)
    features = rng.normal(size=(n, p)) * [1, 10, 0.1, 3][:p] + 5
    labels = np.where(features[:, 0] + features[:, 1] / 10 + rng.normal(size=n) > 5.5, 1.0, -1.0)
    return features, labels


def test_fitted_paths_end_where_the_gradient_is_zero():
    features = np.array([[0.5, 0.1], [0.6, -0.2], [-0.5, 0.3], [-0.7, 0.0]])
    labels = np.array([1.0, 1.0, -1.0, -1.0])
    lambdas = np.geomspace(1e-8, 10, 30)
    for strength, w in zip(lambdas, fit_path(features, labels, lambdas), strict=True):
        wrong = 1 / (1 + np.exp(labels * (features @ w)))
        assert np.linalg.norm(strength * w - (features * labels[:, None]).T @ wrong / 4) < 1e-9
        assert np.linalg.norm(w) <= 1 / strength


def test_assumption_2_holds_for_the_losses():
    """‖x‖ ≤ 1 makes the training loss 1-Lipschitz and the validation loss ¼-Lipschitz, with values in [0, 1]."""
    features, labels = two_classes(400)
    inside, outside = in_unit_ball(features[:60], features[60:], products=True)
    assert max(np.linalg.norm(inside, axis=1).max(), np.linalg.norm(outside, axis=1).max()) <= 1 + 1e-12
    rng = np.random.default_rng(1)
    w = rng.normal(size=(50, inside.shape[1])) * 3
    w[25:] = 0.0
    moved = w + rng.normal(size=w.shape) * 1e-3
    moved[25:] = outside[:25] * 1e-3  # the steepest way from where the sigmoid is steepest
    distance = np.linalg.norm(moved - w, axis=1)
    change = np.abs(sigmoid_losses(outside, labels[60:], moved) - sigmoid_losses(outside, labels[60:], w))
    loss = TASKS[0].loss
    assert (change <= loss.slope * distance * (1 + 1e-9)).all()
    assert (change > 0.9 * loss.slope * distance).any(), "L is not too large either"
    assert sigmoid_losses(outside, labels[60:], w * 1e6).max() <= loss.largest


TABLE = pd.DataFrame({"a": [1.0, 2.0, 3.0], "b": [0.0, 1.0, 2.0], "flat": [1.0] * 3, "score": [0.1, 0.5, 0.2]})
FEATURES, LABELS = two_classes(60)
own = pb.data.task_from_table


def test_scaling_looks_at_the_training_rows_alone():
    features, _ = two_classes()
    _, outside = in_unit_ball(features[:50], features[50:], products=False)
    _, one = in_unit_ball(features[:50], features[50:51], products=False)
    np.testing.assert_allclose(outside[0], one[0])


@pytest.mark.parametrize("name", few(pb.data.TASKS[:1], pb.data.TASKS))
def test_the_shipped_files_are_what_the_script_computes(name, tmp_path):
    script = runpy.run_path(str(SAMPLES / "make_tuning.py"))
    script["save"](tmp_path, name, *script[name]())
    with np.load(tmp_path / f"tuning_{name}.npz") as fresh, np.load(SAMPLES / f"tuning_{name}.npz") as kept:
        assert set(fresh) == set(kept)
        np.testing.assert_allclose(fresh["parameters"], kept["parameters"], rtol=1e-12)
        for part in ("losses", "reserve"):
            # Another processor may round the last of 65535 steps differently.
            assert np.abs(fresh[part].astype(int) - kept[part].astype(int)).max() <= 2


@pytest.mark.parametrize("task", TASKS, ids=pb.data.TASKS)
def test_the_shipped_tasks(task):
    assert (task.n, task.records, task.losses.shape, task.kernel.variance) == (400, 250, (250, 400), 1.0)
    np.testing.assert_allclose(task.scores, -task.losses.mean(axis=0))
    np.testing.assert_allclose(task.score(task.objective), task.scores)
    assert 0.4 < task.objective.std() < 2.5, "prior variance 1 must not be far off"
    best = task.parameters[task.scores.argmax()]
    assert (best > task.parameters.min(axis=0)).all(), "the best setting is not at the weak end"
    assert np.ptp(task.scores) > 0.15, "tuning must matter"


@pytest.mark.parametrize("task", TASKS, ids=pb.data.TASKS)
def test_neighbours_are_what_recomputing_gives(task):
    rng = np.random.default_rng(0)
    for record in rng.choice(task.records, 20, replace=False):
        np.testing.assert_allclose(pb.data.without(task, record), -np.delete(task.losses, record, axis=0).mean(axis=0))
        changed = task.losses.copy()
        changed[record] = task.reserve[3]
        after = pb.data.with_replacement(task, record, task.reserve[3])
        np.testing.assert_allclose(after, -changed.mean(axis=0))
        assert np.abs(after - task.scores).max() <= 1 / task.records + 1e-15


def test_a_dataset_of_ones_own():
    features, labels = two_classes(200)
    names = np.where(labels > 0, "yes", "no")
    settings = {"train": 50, "public": 40, "validation": 80, "path": pb.data.LogisticPath(candidates=30)}
    task = pb.data.logistic_task(features, names, **settings, rng=np.random.default_rng(3))
    order = np.random.default_rng(3).permutation(200)
    losses = losses_of_path(features[order], labels[order], task.parameters[:, 0], train=50, products=False)
    np.testing.assert_allclose(task.scores, -losses[40:120].mean(axis=0))
    assert (task.records, len(task.reserve)) == (80, 30)
    assert (task.loss.lambda_min, task.loss.lambda_max) == (task.parameters.min(), task.parameters.max())
    assert task.centre == pytest.approx(-losses[:40].mean())


def test_a_table_of_ones_own():
    table = pd.DataFrame({"rate": [1e-3, 1e-2, 1e-1, 1.0], "depth": [1, 2, 3, 4], "error": [0.4, 0.2, 0.1, 0.3]})
    task = own(table, ["rate", "depth"], "error", logarithmic=["rate"], maximize=False, records=100, decimals="exact")
    assert task.scores.tolist() == [-0.4, -0.2, -0.1, -0.3]
    ratio = np.diff(task.points[:, 0])
    np.testing.assert_allclose(ratio, ratio[0])
    assert [task.objective.mean(), task.objective.std()] == pytest.approx([0.0, 1.0], abs=1e-12)
    assert "sensitive" in task.prior_from


def test_a_missing_cell_drops_its_row_and_says_so():
    table = pb.data.load_table(b"a;score\n1;0,1\n2;0,4\n3;\nn/a;0,2\n5;0,3\n")
    task = own(table, ["a"], "score", records=10, decimals="exact")
    np.testing.assert_allclose(task.scores, [0.1, 0.4, 0.3])
    assert numbers(task.notes[0]) == [3, 5, 2]
    assert any("'score'" in note and numbers(note) == [1, 3] for note in task.notes[1:])
    assert "must not depend on the records" in task.conditions[0]
    assert not pb.data.task_from_table(table.drop(index=2), ["a"], "score").conditions  # a setting's own cell alone


def test_repeated_settings_are_averaged_and_give_the_noise():
    rng = np.random.default_rng(3)
    settings = np.repeat(np.arange(40.0), 5)
    scores = np.sin(settings / 5) + 0.2 * rng.standard_normal(200)
    task = own(pd.DataFrame({"a": settings, "score": scores}), ["a"], "score", records=10, decimals="exact")
    np.testing.assert_allclose(task.scores, scores.reshape(40, 5).mean(axis=1))
    pooled = scores.reshape(40, 5).var(axis=1, ddof=1).mean()
    np.testing.assert_allclose(task.noise, np.sqrt(pooled / 5))
    assert 0.08 < task.noise < 0.1  # 0.2/√5
    assert numbers(task.notes[0]) == pytest.approx([40, 40, 200, np.sqrt(pooled / 5)], rel=1e-3)
    assert not task.conditions  # a mean of scores moves by no more than each of them


def test_a_mean_of_repeats_moves_no_more_than_one_of_them():
    """The bound on which ε rests: with one record changed as badly as can be, no averaged score moves by more."""
    rng = np.random.default_rng(4)
    losses = rng.random((7, 3, 20))  # settings × repeats × records, each in [0, 1]
    other = losses.copy()
    other[..., 0] = 1.0 - np.round(losses[..., 0])
    made = []
    for each in (losses, other):
        rows = [{"a": a, "score": each[a, repeat].mean()} for a in range(7) for repeat in range(3)]
        made.append(own(pd.DataFrame(rows), ["a"], "score", records=20, decimals="exact"))
    moved = np.abs(made[0].scores - made[1].scores).max()
    assert 0 < moved <= made[0].largest_loss / made[0].records


def logistic(labels=LABELS, train=20, validation=20, **path):
    split = {"train": train, "public": 10, "validation": validation, "rng": np.random.default_rng(0)}
    return pb.data.logistic_task(FEATURES, labels, **split, path=pb.data.LogisticPath(**path))


def changed(inputs=("a",), **columns):
    return own(TABLE.assign(**columns), list(inputs), "score")


test_unusable_input_is_refused = refusals(
    (lambda: pb.data.tuning_task("forest"), "tuning tasks are 'logistic', 'svm'"),
    (lambda: own(TABLE, ["z"], "score"), "No column is called 'z'. The columns are 'a'"),
    (lambda: own(TABLE, [], "score"), "parameters is empty"),
    (lambda: own(TABLE, ["flat"], "score"), "Column 'flat' is constant"),
    (lambda: own(TABLE, ["a"], "flat"), "Column 'flat' is constant"),
    (lambda: own(TABLE, ["b"], "score", logarithmic=["b"]), "'b' holds 0. A logarithm"),
    (lambda: own(TABLE, ["a"], "score", logarithmic=["b"]), "logarithmic names 'b'"),
    (lambda: own(TABLE[:1], ["a"], "score"), "1 rows. At least 2"),
    (lambda: own(TABLE, ["a"], "score", records=9), "decimals is missing"),
    (lambda: own(TABLE, ["a"], "score", records=0), r"records \(m\) is 0"),
    (lambda: changed(score=["?", "?", 0.2]), "'score' has 2 unusable"),
    (lambda: changed("ab", a=[1, 2, "x"], b=["y", 1, 2]), "1 of 3 rows"),
    (lambda: changed(score=[0.1, np.inf, np.nan]), "infinite"),
    (lambda: logistic(LABELS[:9]), "labels has 9 entries"),
    (lambda: logistic(np.arange(60)), "labels has 60 kinds"),
    (lambda: logistic([None, *LABELS[1:]]), "labels is empty in row 0"),
    (lambda: logistic(train=40), "60 rows, but .* is 70"),
    (lambda: logistic(validation=0), "validation is 0"),
    (lambda: logistic(lambda_min=0.0), "lambda_min is 0.0"),
    (lambda: logistic(lambda_max=1e-9), "must exceed lambda_min"),
    (lambda: pb.data.LipschitzLoss(0.25, 1.0, 0.0, 1.0), "lambda_min is 0.0"),
    (lambda: pb.data.LipschitzLoss(0.25, 1.0, 2.0, 1.0), r"lambda_max is 1.0\. .* at least lambda_min = 2.0"),
    (lambda: pb.data.LipschitzLoss(-1.0, 1.0, 2.0, 3.0), r"slope \(L\) is -1.0"),
    (lambda: pb.data.without(TASKS[0], 250), r"record contains 250\. .* from 0 to 249"),
    (lambda: pb.data.without(own(TABLE, ["a"], "score"), 0), "mean scores only"),
    (lambda: pb.data.with_replacement(TASKS[0], 0, np.full(400, 2.0)), "runs from 2 to 2. It must lie within 0 to 1"),
    (lambda: pb.data.with_replacement(TASKS[0], 0, np.zeros(3)), "loss has shape"),
)
