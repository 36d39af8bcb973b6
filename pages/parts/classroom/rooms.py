"""Which browser this is, without an account; what is played; this process’s rooms, and where phones answer them."""

import json
import os
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import streamlit as st
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from pages.parts.classroom import phone
from pages.parts.classroom.games.accept import ACCEPT
from pages.parts.classroom.games.attacker import ATTACKER
from pages.parts.classroom.games.favourite import FAVOURITE
from pages.parts.classroom.games.game import Game
from pages.parts.classroom.games.modeler import MODELER
from pages.parts.classroom.games.poll import POLL
from pages.parts.shell.server import ANSWERS
from pages.parts.views.drawing import component
from privbo_core.classroom import House, News, Pupil, Room, digest
from privbo_core.classroom.house import LETTERS
from privbo_core.classroom.limits import place

GAMES: tuple[Game, ...] = (FAVOURITE, ATTACKER, MODELER, ACCEPT)  # In the order in which a class plays them best.


def game_of(name: str) -> Game | None:
    """Return the experiment of a name; a question that the tour asks is one too."""
    return next((kind for kind in (*GAMES, POLL) if kind.name == name), None)


KEY, KEPT = "browser", "browser/secret"
_component = component("browser", Path(__file__).with_name("who.js"))


def meet() -> str:
    """Ask the browser for its secret, and return that; an empty text in the very first run."""
    _component(key=KEY, data={"known": bool(known())}, default={"secret": None}, on_secret_change=_learn, height=1)
    return known()


def known() -> str:
    """Return this browser's secret; an empty text until it has told it."""
    return str(st.session_state.get(KEPT, ""))


def _learn() -> None:
    state: Any = st.session_state.get(KEY)
    said = state.get("secret") if isinstance(state, Mapping) else None
    if isinstance(said, str) and re.fullmatch(r"[0-9a-f]{32}", said):
        st.session_state.setdefault(KEPT, said)


HOUSE = House(first=os.environ.get("PRIVBO_ROOM_LETTERS", LETTERS))
"""Where several processes serve together, each is told which letters the codes of its rooms begin with."""


def here() -> str:
    """Return by what the address is counted that this visitor comes from; this machine's own is one like others."""
    return place(str(st.context.ip_address or ""))


def my_room() -> Room | None:
    """Return the room that whoever sits at this browser has open as its teacher."""
    return HOUSE.of_teacher(known()) if known() else None


def address() -> str:
    base = str(st.get_option("server.baseUrlPath")).strip("/")
    return f"/{base}/{ANSWERS}" if base else f"/{ANSWERS}"


async def answered(request: Request) -> Response:
    """Take an answer from a phone that is in a room, and send the phone's next screen: no page is run for it.

    The browser's secret says who answers. No cookie does, so that no page elsewhere can answer for anybody; and nobody
    who is not in the room learns whether there is one.
    """
    if request.headers.get("content-type") != "application/json":
        return Response(status_code=415)
    body = b""
    async for part in request.stream():
        body += part
        if len(body) > 4096:
            return Response(status_code=413)
    try:
        said = json.loads(body)
    except (ValueError, RecursionError):
        return Response(status_code=400)
    return await run_in_threadpool(_take, said)


def _take(said: object) -> Response:
    match said:
        case {"secret": str(secret), "room": str(code), "question": str(question), "value": value, **more}:
            number = given if isinstance(given := more.get("number"), int) else 0
            room = HOUSE.find(code)
            pupil = room.pupil(digest(secret)) if room else None
            if room and pupil:
                if room.answer(pupil, question[:100], value, number) is News.LATER:
                    return Response(status_code=429)
                return JSONResponse(next_screen(room, pupil), headers={"Cache-Control": "no-store"})
    return Response(status_code=403)


def next_screen(room: Room, pupil: Pupil) -> dict[str, object]:
    with room.look() as experiment:
        kind = game_of(room.kind)
        asked = kind.screen(experiment, pupil.number) if kind is not None and experiment is not None else None
        taken = f" (“{pupil.taken}” was taken)" if pupil.taken else ""
        return phone.face(asked or phone.lobby(pupil.name), f"{pupil.name}{taken} · room {room.code}")
