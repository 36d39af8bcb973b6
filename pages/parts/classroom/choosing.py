"""What the class page says, what a class can play, and what the projector shows of it."""

import time
from collections.abc import Callable

import streamlit as st

from pages.parts.classroom.games.game import Game
from pages.parts.classroom.games.games import GAMES, game_of
from pages.parts.shell.undocumented import give_way
from pages.parts.views import record
from pages.parts.views.drawing import Place, Slot, nothing_more
from pages.parts.views.templates import render
from pages.parts.views.views import View
from privbo_core.classroom import Room

DOOR_CLOSED = "The door is closed: nobody else can come in."
CHOOSE = "Choose what to play. The phones follow."
OVER = "The room has ended. Nothing of it is kept."


def lose(playing: str) -> str:
    """Return what a teacher has to know before another experiment begins."""
    return f"“{playing}” ends then, and what the class has answered in it is gone."


CHOSEN, NEXT = "class/experiment", "class/next"


def choose(room: Room) -> None:
    """Offer the experiments. Another one ends what is played, and its answers with it: not before that is agreed to."""
    playing, waiting = game_of(room.kind), game_of(st.session_state.get(NEXT, ""))
    st.session_state[CHOSEN] = playing.name if playing in GAMES else None
    st.segmented_control(
        "What the class plays",
        [kind.name for kind in GAMES],
        key=CHOSEN,
        format_func=lambda name: kind.title if (kind := game_of(name)) else name,
        on_change=_ask,
        args=(room,),
    )
    asked = st.empty()
    if playing and waiting:
        with asked.container(key="leaving", horizontal=True, vertical_alignment="center"):
            st.warning(lose(playing.title))
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

    def __init__(self) -> None:
        self._top = Slot("class-tiles")
        self._figures = st.container(key="stage-figures")
        self._places: dict[str, Place] = {}

    def draw(self, view: View) -> None:
        """Show a view in place of what was here."""
        self._top.html(render("tiles.html", tiles=view.tiles))
        record.keep_tiles(view.tiles)
        with self._figures:
            for figure in view.figures:
                if figure.slot not in self._places:
                    self._places[figure.slot] = Place(figure.slot, picture=figure.picture is not None)
                self._places[figure.slot].draw(figure)

    def settle(self) -> None:
        """Take off what was played before."""
        with self._figures:
            nothing_more()

    def offer(self) -> None:
        """Show what can be played."""
        self._top.html(render("experiments.html", kinds=GAMES))


def play(room: Room, kind: Game | None, look: Callable[[], None], turn: int) -> None:
    """Show what is played until something else is asked of the class.

    ``look``: what else is drawn when something happens.

    ``turn``: the room's, before the teacher's buttons were drawn.
    """
    stage = Stage()
    drawn, at, ticked, first = -1, 0.0, 0.0, True
    while room.turns == turn:
        now = time.monotonic()
        if now - ticked >= TICK:
            ticked = now
            room.tick()
        if room.version != drawn and now - at >= REDRAW:
            drawn, at = room.version, now
            with room.look() as experiment:
                view = kind.show(experiment) if kind is not None and experiment is not None else None
            if view is None:
                stage.offer()
            else:
                stage.draw(view)
            look()
            if first:
                stage.settle()
                first = False
        time.sleep(LOOK)
        give_way()
    st.rerun()
