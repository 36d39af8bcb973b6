"""Where an attack is watched."""

import streamlit as st

from pages.parts.show.show import Place, show
from pages.parts.show.templates import render
from pages.parts.system.attack import Attack, Audited
from pages.parts.system.trials import slots
from pages.parts.values.views import View


class Stage:
    """What an attack does in plain words; headline numbers above two figures, redrawn in place."""

    def __init__(self, mechanism: Audited, attack: Attack) -> None:
        st.html(render("attack_lead.html", text=attack.lead))
        self._tiles = st.empty()
        columns = st.columns(attack.ratio, gap="medium")
        self._halves = []
        for column, slot in zip(columns, slots(f"{mechanism.key}-{attack.key}"), strict=True):
            with column:
                self._halves.append(Place(slot, picture=False))

    def draw(self, view: View) -> None:
        """Show what the attack has found so far."""
        show(view.tiles, self._tiles)
        for half, figure in zip(self._halves, view.figures, strict=True):
            half.draw(figure)
