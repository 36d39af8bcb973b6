"""The teacher's side of the door: the code and its picture, who is in, and the end of the room."""

import streamlit as st

from pages.parts.classroom.address import base, join_address, only_here, qr_picture, usable
from pages.parts.classroom.words import DOOR_CLOSED, FROM_HERE_ONLY, KEPT
from pages.parts.experiments.rooms import HOUSE
from pages.parts.frame.spot import Spot
from pages.parts.kits.offer import offer_kit
from pages.parts.show.show import note
from pages.parts.show.templates import render
from privbo_core.classroom import Room

TYPED = "class/address"
"""Under which a session keeps the address that the teacher gave for the phones."""
NAMES = "door-out"
"""The widget that offers the names of all who are in."""


class Door:
    """The left column while a room is open. `draw` may be called several times in a run."""

    def __init__(self, room: Room) -> None:
        self._room, self._spot = room, Spot("door")
        self.draw()
        if not room.kind and only_here(self._address()):
            st.warning(FROM_HERE_ONLY, icon=":material/wifi_off:")
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
        st.text_input("Address of this app for the phones", key=TYPED, placeholder=base(), max_chars=200,
                      persist_state="session")  # fmt: skip
        st.button("Close the door" if room.door else "Open the door", key="door-turn", on_click=_turn, args=(room,),
                  icon=":material/lock:" if room.door else ":material/lock_open:")  # fmt: skip
        names = {pupil.number: pupil.name for pupil in room.pupils}
        out = st.selectbox("Take a phone out", list(names), index=None, format_func=lambda one: names.get(one, "gone"),
                           key=NAMES, placeholder="Whose?")  # fmt: skip
        st.button("Take it out", key="door-remove", disabled=out is None, on_click=room.remove, args=(out,))
        offer_kit(room.kind)
        st.button("End this room", key="door-end", type="primary", on_click=HOUSE.close, args=(room,),
                  icon=":material/logout:")  # fmt: skip
        note(KEPT)


def _turn(room: Room) -> None:
    room.door = not room.door
