"""The list of scenes: dragged into order, by the mouse, a finger or the keys; titles and notes are edited in place."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import streamlit as st

from pages.parts.scenes import playlist
from pages.parts.scenes.playlist import ANSWERED, NOW
from pages.parts.scenes.scene import LONGEST_NOTE, LONGEST_TITLE
from pages.parts.scenes.travel import go

HERE = Path(__file__).parent
KEY = "scenes-list"
_component = st.components.v2.component(
    "privbo_scenes",
    js=(HERE / "listing.js").read_text(encoding="utf-8"),
    css=(HERE / "listing.css").read_text(encoding="utf-8"),
)


def show_list(pages: Mapping[str, str]) -> None:
    """Show the list; ``pages``: their titles."""
    rows = [
        {
            "id": scene.id,
            "page": pages.get(scene.page, ""),
            "title": scene.heading() or pages.get(scene.page, ""),
            "note": scene.note,
            "own": scene.own,
            "slot": scene.figure(),
            "shots": [[shot.slot, shot.title] for shot in scene.snapshot.shots] if scene.snapshot else [],
        }
        for scene in playlist.scenes()
    ]
    _component(
        key=KEY,
        data={
            "rows": rows,
            "now": st.session_state.get(NOW, ""),
            "ack": int(st.session_state.get(ANSWERED, 0)),
            "longest": {"title": LONGEST_TITLE, "note": LONGEST_NOTE},
        },
        default={"said": None},
        on_said_change=_said,
    )


def _said() -> None:
    state: Any = st.session_state.get(KEY)
    where = playlist.act(state.get("said") if isinstance(state, Mapping) else None)
    if where:
        go(where)
