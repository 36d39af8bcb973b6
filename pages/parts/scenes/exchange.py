"""Scenes as one file and as one link. Both may come from anybody: what is in them is checked, and is text."""

import base64
import json
import secrets
import zlib
from collections.abc import Container, Mapping, Sequence
from dataclasses import asdict
from typing import Any

from pages.parts.scenes.drawn import remade
from pages.parts.scenes.scene import (
    LONGEST_NOTE,
    LONGEST_SETTING,
    LONGEST_TEXT,
    LONGEST_TITLE,
    MOST_ROWS,
    MOST_SCENES,
    MOST_SETTINGS,
    MOST_SHOTS,
    NOT_SETTINGS,
    Scene,
    Shot,
    Snapshot,
    clean,
)
from pages.parts.values.views import AUDIENCES
from privbo_core.budget import look, reading
from privbo_core.files import parse_json

KIND, VERSION = "privbo scenes", 1
LARGEST_FILE, LONGEST_LINK, LARGEST_LINK = 20_000_000, 6_000, 200_000
NO_FILE = "This is not a file of scenes that PrivBO saved."
NO_LINK = "The scenes in this link cannot be read: it was cut, or is no link to scenes."


class ScenesError(ValueError):
    """What was given holds no scenes; the message is a sentence for a person."""


def to_file(scenes: Sequence[Scene]) -> str:
    """Return scenes as the text of a file. Of somebody's own data it holds the settings and the note alone."""
    kept = [
        _written(scene) | ({} if scene.own or not scene.snapshot else {"snapshot": asdict(scene.snapshot)})
        for scene in scenes
    ]
    return json.dumps({"kind": KIND, "version": VERSION, "scenes": kept}, ensure_ascii=False, indent=1)


def from_file(content: bytes, pages: Container[str]) -> list[Scene]:
    """Return the scenes in a file; raise ScenesError with a sentence if it is none."""
    if len(content) > LARGEST_FILE:
        raise ScenesError(f"The file is too large: files of scenes have {LARGEST_FILE // 10**6} MB at most.")
    with reading("The file", len(content)):
        try:
            said = parse_json(content.decode("utf-8-sig"), "The file", NO_FILE)
        except ValueError:  # no text, or no JSON
            raise ScenesError(NO_FILE) from None
        if not isinstance(said, dict) or said.get("kind") != KIND:
            raise ScenesError(NO_FILE)
        if said.get("version") != VERSION:
            raise ScenesError("This file of scenes was saved by another version of PrivBO, which this one cannot read.")
        return _scenes(said.get("scenes"), pages, NO_FILE)


def to_link(scenes: Sequence[Scene]) -> str:
    """Return scenes as what follows ``?scenes=``; raise ScenesError if that is too long. Own data stay out of it."""
    text = json.dumps([_written(scene) for scene in scenes if not scene.own], ensure_ascii=False, separators=(",", ":"))
    packed = base64.urlsafe_b64encode(zlib.compress(text.encode(), 9)).decode().rstrip("=")
    if len(packed) > LONGEST_LINK or len(text.encode()) > LARGEST_LINK:
        raise ScenesError("These scenes are too much for a link: save them as a file instead.")
    return packed


def from_link(packed: str, pages: Container[str]) -> list[Scene]:
    """Return the scenes in a link; raise ScenesError with a sentence if there are none."""
    try:
        if len(packed) > LONGEST_LINK:
            raise ScenesError(NO_LINK)
        raw = base64.b64decode(packed + "=" * (-len(packed) % 4), altchars=b"-_", validate=True)
        text = zlib.decompressobj().decompress(raw, LARGEST_LINK)
        said = parse_json(text.decode("utf-8"), "The link", NO_LINK)
    except (ValueError, zlib.error):
        raise ScenesError(NO_LINK) from None
    return _scenes(said, pages, NO_LINK)


def _written(scene: Scene) -> dict[str, Any]:
    said = {
        "page": scene.page,
        "settings": scene.settings,
        "title": scene.title,
        "note": scene.note,
        "slot": scene.figure(),
    }
    return (
        {name: value for name, value in said.items() if value}
        | {"page": scene.page}
        | ({"own": True} if scene.own else {})
    )


def _scenes(said: object, pages: Container[str], problem: str) -> list[Scene]:
    if not isinstance(said, list) or not said or not all(isinstance(each, Mapping) for each in said):
        raise ScenesError(problem)
    if len(said) > MOST_SCENES:
        raise ScenesError(f"There are {len(said):,} scenes in it; {MOST_SCENES} can be kept.")
    for each in said:
        if not isinstance(each.get("page"), str) or each["page"] not in pages:
            unknown = clean(each.get("page"), 20) or "?"
            raise ScenesError(f"A scene is on the page “{unknown}”, which there is not.")
    return [_scene(each) for each in said]


def _scene(said: Mapping[str, Any]) -> Scene:
    asked = said.get("settings")
    settings = {
        clean(name, 40): clean(value, LONGEST_SETTING)
        for name, value in list(asked.items() if isinstance(asked, Mapping) else ())[:MOST_SETTINGS]
        if isinstance(value, str) and name not in NOT_SETTINGS
    }
    own = said.get("own") is True
    return Scene(
        secrets.token_hex(4), said["page"], settings, clean(said.get("title"), LONGEST_TITLE),
        clean(said.get("note"), LONGEST_NOTE), clean(said.get("slot"), 80), own,
        None if own else _snapshot(said.get("snapshot")),
    )  # fmt: skip


def _snapshot(said: object) -> Snapshot | None:
    if not isinstance(said, Mapping):
        return None
    shots = tuple(_shot(each) for each in _list(said.get("shots"))[:MOST_SHOTS] if isinstance(each, Mapping))
    facts = [each for each in _list(said.get("facts"))[:8] if isinstance(each, list) and len(each) == 2]
    return Snapshot(
        shots,
        tuple(clean(line, LONGEST_TEXT) for line in _list(said.get("promises"))[:4]),
        tuple((clean(about, 80), clean(text, LONGEST_TEXT)) for about, text in facts),
        clean(said.get("data"), LONGEST_TITLE),
        clean(said.get("when"), 40),
        clean(said.get("slot"), 80),
        said.get("complete") is True,
    )


def _shot(said: Mapping[str, Any]) -> Shot:
    look()
    height = said.get("height")
    audience = said.get("audience")
    rows = [row for row in _list(said.get("rows"))[:MOST_ROWS] if isinstance(row, list)]
    wide = min(max((len(row) for row in rows), default=0), 20)
    return Shot(
        clean(said.get("slot"), 80),
        clean(said.get("title"), LONGEST_TITLE),
        audience if isinstance(audience, str) and audience in AUDIENCES else "curator",
        clean(said.get("note"), LONGEST_TEXT),
        clean(said.get("stamp"), 100),
        clean(said.get("alt"), LONGEST_TEXT),
        remade(said.get("picture")),
        min(max(height, 100), 1200) if isinstance(height, int) else 300,
        tuple(tuple(clean(cell, LONGEST_TEXT) for cell in [*row, *[""] * wide][:wide]) for row in rows),
    )


def _list(said: object) -> list[Any]:
    return said if isinstance(said, list) else []
