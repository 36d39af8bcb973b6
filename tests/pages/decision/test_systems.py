"""Decide for every system: sheet, record and review sheet come out, and a number is that of the system's own page."""

import pytest

from pages.parts.export.record import review_sheet
from pages.parts.federated.agents import GRADES, named
from pages.parts.federated.setup import set_up
from pages.parts.federated.system import at_epsilon
from privbo_core.decision import Decision, Resolution
from privbo_core.deployment import Curator, planned
from tests.core.decision.test_deployment import parts_of
from tests.helpers.deciding import come, fill, handed_out, seen, sign, text_of
from tests.pages.shared.test_one_number import found, shown

CASES = {
    "Outsourced": {"data": "hospital", "candidates": "1, 2"},
    "Release": {"candidates": "0.5, 1, 5"},
    "Federated": {"federated_runs": "10", "candidates": "0.5, 1"},
}


def decided(system, **query):
    return come(view="simple", decide_about=system, **(CASES[system] | query))


def head(app):
    """Return the three sentences."""
    (body,) = [text_of(each.proto.body) for each in app.get("html") if 'class="pb-answer"' in each.proto.body]
    return body


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


def test_a_setting_costs_what_its_own_page_says_and_protects_as_much():
    release = shown("release", view="simple", epsilon="1")
    said = head(decided("Release"))
    assert found(r"What it costs (\S+) points", release) == found(r"it costs (\S+) percentage points", said)
    times = found(r"best attacker is right (\d+) times", release)
    assert times == found(r"gets (\d+) right", said)


def test_a_federation_loses_and_gains_what_its_own_page_says():
    setup = set_up(named(GRADES))
    z = f"{at_epsilon(setup.settings, setup.N, 1.0).z:.6g}"
    page = shown("federated", view="simple", agents=GRADES, z=z, federated_runs="10")
    app = decided("Federated")
    low, high = found(r"Lost in the first 10 rounds: (\S+ to \S+) grades", page).split(" to ")
    assert f"({low} to {high})" in seen(app)
    times = found(r"best attacker is right (\d+) times", page)
    assert f"{times} of 100" in seen(app)
    assert f"z = {float(z):.4g}"[:-1] in seen(fill(app, "Decide for", "1"))
