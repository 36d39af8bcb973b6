"""Where phones answer: each answer is a request of its own, and its reply the phone's next screen."""

import json

import streamlit as st
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from pages.parts.classroom import phone
from pages.parts.classroom.games.games import game_of
from pages.parts.classroom.rooms import HOUSE
from pages.parts.shell.server import ANSWERS
from privbo_core.classroom import Pupil, Room, digest

LONGEST = 4096
"""Bytes of an answer."""


def address() -> str:
    """Return where phones answer, as their browser asks for it."""
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
        if len(body) > LONGEST:
            return Response(status_code=413)
    try:
        said = json.loads(body)
    except (ValueError, RecursionError):
        return Response(status_code=400)
    shown = await run_in_threadpool(_take, said)
    return Response(status_code=403) if shown is None else JSONResponse(shown, headers={"Cache-Control": "no-store"})


def _take(said: object) -> dict[str, object] | None:
    match said:
        case {"secret": str(secret), "room": str(code), "question": str(question), "value": value}:
            room = HOUSE.known(code)
            pupil = room.pupil(digest(secret)) if room else None
            if room is None or pupil is None:
                return None
            room.answer(pupil, question[:100], value)
            return face(room, pupil)
    return None


def face(room: Room, pupil: Pupil) -> dict[str, object]:
    """Return what a phone in a room shows now."""
    with room.look() as experiment:
        kind = game_of(room.kind)
        asked = kind.screen(experiment, pupil.number) if kind is not None and experiment is not None else None
        return phone.face(asked or phone.lobby(pupil.name), f"{pupil.name} · room {room.code}")
