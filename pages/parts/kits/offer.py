"""The button that hands out a teacher's kit. Solutions are computed when it is pressed."""

from datetime import datetime
from typing import Literal

import streamlit as st

from pages.parts.kits.kit import read_kit, title_of, what_of
from pages.parts.kits.making import app_address, page_of
from pages.parts.kits.numbers import NUMBERS


def offer_kit(name: str, label: str = "Teacher’s kit") -> None:
    """Offer the kit of a lesson or of an experiment, if there is one."""
    if name not in NUMBERS:
        return
    url = str(st.context.url or "")
    st.download_button(
        label,
        lambda: page_of(read_kit(name), app_address(url), datetime.now().astimezone()),
        f"privbo-kit-{name}.html",
        "text/html",
        key=f"kit/{name}",
        on_click="ignore",
        icon=":material/school:",
        help="Aims, a plan for 20 and one for 45 minutes, exercises with solutions. One page to print, or to open in any browser.",
    )


def offer_kits(what: Literal["lesson", "experiment"]) -> None:
    """Offer the kits of all lessons, or of all experiments."""
    with st.popover("Teacher’s kits", icon=":material/school:", key="kits"):
        for name in NUMBERS:
            if what_of(name) == what:
                offer_kit(name, title_of(name))
