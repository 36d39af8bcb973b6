"""Colours, figures' common ground, and the small pieces of HTML that every page shows."""

import re
from dataclasses import dataclass
from html import escape
from pathlib import Path
from typing import Literal

import streamlit as st

from pages.parts.frame.record import keep_heading, keep_tiles

Audience = Literal["curator", "share", "simulation", "refuted"]
AUDIENCES = {
    "curator": (
        "curator’s eyes only",
        "Computed from the raw data. Showing it to anybody else would reveal something.",
    ),
    "share": ("safe to share", "Released under the guarantee stated on this page, or known to everyone anyway."),
    "refuted": (
        "released, not protected",
        "It leaves the curator, and the promise that it hides the records is refuted.",
    ),
    "simulation": ("simulation", "Needs the true optimum, which nobody knows in a real run."),
}


SIGMA_Y = "σ<sub>y</sub>"
SIGMA_F = "σ<sub>f</sub>"


@dataclass(frozen=True)
class Palette:
    """Okabe–Ito colours, with the same meaning on every page; chosen per theme so that each has contrast."""

    private: str
    plain: str
    random: str
    met: str
    unmet: str
    refuted: str
    text: str
    grid: str
    paper: str
    noisy: str


LIGHT = Palette(
    "#0072B2", "#222222", "#767676", "#00795A", "#8F5600", "#C04A00", "#1f2430", "#e3e5ea", "#ffffff", "#9E3D77"
)
DARK = Palette(
    "#56B4E9", "#f2f2f2", "#a8a8a8", "#2FBF94", "#E69F00", "#FF8552", "#f0f2f6", "#333a47", "#0e1117", "#E39BC4"
)


def palette() -> Palette:
    """Return the colours for the theme that the browser shows."""
    return DARK if st.context.theme.type == "dark" else LIGHT


def faded(colour: str, opacity: float) -> str:
    """Return a #rrggbb colour as rgba with that opacity."""
    red, green, blue = (int(colour[i : i + 2], 16) for i in (1, 3, 5))
    return f"rgba({red},{green},{blue},{opacity})"


def scientific(value: float) -> str:
    """Return a small number as people write it: 1e-05 as 10⁻⁵, 2.5e-4 as 2.5·10⁻⁴; others with three digits: 0.742, 8,720."""
    rounded = float(f"{value:.3g}")
    if value == 0 or 1e-3 <= abs(rounded) < 1e6:
        return f"{rounded:,.0f}" if abs(rounded) >= 1000 else f"{rounded:.3g}"
    mantissa, exponent = f"{value:.1e}".split("e")
    power = "10" + str(int(exponent)).translate(str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹"))
    return power if mantissa == "1.0" else f"{mantissa.removesuffix('.0')}·{power}"


def plain(text: str) -> str:
    """Return text from a person's data as HTML (and for Plotly) that shows just this text."""
    return escape(text)


def in_markdown(text: str) -> str:
    """Return text from a person's data as Markdown that shows just this text."""
    return re.sub(r"([\\`*_{}\[\]()#+.!|<>$~:-])", r"\\\1", text)


def badge(audience: Audience) -> str:
    """Return the HTML of a badge that says who may see a number or figure."""
    label, meaning = AUDIENCES[audience]
    return f'<span class="pb-badge pb-{audience}" title="{escape(meaning)}">{label}</span>'


def finding(title: str, audience: Audience, note: str = "") -> str:
    """Return the HTML of a figure's title, which states what the figure shows, with its badge."""
    small = f'<div class="pb-note">{note}</div>' if note else ""
    html = f'<div class="pb-finding"><h3>{title}</h3>{badge(audience)}</div>{small}'
    keep_heading(html, title, audience, note)
    return html


def tiles(entries: list[tuple[str, str, str, Audience]]) -> str:
    """Return the HTML of headline numbers: (name, value, remark, audience) each."""
    keep_tiles(entries)
    cells = "".join(
        f'<div class="pb-tile"><div class="pb-name">{name}</div><div class="pb-value">{value}</div>'
        f'<div class="pb-remark">{remark} {badge(audience)}</div></div>'
        for name, value, remark, audience in entries
    )
    return f'<div class="pb-tiles" role="status">{cells}</div>'


STYLE = (Path(__file__).parent / "style.css").read_text(encoding="utf-8")


def apply_style() -> Palette:
    """Put the style sheet on the page, with the theme's colours, and return those colours."""
    colours = palette()
    variables = f":root{{--pb-met:{colours.met};--pb-unmet:{colours.unmet};--pb-claimed:{colours.private};--pb-refuted:{colours.refuted}}}"
    st.html(f"<style>{variables}{STYLE}</style>")
    return colours
