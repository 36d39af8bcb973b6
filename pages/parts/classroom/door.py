"""Where phones find this app: the address as a code that a camera reads, and what stands in their way."""

from functools import lru_cache
from urllib.parse import urlsplit

import segno
import streamlit as st

from pages.parts.classroom.choosing import DOOR_CLOSED
from pages.parts.classroom.kits import EXPERIMENTS_KITS, elsewhere, offer_kit
from pages.parts.classroom.rooms import HOUSE
from pages.parts.views.content import prose
from pages.parts.views.drawing import Slot, note
from pages.parts.views.templates import render
from privbo_core.classroom import Room


def base() -> str:
    """Return the app's own address as this browser sees it, without the page."""
    return str(st.context.url or "").split("?")[0].rstrip("/").removesuffix("/class")


def join_address(base_address: str, code: str, key: str) -> str:
    """Return the address at which a phone comes into a room; ``key``: the room's, which nobody types."""
    return f"{base_address.rstrip('/')}/join?room={code}&key={key}"


def only_here(address: str) -> bool:
    """Return whether an address leads to the machine itself, so that no phone gets there."""
    return not elsewhere(address)


def usable(typed: str) -> str:
    """Return an address as a person types it, whole; an empty text if it is none."""
    text = typed.strip().rstrip("/")
    whole = text if "://" in text else f"http://{text}"
    parts = urlsplit(whole)
    try:
        fits = parts.scheme in ("http", "https") and bool(parts.hostname) and not parts.query and (parts.port or 1) > 0
    except ValueError:
        return ""
    return whole.removesuffix("/class").removesuffix("/join") if text and fits and " " not in text else ""


@lru_cache(maxsize=32)
def qr_picture(address: str) -> str:
    """Return the address as a picture that a phone's camera reads: dark on white in either theme, drawn here, once."""
    picture: str = segno.make(address, error="m", micro=False).svg_data_uri(border=2, dark="#000", light="#fff")
    return picture


TYPED = "class/address"
"""Under which a session keeps the address that the teacher gave for the phones."""
NAMES = "door-out"
"""The widget that offers the names of all who are in."""


class Door:
    """The left column while a room is open. `draw` may be called several times in a run."""

    def __init__(self, room: Room) -> None:
        self._room, self._spot = room, Slot("door")
        self.draw()
        if not room.kind and only_here(self._address()):
            st.warning(prose("class", "an address of this machine only"), icon=":material/wifi_off:")
        with st.popover("Room", icon=":material/door_front:", key="room-more"):
            self._more()

    def draw(self) -> None:
        """Show how to come in, and who is in, as it is now."""
        room, pupils = self._room, self._room.pupils
        address = join_address(self._address(), room.code, room.key)
        self._spot.html(
            render(
                "door.html",
                code=room.code,
                address=address.split("://")[-1].split("?")[0],
                picture=qr_picture(address),
                count=len(pupils),
                names=[pupil.name for pupil in pupils],
                closed="" if room.door else DOOR_CLOSED,
                large=not room.kind,
            )
        )

    def _address(self) -> str:
        return usable(st.session_state.get(TYPED, "")) or base()

    def _more(self) -> None:
        room = self._room
        st.text_input(
            "Address of this app for the phones", key=TYPED, placeholder=base(), max_chars=200, persist_state="session"
        )
        st.button(
            "Close the door" if room.door else "Open the door",
            key="door-turn",
            on_click=_turn,
            args=(room,),
            icon=":material/lock:" if room.door else ":material/lock_open:",
        )
        names = {pupil.number: pupil.name for pupil in room.pupils}
        out = st.selectbox(
            "Take a phone out",
            list(names),
            index=None,
            format_func=lambda one: names.get(one, "gone"),
            key=NAMES,
            placeholder="Whose?",
        )
        st.button("Take it out", key="door-remove", disabled=out is None, on_click=room.remove, args=(out,))
        offer_kit(EXPERIMENTS_KITS.get(room.kind))
        st.button(
            "End this room",
            key="door-end",
            type="primary",
            on_click=HOUSE.close,
            args=(room,),
            icon=":material/logout:",
        )
        note(prose("class", "what a room keeps"))


def _turn(room: Room) -> None:
    room.door = not room.door
