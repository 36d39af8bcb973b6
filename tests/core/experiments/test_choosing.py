"""What each way to publish a tuned setting loses: the stored figures, and that they come out again."""

import json

import pytest

from privbo_core.data import TASKS, tuning_task
from privbo_core.experiments.choosing import __main__ as command
from privbo_core.experiments.choosing import lost, trained
from privbo_core.experiments.choosing.measure import ALGORITHM_1, BLIND, EXPONENTIAL, FLIP, GEOMETRIC, Lost, table
from tests.helpers.paths import ROOT

KEPT = json.loads((ROOT / "results" / "choosing.json").read_text(encoding="utf-8"))
RESULTS = KEPT["results"]


def stored(task, way, epsilon, evaluations):
    (found,) = [
        each
        for each in RESULTS
        if (each["task"], each["way"], each["epsilon"], each["evaluations"]) == (task, way, epsilon, evaluations)
    ]
    return found


@pytest.mark.parametrize("task", TASKS)
def test_permute_and_flip_loses_at_most_a_tenth_of_what_algorithm_1_loses(task):
    first, flip = stored(task, ALGORITHM_1, 1.0, 50), stored(task, FLIP, 1.0, 400)
    error = first["standard_error"] / 10 + flip["standard_error"]
    assert flip["mean"] + 3 * error <= first["mean"] / 10
    # Looking at no more than the 50 candidates that Algorithm 1 looked at: an eighth.
    same = stored(task, FLIP, 1.0, 50)
    assert same["mean"] + 3 * (same["standard_error"] + first["standard_error"] / 8) <= first["mean"] / 8


@pytest.mark.parametrize("task", TASKS)
@pytest.mark.parametrize("epsilon", [0.3, 1.0, 3.0])
@pytest.mark.parametrize("evaluations", [10, 50, 400])
def test_of_a_finite_list_permute_and_flip_is_never_worse_and_random_tries_are(task, epsilon, evaluations):
    flip = stored(task, FLIP, epsilon, evaluations)
    assert flip["mean"] <= stored(task, EXPONENTIAL, epsilon, evaluations)["mean"] + 1e-12
    tries = stored(task, GEOMETRIC, epsilon, evaluations)
    assert tries["mean"] > flip["mean"] + 2 * (tries["standard_error"] ** 2 + flip["standard_error"] ** 2) ** 0.5


def test_a_few_runs_agree_with_what_is_stored():
    task = tuning_task("svm")
    for found in lost("svm", task, 12):
        if found.way == BLIND:
            continue
        known = stored("svm", found.way, found.epsilon, found.evaluations)
        error = (found.standard_error**2 + known["standard_error"] ** 2) ** 0.5
        assert abs(found.mean - known["mean"]) <= 5 * error + 1e-9, found


@pytest.fixture(scope="module")
def short(tmp_path_factory):
    kept = tmp_path_factory.mktemp("short") / "a.json"
    assert command.main(["--runs", "2", "--json", str(kept)]) == 0
    return json.loads(kept.read_text(encoding="utf-8"))


def test_the_command_keeps_what_it_measured(short):
    assert short["command"] == "python -m privbo_core.experiments.choosing --runs 2"
    for part in ("results", "trained"):
        assert [each["way"] for each in short[part]] == [each["way"] for each in KEPT[part]]
    assert command.main(["--runs", "1"]) == 2


def trained_share(way, epsilon):
    (found,) = [each for each in KEPT["trained"] if (each["way"], each["epsilon"]) == (way, epsilon)]
    return found["mean"], found["standard_error"]


def test_the_best_of_a_random_number_of_tries_beats_counting_every_try():
    for epsilon in (0.3, 1.0):
        for tries, each in ((trained.POISSON, trained.EACH), (trained.TRIES_OF_MANY, trained.EACH_OF_MANY)):
            better, worse = trained_share(tries, epsilon), trained_share(each, epsilon)
            assert better[0] - worse[0] > 2 * (better[1] ** 2 + worse[1] ** 2) ** 0.5
        assert trained_share(trained.POISSON, epsilon)[0] > trained_share(trained.UNTUNED, epsilon)[0] + 0.04
    without, at_one = trained_share(trained.NOT_PRIVATE, None), trained_share(trained.POISSON, 1.0)
    assert 0 < without[0] - at_one[0] < 0.01


@pytest.mark.statistical
def test_two_runs_of_private_training_agree_with_what_is_stored(short):
    for found in (trained.Reached(**each) for each in short["trained"]):
        mean, error = trained_share(found.way, found.epsilon)
        # Two runs say little of their own scatter; the stored ones say it.
        scatter = error * KEPT["trained"][0]["runs"] ** 0.5
        assert abs(found.mean - mean) <= 5 * scatter / found.runs**0.5 + error, found


def test_the_document_has_the_tables_as_they_are_stored():
    text = (ROOT / "docs" / "choosing.md").read_text(encoding="utf-8")
    results = [Lost(**each) for each in RESULTS]
    for name in TASKS:
        assert table(results, name) in text
    assert trained.table([trained.Reached(**each) for each in KEPT["trained"]]) in text
    assert KEPT["command"] in text
