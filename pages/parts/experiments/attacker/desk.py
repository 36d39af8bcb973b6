"""What the teacher does in “Be the attacker”: choose an envelope, begin, open it, the projection, another one."""

from collections.abc import Callable
from functools import partial

import streamlit as st

from pages.parts.experiments.attacker.words import NAMES, envelope
from pages.parts.show.show import note
from privbo_core.classroom import News, Room
from privbo_core.classroom.attacker import Attacker, Stage


def desk(room: Room, attacker: Attacker) -> None:
    """Draw the next acts. Nothing here says what is in an envelope: this screen is projected."""
    seen = attacker.seen()
    match seen.stage:
        case Stage.SEALING:
            for place, epsilon in enumerate(seen.opened):
                label = f"Envelope {NAMES[place]}" if epsilon is None else f"Envelope {NAMES[place]}: ε = {epsilon:g}"
                _act(room, label, partial(Attacker.seal, envelope=place), "mail" if epsilon is None else "drafts",
                     main=place == seen.envelope, can=epsilon is None)  # fmt: skip
            _act(room, "Begin", Attacker.begin, "play_arrow", main=True, can=seen.envelope is not None)
        case Stage.GUESSING:
            _act(room, f"Open {envelope(seen)}", Attacker.reveal, "drafts", main=True, can=bool(seen.guesses))
            if not seen.guesses:
                note("It can be opened once somebody has tried.")
        case Stage.REVEALED:
            _act(room, "Now the paper’s projection", Attacker.project, "arrow_forward", main=True)
        case Stage.TESTING:
            _act(room, "That is all", Attacker.end, "flag", main=True)
        case Stage.OVER:
            _act(room, "Another envelope", Attacker.again, "mail", main=True)


def _act(
    room: Room, label: str, doing: Callable[[Attacker], News], icon: str, *, main: bool = False, can: bool = True
) -> None:
    st.button(
        label, key=f"attacker/{label}", icon=f":material/{icon}:", type="primary" if main else "secondary",
        disabled=not can, on_click=_do, args=(room, doing),
    )  # fmt: skip


def _do(room: Room, doing: Callable[[Attacker], News]) -> None:
    room.act(doing)
