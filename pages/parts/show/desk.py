"""A page's two columns: what is chosen and set on the left, what it shows on the right."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager

import streamlit as st

from pages.parts.controls.live_sliders import Controls, Slider, read_controls, show_sliders
from pages.parts.controls.taking_back import offer_undo
from pages.parts.show.look import apply_style
from pages.parts.show.show import heading


class Desk:
    """The two columns and, below what is chosen on the left, the panel of live sliders.

    The order in which a page is drawn is the order in which it follows a thumb: `at_once` first, then the panel, then
    everything else. The panel sends its next change only after it has been drawn itself.

    On a phone, what is `first` on the right stands above the choices on the left, and the slider that matters most stays
    at the bottom of the screen.
    """

    def __init__(self, title: str, right: float = 3.6) -> None:
        apply_style()
        self.left, self.right = st.columns([1, right], gap="medium")
        with self.left:
            heading(title, 1)
        with self.right:
            self.first = st.container(key="first")

    def read(self, key: str, sliders: Sequence[Slider]) -> Controls:
        """Return what a panel of sliders says now; it is drawn, in its place on the left, after what follows it."""
        return self.hold(key, sliders, read_controls(key, sliders))

    def hold(self, key: str, sliders: Sequence[Slider], controls: Controls) -> Controls:
        """Take a panel that somebody else has read already, as `read` takes one that it reads."""
        with self.left:
            self._place = st.container(key="controls")
        self._key, self._sliders, self.controls = key, sliders, controls
        return controls

    @contextmanager
    def at_once(self, sliders: Sequence[Slider] | None = None) -> Iterator[None]:
        """Draw inside of this, on the right, what must follow the thumb; on leaving it the panel is drawn.

        ``sliders``: the panel's, if it has marks that were not known before.
        """
        with self.first:
            yield
        with self._place:
            show_sliders(self._key, sliders or self._sliders, self.controls)
            offer_undo(self.controls, sliders or self._sliders)

    @property
    def below_panel(self) -> "st.delta_generator.DeltaGenerator":
        """The place below the sliders: for cautions about them, and for what can be taken away."""
        return self._place
