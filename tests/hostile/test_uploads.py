"""Uploads past the page: too large, malformed, to somebody else's session, under names that are paths."""

import asyncio
import http.client
import uuid

import pytest
from visitor import Visitor

PART = (
    b'--x\r\nContent-Disposition: form-data; name="f"; filename="%s"\r\nContent-Type: text/csv\r\n\r\n%s\r\n--x--\r\n'
)
FORM = {"Content-Type": "multipart/form-data; boundary=x"}


def ask(server, method, path, body=None, headers=None):
    """Return the status of one request."""
    connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=20)
    try:
        connection.request(method, path, body, headers or {})
        return connection.getresponse().status
    except (BrokenPipeError, ConnectionResetError):
        return 413  # the server hung up on a body that it did not want
    finally:
        connection.close()


def token(server):
    """Return the headers of a visitor who has the app's cookie."""
    connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=20)
    connection.request("GET", "/_stcore/health")
    answer = connection.getresponse()
    answer.read()
    cookie = next(text.split(";")[0] for name, text in answer.getheaders() if name.lower() == "set-cookie")
    connection.close()
    return {"Cookie": cookie, "X-Xsrftoken": cookie.partition("=")[2]}


def put(server, session, file, content, name=b"a.csv", headers=None):
    path = f"/_stcore/upload_file/{session}/{file}"
    return ask(server, "PUT", path, PART % (name, content), {**token(server), **FORM, **(headers or {})})


@pytest.fixture
def session(server):
    """The id of a visitor who is there."""
    with asyncio.Runner() as runner:
        visitor = runner.run(Visitor.arrive(server.port, "data"))
        runner.run(visitor.until(lambda: visitor.session))
        yield visitor.session
        runner.run(visitor.leave())


def test_a_file_that_is_too_large_is_refused(server, session):
    assert put(server, session, uuid.uuid4(), b"1," * 600_000) == 413
    lie = {**token(server), **FORM, "Content-Length": str(10**15)}
    assert ask(server, "PUT", f"/_stcore/upload_file/{session}/{uuid.uuid4()}", b"", lie) == 413
    pieces = (b"0" * 65_536 for _ in range(40))  # sent without a length
    assert ask(server, "PUT", f"/_stcore/upload_file/{session}/{uuid.uuid4()}", pieces, {**token(server), **FORM}) in (
        400,
        413,
    )


def test_a_request_from_another_site_is_refused(server, session):
    assert ask(server, "PUT", f"/_stcore/upload_file/{session}/{uuid.uuid4()}", PART % (b"a", b"b"), FORM) == 403


@pytest.mark.parametrize("somebody", ["00000000-0000-0000-0000-000000000000", "..", "%2e%2e", "x" * 3000])
def test_nobody_uploads_to_a_session_that_is_not_there(server, somebody):
    assert put(server, somebody, uuid.uuid4(), b"a,b\n1,2\n") >= 400


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"--x\r\n",
        b"--x--\r\n",
        b"--x\r\n\r\n\r\n--x--\r\n",
        b'--x\r\nContent-Disposition: form-data; name="f"\r\n\r\nno file\r\n--x--\r\n',
        b"\x00" * 1000,
        (PART % (b"a", b"1")).replace(b"--x--\r\n", b"") + (PART % (b"b", b"2")).replace(b'"f"', b'"g"'),
    ],
)
def test_a_malformed_upload_is_refused(server, session, body):
    path = f"/_stcore/upload_file/{session}/{uuid.uuid4()}"
    assert 400 <= ask(server, "PUT", path, body, {**token(server), **FORM}) < 500
    assert ask(server, "PUT", path, body, {**token(server), "Content-Type": "text/plain"}) < 500


def test_names_that_are_paths_write_nothing(server, session):
    temporary = server.log.parent / "temporary"
    for file, name in (
        (uuid.uuid4(), b"../../../../tmp/escaped.csv"),
        ("..%2f..%2fescaped", b"a.csv"),
        ("%2e%2e", b"\x00"),
        (uuid.uuid4(), b"C:\\escaped"),
    ):
        assert put(server, session, file, b"a,b\n1,2\n", name) < 500
    assert not list(temporary.rglob("*")), "nothing of an upload is on disk"
    assert ask(server, "DELETE", f"/_stcore/upload_file/{session}/nothing", headers=token(server)) < 500
