"""What a phone shows and what its thumb answers: one component for all that can be asked."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import streamlit as st

from pages.parts.thumbs.screen import Screen

HERE = Path(__file__).parent
KEY, ACK = "thumbs", "thumbs/ack"
MOST = 20
"""Answers that are taken at a time."""
_component = st.components.v2.component(
    "privbo_thumbs",
    js=(HERE / "thumbs.js").read_text(encoding="utf-8"),
    css=(HERE / "thumbs.css").read_text(encoding="utf-8"),
)


@dataclass(frozen=True)
class Said:
    """What a phone answered to the question under a key: anything at all."""

    question: str
    value: object


def hear() -> list[Said]:
    """Return what this phone has answered since the last time. Each answer has a number, and counts once."""
    state: Any = st.session_state.get(KEY)
    said = state.get("said") if isinstance(state, Mapping) else None
    acts = said.get("acts") if isinstance(said, Mapping) else None
    heard: list[Said] = []
    for act in acts[-MOST:] if isinstance(acts, list) else []:
        number, question = (act.get("number"), act.get("question")) if isinstance(act, Mapping) else (None, None)
        if isinstance(number, int) and isinstance(question, str) and number > st.session_state.get(ACK, 0):
            st.session_state[ACK] = number
            heard.append(Said(question[:100], act.get("value")))
    return heard


def forget() -> None:
    """Forget what this phone has answered last, which its own session would keep as long as the page is open."""
    if KEY in st.session_state:
        del st.session_state[KEY]


def show(screen: Screen, name: str = "") -> None:
    """Show a screen; ``name``: whom it is shown to."""
    _component(
        key=KEY,
        data={"screen": dict(vars(screen)), "name": name, "ack": int(st.session_state.get(ACK, 0))},
        default={"said": None},
        on_said_change=lambda: None,
    )
