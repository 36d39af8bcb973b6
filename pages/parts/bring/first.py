"""First choices for a table of one's own, the same on every page: each is shown with its reason, and can be taken back."""

from collections.abc import Mapping, Sequence

import streamlit as st

from pages.parts.bring.own_table import own_table
from pages.parts.bring.table import chosen
from pages.parts.frame.address import visit
from pages.parts.show.show import note
from pages.parts.values.text import as_markdown
from privbo_core.data import Proposal
from privbo_core.data.make import MAX_INPUTS

MANY, HIGH = 10, 260
"""So many columns that are left out are shown at once; more scroll in so many pixels."""


def say_outcome(first: Proposal, chosen: str) -> None:
    """Say that an outcome is only proposed, and why."""
    if chosen == first.outcome:
        st.caption(as_markdown(f"Proposed because {first.because}. Choose what you look for."))


def outcome_chosen() -> None:
    """Remember that somebody chose, on this page, what is looked for: then it is said, and not asked for."""
    own_table().chosen = visit()


def outcome_said(outcome: str, goal: str, until: str) -> bool:
    """Return whether somebody has said that this is looked for; otherwise ask, and tell what is not done ``until`` then."""
    mine = own_table()
    if mine.chosen == visit():
        mine.outcomes.add((outcome, goal))
    mine.chosen = None
    if (outcome, goal) in mine.outcomes:
        return True
    label = f"Yes: look for the {goal} {as_markdown(outcome)}"
    st.button(label, type="primary", icon=":material/check:", key="outcome-meant", on_click=outcome_chosen)
    note(f"The outcome is only proposed. {until}")
    return False


def taken_back(able: Sequence[str], key: str) -> list[str]:
    """Return which of the columns that can be inputs are offered all the same; `account` shows where this is chosen."""
    return [name for name in st.session_state.get(_taken(key), ()) if name in able]


def why_not(name: str, first: Proposal, among: str = "the inputs") -> str:
    """Return why a column that is neither input nor outcome is neither; ``among``: where one that can be an input goes."""
    if why := first.left_out.get(name):
        return why
    if name not in (*first.inputs, *first.repeats):
        return f"there are more than {MAX_INPUTS} columns; the first of them are offered"
    repeats = "it numbers repeats, " if name in first.repeats else ""
    how = f": {first.reasons[name]}" if name in first.reasons and first.encode.get(name) != "log" else ""
    return f"{repeats}not chosen; you can add it to {among}{how}"


def account(left: Mapping[str, str], able: Sequence[str], key: str) -> None:
    """Show each column that is ``left`` out, with the reason; those of them that are ``able`` to be inputs can be offered."""
    if not left:
        return
    count = "1 column" if len(left) == 1 else f"{len(left)} columns"
    with st.expander(f"Left out: {count}"):
        with st.container(height=HIGH if len(left) > MANY else "content", border=False):
            st.markdown("  \n".join(f"**{as_markdown(name)}**: {as_markdown(why)}" for name, why in left.items()))
        if able:
            st.multiselect("Offer these all the same", able, key=_taken(key), persist_state="session")


def _taken(key: str) -> str:
    return chosen(f"{key}/taken back")
