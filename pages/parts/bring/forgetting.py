"""The button that forgets: at once where the table is all there is, else once more asked, naming what would be lost too."""

import streamlit as st

from pages.parts.bring.problems import forget_own
from pages.parts.frame.address import visit
from pages.parts.frame.session import OWN, what_stays, would_lose
from pages.parts.show.show import note
from pages.parts.values.text import as_markdown

_ASKED = f"{OWN}forget/asked"
_ICON = ":material/delete:"


def offer_forgetting() -> None:
    """Show the button, or what is asked after it was pressed, until this page is left."""
    lost = would_lose()
    if not lost or st.session_state.get(_ASKED) != visit():
        st.button("Forget my data", on_click=_forget_or_ask, icon=_ICON)
        note(what_stays())
        return
    st.warning(as_markdown(f"With the table you would lose for good: {_and(lost)}."), icon=":material/warning:")
    with st.container(horizontal=True):
        st.button("Forget all the same", on_click=forget_own, icon=_ICON)
        st.button("Keep", on_click=st.session_state.pop, args=(_ASKED, None), type="primary")


def _forget_or_ask() -> None:
    if would_lose():
        st.session_state[_ASKED] = visit()
    else:
        forget_own()


def _and(lost: list[str]) -> str:
    return " and ".join(filter(None, (", ".join(lost[:-1]), lost[-1])))
