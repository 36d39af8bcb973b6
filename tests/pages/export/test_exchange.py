"""Scenes leave as a file and as a link and come back; what comes from elsewhere is text, limited, and checked."""

import base64
import json
import zlib
from dataclasses import replace
from html import escape

import numpy as np
import pytest

from pages.parts.export.scene_files import LONGEST_LINK, from_file, from_link, remade, to_file, to_link
from pages.parts.export.scenes import LONGEST, MOST
from pages.parts.views.picture import LIGHT
from pages.parts.views.views import KEY
from privbo_core.errors import DataError
from tests.helpers.opening import open_page
from tests.helpers.scenes import PAGES, a_scene, drawn

HOSTILE = "</script><img src=x onerror=alert(1)>\ue010\u202e\x00"
OUTSOURCED = {"page": "outsourced"}


def same(scenes):
    return [replace(scene, id="") for scene in scenes]


def in_file(*scenes, **more):
    return json.dumps({"kind": "privbo scenes", "version": 1, "scenes": list(scenes), **more}).encode()


def in_link(said):
    return base64.urlsafe_b64encode(zlib.compress(json.dumps(said).encode())).decode().rstrip("=")


def test_a_file_brings_everything_back_and_a_link_brings_pages_settings_titles_and_notes_back():
    scenes = [a_scene(title="Costs nothing?"), a_scene("2", page="federated", slot="condition")]
    again = from_file(to_file(scenes).encode(), PAGES)
    assert [replace(scene, slot=scene.figure()) for scene in same(scenes)] == same(again)
    assert len({scene.id for scene in again}) == 2
    scenes = [a_scene(title="Costs nothing?"), a_scene("2", page="federated")]
    packed = to_link(scenes)
    assert len(packed) < 600
    assert same(from_link(packed, PAGES)) == [replace(each, id="", slot="regret", snapshot=None) for each in scenes]


def test_own_data_are_in_no_link_and_nothing_drawn_of_them_in_a_file():
    mine, other = a_scene(own=True, note="My note"), a_scene("2", note="Hello")
    assert [scene.note for scene in from_link(to_link([mine, other]), PAGES)] == ["Hello"]
    text = to_file([mine])
    assert "My note" in text
    for word in ("Privacy costs", "scatter", "Homes", "snapshot", "refuted"):
        assert word not in text
    (again,) = from_file(text.encode(), PAGES)
    assert again.own
    assert again.snapshot is None


@pytest.mark.parametrize(
    "content",
    [
        *(b"", b"{}", b"[]", b'{"kind": "privbo scenes"}', b"\x89PNG\r\n", b"\xff\xfe"),
        *(b"[" * 100_000, b" " * 20_000_001),
        *(in_file(*scenes) for scenes in ((), ("x",), ({},), ({"page": "admin"},), ({"page": ["outsourced"]},))),
        *(in_file(OUTSOURCED, version=2), in_file(*[OUTSOURCED] * (MOST["scenes"] + 1))),
    ],
)
def test_what_is_no_file_of_scenes_gets_a_sentence(content):
    with pytest.raises(DataError) as refused:
        from_file(content, PAGES)
    assert str(refused.value).endswith((".", "kept."))
    assert len(str(refused.value)) < 120


@pytest.mark.parametrize(
    "packed",
    [
        *("", "x", "🦊", "A" * 50_000, in_link(OUTSOURCED), in_link([{"page": "<b>"}]), in_link([1])),
        base64.urlsafe_b64encode(zlib.compress(b"[" + b" " * 4_000_000)).decode(),
    ],
)
def test_what_is_no_link_to_scenes_gets_a_sentence(packed):
    with pytest.raises(DataError) as refused:
        from_link(packed, PAGES)
    assert "<" not in str(refused.value) or "“<b>”" in str(refused.value)


def test_too_many_scenes_for_a_link_are_told_so():
    numbers = np.random.default_rng(0)
    with pytest.raises(DataError, match="save them as a file"):
        to_link([a_scene(str(k), note=str(numbers.bytes(900).hex())) for k in range(20)])


def test_hostile_words_are_short_plain_text():
    said = {"page": "outsourced", "title": HOSTILE, "note": HOSTILE * 1000, "slot": HOSTILE,
            "settings": {HOSTILE: HOSTILE, "scenes": "again", "x": 3, "y": "z" * 9999}}  # fmt: skip
    (scene,) = from_link(in_link([said]), PAGES)
    assert scene.title == "</script><img src=x onerror=alert(1)>"
    assert len(scene.note) <= LONGEST["note"]
    assert "scenes" not in scene.settings
    assert "x" not in scene.settings
    assert len(scene.settings["y"]) < 500
    assert not any(ord(letter) < 32 or 0xE000 <= ord(letter) <= 0xF8FF for letter in str(vars(scene)))
    assert len(in_link([said])) < LONGEST_LINK


def figure(layout=None, **trace):
    """Return a figure of one curve and what else is said, as JSON."""
    return json.dumps({"data": [{"type": "scatter", **trace}], "layout": layout or {}})


@pytest.mark.parametrize(
    "picture",
    [
        *(3, "", "[]", "{}", "[" * 100_000, '{"data": [], "layout": []}', '{"data": [], "data": [], "layout": {}}'),
        *('{"data": [3], "layout": {}}', '{"data": [{}], "layout": {}}'),
        *(figure(type=kind) for kind in ("scattergeo", ["scatter"], {})),
        *(figure(y=[float(value)]) for value in ("nan", "inf")),
    ],
)
def test_a_picture_that_is_no_figure_of_curves_is_left_out(picture):
    shots = [{"slot": "regret", "title": "T", "audience": "simulation", "picture": picture}]
    (scene,) = from_file(in_file({"page": "outsourced", "snapshot": {"shots": shots}}), PAGES)
    assert (scene.snapshot.shots[0].picture, scene.heading()) == ("", "T")


LOADS = '<span style="mask:url(http://x.example)">a</span><a href="http://x.example">b</a>'
LOADS, SHOWN = f"{LOADS}<b>c</b>", f"{escape(LOADS, quote=False)}<b>c</b>"


@pytest.mark.parametrize(
    ("picture", "left"),
    [
        (figure(text=[LOADS]), figure(text=[SHOWN])),
        (figure(x=[LOADS, 1, None]), figure(x=[SHOWN, 1, None])),
        (figure(hovertemplate="&#60;a&#62;%{y}<extra></extra>"), figure(hovertemplate="&lt;a&gt;%{y}<extra></extra>")),
        (figure({"xaxis2": {"title": {"text": LOADS}}}), figure({"xaxis2": {"title": {"text": SHOWN}}})),
        (figure({"annotations": [{"text": LOADS, "hovertext": LOADS}]}), figure({"annotations": [{"text": SHOWN}]})),
        (figure({"height": 10**400}), figure()),
        (figure({"images": [{"source": "http://x.example"}]}), figure()),
        (figure({"updatemenus": [{"buttons": [{"args": ["images[0].source", "http://x.example"]}]}]}), figure()),
        (figure({"template": {"layout": {"images": []}}, "sliders": [], "geo": {}, "meta": 1}), figure()),
        (figure({"paper_bgcolor": "url(http://x.example)"}), figure()),
        (figure({"font": {"family": "a;src:url(http://x.example)", "size": 9}}), figure({"font": {"size": 9}})),
        (figure(line={"color": "red;mask:url(x)", "width": 5e-324}, marker={"color": ["#fff", 3]}),
         figure(line={"width": 0.0}, marker={"color": ["#fff", 3]})),
    ],
)  # fmt: skip
def test_a_picture_hands_on_nothing_that_could_load_or_lead_anywhere(picture, left):
    assert json.loads(remade(picture)) == json.loads(remade(left)) == json.loads(left)
    hidden = picture.replace("url(", "\\u0075rl(").replace("<", "\\u003c")
    assert json.loads(remade(hidden)) == json.loads(left)


def test_a_figure_of_unknown_audience_is_for_the_curator():
    shots = [{"slot": "regret", "title": "T", "audience": "everybody", "picture": drawn()}]
    (scene,) = from_file(in_file({"page": "outsourced", "snapshot": {"shots": shots}}), PAGES)
    assert (scene.snapshot.shots[0].audience, scene.snapshot.shots[0].picture) == ("curator", drawn())


@pytest.mark.parametrize(
    ("page", "address"),
    [
        *((page, {"T": 10, "runs": 5}) for page in ("outsourced", "tradeoff")),
        *((page, {}) for page in ("release", "tour", "data", "reproduce")),
        ("federated", {"T": 4, "N": 6, "M": 9, "federated_runs": 5}),
        ("audit", {"trials": 60}),
    ],
)
def test_every_picture_of_the_app_comes_back_as_it_was(page, address):
    app = open_page(page, **address)
    for shown in app.session_state[KEY].figures.values():
        text = shown.picture.as_json(LIGHT) if shown.picture else ""
        assert remade(text) == text, shown.slot
