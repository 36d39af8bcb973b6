"""What the class sees: the experiment's picture, drawn again whenever something has happened."""

import time
from collections.abc import Callable

import streamlit as st

from pages.parts.experiments.kind import Kind
from pages.parts.experiments.kinds import KINDS
from pages.parts.frame import record
from pages.parts.frame.spot import Spot, nothing_more
from pages.parts.frame.undocumented import give_way
from pages.parts.show.show import Place
from pages.parts.show.templates import render
from pages.parts.values.views import View
from privbo_core.classroom import Room

LOOK = 0.05  # seconds between two looks
TICK = 0.25  # seconds between two ticks of an experiment's clock
REDRAW = 0.4  # seconds between two pictures: a class taps faster than anybody can look


class Stage:
    """Tiles, and figures in their slots, that stay where they are while what is in them changes."""

    def __init__(self) -> None:
        self._top = Spot("class-tiles")
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
        self._top.html(render("experiments.html", kinds=KINDS))


def play(room: Room, kind: Kind | None, look: Callable[[], None], turn: int) -> None:
    """Show what is played until something else is asked of the class; ``look``: what else is drawn when something happens.

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
