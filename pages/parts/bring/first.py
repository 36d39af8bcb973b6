"""First choices for a table of one's own, the same on every page: each is shown with its reason, and can be taken back."""

import pandas as pd
import streamlit as st

from pages.parts.bring.table import made
from pages.parts.values.text import as_markdown
from privbo_core.data import Proposal, propose

_KEPT = made("first choices")


def proposed(table: pd.DataFrame, outcome: str | None = None) -> Proposal:
    """Return the first choices for the session's table; with ``outcome``, those that go with it."""
    kept: dict[str | None, tuple[int, Proposal]] = st.session_state.setdefault(_KEPT, {})
    if outcome not in kept or kept[outcome][0] != id(table):
        kept[outcome] = id(table), propose(table, outcome)
    return kept[outcome][1]


def say_outcome(first: Proposal, chosen: str) -> None:
    """Say that an outcome is only proposed, and why."""
    if chosen == first.outcome:
        st.caption(as_markdown(f"Proposed because {first.because}. Choose what you look for."))


def take_back(first: Proposal, usable: list[str], key: str) -> list[str]:
    """Show which columns are left out and why, and return those of the ``usable`` ones that are to be inputs after all."""
    left = {name: why for name, why in first.left_out.items() if name != first.outcome}
    if not left:
        return []
    count = "1 column" if len(left) == 1 else f"{len(left)} columns"
    with st.expander(f"Left out at first: {count}"):
        for name, why in list(left.items())[:30]:
            st.markdown(f"**{as_markdown(name)}**: {as_markdown(why)}")
        able = [name for name in usable if name in left]
        if not able:
            return []
        return st.multiselect("Offer these all the same", able, key=made(f"{key}/taken back"), persist_state="session")
