"""What a session keeps of its visitor, and how it forgets what is theirs."""

import threading
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from typing import Any

import streamlit as st
from streamlit.runtime.uploaded_file_manager import UploadedFile

from pages.parts.frame import record
from pages.parts.frame.undocumented import browser_now, give_way, is_open, look_again, session_now, start_anew
from privbo_core.budget import waiting

OWN = "own data/"
"""What a session holds of somebody's own data, or of what was computed from them, is kept under names that begin so."""
BROWSERS = 10_000
HERE = "Forgotten: your table, and all that was computed from it, are gone from the server. Files that you downloaded are yours to delete."
ELSEWHERE = (
    "Your data were forgotten in another tab of this browser. So they were here: nothing of them is left on the server."
)
FORGOTTEN = "forgotten, and nothing brought since"
TABLE, NAME, CONTENT = f"{OWN}table", f"{OWN}name", f"{OWN}content"
"""Under these names a session keeps the table that was brought, what its file is called, and the bytes in it."""
Stake = Callable[[], str]
_stakes: dict[str, Stake] = {}
_ASKED, _SAID, _TIMES = "forget before anything is drawn", "said of forgetting", "times forgotten"
_lock = threading.Lock()
_tabs: dict[str, dict[str, list[str]]] = {}
"""The sessions of each browser that held data of their own, of the last `BROWSERS` browsers, and what each would lose."""
_told: set[str] = set()
"""The sessions that are to forget what they hold."""


def at_stake(told: Stake) -> Stake:
    """Have it asked, before anything is forgotten, what would be lost besides the table: in a few words, or none."""
    _stakes[f"{told.__module__}.{told.__qualname__}"] = told
    return told


def would_lose() -> list[str]:
    """Return what would be lost with the table, each in a few words, here and in other open tabs of the same browser."""
    with _lock:
        tabs = {session: lost for session, lost in _tabs.get(browser_now(), {}).items() if session != session_now()}
    elsewhere = [f"in another tab {said}" for session, lost in tabs.items() if is_open(session) for said in lost]
    return [*_at_stake_here(), *dict.fromkeys(elsewhere)]


def _at_stake_here() -> list[str]:
    return [said for told in list(_stakes.values()) if (said := told())]


def forget() -> None:
    """Remove all that this session holds of somebody's own data: tables, choices of columns, results, what was drawn.

    Other tabs of the same browser do the same as soon as they can.
    """
    _forget_here(HERE)
    browser = browser_now()
    with _lock:
        others = set(_tabs.pop(browser, {})) - {session_now()}
        _told.update(others)
    for session in others:
        look_again(session)


def forget_if_told() -> bool:
    """Forget here what was forgotten in another tab; return whether there was anything to be forgotten."""
    with _lock:
        told = session_now() in _told
        _told.discard(session_now())
    held = told and any(str(name).startswith(OWN) for name in st.session_state)
    if held:
        _forget_here(ELSEWHERE)
    _note_again()
    return held


def own_file(label: str, kinds: Sequence[str], key: str, **said: Any) -> UploadedFile | None:  # noqa: ANN401
    """Show a place for a file of the visitor's own, and return the file; ``said``: what else `st.file_uploader` takes.

    After a forgetting it is another place, since the browser goes on showing the file's name in the old one.
    """
    times = st.session_state.get(_TIMES, 0)
    file: UploadedFile | None = st.file_uploader(label, type=kinds, key=f"{OWN}{key} {times}", **said)
    if file is not None:
        _note_own()
    return file


def attended() -> AbstractContextManager[None]:
    """While this is entered, whatever reads a file stops as soon as a newer setting waits or the visitor has left.

    So note that a file was read when it was, not before: who gave way reads it again.
    """
    return waiting(give_way)


def finish_forgetting() -> None:
    """After `forget`, before anything is drawn: see to what else the process holds of this session's controls and files."""
    if st.session_state.pop(_ASKED, False):
        start_anew(lambda name: not name.startswith(OWN))


def say_what_was_forgotten() -> None:
    """Say once that data were forgotten, and where that was asked for: at the top, and wherever the page is scrolled to."""
    if said := st.session_state.pop(_SAID, ""):
        st.session_state[FORGOTTEN] = True
        st.info(said, icon=":material/delete:")
        st.toast(f"{said.partition('. ')[0]}.", icon=":material/delete:", duration="long")


def _forget_here(sentence: str) -> None:
    record.forget()
    for key in [str(name) for name in st.session_state]:
        if key.startswith(OWN):
            del st.session_state[key]
    st.session_state[_ASKED], st.session_state[_SAID] = True, sentence
    st.session_state[_TIMES] = st.session_state.get(_TIMES, 0) + 1


def _note_own() -> None:
    """Note that this session holds somebody's own data now, so that another tab of the same browser can have them forgotten."""
    browser = browser_now()
    if browser:
        with _lock:
            _tabs.setdefault(browser, {}).setdefault(session_now(), [])
            while len(_tabs) > BROWSERS:
                _tabs.pop(next(iter(_tabs)))


def _note_again() -> None:
    """Note what this session would lose by now, if it holds somebody's own data."""
    browser, session = browser_now(), session_now()
    if session in _tabs.get(browser, {}):
        lost = _at_stake_here()
        with _lock:
            if session in _tabs.get(browser, {}):
                _tabs[browser][session] = lost
