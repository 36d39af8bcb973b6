"""Where an attack is watched."""

from dataclasses import replace
from typing import TypeVar

import streamlit as st

from pages.parts.show.show import Place, show
from pages.parts.show.templates import render
from pages.parts.system.attack import Attack, Audited
from pages.parts.system.trials import slot_below, slots
from pages.parts.values.views import PROMISED, REFUTED_STAMP, Audience, Finding, Tile, View

Stamped = TypeVar("Stamped", Tile, Finding)


class Stage:
    """What an attack does in plain words; headline numbers above two figures, and a third below, redrawn in place."""

    def __init__(self, mechanism: Audited, attack: Attack, *, refuted: bool = False) -> None:
        self._refuted = refuted
        st.html(render("attack_lead.html", text=attack.lead))
        self._tiles = st.empty()
        key = f"{mechanism.key}-{attack.key}"
        columns = st.columns(attack.ratio, gap="medium")
        self._places = []
        for column, slot in zip(columns, slots(key), strict=True):
            with column:
                self._places.append(Place(slot, picture=False))
        self._places.append(Place(slot_below(key), picture=False))

    def draw(self, view: View) -> None:
        """Show what the attack has found so far."""
        show([self._stamped(tile) for tile in view.tiles], self._tiles)
        for place, figure in zip(self._places, view.figures, strict=False):
            place.draw(replace(figure, finding=self._stamped(figure.finding)))

    def _stamped(self, shown: Stamped) -> Stamped:
        """Return a tile or a finding with the stamp of a promise that is refuted, where this one is."""
        if not self._refuted:
            return shown
        audience: Audience = "refuted" if shown.audience in PROMISED else shown.audience
        return replace(shown, audience=audience, stamp=REFUTED_STAMP)
