"""Drawing values on a page, each in a place that stays until there is something newer; and the record of it.

`st.empty` takes off the page what an earlier run of the script had put there, at once: what is drawn only after a while
would be gone in the meantime, and everything below would jump.
"""

import itertools
import math
import zlib
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, Literal

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from pages.parts.views import views
from pages.parts.views.picture import Picture, palette
from pages.parts.views.templates import render
from pages.parts.views.text import as_plain
from pages.parts.views.views import Answer, Box, Card, Figure, Finding, Table, Tile


class Slot:
    """Room for one piece of the page, that may be changed several times in a run."""

    def __init__(self, key: str | None = None) -> None:
        self._room = st.container(gap=None, key=key)
        self._now: DeltaGenerator | None = None

    def html(self, body: str) -> DeltaGenerator:
        self._now = (self._now or self._room).html(body)
        return self._now

    def clear(self) -> None:
        """Take away what is here, and what an earlier run had put here."""
        self._now = (self._now or self._room).empty()


def component(name: str, script: Path, style: Path | str | None = None, **more: Any) -> Any:  # noqa: ANN401
    """Return what draws a component of this app's own; ``style``: its style sheet, or the file that holds it."""
    css = style.read_text(encoding="utf-8") if isinstance(style, Path) else style
    return st.components.v2.component(f"privbo_{name}", js=script.read_text(encoding="utf-8"), css=css, **more)


HERE = Path(__file__).parent
STATIC = HERE.parents[2] / "static"
_component = component(
    "chart",
    HERE / "chart.js",
    ".plot { width: 100%; } .plot.pickable .nsewdrag { cursor: pointer; } "
    # At the end of the axis' title, where nothing is drawn.
    ".plot .modebar-container { top: auto !important; bottom: 1.6rem; }",
    isolate_styles=False,
)


Data = str | bytes | Callable[[], str | bytes]  # What is downloaded, or what makes it once the button is pressed.
Picked = Callable[[float, float], None]
_feeds = itertools.count(1)  # tells a figure that is fed anew from one that is still there


class Chart:
    """A place for one figure. `draw` may be called several times in a run: the figure there is changed, not replaced.

    The figure of an earlier run stays until the first one of this run is drawn. ``picked``: what happens when somebody
    points at a place in it, with its x and y; ``dragged``: the same of a line, with NaN on the axis that it runs along.
    """

    def __init__(self, slot: str, picked: Picked | None = None, dragged: Picked | None = None) -> None:
        self._slot = slot
        self._picked, self._dragged = picked, dragged
        with st.container(key=f"chart-{slot}", gap=None):
            self._stage, self._feed, self.aside = st.container(gap=None), st.empty(), st.empty()
        self._draws = self._first = 0

    def draw(self, figure: Picture, alt: str) -> None:
        place, drawn = self._feed if self._draws else self._stage, figure.as_json(palette())
        if not self._draws:
            self._first = zlib.crc32(drawn.encode())
        with place:
            self._mount(drawn, int(figure.layout["height"]), as_plain(alt))
        self._draws += 1

    def _mount(self, drawn: str, height: int, alt: str) -> None:
        """Put a figure here; ``first`` tells which one this run began with: a browser may hear of them in any order."""
        key = f"chart/{self._slot}/{self._draws}"
        _component(
            key=key,
            data={
                "slot": self._slot,
                "feed": next(_feeds) if self._draws else 0,
                "first": self._first,
                "figure": drawn,
                "alt": alt,
                "base": st.get_option("server.baseUrlPath").rstrip("/"),
                **({"pick": True} if self._picked else {}),
                **({"drag": True} if self._dragged else {}),
            },
            height=height if self._draws == 0 else 1,
            on_place_change=lambda: self._point(key, "place"),
            on_line_change=lambda: self._point(key, "line"),
        )

    def _point(self, key: str, what: Literal["place", "line"]) -> None:
        """Hand on where somebody points, or lets a line go. It comes from a browser, so it may be anything."""
        state: Any = st.session_state.get(key)
        said = state.get(what) if isinstance(state, Mapping) else None
        places = [said.get(axis) if isinstance(said, Mapping) else None for axis in ("x", "y")]
        x, y = (float(each) if isinstance(each, int | float) else math.nan for each in places)
        if what == "place" and self._picked and math.isfinite(x) and math.isfinite(y):
            self._picked(x, y)
        if what == "line" and self._dragged and math.isfinite(x) != math.isfinite(y):
            self._dragged(x, y)


Shown = Finding | Card | Box | Table | Sequence[Tile]


def show(value: Shown, place: DeltaGenerator | Slot | None = None) -> None:
    where = place or st
    match value:
        case Finding():
            where.html(render("finding.html", finding=value, stamped=True))
        case Card():
            views.current().cards[value] = None
            first, rest = value.split()
            with (st if place is None or isinstance(place, Slot) else place).container(gap="xxsmall"):
                st.html(render("card.html", card=first))
                if rest.rows:
                    with st.expander("The whole guarantee"):
                        st.html(render("rows.html", card=rest))
        case Box():
            where.html(render("box.html", box=value))
        case Table():
            where.html(render("table.html", table=value))
        case _:
            views.current().tiles = tuple(value)
            where.html(render("tiles.html", tiles=value))


def show_answer(question: str, answer: Answer, place: DeltaGenerator) -> None:
    views.current().answers[question] = answer
    place.html(render("answer.html", answer=answer))


def note(
    text: str, place: DeltaGenerator | None = None, *, status: bool = False, test_id: str = "", keys: bool = False
) -> None:
    """``status``: said aloud to those who listen to the page. ``keys``: about keys, which not every device has."""
    (place or st).html(render("note.html", text=text, status=status, test_id=test_id, keys=keys))


KINDS = {
    "bib": "application/x-bibtex",
    "csv": "text/csv",
    "html": "text/html",
    "json": "application/json",
    "py": "text/x-python",
    "yaml": "application/yaml",
    "zip": "application/zip",
}


def download(label: str, data: Data, file: str, icon: str, **more: Any) -> None:  # noqa: ANN401
    """Show the button that downloads a file, of the kind that its name ends in; ``more``: what the button takes too."""
    kind = KINDS[file.rpartition(".")[2]]
    st.download_button(label, data, file, kind, icon=f":material/{icon}:", **{"on_click": "ignore"} | more)


def heading(text: str, level: Literal[1, 2] = 2) -> None:
    st.html(render("heading.html", text=text, level=level, look="pb-page" if level == 1 else "pb-heading"))


class Place:
    """A place for one figure under its finding. `draw` may be called several times in a run: what is there changes.

    Without ``titled``, the finding stands somewhere else on the page. ``picture``: whether room is kept for a picture
    at once. ``picked`` and ``dragged`` as for a `Chart`.
    """

    def __init__(
        self,
        slot: str,
        *,
        titled: bool = True,
        picture: bool = True,
        picked: Picked | None = None,
        dragged: Picked | None = None,
    ) -> None:
        self._slot = slot
        self._title = Slot(f"title-{slot}") if titled else None
        self._here = st.container(gap=None) if not picture else None
        self._table: DeltaGenerator | None = None
        self._chart = Chart(slot, picked, dragged) if picture else None
        self._dimming: DeltaGenerator | None = None

    def say(self, finding: Finding) -> None:
        """Change the finding alone. A stamp stands in the picture, or where there is none, beside the title."""
        self._say(finding, stamped=self._chart is None)

    def draw(self, figure: Figure) -> None:
        self._say(figure.finding, stamped=figure.picture is None)
        if figure.table:
            assert self._here is not None
            self._table = self._table or self._here.empty()
            self._table.html(render("table.html", table=figure.table))
        if figure.picture:
            if self._chart is None:
                assert self._here is not None
                with self._here:
                    self._chart = Chart(self._slot)
            self._chart.draw(figure.picture, figure.alt)
        views.keep_figure(figure)
        if self._dimming is not None:
            self._dimming.empty()
            self._dimming = None

    def _say(self, finding: Finding, *, stamped: bool) -> None:
        if self._title is not None:
            self._title.html(render("finding.html", finding=finding, stamped=stamped))

    def dim(self) -> None:
        """Fade what is there, after a moment, until there is something newer."""
        self._dimming = self._chart.aside if self._chart else st.empty()
        self._dimming.html(render("dimmed.html", slot=self._slot))
