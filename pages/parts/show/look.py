"""The page's style sheet, with the theme's colours in it."""

from pathlib import Path

import streamlit as st
from markupsafe import Markup

from pages.parts.frame.theme import palette
from pages.parts.show.templates import render
from pages.parts.values.palette import Palette

STYLE = Markup((Path(__file__).parent / "style.css").read_text(encoding="utf-8"))


def variables(colours: Palette) -> dict[str, str]:
    """Return the colours that the style sheet names."""
    return {
        "met": colours.met, "unmet": colours.unmet, "claimed": colours.private, "refuted": colours.refuted,
        "paper": colours.paper,
    }  # fmt: skip


def apply_style() -> None:
    """Put the style sheet on the page."""
    st.html(render("style.html", variables=variables(palette()), css=STYLE))
