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
from pages.parts.release.draws import IN_SHORT, PUBLISHED, REFUSED, Wish
from pages.parts.release.setup import within
from pages.parts.release.tasks import DATASET, SCORES
from pages.parts.shell.session import OWN
from pages.parts.views.picture import LIGHT
from pages.parts.views.text import two_digits
from tests.helpers.readability import MOST, words_of
from tests.helpers.reading import HOSTILE, asked_in_vain, button, choose, html, marked, press, record
from tests.helpers.released import brought, come, labelled, noisily, scored, viewed

opened = partial(come, algorithm="1 noisy", epsilon="3")


def card(app):
    """The page's one guarantee: what is read first, and what can be opened below it."""
    shown = [element.value for element in app.get("html")]
    (first,) = [text for text in shown if "pb-card pb-is" in text]
    (rest,) = [text for text in shown if "pb-card pb-rows" in text]
    return first + rest


@pytest.mark.parametrize(
    ("task", "algorithm", "paper"), [("svm", "1 noisy", "workshop"), ("logistic", "2 exact", "ICML")]
)
def test_it_runs_for_each_algorithm_and_paper(task, algorithm, paper):
    view = viewed(int(algorithm[0]), task, paper.lower())
    text = html(opened(task=task, algorithm=algorithm, paper=paper))
    assert f"{view.plan.choice.effective_candidates:.0f} of 400" in text
    assert f"± {two_digits(view.half_width)}" in text
    assert "not for one given dataset" in text
    assert "ε = 6, δ = 0.002" in text


def test_algorithm_3_runs_where_it_applies_and_says_so_where_not():
    app = opened(algorithm="3 Lipschitz")
    text = html(app)
    assert text.index("Publish one of all 400 settings") < text.index("pb-tiles"), "the lead stands first"
    assert "Noise for a move of 2.5·10⁵, yet no score moves by more than 1" in text
    assert "Guarantee: proved" in text
    app.selectbox(key="task").set_value("svm").run()
    assert any("This task has none" in info.value for info in app.info)


@pytest.fixture
def few_neighbours(monkeypatch):
    for amount in ("RECORDS", "PAIRS"):
        monkeypatch.setattr(neighbours, amount, 20)


@pytest.mark.parametrize("algorithm", ["selection", "1 noisy", "2 exact", "3 Lipschitz"])
def test_a_page_is_short_and_each_of_its_tabs_opens(algorithm, few_neighbours):
    app = come(algorithm=algorithm)
    words = words_of(app.main)
    assert 3 < len(words) <= MOST, " ".join(words)
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


def test_too_small_constants_are_a_claim_and_nothing_is_drawn():
    task, status = pb.data.tuning_task("logistic"), pb.privacy.Status
    for changed in ({}, {"L": 0.2}, {"g": 0.5}, {"m": 1000.0}):
        view = viewed(3, **changed)
        assert view.guarantee(1).status is (status.CLAIMED if changed else status.PROVED)
        assert bool(Wish(view, "score").refused) == bool(changed)
    assert within(task, 0.5, 1.0).n == int((task.parameters[:, 0] >= 0.5).sum())
    assert within(task, 0.3001, 0.3002) is None


def test_an_address_that_cannot_be_used_gets_sentences_and_a_large_delta_a_warning():
    app = opened(epsilon="0", k1="1.5", sigma="one", T="1", delta="0.1")
    found = asked_in_vain(app)
    for words in (
        "0 is out of range; “ε” takes a number from 0.1 to 1000",
        "1.5 is out of range; “k₁” takes a number from 0 to 1",
        "1 is out of range; “T” takes a whole number from 2 to 200",
        "“one” is not a number",
    ):
        assert words in found
    assert any("at least 1/m" in warning.value for warning in app.warning)


def test_draws_add_up_can_be_started_over_and_are_forgotten_but_not_what_they_cost():
    app = opened()
    for releases, spent in (("1 release", "ε = 6, δ = 0.002"), ("2 releases", "ε = 12, δ = 0.004")):
        press(app, "Draw a release")
        assert f"Spent: {spent}</strong> by {releases}" in html(app)
    assert len(re.findall(r"Algorithm 1: λ = [^;]+; best score [−\d.]+", html(app))) == 2
    assert PUBLISHED.startswith(OWN)  # so that it is forgotten with all else of the kind
    del app.session_state[PUBLISHED]
    app.run()
    assert "Spent: ε = 12, δ = 0.004</strong> by 2 releases" in html(app)
    assert "Algorithm 1: λ = " not in html(app)
    press(app, "Start over at ε = 0")
    assert "Spent" not in html(app)


def test_private_selection_is_drawn_for_real_and_counted_like_the_others():
    app = opened(epsilon="2")
    press(app, "Draw a release")
    choose(app, algorithm="selection")
    for words in (
        "Guarantee: proved",
        "ε = 2, δ = 0.",
        "picked without looking at these",
        "whatever that record holds.",
    ):
        assert words in card(app)
    assert "prior correlation" not in card(app)
    both, alone = r"λ = [^;]+; score [−\d.]+ \(± [\d.]+\)", "λ = [^;(]+<"
    for state, citing, spent, times, drawn in (
        ({"publish_selected": "setting and score"}, "", 8, 2, f"Permute-and-flip: {both}"),
        ({"publish_selected": "setting"}, "McKenna and Sheldon (2020)", 10, 3, f"Permute-and-flip: {alone}"),
        ({"way": "exponential"}, "McSherry and Talwar (2007)", 12, 4, f"The exponential mechanism: {alone}"),
    ):
        choose(app, **state)
        assert citing in card(app)
        press(app, "Draw a release")
        assert f"Spent: ε = {spent}, δ = 0.002</strong> by {times} releases" in html(app)
        assert re.search(drawn, html(app))


def test_what_private_selection_publishes_is_in_units_of_the_score():
    view = viewed(0, epsilon=50.0)
    wish = Wish(view, "setting and score")
    conditional = viewed(0, replace(view.task, conditions=("It rains.",))).guarantee(1)
    assert conditional.status is pb.privacy.Status.CONDITIONAL
    assert "It rains." in conditional.in_full[-1]
    assert len(view.plan.rows) == 400
    assert wish.guarantee.status is pb.privacy.Status.PROVED
    assert wish.guarantee.epsilon == 100
    drawn = pb.release.Drawn(int(view.plan.rows[3]), -0.4567, wish.guarantee)
    half = two_digits(view.plan.value.half_width(0.95))
    assert wish.text(drawn).endswith(f"; score −0.46 (± {half})")
    assert wish.refused == ""


def test_algorithm_2_s_score_is_refused_with_the_engine_s_reason_and_its_setting_is_not():
    app = opened(algorithm="2 exact", A="2", tau="0.3")
    assert record(app).figures["score"].finding.stamp == "assumes unknown A and τ"
    assert "A and τ say, two numbers that nobody knows" in card(app)
    assert "The search here is GP-UCB with exact observations: a different method" in card(app)
    assert any("the search here is GP-UCB" in element.value.replace("\n", " ") for element in app.markdown)
    for parts, drawn in (("setting and score", False), ("score", False), ("setting", True)):
        choose(app, publish=parts)
        assert button(app, "Draw a release").disabled != drawn
        assert any(IN_SHORT[REFUSED] in info.value for info in app.info) != drawn
        assert (button(app, "Draw a release").help == REFUSED) != drawn
    (link,) = [each.proto for each in app.get("page_link") if "Audit" in each.proto.label]
    assert {"k1": "0.99", "attack-score": "exact"}.items() <= dict(parse_qsl(link.query_string)).items()
    press(app, "Draw a release")
    assert "Spent: ε = 3, δ = 0.001</strong> by 1 release" in html(app)
    assert "Algorithm 2: λ = " in html(app)
    reason = "its noise rests on constants A and τ that nobody knows and an attack on a real neighbour breaks its ε"
    with pytest.raises(ValueError, match=f"because {reason}"):
        pb.release.draw(viewed(2).plan)
    assert f"because {reason}" in REFUSED
    choose(app, algorithm="selection")
    assert not button(app, "Draw a release").disabled


@pytest.mark.parametrize(("algorithm", "second", "refuted"), [(1, 3, False), (2, 5, True)])
def test_coverage_shows_each_share_with_its_limits_and_verdict(algorithm, second, refuted):
    view = viewed(algorithm, "svm")
    tuning = pb.release.Tuning(0.99, view.search.sigma, 50, 1e-3, A=1.0, tau=0.1)
    options = {"kernel": view.task.kernel, "pairs": 60, "rng": np.random.default_rng(0)}
    *_, result = pb.release.coverage(view.task.points, tuning, **options)
    finding, share = neighbours.coverage_finding(result), result.share(second)
    limits = f"{100 * share.low:.1f} to {100 * share.high:.1f} % of all: {share.verdict}"
    assert f"Theorem {second} held in {share.held} of 60, so in {limits}" in finding.note
    assert "Theorem 1 held in 60 of 60" in finding.note
    assert "Promised: 99.9 %; 95 % sure, the error spent over all 60 looks" in finding.note
    assert (share.verdict == "refuted") == refuted
    assert ("Theorem 5 is refuted here" in finding.title) == refuted
    assert (f"in at most {100 * share.high:.1f} %" in finding.title) == refuted


def test_algorithm_2_s_coverage_follows_its_own_constants():
    app = opened({"release_tab": "Coverage under the prior"}, T="5", A="90", tau="0.01", algorithm="2 exact")
    assert re.search(r"Theorem 5 held in 200 of 200, so in 98\.\d to 100\.0 % of all: not refuted", html(app))


def errors(app):
    return " ".join(error.value for error in app.error)


@pytest.mark.parametrize(
    ("table", "kind", "rows", "words"),
    [
        (scored(), SCORES, "of 60", "The score is the column “accuracy”. Choose another"),
        (labelled(), DATASET, "of 90 records", "The label is the column “ill”. Choose another"),
    ],
)
def test_an_own_table_is_tuned_on(table, kind, rows, words):
    app = opened(brought(table, kind))
    assert not app.error
    assert rows in html(app)
    assert words in html(app)
    assert ("ermute-and-flip" in html(app)) == (kind == DATASET)  # it needs m, which a table of scores does not tell


def test_no_file_or_one_that_cannot_be_read_gets_a_sentence():
    app = opened({"task": SCORES})
    assert any("nothing to tune yet" in info.value for info in app.info)
    app.get("file_uploader")[0].upload("mine.csv", b"", "text/csv").run()
    assert "The file is empty" in errors(app)
    assert any("nothing to tune yet" in info.value for info in app.info)


@pytest.mark.parametrize(
    ("columns", "kind", "words"),
    [
        ({"C": [1.0, 2.0], "score": [0.1, 0.1]}, SCORES, "it has the same value everywhere"),
        ({"C": ["a", "b"], "score": [0.1, 0.2]}, SCORES, "a parameter and a score are needed"),
        ({"a": [0.1, 0.2, 0.3], "b": [1.5, 2.5, 3.5]}, DATASET, "exactly two kinds"),
    ],
)
def test_a_table_that_cannot_be_used_gets_a_sentence(columns, kind, words):
    assert words in errors(opened(brought(pd.DataFrame(columns), kind)))


def test_gaps_and_repeats_in_a_table_of_scores_are_said():
    x, score = (np.repeat(each, 3) for each in scored(n=30).to_numpy().T)
    score = score + 0.01 * np.random.default_rng(0).standard_normal(90)
    result = np.where(np.arange(90) == 7, np.nan, score)
    app = opened(brought(pd.DataFrame({"C": x, "seed": np.tile([0, 1, 2], 30), "result": result}), SCORES))
    assert not app.error
    assert "89 of 90 rows are used; 1 was dropped." in html(app)
    assert "30 of 30 settings occur several times (89 rows in all)" in html(app)
    assert "whether a score is there must not depend on the records" in html(app)


def test_the_name_of_a_column_never_becomes_markup(few_neighbours):
    app = opened(brought(scored(HOSTILE), SCORES, f"{HOSTILE}.csv"))
    press(app, "Draw a release")
    drawn = record(app).figures["setting"].picture.as_json(LIGHT)
    assert "![x](http://x.y/z.png) &lt;b&gt;b&lt;/b&gt; **c**" in drawn
    assert "<b>" not in drawn
    texts = []
    for tab in TABS:
        choose(app, release_tab=tab)
        assert not app.error
        texts += marked(app)
        assert "Algorithm 1: ![x](http://x.y/z.png) &lt;b&gt;b&lt;/b&gt; **c** = " in html(app)
        assert "<b>" not in html(app)
    assert any("Above: what the search knows" in text for text in texts)
    for text in texts:
        assert "](" not in text
        assert not re.search(r"(?<!\\)<b>|(?<!\\)\*\*c", text)
