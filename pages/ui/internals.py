"""What the app relies on although Streamlit 1.66 and 1.67, or the web server below it, doesn't document it.

The functions here change how the server behaves. The rest of the app relies on what follows, too, and
tests/pages/shared/test_undocumented.py holds each to it, so that an update that changes one is noticed:

- `theme.css` and `present.js` find parts of the page by `data-testid` and by `data-stale`.
- While the network is away, what a page sends is lost without notice. `sliders.js` reads from
  `data-test-script-state` and `data-test-connection-state` that nothing is under way, and sends the last values again.
- In the browser, Streamlit writes a changed address with `history.pushState`, and goes to another page by the same call
  with another path. Only the latter is to be a step of the history.
- `st.empty` takes an earlier run's content off the page at once, and a container leaves it (`cards.Place`).
- An upload is kept for its session whether or not a widget has asked for it (`cap_uploads`).
- When a script ends, whatever it hasn't drawn again is taken off the page.
- Two runs of a session overlap, and each guards the session's state with a lock of its own (`share_state_locks`).
- A session keeps the options, values and names of every widget that it ever drew, and the files put into them, until
  it ends (`remove_uploads`).
- A run ends where session state is read while a newer run is waiting (`follow.interrupt`).
"""

import threading
from collections.abc import Callable, Mapping
from typing import Any

from starlette.formparsers import MultiPartParser
from streamlit import runtime
from streamlit.runtime.scriptrunner import get_script_run_ctx
from streamlit.runtime.state import SessionState
from streamlit.runtime.state.safe_session_state import SafeSessionState

VERSIONS = "1.66", "1.67"
"""The versions of Streamlit whose behaviour this describes."""
UPLOAD_IN_MEMORY = 2**30
"""How many bytes of an arriving file stay in memory. The app takes files of at most 200 MB."""
STATE_LOCKS = 1024
"""Many more than there are visitors at the same moment."""
MOST_UPLOADS, MOST_UPLOADED = 12, 400 * 2**20
"""How many files, and how many bytes of them, a session may hold."""


def keep_uploads_in_memory() -> None:
    """Keep uploads off the disk.

    While a file arrives, Starlette's form parser, which Streamlit's upload route uses, would write all beyond one
    megabyte to a temporary file. It reads this limit from its class whenever a form comes in.
    """
    MultiPartParser.spool_max_size = UPLOAD_IN_MEMORY


def share_state_locks() -> None:
    """Make all runs of a session guard its state with the same lock, from now on.

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
    """Limit how many files a session holds, from now on. The oldest go first.

    Streamlit limits the size of one file. A browser asks for an address for each file, sends the file there, and only
    then names the widget that it is for. A visitor who never names one could fill the memory. Streamlit keeps files by
    session, in the order of their arrival.
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
    """Return which files of a session go, given their sizes in the order of arrival. The last one never goes."""
    left = list(held)
    while len(left) > 1 and (len(left) > MOST_UPLOADS or sum(held[name] for name in left) > MOST_UPLOADED):
        left.pop(0)
    return [name for name in held if name not in left]


def remove_uploads() -> None:
    """Remove the files of this session, which stay when their widget is no longer drawn."""
    context = get_script_run_ctx()
    if context is not None and runtime.exists():
        runtime.get_instance().uploaded_file_mgr.remove_session_files(context.session_id)
