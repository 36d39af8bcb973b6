"""Figures that are drawn several times in a run, and that know the sliders that their dots stand for."""

from streamlit.testing.v1 import AppTest

from tests.helpers.charts import CHART, charts, handles, strict

PAGE = """
import streamlit as st
from pages import ui

state = st.session_state
panel = ui.Panel("panel", [ui.epsilon_slider(3.0, "")])
figure = ui.Figure(200)
figure.axis("y", "y", (0, 1))
figure.line([0.1, 200], [0, 1], ui.Stroke("pb:private"), "curve")
figure.handle("epsilon", "ε", panel["epsilon"], [0.1, 200], [0, 1])
chart = ui.Chart("figure", panel)
chart.draw(figure, "A line.")
for _ in range(state.get("again", 0)):
    chart.draw(figure, "A line, drawn again.")
panel.show()
ui.Chart("other").draw(figure, "Another line.")
"""


def opened(again=0):
    app = AppTest.from_string(PAGE)
    app.session_state["again"] = again
    return app.run()


def sent(app):
    """Return what the browser gets of each figure, in its order."""
    return [strict(each.proto.json) for each in app.get("bidi_component") if each.proto.component_name.endswith(CHART)]


def test_a_figure_is_drawn_as_often_as_it_changes():
    app = opened(again=3)
    drawn = charts(app)["figure"]
    assert drawn["alt"] == "A line, drawn again."
    assert handles(drawn)["epsilon"]["value"] == 3
    ours = [data for data in sent(app) if data["slot"] == "figure"]
    assert [bool(data.get("carrier")) for data in ours] == [False, True], "the first drawing, and the last one"
    assert ours[0]["version"] < ours[1]["version"], "the browser ignores an older one that comes late"


def test_a_figure_names_the_panel_of_its_dots():
    found = {data["slot"]: data["panel"] for data in sent(opened())}
    assert found == {"figure": "panel", "other": ""}
    names = [strict(each.proto.json)["name"] for each in opened().get("bidi_component")
             if each.proto.component_name.endswith("sliders")]  # fmt: skip
    assert names == ["panel"]


def test_what_a_browser_sends_of_a_figure_changes_nothing():
    app = opened()
    app.session_state["chart/figure"] = {"handle": {"slider": "epsilon", "value": 9.0, "dragging": False}}
    app.run()
    assert handles(charts(app)["figure"])["epsilon"]["value"] == 3
