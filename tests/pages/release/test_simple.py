"""The Simple page of Release: one answer in the data's own unit, four facts, one picture, one slider."""

from dataclasses import replace
from functools import partial

import pytest

import privbo_core as pb
from pages.parts.release.figures import chances
from pages.parts.release.tasks import SCORES, TASK
from pages.parts.release.view import digits_of
from pages.parts.shell.session import OWN
from pages.parts.views.picture import PRIVATE
from tests.helpers.numbers import numbers, tells, written
from tests.helpers.reading import brief, choose, html
from tests.helpers.released import brought, come, noisily, scored, viewed

opened = partial(come, view="simple")


@pytest.mark.parametrize(("task", "epsilon"), [("logistic", 0.1), ("svm", 1.0), ("logistic", 10.0)])
def test_the_answer_is_the_engine_s_in_percentage_points(task, epsilon):
    app = opened(task=task, epsilon=str(epsilon))
    known = pb.data.tuning_task(task)
    plan = pb.release.selection(known.scores, records=250, epsilon=epsilon, way="permute-and-flip")
    lost = 100 * float(plan.choice.probabilities @ (known.scores.max() - known.scores))
    best = 100 * (1 + known.scores.max())
    said = brief(app)
    assert said.answer in html(app)
    at, cost, mean, top = numbers(said.answer)
    half = 0.5 * 10.0 ** -len(written(said.answer)[1].partition(".")[2])
    assert at == epsilon
    assert (cost, mean, top) == pytest.approx((lost, best - lost, best), abs=half + 1e-9)
    assert abs(top - mean - cost) <= 2 * half + 1e-9, "the subtraction comes out but for the last digit"
    *_, strength, price = said.facts
    assert {0.1: 5, 1.0: 3, 10.0: 0}[epsilon] == strength.level
    assert (numbers(price.text), numbers(strength.remark)[0]) == ([cost], epsilon)
    lost = 100 * (noisily(known, epsilon)[1].choice.probabilities @ (known.scores.max() - known.scores))
    assert tells(price.remark, round(lost, 1))  # of DP-BO as published


def test_dragging_changes_the_answer_the_facts_and_the_picture():
    private, useful = (viewed(0, epsilon=epsilon) for epsilon in (0.1, 10.0))
    assert private.answer != useful.answer
    assert private.brief.facts[2].level > useful.brief.facts[2].level
    first, second = (chances(view).data[0]["y"] for view in (private, useful))
    assert second[0] > 3 * first[0]
    assert sum(first) == pytest.approx(100)


@pytest.mark.parametrize(("n", "each"), [(3, []), (60, [3]), (70, [3, 4])])
def test_the_picture_s_groups_hold_every_setting_once_and_its_axis_says_how_many_a_bar_is(n, each):
    task = pb.data.task_from_table(scored(n=n), ["C"], "accuracy", records=100, decimals="exact")
    view = viewed(0, task, epsilon=2.0)
    picture, found = chances(view), view.groups
    assert numbers(picture.layout["yaxis"]["title"]["text"]) == each
    assert sum(group.size for group in found) == n
    assert sum(group.chance for group in found) == pytest.approx(1)
    assert sum(group.blind for group in found) == pytest.approx(1)
    assert [group.score for group in found] == sorted((group.score for group in found), reverse=True)
    assert found[0].chance / found[0].blind > found[-1].chance / found[-1].blind


@pytest.mark.parametrize("epsilon", [0.3, 1.0, 10.0])
def test_the_label_of_the_best_group_stands_above_its_bar_or_begins_where_the_bar_ends(epsilon):
    view = viewed(0, "svm", epsilon=epsilon)
    picture = chances(view)
    # The best are no success in green: at a large ε they are likely because hardly anything is hidden.
    (label,) = [each for each in picture.layout["annotations"] if each["font"]["color"] == PRIVATE]
    assert picture.data[0]["marker"]["color"] == PRIVATE
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
    assert app.info
    assert brief(app) is None
    app.number_input[0].set_value(200).run()
    assert app.error  # until somebody says whether the scores were rounded
    app.selectbox(key=f"{OWN}chosen/decimals").set_value("exact").run()
    task = app.session_state[TASK][1]
    choice = pb.release.selection(task.scores, records=200, epsilon=1.0, way="permute-and-flip").choice
    assert tells(brief(app).answer, float(choice.probabilities @ task.scores))
    assert "%" not in brief(app).answer


def test_where_nothing_is_lost_no_cost_is_shown():
    said = viewed(0, "svm", epsilon=1000.0).brief
    assert not numbers(said.facts[3].text)
    assert 0 not in numbers(said.answer)


def test_where_all_settings_score_alike_there_is_nothing_to_lose_and_privacy_gets_no_merit_of_it():
    task = pb.data.tuning_task("svm")
    alike = task.scores.mean() + 1e-6 * (task.scores - task.scores.mean())
    words = viewed(0, replace(task, scores=alike), epsilon=1000.0)
    assert numbers(words.answer)[0] == task.n
    assert not numbers(words.brief.facts[3].text)
    assert words.brief.facts[3].tone != "met"


def test_an_algorithm_chosen_in_expert_is_still_there_after_a_look_at_simple():
    app = choose(come(view="expert", algorithm="2 exact"), view="simple")
    assert brief(app)
    choose(app, view="expert")
    assert app.session_state["algorithm"] == "2 exact"
