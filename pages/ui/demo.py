"""How the server is set up: whether it is a demonstration with samples only, and which sites may show it in a frame."""

import os
import re
from dataclasses import dataclass
from functools import cache

import streamlit as st

from pages.ui.cards import remark
from pages.ui.explanations import explanation

SENTENCE = "This is a demonstration with samples only and a limit on simulated runs."
NO_OWN_TABLE = "This is a demonstration with samples only, so it can’t show a table of your own."
SITE = re.compile(r"https?://(\*\.)?[a-z0-9-]+(\.[a-z0-9-]+)*(:[0-9]+)?", re.IGNORECASE)
"""How a site is written: a scheme and a host, which may begin with ``*.`` for all hosts below it, and a port."""


@dataclass(frozen=True)
class Hosting:
    """Whether the server is a ``demo``, and the ``sites`` that may show its pages in a frame."""

    demo: bool = False
    sites: tuple[str, ...] = ()


@cache
def hosting() -> Hosting:
    """Return how the server is set up. The server asks first, when it starts, and later changes have no effect.

    Raises ValueError for a site that isn't written as one, because the sites are sent in a header.
    """
    sites = re.findall(r"[^\s,]+", os.environ.get("PRIVBO_EMBED", ""))
    for site in sites:
        if not SITE.fullmatch(site):
            raise ValueError(f"PRIVBO_EMBED has “{site}”. Write each site as https://lab.example.org, without a path.")
    return Hosting(os.environ.get("PRIVBO_DEMO", "").strip() not in ("", "0"), tuple(sites))


def is_demo() -> bool:
    """Return whether the server is a demonstration, which takes no data from visitors."""
    return hosting().demo


def most(limit: int, usual: int) -> int:
    """Return how many runs a visitor may ask for: up to the limit, but in a demonstration no more than usual."""
    return usual if is_demo() else limit


def show_note() -> None:
    """State that this is a demonstration, and show how to run PrivBO at home. Do nothing where it isn't one."""
    if is_demo():
        with st.container(key="demo", horizontal=True, vertical_alignment="center", gap="small"):
            st.html(remark(SENTENCE), width="content")
            with st.popover("Run PrivBO at home", type="tertiary", icon=":material/home:"):
                st.markdown(explanation("demo", "home"))
