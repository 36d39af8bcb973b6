"""Decide for every system: sheet, record and review sheet come out, and a number is that of the system's own page."""

import re
from collections import deque
from functools import partial

import numpy as np
import pandas as pd
import pytest
import streamlit as st

from pages.parts.decision import asked, table
from pages.parts.decision.words import interval
from pages.parts.export.offer import Recipe
from pages.parts.export.record import review_sheet
from pages.parts.federated.agents import GRADES, named
from pages.parts.federated.setup import set_up
from pages.parts.federated.system import at_epsilon
from pages.parts.table.own_table import OWN_TABLE, OwnTable
from privbo_core.data import TASKS, tuning_task
from privbo_core.decision import Decision, Resolution
from privbo_core.deployment import Curator, planned
from privbo_core.federated import guarantee
from privbo_core.outsourced import Difference
from privbo_core.tradeoff import federated_question, released_question
from tests.core.decision.test_deployment import parts_of
from tests.helpers.bench import said
from tests.helpers.deciding import button, come, fill, handed_out, head, seen, sign, text_of
from tests.helpers.opening import open_page
from tests.pages.shared.test_one_number import found, shown

CASES = {
    "Outsourced": {"data": "hospital", "candidates": "1, 2"},
    "Release": {"candidates": "0.5, 1, 5"},
    "Federated": {"federated_runs": "10", "candidates": "0.5, 1"},
}


def decided(system, **query):
    return come(view="simple", decide_about=system, **(CASES[system] | query))


@pytest.mark.parametrize("system", CASES)
def test_a_decision_is_signed_and_sheet_record_and_review_sheet_come_out(system):
    app = decided(system)
    assert len(head(app).split()) < 110
    sign(fill(app, "Decide for", "1"))
    key = "own data/decision/signed"
    signed = app.session_state[key if system == "Outsourced" else f"{key}/{system}"]
    assert isinstance(signed, Decision if system == "Outsourced" else Resolution)
    assert signed.digest in seen(app)
    for name in ("get-inside", "get-public", "get-order"):
        assert handed_out(app, name)
    deployment = planned(signed, Curator("The ward"))
    record = parts_of(deployment)
    assert record["privacy_loss"]["privacy_parameters"]["epsilon"] == signed.epsilon if system == "Outsourced" else 1.0
    assert record["deployment_model"]["model_name"] == ("Federated" if system == "Federated" else "Central")
    assert "nothing has gone out" in text_of(review_sheet(deployment))


@pytest.mark.parametrize("published", [{}, {"decide_published": "Setting and score"}, {"decide_way": "best of tries"}])
def test_what_is_published_changes_what_is_decided(published):
    said = seen(decided("Release", **published))
    assert ("its noisy score" in said) == bool(published)
    assert ("random number of tries" in said) == ("decide_way" in published)
    assert ("Recommended: ε = " in said) == (not published)  # by what a setting costs at most, whatever the scores
    assert "models learned from are not covered" in said


def outsourced():
    """Return what Outsourced, Trade-off and Decide say it costs at ε = 1, and how often a guess is right."""
    at = {"view": "simple", "data": "hospital"}
    own, afford = (shown(page, **at, epsilon="1") for page in ("outsourced", "tradeoff"))
    app = decided("Outsourced", data="hospital", T="30", decided="1")
    times = r"best attacker is right (\d+) times"
    costs = [found(r"(\d+) more tests", own), found(r"(\d+) more tests", afford), found(r"\+(\d+) \(", seen(app))]
    return costs, [found(times, own), found(times, afford), found(r"gets (\d+) right", head(app))]


def release():
    """Return the same of Release; Trade-off offers only so many settings as are searched, so here all of them."""
    own, said = shown("release", view="simple", epsilon="1"), head(decided("Release", decided="1"))
    task = tuning_task(TASKS[0])
    question = released_question(task, iterations=task.n)
    (curve,) = (curve for curve in question.curves if curve.name == "private selection")
    lost = deque(curve.costs(1.0, 1), maxlen=1).pop()
    costs = [found(r"What it costs (\S+) points", own), f"{100 * lost[0]:.2f}"]
    times = found(r"best attacker is right (\d+) times", own)
    return [*costs, found(r"it costs (\S+) percentage points", said)], [times, found(r"gets (\d+) right", said)]


def federated():
    """Return the same of Federated: an interval; Trade-off sweeps the same question with another measure of a run."""
    setup = set_up(named(GRADES))
    at = at_epsilon(setup.settings, setup.N, 1.0)
    assert guarantee(at, setup.N, "pld", "exact").epsilon == pytest.approx(1.0, rel=1e-3)
    own = shown("federated", view="simple", agents=GRADES, z=f"{at.z:.6g}", federated_runs="10")
    app = fill(decided("Federated"), "Decide for", "1")
    assert f"z = {at.z:.4g}"[:-1] in seen(app)
    question = federated_question(
        setup.simulation, setup.settings, setup.N, measure="early", method="pld", sensitivity="exact", dials=("z",)
    )
    (curve,) = question.curves
    one, other = (deque(each(10), maxlen=1).pop() for each in (partial(curve.costs, 1.0), question.plain.costs))
    agents = setup.agents
    swept = interval(Difference.of((one - other) * agents.scale * agents.wording.size)).partition("(")[2][:-1]
    costs = [
        found(r"Lost in the first 10 rounds: (\S+ to \S+) grades", own),
        swept,
        found(r"interval (.+?)\)", head(app)),
    ]
    return costs, [found(r"best attacker is right (\d+) times", own), found(r"gets (\d+) right", head(app))]


@pytest.mark.parametrize("views", [outsourced, release, federated])
def test_a_system_s_own_page_trade_off_and_decide_state_one_number_for_one_thing(views):
    costs, times = views()
    assert len(costs) == 3
    assert len({*costs}) == 1, costs
    assert len({*times}) == 1, times


@pytest.mark.parametrize("system", CASES)
def test_while_costs_come_in_no_result_of_another_case_stands_and_nothing_can_be_signed(system, monkeypatch):
    app = fill(come(decide_about=system, **CASES[system]), "Who decides", "A. Muster")
    assert "sign" in [each.key for each in app.button]
    for module, name in ((table, "weigh"), (asked, "weigh_question")):
        monkeypatch.setattr(module, name, lambda *_, **__: st.stop())
    app = fill(app, "Candidates", "0.7, 1.5")
    assert "sign" not in [each.key for each in app.button]
    assert "Being simulated: nothing to sign yet." in said(app)
    assert not re.search(r"ε = (0.5|1|2|5)\b(?! ≤)", head(app))


def test_a_federation_that_loses_against_each_alone_gets_no_recommendation():
    app = fill(decided("Federated", agents="schools", federated_runs="4"), "It may cost", "0.5")
    assert "Nothing is recommended: no ε here protects enough, costs less than 0.5" in head(app)
    assert "and gains anything against each school alone" in head(app)
    assert button(app, "sign").disabled


@pytest.mark.parametrize(("agreed", "larger"), [(False, False), (True, True), (None, True)])
def test_an_own_table_is_tuned_in_the_direction_that_was_agreed_on_data(agreed, larger):
    rng = np.random.default_rng(0)
    frame = pd.DataFrame({"ward": np.repeat(list("abcd"), 12), "dose": np.tile(np.arange(12.0), 4)})
    mine = OwnTable(table=frame.assign(days=rng.normal(size=48).round(3)), name="ward.csv", upload="1")
    if agreed is not None:
        mine.recipe = Recipe(("dose",), "days", agreed, False, {}, None)
    app = open_page("federated", {OWN_TABLE: mine, "agents": "own"}, view="expert", M="10", federated_runs="2")
    assert not app.exception
    (toggle,) = (each for each in app.toggle if each.label == "Larger values are better")
    assert toggle.value == larger
