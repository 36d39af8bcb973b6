"""Sliders: whatever the browser or the address says, a page has usable values, and says what it can't use."""

import math
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from streamlit.testing.v1 import AppTest

from pages.ui.sliders import EPSILON_RANGE, PAPER_EPSILONS, Slider, epsilon_slider
from tests.helpers.charts import strict
from tests.helpers.hostile_reports import EPOCHS, REPORTS
from tests.helpers.reading import address, asked_in_vain

EPSILON = epsilon_slider(3.0, "")
R = Slider("r", "Dimension r", 1, 100, 10, log=True, whole=True)
DELTA = Slider("delta", "Failure probability δ", 1e-9, 0.1, 1e-5, log=True)

PAGE = """
import streamlit as st
from pages.ui.sliders import Panel, Slider, epsilon_slider

state = st.session_state
sliders = [
    epsilon_slider(state.get("first", 3.0), "", marks=()),
    Slider("r", "Dimension r", 1, 100, 10, log=True, whole=True),
    Slider("T", "Evaluations T", 5, state.get("most", 200), 30, whole=True),
]
panel = Panel(state.get("page", "one"), sliders)
if "preset" in state:
    panel.set(state.pop("preset"))
    st.rerun()
state["axis"] = panel.hold("axis", state.get("top", 1.0))
panel.show()
state["values"] = tuple((each.key, panel[each.key]) for each in sliders)
state["errors"] = tuple(panel.errors.items())
state["dragging"], state["changed"] = panel.dragging, panel.changed
"""


def opened(state=None, **query):
    app = AppTest.from_string(PAGE)
    for name, value in query.items():
        app.query_params[name] = value
    for key, value in (state or {}).items():
        app.session_state[key] = value
    return app.run()


def report(app, values, number=1, dragging=False, epoch=None, panel="one"):
    """Let the browser report values, of the epoch that it has been told."""
    epoch = shown(app)["epoch"] if epoch is None else epoch
    app.session_state[panel] = {"report": {"values": values, "number": number, "dragging": dragging, "epoch": epoch}}
    return app.run()


def shown(app):
    """Return what the browser gets."""
    (panel,) = app.get("bidi_component")
    return strict(panel.proto.json)


def values(app):
    found = dict(app.session_state["values"])
    assert found == {slider["key"]: slider["value"] for slider in shown(app)["sliders"]}
    return found


@pytest.mark.parametrize("hostile", REPORTS, ids=range(len(REPORTS)))
def test_any_report_leaves_usable_values(hostile):
    app = opened()
    if isinstance(hostile, dict):
        hostile = {**hostile, "epoch": shown(app)["epoch"]}
    for state in ({"report": hostile}, {"other": hostile}, hostile):
        if not isinstance(state, dict):
            continue
        app.session_state["one"] = state
        app.run()
        found = values(app)
        assert EPSILON_RANGE[0] <= found["epsilon"] <= EPSILON_RANGE[1]
        assert found["r"] in range(1, 101)
        assert found["T"] in range(5, 201)
        for sentence in dict(app.session_state["errors"]).values():
            assert sentence.endswith(".")
            assert len(sentence) < 120
        assert 0 <= shown(app)["ack"] < 2**53
    report(app, {"epsilon": 5, "r": 7}, number=9)
    assert (values(app)["epsilon"], values(app)["r"], shown(app)["ack"]) == (5, 7, 9)


@pytest.mark.parametrize("epoch", EPOCHS)
def test_a_report_of_another_epoch_does_not_count(epoch):
    app = opened()
    report(app, {"epsilon": 5}, number=3, epoch=epoch if epoch is not None else "none")
    assert values(app)["epsilon"] == 3
    assert shown(app)["ack"] == 0


@pytest.mark.parametrize(
    ("typed", "value"),
    [("e^1.1", 3.00417), ("10^-1", 0.1), ("0,5", 0.5), ("1e2", 100), ("6", 6), (2.5, 2.5), ("2 × 10²", 200)],
)
def test_a_number_box_takes_what_people_type(typed, value):
    app = report(opened(), {"epsilon": typed})
    assert values(app)["epsilon"] == value
    assert not app.session_state["errors"]
    assert float(address(app)["epsilon"]) == value


@pytest.mark.parametrize(
    ("key", "typed"),
    [
        *(("epsilon", bad) for bad in ("", "many", "0", "-3", "1001", "nan", "e^1e9", "1e999", [1], None)),
        *(("r", bad) for bad in ("2.5", "0", "101", 7.3)),
    ],
)
def test_a_wrong_value_gets_a_sentence_and_the_old_one_stays(key, typed):
    app = report(opened(), {"epsilon": 5, "r": 7})
    report(app, {key: typed}, number=2)
    found, errors = values(app), dict(app.session_state["errors"])
    assert (found["epsilon"], found["r"]) == (5, 7)
    assert errors.keys() == {key}
    assert errors[key].endswith(".")
    assert all(end in errors[key] for end in (("0.01", "1,000") if key == "epsilon" else ("1", "100")))
    assert shown(app)["errors"] == errors
    assert address(app)[key] == {"epsilon": "5", "r": "7"}[key]
    report(app, {key: 20}, number=3)
    assert not app.session_state["errors"]


@given(st.floats() | st.integers() | st.text(max_size=30), st.sampled_from([EPSILON, R, DELTA]))
def test_what_is_parsed_is_in_the_range_or_refused_with_it(raw, slider):
    sentence = ""
    try:
        value = slider.parse(raw)
    except ValueError as problem:
        value, sentence = slider.value, str(problem)
    assert not sentence or sentence.endswith(slider.allowed)
    assert slider.min <= value <= slider.max
    assert value == slider.parse(value) == slider.parse(f"{value:.6g}")
    assert not slider.whole or value == round(value)


@given(st.floats(allow_nan=False, allow_infinity=False), st.sampled_from([EPSILON, R, DELTA]))
def test_the_nearest_value_is_one_that_the_slider_has(value, slider):
    near = slider.nearest(value)
    assert slider.min <= near <= slider.max
    assert near == slider.nearest(near) == slider.parse(near)


@pytest.mark.parametrize("small", ["0", "1e-30", "1e-10", "0.11"])
def test_what_is_just_out_of_range_on_a_log_scale_is_refused(small):
    with pytest.raises(ValueError, match=r"10⁻⁹.*0\.1"):
        DELTA.parse(small)
    assert DELTA.parse("1.0000001e-9") == DELTA.parse("0.99999999e-9") == 1e-9, "what was rounded is taken"


def test_epsilon_is_the_same_slider_on_all_pages():
    assert EPSILON_RANGE == (0.01, 1000)
    assert pytest.approx((math.exp(-1), math.exp(5))) == PAPER_EPSILONS
    assert EPSILON.shared
    assert EPSILON.log


def test_the_address_brings_values_back():
    app = report(opened(), {"epsilon": 1.2345678, "r": 33, "T": 77})
    assert address(app) == {"epsilon": "1.23457", "r": "33", "T": "77"}
    again = opened(**address(app))
    assert values(again) == values(app)
    assert address(again) == address(app)
    assert not asked_in_vain(again)


@pytest.mark.parametrize("bad", ["", "-1", "2000", "nan", "1e999", "<b>x</b>", "![](//a.bc/d)", "x" * 10_000])
def test_a_bad_address_gets_a_sentence_and_the_rest_counts(bad):
    app = opened(epsilon=bad, r="7")
    assert values(app) == {"epsilon": 3, "r": 7, "T": 30}
    (notice,) = [each.value for each in app.info]
    assert len(notice) < 300
    for sign in "[]()<>":
        assert notice.count(sign) == notice.count(f"\\{sign}")
    assert address(app) == {"epsilon": "3", "r": "7", "T": "30"}


def test_a_link_within_the_page_counts():
    app = report(opened(), {"epsilon": 5})
    app.query_params["epsilon"] = "8"
    app.run()  # the browser still has its report of ε = 5
    assert values(app)["epsilon"] == 8
    assert address(app)["epsilon"] == "8"


def test_an_address_from_before_the_last_change_brings_nothing_back():
    """A fast hand sends the next change before the browser has been told the new address."""
    app = report(opened(), {"epsilon": 5})
    app.query_params["epsilon"] = "3"
    report(app, {"epsilon": 6}, number=2)
    assert values(app)["epsilon"] == 6
    app.query_params["epsilon"] = "5"
    app.run()
    assert values(app)["epsilon"] == 6
    assert address(app)["epsilon"] == "6"


def test_the_address_is_written_when_the_thumb_rests():
    app = report(opened(), {"epsilon": 5}, dragging=True)
    assert app.session_state["dragging"]
    assert values(app)["epsilon"] == 5
    assert address(app)["epsilon"] == "3"
    report(app, {"epsilon": 6}, number=2)
    assert not app.session_state["dragging"]
    assert address(app)["epsilon"] == "6"


def test_an_axis_holds_while_a_thumb_is_held():
    app = opened({"top": 1.0})
    app.session_state["top"] = 2.0
    report(app, {"epsilon": 5}, dragging=True)
    assert app.session_state["axis"] == 1.0
    report(app, {"epsilon": 5}, number=2)
    assert app.session_state["axis"] == 2.0


def test_a_preset_is_not_undone_by_an_earlier_report():
    app = report(opened(), {"epsilon": 5, "r": 33}, number=4)
    before = shown(app)["epoch"]
    app.session_state["preset"] = {"epsilon": 1.0, "T": 50}
    app.run()
    assert values(app) == {"epsilon": 1, "r": 33, "T": 50}
    assert shown(app)["epoch"] > before
    assert address(app) == {"epsilon": "1", "r": "33", "T": "50"}
    report(app, {"epsilon": 9}, number=5, epoch=before)  # was under way
    assert values(app)["epsilon"] == 1
    report(app, {"epsilon": 9}, number=6)
    assert values(app)["epsilon"] == 9


def test_one_epsilon_for_all_pages():
    app = opened()
    app.query_params.clear()  # as Streamlit does where somebody goes to another page
    app.session_state["page"], app.session_state["first"] = "two", 1.0
    app.run()
    assert values(app)["epsilon"] == 1, "a page opens with its own value"
    app.query_params.clear()
    app.session_state["page"] = "one"
    app.run()
    report(app, {"epsilon": 300, "r": 5})
    app.query_params.clear()
    app.session_state["page"] = "two"
    app.run()
    assert values(app) == {"epsilon": 300, "r": 10, "T": 30}, "the others belong to their page"
    report(app, {"epsilon": 1}, panel="two")  # this page's first value is a choice as well
    app.query_params.clear()
    app.session_state["page"] = "one"
    app.run()
    assert values(app)["epsilon"] == 1


def test_a_range_that_shrinks_takes_the_value_along():
    app = report(opened(), {"T": 180})
    app.session_state["most"] = 40
    app.run()
    assert values(app)["T"] == 40
    assert address(app)["T"] == "40"
    report(app, {"T": 180}, number=2)
    assert values(app)["T"] == 40
    assert "40" in dict(app.session_state["errors"])["T"]


def test_what_differs_from_the_first_values_is_a_change():
    app = opened()
    assert not app.session_state["changed"]
    assert report(app, {"r": 11}).session_state["changed"]
    assert not report(app, {"r": 10}, number=2).session_state["changed"]


def test_a_session_keeps_immutable_values_only():
    app = report(opened(), {"epsilon": 5, "r": 33})
    held = app.session_state["one/held"]
    hash(held)
    report(app, {"epsilon": 6}, number=2)
    assert dict(held.values)["epsilon"] == 5


STOPS = Slider("P", "Sub-regions", 1, 8, 2, log=True, whole=True, stops=(1.0, 2.0, 4.0, 8.0))


@pytest.mark.parametrize(("raw", "value"), [(1, 1), ("8", 8), ("4.0", 4)])
def test_a_slider_with_stops_takes_them(raw, value):
    assert STOPS.parse(raw) == value


@pytest.mark.parametrize("raw", [3, "5", "0", "9", "-2", "x", math.nan])
def test_a_slider_with_stops_names_them_otherwise(raw):
    with pytest.raises(ValueError, match="1, 2, 4 or 8"):
        STOPS.parse(raw)


@given(st.floats(1e-3, 1e6))
def test_the_nearest_stop_is_the_closest_on_the_scale_of_the_slider(value):
    found = STOPS.nearest(value)
    assert found in STOPS.stops
    assert all(abs(math.log(found / value)) <= abs(math.log(stop / value)) for stop in STOPS.stops)
    assert replace(STOPS, log=False).nearest(2.9) == 2


def test_a_single_stop_is_told():
    assert "1" in replace(STOPS, max=1, value=1, stops=(1.0,)).allowed


SHARED_PAGE = """
import streamlit as st
from pages.ui.sliders import Panel, epsilon_slider, shared_epsilon

st.session_state["before"] = shared_epsilon()
panel = Panel("one", [epsilon_slider(3.0, "")])
panel.show()
st.session_state["kept"] = shared_epsilon()
"""


def test_the_shared_epsilon_is_one_that_was_chosen():
    app = AppTest.from_string(SHARED_PAGE).run()
    assert app.session_state["kept"] is None, "the first value of a page is nobody's choice"
    app.query_params["epsilon"] = "0.7"
    app.run()
    assert app.session_state["kept"] == 0.7
    app.query_params.clear()
    assert app.run().session_state["before"] == 0.7
