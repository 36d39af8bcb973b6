"""A table that arrives stays in memory, also the first one of a process, however that was started and is ended."""

import asyncio
import http.client
import os
import re
import signal
import time
import uuid
from pathlib import Path

import pytest

from tests.helpers.serving import serving
from tests.helpers.visitor import FORM, Visitor, form, token

LARGE = b"1," * 3_500_000  # seven megabytes
OPEN_FILES = Path("/proc/self/fd")
OURS = ("-m", "privbo_app")


def files_on_disk(process, temporary):
    """Return the ordinary files below a folder, or already unlinked, that a process holds open."""
    found = []
    for descriptor in Path(f"/proc/{process}/fd").iterdir():
        try:
            target = os.readlink(descriptor)
        except FileNotFoundError:
            continue
        if target.startswith(str(temporary)) or target.endswith("(deleted)"):
            found.append(target)
    return found


def send_and_watch(server, path):
    """Send a large file to a path, all but its end; return what is on disk meanwhile, and the status in the end."""
    body, headers = form(b"large.csv", LARGE), token(server.port) | FORM
    connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=60)
    connection.putrequest("PUT", path)
    for name, value in {**headers, "Content-Length": str(len(body))}.items():
        connection.putheader(name, value)
    connection.endheaders()
    connection.send(body[:-10])
    deadline, seen = time.monotonic() + 3, []
    while time.monotonic() < deadline and not seen:  # as long as it takes to arrive
        seen = files_on_disk(server.process.pid, server.log.parent)
        seen = [name for name in seen if not name.endswith("log.txt")]
        time.sleep(0.05)
    connection.send(body[-10:])
    status = connection.getresponse().status
    connection.close()
    return seen, status


@pytest.mark.skipif(not OPEN_FILES.exists(), reason="only Linux tells which files a process has open")
@pytest.mark.parametrize("program", [("-m", "streamlit", "run", "app.py"), OURS], ids=" ".join)
async def test_a_large_table_is_not_written_to_the_disk_and_an_interrupted_server_has_not_failed(tmp_path, program):
    with serving(tmp_path, options=["--server.maxUploadSize", "20"], program=program) as server:
        visitor = await Visitor.arrive(server.port, "data")
        await visitor.until(lambda: visitor.session)  # its page has only begun, and is the first of all
        path = f"/_stcore/upload_file/{visitor.session}/{uuid.uuid4()}"
        seen, status = await asyncio.to_thread(send_and_watch, server, path)
        await visitor.leave()
        if program == OURS:
            server.process.send_signal(signal.SIGINT)
            assert server.process.wait(60) == 0
    assert not re.search("Aborted|Traceback", server.log.read_text())
    assert seen == []
    assert status < 300
