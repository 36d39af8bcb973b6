"""The one way in for a table. It stays in the session's memory; every page that can use it finds it there."""

from collections.abc import Container
from hashlib import sha256

import pandas as pd
import streamlit as st

from pages.parts.bring.forgetting import offer_forgetting
from pages.parts.bring.own_table import OWN_TABLE, OwnTable, own_table
from pages.parts.bring.problems import show_sample_next
from pages.parts.frame.session import FORGOTTEN, OWN, attended, own_file
from pages.parts.values.text import as_markdown, unmarked
from privbo_core.data import load_table
from privbo_core.errors import DataError

TYPES = ["csv", "tsv", "txt", "gz"]
LONGEST_NAME = 60
MOST_ASKED = 3
"""So many columns are asked of at once whether their codes mean that there is no value."""
_READ, _REFUSED = f"{OWN}read", f"{OWN}refused"
_ANSWERED = f"{OWN}answered"


def bring_table() -> pd.DataFrame | None:
    """Show the place for a file; return the table in it, or the one that was brought on another page before.

    A file that cannot be read gets a sentence, and the last table stays. A new table ends what pages have made of the last.
    """
    state = st.session_state
    file = own_file(
        "A table of your own (CSV, also gzipped)",
        TYPES,
        "file",
        help="Up to 200 MB and 1,000,000 rows, with a header line. It stays in this session’s memory: it is not written "
        "to disk and not shared with other visitors.",
    )
    if file is not None and state.get(_READ) != file.file_id:
        name = unmarked(file.name[:LONGEST_NAME])
        try:
            with attended():
                read = OwnTable(load_table(file), name, file.getvalue(), file.file_id)
        except DataError as problem:
            state[_READ], state[_REFUSED] = file.file_id, f"{name}: {problem}"
        else:
            state[_READ] = file.file_id
            state.pop(_REFUSED, None)
            _drop(chosen(""))
            _use(read)
    if _REFUSED in state:
        st.error(as_markdown(state[_REFUSED]), icon=":material/error:")
    mine = own_table()
    if mine.table is None:
        return None
    offer_forgetting()
    if _ANSWERED in state:
        missing = mine.missing | state.pop(_ANSWERED)
        with attended():
            table = load_table(mine.content, missing)
        _use(mine := mine.read_anew(table, missing))
    assert mine.table is not None
    _tell(mine.table)
    _ask_codes(mine.table, mine.missing)
    return mine.table


def _tell(table: pd.DataFrame) -> None:
    """Say in one line how the file was read, and in full behind it."""
    notes, short = table.attrs.get("notes", ()), table.attrs.get("short", ())
    st.caption(as_markdown(f"Read: {len(table):,} rows, {len(table.columns)} columns. {_in_short(short)}".rstrip()))
    if notes:
        with st.expander("How the file was read"):
            for sentence in notes:
                st.markdown(as_markdown(sentence))


def _ask_codes(table: pd.DataFrame, known: Container[str]) -> None:
    """Ask of numbers such as 99999, far from all others of their column, whether they mean that there is no value."""
    proposed = {name: list(map(float, marks.missing)) for name, marks in table.attrs.get("marks", {}).items()}
    counts = {name: int(table[name].isin(numbers).sum()) for name, numbers in proposed.items() if numbers}
    for name in [name for name, count in counts.items() if count and name not in known][:MOST_ASKED]:
        numbers, codes = proposed[name], table.attrs["marks"][name].missing
        cells = "1 row" if counts[name] == 1 else f"{counts[name]:,} rows"
        st.warning(as_markdown(f"{name}: {', '.join(codes)} in {cells}, far from its other numbers. Does it mean that there is no value?"))  # fmt: skip
        with st.container(horizontal=True):
            for label, missing in (("Yes, no value", numbers), ("No, a number", [])):
                key = made(f"codes/{unnamed(name)}/{label[:2]}")
                st.button(label, key=key, on_click=_say_codes, args=(name, missing))


def _say_codes(name: str, missing: list[float]) -> None:
    st.session_state[_ANSWERED] = {name: missing}


def _in_short(phrases: tuple[str, ...]) -> str:
    if not phrases:
        return ""
    shown = ", ".join(dict.fromkeys(phrases[:4])) + (f" and {len(phrases) - 4} more" if len(phrases) > 4 else "")
    return f"Please check: {shown}."


def made(what: str) -> str:
    """Return the key under which a page keeps what it made of the table: gone as soon as it is read anew."""
    return f"{OWN}made/{what}"


def chosen(what: str) -> str:
    """Return the key under which a page keeps what somebody chose of the table: gone as soon as there is another file."""
    return f"{OWN}chosen/{what}"


INPUTS = chosen("inputs")
"""Under this key stand the inputs that were chosen on Data; the Workbench begins with them."""


def unnamed(name: str) -> str:
    """Return what tells a column from others without naming it: the keys of controls outlive what is shown of them."""
    return sha256(name.encode()).hexdigest()[:12]


def _drop(begin: str) -> None:
    for key in [str(key) for key in st.session_state]:
        if key.startswith(begin):
            del st.session_state[key]


def _use(table: OwnTable) -> None:
    """Take a table in place of the last, with which all ends that was made of that."""
    _drop(made(""))
    shown = own_table().simulation is not None
    st.session_state[OWN_TABLE] = table
    st.session_state.pop(FORGOTTEN, None)
    if shown:
        show_sample_next()
        st.rerun()
