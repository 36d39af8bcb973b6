"""A demonstration on a real server: it takes no file, however it is sent, and only the listed sites embed it."""

import asyncio
import re
import uuid
from contextlib import ExitStack

import pytest
from streamlit.proto.BackMsg_pb2 import BackMsg

from tests.helpers.numbers import numbers
from tests.helpers.serving import serving
from tests.helpers.visitor import FORM, Visitor, ask, form, token

SITES = "https://lab.example.org https://*.school.example:8443"
ROWS = 777
CONTENT = b"a,b\n" + b"1,2\n" * ROWS
UPLOADER = "$$ID-00000000000000000000000000000000-own data/file 0"


@pytest.fixture(scope="module", params=["environment", "secrets"])
def demonstration(request, tmp_path_factory):
    """A demonstration that is set up by the environment, or by secrets of Streamlit's, as on its Community Cloud."""
    folder, settings = tmp_path_factory.mktemp("demo"), {"PRIVBO_DEMO": "1", "PRIVBO_EMBED": SITES}
    with ExitStack() as stack:
        with pytest.MonkeyPatch.context() as patch:
            if request.param == "environment":
                for name, text in settings.items():
                    patch.setenv(name, text)
            else:
                (folder / ".streamlit").mkdir()
                lines = (f'{name} = "{text}"\n' for name, text in settings.items())
                (folder / ".streamlit" / "secrets.toml").write_text("".join(lines), encoding="utf-8")
                patch.setenv("HOME", str(folder))
            server = stack.enter_context(serving(folder))
        yield server
    assert "Traceback" not in server.log.read_text()


def frames(server):
    """Return the sites that may show a page of a server in a frame."""
    _, headers, _ = ask(server.port, "GET", "/")
    (policy,) = [text for name, text in headers if name.lower() == "content-security-policy"]
    (found,) = re.findall(r"frame-ancestors ([^;]*)", policy)
    return found.split()


def test_only_the_listed_sites_show_a_page_in_a_frame_and_by_default_none(server, demonstration):
    assert frames(server) == ["'self'"]
    assert frames(demonstration) == ["'self'", *SITES.split()]


async def test_no_file_gets_in_by_the_address_for_uploads(demonstration):
    port = demonstration.port
    visitor = await Visitor.arrive(port, "data")
    await visitor.until(lambda: visitor.session and not visitor.running)
    wanted = BackMsg()
    wanted.file_urls_request.file_names.append("a.csv")
    wanted.file_urls_request.session_id = visitor.session
    await visitor.send(wanted)
    await visitor.until(lambda: visitor.places)
    place = visitor.places.pop()
    headers, body = token(port) | FORM, form(b"a.csv", CONTENT)
    for path in (
        place.upload_url,
        f"/_stcore/upload_file/{visitor.session}/{uuid.uuid4()}",
        "/data",
        "/_stcore/agent/mcp",
    ):
        for method in ("PUT", "POST", "PATCH", "DELETE"):
            status, answered, _ = await asyncio.to_thread(ask, port, method, path, body, headers)
            assert status == 403, (method, path)
            assert "content-security-policy" in {name.lower() for name, _ in answered}
    await say_uploaded(visitor, place)
    await visitor.leave()


async def say_uploaded(visitor, place):
    """Name a file to the page all the same, as what the control for files would hold if there were one."""
    assert not visitor.uploaders
    message = visitor.request()
    state = message.rerun_script.widget_states.widgets.add(id=UPLOADER).file_uploader_state_value
    state.uploaded_file_info.add(name="a.csv", size=len(CONTENT), file_id=place.file_id, file_urls=place)
    await visitor.after(visitor.send(message), lambda: not visitor.running)
    assert not visitor.errors
    assert not visitor.uploaders
    assert ROWS not in numbers(" ".join(visitor.words))


async def test_a_demonstration_shows_its_samples(demonstration):
    visitor = await Visitor.arrive(demonstration.port, "outsourced", {"T": 5, "runs": 5})
    await visitor.until(lambda: "condition" in visitor.pictures and not visitor.running)
    assert not visitor.errors
    await visitor.leave()


def test_a_server_does_not_start_with_what_is_no_site(tmp_path, monkeypatch):
    monkeypatch.setenv("PRIVBO_EMBED", "lab.example.org")
    with pytest.raises(AssertionError, match="PRIVBO_EMBED"), serving(tmp_path):
        pass
