"""Decide for every system: sheet, record and review sheet come out, and a number is that of the system's own page."""

import re

import numpy as np
import pandas as pd
import pytest
import streamlit as st
import yaml
from scipy.special import stdtrit

from pages.parts.decision import curve, table, words
from pages.parts.export.offer import Recipe
from pages.parts.federated.agents import FAMILY, GRADES, MINE, OWN, Mine
from pages.parts.release.tasks import SCORES
from pages.parts.table.own_table import OWN_TABLE, OwnTable
from pages.parts.views.text import as_plain
from privbo_core.data import TASKS, tuning_task
from privbo_core.decision import Recommendation
from privbo_core.federated import Simulation, from_table
from privbo_core.tradeoff.solve import Answer
from tests.helpers.bench import said
from tests.helpers.deciding import a_table, button, come, field, fill, head, seen, sign, simulation_of, text_of
from tests.helpers.opening import open_page
from tests.helpers.reading import traces
from tests.helpers.released import brought

CASES = {
    "Outsourced": {"data": "hospital", "candidates": "1, 2"},
    "Release": {"candidates": "0.5, 1, 5"},
    "Federated": {"federated_runs": "10", "candidates": "0.5, 1"},
}
REVIEW_AND_SHEETS = "Review sheet (HTML)", "Page for your eyes (HTML)", "Page for everybody (HTML)"
SIGNED = "own data/decision/signed"


def page_text(app):
    bodies = [each.proto.body for each in app.get("html")] + [each.value for each in app.markdown]
    bodies = [re.sub(r"<style>.*?</style>\s*(?=<article)", "", body, flags=re.DOTALL) for body in bodies]
    text = as_plain(" ".join(re.sub(r"<[^>]+>", " ", body) for body in bodies if "<style" not in body))
    return re.sub(r"\s+", " ", text)


def shown(page, **query):
    return page_text(open_page(page, **query))


def found(pattern, text):
    match = re.search(pattern, text)
    assert match, (pattern, text[:3000])
    return match.group(1)


def own(system, record=0.0):
    """Return what a session holds in which a table of one's own was brought; neighbours differ in one ``record``."""
    if system == "Outsourced":
        table = a_table()
        simulation = simulation_of(table.assign(marker=[table["marker"][0] + record, *table["marker"][1:]]))
        return {
            OWN_TABLE: OwnTable(simulation=simulation, recipe=Recipe(("age", "dose"), "marker", True, False, {}, None))
        }
    if system == "Release":
        return brought(pd.DataFrame({"C": [0.1, 1.0, 10.0], "score": [0.6, 0.8 - record / 10, 0.7]}), SCORES)
    rows = [(f"site {n}", dose, np.sin(dose / 3 + n / 10)) for n in range(4) for dose in np.linspace(0, 9, 12)]
    rows[0] = (*rows[0][:2], rows[0][2] + record)
    problem = from_table(pd.DataFrame(rows, columns=["site", "dose", "effect"]), "site", ["dose"], "effect")
    columns = "site", ("dose",), "effect", True
    return {MINE: Mine(simulation=Simulation(lambda run: problem), digest="own", columns=columns)}


def decided(system, state=None, **query):
    app = open_page(
        "decision", state or {}, **({"view": "simple", "decide_about": system, "T": 10} | CASES[system] | query)
    )
    return app


@pytest.fixture
def files(monkeypatch):
    found = {}
    monkeypatch.setattr(
        "streamlit.download_button",
        lambda label, data, *_, **__: found.update({label: data() if callable(data) else data}),
    )
    return found


def signed(system, data, files, record=0.0, decide="1"):
    picked = {"Outsourced": "data", "Release": "task", "Federated": "agents"}[system]
    few = {"candidates": "1, 2", "federated_runs": "5"}
    if data == "own":
        data = {"Outsourced": "own", "Release": SCORES, "Federated": OWN}[system]
        app = decided(system, own(system, record), **{picked: data}, **few, view="expert")
    else:
        app = decided(system, **{picked: data}, **few)
    for known in [each for each in app.number_input if each.label.startswith(("Records scored", "m: "))]:
        known.set_value(20).run()
    fill(fill(fill(app, "Decide for", decide), "On", "2026-03-31"), "The data", "For a test")
    whose = [each for each in app.checkbox if each.label.startswith("Right: One")]
    # Who is protected follows from an own table's columns, but where each row is a record.
    assert len(whose) == (system != "Outsourced" and data in (SCORES, OWN))
    if whose:
        assert button(fill(app, "Who decides", "A. Muster"), "sign").disabled
        whose[0].check().run()
    files.clear()
    app.session_state["record"] = True
    sign(app)
    return app.session_state[SIGNED if system == "Outsourced" else f"{SIGNED}/{system}"]


@pytest.mark.parametrize(
    ("system", "data"),
    [("Outsourced", "hospital"), ("Outsourced", "homes"), ("Outsourced", "own"), ("Release", "logistic"),
     ("Release", "svm"), ("Release", "own"), ("Federated", GRADES), ("Federated", FAMILY), ("Federated", "own")],
)  # fmt: skip
def test_sheet_record_and_review_sheet_come_out_of_one_press(system, data, files):
    decision = signed(system, data, files)
    kept = decision.guarantee("") if system == "Outsourced" else decision.guarantee
    record, loss = yaml.safe_load(files["Record (YAML)"])["deployment"], "privacy_loss"
    assert record[loss]["privacy_parameters"]["epsilon"] == pytest.approx(1.0, rel=1e-3)
    many = record["deployment_model"]["release_type"] == "Many releases"
    assert (record["deployment_model"]["model_name"] == "Federated") == many == (system == "Federated")
    less = "what it found is hidden less well: at up to twice this ε, and a larger δ"
    assert (less in text_of(files["Page for everybody (HTML)"])) == many
    if many:
        both = (1 + np.e) * decision.guarantee.delta  # of what both neighbour the run without it
        (said,) = re.findall("hidden at ε = 2 and δ = ([0-9.]+), at worst", text_of(files["Page for everybody (HTML)"]))
        assert both <= float(said) < 1.01 * both
    review, inside, public = (text_of(files[name]) for name in REVIEW_AND_SHEETS)
    assert "nothing has gone out" in review
    assert "by simulated searches" not in review  # a release's cost is computed
    assert "To be signed" not in inside + public
    for text in (review, inside, public, record[loss]["privacy_parameters_details"]):
        assert kept.stands in text  # one fact in the same words
    assert all(decision.digest in text for text in (inside, public, str(record)))
    assert "one in" in public if kept.delta else "δ" not in public.partition("4 What")[0].partition("2 What")[2]


@pytest.mark.usefixtures("as_often")
@pytest.mark.parametrize(("system", "decide"), [*((system, "1") for system in CASES), ("Outsourced", "recommended")])
def test_what_is_public_of_a_decision_is_the_same_for_neighbouring_tables(system, decide, files):
    """What is computed from the data stands on the page for the holder's eyes alone."""
    public, inside = [], []
    for record in (0.0, 0.5):
        signed(system, "own", files, record, decide)
        inside.append([files.pop(name) for name in list(files) if "your eyes" in name])
        public.append(dict(files))
    assert len(public[0]) == 4
    assert public[0] == public[1]
    assert all(one != other for one, other in zip(*inside, strict=True))
    assert len(inside[0]) == 2
    # From what everybody may know it is said, too, what an ε costs and why it is recommended.
    why = "surely costs less than 50 % of a search’s gain in made-up tables with these ranges"
    record = yaml.safe_load(public[0]["Record (YAML)"])["deployment"]["implementation"]["justification"]
    for text in (public[0]["Page for everybody (HTML)"], record):
        assert (why in text) == (decide == "recommended")
    assert "If what it rests on holds, of 100 guesses" in record


@pytest.mark.parametrize("way", ["private selection", "best of tries"])
def test_a_release_hides_training_records_too_where_that_is_picked_and_says_so_everywhere(way, files):
    said, costs = {}, {}
    for whose in ("those scored", "training too"):
        app = decided("Release", decide_whose=whose, decide_way=way, decided="1")
        sign(app)
        kept = app.session_state[f"{SIGNED}/Release"].guarantee
        said[whose] = text_of(files["Page for everybody (HTML)"])
        assert kept.stands in said[whose]
        if way == "private selection":  # no score can lose more than all it ranges over
            assert max(traces(app, "decision")["cost"]["y"]) <= 100.01
        costs[whose] = float(re.search(r"it costs ([\d.]+)", head(app))[1])
    assert "not those the models learned from" in said["those scored"]
    assert "One patient: one person’s whole record, in training and in scoring." in said["training too"]
    assert not re.search("the models? learned from|training set", said["training too"])
    assert costs["training too"] > 2 * costs["those scored"]


def test_scores_that_do_not_tell_of_training_are_not_decided_about_as_if_they_did():
    app = decided("Release", own("Release"), task=SCORES, decide_whose="training too")
    for known in [each for each in app.number_input if each.label.startswith("m: ")]:
        known.set_value(20).run()
    assert "do not tell what a record did in training" in app.info[0].value
    assert "nothing to decide yet" in head(app)


def test_tries_that_were_scored_in_folds_get_no_promise_as_the_draw_itself_refuses_them():
    folds = pd.DataFrame({"C": [0.1, 1.0, 10.0], "fold 1": [0.6, 0.8, 0.7], "fold 2": [0.5, 0.9, 0.7]})
    app = decided("Release", brought(folds, SCORES), task=SCORES, decide_way="best of tries")
    [each.set_value(20).run() for each in app.number_input if each.label.startswith("Records scored")]
    assert "No ε is known" in app.info[0].value
    assert "nothing to decide yet" in head(app)


@pytest.mark.parametrize("published", [{}, {"decide_published": "Setting and score"}, {"decide_way": "best of tries"}])
def test_what_is_published_changes_what_is_decided(published):
    said = seen(decided("Release", **published))
    assert ("its noisy score" in said) == bool(published)
    assert ("random number of tries" in said) == ("decide_way" in published)
    assert ("Recommended: ε = " in said) == (
        "decide_way" not in published
    )  # by what a setting costs at most, whatever the scores
    assert "models learned from are not covered" in said


def outsourced():
    at = {"view": "simple", "data": "hospital"}
    own, afford = (shown(page, **at, epsilon="1") for page in ("outsourced", "tradeoff"))
    app = decided("Outsourced", data="hospital", T="30", decided="1")
    times = r"best attacker is right (\d+) times"
    costs = [found(r"(\d+) more tests", own), found(r"(\d+) more tests", afford), found(r"\+(\d+) \(", seen(app))]
    return costs, [found(times, own), found(times, afford), found(r"gets (\d+) right", head(app))]


AT_ONE = {"from": "1", "to": "1", "epsilon": "1"}


def release():
    """Return the same of Release; on Trade-off all settings are offered, as on the two other pages."""
    own, said = shown("release", view="simple", epsilon="1"), head(decided("Release", decided="1"))
    everything = {"task": TASKS[0], "T": str(tuning_task(TASKS[0]).n), "runs": "2"}
    app = open_page("tradeoff", tradeoff_task="Release", **everything, **AT_ONE)
    (lost,) = traces(app, "tradeoff")["private selection"]["y"]
    costs = [found(r"What it costs (\S+) points", own), f"{100 * lost:.2f}"]
    times = found(r"best attacker is right (\d+) times", own)
    return [*costs, found(r"it costs (\S+) percentage points", said)], [times, found(r"gets (\d+) right", said)]


def federated():
    """Return the same of Federated, at the noise that Decide names: each page counts the ε of that by itself."""
    app = fill(decided("Federated"), "Decide for", "1")
    z, at = found(r"z = (\d\.\d+), ε counted exactly", seen(app)), {"agents": GRADES, "z": "1.65"}
    own = shown("federated", view="simple", **at | {"z": z}, federated_runs="10")
    assert found(r"ε = (\S+), ", own) == "1"
    swept = shown("tradeoff", tradeoff_task="Federated", **at, T="15", runs="10", **AT_ONE).replace("−", "-")
    assert "counted exactly" in swept, "unless another count is picked there"
    mean, error = (float(each) for each in re.search(r"by noise z\s*: (\S+) ± (\S+) grades", swept).groups())
    ends = (mean + sign * stdtrit(9, 0.975) * error for sign in (-1, 1))
    costs = [
        found(r"Lost in the first 10 rounds: (\S+ to \S+) grades", own),
        "{:.3f} to {:.3f}".format(*ends).replace("-", "−"),
        found(r"(?:cost:|It costs) \S+ \((.+?)\)", head(app)),
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
    for module, name in ((table, "weigh"), (curve, "weigh_question")):
        monkeypatch.setattr(module, name, lambda *_, **__: st.stop())
    app = fill(app, "Candidates", "0.7, 1.5")
    assert "sign" not in [each.key for each in app.button]
    assert "Being simulated: nothing to sign yet." in said(app)
    assert not re.search(r"ε = (0.5|1|2|5)\b(?! ≤)", head(app))


def test_each_decision_has_people_of_its_own_and_says_first_who_decided_once_it_is_signed():
    first = "A. Muster, head of the ward\nB. Muster"
    app = sign(decided("Outsourced", decided="2"), first, On="2026-03-31")
    assert "Decided: ε = 2, by A. Muster and 1 more, on 2026-03-31. Moderate protection of small dif" in head(app)
    assert "Recommended" not in head(fill(app, "Decide for", "2"))
    assert "Decided" not in head(fill(app, "Decide for", "1"))
    app.session_state["decide_about"] = "Release"
    assert field(app.run(), "Who decides").value == ""
    assert "protection of whole records" in head(app)
    sign(fill(app, "Decide for", "1"), "C. Muster")
    assert re.search(r"Decided: ε = 1, by C. Muster, on [\d-]+\. ", head(app))
    app.session_state["decide_about"] = "Outsourced"
    assert field(app.run(), "Who decides").value == first


def test_a_federation_that_loses_against_each_alone_gets_no_recommendation():
    app = fill(decided("Federated", agents="schools", federated_runs="5"), "It may cost", "0.5")
    assert "Nothing is recommended. No ε tried protects enough and surely costs less than 0.5" in head(app)
    assert "and gains anything against each school alone" in head(app)
    assert button(app, "sign").disabled


@pytest.mark.parametrize(("agreed", "larger"), [(False, False), (True, True), (None, True)])
def test_an_own_table_is_tuned_in_the_direction_that_was_agreed_on_data(agreed, larger):
    rng = np.random.default_rng(0)
    frame = pd.DataFrame({"ward": np.repeat(list("abcd"), 12), "dose": np.tile(np.arange(12.0), 4)})
    mine = OwnTable(table=frame.assign(days=rng.normal(size=48).round(3)), name="ward.csv", upload="1")
    if agreed is not None:
        mine.recipe = Recipe(("dose",), "days", agreed, False, {}, None)
    app = open_page("federated", {OWN_TABLE: mine, "agents": "own"}, view="expert", T="5", M="10", federated_runs="5")
    (toggle,) = (each for each in app.toggle if each.label == "Larger values are better")
    assert toggle.value == larger


def test_a_bound_on_what_an_epsilon_costs_is_not_said_to_be_its_cost():
    app = come(decide_about="Release", **CASES["Release"] | {"candidates": "0.2, 0.5, 1"})
    words, said = seen(app), head(app)
    assert "may cost more: up to 14.7 percentage points on average" in words
    assert "ε = 0.5 costs up to 5.9 percentage points on average, whatever the data." in words
    assert "Strongest tried within a default limit (≤ 5.9 of 10)." in said
    assert "exactly on average" not in words


def test_an_interval_that_ends_at_the_smallest_epsilon_tried_says_so():
    for low, text in ((0.5, "0.5 or less to 1.2"), (0.6, "0.6 to 1.2")):
        answer = Answer(50.0, 0.78, low, 1.2, 50.0, 1.0, "inside", 0.95, (0.5, 10.0))
        found = Recommendation(50.0, 3, None, None, None, answer)
        assert f"(95 % interval: {text})" in words._smallest(found)
