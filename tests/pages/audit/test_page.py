"""The Audit page without a browser: it shows the numbers that the engine computes, and calls nothing proven."""

import contextlib
import io
import re

import numpy as np
import pytest

import privbo_core as pb
from privbo_core.federated import Settings, losses
from privbo_core.gp import SquaredExponential
from privbo_core.outsourced import Simulation
from tests.helpers.attacked import ATTACKS, FEW, attacked, open_audit
from tests.helpers.charts import charts, traces
from tests.helpers.numbers import numbers, tells
from tests.helpers.reading import html
from tests.helpers.shown import guarantee, headline, open_sections, plain, sections, tiles, titles

CASES = [
    *((attack, {}) for attack in ATTACKS if attack != "score"),
    ("score", {"epsilon": 1.0}),
    ("reconstruction", {"epsilon": 24.0, "r": 1}),
    ("columns", {"epsilon": 0.01, "delta": 1e-3, "r": 2}),
    ("noisy", {"epsilon": 0.5, "delta": 1e-3}),
    ("noisy", {"epsilon": 1000.0}),
    ("score", {"epsilon": 40.0}),
]
TRIALS = [each for each in ATTACKS if each != "reconstruction"]
"""The attacks that are shown by histograms of their trials."""


def rows(app):
    """Return the table of records: the names of its columns, and its rows."""
    (table,) = re.findall(r'<table class="pb-table pb-grouped">(.*?)</table>', html(app))
    head = [plain(cell) for cell in re.findall(r'<th scope="col">(.*?)</th>', table)]
    body = [re.findall(r"<td>(.*?)</td>", row) for row in re.findall(r"<tr>(<td>.*?)</tr>", table)]
    return head, [[plain(cell) for cell in row] for row in body]


@pytest.mark.parametrize(("attack", "settings"), CASES)
def test_claim_bound_accuracy_and_trials_are_the_engine_s(attack, settings):
    app = open_audit(attack, **settings)
    found = attacked(attack, **settings)
    claimed, shown, right, trials = tiles(app)
    if attack != "canary":
        assert tells(claimed[1], settings.get("epsilon", 3.0))
        assert tells(claimed[2], 1e-3 if attack == "score" else settings.get("delta", 1e-5))
    assert numbers(shown[1])[0] == pytest.approx(found.epsilon, abs=0.0051)
    percent = round(100 * (1 - found.least.error))
    assert numbers(right[1])[0] == (percent if found.least.error == 0 else min(percent, 99))
    assert numbers(trials[1]) == [FEW[attack]]
    assert numbers(trials[2])[-1] == pytest.approx(found.last.strongest, rel=6e-3, abs=1e-9)
    curve = traces(charts(app)["attack"])
    assert curve["looks"]["x"] == [total for total, _ in found.bounds]
    assert curve["looks"]["y"] == pytest.approx([bound for _, bound in found.bounds], rel=1e-4, abs=1e-9)
    assert charts(app)["attack"]["alt"].startswith(titles(app)[0][0])


@pytest.mark.parametrize(("attack", "settings"), CASES)
def test_the_headline_follows_from_what_is_shown(attack, settings):
    app = open_audit(attack, **settings)
    found, (title, lead) = attacked(attack, **settings), headline(app)
    claim = settings.get("epsilon", 3.0)
    if attack == "canary":
        claim = numbers(tiles(app)[0][1])[0]
    refuted = found.refutes(claim)
    if attack == "reconstruction":
        assert numbers(title)[:1] == [3]
        assert tells(title, 9997)
    elif attack == "columns":
        assert not numbers(title), "ε plays no part"
        assert found.flawless
    elif refuted:
        assert tells(title, round(found.epsilon, 2), claim)
    elif found.last.could_refute(claim):
        assert numbers(title)[-1] == pytest.approx(claim, rel=6e-3)
        assert numbers(title)[0] == pytest.approx(found.epsilon, abs=0.0051)
    else:
        assert numbers(title) == [found.trials, claim]
    if attack != "score":  # its exact ε needs no confidence
        assert 95 in numbers(lead)
        assert any(number == pytest.approx(found.epsilon, abs=0.0051) for number in numbers(f"{title} {lead}"))
    badge = re.search(r'<p class="pb-lead[^>]*><span class="pb-badge pb-(\w+)"', html(app))[1]
    kinds = {"noisy": "proven", "canary": "proven", "score": "refuted" if refuted else "claimed"}
    assert badge == kinds.get(attack, "refuted")


@pytest.mark.parametrize("attack", TRIALS)
def test_the_histograms_are_of_the_trials(attack):
    found = attacked(attack)
    drawn = charts(open_audit(attack, epsilon=3))["attack"]["data"]
    bars = [trace for trace in drawn if trace["type"] == "bar"]
    assert bars[0]["name"] != bars[1]["name"]
    for trace, values in zip(bars, (found.here, found.there), strict=True):
        centres, half = np.array(trace["x"]), trace["width"] / 2
        edges = np.append(centres - half, centres[-1] + half)
        counts, _ = np.histogram(np.clip(values, edges[0], edges[-1]), edges)
        assert sum(trace["y"]) == pytest.approx(100, abs=0.01)
        # A number at an edge may be counted on either side, because the edges are rounded for the browser.
        assert np.abs(np.cumsum(trace["y"]) - 100 * np.cumsum(counts) / len(values)).max() < 3


@pytest.mark.parametrize("attack", TRIALS)
def test_each_row_of_the_table_is_a_trial_with_the_attacker_s_answer(attack):
    app, found = open_audit(attack, epsilon=3), attacked(attack)
    head, body = rows(app)
    wide = (len(head) - 2) // 2
    texts = body[0][:wide], body[1][:wide]
    assert texts[0] != texts[1], "the two datasets differ"
    correct = 0
    for number, row in enumerate(body):
        which, position = number % 2, number // 2 + 1
        seen = (found.here, found.there)[which][-position]
        answer = int((seen > found.least.threshold) == (found.least.side == "above"))
        assert row[:wide] == texts[which]
        assert row[wide + 1 : -1] == texts[answer]
        assert row[-1] == ("yes" if answer == which else "no")
        correct += answer == which
    assert numbers(titles(app)[1][0]) == [correct, len(body)]


@pytest.mark.parametrize("data", ["synthetic", "hospital", "loans"])
def test_recovered_records_stand_beside_their_originals(data):
    app, problem = open_audit(data=data, trials=50), pb.data.sample(data)
    _, body = rows(app)
    assert len(body) == 8
    for row in body:
        number = int(row[0].replace(",", "")) - 1
        assert row[1:3] == row[3:5]
        shown = [float(cell.replace("−", "-").replace(",", "")) for cell in row[1:3]]
        assert shown == pytest.approx(list(problem.original[number][:2]), rel=1e-3, abs=1e-9)
    assert (numbers(titles(app)[1][1])[-2:] == [2, problem.d]) == (problem.d > 2), "it says that a column is not shown"
    drawn = traces(charts(app)["attack"])
    for axis in "xy":
        assert drawn["original"][axis] == pytest.approx(drawn["recovered"][axis], rel=1e-4, abs=1e-4)
    known = np.array([drawn["known to the attacker"][axis] for axis in "xy"]).T
    assert len(known) == problem.d + 1
    assert all(np.isclose(problem.original[:, :2], record, rtol=1e-4).all(axis=1).any() for record in known)


def test_with_one_dimension_only_combinations_are_revealed():
    app = open_audit(r=1)
    assert numbers(headline(app)[0])[:3] == [3, 1, 2]
    assert any(row[1:3] != row[3:5] for row in rows(app)[1])
    assert "pb-refuted" in guarantee(app), "the claim is refuted all the same"


def test_the_claims_of_the_canary_are_those_of_federated():
    app = open_audit("canary", q=0.5, z=1.3, P=4, N=60, T=8, a=5, hold=2, fade=7)
    s = Settings(SquaredExponential(1.0), 1.0, 8, q=0.5, z=1.3, S=1.0, P=4, a=5.0, hold=2, fade=7)
    exact, moments = losses(s, 60, "pld", "exact")[-1], losses(s, 60)[-1]
    assert tells(tiles(app)[0][1], float(f"{exact:.3g}"))
    assert tells(tiles(app)[0][2], 60**-1.1)
    levels = traces(charts(app)["attack"])
    assert levels["tight account"]["y"][0] == pytest.approx(exact, rel=1e-3)
    assert levels["moments"]["y"][0] == pytest.approx(moments, rel=1e-3)
    assert tells(guarantee(app), float(f"{exact:.3g}"), float(f"{moments:.3g}"))


def test_the_exact_cost_of_the_pair_stands_beside_the_claim_of_algorithm_2():
    app = open_audit("score", epsilon=1, A=2, tau=0.2, k1=0.95)
    task = pb.data.tuning_task("svm")
    tuning = pb.release.Tuning(0.95, 0.0, 50, 1e-3, A=2.0, tau=0.2)
    worst = max(pb.audit.score_changes(task, tuning, 1.0, records=range(task.records)), key=lambda each: each.epsilon)
    assert traces(charts(app)["attack"])["exact"]["y"][0] == pytest.approx(worst.epsilon, rel=1e-4)
    assert tells(headline(app)[1], float(f"{worst.epsilon:.3g}"), worst.record + 1)
    assert tells(guarantee(app), 1, 1e-3)


BADGES = {"reconstruction": "refuted", "columns": "refuted", "noisy": "proven", "score": "claimed", "canary": "proven"}


@pytest.mark.parametrize("attack", ATTACKS)
def test_the_badge_of_the_guarantee(attack):
    card = guarantee(open_audit(attack))
    assert f"pb-badge pb-{BADGES[attack]}" in card
    assert (" protection." in card) == (BADGES[attack] == "proven"), "no word for strength unless it is proven"


def test_the_noisy_release_has_the_guarantee_of_outsourced():
    card = guarantee(open_audit("noisy", data="hospital", epsilon=1, delta=1e-6))
    setting = pb.outsourced.Setting(1.0, 1e-6, 1, 1)
    promise = Simulation(pb.data.sample("hospital")).noisy_guarantee(setting, "two")
    assert tells(card, 1, promise.mu, round(100 * promise.attack_accuracy))
    for column in pb.data.sample("hospital").frame.columns:
        assert column.name in card
        assert tells(card, column.hide)


def colours(app, slot):
    """Return the colour of each curve and each kind of point of a figure, by its name."""
    named = [trace for trace in charts(app)[slot]["data"] if "name" in trace]
    return {trace["name"]: trace.get("line", trace.get("marker"))["color"] for trace in named}


def test_no_mark_is_green_where_the_claim_fails():
    """So few releases refute nothing at this ε, but the test never errs, and no number of them would make it."""
    app = open_sections(open_audit("columns", epsilon=140))
    assert not attacked("columns", epsilon=140.0).refutes(140)
    for slot in ("attack", "errors"):
        assert "pb:proven" not in colours(app, slot).values(), slot
    assert colours(app, "errors")["the attack"] == "pb:refuted"
    assert colours(open_audit("columns", epsilon=20), "attack")["claim"] == "pb:refuted"
    kept = open_sections(open_audit("noisy"))
    assert colours(kept, "attack")["claim"] == colours(kept, "errors")["the attack"] == "pb:proven"


@pytest.mark.parametrize("attack", ATTACKS)
def test_the_box_lies_below_the_curve_exactly_where_the_trials_refute_the_claim(attack):
    settings = {"epsilon": 1.0} if attack != "canary" else {}
    app = open_sections(open_audit(attack, **settings))
    found = traces(charts(app)["errors"])
    box, curve, point = found["limits"], found["the claim"], found["the attack"]
    assert min(box["x"]) <= point["x"][0] <= max(box["x"])
    assert min(box["y"]) <= point["y"][0] <= max(box["y"])
    below = max(box["y"]) < np.interp(max(box["x"]), curve["x"], curve["y"])
    claim = numbers(tiles(app)[0][1])[0]
    assert below == attacked(attack, **settings).refutes(claim)
    least, right = found["fewest errors"], numbers(tiles(app)[2][1])[0]
    assert 50 * (least["x"][0] + least["y"][0]) == pytest.approx(100 - right, abs=1.01)


@pytest.mark.parametrize("noise", ["laplace", "gaussian"])
def test_the_audit_finds_its_own_error(noise):
    app = open_sections(open_audit("noisy", noise=noise))
    sigma = pb.privacy.gaussian_sigma(1.0, 1e-5, 1.0)
    truth = 1.25 if noise == "laplace" else pb.privacy.gaussian_epsilon(1e-5, 0.8 * sigma, 1.0)
    drawn = traces(charts(app)["self"])
    small, right = (drawn[f"{name}, looks"]["y"][-1] for name in ("20% too small", "right noise"))
    assert right <= 1 < small <= truth
    assert drawn["true: 20% too small"]["y"][0] == pytest.approx(truth, rel=1e-4)
    assert drawn["claim"]["y"][0] == 1
    assert [colours(app, "self")[name] for name in ("20% too small", "right noise")] == ["pb:refuted", "pb:proven"]
    assert any(tells(each.value, float(f"{truth:.3g}")) for each in app.markdown)


def code(app):
    return [lines for each in app.markdown for lines in re.findall(r"```python\n(.*?)```", each.value, re.DOTALL)]


def test_the_lines_that_anyone_can_run_refute_the_claim():
    (lines,) = code(open_sections(open_audit()))
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        exec(lines, {})
    here, there = map(float, printed.getvalue().split())
    assert here < 1e-13
    assert 1e-3 < there < 1e-1
    assert not code(open_sections(open_audit("noisy"))), "they are about the projection alone"


@pytest.mark.parametrize("attack", ATTACKS)
def test_explanations_are_whole(attack):
    app = open_sections(open_audit(attack))
    assert len(sections(app)) >= 2
    for text in [each.value for each in app.markdown]:
        assert "[[" not in text
        assert text.count("$$") % 2 == 0
