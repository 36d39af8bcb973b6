"""A class without browsers: a teacher's page and pupils' phones, in Streamlit's messages."""

import asyncio
import http.client
import json
import re
import time
from dataclasses import dataclass, field

import numpy as np

from tests.helpers.visitor import PATIENCE, Visitor

COUNTED = re.compile(r"pb-value[^>]*>[\d,]+ of ([\d,]+)")


class Browser(Visitor):
    """A visitor whose browser is known again by a secret."""

    def __init__(self, *arguments) -> None:
        super().__init__(*arguments)
        self.parts: dict[str, tuple[str, dict, float]] = {}
        self.buttons: dict[str, str] = {}

    def _take(self, message) -> None:
        if message.WhichOneof("type") == "new_session":
            self.buttons = {}
        super()._take(message)

    def _element(self, element) -> None:
        super()._element(element)
        kind = element.WhichOneof("type")
        if kind == "bidi_component":
            part = element.bidi_component
            name = part.component_name.rpartition(".")[2]
            self.parts[name] = part.id, json.loads(part.json) if part.json else {}, time.perf_counter()
        elif kind in ("button", "button_group"):
            said = getattr(element, kind)
            if not said.disabled:
                self.buttons[said.label] = said.id

    async def tell_part(self, name: str, state: dict) -> float:
        """Set a component's state, and send it with all that was set before, as a browser does; return when."""
        self.state[self.parts[name][0]] = json.dumps(state)
        sent = time.perf_counter()
        await self.rerun()
        return sent

    async def introduce(self, secret: str) -> None:
        await self.until(lambda: "privbo_browser" in self.parts)
        await self.tell_part("privbo_browser", {"secret": secret})


class Phone(Browser):
    """A pupil's phone. ``screen`` is what it shows; ``shown``: each screen's key, and when it came."""

    def __init__(self, *arguments) -> None:
        super().__init__(*arguments)
        self.screen: dict = {}
        self.post: dict | None = None
        self.line = http.client.HTTPConnection("127.0.0.1", self.port, timeout=PATIENCE)
        self.name = ""
        self.ack = self.act = 0
        self.order: list = []
        self.shown: list[tuple[str, float]] = []

    def _element(self, element) -> None:
        super()._element(element)
        if "privbo_thumbs" in self.parts:
            _, data, at = self.parts["privbo_thumbs"]
            self.ack, self.post = data["ack"], data["post"]
            self._show(data, at)

    def _show(self, data: dict, at: float) -> None:
        if data["order"] < self.order:
            return
        if data["screen"]["key"] != self.screen.get("key"):
            self.shown.append((data["screen"]["key"], at))
        self.screen, self.name, self.order = data["screen"], data["name"], data["order"]

    @classmethod
    async def enter(
        cls, port: int, code: str, secret: str, nickname: str = "", jar: dict[str, str] | None = None
    ) -> "Phone":
        """Come into a room, as after its code was photographed. ``jar``: the browser's cookies."""
        phone = await cls.arrive(port, "join", {"room": code}, jar=jar)
        await phone.introduce(secret)
        await phone.until(lambda: phone.screen.get("key") not in (None, "wait"))
        if phone.screen["key"] == "door":
            await phone.answer({"room": code, "name": nickname})
            await phone.until(lambda: phone.screen["key"] != "door")
        return phone

    async def answer(self, value: object) -> float:
        """Answer what is asked now, and return when: by itself, or at the door and where that fails by a run."""
        if self.post:
            sent = time.perf_counter()
            told = {"question": self.screen["key"], "value": value} | self.post
            status, shown = await asyncio.to_thread(self.tell, self.post["to"], json.dumps(told).encode())
            if status == 200:
                self._show(json.loads(shown), time.perf_counter())
                self._news.set()
                return sent
        self.act += 1
        act = {"number": self.act, "question": self.screen["key"], "value": value}
        return await self.tell_part("privbo_thumbs", {"said": {"acts": [act]}})

    def tell(self, path: str, body: bytes, kind: str = "application/json") -> tuple[int, bytes]:
        """Post something; return status and content. A line that the server let go is opened anew, as browsers do."""
        try:
            self.line.request("POST", path, body, {"Content-Type": kind})
            answer = self.line.getresponse()
        except ConnectionError:
            self.line.close()
            self.line.request("POST", path, body, {"Content-Type": kind})
            answer = self.line.getresponse()
        return answer.status, answer.read()


class Teacher(Browser):
    """The teacher's page, as it is projected. ``counted``: how many answers the picture shows, and when it came."""

    def __init__(self, *arguments) -> None:
        super().__init__(*arguments)
        self.counted: list[tuple[int, float]] = []
        self.seen: list[str] = []

    def _element(self, element) -> None:
        super()._element(element)
        if element.WhichOneof("type") == "html":
            body = element.html.body
            self.seen = [*self.seen[-40:], body]
            tiles = [COUNTED.search(tile) for tile in body.split('class="pb-tile') if "most anybody" not in tile]
            if found := [int(tile[1].replace(",", "")) for tile in tiles if tile]:
                self.counted.append((sum(found), time.perf_counter()))

    @classmethod
    async def open(cls, port: int, secret: str, jar: dict[str, str] | None = None, address: str = "") -> "Teacher":
        teacher = await cls.arrive(port, "class", jar=jar, address=address)
        await teacher.introduce(secret)
        await teacher.press("Open a room")
        await teacher.until(lambda: teacher.code)
        return teacher

    @property
    def code(self) -> str:
        found = re.findall(r'class="pb-door-code"[^>]*>(\w+)<', " ".join(self.seen))
        return found[-1] if found else ""

    async def press(self, label: str) -> float:
        await self.until(lambda: label in self.buttons)
        message = self.request()
        message.rerun_script.widget_states.widgets.add(id=self.buttons[label], trigger_value=True)
        sent = time.perf_counter()
        await self.send(message)
        return sent


@dataclass
class Tapping:
    """Seconds: from a tap to the projector and to the same phone's next screen; from an act to each phone."""

    projector: list[float] = field(default_factory=list)
    phone: list[float] = field(default_factory=list)
    called: list[float] = field(default_factory=list)


async def tap(phone: Phone, times: int, pace: float, rng: np.random.Generator, taken: Tapping) -> list[float]:
    """Answer so often, one answer every ``pace`` seconds, whatever is asked: A or B; return when."""
    sent = []
    await asyncio.sleep(float(rng.uniform(0, pace)))
    began = time.perf_counter()
    for number in range(times):
        await asyncio.sleep(max(0.0, began + number * pace - time.perf_counter()))
        key = phone.screen["key"]
        sent.append(await phone.answer("ab"[rng.integers(2)]))
        await phone.until(lambda key=key: phone.screen["key"] != key)
        taken.phone.append(time.perf_counter() - sent[-1])
    return sent


def to_the_projector(sent: list[float], counted: list[tuple[int, float]], before: int) -> list[float]:
    """Return, for each answer in the order in which they were sent, how long it took until so many were shown."""
    waits = []
    for number, at in enumerate(sorted(sent), start=before + 1):
        shown = [when for count, when in counted if count >= number and when >= at]
        waits.append(shown[0] - at if shown else float("inf"))
    return waits
