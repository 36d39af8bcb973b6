"""The scenes of a session, in their order. What was drawn of somebody's own data is kept apart, to be forgotten with them."""

import secrets
from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import datetime

import streamlit as st

from pages.parts.frame import address, record
from pages.parts.frame.session import OWN, at_stake
from pages.parts.scenes.scene import (
    LONGEST_NOTE,
    LONGEST_TITLE,
    MOST_SCENES,
    Scene,
    Snapshot,
    clean,
    settings_of,
)
from pages.parts.scenes.snapshot import snapshot

KEY, ANSWERED, NOW, SHOWING = (f"scenes/{name}" for name in ("all", "answered", "now", "showing"))
OWN_SHOTS, OWN_SECRETS = f"{OWN}scenes/shots", f"{OWN}scenes/secrets"
BROUGHT = f"{OWN}table"


@at_stake
def _pictures() -> str:
    return "the scenes that you kept of it" if st.session_state.get(OWN_SHOTS) else ""


def scenes() -> list[Scene]:
    """Return the scenes, each with what was drawn of it if that is still known."""
    own: dict[str, Snapshot] = st.session_state.get(OWN_SHOTS, {})
    return [replace(scene, snapshot=own.get(scene.id)) if scene.own else scene for scene in _kept()]


def scene(which: str) -> Scene | None:
    """Return one scene."""
    return next((each for each in scenes() if each.id == which), None)


def put(wanted: Sequence[Scene]) -> None:
    """Make these the session's scenes. What was drawn of somebody's own data goes under its own name."""
    own = {each.id: each.snapshot for each in wanted if each.own and each.snapshot}
    st.session_state[KEY] = [each.bare() if each.own else each for each in wanted[:MOST_SCENES]]
    if own or OWN_SHOTS in st.session_state:
        st.session_state[OWN_SHOTS] = own


def keep() -> None:
    """Keep the view that is on the screen as a scene, after all others."""
    seen = record.last()
    own = seen.own or (not seen.data and BROUGHT in st.session_state)
    taken = snapshot(seen, datetime.now().astimezone(), complete=False)
    settings = settings_of(st.query_params.to_dict())
    new = Scene(secrets.token_hex(4), address.page(), settings, own=own, snapshot=taken)
    if len(_kept()) < MOST_SCENES:
        if own:
            st.session_state.setdefault(OWN_SECRETS, {})[new.id] = dict(seen.secrets)
        put([*scenes(), new])
        st.session_state[NOW] = new.id


def look_again() -> None:
    """After a page has drawn all of it: take its picture, if it is a scene that has none of the finished page yet."""
    found = scene(st.session_state.get(NOW, ""))
    if not found or (found.snapshot and found.snapshot.complete):
        return
    if found.page == address.page() and _same(found.settings):
        taken = snapshot(record.last(), datetime.now().astimezone(), complete=True)
        put([replace(each, snapshot=taken) if each.id == found.id else each for each in scenes()])


def act(said: object) -> str:
    """Do what the list says that somebody did there; return the scene to go to, if that was asked for."""
    answered, go = int(st.session_state.get(ANSWERED, 0)), ""
    acts = said.get("acts") if isinstance(said, Mapping) else None
    for each in acts if isinstance(acts, list) else ():
        number = each.get("number") if isinstance(each, Mapping) else None
        if isinstance(number, int) and answered < number < 2**53:
            answered = number
            go = _do(each) or go
    st.session_state[ANSWERED] = answered
    return go


def _do(said: Mapping[str, object]) -> str:
    kept = scenes()
    places = {each.id: place for place, each in enumerate(kept)}
    place = places.get(str(said.get("id")))
    if place is None:
        return ""
    each = kept[place]
    match said.get("kind"):
        case "move":
            to = said.get("to")
            if isinstance(to, int) and not isinstance(to, bool):
                kept.insert(min(max(to, 0), len(kept) - 1), kept.pop(place))
        case "title":
            title = clean(said.get("text"), LONGEST_TITLE)
            kept[place] = replace(each, title="" if title == replace(each, title="").heading() else title)
        case "note":
            kept[place] = replace(each, note=clean(said.get("text"), LONGEST_NOTE))
        case "slot":
            kept[place] = replace(each, slot=clean(said.get("text"), 80))
        case "remove":
            kept.pop(place)
        case "go":
            return each.id
    put(kept)
    return ""


def _same(settings: Mapping[str, str]) -> bool:
    """Return whether the address still has the settings of a scene; it may have more by now."""
    now = st.query_params.to_dict()
    return all(now.get(name) == value for name, value in settings.items())


def _kept() -> list[Scene]:
    kept: list[Scene] = st.session_state.get(KEY, [])
    return list(kept)
