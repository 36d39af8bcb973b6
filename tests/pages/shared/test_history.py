"""Undo takes back one change at a time, Reset brings the defaults back; both work with the address."""

import pytest

from tests.helpers.opening import open_page
from tests.helpers.reading import address, press_key
from tests.helpers.taken import upload

SMALL = {"T": "10", "runs": "5"}


def can_undo(app):
    return not next(button for button in app.button if button.key == "undo").disabled


def test_undo_takes_back_pickers_and_sliders_one_by_one():
    app = open_page("tradeoff", **SMALL, tradeoff_task="Release", epsilon="2")
    assert not can_undo(app)
    first = address(app)
    app.segmented_control(key="tradeoff_published").set_value("Both").run()
    second = address(app)
    app.selectbox(key="task").set_value("svm").run()
    assert can_undo(app)
    press_key(app, "undo")
    assert {name: address(app)[name] for name in ("task", "tradeoff_published")} == {
        "task": first["task"],
        "tradeoff_published": "Both",
    }
    assert address(app) == {**second, **{name: address(app)[name] for name in address(app).keys() - second.keys()}}
    press_key(app, "undo")
    assert {name: address(app)[name] for name in first} == first
    assert not can_undo(app)


def test_reset_brings_the_defaults_back_and_can_be_undone():
    asked = {"tradeoff_task": "Release", "tradeoff_published": "Both", "k1": "0.5"}
    app = open_page("tradeoff", **SMALL, **asked, task="svm")
    press_key(app, "reset")
    bare = open_page("tradeoff", **SMALL, task="svm")
    assert address(app)["task"] == "svm"
    assert address(app).get("k1") != "0.5"
    assert address(app)["tradeoff_task"] == address(bare)["tradeoff_task"]
    press_key(app, "undo")
    assert address(app).items() >= {"k1": "0.5", "tradeoff_published": "Both"}.items()


def test_reset_keeps_one_s_own_data_and_puts_them_into_no_address():
    app, _ = upload(40, ["age", "dose", "response"], "tradeoff")
    press_key(app, "reset")
    assert app.session_state["data"] == "own"
    app.selectbox(key="data").set_value("homes").run()
    press_key(app, "undo")
    assert app.session_state["data"] == "own"
    assert "data" not in address(app)


@pytest.mark.parametrize("page", ["tradeoff"])
def test_every_page_with_a_panel_has_both(page):
    app = open_page(page)
    assert not can_undo(app)
    press_key(app, "reset")
