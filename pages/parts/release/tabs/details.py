"""What lies below the first screen of the Release page: tabs, of which only the open one is computed."""

import streamlit as st

from pages.parts.release.setup import Setup
from pages.parts.release.tabs.bounds import show_terms, show_theory
from pages.parts.release.tabs.losses import show_losses
from pages.parts.release.tabs.movements import show_coverage, show_neighbours
from pages.parts.release.tabs.training import show_training
from pages.parts.release.tabs.ways import show_ways

TABS = {
    "Bounds by term": show_terms,
    "Ways compared": show_ways,
    "Loss against ε": show_losses,
    "Neighbours for real": show_neighbours,
    "Coverage under the prior": show_coverage,
    "Theory": show_theory,
    "Training too": show_training,
}


def show_details(setup: Setup) -> None:
    """Draw the tabs."""
    tabs = st.tabs(list(TABS), key="release_tab", on_change="rerun", bind="query-params")
    for tab, draw in zip(tabs, TABS.values(), strict=True):
        if tab.open:
            with tab:
                draw(setup)
