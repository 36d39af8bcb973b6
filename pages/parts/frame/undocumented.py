"""What the app relies on although Streamlit 1.67, or the web server below it, does not document it.

Everything of that kind is here or, where only the browser knows it, in the style sheets and scripts named below;
tests/pages/test_undocumented.py holds each to what it is relied on for, so that an update that changes one says so.

- Style sheets (show/style.css, show/present.css) and the presenter name parts of the page by `data-testid` and by
  `data-stale`: that the page keeps those names is what the browser tests of the presenter and of phones check.
- A page whose network is away is covered by a dialog; thumbs/thumbs.js closes it, so that a phone goes on taking answers.
- What a page sends while its network is away is lost, without a word; controls/live_sliders.js sees from `data-test-script-state`
  and `data-test-connection-state` that nothing is under way any more, and sends again what was not answered.
- `st.html` takes drawings out of what it is given, so they are shown as images (show/html/story_picture.html).
- The browser's half of Streamlit writes a changed address with `history.pushState`, an entry for each, and goes to another
  page by the same call with another path; show/theme_watch.js lets only the latter add to the history.
- `st.empty` takes off the page at once what an earlier run had put there; a container leaves it (`spot.Spot`).
- An upload is kept for its session whether or not a control has asked for it (`cap_uploads`).
- A script that comes to its end takes what it has not drawn again off the page; `Live.rest` waits for that reason.
- A session keeps the options, values and names of every control that it ever drew, and the files put into them, until it ends; and
  one whose tab was closed ends when the next one opens or closes, however long that takes (`start_anew`, `tidy`).
"""

import gc
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from typing import Any

import streamlit as st
from starlette.formparsers import MultiPartParser
from streamlit import runtime
from streamlit.navigation.page import StreamlitPage
from streamlit.runtime.scriptrunner import get_script_run_ctx
from streamlit.web.server.starlette.starlette_app_utils import decode_xsrf_token_string

COOKIE = "_streamlit_xsrf"
VERSION = "1.67"
"""The version of Streamlit whose behaviour this describes."""
UPLOAD_IN_MEMORY = 2**30
"""Bytes of a file that is being uploaded that stay in memory; the app takes files of 200 MB at most."""
MOST_UPLOADS, MOST_UPLOADED = 12, 400 * 2**20
"""So many files, and so many bytes of them, may a session hold."""
TIDY = 2.0
"""Seconds between two looks at what sessions have left behind."""
_SETTABLE = ("bool_value", "int_value", "double_value", "string_value")
"""The kinds of controls whose value may be set again; those of several values are called int_array_value and so on."""
_left_behind = threading.Event()


def keep_uploads_in_memory() -> None:
    """Let no upload touch the disk, in whichever page it arrives.

    While a file arrives, Starlette's form parser, which Streamlit's upload route uses, would write what exceeds one
    megabyte to a temporary file. It reads this limit from its class whenever a form comes in.
    """
    MultiPartParser.spool_max_size = UPLOAD_IN_MEMORY


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


def page_asked_for(pages: Sequence[StreamlitPage]) -> StreamlitPage:
    """Return which of the pages st.navigation is about to choose, in the same way: it tells only once the bar is drawn."""
    context = get_script_run_ctx()
    asked = context.pages_manager.intended_page_script_hash if context else ""
    name = context.pages_manager.intended_page_name if context else ""
    found = [page for page in pages if (page._script_hash == asked if asked else name and page.url_path == name)]
    return found[0] if found else next(page for page in pages if page.url_path == "")


def forget(key: str) -> None:
    """Forget what a widget offered that is no longer drawn; Streamlit would keep it until the visitor leaves."""
    context = get_script_run_ctx()
    known = context.session_state._state._new_widget_state.widget_metadata if context else {}
    for identity in [each for each in known if each.endswith(f"-{key}")]:
        del known[identity]


def start_anew(kept: Callable[[str], bool]) -> None:
    """Forget what this session's controls have offered and held, its files, tables and downloads; keep the values ``kept`` by name.

    Call it before anything is drawn: what is drawn then comes up with the values that are kept.
    """
    context = get_script_run_ctx()
    if context is None or not runtime.exists():
        return
    state, server = context.session_state._state, runtime.get_instance()
    values = {}
    for key, value in state.filtered_state.items():
        control = state.get_widget_metadata(state.get_widget_id_from_key(key) or "")
        kind = control.value_type.replace("_array", "") if control else ""
        if kept(key) and (control is None or kind in _SETTABLE):
            values[key] = value
    _empty(state)
    for key, value in values.items():
        state[key] = value
    server.uploaded_file_mgr.remove_session_files(context.session_id)
    server.dataframe_source_mgr.clear_all_for_session(context.session_id)
    server.media_file_mgr.clear_session_refs(context.session_id)
    _left_behind.set()


def session_now() -> str:
    """Return what tells this session from others; empty outside of any."""
    context = get_script_run_ctx()
    return context.session_id if context else ""


def browser_now() -> str:
    """Return what tells this browser from others, the same in all of its tabs; empty outside of any.

    It is what the browser's cookie against forged requests holds. The cookie itself looks different in each tab: it is
    hidden behind a mask that is drawn anew each time a page is opened.
    """
    token, _ = decode_xsrf_token_string(st.context.cookies.get(COOKIE, ""))
    return (token or b"").hex()


def is_open(session: str) -> bool:
    """Return whether a session's tab is open, as far as the server knows."""
    return runtime.exists() and runtime.get_instance()._session_mgr.get_active_session_info(session) is not None


def look_again(session: str) -> None:
    """Let another session run its script again, as if somebody had pressed a key there; one whose tab is closed ends now."""
    if not runtime.exists():
        return
    server = runtime.get_instance()

    def run() -> None:
        active = server._session_mgr.get_active_session_info(session)
        if active is not None:
            active.session.request_rerun(active.session._client_state)
            return
        stored = _closed(server).pop(session, None)
        if stored is not None:
            _end(stored.session)

    server._get_async_objs().eventloop.call_soon_threadsafe(run)


@cache
def tidy() -> None:
    """See to it, from now on, that what sessions leave behind goes by itself: closed ones, files for download, cycles."""
    if (
        runtime.exists() and type(server := runtime.get_instance()) is runtime.Runtime
    ):  # and no test's stand-in, which poses as one
        threading.Thread(target=_tidy, args=(server,), name="privbo-tidy", daemon=True).start()


def _tidy(server: Any) -> None:  # noqa: ANN401
    stored = _closed(server)
    while runtime.exists() and runtime.get_instance() is server:
        time.sleep(TIDY)
        try:
            server._get_async_objs().eventloop.call_soon_threadsafe(_expire, stored)
        except RuntimeError:  # the server has stopped meanwhile
            return
        server.media_file_mgr.remove_orphaned_files()
        if _left_behind.is_set():
            _left_behind.clear()
            time.sleep(TIDY)  # the script that forgets has come to its end by then, or the next look finds the rest
            gc.collect()


def _closed(server: Any) -> Any:  # noqa: ANN401
    """Return the sessions whose tab was closed, by name: a cache with a time to live, for the event loop alone."""
    return server._session_mgr._session_storage._cache


def _expire(stored: Any) -> None:  # noqa: ANN401
    """End the sessions that can no longer come back."""
    for _, expired in stored.expire():
        _end(expired.session)


def _end(session: Any) -> None:  # noqa: ANN401
    """End a session. Whatever may still point to it points to something empty."""
    session.shutdown()
    _empty(session.session_state)
    session.flush_browser_queue()
    _empty_sender(session)
    _left_behind.set()


def _empty_sender(session: Any) -> None:  # noqa: ANN401
    """Empty the messages that were last sent to a session, if to nobody since: the loop that sends them holds on to them."""
    task = runtime.get_instance()._loop_coroutine_task
    frame = getattr(task.get_coro(), "cr_frame", None) if task else None
    held = frame.f_locals if frame else {}
    last = held.get("active_session_info")
    if last is not None and last.session is session:
        messages = held.get("msg_list", [])
        for message in (*messages, *([held["msg"]] if "msg" in held else [])):
            message.Clear()
        messages.clear()


def _empty(state: Any) -> None:  # noqa: ANN401
    """Take out of a session's state what it holds, and what its controls have offered."""
    state._new_widget_state.states.clear()  # first: `clear` would read each value, and some cannot be read
    state.clear()
    state._new_widget_state.widget_metadata.clear()
