"""A place on the page whose content stays until there is something newer.

`st.empty` takes off the page what an earlier run of the script had put there, at once: what is drawn only after a while
would be gone in the meantime, and everything below would jump.
"""

import streamlit as st
from streamlit.delta_generator import DeltaGenerator


class Spot:
    """Room for one piece of the page, that may be changed several times in a run."""

    def __init__(self, key: str | None = None) -> None:
        self._room = st.container(gap=None, key=key)
        self._now: DeltaGenerator | None = None

    def html(self, body: str) -> DeltaGenerator:
        """Put this here, in place of what was here."""
        self._now = (self._now or self._room).html(body)
        return self._now

    def clear(self) -> None:
        """Take away what is here, and what an earlier run had put here."""
        self._now = (self._now or self._room).empty()


def nothing_more(places: int = 10) -> None:
    """Take off the page what an earlier run had drawn below, here and now.

    A script that waits for something does not come to its end, and only then would Streamlit do so.
    """
    for _ in range(places):
        st.empty()
