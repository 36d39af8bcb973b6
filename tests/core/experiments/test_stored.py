"""The stored results come out again: some replicates of the papers' experiments, computed anew.

These are the only recorded results of the engine that a test compares with. The Papers page shows them, so it must not
show what today's engine no longer computes.
"""

import pytest

from privbo_core import experiments
from privbo_core.experiments import EXPERIMENTS, Piece
from tests.helpers.amounts import few
from tests.helpers.paths import RESULTS

STORED, _ = experiments.read(RESULTS / "reproduced.jsonl")
SEARCHED = ("bounds", "outsourced", "federated")
ARMS = 3
GATE = [
    "bounds-candidates",
    "branin",
    "federated-fig-2a",
    "federated-fig-3",
    "table-4",
    "table-5-noisy",
    "table-8-noisy",
]
BY_EIGENVECTORS = "functions"
"""Data whose functions are drawn by eigenvectors. Processors of another kind draw other functions."""


def stored(experiment, tasks):
    """Return the first stored replicates of an experiment's arms with one of these tasks."""
    digests = {arm.digest: arm for arm in EXPERIMENTS[experiment].arms if arm.task in tasks}
    firsts = [each for each in STORED.values() if each.experiment == experiment and each.first == 0]
    return [(each, Piece(experiment, digests[each.digest], 0, 1)) for each in firsts if each.digest in digests]


def comes_out(outcome, piece):
    """Return whether each measure of the first replicate is the stored one, which has five digits."""
    again = experiments.work(piece).measures
    return all(
        values[0] == pytest.approx(outcome.measures[name][0], rel=1e-3, abs=1e-6) for name, values in again.items()
    )


def test_every_experiment_has_stored_results_of_its_settings():
    for experiment in EXPERIMENTS:
        assert stored(experiment, (*SEARCHED, "accountant", "condition")), experiment


def test_stored_privacy_losses_and_conditions_come_out_again():
    for experiment in EXPERIMENTS:
        for outcome, piece in stored(experiment, ("accountant", "condition")):
            assert comes_out(outcome, piece), (experiment, outcome.arm)


@pytest.mark.parametrize("experiment", few(GATE, list(EXPERIMENTS)))
def test_stored_searches_come_out_again(experiment):
    """At least one of three arms: on another processor, rounding may decide otherwise in one of a hundred decisions."""
    arms = [each for each in stored(experiment, SEARCHED) if each[1].arm.settings.get("data") != BY_EIGENVECTORS]
    if not arms:
        pytest.skip("all of its functions are drawn by eigenvectors")
    assert any(comes_out(*each) for each in arms[:ARMS])
