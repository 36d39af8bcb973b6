"""A visitor without a browser: speaks to the app as the browser does, over one websocket, in Streamlit's messages."""

import asyncio
import http.client
import json
import re
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from urllib.parse import urlencode

from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.Common_pb2 import FileURLs
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from streamlit.proto.NewSession_pb2 import Config
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed

PATIENCE = 120.0  # seconds
FORM = {"Content-Type": "multipart/form-data; boundary=x"}
LARGEST = 64 * 2**20  # bytes of one message


@dataclass
class Drawn:
    """A figure as it arrived: in which run of the page's script, and when."""

    slot: str
    alt: str
    text: str
    run: int
    at: float

    @property
    def figure(self) -> dict:
        return json.loads(self.text)

    def trace(self, name: str) -> dict:
        return next(trace for trace in self.figure["data"] if trace.get("name") == name)


def ask(port: int, method: str, path: str, body: object = None, headers: dict[str, str] | None = None):
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=PATIENCE)
    try:
        connection.request(method, path, body, headers or {})
        answer = connection.getresponse()
        return answer.status, answer.getheaders(), answer.read()
    except (BrokenPipeError, ConnectionResetError):
        return 413, [], b""  # the server hung up on a body that it did not want
    finally:
        connection.close()


def token(port: int) -> dict[str, str]:
    _, headers, _ = ask(port, "GET", "/_stcore/health")
    cookie = next(text.split(";")[0] for name, text in headers if name.lower() == "set-cookie")
    return {"Cookie": cookie, "X-Xsrftoken": cookie.partition("=")[2]}


def look_in(port: int, path: str, jar: dict[str, str]) -> int:
    """Ask for a path with a browser's cookies, keep those that come back, and return the status."""
    status, headers, _ = ask(port, "GET", path, headers=carried(jar))
    for name, text in headers:
        if name.lower() == "set-cookie":
            key, _, value = text.split(";")[0].partition("=")
            jar[key] = value
    return status


def carried(jar: dict[str, str] | None) -> dict[str, str]:
    return {"Cookie": "; ".join(f"{name}={value}" for name, value in jar.items())} if jar else {}


async def dial(port: int, session: str = "", jar: dict[str, str] | None = None) -> ClientConnection:
    """Open the websocket; ``session``: the one to come back to."""
    return await connect(
        f"ws://127.0.0.1:{port}/_stcore/stream",
        subprotocols=["streamlit", (jar or {}).get("_streamlit_xsrf", "no-token"), *([session] if session else [])],
        additional_headers=carried(jar),
        max_size=LARGEST,
        compression=None,
        proxy=None,
    )


def form(name: bytes, content: bytes, field: bytes = b"f") -> bytes:
    head = b'--x\r\nContent-Disposition: form-data; name="%s"; filename="%s"\r\nContent-Type: text/csv\r\n\r\n'
    return head % (field, name) + content + b"\r\n--x--\r\n"


def put(port: int, path: str, name: bytes, content: bytes) -> int:
    return ask(port, "PUT", path, form(name, content), token(port) | FORM)[0]


_MAIN_PANEL = re.compile(r"^(\w+)/(?!more$|solve$)\w+$")
"""The name of a page's main panel, if it has one for each choice of data: it goes by the page's own name."""


class Visitor:
    """One session. `arrive` opens it; `move` sets sliders as the panel does; `leave` closes the tab."""

    def __init__(self, socket: ClientConnection, port: int, page: str) -> None:
        self.socket, self.port, self.page = socket, port, page
        self.query, self.hash, self.session = "", "", ""
        self.values: dict[str, object] = {}
        self.panels: dict[str, tuple[str, dict]] = {}
        self.widgets: dict[str, str] = {}
        self.pictures: dict[str, Drawn] = {}
        self.history: list[Drawn] = []
        self.errors: list[str] = []
        self.words: list[str] = []
        self.html: list[str] = []
        self.labels: list[str] = []
        self.alerts: list[str] = []
        self.asked_to_press: dict[str, str] = {}
        self.uploaders: dict[str, str] = {}
        self.places: list = []
        self.state: dict[str, str] = {}
        self.runs = self.number = self.messages = self.bytes = 0
        self.running = False
        self.settings = Config()
        self.closed: int | None = None
        self._news = asyncio.Event()
        self._listener = asyncio.create_task(self._listen())

    @classmethod
    async def arrive(
        cls,
        port: int,
        page: str,
        query: dict[str, object] | str = "",
        session: str = "",
        jar: dict | None = None,
    ) -> "Visitor":
        """Open a session at a page's address; ``session``: the one to come back to. ``jar``: a browser's cookies.

        With a jar the page itself is opened first, as a browser does.
        """
        query = query if isinstance(query, str) else urlencode(query)
        if jar is not None:
            await asyncio.to_thread(look_in, port, f"/{page}?{query}", jar)
        visitor = cls(await dial(port, session, jar), port, page)
        visitor.query = query
        await visitor.rerun()
        return visitor

    async def leave(self) -> None:
        await self.socket.close()
        await self._listener

    async def send(self, message: BackMsg | bytes | str) -> None:
        await self.socket.send(message.SerializeToString() if isinstance(message, BackMsg) else message)

    def request(self) -> BackMsg:
        """Return a request to run the page's script, as the browser would send it now."""
        message = BackMsg()
        state = message.rerun_script
        state.query_string = self.query
        state.page_script_hash = self.hash
        if not self.hash:
            state.page_name = self.page
        state.context_info.url = f"http://127.0.0.1/{self.page}"
        state.context_info.color_scheme = "light"
        state.widget_states.SetInParent()
        for identity, text in self.state.items():  # what components keep
            state.widget_states.widgets.add(id=identity, json_value=text)
        return message

    async def rerun(self) -> None:
        await self.send(self.request())

    async def tell(self, controls: object) -> None:
        """Send ``controls`` as the slider panel's state, whatever it is."""
        message = self.request()
        identity, _ = self.panels[self.page]
        message.rerun_script.widget_states.widgets.add(id=identity, json_value=self.panel_state(controls))
        await self.send(message)

    def panel_state(self, controls: object) -> str:
        """Return the state of the slider panel with these ``controls``, whatever they are."""
        _, data = self.panels[self.page]
        return json.dumps({"report": {"epoch": data["epoch"], **controls} if isinstance(controls, dict) else controls})

    async def after(self, act: Awaitable, happened: Callable[[], object] = lambda: True) -> None:
        """Do something, and wait until the script has run for it, and something is so."""
        before = self.runs
        await act
        await self.until(lambda: self.runs > before and happened())

    async def move(self, values: dict[str, object], held: bool = False) -> float:
        """Set sliders as the panel does and return when; ``held``: the thumb is still being held."""
        self.values.update(values)
        self.number += 1
        sent = time.perf_counter()
        await self.tell({"values": self.values, "number": self.number, "dragging": held})
        return sent

    async def see_moved(self, values: dict[str, object], held: bool = False) -> None:
        await self.move(values, held)
        await self.until(lambda: self.answered == self.number)

    async def upload(self, name: str, content: bytes, label: str = "") -> None:
        """Put a file into the uploader that is called so, as the browser does: ask where to, send it there, say so."""
        await self.say_uploaded(name, content, await self.send_file(name, content), label)

    async def send_file(self, name: str, content: bytes) -> FileURLs:
        """Send a file to this session, without a word of which control it is for; return where it is."""
        wanted = BackMsg()
        wanted.file_urls_request.file_names.append(name)
        wanted.file_urls_request.session_id = self.session
        await self.send(wanted)
        await self.until(lambda: self.places)
        place = self.places.pop()
        status = await asyncio.to_thread(put, self.port, place.upload_url, name.encode(), content)
        assert status < 300, status
        return place

    async def say_uploaded(self, name: str, content: bytes, place: FileURLs, label: str = "") -> None:
        """Say that a file that was sent is for the uploader that is called so."""
        uploader = next(identity for said, identity in self.uploaders.items() if said.startswith(label))
        message = self.request()
        state = message.rerun_script.widget_states.widgets.add(id=uploader).file_uploader_state_value
        state.uploaded_file_info.add(name=name, size=len(content), file_id=place.file_id, file_urls=place)
        await self.send(message)

    async def press(self, label: str) -> None:
        """Press the button whose name begins so, as soon as it is there."""
        await self.until(lambda: any(each.startswith(label) for each in self.asked_to_press))
        message = self.request()
        (button,) = [identity for each, identity in self.asked_to_press.items() if each.startswith(label)]
        message.rerun_script.widget_states.widgets.add(id=button, trigger_value=True)
        await self.send(message)

    async def until(self, happened: Callable[[], object], patience: float = PATIENCE) -> None:
        """Wait until something is so; raise TimeoutError if it does not come, ConnectionError if the socket closed."""
        async with asyncio.timeout(patience):
            while not happened():
                if self.closed is not None:
                    raise ConnectionError(f"closed with code {self.closed}")
                self._news.clear()
                await self._news.wait()

    @property
    def answered(self) -> int:
        return int(self.panels[self.page][1]["ack"]) if self.page in self.panels else -1

    async def settled(self, patience: float = PATIENCE) -> None:
        await self.until(lambda: self.runs and not self.running and self.answered >= self.number, patience)

    async def _listen(self) -> None:
        try:
            async for data in self.socket:
                message = ForwardMsg()
                message.ParseFromString(data)
                self.messages += 1
                self.bytes += len(data)
                self._take(message)
                self._news.set()
        except ConnectionClosed:
            pass
        self.closed = self.socket.close_code or 0
        self._news.set()

    def _take(self, message: ForwardMsg) -> None:
        kind = message.WhichOneof("type")
        if kind == "new_session":
            self.runs += 1
            self.running = True
            self.words, self.html, self.labels, self.alerts = [], [], [], []
            self.session = message.new_session.initialize.session_id
            self.settings = message.new_session.config
        elif kind == "script_finished":
            self.running = self.running and message.script_finished == ForwardMsg.FINISHED_EARLY_FOR_RERUN
        elif kind == "navigation":
            self.hash = message.navigation.page_script_hash
        elif kind == "page_info_changed":
            self.query = message.page_info_changed.query_string
        elif kind == "file_urls_response":
            self.places = list(message.file_urls_response.file_urls)
        elif kind == "delta" and message.delta.WhichOneof("type") == "new_element":
            self._element(message.delta.new_element)

    def _element(self, element) -> None:
        kind = element.WhichOneof("type")
        if kind == "exception":
            self.errors.append(f"{element.exception.type}: {element.exception.message}")
        elif kind == "html":
            self.words.append(element.html.body)
            self.html.append(element.html.body)
        elif kind in ("markdown", "alert"):
            self.words.append(getattr(element, kind).body)
            self.alerts += [element.alert.body] if kind == "alert" else []
        elif kind == "bidi_component":
            part = element.bidi_component
            data = json.loads(part.json) if part.json else {}
            if part.component_name.endswith("privbo_ui_sliders"):
                name = _MAIN_PANEL.sub(r"\1", part.id.rpartition("-")[2])
                self.panels[name] = part.id, data
                if name == self.page and not self.values:
                    self.values = {slider["key"]: slider["value"] for slider in data["sliders"]}
            elif part.component_name.endswith("privbo_ui_chart"):
                drawn = Drawn(data["slot"], data["alt"], data["figure"], self.runs, time.perf_counter())
                self.pictures[drawn.slot] = drawn
                self.history.append(drawn)
        elif kind and hasattr(getattr(element, kind), "id"):
            self.widgets[getattr(element, kind).id] = kind
            self.labels.append(str(getattr(getattr(element, kind), "label", "")))
            if kind == "file_uploader":
                self.uploaders[element.file_uploader.label] = element.file_uploader.id
            if kind == "button":
                self.asked_to_press[element.button.label] = element.button.id


async def left(*visitors: Visitor) -> None:
    for visitor in visitors:
        assert not visitor.errors
        await visitor.leave()
