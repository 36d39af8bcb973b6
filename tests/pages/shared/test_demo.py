"""A demonstration: no page takes or shows a table, simulations are few, and each page says how to have more at home."""

import pytest

from pages.ui import demo
from pages.ui.explanations import explanation
from pages.ui.own_table import OWN_TABLE, OwnTable
from privbo_core.outsourced import Simulation
from tests.helpers.charts import charts
from tests.helpers.opening import open_page
from tests.helpers.own_tables import made, random_table
from tests.helpers.reading import said
from tests.helpers.shown import errors, move, sliders, values

LITTLE = {"runs": 5, "T": 5, "trials": 50}
MARK = "hushhush"
LINKS = [
    ("data", {"data": "own"}),
    ("outsourced", {"data": "own"}),
    ("audit", {"data": "own"}),
    ("tradeoff", {"data": "own"}),
    ("tradeoff", {"story": "table", "data": "own"}),
    ("release", {"task": "my scores"}),
    ("release", {"task": "my dataset"}),
    ("federated", {"agents": "own"}),
]
"""Links that were made for a table of one's own, by the page that they lead to."""
PAGES = ("start", "data", "outsourced", "release", "federated", "tradeoff", "audit", "papers")
"""The pages on which a demonstration has less."""


@pytest.fixture
def demonstration(monkeypatch):
    monkeypatch.setattr(demo, "hosting", lambda: demo.Hosting(demo=True))


def own_table():
    problem = made(random_table(80, 2).rename(columns={"x0": MARK}), title=MARK)
    return OwnTable(random_table(80, 2), name=MARK, simulation=Simulation(problem))


def places_for_files(app):
    """Return the places for a file, and the tables whose cells can be edited."""
    editors = [each for each in app.get("arrow_data_frame") if each.proto.editing_mode]
    return [*app.get("file_uploader"), *editors]


@pytest.mark.usefixtures("demonstration")
@pytest.mark.parametrize(("page", "link"), LINKS)
def test_a_link_made_for_an_own_table_opens_none(page, link):
    """Neither the table is shown, should a session hold one all the same, nor a sample in its place."""
    app = open_page(page, {OWN_TABLE: own_table()}, **LITTLE, **link)
    assert demo.NO_OWN_TABLE in said(app)
    assert not charts(app)
    assert MARK not in said(app)
    assert not places_for_files(app)


@pytest.mark.usefixtures("demonstration")
@pytest.mark.parametrize("page", PAGES)
def test_no_page_takes_a_file_and_each_says_how_to_run_it_at_home(page):
    app = open_page(page, bring="table", **LITTLE)
    assert charts(app)
    assert not places_for_files(app)
    assert not [option for box in app.selectbox for option in box.options if option.startswith("Your")]
    assert explanation("demo", "home") in [each.value for each in app.markdown]


def test_a_server_that_is_no_demonstration_says_nothing_of_it():
    app = open_page("start")
    assert explanation("demo", "home") not in [each.value for each in app.markdown]
    assert demo.most(200, usual=40) == 200


@pytest.mark.usefixtures("demonstration")
@pytest.mark.parametrize(
    ("page", "panel", "name", "asked", "cap", "besides"),
    [
        ("outsourced", "outsourced", "runs", 200, 40, {"T": 5}),
        ("federated", "federated/family/more", "runs", 100, 40, {"T": 2, "N": 2}),
        ("audit", "audit/reconstruction", "trials", 2000, 500, {}),
    ],
)
def test_neither_a_link_nor_a_browser_gets_more_runs_than_usual(page, panel, name, asked, cap, besides):
    app = open_page(page, {"section/more/federated/family/more": True}, **{name: asked}, **besides)
    assert sliders(app)[name]["max"] == cap
    assert values(app)[name] == cap
    move(app, panel, **{name: asked})
    assert values(app)[name] == cap
    assert name in errors(app)


@pytest.mark.usefixtures("demonstration")
def test_a_published_table_is_run_with_the_fewest_replicates():
    app = open_page("papers", runs_live=10)
    (choice,) = [each for each in app.get("button_group") if each.proto.id.endswith("runs_live")]
    assert [each.content for each in choice.proto.options] == ["2"]


@pytest.fixture
def environment(monkeypatch):
    """Set variables, and read them as a server does when it starts."""

    def read(**variables):
        for name, text in variables.items():
            monkeypatch.setenv(name, text)
        demo.hosting.cache_clear()
        return demo.hosting()

    yield read
    demo.hosting.cache_clear()


@pytest.mark.parametrize(("text", "found"), [("1", True), (" 1 ", True), ("true", True), ("0", False), ("", False)])
def test_only_nothing_and_0_leave_a_server_open_to_tables(environment, text, found):
    assert environment(PRIVBO_DEMO=text).demo is found


def test_it_is_read_once(environment, monkeypatch):
    assert environment(PRIVBO_DEMO="1").demo
    monkeypatch.setenv("PRIVBO_DEMO", "0")
    assert demo.is_demo()


@pytest.mark.parametrize(
    "text", ["https://a.org, http://*.b.example:8080", "\n https://a.org\thttp://*.b.example:8080,"]
)
def test_sites_are_separated_by_spaces_or_commas(environment, text):
    assert environment(PRIVBO_EMBED=text).sites == ("https://a.org", "http://*.b.example:8080")


@pytest.mark.parametrize(
    "text", ["*", "a.org", "https://a.org/page", "https://a.org;", "https://a.org 'unsafe-inline'", "data:"]
)
def test_what_is_no_site_is_refused_with_its_name(environment, text):
    """It goes into a header, where another word or a semicolon would mean something else."""
    with pytest.raises(ValueError, match="PRIVBO_EMBED"):
        environment(PRIVBO_EMBED=text)
