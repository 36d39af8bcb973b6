"""What the app relies on although it is not documented: these tests say which behaviour, of which version, that is."""

import asyncio
import importlib.metadata
import inspect

import pytest
import streamlit as st
from starlette.formparsers import MultiPartParser
from streamlit.proto.WidgetStates_pb2 import WidgetState
from streamlit.runtime.state import SessionState
from streamlit.runtime.state.common import WidgetMetadata
from streamlit.runtime.state.safe_session_state import SafeSessionState
from streamlit.testing.v1 import AppTest
from streamlit.web.server.starlette import starlette_routes

from pages.parts import front_door
from pages.parts.frame import server, undocumented
from tests.helpers.paths import APP


def test_the_version_is_the_one_described_whose_upload_route_uses_the_parser_that_is_told_so():
    assert importlib.metadata.version("streamlit").startswith(f"{undocumented.VERSION}.")
    assert ".form()" in inspect.getsource(starlette_routes)
    assert "self.spool_max_size" in inspect.getsource(MultiPartParser)  # looked up at each upload, on the class


def test_uploads_stay_in_memory_before_anything_is_served(monkeypatch):
    monkeypatch.setattr(MultiPartParser, "spool_max_size", 1024 * 1024)  # as the library sets it

    async def start():
        async with server.prepared(None):
            return MultiPartParser.spool_max_size

    assert asyncio.run(start()) == undocumented.UPLOAD_IN_MEMORY
    assert st.get_option("server.maxUploadSize") * 2**20 < undocumented.UPLOAD_IN_MEMORY


def test_reading_session_state_ends_a_run_for_which_a_newer_one_waits():
    """`give_way` reads a name that is not there; whatever is read, the runner is asked first whether to go on."""

    def newer_run_waits():
        raise InterruptedError

    state = SafeSessionState(SessionState(), newer_run_waits)
    with pytest.raises(InterruptedError):
        _ = state["give way"]

    def page():
        from pages.parts.frame.undocumented import give_way

        give_way()

    assert not AppTest.from_function(page).run().exception


def test_a_session_is_emptied_though_a_value_in_it_cannot_be_read():
    """A closed tab whose last message nobody can read would stop the tidying, and with it that of all other tabs."""
    state = SessionState()
    state._new_widget_state.set_widget_from_proto(WidgetState(id="panel", json_value="[1, 2"))
    state._new_widget_state.set_widget_metadata(
        WidgetMetadata("panel", deserializer=str, serializer=str, value_type="json_value")
    )
    with pytest.raises(ValueError, match="Expecting"):
        _ = state._new_widget_state["panel"]
    undocumented._empty(state)
    assert not state._new_widget_state.states
    assert not state._new_widget_state.widget_metadata


@pytest.mark.parametrize("path", ["start", "data", "reproduce"])
def test_the_page_that_the_bar_names_is_the_one_that_streamlit_chooses(path, monkeypatch):
    told, sections = [], []

    def asked_for(pages):
        told.append(undocumented.page_asked_for(pages))
        return told[-1]

    def drawn(groups, position):
        chosen = navigation(groups, position=position)
        sections.append((chosen, next((name for name, group in groups.items() if chosen in group))))
        return chosen

    navigation = st.navigation
    monkeypatch.setattr(front_door, "page_asked_for", asked_for)
    monkeypatch.setattr(st, "navigation", drawn)
    app = AppTest.from_file(str(APP), default_timeout=60).run()
    app.switch_page(f"pages/{path}.py").run()
    assert not app.exception
    chosen, section = sections[-1]
    assert told[-1] is chosen
    assert section == {"start": "", "data": "Explore **· Data**", "reproduce": "Papers **· Reproduce**"}[path]


@pytest.mark.parametrize(
    ("sizes", "gone"),
    [([200, 200], []), ([1, 200, 200], [0]), ([200, 200, 200, 1], [0, 1]), ([900], []), ([0] * 14, [0, 1])],
)
def test_a_session_keeps_the_newest_of_too_many_files(sizes, gone):
    held = {f"file {number}": megabytes * 2**20 for number, megabytes in enumerate(sizes)}
    assert undocumented.too_many(held) == [f"file {number}" for number in gone]
