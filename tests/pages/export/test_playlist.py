"""Keeping, ordering, going to and forgetting scenes, as a visitor does it."""

import ast
import json
from dataclasses import replace

import pytest
import streamlit as st

from pages.parts.export import scenes as scenes_room
from pages.parts.export.scene_files import to_file, to_link
from pages.parts.export.scenes import KEY, NOW, OWN_SHOTS, act
from pages.parts.front_door import bound
from pages.parts.shell.session import OWN, forget
from tests.helpers.opening import open_page
from tests.helpers.paths import APP
from tests.helpers.reading import address, brief, record
from tests.helpers.scenes import a_scene, press
from tests.helpers.taken import upload

SMALL = {"T": "10", "runs": "5", "epsilon": "2"}


@pytest.fixture
def session(monkeypatch):
    state = {}
    monkeypatch.setattr(st, "session_state", state)
    return state


def test_a_kept_view_holds_what_is_shown_and_how_to_come_back():
    app = open_page("outsourced", **SMALL)
    app.session_state["scenes"] = True
    app.run()
    press(app, "scenes-keep")
    (scene,) = app.session_state[KEY]
    assert (scene.page, scene.settings["epsilon"], scene.settings["view"]) == ("outsourced", "2", "expert")
    assert scene.snapshot.complete
    assert scene.figure() == "regret"
    assert scene.heading() == record(app).figures["regret"].finding.title
    assert "after 10 tests" in scene.heading().lower()
    assert {shot.slot: shot.audience for shot in scene.snapshot.shots}["condition"] == "curator"
    assert "refuted" in scene.snapshot.promises[0]
    assert "Strength: none" in scene.snapshot.promises[0]
    assert not scene.own
    json.loads(scene.snapshot.shot("regret").picture)
    app.session_state[KEY] = [replace(scene, settings=scene.settings | {"epsilon": "4"}, snapshot=None)]
    app.run()
    assert app.session_state[KEY][0].snapshot is None, "settings have moved on"


def test_the_scene_of_a_simple_page_is_titled_by_its_answer():
    app = open_page("outsourced", {"scenes": True}, **SMALL, view="simple")
    press(app, "scenes-keep")
    (scene,) = app.session_state[KEY]
    assert scene.heading().startswith(brief(app).answer[:20])
    assert scene.settings["view"] == "simple"


def test_presenting_changes_page_and_settings_whatever_was_set_meanwhile():
    app = open_page("outsourced", **SMALL)
    known = SMALL | {"view": "expert"}
    app.session_state[KEY] = [
        a_scene("1", settings={**known, "epsilon": "4", "release": "noisy"}),
        a_scene("2", settings={**known, "epsilon": "2.5"}),
        a_scene("3", page="data", settings={"view": "expert", "data": "homes"}),
    ]
    app.session_state["scenes"] = True
    app.run()
    for key, epsilon, release in (("present", "4", "noisy"), ("next", "2.5", "projection")):
        press(app, f"scenes-{key}")
        assert (address(app)["epsilon"], address(app)["release"]) == (epsilon, release)
    assert "r" in address(app)
    press(app, "scenes-next")
    assert (app.session_state["address/visit"][0], address(app)["data"]) == ("data", "homes")
    press(app, "scenes-first")
    assert (address(app)["epsilon"], address(app)["release"]) == ("4", "noisy")
    press(app, "scenes-leave")
    assert not [button for button in app.button if button.key == "scenes-next"]


def test_a_link_is_followed_to_its_first_scene():
    packed = to_link([a_scene(settings={**SMALL, "view": "expert"}), a_scene("2", page="data", settings={})])
    app = open_page("start", scenes=packed)
    assert (app.session_state["address/visit"][0], address(app)["epsilon"]) == ("outsourced", "2")
    assert "scenes" not in address(app)
    assert [scene.page for scene in app.session_state[KEY]] == ["outsourced", "data"]
    assert app.session_state[KEY][0].snapshot.complete  # it has been seen now
    assert any("2 scenes opened" in toast.value for toast in app.toast)


@pytest.mark.parametrize("packed", ["x", "<b>", "A" * 9999, ""])
def test_a_link_that_is_none_gets_a_sentence(packed):
    app = open_page("start", scenes=packed)
    assert any("cannot be read" in toast.value for toast in app.toast)
    assert KEY not in app.session_state


def test_own_data_come_back_in_their_session_and_are_forgotten_with_what_was_drawn():
    app, _ = upload(40, ["age", "dose", "response"], "outsourced")
    app.session_state["scenes"] = True
    app.run()
    press(app, "scenes-keep")
    (scene,) = app.session_state[KEY]
    assert scene.own
    assert scene.snapshot is None
    assert "data" not in scene.settings
    taken = app.session_state[OWN_SHOTS][scene.id]
    assert taken.data == "mine.csv"
    assert taken.complete
    app.selectbox(key="data").set_value("homes").run()
    assert address(app)["data"] == "homes"
    press(app, "scenes-present")
    assert app.session_state["data"] == "own"
    assert "data" not in address(app)
    press(app, "scenes-leave")
    app.switch_page("pages/data.py").run()
    assert "mine.csv" not in str(app.session_state[KEY])
    assert "mine.csv" not in to_file(app.session_state[KEY])


def test_acts_are_done_once_and_in_order_and_a_title_that_is_the_figure_s_own_goes_on_following_it(session):
    session[KEY] = [a_scene("a"), a_scene("b"), a_scene("c")]
    move, remark = {"number": 1, "kind": "move", "id": "c", "to": 0}, {"kind": "note", "id": "b", "text": "Hi\x00"}
    said = {"acts": [move, {"number": 2, **remark}]}
    assert (act(said), [scene.id for scene in session[KEY]]) == ("", ["c", "a", "b"])
    assert session[KEY][2].note == "Hi"
    act(said)
    assert [scene.id for scene in session[KEY]] == ["c", "a", "b"]
    said["acts"] += [{"number": 3, "kind": "remove", "id": "a"}, {"number": 4, "kind": "go", "id": "b"}]
    assert (act(said), [scene.id for scene in session[KEY]]) == ("b", ["c", "b"])
    session[KEY] = [a_scene("a")]
    act({"acts": [{"number": 11, "kind": "title", "id": "a", "text": "Mine"}]})
    assert session[KEY][0].heading() == "Mine"
    act({"acts": [{"number": 12, "kind": "title", "id": "a", "text": "Privacy costs 0.12"}]})
    assert (session[KEY][0].title, session[KEY][0].heading()) == ("", "Privacy costs 0.12")


@pytest.mark.parametrize(
    "said",
    [
        *(None, "x", {"acts": 3}, {"acts": [3, None, {}]}),
        {"acts": [{"number": 1, "kind": "move", "id": "a", "to": "x"}]},
        *({"acts": [{"number": number, "kind": "remove", "id": "a"}]} for number in ("1", 2**60)),
        {"acts": [{"number": 1, "kind": "remove", "id": ["a"]}]},
        {"acts": [{"number": 1, "kind": ["remove"], "id": "a"}]},
    ],
)
def test_what_a_browser_may_not_say_changes_nothing(session, said):
    session[KEY] = [a_scene("a")]
    assert (act(said), session[KEY]) == ("", [a_scene("a")])


def test_what_was_drawn_of_own_data_is_kept_apart_and_forgotten_with_them(session):
    mine, other = a_scene("a", own=True), a_scene("b")
    scenes_room.put([mine, other])
    assert "Privacy costs" not in str(session[KEY][0])
    assert scenes_room.scenes() == [mine, other]
    assert [key for key in session if "Privacy costs" in str(session[key]) and not key.startswith(OWN)] == [
        KEY
    ]  # the other’s
    session[NOW] = "a"
    forget()
    assert OWN_SHOTS not in session
    assert [scene.snapshot for scene in scenes_room.scenes()] == [None, other.snapshot]
    assert "Privacy costs" not in to_file(scenes_room.scenes()[:1])


def test_scenes_of_one_page_with_different_tabs_open():
    first, second = ({"T": "10", "runs": "5", "view": "expert", "details": tab} for tab in ("Theory", "Distances"))
    third = {"T": "10", "runs": "5", "view": "expert"}
    scenes = [a_scene(settings=first), a_scene("2", settings=second), a_scene("3", settings=third)]
    app = open_page("start", scenes=to_link(scenes))
    app.session_state["scenes"] = True
    app.run()
    press(app, "scenes-present")
    press(app, "scenes-next")
    assert app.session_state["details"] == "Distances"
    assert "distances" in record(app).figures
    press(app, "scenes-next")
    assert "curator-map" in record(app).figures  # the first tab, as a bare address has it


def test_every_widget_that_streamlit_binds_to_the_address_is_known():
    found = set()
    for path in (APP.parent / "pages").rglob("*.py"):
        for call in ast.walk(ast.parse(path.read_text())):
            if isinstance(call, ast.Call) and any(each.arg == "bind" for each in call.keywords):
                (key,) = [each.value for each in call.keywords if each.arg == "key"]
                found.add(key.value if isinstance(key, ast.Constant) else "meaning")
    assert found == bound()
