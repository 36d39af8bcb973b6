"""What the Expert page says of its promise: cautions, the guarantee, what it means."""

from dataclasses import replace

import streamlit as st

from pages.parts.federated.count import Counted, Told, promised, together_of
from pages.parts.federated.setup import Setup, all_cautions
from pages.parts.show.card import guarantee_card
from pages.parts.show.meaning import show_meaning
from pages.parts.show.show import show
from pages.parts.show.templates import render
from pages.parts.values.views import Card

HIDES = "whether an agent took part at all; nothing from the server, which is trusted."


def show_card(card: Card) -> None:
    """Show what a card says first; all of it below, where a person can open it."""
    if card.status is None:
        show(card)
        return
    first = tuple(row for row in card.rows if row[0] in ("Hides", "Strength"))
    st.html(render("card.html", card=replace(card, rows=first)))
    with st.expander("Who is protected, from whom, and on what conditions"):
        show(card)


def show_promise(setup: Setup, asked_P: int, counted: Counted) -> Told:
    """Show what to be careful with, what is promised, and what that means. Return what may be to come for that."""
    card, secret, told = promised(setup, counted), "that an agent took part", Told(setup)
    if remarks := all_cautions(setup, asked_P):
        st.warning("  \n".join(remarks))
    show_card(guarantee_card(card, secret, "Holds if", hides=HIDES, line=told(1)))

    show_meaning(card, secret, together=together_of(setup, told, card.delta), testing=told)
    return told
