"""What the class page knows of a game: how it begins, what desk, phones and projector show."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import streamlit as st

from pages.parts.classroom.phone import Screen
from pages.parts.views.picture import Colour, Picture
from pages.parts.views.views import View
from privbo_core.classroom import Experiment, News, Room


@dataclass(frozen=True)
class Game:
    """One experiment. ``question`` is the one line that a class reads before it begins.

    ``desk`` draws the teacher's controls, which change the experiment by `Room.act`. ``screen`` is what a pupil's phone
    shows now and ``show`` what the projector shows now; both are called under the room's lock and take no time.
    """

    name: str
    title: str
    icon: str
    question: str
    start: Callable[[], Experiment]
    desk: Callable[[Room, Any], None]
    screen: Callable[[Any, int], Screen]
    show: Callable[[Any], View]


def act(
    room: Room,
    label: str,
    doing: Callable[[Any], News],
    icon: str,
    *,
    key: str = "",
    main: bool = True,
    can: bool = True,
) -> None:
    """Draw a button of the desk. ``doing``: to the experiment, if it is still played: the page may be open twice."""
    kind = room.kind

    def press() -> None:
        room.act(lambda playing: doing(playing) if room.kind == kind else News.NOTHING)

    st.button(
        label,
        key=f"{kind}/{key or label}",
        icon=f":material/{icon}:",
        type="primary" if main else "secondary",
        disabled=not can,
        on_click=press,
    )


def above(picture: Picture, x: float, text: str, colour: Colour, **placing: object) -> None:
    """Write above a picture, or above a part of it whose top is at ``y``, at a share ``x`` of its width."""
    placed: dict[str, Any] = {"xref": "paper", "yref": "paper", "yanchor": "bottom", "yshift": 5, "y": 1.0} | placing
    picture.label(x, placed.pop("y"), text, colour, **placed)


HEIGHT = 300  # Of a picture at least: the style sheet gives it all that is left of the projector's screen.
LARGER = 1.6


def projected(picture: Picture) -> Picture:
    """Return a picture that is finished with all its writing larger."""
    layout = picture.layout
    for name, part in layout.items():
        if name.startswith(("xaxis", "yaxis")):
            part["title"] = {**part.get("title", {}), "font": {"size": round(LARGER * 13)}}
    layout["font"] = {**layout["font"], "size": round(LARGER * layout["font"]["size"])}
    for one in layout["annotations"]:
        one["font"] = {**one.get("font", {}), "size": round(LARGER * one.get("font", {}).get("size", 12))}
    return picture
