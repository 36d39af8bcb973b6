"""The Trade-off page without a browser: what an ε costs, which ε keeps a cost, and what becomes of one's own table."""

import itertools
import re
from dataclasses import replace

import numpy as np
import pytest

import privbo_core as pb
from pages.ui import stories
from pages.ui.sliders import OWN_DATA
from privbo_core.bo import ExtraSteps
from privbo_core.outsourced import Simulation
from privbo_core.privacy import strength
from privbo_core.tradeoff import expected_loss
from tests.helpers.amounts import few
from tests.helpers.charts import charts, handles, traces
from tests.helpers.numbers import numbers, tells
from tests.helpers.opening import open_page
from tests.helpers.own_tables import FRAME, made, open_own, small
from tests.helpers.reading import address, html, said
from tests.helpers.shown import facts, headline, move, titles

STORIES = ["hospital", "team", "schools"]


def opened(story="hospital", **query):
    return open_page("tradeoff", story=story, **query)


def cards(app):
    """Return the value and the sentence of each card by its name."""
    return {name: (value, text) for name, value, text in facts(app)}


def drawn(app):
    return charts(app)["tradeoff"]


def story_of(name):
    if name == "hospital":
        return stories.hospital(Simulation(pb.data.sample("hospital")))
    return getattr(stories, name)()


def cost_of(name, epsilon):
    return story_of(name).cost(epsilon)


@pytest.mark.parametrize("epsilon", ["1", "2.7"])
def test_the_cost_is_what_the_engine_counts_at_this_epsilon(epsilon):
    app = opened(epsilon=epsilon)
    found = cost_of("hospital", float(epsilon))
    title, lead = headline(app)
    assert tells(title, float(epsilon), *([found.extra] if found.significant else []))
    assert tells(lead, found.private, found.plain, found.low, found.high, found.runs)
    assert tells(cards(app)["What it costs"][1], found.low, found.high)


def test_the_team_loses_the_exact_mean_over_its_draw():
    app = opened("team", epsilon="0.3")
    task = pb.data.tuning_task("logistic")
    plan = pb.release.selection(
        task.scores, records=task.records, epsilon=0.3, largest_loss=task.largest_loss, way="permute-and-flip"
    )
    lost = round(100 * expected_loss(task, plan), 2)
    assert tells(headline(app)[0], 0.3, lost)
    assert tells(cards(app)["What it costs"][0], lost)


def test_the_curve_never_rises_and_the_lines_cross_at_the_cost():
    for story in ("hospital", "team"):
        chart = drawn(opened(story, epsilon="1"))
        curve = next(each for each in chart["data"] if each.get("name") == chart["layout"]["yaxis"]["title"]["text"])
        assert (np.diff(curve["y"]) <= 1e-9).all()
        upright, level = chart["handles"]
        assert (upright["line"], level["line"]) == ("upright", "level")
        assert upright["value"] == level["value"] == 1
        cost = cost_of(story, 1.0)
        assert level["y"][level["x"].index(1)] == pytest.approx(getattr(cost, "extra", cost))
        stops = level["stops"]
        assert stops == sorted(stops)
        assert all(one[1] > other[1] for one, other in itertools.pairwise(stops))


def test_what_the_search_does_not_reach_is_more_than_a_number():
    app = opened(epsilon="0.2")
    found = cost_of("hospital", 0.2)
    assert not found.private_reached
    assert "ore than" in headline(app)[0]
    assert tells(headline(app)[0], found.limit - found.plain)
    assert "ore than" in cards(app)["What it costs"][0]


@pytest.mark.parametrize("epsilon", ["0.01", "1000"])
@pytest.mark.parametrize("story", few(["hospital", "team"], STORIES))
def test_an_epsilon_beyond_the_axis_widens_it_and_is_kept(story, epsilon):
    chart = drawn(opened(story, epsilon=epsilon))
    low, high = chart["layout"]["xaxis"]["range"]
    assert low <= np.log10(float(epsilon)) <= high
    assert handles(chart)["epsilon"]["value"] == float(epsilon)


@pytest.mark.parametrize("story", STORIES)
def test_the_zones_have_the_words_of_the_card(story):
    for epsilon in ("0.3", "1", "8"):
        app = opened(story, epsilon=epsilon)
        (word,) = [each["text"] for each in drawn(app)["layout"]["annotations"] if each.get("name") == "zone-now"]
        protection, sentence = cards(app)["Protection"]
        assert protection.casefold() == word
        found = strength(story_of(story).guarantee(float(epsilon)))
        assert found.word == word
        assert tells(sentence, found.percent)


def ask(app, label, text):
    (box,) = [each for each in app.text_input if each.label == label]
    return box.set_value(text).run()


LIMIT, EPSILON = "The largest cost that you accept", "The ε whose cost you ask for"


def test_a_limit_is_answered_by_an_epsilon_from_which_on_it_is_kept():
    app = ask(opened(epsilon="1"), LIMIT, "5")
    epsilon = handles(drawn(app))["epsilon"]["value"]
    story = story_of("hospital")
    costs = {each: story.cost(each).extra for each in story.values}
    assert all(cost <= 5 for each, cost in costs.items() if each >= epsilon)
    below = max(each for each in story.values if each < epsilon)
    assert costs[below] > 5
    assert tells(said(app), epsilon, 5)
    assert address(app)["epsilon"] == f"{epsilon:g}"
    # The answer is about this ε alone.
    moved = ask(app, EPSILON, "e^0")
    assert handles(drawn(moved))["epsilon"]["value"] == 1
    assert "at most 5 extra" not in said(moved)


def test_the_team_is_asked_for_a_limit_in_points():
    app = ask(opened("team", epsilon="10"), LIMIT, "0,5")
    epsilon = handles(drawn(app))["epsilon"]["value"]
    assert cost_of("team", epsilon) <= 0.5 < cost_of("team", epsilon / 1.6)


@pytest.mark.parametrize(("label", "text"), [(LIMIT, "many"), (LIMIT, "-1000"), (EPSILON, "0"), (EPSILON, "<b>x</b>")])
def test_a_question_that_has_no_answer_gets_a_sentence_and_changes_nothing(label, text):
    app = ask(opened("team", epsilon="2"), label, text)
    assert handles(drawn(app))["epsilon"]["value"] == 2
    assert numbers(headline(app)[0])[0] == 2
    assert re.search(r'pb-foot">[^<]*\w', html(app))
    assert "<b>x" not in html(app)


def test_what_was_dragged_is_what_is_shown():
    app = move(opened("team", epsilon="2"), "tradeoff", epsilon=0.5)
    assert numbers(headline(app)[0])[0] == 0.5
    assert address(app)["epsilon"] == "0.5"


def own(frame=None, n=60):
    return replace(made(small(n), "response", frame=frame), identity=None)


def test_a_table_of_ones_own_is_shown_and_leaves_nothing_behind():
    app = open_own(own(FRAME), "tradeoff", epsilon="2")
    assert app.session_state["story"] == "table"
    assert tells(headline(app)[1], 60)
    shown = cards(app)
    assert tells(" ".join(shown["Protected difference, and from whom"]), 1, 4)
    assert not re.search("dose|response|mine", " ".join(address(app).values()))
    kept = [key for key, _ in app.session_state.items() if "costs" in key or "headline" in key]
    assert kept
    assert all(key.startswith(OWN_DATA) for key in kept if "hospital" not in key)
    app.session_state["story"] = "hospital"
    assert tells(headline(app.run())[1], 6524)


def test_a_guarantee_with_an_unmet_assumption_has_no_word():
    app = open_own(own(), "tradeoff", epsilon="2")
    protection, sentence = cards(app)["Protection"]
    assert protection.casefold() not in ("strong", "moderate", "weak", "very strong", "very weak")
    assert "would be 2" in sentence
    assert not [each for each in drawn(app)["layout"]["annotations"] if each.get("name", "").startswith("zone")]
    assert "pb-caution" in html(app)


@pytest.mark.parametrize("n", [4, 7, 12])
def test_a_small_table_has_searches_of_its_size(n):
    problem = pb.data.sample("homes")
    rows = np.random.default_rng(n).choice(problem.n, n, replace=False)
    few = replace(
        problem, points=problem.points[rows], objective=problem.objective[rows], original=problem.original[rows],
        identity=None,
    )  # fmt: skip
    story = stories.table(Simulation(few))
    assert story.setting.iterations + story.setting.initial < n
    assert story.cost(1.0).limit == story.setting.iterations


def test_a_search_that_random_choice_equals_has_little_to_lose():
    problem = pb.data.sample("homes")
    noise = np.random.default_rng(0).standard_normal(problem.n)
    blind = stories.table(Simulation(replace(problem, objective=noise, identity=None)))
    assert blind.caution(1.0)
    assert not story_of("hospital").caution(1.0)


def test_a_link_to_data_shows_them_whatever_was_shown_before():
    app = opened("team", epsilon="1")
    app.switch_page("pages/start.py").run()
    app.query_params.clear()
    app.query_params["data"] = "homes"
    app.switch_page("pages/tradeoff.py").run()
    assert tells(headline(app)[1], pb.data.sample("homes").n)


def test_a_link_to_a_table_that_is_not_here_asks_for_it():
    app = open_page("tradeoff", data="own")
    assert [each for each in app.warning if "isn’t here" in each.value]
    assert "pb-headline" not in html(app)


@pytest.mark.parametrize("story", ["hospital", "team"])
def test_all_mechanisms_are_drawn_and_a_refuted_one_hollow(story):
    app = opened(story, epsilon="1")
    app.session_state["section/All mechanisms, in regret"] = True
    found = traces(charts(app.run())["mechanisms"])
    names = {"hospital": {"projection", "noisy release"}, "team": {"Algorithm 1", "Algorithm 2", "private selection"}}
    assert names[story] <= found.keys()
    proven = {"noisy release", "private selection"}
    for name in names[story]:
        assert ("open" not in found[name]["marker"]["symbol"]) == (name in proven)
    assert any("refuted" in each for each, *_ in map(reversed, titles(app))) == (story == "hospital")


def steps(private, plain, limit=30, runs=40, seed=0):
    """Return the extra steps of searches that end around these numbers, of which those beyond the limit don't."""
    rng = np.random.default_rng(seed)
    one, two = (np.clip(rng.poisson(mean, (400, runs)), 1, limit + 1) for mean in (private, plain))
    medians = (np.median(each, axis=1).astype(int) for each in (one, two))
    return ExtraSteps.resampled(*medians, limit=limit, runs=runs)


@pytest.mark.parametrize("private", [[60, 60, 60], [60, 40, 12], [12, 12, 12]])
def test_the_title_of_the_figure_contradicts_no_cost_that_is_known(private):
    story = story_of("hospital")
    known = {epsilon: steps(mean, 12) for epsilon, mean in zip(story.values[:3], private, strict=True)}
    costly = any(cost.significant for cost in known.values())
    title = story.finding(story.curve(known), known)
    assert ("No privacy budget" in title) == (not costly)
    assert costly == (private[0] > 12)


def test_searches_that_are_too_short_measure_nothing():
    """Where not even the search without privacy gets there, its end is no number of extra tests."""
    story = story_of("hospital")
    cost = steps(80, 80)
    known = dict.fromkeys(story.values, cost)
    assert (cost.private, cost.plain) == (31, 31)
    assert numbers(story.amount(cost)) == []
    assert numbers(story.title(1.0, cost)) == [1, 30]
    assert numbers(story.sure(cost)) == [40], "no interval"
    assert "too short" in story.finding(story.curve(known), known)
    assert story.height(cost) == 0


def test_choosing_epsilon_on_an_own_table_breaks_an_assumption_on_page_and_brief():
    app = open_own(made(small(), "response", frame=FRAME), page="tradeoff", story="table")
    assert re.search(r"pb-proof.*?breaks number 2", html(app))
    assert "breaks number 2" not in html(opened("hospital"))
