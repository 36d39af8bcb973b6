"""Decisions about any question: what candidates cost, the signed file, and the record that comes of it."""

import io
import json
from dataclasses import replace

import numpy as np
import pytest

from privbo_core.data import TASKS, sample, tuning_task
from privbo_core.decision import (
    Person,
    Resolution,
    read_resolution,
    resolution_bytes,
    weigh,
    weigh_question,
)
from privbo_core.decision.resolution import looked
from privbo_core.deployment import planned
from privbo_core.errors import DataError
from privbo_core.federated import GRADES_START, grades, saving, variants
from privbo_core.federated import Simulation as Federation
from privbo_core.federated.simulation import EARLY
from privbo_core.outsourced import Setting, Simulation
from privbo_core.privacy import Guarantee, Status
from privbo_core.release import selection
from privbo_core.tradeoff import dial_at, federated_question, measure, outsourced_question
from privbo_core.tradeoff.release import released_question, ways_lost, ways_question
from tests.core.decision.test_deployment import parts_of

PROMISE = Guarantee(
    "a record", "everybody", "two lists", 1.0, 0.0, ("The list was fixed.",), Status.PROVED, "a theorem"
)
GOES_OUT = ("Release", "One of 400 settings.", "One record", PROMISE, "The team is trusted.", ("The list is public.",))
SIGNED = ((Person("A. Muster", "head"),), "2026-03-31", "Which C", "“<b>”")
RESOLUTION = Resolution(*GOES_OUT, (("settings", "400"),), "Summary statistics", "Central", *SIGNED)


def last(steps):
    *_, found = steps
    return found


@pytest.mark.parametrize("published", ["setting", "both"])
def test_a_published_setting_costs_what_the_page_of_its_ways_says_and_what_a_sweep_over_all_settings_finds(published):
    task, few = tuning_task(TASKS[0]), (1.0, 5.0)
    question = ways_question(task, published=published)
    ways = {each: ways_lost(task, each, (task.n,)) for each in few}
    places = {"private selection": 3 if published == "both" else 2, "best of tries": 5}
    for curve in question.curves:
        for each in last(weigh_question(question, curve, few, 2, write=lambda cost: 100 * cost)).known:
            assert each.costs == pytest.approx(100 * ways[each.epsilon][places[curve.name]].losses[0])
            assert each.cost.standard_error == 0
    swept = released_question(replace(task), published=published, iterations=task.n).curves[-1]
    here = question.curves[0]
    assert swept.name == here.name
    assert last(measure(swept, 1.0, 1)).costs[0] == pytest.approx(last(measure(here, 1.0, 1)).costs[0])
    plan = selection(task.scores, records=task.records, epsilon=1.0, way="permute-and-flip")
    if published == "setting":
        lost = plan.choice.probabilities @ (task.scores.max() - task.scores)
        assert last(measure(here, 1.0, 1)).mean == pytest.approx(lost)
    with pytest.raises(ValueError, match="records is None"):
        ways_question(replace(task, records=None))


def test_the_first_rounds_of_a_federation_cost_what_its_page_says_and_gain_over_each_alone():
    problem = grades()
    simulation = Federation(lambda run: problem)
    start = replace(GRADES_START.settings(problem), iterations=4, features=10)
    agents = 20
    question = federated_question(simulation, start, agents, measure="early", method="pld", sensitivity="exact")
    curve = question.curves[0]
    weighing = last(weigh_question(question, curve, (2.0, 5.0), 3))
    for each in weighing.known:
        at = replace(start, z=dial_at("z", each.epsilon, start, agents, "pld", "exact"))
        free = variants(start)
        progress = last(simulation.compare({"here": at, "alone": free["TS"], "free": free["FTS-DE"]}, agents, 3))
        assert each.costs.mean() == pytest.approx(saving(progress, "free", "here", EARLY).mean)
        assert -each.over["TS, no sharing"].mean() == pytest.approx(saving(progress, "here", "alone", EARLY).mean)
        assert weighing.gain.mean == pytest.approx(saving(progress, "free", "alone", EARLY).mean)


def test_searches_in_a_table_cost_what_a_sweep_finds_in_the_table_s_own_unit():
    homes = Simulation(sample("homes"))
    setting, problem = Setting(1.0, 1e-5, 10, 12, search="ucb/5", once=True), homes.problem
    question = outsourced_question(homes, setting, mechanisms=("noisy",))
    (curve,) = question.curves
    lost = [last(steps) for steps in (curve.costs(2.0, 5), question.reference(curve).costs(5))]
    with_privacy, without = (
        problem.preparation.output(problem.objective.max() - problem.sigma_y * each) for each in lost
    )
    (known,) = last(weigh(homes, setting, (2.0,), 5)).known
    assert known.costs == pytest.approx(with_privacy - without)  # the lowest price is looked for


def test_a_question_without_another_way_has_no_gain_and_one_out_of_reach_is_refused():
    task = tuning_task(TASKS[0])
    question = replace(ways_question(task), others=())
    weighing = last(weigh_question(question, question.curves[0], (1.0,), 2))
    assert weighing.gain is None
    narrow = replace(question.curves[0], low=0.5, high=2.0)
    with pytest.raises(ValueError, match="epsilon is 5"):
        last(weigh_question(question, narrow, (5.0,), 2))


def test_a_decision_comes_back_as_it_was_signed_and_not_if_it_was_changed():
    found = resolution_bytes(RESOLUTION)
    assert read_resolution(io.BytesIO(found)) == RESOLUTION
    said = json.loads(found)
    changes = {"goes_out": "All of them.", "people": [], "day": "today", "model": "Nobody's", "version": 1}
    for name, value in changes.items():
        with pytest.raises(DataError):
            read_resolution(io.BytesIO(json.dumps(said | {name: value}).encode()))
    seen = looked(PROMISE, "ε was chosen later.")
    assert (seen.status, seen.conditions[-1].in_full) == (Status.CONDITIONAL, "ε was chosen later.")
    assert looked(replace(PROMISE, status=Status.CLAIMED), "…").status is Status.CLAIMED


@pytest.mark.parametrize(
    "resolution", [RESOLUTION, replace(RESOLUTION, terms=(), unprotected=(), actors="", subject="")]
)
def test_a_decision_s_record_is_valid_and_says_what_was_signed(resolution):
    deployment = planned(resolution)
    found = parts_of(deployment)
    assert found["privacy_loss"]["privacy_parameters"] == {"epsilon": 1.0}
    assert "A. Muster (head)" in found["implementation"]["justification"]
    assert resolution.digest in found["administrative"]["sources"]
    assert "nothing has gone out" in found["administrative"]["notes"]
    assert np.all([level.name for level in deployment.levels])
