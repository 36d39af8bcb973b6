"""What each way to publish a tuned setting loses: the stored figures, and that they come out again."""

import json
from pathlib import Path

import pytest

from privbo_core.data import TASKS, tuning_task
from privbo_core.experiments.choosing import __main__ as command
from privbo_core.experiments.choosing import lost
from privbo_core.experiments.choosing.measure import ALGORITHM_1, BLIND, EXPONENTIAL, FLIP, GEOMETRIC

STORED = Path(__file__).parents[3] / "results" / "choosing.json"
RESULTS = json.loads(STORED.read_text(encoding="utf-8"))["results"]


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


def test_the_command_says_what_it_measured(tmp_path, capsys):
    assert command.main(["--runs", "2", "--json", str(tmp_path / "a.json")]) == 0
    assert "| permute-and-flip | 400 |" in capsys.readouterr().out
    kept = json.loads((tmp_path / "a.json").read_text(encoding="utf-8"))
    assert kept["command"] == "python -m privbo_core.experiments.choosing --runs 2"
    assert {each["task"] for each in kept["results"]} == set(TASKS)
    assert command.main(["--runs", "1"]) == 2
