"""The Simple page of Release: one answer in the data's own unit, four facts, one picture, one slider."""

import re
from dataclasses import replace
from functools import partial

import pytest

import privbo_core as pb
from pages.parts.release.figures import chances
from pages.parts.release.tasks import DATASET, SCORES
from pages.parts.release.view import QUESTION, digits_of
from pages.parts.views.picture import PRIVATE
from tests.helpers.reading import brief, choose, html, said
from tests.helpers.released import brought, come, labelled, noisily, scored, viewed

opened = partial(come, view="simple")


@pytest.mark.parametrize(("task", "epsilon"), [("logistic", 0.1), ("svm", 1.0), ("logistic", 10.0)])
def test_the_answer_is_the_engine_s_in_percentage_points(task, epsilon):
    app = opened(task=task, epsilon=str(epsilon))
    known = pb.data.tuning_task(task)
    plan = pb.release.selection(known.scores, records=250, epsilon=epsilon, way="permute-and-flip")
    lost = 100 * float(plan.choice.probabilities @ (known.scores.max() - known.scores))
    best = 100 * (1 + known.scores.max())
    answer = brief(app).answer
    assert answer in html(app)
    assert QUESTION in html(app)
    found = re.search(r"privacy costs ([\d.]+) percentage points .*: ([\d.]+) % instead of ([\d.]+) %", answer)
    cost, mean, top = (float(number) for number in found.groups())
    half = 0.5 * 10.0 ** -len(found[1].partition(".")[2])
    assert (cost, mean, top) == pytest.approx((lost, best - lost, best), abs=half + 1e-9)
    assert abs(top - mean - cost) <= 2 * half + 1e-9, "the subtraction comes out but for the last digit"
    secret, whom, strength, price = facts = brief(app).facts
    hidden = "What is hardly hidden" if epsilon == 10 else "What is hidden"
    assert [fact.about for fact in facts] == [hidden, "From whom", "How strongly", "What it costs"]
    assert [fact.text for fact in (secret, whom, price)] == [
        "One patient’s whole record",
        "Everybody",
        f"{found[1]} points",
    ]
    assert "Not those that the model learned from" in secret.remark
    assert (strength.text == "Moderate") == (epsilon == 1)
    assert "proved" in strength.remark
    assert answer.startswith("At ε = ")
    lost = 100 * (noisily(known, epsilon)[1].choice.probabilities @ (known.scores.max() - known.scores))
    assert f"DP-BO as published draws nearly blindly and would cost {lost:.1f} points" in price.remark


def test_dragging_changes_the_answer_the_facts_and_the_picture():
    private, useful = (viewed(0, epsilon=epsilon) for epsilon in (0.1, 10.0))
    assert private.answer != useful.answer
    assert private.brief.facts[2].level > useful.brief.facts[2].level
    first, second = (chances(view).data[0]["y"] for view in (private, useful))
    assert second[0] > 3 * first[0]
    assert sum(first) == pytest.approx(100)


def test_there_is_one_slider_and_no_symbol_but_epsilon():
    app = opened()
    text = html(app) + " ".join(element.value for element in app.markdown)
    for symbol in ("λ", "σ", "δ", "k₁", "γ", "Δ", "f_V"):
        assert symbol not in re.sub(r"<style>.*?</style>", "", text, flags=re.S), symbol
    assert "chosen in Expert" not in text
    assert len(brief(app).answer.split()) + len(QUESTION.split()) < 50


@pytest.mark.parametrize(
    ("n", "axis"),
    [(3, "chance to be published"), (60, "chance of each 3 settings"), (70, "chance of each 3 or 4 settings")],
)
def test_the_picture_s_groups_hold_every_setting_once_and_its_axis_says_how_many_a_bar_is(n, axis):
    task = pb.data.task_from_table(scored(n=n), ["C"], "accuracy", records=100)
    view = viewed(0, task, epsilon=2.0)
    picture, found = chances(view), view.groups
    assert picture.layout["yaxis"]["title"]["text"] == f"{axis}, in %"
    named = [each["text"] for each in picture.layout["annotations"] if "DP-BO" in each["text"]]
    assert named == ["◇ DP-BO as published" + ", nearly as blind" * view.nearly_blind]
    assert sum(group.size for group in found) == n
    assert sum(group.chance for group in found) == pytest.approx(1)
    assert sum(group.blind for group in found) == pytest.approx(1)
    assert [group.score for group in found] == sorted((group.score for group in found), reverse=True)
    assert found[0].chance / found[0].blind > found[-1].chance / found[-1].blind


@pytest.mark.parametrize("epsilon", [0.3, 1.0, 10.0])
def test_the_label_of_the_best_group_stands_above_its_bar_or_begins_where_the_bar_ends(epsilon):
    view = viewed(0, "svm", epsilon=epsilon)
    picture = chances(view)
    (label,) = [each for each in picture.layout["annotations"] if each["text"].startswith("among")]
    # The best are no success in green: at a large ε they are likely because hardly anything is hidden.
    assert label["font"]["color"] == picture.data[0]["marker"]["color"] == PRIVATE
    height = 100 * view.groups[0].chance
    beside = label["x"] - 1 >= 0.5 and label["xanchor"] == "left" and label["xshift"] >= 0
    assert label["y"] >= height if label["yanchor"] == "bottom" else beside


@pytest.mark.parametrize(
    ("best", "mean", "digits"), [(0.94, 0.90, 1), (0.7263, 0.7216, 2), (0.726316, 0.726155, 3), (0.5, 0.5, 2)]
)
def test_a_subtraction_has_the_digits_it_needs(best, mean, digits):
    assert digits_of(best, mean) == digits


def test_an_own_table_of_scores_needs_m_and_then_speaks_in_scores():
    app = opened(brought(scored(), SCORES))
    assert any("m, the number of validation records" in info.value for info in app.info)
    assert brief(app) is None
    app.number_input[0].set_value(200).run()
    assert "the published setting scores 0." in brief(app).answer
    assert "%" not in brief(app).answer


def test_an_own_dataset_speaks_of_confidence():
    app = opened(brought(labelled(), DATASET))
    assert "points of confidence in the right label" in brief(app).answer
    assert brief(app).facts[0].text == "One person’s whole record"


def test_where_nothing_is_lost_the_answer_says_so():
    words = viewed(0, "svm", epsilon=1000.0)
    assert "privacy costs nothing that shows" in words.answer
    assert words.brief.facts[3].text == "Nothing that shows"
    assert words.alt.startswith("How likely")


def test_where_all_settings_score_alike_there_is_nothing_to_lose_and_privacy_gets_no_merit_of_it():
    task = pb.data.tuning_task("svm")
    alike = task.scores.mean() + 1e-6 * (task.scores - task.scores.mean())
    words = viewed(0, replace(task, scores=alike), epsilon=1000.0)
    assert words.answer.startswith(f"All {task.n:,} settings score alike")
    assert "none is better than another" in words.answer
    assert "costs nothing" not in words.answer
    assert words.brief.facts[3].text == "Nothing to gain"


def test_an_algorithm_chosen_in_expert_is_not_left_without_a_word():
    app = choose(come(view="expert", algorithm="2 exact"), view="simple")
    assert brief(app)
    assert "Algorithm 2, chosen in Expert" in said(app)
    choose(app, view="expert")
    assert app.session_state["algorithm"] == "2 exact"
