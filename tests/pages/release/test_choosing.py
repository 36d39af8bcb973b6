"""What each way to publish a tuned setting loses: the stored figures, and that they come out again."""

import json

import pytest

from privbo_core.data import TASKS, tuning_task
from tests.benchmarks import choosing, training, ways
from tests.benchmarks.choosing import ALGORITHM_1, BLIND, EXPONENTIAL, FLIP, Lost, lost, table
from tests.helpers.paths import DOCS, RESULTS

KEPT = json.loads((RESULTS / "choosing.json").read_text(encoding="utf-8"))
LOST = {(one["task"], one["way"], one["epsilon"], one["evaluations"]): Lost(**one) for one in KEPT["results"]}
REACHED = {(one["way"], one["epsilon"]): ways.Reached(**one) for one in KEPT["trained"]}


@pytest.mark.parametrize("task", TASKS)
def test_permute_and_flip_loses_at_most_a_tenth_of_what_algorithm_1_loses_and_never_more_than_others(task):
    first = LOST[task, ALGORITHM_1, 1.0, 50]
    # Looking at no more than the 50 candidates that Algorithm 1 looked at: an eighth.
    for evaluations, part in ((400, 10), (50, 8)):
        flip = LOST[task, FLIP, 1.0, evaluations]
        assert flip.mean + 3 * (flip.standard_error + first.standard_error / part) <= first.mean / part
    for each in ((epsilon, evaluations) for epsilon in (0.3, 1.0, 3.0) for evaluations in (10, 50, 400)):
        flip, exponential, tries = (LOST[task, way, *each] for way in (FLIP, EXPONENTIAL, ways.GEOMETRIC))
        assert flip.mean <= exponential.mean + 1e-12
        assert tries.mean > flip.mean + 2 * (tries.standard_error**2 + flip.standard_error**2) ** 0.5


def test_a_few_runs_agree_with_what_is_stored():
    for found in lost("svm", tuning_task("svm"), 12):
        if found.way != BLIND:
            known = LOST["svm", found.way, found.epsilon, found.evaluations]
            error = (found.standard_error**2 + known.standard_error**2) ** 0.5
            assert abs(found.mean - known.mean) <= 5 * error + 1e-9, found


def test_the_command_keeps_what_it_measured_and_its_training_agrees_with_what_is_stored(tmp_path, monkeypatch):
    monkeypatch.setattr(training, "EPSILONS", (1.0,))  # each is trained for alike
    assert choosing.main(["--runs", "2", "--json", str(tmp_path / "a.json")]) == 0
    short = json.loads((tmp_path / "a.json").read_text(encoding="utf-8"))
    trained = [each for each in KEPT["trained"] if each["epsilon"] in (None, 1.0)]
    assert short["command"] == "python -m tests.benchmarks.choosing --runs 2"
    for part, known in (("results", KEPT["results"]), ("trained", trained)):
        assert [each["way"] for each in short[part]] == [each["way"] for each in known]
    assert choosing.main(["--runs", "1"]) == 2
    for found in (ways.Reached(**each) for each in short["trained"]):
        # Two runs say little of their own scatter; the stored ones say it.
        known = REACHED[found.way, found.epsilon]
        scatter = known.standard_error * KEPT["trained"][0]["runs"] ** 0.5
        assert abs(found.mean - known.mean) <= 5 * scatter / found.runs**0.5 + known.standard_error, found


def test_the_best_of_a_random_number_of_tries_beats_counting_every_try_and_the_document_has_all_tables():
    for epsilon in (0.3, 1.0):
        for pair in ((ways.POISSON, ways.EACH), (ways.TRIES_OF_MANY, ways.EACH_OF_MANY)):
            better, worse = (REACHED[way, epsilon] for way in pair)
            assert better.mean - worse.mean > 2 * (better.standard_error**2 + worse.standard_error**2) ** 0.5
        assert REACHED[ways.POISSON, epsilon].mean > REACHED[ways.UNTUNED, epsilon].mean + 0.04
    assert 0 < REACHED[ways.NOT_PRIVATE, None].mean - REACHED[ways.POISSON, 1.0].mean < 0.01
    text = (DOCS / "choosing.md").read_text(encoding="utf-8")
    assert all(table(list(LOST.values()), name) in text for name in TASKS)
    assert training.table(list(REACHED.values())) in text
    assert KEPT["command"] in text
