"""What the app relies on although Streamlit 1.66 and 1.67, or the web server below it, does not document it.

Everything of that kind is here or, where only the browser knows it, in the style sheets and scripts named below;
tests/pages/shared/test_undocumented.py holds each to what it is relied on for, so that an update that changes one says
so.

- Style sheets (show/style.css, show/present.css) and the presenter name parts of the page by `data-testid` and by
  `data-stale`: that the page keeps those names is what the browser tests of the presenter and of phones check.
- What a page sends while its network is away is lost, without a word; controls/live_sliders.js sees from
  `data-test-script-state` and `data-test-connection-state` that nothing is under way any more, and sends again what was
  not answered.
- `st.html` takes drawings out of what it is given, so they are shown as images (views/html/facts.html).
- The browser's half of Streamlit writes a changed address with `history.pushState`, an entry for each, and goes to
  another page by the same call with another path; shell/browser.js lets only the latter add to the history.
- `st.empty` takes off the page at once what an earlier run had put there; a container leaves it (`drawing.Slot`).
- An upload is kept for its session whether or not a control has asked for it (`cap_uploads`).
- A script that comes to its end takes what it has not drawn again off the page; `Live.rest` waits for that reason.
- Two runs of a session overlap, and each guards the session's state with a lock of its own (`share_state_locks`).
- A session keeps the options, values and names of every control that it ever drew, and the files put into them, until
  it ends (`remove_uploads`).
"""

import threading
from collections.abc import Callable, Mapping
from typing import Any

import streamlit as st
from starlette.formparsers import MultiPartParser
from streamlit import runtime
from streamlit.runtime.scriptrunner import get_script_run_ctx
from streamlit.runtime.state import SessionState
from streamlit.runtime.state.safe_session_state import SafeSessionState

VERSIONS = "1.66", "1.67"  # The versions of Streamlit whose behaviour this describes.
UPLOAD_IN_MEMORY = 2**30
"""Bytes of a file that is being uploaded that stay in memory; the app takes files of 200 MB at most."""
STATE_LOCKS = 1024  # Many more than there are visitors at the same moment.
MOST_UPLOADS, MOST_UPLOADED = 12, 400 * 2**20  # So many files, and so many bytes of them, may a session hold.


def keep_uploads_in_memory() -> None:
    """Let no upload touch the disk, in whichever page it arrives.

    While a file arrives, Starlette's form parser, which Streamlit's upload route uses, would write what exceeds one
    megabyte to a temporary file. It reads this limit from its class whenever a form comes in.
    """
    MultiPartParser.spool_max_size = UPLOAD_IN_MEMORY


def share_state_locks() -> None:
    """Let all runs of a session guard its state with the same lock, from now on.

    A new run begins while the old one still ends. Streamlit wraps the session's state anew for each run, with a new
    lock, so one run could add a name while the other goes through all names, which then fails. A state takes no
    attribute of ours and no weak reference, so its lock is one of a fixed number, chosen by its address in memory.
    """
    locks = [threading.RLock() for _ in range(STATE_LOCKS)]
    wrap = SafeSessionState.__init__

    def wrap_with_shared_lock(self: SafeSessionState, state: SessionState, yield_callback: Callable[[], None]) -> None:
        wrap(self, state, yield_callback)
        object.__setattr__(self, "_lock", locks[hash(id(state) // 16) % STATE_LOCKS])

    SafeSessionState.__init__ = wrap_with_shared_lock  # type: ignore[method-assign]


def cap_uploads() -> None:
    """Let a session hold no more files than its visitor can be looking at, from now on; the oldest go.

    Streamlit limits the size of one file. A browser asks for an address for each, sends the file there, and only then
    says which control it is for; whoever never says so could fill the memory. Files are kept by session, in order of
    their arrival.
    """
    if not runtime.exists():
        return
    files: Any = runtime.get_instance().uploaded_file_mgr
    add = files.add_file

    def add_file(session_id: str, file: Any) -> None:  # noqa: ANN401
        add(session_id=session_id, file=file)
        with files._lock:
            held = {name: len(each.data) for name, each in files.file_storage.get(session_id, {}).items()}
        for name in too_many(held):
            files.remove_file(session_id=session_id, file_id=name)

    files.add_file = add_file


def too_many(held: Mapping[str, int]) -> list[str]:
    """Return which of a session's files go, by their sizes in the order in which they came; the last one never does."""
    left = list(held)
    while len(left) > 1 and (len(left) > MOST_UPLOADS or sum(held[name] for name in left) > MOST_UPLOADED):
        left.pop(0)
    return [name for name in held if name not in left]


def give_way() -> None:
    """End this run of the script here if a newer setting is waiting.

    Streamlit looks for one whenever session state is read, at no other cost; drawing something would do too, but the
    browser would have to draw it.
    """
    st.session_state.get("give way")


def remove_uploads() -> None:
    """They stay when the control that they were put into is not drawn any more."""
    context = get_script_run_ctx()
    if context is not None and runtime.exists():
        runtime.get_instance().uploaded_file_mgr.remove_session_files(context.session_id)
