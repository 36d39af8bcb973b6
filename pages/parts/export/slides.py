"""Scenes as slides: for the browser to print, or for PowerPoint, with pictures that the browser takes."""

import base64
import binascii
import json
import re
import struct
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from io import BytesIO
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import streamlit as st
from pptx import Presentation
from pptx.dml.color import RGBColor
from pptx.util import Emu, Pt

from pages.parts.export.offer import POLICY, own_file, script_value, versions
from pages.parts.export.scenes import Scene, Shot
from pages.parts.shell.server import LIBRARY
from pages.parts.shell.session import OWN
from pages.parts.views.drawing import component
from pages.parts.views.picture import LIGHT
from pages.parts.views.templates import render
from pages.parts.views.views import AUDIENCES

HERE = Path(__file__).parent
PICTURE = (1216, 440)  # The room for a picture on a slide that is 1280 wide and 720 high.
LEAST, MOST = 260, 460  # How high a figure is drawn before it is enlarged to fit: its letters are legible then.
UNSEEN = "Nothing was drawn of this scene yet: open it once, then make the slides again."
OWN_GONE = "This scene was of somebody’s own data, which have been forgotten or were never here."
MOST_PROMISED = 420


@dataclass(frozen=True)
class Slide:
    """What stands on a slide; ``badge``: who may see the figure."""

    scene: Scene
    title: str
    shot: Shot | None
    badge: str
    promise: str
    source: str
    missing: str

    @property
    def size(self) -> tuple[float, float]:
        """The width and the height that a figure is drawn in; enlarged, it fills `PICTURE` without being distorted."""
        height = min(max(self.shot.height if self.shot else LEAST, LEAST), MOST)
        return round(height * PICTURE[0] / PICTURE[1], 2), float(height)


def slides(scenes: Sequence[Scene], pages: Mapping[str, str], address: str) -> list[Slide]:
    """Return the slides; ``pages``: their titles; ``address``: where PrivBO runs."""
    return [_slide(scene, pages, address) for scene in scenes]


def _slide(scene: Scene, pages: Mapping[str, str], address: str) -> Slide:
    taken, page = scene.snapshot, pages.get(scene.page, "")
    shot = taken.shot(scene.slot) if taken else None
    badge = next((words for name, (words, _) in AUDIENCES.items() if shot and name == shot.audience), "")
    promise = " ".join(taken.promises) if taken else ""
    where = f"{page} · {taken.data}" if taken and taken.data else page
    made = f"Made with PrivBO {versions()['PrivBO']}{f' on {taken.when}' if taken and taken.when else ''}"
    link = f"{address.rstrip('/')}/{scene.page}?{urlencode(scene.settings)}" if address.startswith("http") else ""
    return Slide(
        scene,
        scene.heading() or page,
        shot,
        badge,
        promise if len(promise) <= MOST_PROMISED else f"{promise[:MOST_PROMISED].rsplit(' ', 1)[0]} …",
        " · ".join(part for part in (where, made, "own data, in no link" if scene.own else link) if part),
        "" if shot else OWN_GONE if scene.own else UNSEEN,
    )


def document(wanted: Sequence[Slide]) -> str:
    """Return the slides as one HTML document: nothing is loaded, and each is a page when it is printed."""
    pictures = {
        f"slide-{number}": {"figure": json.loads(slide.shot.picture), "size": slide.size}
        for number, slide in enumerate(wanted)
        if slide.shot and slide.shot.picture
    }
    page = render(
        "slides.html",
        slides=wanted,
        policy=POLICY,
        palette={"met": LIGHT.met, "unmet": LIGHT.unmet, "refuted": LIGHT.refuted, "text": LIGHT.text},
        css=own_file(HERE / "slides.css"),
        library=own_file(LIBRARY) if pictures else "",
        shown=script_value({"pictures": pictures, "room": PICTURE}),
        draw=own_file(HERE / "slides.js"),
    )
    return str(page)


PIXEL = 9525  # a 96th of an inch, in the unit that the format counts in
WIDTH, HEIGHT, EDGE = 1280, 720, 32
TITLE_ONLY = 5  # the layout of the library's own template that has a title and nothing else
COLOURS = {"curator": LIGHT.unmet, "conditional": LIGHT.unmet, "share": LIGHT.met, "refuted": LIGHT.refuted}
ROW, MOST_ROWS = 26, 15


def deck(slides: Sequence[Slide], pictures: Mapping[str, bytes]) -> bytes:
    made = Presentation()
    made.slide_width, made.slide_height = _px(WIDTH), _px(HEIGHT)
    made.core_properties.title, made.core_properties.author = "PrivBO: scenes", "PrivBO"
    for slide in slides:
        _add(made, slide, pictures.get(slide.scene.id))
    file = BytesIO()
    made.save(file)
    return file.getvalue()


def _add(made: Any, slide: Slide, picture: bytes | None) -> None:
    page = made.slides.add_slide(made.slide_layouts[TITLE_ONLY])
    title = page.shapes.title
    title.left, title.top, title.width, title.height = (_px(each) for each in (EDGE, 16, WIDTH - 2 * EDGE, 84))
    long = len(slide.title) > 110
    _write(title.text_frame, slide.title, 24 if long else 28, bold=True)
    top, shot = 138, slide.shot
    if shot and (marks := "   ·   ".join(text for text in (shot.stamp, slide.badge) if text)):
        colour = LIGHT.refuted if shot.stamp else COLOURS.get(shot.audience, LIGHT.text)
        _text(page, (100, 34), marks, 14, name="Who may see it", bold=True, colour=colour)
    if picture and shot:
        shape = page.shapes.add_picture(BytesIO(picture), *(_px(each) for each in (EDGE, top, *PICTURE)))
        shape.name = "Picture"
        shape._element.nvPicPr.cNvPr.set("descr", shot.alt)  # the library has no other way to say what a picture shows
    elif shot and shot.rows:
        _table(page, shot.rows, top)
    else:
        _text(page, (top, 60), slide.missing or "This picture could not be drawn.", 16, name="Missing")
    if slide.scene.note:
        page.notes_slide.notes_text_frame.text = slide.scene.note
        _text(page, (582, 50), slide.scene.note, 14, name="Note")
    if slide.promise:
        _text(page, (634, 44), slide.promise, 11, name="Guarantee")
    _text(page, (680, 34), slide.source, 9, name="Where it came from")


def _table(page: Any, rows: Sequence[Sequence[str]], top: int) -> None:
    shown = rows[:MOST_ROWS]
    place = map(_px, (EDGE, top, PICTURE[0], ROW * len(shown)))
    table = page.shapes.add_table(len(shown), len(shown[0]), *place).table
    for i, row in enumerate(shown):
        for j, text in enumerate(row):
            _write(table.cell(i, j).text_frame, text, 11, bold=not i)


def _text(page: Any, place: tuple[int, int], text: str, size: int, *, name: str, **look: Any) -> None:
    """Write from edge to edge; ``place``: how far down, and how high."""
    top, high = place
    box = page.shapes.add_textbox(*map(_px, (EDGE, top, WIDTH - 2 * EDGE, high)))
    box.name = name
    _write(box.text_frame, text, size, **look)


def _write(frame: Any, text: str, size: int, *, bold: bool = False, colour: str = LIGHT.text) -> None:
    frame.word_wrap = True
    frame.text = re.sub(r"\s*\n\s*", "\n", text)
    for paragraph in frame.paragraphs:
        paragraph.alignment = 1  # left
        for run in paragraph.runs:
            run.font.size, run.font.bold = Pt(size), bold
            run.font.color.rgb = RGBColor.from_string(colour[1:])


def _px(pixels: float) -> Any:
    return Emu(round(pixels * PIXEL))


KEY, TAKEN = f"{OWN}scenes/camera", f"{OWN}scenes/pictures"
LEAST_WIDTH, LEAST_SCALE = 2600, 2.5  # of a picture that is taken, in pixels
LARGEST = 3_500_000  # bytes of one picture
_component = component("camera", HERE / "camera.js", ".dark { position: fixed; left: -9999px; top: 0; }")


def wanted(slides: Sequence[Slide]) -> dict[str, Slide]:
    """Return the slides that have a picture to be drawn, each by what tells its picture from others."""
    drawn = [(slide, slide.shot.picture) for slide in slides if slide.shot and slide.shot.picture]
    return {sha256(f"{each.scene.id}/{each.size}/{picture}".encode()).hexdigest(): each for each, picture in drawn}


def taken(slides: Sequence[Slide]) -> dict[str, bytes]:
    """Return the pictures that are there, by the scenes' ids. One that could not be drawn is not."""
    known: dict[str, bytes] = st.session_state.get(TAKEN, {})
    return {slide.scene.id: known[name] for name, slide in wanted(slides).items() if known.get(name)}


def take(slides: Sequence[Slide]) -> tuple[int, int]:
    """Let the browser draw what is not there yet, one picture at a time. Return how many are there, and of how many."""
    known, needed = st.session_state.get(TAKEN, {}), wanted(slides)
    st.session_state[TAKEN] = known = {name: known[name] for name in needed if name in known}
    name, slide = next(((name, slide) for name, slide in needed.items() if name not in known), ("", None))
    width, height = slide.size if slide else (0.0, 0.0)
    scale = max(LEAST_SCALE, LEAST_WIDTH / width) if slide else 1
    drawn = {"name": name, "figure": slide.shot.picture if slide and slide.shot else ""}
    size = {"width": width, "height": height, "scale": scale}
    data = drawn | size | {"base": st.get_option("server.baseUrlPath").rstrip("/")}
    _component(key=KEY, data=data, default={"picture": None}, on_picture_change=_came, height=1)
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
    """Return a PNG's width and height in pixels; None if it is none, or has not the shape of a slide's picture."""
    if not png.startswith(b"\x89PNG\r\n\x1a\n") or len(png) < 24:
        return None
    width, height = struct.unpack(">II", png[16:24])
    fits = height and abs(width / height / (PICTURE[0] / PICTURE[1]) - 1) < 0.02
    return (width, height) if fits and width < 10_000 else None
