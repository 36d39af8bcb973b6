"""A page's two columns, at either depth: what is set on the left, what it shows on the right."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace

import streamlit as st

from pages.parts.live.sliders import Controls, Slider, offer_undo, read_controls, show_sliders
from pages.parts.views.drawing import Place, Slot, heading, note
from pages.parts.views.picture import Picture
from pages.parts.views.templates import apply_style, render
from pages.parts.views.views import Brief, current


class Desk:
    """The two columns and, below what is chosen on the left, the panel of live sliders.

    The order in which a page is drawn is the order in which it follows a thumb: `at_once` first, then the panel, then
    everything else. The panel sends its next change only after it has been drawn itself.

    On a phone, what is `first` on the right stands above the choices on the left, and the slider that matters most
    stays at the bottom of the screen. ``turn``: 0 or 1 in turns, where what stood
    on the right must go at once. A browser is told so only if it was at another place than what is there now.
    """

    def __init__(self, title: str, right: float = 3.6, *, turn: int | None = None) -> None:
        apply_style()
        self.left, self.right = st.columns([1, right], gap="medium")
        with self.left:
            heading(title, 1)
        with self.right:
            self.first, self.rest = (_room(key, turn) for key in ("first", None))

    def read(self, key: str, sliders: Sequence[Slider]) -> Controls:
        """Return what a panel of sliders says now; it is drawn, in its place on the left, after what follows it."""
        return self.hold(key, sliders, read_controls(key, sliders))

    def hold(self, key: str, sliders: Sequence[Slider], controls: Controls) -> Controls:
        with self.left:
            self._place = st.container(key="controls")
        self._key, self._sliders, self.controls = key, sliders, controls
        return controls

    @contextmanager
    def at_once(self, sliders: Sequence[Slider] | None = None) -> Iterator[None]:
        """Draw inside of this, on the right, what must follow the thumb; on leaving it the panel is drawn."""
        with self.first:
            yield
        with self._place:
            show_sliders(self._key, sliders or self._sliders, self.controls)
            offer_undo(self.controls, sliders or self._sliders)

    @property
    def below_panel(self) -> "st.delta_generator.DeltaGenerator":
        """The place below the sliders: for cautions about them, and for what can be taken away."""
        return self._place


def _room(key: str | None, turn: int | None) -> "st.delta_generator.DeltaGenerator":
    places = (0,) if turn is None else (0, 1)
    rooms = [st.container(key=key) if place == (turn or 0) else st.empty() for place in places]
    return rooms[turn or 0]


START = 1.0  # The ε that Simple pages start with: strong enough to be worth something, and often nearly free.


def plain(slider: Slider) -> Slider:
    """Return a slider as it stands on a Simple page: named in words, without notches, ε at 1 to begin with."""
    if slider.key != "epsilon":
        return replace(slider, exponential=False, marks=())
    return replace(slider, label="How much may leak: ε", value=START, exponential=False, marks=())


class Sheet:
    """The places of a Simple page, from top to bottom. On a phone, picture and slider come before the facts.

    What must be known before the answer goes into ``head``, what can be picked into ``picker``, what comes after the
    slider into ``rest``. The order in which a page draws is the order in which it follows a thumb: answer and picture
    first, then `close_panel`. ``picture`` as for a `Place`: False where there may be a table in its stead.
    """

    def __init__(self, slot: str, *, picture: bool = True) -> None:
        apply_style()
        with st.container(key="sheet"):
            head, self.picker = st.columns([3, 1.1])
            self.head = head.container()
            self._answer = Slot()
            with st.container(key="sheet-facts"):
                self._facts = Slot()
            with st.container(key="sheet-picture"):
                self.place = Place(slot, titled=False, picture=picture)
            self._panel = st.container(key="controls")
            with st.container(key="sheet-promise"):
                self._promise = Slot()
            self.rest = st.container(key="sheet-rest")

    def read(self, key: str, sliders: Sequence[Slider], only: Sequence[str]) -> Controls:
        """Return what a panel says now; of its sliders ``only`` these are shown, and the others keep their values."""
        self._key, self._sliders, self._only = key, sliders, only
        self.controls = read_controls(key, sliders)
        return self.controls

    def open(self, question: str, story: str) -> None:
        with self.head:
            heading(question, 1)
            note(story)

    def say(self, brief: Brief) -> None:
        current().brief = brief
        self._answer.html(render("brief.html", brief=brief))
        self._facts.html(render("facts.html", brief=brief))
        if brief.promise:
            self._promise.html(render("promise.html", lines=brief.promise))

    def close_panel(self, sliders: Sequence[Slider] | None = None, under: Picture | None = None) -> None:
        """``sliders``: if the panel's marks are new. ``under``: the picture below whose axis it stands."""
        with self._panel:
            show_sliders(self._key, sliders or self._sliders, self.controls, self._only, under)
            offer_undo(self.controls, sliders or self._sliders)
