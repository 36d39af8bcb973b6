"""A visitor with a table of their own, who goes from page to page, and one who sees what the process knows of it."""

import asyncio
import socket
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import urlencode

import numpy as np
from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.web.server.starlette.starlette_app_utils import generate_xsrf_token_string
from websockets.asyncio.client import connect

from tests.helpers.serving import free_port, serving
from tests.helpers.visitor import LARGEST, Visitor

MARK = "hushhush"
"""In the name of the file, of each of its columns, and in its cells."""
AMOUNT = 77123.4567
"""A cell of its first input."""
WATCHED = Path(__file__).parent / "watched.py"


class Person(Visitor):
    """Knows each control by its label, and stays in one session while going to other pages."""

    def __init__(self, *arguments) -> None:
        self.controls: dict[str, str] = {}
        super().__init__(*arguments)

    async def go(self, page: str, query: dict[str, object]) -> None:
        """Go to another page of the app, as a click on its name does; wait until its script has come to its end."""
        self.page, self.hash, self.query = page, "", urlencode(query)
        self.values, self.controls, self.panels = {}, {}, {}
        ran = self.runs
        await self.rerun()
        await self.at_rest(ran)

    async def at_rest(self, ran: int) -> None:
        """Wait until the script has run more than so many times, and is not running any more."""
        await self.until(lambda: self.runs > ran)
        quiet = 0
        while quiet < 5:
            await asyncio.sleep(0.1)
            quiet = 0 if self.running else quiet + 1

    @classmethod
    async def at(cls, port: int, page: str, query: dict[str, object], browser: str = "") -> "Person":
        """Open a tab of a browser, which is told from others by its cookie; that is masked anew for each tab."""
        masked = generate_xsrf_token_string(browser.encode(), 1)
        headers = {"Cookie": f"_streamlit_xsrf={masked}"} if browser else {}
        address = f"ws://127.0.0.1:{port}/_stcore/stream"
        socket = await connect(
            address,
            subprotocols=["streamlit"],
            max_size=LARGEST,
            compression=None,
            proxy=None,
            additional_headers=headers,
        )
        person = cls(socket, port, page)
        person.query = urlencode(query)
        await person.rerun()
        await person.at_rest(0)
        return person

    async def press(self, label: str) -> None:
        """Press a button, and wait for what comes of it."""
        message: BackMsg = self.request()
        message.rerun_script.widget_states.widgets.add(id=self.controls[label], trigger_value=True)
        await self._act(message)

    async def choose(self, label: str, option: str) -> None:
        """Choose from a list."""
        message: BackMsg = self.request()
        message.rerun_script.widget_states.widgets.add(id=self.controls[label], string_value=option)
        await self._act(message)

    async def open(self, label: str) -> None:
        """Open a popover."""
        message: BackMsg = self.request()
        message.rerun_script.widget_states.widgets.add(id=self.controls[label], bool_value=True)
        await self._act(message)

    async def bring(self, name: str, content: bytes) -> None:
        """Upload a table, agree to what Data proposes, and wait until the page has made of it what it makes."""
        await self.until(lambda: "file_uploader" in self.widgets.values())
        ran = self.runs
        await self.upload(name, content)
        await self.until(lambda: "Forget my data" in self.controls)
        await self.at_rest(ran)
        if self.page == "data":
            ran = self.runs
            await self.agree()
            await self.at_rest(ran)

    async def _act(self, message: BackMsg) -> None:
        ran = self.runs
        await self.send(message)
        await self.at_rest(ran)

    def _take(self, message) -> None:
        super()._take(message)
        if message.WhichOneof("type") == "delta" and message.delta.WhichOneof("type") == "add_block":
            popover = message.delta.add_block.popover
            if popover.id:
                self.controls[popover.label] = popover.id

    def _element(self, element) -> None:
        super()._element(element)
        kind = element.WhichOneof("type")
        part = getattr(element, kind) if kind else None
        if getattr(part, "label", "") and hasattr(part, "id"):
            self.controls[part.label] = part.id


def table() -> bytes:
    """Return a table of a person's own, whose outcome follows from its inputs."""
    x = np.random.default_rng(0).random((80, 2))
    rows = [f"{MARK}{k},{AMOUNT * a:.4f},{b:.4f},{np.sin(5 * a) + b:.4f}" for k, (a, b) in enumerate(x)]
    names = f"{MARK} who,{MARK} first,{MARK} second,{MARK} outcome"
    return "\n".join([names, f"{MARK},{AMOUNT},0.3,1.4", *rows, ""]).encode()


def scores() -> bytes:
    """Return what came of somebody's tuning: a score for each setting."""
    settings = np.geomspace(AMOUNT / 1e4, AMOUNT, 40)
    rows = [f"{setting:.4f},{0.8 - 0.02 * k / 40:.4f}" for k, setting in enumerate(settings)]
    return "\n".join([f"{MARK} setting,{MARK} score", *rows, ""]).encode()


def sites() -> bytes:
    """Return what agents of one's own have measured, a row each."""
    doses = np.linspace(0, AMOUNT, 12)
    rows = [f"{MARK} {n},{dose:.4f},{np.sin(dose / 2e4 + n / 10):.4f}" for n in range(4) for dose in doses]
    return "\n".join([f"{MARK} site,{MARK} dose,{MARK} effect", *rows, ""]).encode()


class Watched:
    """A running app with somebody inside."""

    def __init__(self, port: int, inside: int, log: Path) -> None:
        self.port, self.inside, self.log = port, inside, log

    def knows(self) -> list[str]:
        """Return what in the process still holds something of the table, a line each."""
        with socket.create_connection(("127.0.0.1", self.inside)) as way, way.makefile("rw") as line:
            line.write(f"{MARK} {AMOUNT}\n")
            line.flush()
            return line.read().splitlines()

    async def forgets(self, patience: float = 60.0) -> list[str]:
        """Wait until nothing is known any more; return what still is after all that patience."""
        end = time.monotonic() + patience
        while (found := await asyncio.to_thread(self.knows)) and time.monotonic() < end:
            await asyncio.sleep(1)
        return found


@contextmanager
def watched(folder: Path) -> Iterator[Watched]:
    """Start the app with somebody inside, and stop it in the end. A closed tab may come back for two seconds."""
    inside = free_port()
    program, options = (str(WATCHED), str(inside), "run", "app.py"), ["--server.disconnectedSessionTTL", "2"]
    with serving(folder, options=options, program=program) as server:
        yield Watched(server.port, inside, server.log)
