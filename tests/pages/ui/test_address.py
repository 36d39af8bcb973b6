"""Choices live in the address: a link brings them back, and what it asks for in vain gets a sentence."""

import pytest
from streamlit.testing.v1 import AppTest

from tests.helpers.reading import address, asked_in_vain

PAGE = """
import streamlit as st
from pages import ui
from pages.ui import address

state = st.session_state
address.arrive(state.get("page", "one"))
if state.get("page") == "other":
    st.stop()
rules = {"suited": "Suited", "ei": "Expected improvement", "ts": "Thompson"}
columns = {"a": "Age", "secret": "A private column"}
if "preset" in state:
    ui.set_choices(state.pop("preset"))
    st.rerun()
rule = ui.choose(st.selectbox, "Search rule", rules, key="search", default=state.get("first"))
shape = ui.choose(st.segmented_control, "Shape", {"wide": "Wide", "long": "Long"}, key="shape", required=True)
column = ui.choose(st.radio, "Column", columns, key="column", private=True)
state["chosen"] = (rule, shape, column)
"""
FIRST = ("suited", "wide", "a")


def opened(state=None, **query):
    app = AppTest.from_string(PAGE)
    for name, value in query.items():
        app.query_params[name] = value
    for key, value in (state or {}).items():
        app.session_state[key] = value
    return app.run()


def chosen(app):
    return app.session_state["chosen"]


def test_a_page_opens_with_its_defaults_and_a_short_address():
    app = opened()
    assert chosen(app) == FIRST
    assert address(app) == {}
    assert chosen(opened({"first": "ts"}))[0] == "ts"


def test_a_choice_is_written_and_a_link_brings_it_back():
    app = opened()
    app.selectbox(key="search").set_value("ei").run()
    app.button_group(key="shape").set_value("long").run()
    assert chosen(app) == ("ei", "long", "a")
    assert address(app) == {"search": "ei", "shape": "long"}
    again = opened(**address(app))
    assert chosen(again) == chosen(app)
    assert address(again) == address(app)
    assert not again.info
    app.selectbox(key="search").set_value("suited").run()
    assert address(app) == {"shape": "long"}


@pytest.mark.parametrize("unknown", ["", "nothing", "<b>x</b>", "![](//a.bc/d)", "https://evil.example", "x" * 10_000])
def test_an_unknown_option_leaves_the_default_with_a_sentence(unknown):
    app = opened(search=unknown, shape="long")
    assert chosen(app) == ("suited", "long", "a")
    assert address(app) == {"shape": "long"}
    (notice,) = [each.value for each in app.info]
    assert len(notice) < 300
    for sign in "[]()<>":
        assert notice.count(sign) == notice.count(f"\\{sign}")
    assert "https\\:" not in notice, "an address is no link"
    assert "Search rule" in asked_in_vain(app)
    assert "Suited" in asked_in_vain(app)


def test_a_private_choice_is_never_in_the_address():
    app = opened()
    app.radio(key="column").set_value("secret").run()
    assert chosen(app)[2] == "secret"
    assert address(app) == {}
    app.selectbox(key="search").set_value("ei").run()
    assert address(app) == {"search": "ei"}
    assert chosen(app)[2] == "secret"


@pytest.mark.parametrize("nonsense", [None, "nothing"])
def test_what_a_browser_makes_up_is_the_default(nonsense):
    app = opened()
    app.session_state["shape"] = nonsense
    app.run()
    assert chosen(app) == FIRST


def test_a_link_within_the_page_counts():
    app = opened(search="ei")
    app.query_params["search"] = "ts"
    app.run()
    assert chosen(app)[0] == "ts"


@pytest.mark.parametrize("first", [{}, {"search": "ei"}])
def test_an_address_from_before_the_last_choice_brings_nothing_back(first):
    """A fast hand sends the next change before the browser has been told the new address."""
    app = opened(**first)
    app.selectbox(key="search").set_value("ts").run()
    app.query_params.clear()
    for key, value in first.items():
        app.query_params[key] = value
    app.button_group(key="shape").set_value("long").run()
    assert chosen(app) == ("ts", "long", "a")
    assert address(app) == {"search": "ts", "shape": "long"}


def test_choices_stay_while_the_visitor_is_on_another_page():
    app = opened()
    app.selectbox(key="search").set_value("ts").run()
    app.session_state["page"] = "other"
    app.query_params.clear()  # as Streamlit does
    app.run()
    app.session_state["page"] = "one"
    app.run()
    assert chosen(app)[0] == "ts"
    assert address(app) == {"search": "ts"}


def test_coming_back_to_an_address_brings_its_choices_back():
    app = opened(search="ei")
    app.selectbox(key="search").set_value("ts").run()
    app.session_state["page"] = "other"
    app.run()
    app.session_state["page"] = "one"
    app.query_params["search"] = "ei"  # an entry of the browser's history
    app.run()
    assert chosen(app)[0] == "ei"


def test_a_preset_sets_several_choices():
    app = opened(search="ei", shape="long")
    app.session_state["preset"] = {"search": "ts", "shape": "wide"}
    app.run()
    assert chosen(app) == ("ts", "wide", "a")
    assert address(app) == {"search": "ts"}
    app.session_state["preset"] = {"search": "suited"}
    app.run()
    assert chosen(app) == FIRST
    assert address(app) == {}
