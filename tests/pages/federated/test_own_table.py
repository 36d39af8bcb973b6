"""The visitor's own agents: a table with a column that names the agent. Nothing of it is in the address."""

import numpy as np
import pandas as pd
import pytest

from pages.ui.own_table import OWN_TABLE, OwnTable
from privbo_core.federated import from_table
from tests.helpers.charts import charts, traces
from tests.helpers.numbers import tells
from tests.helpers.opening import open_page
from tests.helpers.own_tables import bring_table, csv
from tests.helpers.reading import HOSTILE, address, html, marked
from tests.helpers.shown import guarantee, headline, open_sections, tiles
from tests.helpers.together import FEW

COLUMNS = "own data/agents/"


def table(agents=6):
    x = np.linspace(0, 1, 12)
    rows = [(f"site {n}", a, np.sin(4 * a + 0.1 * n)) for n in range(agents) for a in x]
    return pd.DataFrame(rows, columns=["site", "dose", "effect"])


def own(frame, state=None, **query):
    few = {"T": "4", "runs": "5", "M": "10", "P": "1"}
    return open_page("federated", {OWN_TABLE: OwnTable(table=frame), "agents": "own", **(state or {})}, **few | query)


def test_a_table_that_is_brought_to_data_is_tuned_here():
    app = open_page("data", T="4", runs="5")
    bring_table(app, "secret-name.csv", csv(table()))
    app.query_params.clear()
    for name, value in FEW.items():
        app.query_params[name] = value
    app.switch_page("pages/federated.py").run()
    app.selectbox(key="agents").set_value("own").run()
    app.query_params.clear()
    assert tells(headline(app)[1], 6)
    open_sections(app)
    words = " ".join(address(app).values())
    for private in ("secret-name", "site", "dose", "effect"):
        assert private not in words


def test_its_numbers_are_the_engine_s_until_its_model_is_stated():
    app = own(table())
    problem = from_table(table(), "site", ["dose"], "effect")
    assert "pb-caution" in guarantee(app)
    assert tells(headline(app)[1], 6)
    assert traces(charts(app)["regret"])["TS"]["y"][0] < 2 * problem.unit * np.ptp(problem.objectives)
    app.toggle(key=f"{COLUMNS}known").set_value(True).run()
    assert "pb-proven" in guarantee(app)
    app.toggle(key=f"{COLUMNS}maximize").set_value(False).run()
    turned = traces(charts(app)["regret"])["TS"]["y"]
    app.toggle(key=f"{COLUMNS}maximize").set_value(True).run()
    assert turned != traces(charts(app)["regret"])["TS"]["y"]


def test_the_columns_stay_while_other_pages_are_visited():
    app = own(table().assign(other=table()["effect"] ** 2))
    app.selectbox(key=f"{COLUMNS}output").set_value("other").run()
    app.toggle(key=f"{COLUMNS}maximize").set_value(False).run()
    before = headline(app), tiles(app)
    app.switch_page("pages/start.py").run()
    app.query_params.clear()
    app.switch_page("pages/federated.py").run()
    assert app.selectbox(key=f"{COLUMNS}output").value == "other"
    assert app.toggle(key=f"{COLUMNS}maximize").value is False
    assert (headline(app), tiles(app)) == before


@pytest.mark.parametrize("query", [{"agents": "own"}, {"agents": "own", "z": "2"}])
def test_a_link_to_a_table_that_is_not_here_asks_for_it_and_shows_no_sample(query):
    app = open_page("federated", **FEW | query)
    assert len(app.warning) == 1
    assert [link.proto.page for link in app.get("page_link")] == ["data"]
    assert charts(app) == {}
    assert "pb-headline" not in html(app)


BROKEN = {
    "two columns": table()[["site", "dose"]],
    "no number": table().assign(effect="good"),
    "one agent": table(1),
    "constant": table().assign(effect=1.0),
    "one point": table().assign(dose=1.0),
}


@pytest.mark.parametrize("name", BROKEN)
def test_a_table_that_cannot_be_used_gets_a_sentence(name):
    roles = {f"{COLUMNS}agent": "site", f"{COLUMNS}output": "effect", f"{COLUMNS}parameters": ["dose"]}
    app = own(BROKEN[name], {} if name == "two columns" else roles)
    assert len(app.warning) == 1
    assert app.warning[0].value
    assert charts(app) == {}


def test_measurements_at_different_points_are_modelled_and_that_is_told():
    app = own(table().drop(index=[3, 17]))
    assert len(app.caption) >= 1
    assert "pb-caution" in guarantee(app)
    assert tiles(app)


def test_names_from_a_file_are_never_markup():
    hostile = table().rename(columns={"site": f"who {HOSTILE}", "dose": HOSTILE, "effect": f"unit {HOSTILE}"})
    hostile[f"who {HOSTILE}"] += HOSTILE
    app = open_sections(own(hostile))
    for text in marked(app):
        assert "](" not in text
    assert "<img" not in html(app)
    assert "<b>b" not in html(app)
    drawn = str([(chart["data"], chart["layout"], chart["legend"]) for chart in charts(app).values()])
    assert "<b>b" not in drawn
    assert "<b>c" not in drawn + html(app)
    assert "&lt;b&gt;b&lt;/b&gt;" in drawn, "the unit is shown on an axis"


def test_what_was_computed_of_a_table_is_dropped_with_it():
    app = open_sections(own(table()))
    for name, value in list(app.session_state.items()):
        if name.startswith("own data/"):
            del app.session_state[name]
        else:
            assert "Simulation" not in str(type(value)), name
            assert not isinstance(value, np.ndarray), name
            assert not (isinstance(value, tuple) and any(hasattr(each, "queries") for each in value)), name
