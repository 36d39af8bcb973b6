"""The one way in for a table. It stays in the session's memory; every page that can use it finds it there."""

from hashlib import sha256

import pandas as pd
import streamlit as st

from pages.parts.bring.forgetting import offer_forgetting
from pages.parts.bring.problems import drop_own
from pages.parts.frame.session import CONTENT, FORGOTTEN, NAME, NONE, OWN, TABLE, attended, none_said, own_file
from pages.parts.values.text import as_markdown, unmarked
from privbo_core.data import FileMarks, Frame, load_cells, load_table, with_marks
from privbo_core.data.columns import decimal_mark
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
                table = load_table(file)
        except DataError as problem:
            state[_READ], state[_REFUSED] = file.file_id, f"{name}: {problem}"
        else:
            state[_READ] = file.file_id
            state.pop(_REFUSED, None)
            _drop(chosen(""))
            state[NAME], state[CONTENT] = name, file.getvalue()
            _use(table, {})
    if _REFUSED in state:
        st.error(as_markdown(state[_REFUSED]), icon=":material/error:")
    if TABLE not in state:
        return None
    offer_forgetting()
    if _ANSWERED in state:
        none = none_said() | state.pop(_ANSWERED)
        with attended():
            table = load_table(state[CONTENT], none)
        _use(table, none)
    kept: pd.DataFrame = state[TABLE]
    _tell(kept)
    _ask_codes(kept)
    return kept


def _tell(table: pd.DataFrame) -> None:
    """Say in one line how the file was read, and in full behind it."""
    notes, short = table.attrs.get("notes", ()), table.attrs.get("short", ())
    st.caption(as_markdown(f"Read: {len(table):,} rows, {len(table.columns)} columns. {_in_short(short)}".rstrip()))
    if notes:
        with st.expander("How the file was read"):
            for sentence in notes:
                st.markdown(as_markdown(sentence))


def _ask_codes(table: pd.DataFrame) -> None:
    """Ask of numbers such as 99999, far from all others of their column, whether they mean that there is no value."""
    proposed = {name: list(map(float, marks.missing)) for name, marks in table.attrs.get("marks", {}).items()}
    counts = {name: int(table[name].isin(numbers).sum()) for name, numbers in proposed.items() if numbers}
    for name in [name for name, count in counts.items() if count and name not in none_said()][:MOST_ASKED]:
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


def table_name() -> str:
    """Return the name of the file that the session's table came in."""
    return str(st.session_state[NAME])


def table_identity() -> str:
    """Return what tells the session's table from others that were brought under the same name."""
    return f"{st.session_state.get(_READ, '')}{none_said() or ''}"


def decimal() -> str:
    """Return the decimal mark of the session's table, a point if there is none."""
    table = st.session_state.get(TABLE)
    return "." if table is None else decimal_mark(table)


def as_written(frame: Frame) -> Frame:
    """Return a frame of the session's table with how that seems to be written, where it does not say so."""
    table = st.session_state.get(TABLE)
    return frame if table is None else with_marks(frame, table)


def table_cells(file: FileMarks) -> pd.DataFrame:
    """Return the session's table with its cells as they stand in its file, whose lines are read by these marks.

    Raises DataError, a sentence, for lines that do not go with them.
    """
    known: dict[FileMarks, pd.DataFrame] = st.session_state.setdefault(made("cells"), {})
    if file not in known:
        while len(known) > 1:  # that of a ledger, and that of the frame as it is now
            del known[next(iter(known))]
        with attended():
            known[file] = load_cells(st.session_state[CONTENT], file)
    return known[file]


def made(what: str) -> str:
    """Return the key under which a page keeps what it made of the table: gone as soon as it is read anew."""
    return f"{OWN}made/{what}"


def chosen(what: str) -> str:
    """Return the key under which a page keeps what somebody chose of the table: gone as soon as there is another file."""
    return f"{OWN}chosen/{what}"


def unnamed(name: str) -> str:
    """Return what tells a column from others without naming it: the keys of controls outlive what is shown of them."""
    return sha256(name.encode()).hexdigest()[:12]


def _drop(begin: str) -> None:
    for key in [str(key) for key in st.session_state]:
        if key.startswith(begin):
            del st.session_state[key]


def _use(table: pd.DataFrame, none: dict[str, list[float]]) -> None:
    _drop(made(""))
    st.session_state[TABLE], st.session_state[NONE] = table, none
    st.session_state.pop(FORGOTTEN, None)
    if drop_own():
        st.rerun()
