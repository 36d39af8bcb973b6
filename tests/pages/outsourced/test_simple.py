"""The Simple page: what it says is what the engine finds, in the data's own words."""

import re
from dataclasses import replace
from functools import cache

import pytest

import privbo_core as pb
from pages.parts.live.desk import START
from pages.parts.outsourced.afford import EPSILONS, Afford
from pages.parts.outsourced.figures import ranks
from pages.parts.table.diagnostics import suited
from pages.parts.views.content import facts, names_in, of_table
from pages.parts.views.text import toned
from pages.parts.views.views import REFUTED_STAMP
from privbo_core.data import TASKS
from privbo_core.outsourced import Comparison
from privbo_core.outsourced.comparison import Needed
from tests.helpers.compared import compared
from tests.helpers.opening import open_page
from tests.helpers.reading import brief, html, record, traces


def run(page="outsourced", **query):
    app = open_page(page, **{"view": "simple"} | query)
    return app


def test_a_column_is_labelled_as_it_is_spoken_of():
    hospital, homes = pb.data.sample("hospital"), pb.data.sample("homes")
    column = hospital.names.index("log_creatinine")
    assert of_table(hospital).label(hospital, column) == f"kidney value ({hospital.units[column]})"
    assert of_table(homes).label(homes, 0) == f"{homes.names[0]} ({homes.units[0]})"


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
    return compared(problem, epsilon=epsilon, T=T, runs=runs, search=suited(problem))


@pytest.mark.parametrize(
    ("private", "low", "high", "said"),
    [(8, 1, 5, "1 more test"), (9, 1, 5, "2 more tests"), (7, -2, 1, "At most 1 more test"),
     (7, -2, 3, "At most 3 more tests"), (11, 0, 8, "Perhaps 4 more tests"), (8, -2, 3, "Perhaps 1 more test")],
)  # fmt: skip
def test_a_cost_in_tests_says_to_what_and_is_neither_none_nor_green_where_it_may_be_none(
    monkeypatch, private, low, high, said
):
    view = searched("hospital", 0.5, 10, 8)
    monkeypatch.setattr(Comparison, "tests_needed", lambda self, policy: Needed(1.0, private, 7, low, high))
    cost, answer = view.cost, view.answer
    assert (cost.text, cost.tone) == (said, "")
    assert " to find the highest level" in cost.remark
    assert f"95 % interval: {low} to {high} more".replace("-", "−") in cost.remark
    assert (f"needs {private} tests" in answer and answer.endswith("without, 7.")) == (low > 0)
    assert answer.endswith(f", as without: {said.lower()}.") == (low <= 0)
    interim = replace(view, case=replace(view.case, runs=40))
    for other, when in ((interim, "So far"), (replace(view, earlier=True), "Before:")):
        assert (other.cost.text, other.cost.tone) == (f"{when} {said.lower()}", "old")
        assert other.brief.answer == toned("old", other.answer)
    assert other.answer == f"Before: {answer[0].lower()}{answer[1:]}".replace("hardly any privacy", "privacy")
    assert interim.answer == f"So far, in 8 of 40 searches: {answer[0].lower()}{answer[1:]}"


@pytest.mark.parametrize(
    ("name", "epsilon"), [("hospital", 0.5), ("hospital", 2.0), ("homes", 2.0), ("synthetic", 0.5), ("loans", 2.0)]
)
def test_the_answer_is_what_the_engine_finds(name, epsilon):
    """Headline and cost are the distance between the two curves of the picture."""
    view = searched(name, epsilon, 10, 8)
    comparison, n = view.comparison, pb.data.sample(name).n
    needed = comparison.tests_needed("noisy")
    plain = float(comparison.typical_rank(comparison.reference("noisy")).median)
    text = f"{view.answer} {view.cost.text} {view.cost.remark}"
    lead = comparison.lead(comparison.reference("noisy"), "rank")
    if not (lead.clear and lead.mean > 0 and plain < comparison.typical_rank("random").median):
        assert "Nothing to gain" in text
        assert "find no more than chance does: there is nothing to gain by a search." in text
        return
    if needed.low > 0:
        assert f"{needed.more} more " in text
        assert f"{needed.private} instead of {needed.plain} to find {best(name, needed.rank)}" in text
        assert f"{best(name, needed.rank)} of {n:,}" in text
        assert (f"without, {needed.plain}." in text) == (needed.rank <= plain)
    else:
        assert re.search("(Perhaps|At most) [0-9]+ more |Perhaps more ", text)
        assert f"{best(name, needed.rank)} of {n:,}" in text
        assert best(name, plain) in text


def test_it_begins_with_the_hospital_and_a_strong_promise_and_explains_what_needs_explaining():
    text = html(app := run(T=10, runs=8))
    assert brief(app).answer == searched("hospital", START, 10, 8).answer
    assert "A hospital lets somebody else choose which patients to test" in text
    assert "asks for 5 random patients, then 10, seeking" in text
    assert "Age to within 4 years" in text
    assert "kidney value to within 10 %" in text
    assert "Strong" in text
    assert 'aria-label="strength 4 of 5"' in text
    jargon = ("σ", "δ_ucb", "k₁", "GP-UCB", "regret", "sub>", "modeler", "curator")
    assert not [word for word in jargon if word in text]
    assert len(text.split()) < 400  # markup and *What does this ε mean?* included


@pytest.mark.parametrize("brought", [{}, {"release": "projection"}, {"release": "both"}])
def test_both_depths_share_what_is_set_and_what_is_released(brought):
    app = run(T=10, runs=8, epsilon=2, data="homes", **brought)
    projected = brought.get("release") == "projection"
    for depth in ("expert", "simple", "expert"):
        if said := brief(app):
            assert (said.facts[2].text == "Not at all", "mixed columns" in html(app)) == (projected,) * 2
        app.button_group(key="view").set_value(depth).run()
        assert app.query_params["epsilon"] == "2"
        assert app.query_params["data"] == "homes"
        # If nothing was brought, the release that was shown, which is proved.
        assert app.query_params["release"] == brought.get("release", "noisy")
        stamped = [each.finding.stamp for slot, each in record(app).figures.items() if slot in ("regret", "found")]
        assert stamped == [REFUTED_STAMP if projected else ""]


@pytest.mark.parametrize("by_button", [False, True])
def test_the_release_that_was_shown_comes_along_when_the_depth_is_changed_on_another_page(by_button):
    app = run(T=10, runs=8)
    app.switch_page("pages/audit.py").run()
    if by_button:
        next(each for each in app.button if each.label.endswith("Expert")).click().run()
    else:
        app.button_group(key="view").set_value("expert").run()
    assert "release" not in app.query_params
    app.switch_page("pages/outsourced.py").run()
    assert (app.session_state["view"], app.session_state["release"]) == ("expert", "noisy")
    assert "ω, what Theorem 1 asks" not in html(app)


def test_a_visitor_with_a_link_from_before_there_was_a_choice_gets_all_there_is(monkeypatch):
    monkeypatch.setattr("pages.parts.shell.depth.FIRST", "simple")
    assert open_page("data").session_state["view"] == "simple"
    assert open_page("data", epsilon=3).session_state["view"] == "expert"


def test_what_is_hidden_follows_the_protected_distance():
    problem = pb.data.sample("hospital")
    assert of_table(problem).hides(problem, 2.0)[0] == "age to within 8 years"


def best(name, rank):
    return of_table(pb.data.sample(name)).best(rank)


@pytest.mark.parametrize(
    ("name", "how", "place"), [("hospital", (0.5, 10, 8), "below"), ("homes", (1.0, 30, 40), "above")]
)
def test_on_a_phone_chance_is_named_beside_its_curve_and_not_on_it(name, how, place):
    """It falls to its end: what stands inside the figure has room below it, unless another curve ends there."""
    picture = ranks(searched(name, *how))
    labels = {each["text"]: each.get("name") for each in picture.layout["annotations"]}
    assert labels["┈ by chance"] == place
    (better,) = (each for each in picture.layout["annotations"] if each["text"] == "↓ better")
    assert (better["y"], better["yref"], better["yanchor"]) == (1, "paper", "bottom")  # above all curves
    assert [each for each in labels.values() if each] == [place]


def test_headline_cards_and_slider_of_what_is_affordable_speak_of_one_epsilon():
    epsilon = 0.13
    app = run("tradeoff", data="hospital", epsilon=epsilon, T=10, runs=8)
    median = searched("hospital", epsilon, 10, 8).comparison.typical_rank("noisy").median
    rank, curve = best("hospital", median), traces(app, "afford")["with privacy"]
    assert curve["y"][curve["x"].index(epsilon)] == median
    answer = f"10 tests typically find {rank} of 6,524 patients at ε = {epsilon}; from ε = 1 on, one of the 6 highest"
    assert brief(app).answer == f"{answer} levels."
    assert f"ε = {epsilon}, proved" in html(app)


def test_while_the_slider_is_dragged_the_headline_keeps_its_epsilon_and_all_but_the_number():
    view = searched("hospital", 0.5, 10, 8)
    whole = Afford(view, dict.fromkeys(EPSILONS, view.comparison))
    found = best("hospital", view.ranks("noisy")[0])
    dragged = replace(view, comparison=None)
    assert "at ε = 0.5; with no ε up to 20" in whole.answer
    assert Afford(dragged, whole.at).answer == f"So far {whole.answer.replace(found, '…', 1)}"
    assert "under way" in Afford(dragged, {}).answer


def test_a_rank_that_is_not_the_first_says_why_it_is_looked_at():
    view, n = searched("homes", 1.0, 30, 40), pb.data.sample("homes").n
    found, plain = best("homes", view.needed.rank), view.needed.plain
    assert view.answer.endswith(f"{found} of {n:,} homes, as good as in all 30; without, {plain}.")
