"""Scenes as slides: what stands on each, and all of them as one HTML document that the browser prints, a scene a page."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlencode

from pages.parts.frame.server import LIBRARY
from pages.parts.scenes.scene import Scene, Shot
from pages.parts.show.templates import render
from pages.parts.take_away.report import POLICY, own_file, script_value
from pages.parts.take_away.versions import versions
from pages.parts.values.palette import LIGHT
from pages.parts.values.views import AUDIENCES, Audience

HERE = Path(__file__).parent
PICTURE = (1216, 440)
"""The room for a picture on a slide that is 1280 wide and 720 high."""
LEAST, MOST = 260, 460
"""How high a figure is drawn before it is enlarged to fit: its letters are legible then."""
UNSEEN = "Nothing was drawn of this scene yet: open it once, then make the slides again."
OWN_GONE = "This scene was of somebody’s own data, which have been forgotten or were never here."
MOST_PROMISED = 420


@dataclass(frozen=True)
class Slide:
    """What stands on a slide; ``badge``: who may see the figure; ``size``: how large a figure is drawn, then enlarged."""

    scene: Scene
    title: str
    note: str
    shot: Shot | None
    badge: str
    stamp: str
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


def document(wanted: Sequence[Slide]) -> str:
    """Return the slides as one HTML document: nothing is loaded, and each is a page when it is printed."""
    pictures = {
        f"slide-{number}": {"figure": json.loads(slide.shot.picture), "size": slide.size}
        for number, slide in enumerate(wanted)
        if slide.shot and slide.shot.picture
    }
    return str(
        render(
            "slides.html",
            slides=wanted,
            policy=POLICY,
            palette={"met": LIGHT.met, "unmet": LIGHT.unmet, "refuted": LIGHT.refuted, "text": LIGHT.text},
            css=own_file(HERE / "slides.css"),
            library=own_file(LIBRARY) if pictures else "",
            shown=script_value({"pictures": pictures, "room": PICTURE}),
            draw=own_file(HERE / "slides.js"),
        )
    )


def _slide(scene: Scene, pages: Mapping[str, str], address: str) -> Slide:
    taken, page = scene.snapshot, pages.get(scene.page, "")
    shot = taken.shot(scene.slot) if taken else None
    audience: Audience | None = next((each for each in AUDIENCES if shot and each == shot.audience), None)
    promise = " ".join(taken.promises) if taken else ""
    where = f"{page} · {taken.data}" if taken and taken.data else page
    made = f"Made with PrivBO {versions()['PrivBO']}{f' on {taken.when}' if taken and taken.when else ''}"
    link = f"{address.rstrip('/')}/{scene.page}?{urlencode(scene.settings)}" if address.startswith("http") else ""
    return Slide(
        scene, scene.heading() or page, scene.note, shot, AUDIENCES[audience][0] if audience else "", shot.stamp if shot else "",
        promise if len(promise) <= MOST_PROMISED else f"{promise[:MOST_PROMISED].rsplit(' ', 1)[0]} …",
        " · ".join(part for part in (where, made, "own data, in no link" if scene.own else link) if part),
        "" if shot else OWN_GONE if scene.own else UNSEEN,
    )  # fmt: skip
