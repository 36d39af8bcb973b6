"""What a seat has to do, in order, and where it is in that."""

from collections.abc import Sequence

import streamlit as st

from pages.parts.show.templates import render


def show_steps(steps: Sequence[str], now: int) -> None:
    """Show the steps; those before ``now``, counted from 0, are done."""
    st.html(render("steps.html", steps=steps, now=now))
