"""What the older forms need of the visitor's table, which is brought on Data."""

import pandas as pd

from pages.parts.shell.session import OWN
from pages.parts.table.own_table import own_table
from pages.parts.views.drawing import note
from pages.parts.views.text import as_markdown
from pages.ui.own_table import show_way_to_data
from privbo_core.data import Proposal


def bring_table() -> pd.DataFrame | None:
    """Return the visitor's table, or None, with the way to the page where it is brought."""
    table = own_table().table
    if table is None:
        show_way_to_data()
    return table


def made(what: str) -> str:
    """Return the key under which a page keeps what it made of the table: gone as soon as it is read anew."""
    return f"{OWN}made/{what}"


def chosen(what: str) -> str:
    """Return the key under which a page keeps a choice of the table: gone as soon as there is another file."""
    return f"{OWN}chosen/{what}"


def say_outcome(first: Proposal, chosen: str) -> None:
    if chosen == first.outcome:
        note(as_markdown(f"Proposed because {first.because}. Choose what you look for."))
