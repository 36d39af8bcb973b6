"""The Release page without a browser: it runs, shows the engine's numbers, and says what it cannot use."""

import re
from dataclasses import replace
from functools import partial
from urllib.parse import parse_qsl

import numpy as np
import pandas as pd
import pytest

import privbo_core as pb
from pages.parts.release import neighbours
from pages.parts.release.details import TABS
from pages.parts.release.setup import within
from pages.parts.release.tasks import DATASET, SCORES, TASK
from pages.parts.release.words import lead
from pages.parts.views.picture import LIGHT
from tests.helpers.numbers import numbers, tells
from tests.helpers.reading import HOSTILE, address, asked_in_vain, choose, html, marked, record
from tests.helpers.released import brought, come, labelled, noisily, scored, viewed

opened = partial(come, algorithm="1 noisy", epsilon="3")


@pytest.mark.parametrize(
    ("task", "algorithm", "paper"), [("svm", "1 noisy", "workshop"), ("logistic", "2 exact", "ICML")]
)
def test_it_runs_for_each_algorithm_and_paper(task, algorithm, paper):
    view = viewed(int(algorithm[0]), task, paper.lower())
    app = opened(task=task, algorithm=algorithm, paper=paper)
    tiles = " ".join(f"{tile.value} {tile.remark}" for tile in record(app).tiles)
    assert tells(tiles, round(view.plan.choice.effective_candidates), 400, view.half_width)
    assert "pb-is-claimed" in html(app)
    assert "ε = 6, δ = 0.002" in html(app)


def test_algorithm_3_runs_where_it_applies_and_says_so_where_not():
    app = opened(algorithm="3 Lipschitz")
    text = html(app)
    assert tells(record(app).figures["setting"].finding.title, 2.5e5, 1)
    assert "pb-is-proved" in text
    app.selectbox(key="task").set_value("svm").run()
    assert app.info
    assert not record(app).figures


@pytest.fixture
def few_neighbours(monkeypatch):
    for amount in ("RECORDS", "PAIRS"):
        monkeypatch.setattr(neighbours, amount, 20)


@pytest.mark.parametrize("algorithm", ["selection", "1 noisy", "2 exact", "3 Lipschitz"])
def test_each_of_the_tabs_of_a_page_opens(algorithm, few_neighbours):
    app = come(algorithm=algorithm)
    for tab in TABS:
        choose(app, release_tab=tab)
        assert not app.error


def test_the_numbers_are_the_engines_in_units_of_the_score():
    task, view = pb.data.tuning_task("logistic"), viewed(1)
    (search, plan), truth = noisily(task, 3.0), task.scores
    assert view.lost == pytest.approx(truth.max() - plan.choice.probabilities @ truth)
    # Laplace noise exceeds b·log 20 in absolute value in 5 % of cases.
    assert view.half_width == pytest.approx(plan.value.scale * np.log(20) * task.unit)
    assert view.spread == pytest.approx(np.ptp(truth))
    assert view.starts_at(2) == pytest.approx(3.0 * plan.bounds(3.0)[1].value * task.unit / view.spread)
    assert view.vacuous(4)
    assert np.isinf(view.starts_at(4))
    assert view.guarantee(2).epsilon == 6
    assert view.protected == pytest.approx(task.score(search.observed.max()))


def test_too_small_constants_are_a_claim_and_no_proof():
    task, status = pb.data.tuning_task("logistic"), pb.privacy.Status
    for changed in ({}, {"L": 0.2}, {"g": 0.5}, {"m": 1000.0}):
        view = viewed(3, **changed)
        assert view.guarantee(1).status is (status.CLAIMED if changed else status.PROVED)
    assert within(task, 0.5, 1.0).n == int((task.parameters[:, 0] >= 0.5).sum())
    assert within(task, 0.3001, 0.3002) is None


def test_an_address_that_cannot_be_used_is_answered_with_what_can_be_and_a_large_delta_warned_of():
    app = opened(epsilon="0", k1="1.5", sigma="one", T="1", delta="0.1")
    assert tells(found := asked_in_vain(app), 0, 0.1, 1000, 1.5, 1, 2, 200)
    assert "one" in found
    assert not address(app).items() & {("epsilon", "0"), ("k1", "1.5"), ("T", "1")}
    (warning,) = app.warning
    assert tells(warning.value, 0.1, 0.004)  # δ, and one in so many records


def test_two_pieces_cost_twice_what_one_does():
    app = opened(algorithm="selection", epsilon="2")
    for parts, epsilon in (("setting", 2), ("setting and score", 4)):
        choose(app, publish_selected=parts)
        (card,) = record(app).cards
        assert dict(card.rows)
        assert "pb-is-proved" in html(app)
        assert re.search(rf"ε = {epsilon}, δ = 0\b(?!\.\d)", html(app))


def test_what_private_selection_publishes_is_in_units_of_the_score():
    view = viewed(0, epsilon=50.0)
    conditional = viewed(0, replace(view.task, conditions=("It rains.",))).guarantee(1)
    assert conditional.status is pb.privacy.Status.UNMET
    assert "It rains." in conditional.in_full[-1]
    assert len(view.plan.rows) == 400
    assert view.guarantee(2).status is pb.privacy.Status.PROVED
    assert view.guarantee(2).epsilon == 100


def test_algorithm_2_s_score_is_refuted_and_leads_to_its_attack():
    app = opened(algorithm="2 exact", A="2", tau="0.3")
    assert record(app).figures["score"].finding.stamp
    (link,) = [each.proto for each in app.get("page_link") if each.proto.page == "audit"]
    assert {"k1": "0.99", "attack": "score"}.items() <= dict(parse_qsl(link.query_string)).items()
    with pytest.raises(ValueError, match="A and τ"):
        pb.release.draw(viewed(2).plan)


@pytest.mark.parametrize(("algorithm", "second", "refuted"), [(1, 3, False), (2, 5, True)])
def test_coverage_shows_each_share_with_its_limits_and_verdict(algorithm, second, refuted):
    view = viewed(algorithm, "svm")
    tuning = pb.release.Tuning(0.99, view.search.sigma, 50, 1e-3, A=1.0, tau=0.1)
    options = {"kernel": view.task.kernel, "pairs": 60, "rng": np.random.default_rng(0)}
    *_, result = pb.release.coverage(view.task.points, tuning, **options)
    finding, share = neighbours.coverage_finding(result), result.share(second)
    assert tells(finding.note, second, share.held, 60, 99.9, 95)
    assert {round(100 * share.low, 1), round(100 * share.high, 1)} <= {*numbers(finding.note)}
    assert (share.verdict == "refuted") == refuted
    assert tells(finding.title, 5, 100 * share.high) == refuted


def test_algorithm_2_s_coverage_follows_its_own_constants():
    app = opened({"release_tab": "Coverage under the prior"}, T="5", A="90", tau="0.01", algorithm="2 exact")
    said = next(figure.finding for figure in record(app).figures.values() if tells(figure.finding.note, 200, 99.9))
    assert numbers(said.note).count(200) >= 2  # all of them hold


@pytest.mark.parametrize(
    ("table", "kind", "rows", "column"), [(scored(), SCORES, 60, "accuracy"), (labelled(), DATASET, 90, "ill")]
)
def test_an_own_table_is_tuned_on(table, kind, rows, column):
    app = opened(brought(table, kind))
    assert not app.error
    assert tells(html(app), rows)
    assert column in html(app)
    # Private selection needs m, which a table of scores does not tell.
    assert (lead(viewed(1, app.session_state[TASK][1])) is not None) == (kind == DATASET)


def test_no_file_or_one_that_cannot_be_read_gets_a_sentence():
    app = opened({"task": SCORES})
    assert app.info
    app.get("file_uploader")[0].upload("mine.csv", b"", "text/csv").run()
    assert app.error
    assert app.info


@pytest.mark.parametrize(
    ("columns", "kind"),
    [
        ({"C": [1.0, 2.0], "score": [0.1, 0.1]}, SCORES),
        ({"C": ["a", "b"], "score": [0.1, 0.2]}, SCORES),
        ({"a": [0.1, 0.2, 0.3], "b": [1.5, 2.5, 3.5]}, DATASET),
    ],
)
def test_a_table_that_cannot_be_used_gets_a_sentence(columns, kind):
    app = opened(brought(pd.DataFrame(columns), kind))
    assert app.error
    assert not record(app).figures


def test_gaps_and_repeats_in_a_table_of_scores_are_said():
    x, score = (np.repeat(each, 3) for each in scored(n=30).to_numpy().T)
    score = score + 0.01 * np.random.default_rng(0).standard_normal(90)
    result = np.where(np.arange(90) == 7, np.nan, score)
    app = opened(brought(pd.DataFrame({"C": x, "seed": np.tile([0, 1, 2], 30), "result": result}), SCORES))
    assert not app.error
    (note,) = [each.proto.body for each in app.get("html") if tells(each.proto.body, 89, 90)]
    found = numbers(note)
    assert 1 in found  # row is dropped
    assert (found.count(30), found.count(89)) >= (2, 2)  # settings with repeats, and their rows


def test_the_name_of_a_column_never_becomes_markup(few_neighbours):
    app = opened(brought(scored(HOSTILE), SCORES, f"{HOSTILE}.csv"))
    drawn = record(app).figures["setting"].picture.as_json(LIGHT)
    assert "![x](http://x.y/z.png) &lt;b&gt;b&lt;/b&gt; **c**" in drawn
    assert "<b>" not in drawn
    texts = []
    for tab in TABS:
        choose(app, release_tab=tab)
        assert not app.error
        texts += marked(app)
        assert "<b>" not in html(app)
    assert texts
    for text in texts:
        assert "](" not in text
        assert not re.search(r"(?<!\\)<b>|(?<!\\)\*\*c", text)
