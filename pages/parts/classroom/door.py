"""An experiment chosen, and the door by which phones come in."""

import time
from collections.abc import Callable
from functools import lru_cache, partial
from urllib.parse import urlsplit

import segno
import streamlit as st

from pages.parts.classroom.games.game import Game
from pages.parts.classroom.games.poll import POLL
from pages.parts.classroom.kits import EXPERIMENTS_KITS, elsewhere, offer_kit
from pages.parts.classroom.rooms import GAMES, HOUSE, game_of
from pages.parts.shell.undocumented import give_way
from pages.parts.views import views
from pages.parts.views.content import prose
from pages.parts.views.drawing import Place, Slot, note
from pages.parts.views.templates import render
from pages.parts.views.views import View
from privbo_core.classroom import Room

CHOSEN, NEXT = "class/experiment", "class/next"


def offer_games(begin: Callable[[Game], None], *, can: bool = True) -> None:
    with st.container(key="games"):
        for kind in GAMES:
            with st.container(key=f"game-{kind.name}", border=True):
                key, press = f"play/{kind.name}", partial(begin, kind)
                st.button(kind.title, key=key, icon=kind.icon, type="tertiary", disabled=not can, on_click=press)
                st.write(kind.question)


def choose(room: Room) -> None:
    """Offer the experiments. Another one ends what is played, and its answers with it: not before that is agreed to."""
    playing, waiting = game_of(room.kind), game_of(st.session_state.get(NEXT, ""))
    if playing is None:
        offer_games(partial(_begin, room))
        return
    st.session_state[CHOSEN] = playing.name if playing in GAMES else None
    st.segmented_control(
        "What the class plays",
        [kind.name for kind in GAMES],
        key=CHOSEN,
        format_func=lambda name: kind.title if (kind := game_of(name)) else name,
        on_change=_ask,
        args=(room,),
        label_visibility="collapsed",
    )
    asked = st.empty()
    if waiting:
        with asked.container(key="leaving", horizontal=True, vertical_alignment="center"):
            st.warning(f"“{playing.title}” ends then, and what the class has answered in it is gone.")
            st.button(waiting.title, key="class-leave", type="primary", on_click=_begin, args=(room, waiting))
            st.button("Stay", key="class-stay", on_click=st.session_state.pop, args=(NEXT, None))


def _ask(room: Room) -> None:
    chosen = st.session_state.get(CHOSEN)
    kind = game_of(chosen) if isinstance(chosen, str) else None
    if kind is None or kind.name == room.kind:
        return
    if room.answered:
        st.session_state[NEXT] = kind.name
    else:
        _begin(room, kind)


def _begin(room: Room, kind: Game) -> None:
    st.session_state.pop(NEXT, None)
    room.begin(kind.name, kind.start())


LOOK = 0.05  # seconds between two looks
TICK = 0.25  # seconds between two ticks of an experiment's clock
REDRAW = 0.4  # seconds between two pictures: a class taps faster than anybody can look


class Stage:
    """Tiles, and figures in their slots, that stay where they are while what is in them changes."""

    def __init__(self, kind: Game | None) -> None:
        self._top = Slot("class-tiles")
        self._places: dict[str, Place] = {}
        with st.container(key="stage-figures"):
            # Each experiment has its own place: in one for all, Streamlit keeps the pictures of the one before.
            for each in (*GAMES, POLL):
                if each is kind:
                    self._figures = st.container()
                else:
                    st.empty()

    def draw(self, view: View) -> None:
        self._top.html(render("tiles.html", tiles=view.tiles))
        views.current().tiles = view.tiles
        with self._figures:
            for figure in view.figures:
                if figure.slot not in self._places:
                    self._places[figure.slot] = Place(figure.slot, picture=figure.picture is not None)
                self._places[figure.slot].draw(figure)


def play(room: Room, kind: Game | None, look: Callable[[], None], turn: int) -> None:
    """Show what is played until something else is asked of the class.

    ``look``: what else is drawn when something happens. ``turn``: the room's, before the teacher's buttons were drawn.
    """
    stage = Stage(kind)
    drawn, at, ticked = -1, 0.0, 0.0
    while room.turns == turn:
        now = time.monotonic()
        if now - ticked >= TICK:
            ticked = now
            room.tick()
        if room.version != drawn and now - at >= REDRAW:
            drawn, at = room.version, now
            with room.look() as experiment:
                view = kind.show(experiment) if kind and experiment is not None else None
            if view is not None:
                stage.draw(view)
            look()
        time.sleep(LOOK)
        give_way()
    st.rerun()


def base() -> str:
    return str(st.context.url or "").split("?")[0].rstrip("/").removesuffix("/class")


def join_address(base_address: str, code: str, key: str) -> str:
    """Return the address at which a phone comes into a room; ``key``: the room's, which nobody types."""
    return f"{base_address.rstrip('/')}/join?room={code}&key={key}"


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


TYPED = "class/address"  # Under which a session keeps the address that the teacher gave for the phones.
NAMES = "door-out"  # The widget that offers the names of all who are in.


class Door:
    """The left column while a room is open. `draw` may be called several times in a run."""

    def __init__(self, room: Room) -> None:
        self._room, self._slot, self._unreached = room, Slot("door"), st.empty()
        self.draw()
        with st.popover("Room", icon=":material/door_front:", key="room-more"):
            self._more()

    def draw(self) -> None:
        room, pupils = self._room, self._room.pupils
        address = join_address(self._address(), room.code, room.key)
        way_in = render(
            "door.html",
            code=room.code,
            address=address.split("://")[-1].split("?")[0],
            picture=qr_picture(address),
            count=len(pupils),
            names=[pupil.name for pupil in pupils],
            closed="" if room.door else "The door is closed: nobody else can come in.",
            large=not room.kind,
        )
        self._slot.html(way_in)
        if not room.kind and not pupils and not elsewhere(self._address()):
            self._unreached.warning(prose("class", "an address of this machine only"), icon=":material/wifi_off:")
        else:
            self._unreached.empty()

    def _address(self) -> str:
        return usable(st.session_state.get(TYPED, "")) or base()

    def _more(self) -> None:
        room = self._room
        st.text_input(
            "Address of this app for the phones", key=TYPED, placeholder=base(), max_chars=200, persist_state="session"
        )
        turn, icon = ("Close the door", "lock") if room.door else ("Open the door", "lock_open")
        st.button(turn, key="door-turn", on_click=_turn, args=(room,), icon=f":material/{icon}:")
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
        end, icon = partial(HOUSE.close, room), ":material/logout:"
        st.button("End this room", key="door-end", type="primary", on_click=end, icon=icon)
        note(prose("class", "what a room keeps"))


def _turn(room: Room) -> None:
    room.door = not room.door
