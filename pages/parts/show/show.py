"""Putting values on the page. What is shown is recorded, so that the report holds what the page shows."""

from collections.abc import Sequence
from typing import Literal

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from pages.parts.frame import record
from pages.parts.frame.spot import Spot
from pages.parts.show.chart import Chart, Picked
from pages.parts.show.templates import render
from pages.parts.values.views import Answer, Box, Card, Figure, Finding, Table, Tile

Shown = Finding | Card | Box | Table | Sequence[Tile]


def show(value: Shown, place: DeltaGenerator | Spot | None = None) -> None:
    """Show a value here, or in a place that was kept for it."""
    where = place or st
    match value:
        case Finding():
            where.html(render("finding.html", finding=value, stamped=True))
        case Card():
            _show_card(value, place)
        case Box():
            where.html(render("box.html", box=value))
        case Table():
            where.html(render("table.html", table=value))
        case _:
            record.keep_tiles(value)
            where.html(render("tiles.html", tiles=value))


def _show_card(card: Card, place: DeltaGenerator | Spot | None) -> None:
    """Show what of a guarantee is read first; the rest can be opened below it."""
    record.keep_card(card)
    first, rest = card.split()
    where = st if place is None or isinstance(place, Spot) else place
    with where.container(gap="xxsmall"):
        st.html(render("card.html", card=first))
        if rest.rows:
            with st.expander("The whole guarantee"):
                st.html(render("rows.html", card=rest))


def show_answer(question: str, answer: Answer, place: DeltaGenerator) -> None:
    """Show the latest answer to a question that the page asks."""
    record.keep_answer(question, answer)
    place.html(render("answer.html", answer=answer))


def note(
    text: str, place: DeltaGenerator | None = None, *, status: bool = False, test_id: str = "", keys: bool = False
) -> None:  # fmt: skip
    """Show a remark in small print.

    ``status``: said aloud to those who listen to the page. ``keys``: about keys, which not every device has.
    """
    (place or st).html(render("note.html", text=text, status=status, test_id=test_id, keys=keys))


def heading(text: str, level: Literal[1, 2] = 2) -> None:
    """Show the page's heading (level 1), or one of its parts'."""
    st.html(render("heading.html", text=text, level=level, look="pb-page" if level == 1 else "pb-heading"))


class Place:
    """A place for one figure under its finding. `draw` may be called several times in a run: what is there changes.

    Without ``titled``, the finding stands somewhere else on the page. ``picture``: whether room is kept for a picture at once.
    ``picked`` as for a `Chart`.
    """

    def __init__(self, slot: str, *, titled: bool = True, picture: bool = True, picked: Picked | None = None) -> None:
        self._slot = slot
        self._title = Spot(f"title-{slot}") if titled else None
        self._here = st.container(gap=None) if not picture else None
        self._table: DeltaGenerator | None = None
        self._chart = Chart(slot, picked) if picture else None
        self._dimming: DeltaGenerator | None = None

    def say(self, finding: Finding) -> None:
        """Change the finding alone. A stamp stands in the picture, or where there is none, beside the title."""
        self._say(finding, stamped=self._chart is None)

    def draw(self, figure: Figure) -> None:
        """Show the figure as it is now."""
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
        record.keep_figure(figure)
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
