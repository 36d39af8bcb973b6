"""A real study of Optuna, published."""

import numpy as np
import optuna
import pytest
from optuna.samplers import GridSampler, NSGAIISampler, PartialFixedSampler, QMCSampler, RandomSampler, TPESampler
from sklearn.datasets import load_breast_cancer
from sklearn.model_selection import cross_val_score, train_test_split
from sklearn.tree import DecisionTreeClassifier

import privbo_core as pb
from privbo_core.optuna import publish_best, scores_of
from privbo_core.privacy import Status

optuna.logging.set_verbosity(optuna.logging.WARNING)
pytestmark = pytest.mark.filterwarnings("ignore::optuna.exceptions.ExperimentalWarning")
PLAN = "the list was written into the study's protocol"
X, y = load_breast_cancer(return_X_y=True)


def simple(trial):
    return trial.suggest_float("x", 0.0, 1.0)


def both(trial):
    return simple(trial), 1.0


def tree(trial):
    leaf, depth = trial.suggest_float("min_samples_leaf", 0.01, 0.5), trial.suggest_int("max_depth", 1, 4)
    return DecisionTreeClassifier(min_samples_leaf=leaf, max_depth=depth, random_state=0)


def study(function=simple, trials=8, sampler=None, catch=(), enqueued=None, **options):
    options = options or {"direction": "maximize"}
    made = optuna.create_study(sampler=sampler or RandomSampler(seed=1), **options)
    if enqueued:
        made.enqueue_trial(enqueued)
    made.optimize(function, n_trials=trials, catch=catch)
    return made


def test_a_study_of_a_real_model_ends_in_a_private_setting():
    X_train, X_held, y_train, y_held = train_test_split(X, y, random_state=0)
    made = study(lambda trial: tree(trial).fit(X_train, y_train).score(X_held, y_held), 15)
    found = publish_best(made, 2.0, score_range=(0, 1), records=len(y_held), decimals="exact", score_share=0.25)
    assert found.setting in [trial.params for trial in made.trials]
    assert (found.guarantee.epsilon, found.guarantee.status) == (2.0, Status.PROVED)
    assert found.guarantee.protects == "each record of the validation set"
    assert found.half_width == pytest.approx(np.log(20) / 143 / 0.5)
    probabilities = scores_of(made, score_range=(0, 1), records=len(y_held), decimals="exact").choice(1.5).probabilities
    lost = max(trial.value for trial in made.trials) - probabilities @ [trial.value for trial in made.trials]
    assert 0 < lost < 0.03


def test_scores_in_parts_cover_training_too():
    parts = np.array_split(np.random.default_rng(0).permutation(len(y)), 20)

    def objective(trial):
        model = tree(trial)
        trial.set_user_attr("parts", [cross_val_score(model, X[part], y[part], cv=2).mean() for part in parts])
        return np.mean(trial.user_attrs["parts"])

    made = study(objective, 4)
    scores = scores_of(made, score_range=(0, 1))
    assert (scores.kind, scores.shares) == ("parts", 20)
    assert scores.means == pytest.approx([trial.value for trial in made.trials])
    assert publish_best(made, 1.0, score_range=(0, 1)).guarantee.status is Status.PROVED
    # What is published is what the table of trials would have given.
    table = pb.release.read_scores(made.trials_dataframe(), score_range=(0, 1), sampler="random")
    assert table.choice(1.0).probabilities == pytest.approx(scores.choice(1.0).probabilities)


def test_a_loss_is_made_small():
    made = study(direction="minimize")
    assert publish_best(made, 1e6, score_range=(1, 0), records=10, decimals="exact").setting == made.best_params


@pytest.mark.parametrize(
    "make", [lambda: GridSampler({"x": [0, 1, 2]}, seed=0), QMCSampler, optuna.samplers.BruteForceSampler]
)
def test_samplers_that_look_at_nothing_are_taken(make):
    made = study(lambda trial: trial.suggest_int("x", 0, 3) / 3, sampler=make())
    assert len(scores_of(made, score_range=(0, 1), records=50, decimals="exact").settings) == len(made.trials) >= 3


class Listening(RandomSampler):
    """A random sampler of a user's own, which may do what it likes."""


@pytest.mark.parametrize(
    ("make", "name"),
    [
        (TPESampler, "TPESampler"),
        (NSGAIISampler, "NSGAIISampler"),
        (lambda: PartialFixedSampler({"x": 0.5}, TPESampler()), "PartialFixedSampler"),
        (lambda: QMCSampler(independent_sampler=TPESampler()), "TPESampler"),
        (Listening, "Listening"),
    ],
)
def test_samplers_that_may_look_at_scores_are_refused(make, name):
    words = f"sampler is {name}, which may look at earlier scores.*run the study again with RandomSampler"
    with pytest.raises(pb.DataError, match=words):
        publish_best(study(sampler=make()), 1.0, score_range=(0, 1), records=50, decimals="exact")


def failing(error):
    def function(trial):
        if trial.number == 2:
            raise error
        return simple(trial)

    return function


def changed_its_sampler():
    made = study(trials=12, sampler=TPESampler(seed=0))
    made.sampler = RandomSampler()
    return made


def waiting():
    made = study()
    made.ask()
    return made


def of_lists(attribute):
    def function(trial):
        trial.set_user_attr("parts", attribute if isinstance(attribute[0], str) else attribute[trial.number % 2])
        return simple(trial)

    return function


LISTS = "'parts' must be a list of numbers in every trial, all of the same length"


@pytest.mark.parametrize(
    ("make", "options", "words"),
    [
        (changed_its_sampler, {}, "Trial 10 was suggested by an adaptive sampler"),
        (lambda: study(failing(optuna.TrialPruned())), {}, r"Trial 2 was pruned.*NopPruner"),
        (lambda: study(failing(ArithmeticError("row 7")), catch=(ArithmeticError,)), {}, "Trial 2 is fail"),
        (waiting, {}, "Trial 8 is running"),
        (study, {"records": None}, "records is missing"),
        (study, {"decimals": None}, "decimals is missing"),
        (study, {"score_range": (1, 0)}, r"direction is to maximize, but score_range \(1, 0\) is for the other"),
        (study, {"score_range": (0, 0.5)}, "lies outside score_range"),
        (study, {"score_range": (0, float("inf"))}, "two different finite numbers"),
        (lambda: study(both, directions=["maximize", "minimize"]), {}, "several objectives"),
        (lambda: study(of_lists([[0.1, 0.2], [0.3]])), {"records": None}, LISTS),
        (lambda: study(of_lists(["a", "b"])), {"records": None}, LISTS),
    ],
)
def test_unusable_studies_are_refused(make, options, words):
    with pytest.raises(pb.DataError, match=words):
        publish_best(make(), 1.0, **{"score_range": (0, 1), "records": 50, "decimals": "exact", **options})


def test_an_enqueued_trial_makes_it_conditional():
    made = study(trials=3, enqueued={"x": 0.5})
    promise = publish_best(made, 1.0, score_range=(0, 1), records=50, decimals="exact").guarantee
    assert promise.status is Status.UNMET
    assert any("enqueued" in sentence for sentence in promise.in_full)
    assert any("No timeout or callback" in sentence for sentence in promise.in_full)
