"""What one phone shows at a time, as a value, how it is shown, and what its thumb answers."""

import secrets
import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

import streamlit as st

from pages.parts.views.drawing import component
from privbo_core.classroom.house import LENGTH
from privbo_core.classroom.room import LONGEST_NAME

Show = Literal["tell", "rate", "choose", "pair", "map", "scales", "join"]
"""Words only; one colour to rate; a list to choose from; one of two points in a picture; a point of a map; sliders;
the way into a room."""


@dataclass(frozen=True)
class Screen:
    """One thing to read or to answer. ``key`` names the question; ``answer`` is what this pupil has said to it already.

    ``data`` by kind, all of it JSON:

    - tell: ``big`` (a few characters), ``lines``, ``colour`` (of a swatch), ``go`` (an address to open);
    - rate: ``colour``, ``scale`` (the words from least to most): answered by a place in the scale, from 0;
    - choose: ``options``, each a ``value``, a ``text`` and perhaps a ``note``: answered by a value;
    - pair: ``points``, ``released``, ``a``, ``b``, ``range`` (x₀, x₁, y₀, y₁), perhaps ``axes`` (what to write below it
      and above it): answered by "a" or "b";
    - map: ``points``, ``tested`` (pairs of a point's number and a value from 0 to 1), ``range``, perhaps ``axes`` and a
      ``label`` for the button: answered by a number;
    - scales: ``sliders``, each a ``name``, a ``label`` and its ``stops`` in words: answered by {name: place of the
      stop}. None is chosen before it is moved, and all have to be; ``unmoved``: what a slider says until then;
    - join: ``room`` (its code, if it is known), ``longest``, ``letters``: answered by {"room": code, "name": nickname}.
    """

    key: str
    kind: Show
    title: str
    text: str = ""
    data: Mapping[str, object] = field(default_factory=dict)
    answer: object = None


KEY, ACK = "thumbs", "thumbs/ack"
MOST = 20  # Answers that are taken at a time.
PROCESS = secrets.token_hex(4)  # Whose clock orders the screens.
_component = component("thumbs", *(Path(__file__).with_name(f"thumbs.{kind}") for kind in ("js", "css")))


@dataclass(frozen=True)
class PhoneAnswer:
    """What a phone answered to the question under a key: anything at all."""

    question: str
    value: object
    number: int = 0


def hear() -> list[PhoneAnswer]:
    """Return what this phone has answered since the last time. Each answer has a number, and counts once."""
    state: Any = st.session_state.get(KEY)
    said = state.get("said") if isinstance(state, Mapping) else None
    acts = said.get("acts") if isinstance(said, Mapping) else None
    heard: list[PhoneAnswer] = []
    for act in acts[-MOST:] if isinstance(acts, list) else []:
        number, question = (act.get("number"), act.get("question")) if isinstance(act, Mapping) else (None, None)
        if isinstance(number, int) and isinstance(question, str) and number > st.session_state.get(ACK, 0):
            st.session_state[ACK] = number
            heard.append(PhoneAnswer(question[:100], act.get("value"), number))
    return heard


def forget() -> None:
    """Forget what this phone has answered last, which its own session would keep as long as the page is open."""
    if KEY in st.session_state:
        del st.session_state[KEY]


def face(screen: Screen, name: str = "") -> dict[str, object]:
    """Return a screen for ``name`` as a phone takes it: of two the later one, and any of another process."""
    return {"screen": dict(vars(screen)), "name": name, "order": [PROCESS, time.monotonic()]}


def show(shown: Mapping[str, object], post: Mapping[str, str] | None = None) -> None:
    """Show what `face` returned. ``post``: ``to`` where answers go, with the ``secret`` and the ``room`` to say there.

    Without it, and where nobody answers there, answers come by a run of the page (`hear`).
    """
    _component(
        key=KEY,
        data={**shown, "post": post, "ack": int(st.session_state.get(ACK, 0))},
        default={"said": None},
        on_said_change=lambda: None,
    )


DOOR = "door"
WAIT = Screen("wait", "tell", "One moment …")
ENDED = "That room has ended. Nothing of it is kept."
REMOVED = "The teacher has taken this phone out of the room."


def door(code: str, problem: str) -> Screen:
    """Return the way in: with the room's code if the phone came by one, else it is to be typed."""
    code = code if len(code) == LENGTH else ""
    title = f"Room {code}" if code else "Come into a room"
    text = problem or "No account. Choose a nickname, or get the name of an animal."
    return Screen(DOOR, "join", title, text, {"room": code, "longest": LONGEST_NAME, "letters": LENGTH})


def elsewhere(code: str) -> Screen:
    """Return what a phone shows on its way to the process that has its room: it opens the address by itself."""
    return Screen("elsewhere", "tell", f"Room {code}", "One moment …", {"go": f"?room={code}"})


def lobby(name: str) -> Screen:
    return Screen("lobby", "tell", f"You are in, {name}.", "Look at the screen in front. This phone will ask you.")
