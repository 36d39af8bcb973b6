"""What a session keeps of its visitor, step by step, and how it forgets what is theirs."""

from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, field, replace
from typing import Any, TypeVar

import streamlit as st
from streamlit.runtime.uploaded_file_manager import UploadedFile

from pages.parts.shell import address
from pages.parts.views import views
from pages.ui.follow import interrupt as give_way
from pages.ui.internals import remove_uploads
from privbo_core.budget import waiting
from privbo_core.errors import DataError

OWN = "own data/"
"""What a session holds of somebody's own data, or of what was computed from them, is kept under names that begin so."""
HERE = "Cleared: your table, and all that was computed from it here. Files that you downloaded are yours to delete."
FORGOTTEN = "forgotten, and nothing brought since"
Read = TypeVar("Read")
_SAID, _TIMES = "said of forgetting", "times forgotten"


def holds_settings() -> bool:
    """Return whether column settings of the visitor's own table were given, which a reload would lose."""
    table = st.session_state.get(f"{OWN}table")
    return getattr(table, "settings", None) != getattr(table, "proposed", None)


def drop(begin: str) -> None:
    """Remove what this session keeps under names that begin so, also where a newer widget has taken the name over."""
    for key in [str(name) for name in st.session_state]:
        if key.startswith(begin):
            st.session_state.pop(key, None)


def forget() -> None:
    views.forget()
    drop(OWN)
    remove_uploads()
    st.session_state[_SAID] = HERE
    st.session_state[_TIMES] = st.session_state.get(_TIMES, 0) + 1


def what_stays() -> str:
    return (
        "Clearing takes the table, its file and all that was computed from it out of this tab’s session. What the "
        "controls offered, such as names of columns, stays until Streamlit ends the session, which is "
        f"{st.get_option('server.disconnectedSessionTTL')} seconds after the tab is closed, or later."
    )


def own_file(label: str, kinds: Sequence[str], key: str, **said: Any) -> UploadedFile | None:  # noqa: ANN401
    """After a forgetting it is another place, since the browser goes on showing the file's name in the old one."""
    times = st.session_state.get(_TIMES, 0)
    file: UploadedFile | None = st.file_uploader(label, type=kinds, key=f"{OWN}{key} {times}", **said)
    return file


def read_once(file: UploadedFile | None, key: str, read: Callable[[UploadedFile], Read]) -> tuple[Read | None, str]:
    """Return what is in a file, or the sentence why that cannot be used: each file once, as is kept under this key."""
    found, fault = None, ""
    if file is not None and st.session_state.get(key) != file.file_id:
        try:
            with attended():
                found = read(file)
        except DataError as problem:
            fault = str(problem)
        st.session_state[key] = file.file_id
    return found, fault


def attended() -> AbstractContextManager[None]:
    """While this is entered, whatever reads a file stops as soon as a newer setting waits or the visitor has left.

    So note that a file was read when it was, not before: who gave way reads it again.
    """
    return waiting(give_way)


def say_what_was_forgotten() -> None:
    """At the top, and wherever the page is scrolled to."""
    if said := st.session_state.pop(_SAID, ""):
        st.session_state[FORGOTTEN] = True
        st.info(said, icon=":material/delete:")
        st.toast(f"{said.partition('. ')[0]}.", icon=":material/delete:", duration="long")


_KEY = "history"
WHAT = ("view", "data", "task", "agents", "audited")
"""The choices of what is looked at, and how: no settings of it."""
_ATTACK = "attack-"
MOST = 200


@dataclass(frozen=True)
class Step:
    """Settings as the address has them, and choices that no address holds."""

    settings: dict[str, str]
    secrets: dict[str, str] = field(default_factory=dict)

    def same(self, other: "Step") -> bool:
        """Return whether what both say is the same: a slider that has only now come up is no change."""
        shared = self.settings.keys() & other.settings.keys()
        return self.secrets == other.secrets and all(self.settings[name] == other.settings[name] for name in shared)


@dataclass(frozen=True)
class History:
    """The steps on one page, the present one last; the names of its pickers and of its sliders."""

    page: str
    steps: tuple[Step, ...] = ()
    sliders: frozenset[str] = frozenset()
    visit: int = 0


def note(sliders: set[str]) -> History:
    """Note how the page is set now; ``sliders``: the keys of those that are shown. Call it when no thumb is held."""
    history = _history()
    shown = history.sliders | sliders
    secrets = dict(views.last().secrets)
    known = st.query_params.to_dict()
    # until the page has read its address, that alone counts; then, what was chosen
    if history.visit == address.visit():
        known |= {name: str(st.session_state[name]) for name in address.choices() if name in st.session_state}
    names = {*shown, *address.choices()} - {"view", *secrets}
    step = Step({name: known[name] for name in names if name in known}, secrets)
    before = history.steps[:-1] if history.steps and history.steps[-1].same(step) else history.steps[-MOST:]
    noted = History(history.page, (*before, step), shown, address.visit())
    st.session_state[_KEY] = noted
    return noted


def can_undo() -> bool:
    return len(_history().steps) > 1


def undo() -> None:
    history = note(set())
    if len(history.steps) > 1:
        history = replace(history, steps=history.steps[:-1])
        st.session_state[_KEY] = history
        _go(history.steps[-1], history)


def reset() -> None:
    """Bring the page's defaults back; what is looked at stays."""
    history = note(set())
    last = history.steps[-1]
    kept = {name: value for name, value in last.settings.items() if name in WHAT or name.startswith(_ATTACK)}
    _go(Step(kept, last.secrets), history)


def _go(step: Step, history: History) -> None:
    for name in {*history.sliders, *address.choices()} - {"view"}:
        wanted = step.settings.get(name)
        if wanted is None:
            st.query_params.pop(name, None)
        elif st.query_params.get(name) != wanted:
            st.query_params[name] = wanted
    st.session_state.update(step.secrets)
    address.come_anew()


def _history() -> History:
    """Return what is known of the page that is open; of another one, nothing."""
    known = st.session_state.get(_KEY)
    return known if isinstance(known, History) and known.page == address.page() else History(address.page())
