"""Pictures of scenes, drawn in the browser out of sight: it has the plotting library, and draws them as finely as asked."""

import base64
import binascii
import struct
from collections.abc import Mapping, Sequence
from hashlib import sha256
from pathlib import Path
from typing import Any

import streamlit as st

from pages.parts.frame.session import OWN
from pages.parts.scenes.slides import PICTURE, Slide

KEY, TAKEN = f"{OWN}scenes/camera", f"{OWN}scenes/pictures"
WIDTH = 2600  # pixels, at least
LEAST_SCALE = 2.5
LARGEST = 3_500_000  # bytes of one picture
SIGNATURE = b"\x89PNG\r\n\x1a\n"
_component = st.components.v2.component(
    "privbo_camera",
    js=(Path(__file__).parent / "camera.js").read_text(encoding="utf-8"),
    css=".dark { position: fixed; left: -9999px; top: 0; }",
)


def wanted(slides: Sequence[Slide]) -> dict[str, Slide]:
    """Return the slides that have a picture to be drawn, each by what tells its picture from others."""
    return {_name(slide): slide for slide in slides if slide.shot and slide.shot.picture}


def taken(slides: Sequence[Slide]) -> dict[str, bytes]:
    """Return the pictures that are there, by the scenes' ids. One that could not be drawn is not."""
    known: dict[str, bytes] = st.session_state.get(TAKEN, {})
    return {slide.scene.id: known[name] for name, slide in wanted(slides).items() if known.get(name)}


def take(slides: Sequence[Slide]) -> tuple[int, int]:
    """Let the browser draw what is not there yet, one picture at a time. Return how many are there, and of how many."""
    known: dict[str, bytes] = st.session_state.setdefault(TAKEN, {})
    needed = wanted(slides)
    st.session_state[TAKEN] = known = {name: known[name] for name in needed if name in known}
    following = next(((name, slide) for name, slide in needed.items() if name not in known), None)
    size = following[1].size if following else (0.0, 0.0)
    _component(
        key=KEY,
        data={
            "name": following[0] if following else "",
            "figure": following[1].shot.picture if following and following[1].shot else "",
            "width": size[0],
            "height": size[1],
            "scale": max(LEAST_SCALE, WIDTH / size[0]) if following else 1,
            "base": st.get_option("server.baseUrlPath").rstrip("/"),
        },
        default={"picture": None},
        on_picture_change=_came,
        height=1,
    )
    return len(known), len(needed)


def _came() -> None:
    state: Any = st.session_state.get(KEY)
    said = state.get("picture") if isinstance(state, Mapping) else None
    if not isinstance(said, Mapping) or not isinstance(said.get("png"), str) or len(said["png"]) > LARGEST * 4 // 3 + 8:
        return
    try:
        png = base64.b64decode(said["png"], validate=True)
    except (ValueError, binascii.Error):
        return
    if dimensions(png) or not png:
        st.session_state.setdefault(TAKEN, {})[str(said.get("name"))[:64]] = png


def dimensions(png: bytes) -> tuple[int, int] | None:
    """Return the width and the height of a PNG in pixels; None if it is none, or has not the shape of a slide's picture."""
    if not png.startswith(SIGNATURE) or len(png) < 24:
        return None
    width, height = struct.unpack(">II", png[16:24])
    fits = height and abs(width / height / (PICTURE[0] / PICTURE[1]) - 1) < 0.02
    return (width, height) if fits and width < 10_000 else None


def _name(slide: Slide) -> str:
    assert slide.shot
    return sha256(f"{slide.scene.id}/{slide.size}/{slide.shot.picture}".encode()).hexdigest()
