"""What Trade-off and the tour say of a search is what the engine finds, in the data's own words."""

from dataclasses import replace
from functools import cache

import pytest

import privbo_core as pb
from pages.parts.outsourced.afford import EPSILONS, Afford
from pages.parts.outsourced.figures import ranks
from pages.parts.table.diagnostics import NOTHING
from pages.parts.views.content import facts, names_in, of_table
from pages.parts.views.text import toned
from privbo_core.bo import ExtraSteps
from privbo_core.data import TASKS
from privbo_core.outsourced import Comparison
from tests.helpers.compared import compared
from tests.helpers.numbers import numbers, tells
from tests.helpers.opening import open_page
from tests.helpers.reading import brief, traces


def run(page="outsourced", **query):
    app = open_page(page, **{"view": "simple"} | query)
    return app


def test_what_is_said_of_a_sample_is_of_one_that_there_is_and_of_its_columns():
    names = [identity for identity in facts("samples.toml") if identity not in ("agents", "plain")]
    problems = {f"sample/{name}": name for name in pb.data.SAMPLES}
    assert set(names) <= {*problems, *(f"tuning/{name}" for name in TASKS)}
    for problem in (pb.data.sample(problems[name]) for name in names if name in problems):
        columns = of_table(problem).columns
        assert columns
        assert {column.name for column in columns} <= set(problem.names)
        assert all(names_in(column.hides) == {"amount"} for column in columns)


@cache
def searched(name, epsilon, T, runs):
    problem = pb.data.sample(name)
    return compared(problem, epsilon=epsilon, T=T, runs=runs, search=pb.data.suited_search(problem))


@pytest.mark.parametrize(
    ("private", "low", "high", "more"),
    [(8, 1, 5, 1), (9, 1, 5, 2), (7, -2, 1, 1), (7, -2, 3, 3), (11, 0, 8, 4), (8, -2, 3, 1)],
)
def test_a_cost_in_tests_is_shown_with_its_interval_and_in_no_colour(monkeypatch, private, low, high, more):
    view = searched("hospital", 0.5, 10, 8)
    needed = ExtraSteps(private, 7, 10, low, high, 8)
    monkeypatch.setattr(Comparison, "extra_evaluations", lambda self, mechanism, rank: needed)
    cost, answer = view.cost, view.answer
    assert (numbers(cost.text), cost.tone) == ([more], "")
    assert tells(cost.remark, low, high)
    assert tells(answer, 6524, *((private, 7) if low > 0 else (10,)))
    interim = replace(view, case=replace(view.case, runs=40))
    for other in (interim, replace(view, earlier=True)):
        assert (numbers(other.cost.text), other.cost.tone) == ([more], "old")
        assert other.brief.answer == toned("old", other.answer)
    assert tells(interim.answer, 8, 40)


@pytest.mark.parametrize(
    ("name", "epsilon"), [("hospital", 0.5), ("hospital", 2.0), ("homes", 2.0), ("synthetic", 0.5), ("loans", 2.0)]
)
def test_the_answer_is_what_the_engine_finds(name, epsilon):
    """Headline and cost are the distance between the two curves of the picture."""
    view = searched(name, epsilon, 10, 8)
    comparison, n = view.comparison, pb.data.sample(name).n
    needed = comparison.extra_evaluations("noisy", pb.data.rank_sought(view.case.problem))
    plain = float(comparison.typical_rank(comparison.reference("noisy")).median)
    lead = comparison.lead(comparison.reference("noisy"), "rank")
    assert tells(view.answer, n)
    if not (lead.clear and lead.mean > 0 and plain < comparison.typical_rank("random").median):
        assert view.cost.text == NOTHING
        assert {*numbers(view.answer)} == {10, n}, "no cost"
        return
    if needed.significant:
        assert tells(view.cost.text, needed.extra)
        assert tells(view.cost.remark, needed.private if needed.private_reached else 10, needed.plain)
        assert tells(view.answer, needed.plain)
    else:
        assert tells(view.cost.remark, needed.low) or not numbers(view.cost.remark)


def test_a_visitor_with_a_link_from_before_there_was_a_choice_gets_all_there_is(monkeypatch):
    monkeypatch.setattr("pages.parts.shell.depth.FIRST", "simple")
    assert open_page("data").session_state["view"] == "simple"
    assert open_page("data", epsilon=3).session_state["view"] == "expert"


def test_what_is_hidden_follows_the_protected_distance():
    problem = pb.data.sample("hospital")
    assert [numbers(of_table(problem).hides(problem, distance)[0]) for distance in (1.0, 2.0)] == [[4], [8]]


@pytest.mark.parametrize(
    ("name", "how", "place"), [("hospital", (0.5, 10, 8), "below"), ("homes", (1.0, 30, 40), "above")]
)
def test_on_a_phone_chance_is_named_beside_its_curve_and_not_on_it(name, how, place):
    """It falls to its end: what stands inside the figure has room below it, unless another curve ends there."""
    picture = ranks(searched(name, *how))
    assert [each["name"] for each in picture.layout["annotations"] if each.get("name")] == [place]


def test_headline_cards_and_slider_of_what_is_affordable_speak_of_one_epsilon():
    epsilon = 0.13
    app = run("tradeoff", data="hospital", epsilon=epsilon, T=10, runs=8)
    median = searched("hospital", epsilon, 10, 8).comparison.typical_rank("noisy").median
    curve = traces(app, "afford")["with privacy"]
    assert curve["y"][curve["x"].index(epsilon)] == median
    assert numbers(brief(app).answer) == [10, round(median), 6524, epsilon, 1, 6]  # from ε = 1 on, one of the best six
    assert numbers(brief(app).facts[2].remark)[0] == epsilon


def test_while_the_slider_is_dragged_the_headline_keeps_its_epsilon_and_all_but_the_number():
    view = searched("hospital", 0.5, 10, 8)
    whole = Afford(view, dict.fromkeys(EPSILONS, view.comparison))
    found, (tests, *others) = round(view.ranks("noisy")[0]), numbers(whole.answer)
    assert [tests, *others[:4]] == [10, found, 6524, 0.5, 20]
    dragged = replace(view, comparison=None)
    assert numbers(Afford(dragged, whole.at).answer) == [tests, *others[1:]]


def test_a_rank_that_is_not_the_first_is_shown_with_the_tests_it_takes():
    view, n = searched("homes", 1.0, 30, 40), pb.data.sample("homes").n
    assert view.needed.significant
    assert numbers(view.answer) == [view.needed.private, 20, n, view.needed.plain]
