"""All ways to publish a setting at the same ε and number of evaluations, against the measured ones that are kept."""

import json
from dataclasses import replace

import pytest

import privbo_core as pb
from privbo_core.privacy import Status
from privbo_core.tradeoff import ways_lost
from tests.helpers.paths import RESULTS

KEPT = json.loads((RESULTS / "choosing.json").read_text(encoding="utf-8"))["results"]


@pytest.mark.parametrize("task", pb.data.TASKS)
def test_each_way_loses_what_was_measured_over_four_hundred_runs(task):
    ways = ways_lost(pb.data.tuning_task(task), 1.0, (10, 50, 400))
    found = {way.name: way for way in ways if not way.score or "tries" in way.name}
    compared = 0
    for each in KEPT:
        if each["task"] == task and each["epsilon"] == 1.0 and each["way"] in found:
            loss = found[each["way"]].losses[(10, 50, 400).index(each["evaluations"])]
            # Private selection among random candidates is a mean over 100 sets here, over 400 there.
            sets = 0.0 if "tries" in each["way"] or each["evaluations"] == 400 else 2 * each["standard_error"]
            assert abs(loss - each["mean"]) < 4.5 * (each["standard_error"] + sets) + 1e-3 * each["mean"]
            compared += 1
    assert compared == 2 + 2 * 3 + 2 * 3


def test_the_recommended_way_is_the_best_and_its_score_costs_half_of_epsilon():
    task = pb.data.tuning_task("logistic")
    ways = {(way.name, way.score): way for way in ways_lost(task, 2.0, (400,))}
    assert min(ways.values(), key=lambda way: way.losses[0] or 1.0).name == "permute-and-flip"
    alone = pb.release.selection(task.scores, records=250, epsilon=1.0, way="permute-and-flip").choice.expected_loss
    assert ways["permute-and-flip", True].losses[0] == pytest.approx(alone)
    assert ways["Algorithm 1 of DP-BO", False].losses == (None,)
    for (name, _), way in ways.items():
        assert way.guarantee.epsilon == 2.0
        assert (way.guarantee.status is Status.PROVED) == (name != "Algorithm 1 of DP-BO")


def test_without_the_number_of_records_nothing_can_be_compared():
    task = replace(pb.data.tuning_task("logistic"), records=None)
    with pytest.raises(ValueError, match="need m"):
        ways_lost(task, 1.0, (10,))
