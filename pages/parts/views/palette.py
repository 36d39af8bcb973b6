"""Colours by role, and by the theme that the browser shows: figures name roles, whoever draws them has the colours."""

from dataclasses import dataclass
from typing import Literal

import streamlit as st

Role = Literal[
    "private", "non_private", "random", "met", "unmet", "refuted", "text", "grid", "paper", "noisy", "nothing"
]


@dataclass(frozen=True)
class Colour:
    """The colour of a role, more or less opaque."""

    role: Role
    opacity: float = 1.0

    def faded(self, opacity: float) -> "Colour":
        """Return the same colour, less opaque."""
        return Colour(self.role, self.opacity * opacity)


PRIVATE = Colour("private")
"""What is computed under a promise of privacy."""
NON_PRIVATE = Colour("non_private")
"""The same without privacy."""
RANDOM = Colour("random")
"""What knows nothing: random search, a blind draw, tuning alone."""
NOISY = Colour("noisy")
"""The release whose promise is proved, where another private one is beside it."""
MET, UNMET, REFUTED = Colour("met"), Colour("unmet"), Colour("refuted")
"""A condition that is met, one that is not, a promise that is refuted."""
TEXT, GRID, PAPER, NOTHING = Colour("text"), Colour("grid"), Colour("paper"), Colour("nothing", 0.0)


@dataclass(frozen=True)
class Palette:
    """Okabe–Ito colours, with the same meaning on every page; chosen per theme so that each has contrast."""

    private: str
    non_private: str
    random: str
    met: str
    unmet: str
    refuted: str
    text: str
    grid: str
    paper: str
    noisy: str

    def of(self, colour: Colour) -> str:
        """Return a colour as CSS writes it."""
        if colour.role == "nothing":
            return "rgba(0,0,0,0)"
        known: str = getattr(self, colour.role)
        if colour.opacity == 1.0:
            return known
        red, green, blue = (int(known[i : i + 2], 16) for i in (1, 3, 5))
        return f"rgba({red},{green},{blue},{colour.opacity:.6g})"


LIGHT = Palette(
    "#0072B2", "#222222", "#767676", "#00795A", "#8F5600", "#C04A00", "#1f2430", "#e3e5ea", "#ffffff", "#9E3D77"
)
DARK = Palette(
    "#56B4E9", "#f2f2f2", "#a8a8a8", "#2FBF94", "#E69F00", "#FF8552", "#f0f2f6", "#333a47", "#0e1117", "#E39BC4"
)
SHADES = ("#0B4F8A", "#F5B301")
"""From the worst to the best of what was tested, on phones and on the projector alike; mixed in sRGB."""


def palette() -> Palette:
    """Return the colours for the theme that the browser shows."""
    return DARK if st.context.theme.type == "dark" else LIGHT
