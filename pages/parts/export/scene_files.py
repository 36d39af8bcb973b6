"""A picture that comes from a file: taken apart, and made anew of nothing but what the figures here are made of.

So it can only draw. Whatever else Plotly knows (images, links, menus, styles, maps) has no place here, and each value
is looked at after it was decoded. What does not fit is left out.
"""

import base64
import json
import re
import secrets
import tomllib
import zlib
from collections.abc import Callable, Container, Mapping, Sequence
from dataclasses import asdict, replace
from html import escape, unescape
from pathlib import Path
from typing import Any

from pages.parts.export.scenes import LONGEST, MOST, NOT_SETTINGS, Scene, Shot, Snapshot, clean
from pages.parts.views.text import TAGS, unmarked
from pages.parts.views.views import AUDIENCES
from privbo_core.budget import look, reading
from privbo_core.data.frame import SMALLEST
from privbo_core.errors import DataError
from privbo_core.files import LARGEST, parse_json

LARGEST_PICTURE = 2_000_000
LONGEST_WRITING = 1000
TRACES = {"scatter", "bar", "heatmap", "histogram", "contour"}  # The kinds of curve that figures here are made of.
_COLOUR = re.compile(r"#[0-9A-Fa-f]{3,8}|rgba?\([0-9., ]{1,40}\)")
_WORD = re.compile(r"[A-Za-z0-9 ,.+_-]{0,60}|/")
_TAG = re.compile(rf"(</?(?:{'|'.join(TAGS)})>)")
_AXIS = re.compile(r"\A([xy]axis)[2-9]\Z")  # An axis with a number: all have the same parts.

Sort = Callable[[Any], Any]  # Returns a value as it may be drawn, or None where it is none of the sort.


def remade(picture: object) -> str:
    """Return a figure's JSON, made anew of what it may hold; empty if it is no figure of curves."""
    if not isinstance(picture, str) or len(picture) > LARGEST_PICTURE:
        return ""
    try:
        said = parse_json(picture, "The picture", "draw it anew")
    except DataError:
        return ""
    data, layout = (said.get(part) for part in ("data", "layout")) if isinstance(said, Mapping) else (None, None)
    if not isinstance(data, list) or not isinstance(layout, Mapping):
        return ""
    traces = [_SORTS["trace"](each) for each in data]
    if not all(trace and trace.get("type") in TRACES for trace in traces):
        return ""
    return json.dumps({"data": traces, "layout": _SORTS["layout"](layout)}, allow_nan=False)


def _number(value: object) -> float | None:
    known = isinstance(value, int | float) and not isinstance(value, bool) and abs(value) <= LARGEST
    return None if not known else 0.0 if 0 < abs(value) < SMALLEST else value  # type: ignore[arg-type, return-value]


def _truth(value: object) -> bool | None:
    return value if isinstance(value, bool) else None


def _colour(value: object) -> str | None:
    return value if isinstance(value, str) and _COLOUR.fullmatch(value) else None


def _word(value: object) -> str | None:
    return value if isinstance(value, str) and _WORD.fullmatch(value) else None


def _text(value: object) -> str | None:
    """Return a text as Plotly reads it with the tags that texts here have, and no other."""
    if not isinstance(value, str):
        return None
    parts = _TAG.split(unmarked(value[:LONGEST_WRITING]))
    return "".join(part if place % 2 else escape(unescape(part), quote=False) for place, part in enumerate(parts))


def _either(written: Sort, other: Sort) -> Sort:
    return lambda value: written(value) if isinstance(value, str) else other(value)


def _shades(value: object) -> object:
    """Return the name of a scale of colours, or its colours, each with where it stands."""
    if not isinstance(value, list):
        return _word(value)
    return [[_number(each[0]), _colour(each[1])] for each in value if isinstance(each, list) and len(each) == 2]


def _many(sort: Sort) -> Sort:
    """Return the same sort, one or a list of it; in a list a gap stays a gap."""
    return lambda value: [_many(sort)(each) for each in value] if isinstance(value, list) else sort(value)


def _objects(sort: Sort) -> Sort:
    return lambda value: [each for each in map(sort, value) if each] if isinstance(value, list) else None


def _object(parts: Mapping[str, Sort]) -> Sort:
    """Return an object with these parts alone, and of them those that are what they must be."""

    def made(value: object) -> dict[str, Any] | None:
        if not isinstance(value, Mapping):
            return None
        kinds = {name: _AXIS.sub(r"\1", name) for name in value}
        known = {name: parts[kind](value[name]) for name, kind in kinds.items() if kind in parts}
        return {name: each for name, each in known.items() if each is not None}

    return made


def _sorts() -> dict[str, Sort]:
    """Return the sorts that a value may be of, the objects of ``drawn.toml`` among them, each by its name."""
    plain: dict[str, Sort] = {
        "number": _number,
        "truth": _truth,
        "colour": _colour,
        "word": _word,
        "text": _text,
        "value": _either(_text, _number),
        "paint": _either(_colour, _number),
        "mode": _either(_word, _truth),
    }
    known = {**plain, **{f"{name}s": _many(sort) for name, sort in plain.items()}, "shades": _shades}
    for name, parts in tomllib.loads(Path(__file__).with_name("drawn.toml").read_text(encoding="utf-8")).items():
        known[name] = _object({part: known[sort] for sort, named in parts.items() for part in named.split()})
        known[f"{name}s"] = _objects(known[name])
    return known


_SORTS = _sorts()


KIND, VERSION = "privbo scenes", 1
LARGEST_FILE, LONGEST_LINK, LARGEST_LINK = 20_000_000, 6_000, 200_000
NO_FILE = "This is not a file of scenes that PrivBO saved."
NO_LINK = "The scenes in this link cannot be read: it was cut, or is no link to scenes."


def to_file(scenes: Sequence[Scene]) -> str:
    """Return scenes as the text of a file. Of somebody's own data it holds the settings and the note alone."""
    drawn = [{} if scene.own or not scene.snapshot else {"snapshot": asdict(scene.snapshot)} for scene in scenes]
    kept = [_written(scene) | more for scene, more in zip(scenes, drawn, strict=True)]
    return json.dumps({"kind": KIND, "version": VERSION, "scenes": kept}, ensure_ascii=False, indent=1)


def from_file(content: bytes, pages: Container[str]) -> list[Scene]:
    """Return the scenes in a file; raise DataError, a sentence, if it is none."""
    if len(content) > LARGEST_FILE:
        raise DataError(f"The file is too large: files of scenes have {LARGEST_FILE // 10**6} MB at most.")
    with reading("The file", len(content)):
        try:
            said = parse_json(content.decode("utf-8-sig"), "The file", NO_FILE)
        except ValueError:  # no text, or no JSON
            raise DataError(NO_FILE) from None
        if not isinstance(said, dict) or said.get("kind") != KIND:
            raise DataError(NO_FILE)
        if said.get("version") != VERSION:
            raise DataError("This file of scenes was saved by another version of PrivBO, which this one cannot read.")
        return _scenes(said.get("scenes"), pages, NO_FILE)


def to_link(scenes: Sequence[Scene]) -> str:
    """Return scenes as what follows ``?scenes=``; raise DataError if that is too long. Own data stay out of it."""
    text = json.dumps([_written(scene) for scene in scenes if not scene.own], ensure_ascii=False, separators=(",", ":"))
    packed = base64.urlsafe_b64encode(zlib.compress(text.encode(), 9)).decode().rstrip("=")
    if len(packed) > LONGEST_LINK or len(text.encode()) > LARGEST_LINK:
        raise DataError("These scenes are too much for a link: save them as a file instead.")
    return packed


def from_link(packed: str, pages: Container[str]) -> list[Scene]:
    """Return the scenes in a link; raise DataError, a sentence, if there are none."""
    try:
        if len(packed) > LONGEST_LINK:
            raise DataError(NO_LINK)
        raw = base64.b64decode(packed + "=" * (-len(packed) % 4), altchars=b"-_", validate=True)
        text = zlib.decompressobj().decompress(raw, LARGEST_LINK)
        said = parse_json(text.decode("utf-8"), "The link", NO_LINK)
    except (ValueError, zlib.error):
        raise DataError(NO_LINK) from None
    return _scenes(said, pages, NO_LINK)


def _written(scene: Scene) -> dict[str, Any]:
    said = vars(replace(scene, slot=scene.figure()))
    parts = ("page", "settings", "title", "note", "slot", "own")
    return {name: said[name] for name in parts if said[name] or name == "page"}


def _scenes(said: object, pages: Container[str], problem: str) -> list[Scene]:
    if not isinstance(said, list) or not said or not all(isinstance(each, Mapping) for each in said):
        raise DataError(problem)
    if len(said) > MOST["scenes"]:
        raise DataError(f"There are {len(said):,} scenes in it; {MOST['scenes']} can be kept.")
    for each in said:
        if not isinstance(each.get("page"), str) or each["page"] not in pages:
            unknown = clean(each.get("page"), 20) or "?"
            raise DataError(f"A scene is on the page “{unknown}”, which there is not.")
    return [_scene(each) for each in said]


def _scene(said: Mapping[str, Any]) -> Scene:
    asked, own = said.get("settings"), said.get("own") is True
    settings = {
        clean(name, LONGEST["name"]): clean(value, LONGEST["setting"])
        for name, value in list(asked.items() if isinstance(asked, Mapping) else ())[: MOST["settings"]]
        if isinstance(value, str) and name not in NOT_SETTINGS
    }
    drawn = None if own else _snapshot(said.get("snapshot"))
    texts = _texts(said, title="title", note="note", slot="slot")
    return Scene(secrets.token_hex(4), said["page"], settings, **texts, own=own, snapshot=drawn)


def _snapshot(said: object) -> Snapshot | None:
    if not isinstance(said, Mapping):
        return None
    shots = tuple(_shot(each) for each in _list(said.get("shots"))[: MOST["shots"]] if isinstance(each, Mapping))
    facts = [each for each in _list(said.get("facts"))[:8] if isinstance(each, list) and len(each) == 2]
    return Snapshot(
        shots,
        tuple(clean(line, LONGEST["text"]) for line in _list(said.get("promises"))[:4]),
        tuple((clean(about, LONGEST["slot"]), clean(text, LONGEST["text"])) for about, text in facts),
        **_texts(said, data="title", when="name", slot="slot"),
        complete=said.get("complete") is True,
    )


def _shot(said: Mapping[str, Any]) -> Shot:
    look()
    height, audience = said.get("height"), said.get("audience")
    rows = [row for row in _list(said.get("rows"))[: MOST["rows"]] if isinstance(row, list)]
    wide = min(max((len(row) for row in rows), default=0), 20)
    return Shot(
        **_texts(said, slot="slot", title="title", note="text", stamp="stamp", alt="text"),
        audience=audience if isinstance(audience, str) and audience in AUDIENCES else "curator",
        picture=remade(said.get("picture")),
        height=min(max(height, 100), 1200) if isinstance(height, int) else 300,
        rows=tuple(tuple(clean(cell, LONGEST["text"]) for cell in [*row, *[""] * wide][:wide]) for row in rows),
    )


def _texts(said: Mapping[str, Any], **kinds: str) -> dict[str, Any]:
    """Return the texts of these names, each as long at most as one of its kind may be."""
    return {name: clean(said.get(name), LONGEST[kind]) for name, kind in kinds.items()}


def _list(said: object) -> list[Any]:
    return said if isinstance(said, list) else []
