"""What the app relies on although it is not documented: these tests say which behaviour, of which version, that is."""

import ast
import asyncio
import gc
import importlib.metadata
import inspect
import re
import threading

import pytest
import streamlit as st
from starlette.formparsers import MultiPartParser
from streamlit.runtime.state import SessionState, session_state_proxy
from streamlit.runtime.state.common import GENERATED_ELEMENT_ID_PREFIX, WidgetMetadata
from streamlit.runtime.state.safe_session_state import SafeSessionState
from streamlit.testing.v1 import AppTest
from streamlit.web.server.starlette import starlette_routes

from pages.ui import internals, own_data, server
from tests.helpers.paths import ROOT

IMPORTED = {
    "delta_generator.DeltaGenerator": "the type of a place on the page",
    "elements.lib.mutable_expander_container.ExpanderContainer": "the type of what st.expander returns",
    "navigation.page.StreamlitPage": "the type of what st.Page returns",
    "runtime.uploaded_file_manager.UploadedFile": "the type of what st.file_uploader returns",
    "web.cli": "what `streamlit run` is, for `privbo`",
    "runtime": "the way to the server's files, in internals.py alone",
    "runtime.state.SessionState": "the type of a session's state, in internals.py alone",
    "runtime.state.safe_session_state.SafeSessionState": "what guards it, there alone: `share_state_locks`",
    "runtime.scriptrunner.get_script_run_ctx": "the way to a session and its page, in internals.py alone",
}
USED = {
    "runtime.exists": "whether there is a server: none in tests",
    "runtime.get_instance().uploaded_file_mgr": "where a server's uploads are: `cap_uploads`",
    "runtime.get_instance().uploaded_file_mgr.remove_session_files": "to forget an upload: `remove_uploads`",
    "context.session_id": "whose uploads those are",
    "files.add_file": "where an upload arrives: `cap_uploads`",
    "files._lock": "the same",
    "files.file_storage.get": "the same",
    "files.remove_file": "the same",
}
"""What is used of Streamlit that it does not document, and for what."""
PLAIN = {
    "delta_generator",
    "elements.lib.mutable_expander_container",
    "navigation",
    "runtime.uploaded_file_manager",
    "web",
}


def test_what_is_used_of_streamlit_s_insides_is_listed_with_its_reason():
    imported = set()
    for file in (ROOT / "app.py", *(ROOT / "privbo_app").rglob("*.py"), *(ROOT / "pages").rglob("*.py")):
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Import):
                assert not any(each.name.startswith("streamlit.") for each in node.names), file
            elif isinstance(node, ast.ImportFrom) and (node.module or "").split(".")[0] == "streamlit":
                inner = node.module.partition(".")[2]
                assert inner.startswith("runtime") <= (file.name == "internals.py") or inner in PLAIN, file
                imported |= {f"{inner}.{each.name}".lstrip(".") for each in node.names}
    assert imported == set(IMPORTED)
    insides = r"(?<![\w.])(?:runtime|context|files|page)(?:\.get_instance\(\))?(?:\.\w+)+"
    assert set(re.findall(insides, inspect.getsource(internals))) == set(USED)


def test_the_version_is_one_described_whose_upload_route_uses_the_parser_that_is_told_so():
    assert importlib.metadata.version("streamlit").rpartition(".")[0] in internals.VERSIONS
    assert ".form()" in inspect.getsource(starlette_routes)
    assert "self.spool_max_size" in inspect.getsource(MultiPartParser)  # looked up at each upload, on the class


def test_uploads_stay_in_memory_and_what_is_loaded_is_settled_before_anything_is_served(monkeypatch):
    loaded = set()
    monkeypatch.setattr(server, "import_module", loaded.add)
    monkeypatch.setattr(MultiPartParser, "spool_max_size", 1024 * 1024)  # as the library sets it

    async def start():
        async with server.prepared(None):
            return MultiPartParser.spool_max_size, gc.get_freeze_count()

    try:
        spool, settled = asyncio.run(start())
    finally:
        gc.unfreeze()
    assert spool == internals.UPLOAD_IN_MEMORY
    assert settled > 50_000
    pages = [ast.parse(path.read_text(encoding="utf-8")) for path in (ROOT / "pages").glob("*.py")]
    nodes = [node for page in pages for node in page.body if isinstance(node, ast.ImportFrom)]
    drawn = {node.module for node in nodes if node.module.startswith("pages.")}
    drawn |= {f"pages.{alias.name}" for node in nodes if node.module == "pages" for alias in node.names}
    drawn |= {f"pages.figures.{alias.name}" for node in nodes if node.module == "pages.figures" for alias in node.names}
    assert {"pages.ui", "pages.figures.outsourced"} < drawn
    assert drawn <= loaded
    assert st.get_option("server.maxUploadSize") * 2**20 < internals.UPLOAD_IN_MEMORY


def test_reading_session_state_ends_a_run_for_which_a_newer_one_waits():
    """`interrupt` reads a name that isn't there. Whatever is read, the runner is asked first whether to go on."""

    def newer_run_waits():
        raise InterruptedError

    state = SafeSessionState(SessionState(), newer_run_waits)
    with pytest.raises(InterruptedError):
        _ = state["ui/interrupt"]

    def page():
        from pages.ui.follow import interrupt

        interrupt()

    AppTest.from_function(page).run()


def test_no_run_changes_the_state_that_another_run_of_its_session_goes_through(monkeypatch):
    """Two runs overlap: the names of the state are gone through by one while the other adds a name."""
    monkeypatch.setattr(SafeSessionState, "__init__", SafeSessionState.__init__)  # to be put back
    internals.share_state_locks()
    state, others = SessionState(), [SessionState() for _ in range(3)]  # two may share a lock, but hardly four
    old, new = (SafeSessionState(state, lambda: None) for _ in range(2))
    other = next(
        each for each in (SafeSessionState(one, lambda: None) for one in others) if each._lock is not old._lock
    )
    changed = []

    def change(run):
        if run._lock.acquire(blocking=False):
            changed.append(run)
            run._lock.release()

    def names_of(self):
        for run in (new, other):
            thread = threading.Thread(target=change, args=(run,))
            thread.start()
            thread.join()
        return set()

    monkeypatch.setattr(SessionState, "_keys", names_of)
    assert old.filtered_state == {}
    assert changed == [other]  # another visitor is not kept waiting
    assert "with self._lock" in inspect.getsource(SafeSessionState.__setitem__)


@pytest.mark.parametrize(
    ("sizes", "gone"),
    [([200, 200], []), ([1, 200, 200], [0]), ([200, 200, 200, 1], [0, 1]), ([900], []), ([0] * 14, [0, 1])],
)
def test_a_session_keeps_the_newest_of_too_many_files(sizes, gone):
    held = {f"file {number}": megabytes * 2**20 for number, megabytes in enumerate(sizes)}
    assert internals.too_many(held) == [f"file {number}" for number in gone]


def test_a_name_that_a_newer_widget_has_taken_over_is_listed_and_holds_nothing(monkeypatch):
    state = SessionState()
    for which in ("older", "newer"):
        widget = f"{GENERATED_ELEMENT_ID_PREFIX}-{which}-{own_data.OWN_DATA}high"
        state._set_widget_metadata(WidgetMetadata(widget, float, str, "double_value"))
        state._set_key_widget_mapping(widget, f"{own_data.OWN_DATA}high")
        if which == "older":
            state._new_widget_state.set_from_value(widget, 3.0)
    state[f"{own_data.OWN_DATA}table"] = 1
    monkeypatch.setattr(session_state_proxy, "get_session_state", lambda: state)
    with pytest.raises(KeyError):
        del st.session_state[f"{own_data.OWN_DATA}high"]
    own_data.drop(own_data.OWN_DATA)
    assert f"{own_data.OWN_DATA}table" not in st.session_state


def test_a_piece_of_html_is_replaced_through_what_it_returned():
    """`ui.Place` changes a headline without a gap: the second drawing takes the place of the first."""

    def page():
        import streamlit as st

        place = st.container(key="place")
        for body in ("<p>one</p>", "<p>two</p>", "<p>three</p>"):
            place = place.html(body)
        st.html("<p>below</p>")

    app = AppTest.from_function(page).run()
    assert [each.proto.body for each in app.get("html")] == ["<p>three</p>", "<p>below</p>"]


def test_a_component_with_a_key_is_drawn_once_in_a_run():
    """`ui.Chart` therefore sends later figures through a component without a key, in an `st.empty`."""

    def page():
        import streamlit as st

        from pages.ui.charts import _component

        later = st.empty()
        for number in range(3):
            with later:
                _component(data={"number": number}, height=1)
        _component(key="chart", data={"number": 3}, height=1)
        try:
            _component(key="chart", data={"number": 4}, height=1)
        except st.errors.StreamlitAPIException:
            st.session_state["refused"] = True

    app = AppTest.from_function(page).run()
    assert app.session_state["refused"]
    assert ['"number": 2' in each.proto.json for each in app.get("bidi_component")] == [True, False]
