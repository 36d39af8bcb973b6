"""A Simple page: its question, the answer, the facts to take away, one picture, and right below it the one slider."""

from collections.abc import Sequence
from dataclasses import replace

import streamlit as st

from pages.parts.controls.live_sliders import Controls, Slider, read_controls, show_sliders
from pages.parts.controls.taking_back import offer_undo
from pages.parts.frame.record import keep_brief
from pages.parts.frame.spot import Spot
from pages.parts.show.look import apply_style
from pages.parts.show.show import Place, heading, note
from pages.parts.show.templates import render
from pages.parts.values.picture import Picture
from pages.parts.values.views import Brief

START = 1.0
"""The ε that Simple pages start with: strong enough to be worth something, and often nearly free."""


def plain(slider: Slider) -> Slider:
    """Return a slider as it stands on a Simple page: named in words, without notches, ε at 1 to begin with."""
    if slider.key != "epsilon":
        return replace(slider, exponential=False, marks=())
    return replace(slider, label="How much may leak: ε", value=START, exponential=False, marks=())


class Sheet:
    """The places of a Simple page, from top to bottom. On a phone, picture and slider come before the facts.

    What must be known before the answer goes into ``head``, what can be picked into ``picker``, what comes after the slider into ``rest``. The order in which a page draws is the order in which it follows a thumb:
    answer and picture first, then `close_panel`. ``picture`` as for a `Place`: False where there may be a table in its stead.
    """

    def __init__(self, slot: str, *, picture: bool = True) -> None:
        apply_style()
        with st.container(key="sheet"):
            head, self.picker = st.columns([3, 1.1])
            self.head = head.container()
            self._answer = Spot()
            with st.container(key="sheet-facts"):
                self._facts = Spot()
            with st.container(key="sheet-picture"):
                self.place = Place(slot, titled=False, picture=picture)
            self._panel = st.container(key="controls")
            with st.container(key="sheet-promise"):
                self._promise = Spot()
            self.rest = st.container(key="sheet-rest")

    def read(self, key: str, sliders: Sequence[Slider], only: Sequence[str]) -> Controls:
        """Return what a panel says now; of its sliders ``only`` these are shown, and the others keep their values."""
        self._key, self._sliders, self._only = key, sliders, only
        self.controls = read_controls(key, sliders)
        return self.controls

    def open(self, question: str, story: str) -> None:
        """Show the page's heading and, in one sentence, who does what."""
        with self.head:
            heading(question, 1)
            note(story)

    def say(self, brief: Brief) -> None:
        """Show the answer, the facts and the promise as they are now."""
        keep_brief(brief)
        self._answer.html(render("brief.html", brief=brief))
        self._facts.html(render("facts.html", brief=brief))
        if brief.promise:
            self._promise.html(render("promise.html", lines=brief.promise))

    def close_panel(self, sliders: Sequence[Slider] | None = None, under: Picture | None = None) -> None:
        """Draw the slider, after what must follow the thumb; ``sliders``: the panel's, if it has marks that are new.

        ``under``: the picture below whose axis it stands, if it sets what is on that.
        """
        with self._panel:
            show_sliders(self._key, sliders or self._sliders, self.controls, self._only, under)
            offer_undo(self.controls, sliders or self._sliders)
