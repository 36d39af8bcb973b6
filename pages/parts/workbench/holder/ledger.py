"""The ledger on the page: what it says, how it is kept, how it comes back."""

import streamlit as st

from pages.parts.frame.depth import simple
from pages.parts.frame.session import attended, own_file
from pages.parts.show.show import heading, note, show
from pages.parts.workbench.faults import forget_fault, keep_fault, say_kept
from pages.parts.workbench.holder import words
from pages.parts.workbench.holder.kept import Kept
from pages.parts.workbench.holder.table import Held
from pages.parts.workbench.seats import mine
from privbo_core.errors import DataError


def show_ledger(held: Held, kept: Kept) -> None:
    """Show what was released, and the ways to and from a file."""
    heading("Ledger")
    ledger = kept.ledger
    if ledger.releases:
        note(words.kept(kept.saved, kept.store.data), status=True)
        if not simple():
            show(words.releases_table(ledger))
    _bring(held, kept)


def _bring(held: Held, kept: Kept) -> None:
    """Show the place for a ledger that was kept."""
    read, place = mine("ledger read"), "ledger"
    file = own_file("Bring back your ledger", ["json"], "ledger file", max_upload_size=50,
                    on_change=forget_fault)  # fmt: skip
    if file is not None and st.session_state.get(read) != file.file_id:
        try:
            with attended():
                kept.bring(held, file.getvalue())
        except DataError as fault:
            st.session_state[read] = file.file_id
            keep_fault(place, str(fault))
        else:
            st.session_state[read] = file.file_id
            st.rerun()
    say_kept(place)
