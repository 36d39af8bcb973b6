"""A real study of Optuna, published."""

import subprocess
import sys
import warnings

import numpy as np
import optuna
import pytest
from sklearn.datasets import load_breast_cancer
from sklearn.model_selection import cross_val_score, train_test_split
from sklearn.tree import DecisionTreeClassifier

import privbo_core as pb
from privbo_core.optuna import publish_best, scores_of
from privbo_core.privacy import Status

optuna.logging.set_verbosity(optuna.logging.WARNING)
PLAN = "the list was written into the study's protocol"


def simple(trial):
    return trial.suggest_float("x", 0.0, 1.0)


def tree(trial):
    smallest = trial.suggest_float("min_samples_leaf", 0.01, 0.5)
    return DecisionTreeClassifier(
        min_samples_leaf=smallest, max_depth=trial.suggest_int("max_depth", 1, 4), random_state=0
    )


def study(function=simple, trials=8, sampler=None, **options):
    options = {"direction": "maximize", **options}
    made = optuna.create_study(sampler=sampler or optuna.samplers.RandomSampler(seed=1), **options)
    made.optimize(function, n_trials=trials)
    return made


def test_a_study_of_a_real_model_ends_in_a_private_setting():
    X, y = load_breast_cancer(return_X_y=True)
    X_train, X_held, y_train, y_held = train_test_split(X, y, random_state=0)

    def objective(trial):
        return tree(trial).fit(X_train, y_train).score(X_held, y_held)

    made = study(objective, 15)
    found = publish_best(
        made, 2.0, score_range=(0, 1), records=len(y_held), score_share=0.25, known_from=PLAN
    )  # fmt: skip
    assert found.setting == made.trials[found.row].params
    assert (found.guarantee.epsilon, found.guarantee.status) == (2.0, Status.PROVED)
    assert found.guarantee.protects == "each record of the validation set"
    assert found.half_width == pytest.approx(np.log(20) / 143 / 0.5)
    probabilities = scores_of(made, score_range=(0, 1), records=len(y_held)).choice(1.5).probabilities
    lost = max(trial.value for trial in made.trials) - probabilities @ [trial.value for trial in made.trials]
    assert 0 < lost < 0.03


def test_scores_in_parts_cover_training_too():
    X, y = load_breast_cancer(return_X_y=True)
    parts = np.array_split(np.random.default_rng(0).permutation(len(y)), 20)

    def objective(trial):
        model = tree(trial)
        scores = [cross_val_score(model, X[part], y[part], cv=2).mean() for part in parts]
        trial.set_user_attr("parts", scores)
        return np.mean(scores)

    made = study(objective, 6)
    scores = scores_of(made, score_range=(0, 1), known_from=PLAN)
    assert (scores.kind, scores.shares) == ("parts", 20)
    assert scores.means == pytest.approx([trial.value for trial in made.trials])
    assert publish_best(made, 1.0, score_range=(0, 1), known_from=PLAN).guarantee.status is Status.PROVED
    # What is published is what the table of trials would have given.
    table = pb.tuning.read_scores(made.trials_dataframe(), score_range=(0, 1), sampler="random")
    assert table.choice(1.0).probabilities == pytest.approx(scores.choice(1.0).probabilities)


def test_a_loss_is_made_small():
    made = study(direction="minimize")
    found = publish_best(made, 1e6, score_range=(1, 0), records=10)
    assert found.setting == made.best_params


def grid_sampler():
    return optuna.samplers.GridSampler({"x": [0.1, 0.2, 0.3]}, seed=0)


@pytest.mark.filterwarnings("ignore::optuna.exceptions.ExperimentalWarning")
@pytest.mark.parametrize(
    "sampler",
    [grid_sampler, optuna.samplers.QMCSampler, optuna.samplers.BruteForceSampler],
    ids=lambda one: one.__name__,
)
def test_samplers_that_look_at_nothing_are_taken(sampler):
    def function(trial):
        return trial.suggest_int("x", 0, 3) / 3 if sampler is optuna.samplers.BruteForceSampler else simple(trial)

    made = study(function, sampler=sampler())
    assert len(scores_of(made, score_range=(0, 1), records=50).settings) == len(made.trials) >= 3


class Listening(optuna.samplers.RandomSampler):
    """A random sampler of a user's own, which may do what it likes."""


def mixed():
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return optuna.samplers.QMCSampler(independent_sampler=optuna.samplers.TPESampler())


@pytest.mark.parametrize(
    ("sampler", "name"),
    [
        (optuna.samplers.TPESampler, "TPESampler"),
        (optuna.samplers.NSGAIISampler, "NSGAIISampler"),
        (lambda: optuna.samplers.PartialFixedSampler({"x": 0.5}, optuna.samplers.TPESampler()), "PartialFixedSampler"),
        (mixed, "TPESampler"),
        (Listening, "Listening"),
    ],
)
@pytest.mark.filterwarnings("ignore::optuna.exceptions.ExperimentalWarning")
def test_samplers_that_may_look_at_scores_are_refused_with_a_way_out(sampler, name):
    made = study(sampler=sampler())
    with pytest.raises(pb.DataError, match=f"sampler is {name}, which may look at earlier scores") as refused:
        publish_best(made, 1.0, score_range=(0, 1), records=50)
    assert "run the study again with RandomSampler" in str(refused.value)


def test_a_study_that_changed_its_sampler_is_found_out():
    made = study(trials=12, sampler=optuna.samplers.TPESampler(seed=0))
    made.sampler = optuna.samplers.RandomSampler()
    with pytest.raises(pb.DataError, match="Trial 10 was suggested by an adaptive sampler"):
        publish_best(made, 1.0, score_range=(0, 1), records=50)


def test_the_first_trials_of_an_adaptive_sampler_would_not_help():
    """With its list, TPE tells the records' part: the same dice, one record's score apart, other settings."""
    lists = []
    for moved in (0.0, 0.001):  # one record of a thousand

        def function(trial, moved=moved):
            return 0.5 + 0.001 * simple(trial) + (moved if trial.number == 0 else 0.0)

        made = study(function, 30, sampler=optuna.samplers.TPESampler(seed=3, n_startup_trials=3))
        lists.append([trial.params["x"] for trial in made.trials])
    assert lists[0][:3] == lists[1][:3]
    assert lists[0] != lists[1]


def failing(error):
    def function(trial):
        if trial.number == 2:
            raise error
        return simple(trial)

    return function


def test_pruned_and_failed_and_waiting_trials_are_refused():
    with pytest.raises(pb.DataError, match=r"Trial 2 was pruned.*NopPruner"):
        publish_best(study(failing(optuna.TrialPruned())), 1.0, score_range=(0, 1), records=50)
    failed = optuna.create_study(sampler=optuna.samplers.RandomSampler(), direction="maximize")
    failed.optimize(failing(ArithmeticError("row 7")), n_trials=4, catch=(ArithmeticError,))
    with pytest.raises(pb.DataError, match="Trial 2 is fail"):
        publish_best(failed, 1.0, score_range=(0, 1), records=50)
    waiting = study()
    waiting.ask()
    with pytest.raises(pb.DataError, match="Trial 8 is running"):
        publish_best(waiting, 1.0, score_range=(0, 1), records=50)


def test_an_enqueued_trial_makes_it_conditional():
    made = optuna.create_study(sampler=optuna.samplers.RandomSampler(), direction="maximize")
    made.enqueue_trial({"x": 0.5})
    made.optimize(simple, n_trials=3)
    promise = publish_best(made, 1.0, score_range=(0, 1), records=50, known_from=PLAN).guarantee
    assert promise.status is Status.CONDITIONAL
    assert any("enqueued" in sentence for sentence in promise.assumptions)


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"score_range": (0, 1)}, "records is missing"),
        ({"score_range": (1, 0), "records": 50}, r"direction is to maximize, but score_range \(1, 0\) says the other"),
        ({"score_range": (0, 0.5), "records": 50}, "lies outside score_range"),
        ({"score_range": (0, float("inf")), "records": 50}, "two different finite numbers"),
    ],
)
def test_what_gives_no_sensitivity_is_named(options, words):
    with pytest.raises(pb.DataError, match=words):
        publish_best(study(), 1.0, **options)


def test_several_objectives_are_refused():
    made = optuna.create_study(sampler=optuna.samplers.RandomSampler(), directions=["maximize", "minimize"])
    made.optimize(lambda trial: (simple(trial), 1.0), n_trials=3)
    with pytest.raises(pb.DataError, match="several objectives"):
        publish_best(made, 1.0, score_range=(0, 1), records=50)


@pytest.mark.parametrize("attribute", [[[0.1, 0.2], [0.3]], ["a", "b"]])
def test_lists_of_scores_are_of_one_length(attribute):
    def function(trial):
        trial.set_user_attr("parts", attribute if isinstance(attribute[0], str) else attribute[trial.number % 2])
        return simple(trial)

    with pytest.raises(pb.DataError, match="'parts' must be a list of numbers in every trial, all of the same length"):
        publish_best(study(function), 1.0, score_range=(0, 1))


@pytest.mark.parametrize(("name", "tool"), [("optuna", "Optuna"), ("sklearn", "scikit-learn")])
def test_without_the_tool_a_sentence_says_what_to_install(monkeypatch, name, tool):
    for loaded in [one for one in sys.modules if one.split(".")[0] == name or one.startswith(f"privbo_core.{name}")]:
        monkeypatch.delitem(sys.modules, loaded)
    monkeypatch.setitem(sys.modules, name, None)
    with pytest.raises(ImportError, match=f"needs {tool}, which is not installed: pip install"):
        __import__(f"privbo_core.{name}")


def test_the_engine_needs_neither_tool():
    code = "import privbo_core, sys; sys.exit(bool({'sklearn', 'optuna'} & set(sys.modules)))"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
