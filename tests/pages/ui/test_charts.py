"""A dot that is dragged sets its slider, and nothing else that a browser can send does."""

import pytest
from streamlit.testing.v1 import AppTest

from tests.helpers.charts import charts, handles
from tests.helpers.hostile_reports import HANDLES
from tests.helpers.reading import address, asked_in_vain

PAGE = """
import streamlit as st
from pages import ui

state = st.session_state
panel = ui.Panel("panel", [
    ui.epsilon_slider(3.0, ""),
    ui.Slider("r", "Dimension r", 1, 100, 10, log=True, whole=True),
])
figure = ui.Figure(200)
figure.axis("y", "y", (0, 1))
figure.line([0.1, 200], [0, 1], ui.Stroke("pb:private"), "curve")
figure.handle("epsilon", "ε", panel["epsilon"], [0.1, 200], [0, 1])
chart = ui.Chart("figure", panel)
chart.draw(figure, "A line.")
for _ in range(state.get("again", 0)):
    chart.draw(figure, "A line, drawn again.")
panel.show()
if "sent" in state:  # as the browser does, between two runs
    chart._dragged("sent")
    del state["sent"]
    st.rerun()
state["values"] = (panel["epsilon"], panel["r"], panel.dragging)
"""


def opened(**query):
    app = AppTest.from_string(PAGE)
    for name, value in query.items():
        app.query_params[name] = value
    return app.run()


def drag(app, report):
    app.session_state["sent"] = {"handle": report}
    return app.run()


def values(app):
    return app.session_state["values"]


@pytest.mark.parametrize("hostile", HANDLES, ids=range(len(HANDLES)))
def test_any_report_of_a_dot_leaves_usable_values(hostile):
    app = drag(opened(), hostile)
    assert values(app) == (3, 10, False)
    known = dict(app.session_state["panel/held"].values)
    assert known.keys() == {"epsilon", "r"}, "nothing is kept of a slider that there isn't"
    drag(app, {"slider": "epsilon", "value": 5.0, "dragging": False})
    assert values(app)[0] == 5


def test_a_state_that_is_no_report_is_ignored():
    app = opened()
    app.session_state["sent"] = "nothing"
    assert values(app.run()) == (3, 10, False)


@pytest.mark.parametrize(
    ("slider", "sent", "value"),
    [("epsilon", 5.25, 5.25), ("epsilon", 1e9, 1000), ("epsilon", -1, 0.01), ("r", 7.43, 7), ("r", 0.2, 1)],
)
def test_a_dot_sets_its_slider_and_the_address_when_it_rests(slider, sent, value):
    app = drag(opened(), {"slider": slider, "value": sent, "dragging": True})
    place = ["epsilon", "r"].index(slider)
    assert values(app)[place] == value
    assert values(app)[2]
    assert address(app)[slider] == {"epsilon": "3", "r": "10"}[slider]
    drag(app, {"slider": slider, "value": sent, "dragging": False})
    assert values(app)[place] == value
    assert not values(app)[2]
    assert address(app)[slider] == f"{value:g}"
    assert not asked_in_vain(app), "what the app wrote into the address itself"


def test_a_figure_is_drawn_as_often_as_it_changes():
    app = opened()
    app.session_state["again"] = 3
    app.run()
    drawn = charts(app)["figure"]
    assert drawn["alt"] == "A line, drawn again."
    assert handles(drawn)["epsilon"]["value"] == 3
    found = [each for each in app.get("bidi_component") if each.proto.component_name.endswith("privbo_ui_chart")]
    assert len(found) == 2, "the first drawing, and the last one in its invisible carrier"
