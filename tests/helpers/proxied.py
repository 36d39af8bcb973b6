"""Several processes of the app behind HAProxy on this machine, and visitors who come back as a browser does."""

import asyncio
import http.client
import os
import random
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from types import SimpleNamespace

from websockets.exceptions import ConnectionClosed, InvalidHandshake

from tests.helpers.serving import ROOT, Server
from tests.helpers.visitor import Visitor, ask, dial, look_in

READY = 120.0  # seconds
RETRIES_UNTIL_SHOWN = 6  # tries after which Streamlit's page says that there is no connection
FIRST_RETRY, LONGEST_RETRY = 0.5, 15.0  # seconds; each wait is twice the last


@dataclass
class Proxied:
    """What serves: the script that starts the processes, the proxy's port, the first process's port."""

    script: subprocess.Popen
    port: int
    first: int
    processes: int
    log: Path

    def process(self, name: str) -> Server:
        port = self.first + int(name[1:]) - 1
        children = Path(f"/proc/{self.script.pid}/task/{self.script.pid}/children").read_text().split()
        for child in children:
            with suppress(OSError):
                if str(port) in Path(f"/proc/{child}/cmdline").read_text().split("\0"):
                    return Server(SimpleNamespace(pid=int(child)), port, self.log)
        raise ProcessLookupError(name)

    @property
    def each(self) -> list[Server]:
        return [self.process(f"p{k}") for k in range(1, self.processes + 1)]

    def busy(self) -> float:
        return sum(server.busy() for server in self.each)

    def resident(self) -> float:
        return sum(server.resident() for server in self.each)

    def kill(self, name: str) -> None:
        """End a process at once, as a lack of memory does."""
        os.kill(self.process(name).process.pid, signal.SIGKILL)


@contextmanager
def proxied(folder: Path, processes: int = 2) -> Iterator[Proxied]:
    """Start the processes by deploy/serve.py and HAProxy with the configuration that belongs to them."""
    first, port = free_ports(processes), free_ports(1)
    log, configuration = folder / "log.txt", folder / "haproxy.cfg"
    serve = [sys.executable, str(ROOT / "deploy" / "serve.py"), "--processes", str(processes), "--port", str(first)]
    configuration.write_bytes(subprocess.run([*serve, "--haproxy"], capture_output=True, check=True).stdout)
    listen = {"PRIVBO_LISTEN": f"127.0.0.1:{port}"}
    with log.open("a") as output:
        said = {"stdout": output, "stderr": subprocess.STDOUT}
        script = subprocess.Popen([*serve, "--", "--server.disconnectedSessionTTL", "5"], **said)
        proxy = subprocess.Popen(["haproxy", "-db", "-f", str(configuration)], env={**os.environ, **listen}, **said)
        try:
            for each in (*range(first, first + processes), port):
                until_healthy(each, log)
            both = Proxied(script, port, first, processes, log)
            until_all_serve(both)
            yield both
        finally:
            for each in (script, proxy):
                each.terminate()
                each.wait(30)


def free_ports(count: int) -> int:
    """Return the first of so many ports in a row that nobody listens on."""
    # Below those that the system gives to outgoing connections: a process finds its port free when it comes back.
    while True:
        first = random.randrange(15000, 32000)
        with suppress(OSError), ExitStack() as several:
            for each in range(first, first + count):
                several.enter_context(socket.socket()).bind(("127.0.0.1", each))
            return first


def until_healthy(port: int, log: Path) -> None:
    deadline = time.monotonic() + READY
    while True:
        with suppress(OSError, http.client.HTTPException):
            if ask(port, "GET", "/_stcore/health")[0] == 200:
                return
        assert time.monotonic() < deadline, log.read_text()
        time.sleep(0.1)


def until_all_serve(served: Proxied) -> None:
    deadline, places = time.monotonic() + READY, set()
    while len(places) < served.processes:
        assert time.monotonic() < deadline, served.log.read_text()
        jar: dict[str, str] = {}
        if look_in(served.port, "/", jar) == 200:
            places.add(jar["PRIVBO"])
        time.sleep(0.1)


class Returning(Visitor):
    """A visitor whose browser comes back by itself when its connection ends, as Streamlit's page does.

    The page keeps what its sliders say. It asks for a run only if one is under way or wanted; else what is shown stays.
    """

    def __init__(self, *arguments) -> None:
        super().__init__(*arguments)
        self.jar: dict[str, str] = {}
        self.away: list[float] = []
        self.covered = 0
        self.below = ""
        self._gone = False
        self._keeper: asyncio.Task | None = None
        self._telling: asyncio.Task | None = None

    @classmethod
    async def open(cls, port: int, page: str, query: dict[str, object] | str = "", jar=None) -> "Returning":
        jar = {} if jar is None else jar
        visitor = await cls.arrive(port, page, query, jar=jar)
        visitor.jar = jar
        visitor._keeper = asyncio.create_task(visitor._keep())
        return visitor

    @property
    def at(self) -> str:
        return self.jar["PRIVBO"]

    async def leave(self) -> None:
        self._gone = True
        await super().leave()
        await self._keeper

    async def tell(self, controls: object) -> None:
        """Send what the panel says. While there is no connection, it is kept."""
        identity, _ = self.panels[self.page]
        self.state[identity] = self.panel_state(controls)
        with suppress(ConnectionClosed):
            await self.rerun()

    async def seen(self, shown) -> None:
        while True:
            with suppress(ConnectionError):
                return await self.until(shown, READY)
            await asyncio.sleep(0.1)

    def _element(self, element) -> None:
        super()._element(element)
        if element.WhichOneof("type") != "bidi_component" or self.page not in self.panels:
            return
        _, data = self.panels[self.page]
        taken = self.below not in (data["session"], "") and self.number > data["ack"]
        self.below = data["session"]
        if taken:  # a session that does not know what was moved last: the panel tells it
            self._telling = asyncio.create_task(self.move({}))

    async def _keep(self) -> None:
        while True:
            await self._listener
            if self._gone:
                return
            left, wait, tries = time.perf_counter(), FIRST_RETRY, 0
            while not await self._back():
                tries += 1
                self.covered += tries == RETRIES_UNTIL_SHOWN
                await asyncio.sleep(wait)
                wait = min(2 * wait, LONGEST_RETRY)
            self.away.append(time.perf_counter() - left)

    async def _back(self) -> bool:
        try:
            for path in ("/_stcore/health", "/_stcore/host-config"):
                if await asyncio.to_thread(look_in, self.port, path, self.jar) != 200:
                    return False
            self.socket = await dial(self.port, self.session, self.jar)
        except (OSError, http.client.HTTPException, InvalidHandshake, TimeoutError):
            return False
        self.closed = None
        self._listener = asyncio.create_task(self._listen())
        if self.running or not self.runs or self.answered < self.number:
            await self.rerun()
        return True
