"""What the teacher does in “Be the attacker”: choose a closed envelope, begin, open it, go on to the projection."""

from collections.abc import Callable
from functools import partial

import streamlit as st

from pages.parts.experiments.attacker.words import LETTERS
from privbo_core.classroom import News, Room
from privbo_core.classroom.attacker import Attacker, Stage


def desk(room: Room, attacker: Attacker) -> None:
    """Draw the next acts. Nothing here says what is in an envelope: this screen is projected."""
    seen = attacker.seen()
    match seen.stage:
        case Stage.SEALING:
            for place, letter in enumerate(LETTERS):
                _act(room, f"Envelope {letter}", partial(Attacker.seal, envelope=place), "mail",
                     main=place == seen.envelope)  # fmt: skip
            _act(room, "Begin", Attacker.begin, "play_arrow", main=True, can=seen.envelope is not None)
        case Stage.GUESSING:
            _act(room, f"Open envelope {LETTERS[seen.envelope or 0]}", Attacker.reveal, "drafts", main=True)
        case Stage.REVEALED:
            _act(room, "Now the paper’s projection", Attacker.project, "arrow_forward", main=True)
        case Stage.TESTING:
            _act(room, "That is all", Attacker.end, "flag", main=True)


def _act(
    room: Room, label: str, doing: Callable[[Attacker], News], icon: str, *, main: bool = False, can: bool = True
) -> None:
    st.button(
        label, key=f"attacker/{label}", icon=f":material/{icon}:", type="primary" if main else "secondary",
        disabled=not can, on_click=_do, args=(room, doing),
    )  # fmt: skip


def _do(room: Room, doing: Callable[[Attacker], News]) -> None:
    room.act(doing)
