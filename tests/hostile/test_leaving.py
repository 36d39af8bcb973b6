"""Sessions that end in the middle of a computation, and a server that does."""

import asyncio
import os
import signal
import subprocess
import time
import uuid

import pytest

from tests.helpers.heavy_files import packed, repeated
from tests.helpers.serving import free_port, serving
from tests.helpers.visitor import Visitor

LONG = {"runs": 40, "N": 300, "T": 100}  # minutes of work
LITTLE = 12.0  # seconds of processor time; what is left, if it went on, takes minutes of it


async def idle(server, seconds=60.0):
    """Return the processor time that the server spends until it has nothing more to do."""
    began, start = server.busy(), time.monotonic()
    while time.monotonic() - start < seconds:
        before = server.busy()
        await asyncio.sleep(0.7)
        if server.busy() - before < 0.05:
            break
    return server.busy() - began


@pytest.mark.parametrize(
    ("page", "query", "slot"),
    [
        ("federated", LONG, "privacy"),
        ("outsourced", {"data": "homes", "T": 200, "runs": 200, "release": "both"}, "condition"),
    ],
)
async def test_the_work_of_a_closed_session_ends(server, page, query, slot):
    # Several at once, as when a class closes its laptops; each has settings of its own.
    visitors = [await Visitor.arrive(server.port, page, {**query, "delta_ucb": 0.01 * k, "q": 0.1 * k}) for k in (1, 2)]
    for visitor in visitors:
        await visitor.until(lambda v=visitor: v.pictures)
    before = server.busy()
    async with asyncio.timeout(60):
        while server.busy() - before < 0.5:  # there is work to be ended
            await asyncio.sleep(0.1)
    for visitor in visitors:
        assert visitor.running
        await visitor.leave()
    assert await idle(server) < LITTLE


@pytest.mark.parametrize(
    ("page", "query", "name", "heavy"),
    [
        ("data", {}, "heavy.csv.gz", lambda: packed(b"a,b\n1,2\n3,4\n" + b"x\n" * 30_000_000)),
        ("data", {}, "heavy.csv", lambda: repeated("1,5;" * 999 + "2,5\n", 900_000, ";".join("abcd" * 250) + "\n")),
    ],
)
async def test_a_heavy_file_is_not_read_on_for_a_closed_session(server, page, query, name, heavy):
    visitor = await Visitor.arrive(server.port, page, query)
    await visitor.until(lambda: visitor.uploaders and not visitor.running)
    data, before = heavy(), server.busy()
    await visitor.upload(name, data)
    async with asyncio.timeout(60):
        while server.busy() - before < 1.5 and not visitor.alerts:  # it is being read, or was refused
            await asyncio.sleep(0.1)
    await visitor.leave()
    assert await idle(server) < LITTLE


@pytest.mark.long
async def test_a_session_that_asks_for_a_stop_is_left_in_peace(server):
    visitor = await Visitor.arrive(server.port, "federated", {**LONG, "q": 0.77})
    await visitor.until(lambda: "federated" in visitor.panels)
    for _ in range(5):
        await visitor.see_moved({"z": 2})
    await visitor.leave()
    assert await idle(server) < LITTLE


async def test_a_killed_server_leaves_nothing_behind_and_comes_back(tmp_path):
    port = free_port()
    mark = f"secret{uuid.uuid4().hex}"

    async def before():
        visitor = await Visitor.arrive(port, "data", {"bring": "table"})
        await visitor.until(lambda: "file_uploader" in visitor.widgets.values())
        rows = "".join(f"{mark},{k},{k % 7}\n" for k in range(20_000))
        await visitor.upload("mine.csv", f"{mark},x,y\n{rows}".encode())
        await visitor.until(lambda: "Clear my data" in visitor.labels)
        return visitor.session

    async def after(old):
        visitor = await Visitor.arrive(port, "data", session=old)
        await visitor.until(lambda: visitor.labels and not visitor.running)
        assert visitor.session != old
        assert "Clear my data" not in visitor.labels
        assert not visitor.errors
        assert not any(mark in text for text in visitor.words)
        await visitor.leave()

    with serving(tmp_path, port) as server:
        session = await before()
        os.kill(server.process.pid, signal.SIGKILL)
        server.process.wait(20)
    assert not list((tmp_path / "temporary").rglob("*"))
    found = subprocess.run(["grep", "-rl", mark, str(tmp_path), ".streamlit", "static"], capture_output=True, text=True)
    assert not found.stdout
    with serving(tmp_path, port):
        await after(session)
