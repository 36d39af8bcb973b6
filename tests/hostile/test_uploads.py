"""Uploads past the page: too large, malformed, to somebody else's session, under names that are paths."""

import asyncio
import uuid

import pytest

from tests.helpers.numbers import numbers
from tests.helpers.visitor import FORM, Visitor, ask, form, put, token

NOWHERE = "00000000-0000-0000-0000-000000000000"


def place(session, file=None):
    return f"/_stcore/upload_file/{session}/{file or uuid.uuid4()}"


@pytest.fixture
def session(server):
    with asyncio.Runner() as runner:
        visitor = runner.run(Visitor.arrive(server.port, "data"))
        runner.run(visitor.until(lambda: visitor.session))
        yield visitor.session
        runner.run(visitor.leave())


def test_a_file_that_is_too_large_is_refused(server, session):
    assert put(server.port, place(session), b"a.csv", b"a,b\n") == 204
    assert put(server.port, place(session), b"a.csv", b"1," * 600_000) == 413
    headers = token(server.port) | FORM
    assert ask(server.port, "PUT", place(session), b"", headers | {"Content-Length": str(10**15)})[0] == 413
    pieces = (b"0" * 65_536 for _ in range(40))  # sent without a length
    assert ask(server.port, "PUT", place(session), pieces, headers)[0] in (400, 413)


def test_a_request_from_another_site_is_refused(server, session):
    assert ask(server.port, "PUT", place(session), form(b"a", b"b"), FORM)[0] == 403
    assert ask(server.port, "DELETE", place(session))[0] == 403


@pytest.mark.parametrize("somebody", [NOWHERE, "..", "%2e%2e", "x" * 3000])
def test_nobody_uploads_to_a_session_that_is_not_there(server, somebody):
    assert put(server.port, place(somebody), b"a.csv", b"a,b\n1,2\n") >= 400


async def test_of_many_files_a_session_keeps_the_last(server):
    visitor = await Visitor.arrive(server.port, "data")
    await visitor.until(lambda: "file_uploader" in visitor.widgets.values() and not visitor.running)
    files = [(f"{k}.csv", b"a,b\n" + b"1,2\n" * (k + 1000)) for k in range(30)]
    places = [(*each, await visitor.send_file(*each)) for each in files]
    read = set()
    for each in (places[0], places[17], places[18], places[29]):
        await visitor.after(visitor.say_uploaded(*each), lambda: not visitor.running)
        said = {*numbers(" ".join(visitor.words))}
        read |= {k for k in range(30) if k + 1000 in said}
    assert read == {18, 29}
    await visitor.leave()


def test_a_malformed_upload_is_refused(server, session):
    for body in (
        b"",
        b"--x\r\n",
        b"--x--\r\n",
        b"--x\r\n\r\n\r\n--x--\r\n",
        b'--x\r\nContent-Disposition: form-data; name="f"\r\n\r\nno file\r\n--x--\r\n',
        b"\x00" * 1000,
        form(b"a", b"1").removesuffix(b"--x--\r\n") + form(b"b", b"2", b"g"),
    ):
        assert 400 <= ask(server.port, "PUT", place(session), body, token(server.port) | FORM)[0] < 500, body
        plain = token(server.port) | {"Content-Type": "text/plain"}
        assert 400 <= ask(server.port, "PUT", place(session), body, plain)[0] < 500, body


def test_names_that_are_paths_write_nothing(server, session):
    for path, name in (
        (place(session), b"../../../../tmp/escaped.csv"),
        (place(session, "..%2f..%2fescaped"), b"a.csv"),
        (place(session, "%2e%2e"), b"\x00"),
        (place(session), b"C:\\escaped"),
    ):
        assert put(server.port, path, name, b"a,b\n1,2\n") < 500
    assert not list((server.log.parent / "temporary").rglob("*")), "nothing of an upload is on disk"
    assert ask(server.port, "DELETE", place(session, "nothing"), headers=token(server.port))[0] < 500


async def test_a_file_that_was_forgotten_is_there_for_nobody(server):
    visitor = await Visitor.arrive(server.port, "data")
    await visitor.until(lambda: visitor.uploaders and not visitor.running)
    content = b"a,b\n" + b"1,2\n" * 77

    async def read_after(act):
        await visitor.after(act, lambda: not visitor.running)
        return any(77 in numbers(text) for text in visitor.words)

    place = await visitor.send_file("mine.csv", content)
    assert await read_after(visitor.say_uploaded("mine.csv", content, place))
    assert not await read_after(visitor.press("Clear my data"))
    assert not await read_after(visitor.say_uploaded("mine.csv", content, place))
    await visitor.leave()
