"""Undo takes back one change at a time, Reset brings the defaults back; both work with the address."""

import pytest

from tests.helpers.amounts import few
from tests.helpers.opening import open_page
from tests.helpers.reading import address, press_key
from tests.helpers.taken import upload

SMALL = {"T": "10", "runs": "5"}


def can_undo(app):
    return not next(button for button in app.button if button.key == "undo").disabled


def test_undo_takes_back_pickers_and_sliders_one_by_one():
    app = open_page("release", **SMALL, epsilon="2", algorithm="1 noisy")
    assert not can_undo(app)
    first = address(app)
    app.segmented_control(key="paper").set_value("workshop").run()
    second = address(app)
    app.segmented_control(key="publish").set_value("score").run()
    assert can_undo(app)
    app.selectbox(key="task").set_value("svm").run()
    press_key(app, "undo")
    assert address(app).items() >= {"task": first["task"], "publish": "score"}.items()
    press_key(app, "undo")
    assert (address(app)["publish"], address(app)["paper"]) == (first["publish"], "workshop")
    assert address(app) == {**second, **{name: address(app)[name] for name in address(app).keys() - second.keys()}}
    press_key(app, "undo")
    assert {name: address(app)[name] for name in first} == first
    assert not can_undo(app)


def test_reset_brings_the_defaults_back_and_can_be_undone():
    app = open_page("release", epsilon="2", algorithm="1 noisy", paper="workshop", task="svm")
    press_key(app, "reset")
    bare = open_page("release", task="svm")
    assert address(app)["task"] == "svm"
    assert {name: address(app)[name] for name in ("epsilon", "algorithm")} == {
        name: address(bare)[name] for name in ("epsilon", "algorithm")
    }
    press_key(app, "undo")
    assert address(app).items() >= {"epsilon": "2", "algorithm": "1 noisy", "paper": "workshop"}.items()


def test_reset_keeps_one_s_own_data_and_puts_them_into_no_address():
    app, _ = upload(40, ["age", "dose", "response"], "tradeoff")
    press_key(app, "reset")
    assert app.session_state["data"] == "own"
    app.selectbox(key="data").set_value("homes").run()
    press_key(app, "undo")
    assert app.session_state["data"] == "own"
    assert "data" not in address(app)


@pytest.mark.parametrize("page", few(["release"], ["release", "tradeoff", "tour"]))
def test_every_page_with_a_panel_has_both(page):
    app = open_page(page, **({"step": "1"} if page == "tour" else {}))  # else its picture and its panel are covered
    assert not can_undo(app)
    press_key(app, "reset")
