"""What Trade-off and the tour say of a search is what the engine finds, in the data's own words."""

import privbo_core as pb
from pages.parts.views.content import facts, names_in, of_table
from privbo_core.data import TASKS
from tests.helpers.numbers import numbers
from tests.helpers.opening import open_page


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


def test_a_visitor_with_a_link_from_before_there_was_a_choice_gets_all_there_is(monkeypatch):
    monkeypatch.setattr("pages.parts.shell.depth.FIRST", "simple")
    assert open_page("data").session_state["view"] == "simple"
    assert open_page("data", epsilon=3).session_state["view"] == "expert"


def test_what_is_hidden_follows_the_protected_distance():
    problem = pb.data.sample("hospital")
    assert [numbers(of_table(problem).hides(problem, distance)[0]) for distance in (1.0, 2.0)] == [[4], [8]]
