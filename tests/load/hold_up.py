"""Thirty visitors who each move a slider every few seconds, and two hundred who come and go.

`make load` runs this.
"""

import argparse
import asyncio
import tempfile
import time
from collections import Counter
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from tests.helpers import moving
from tests.helpers.moving import Moved
from tests.helpers.proxied import Proxied, proxied
from tests.helpers.serving import Server, serving
from tests.helpers.verdict import broken, figures, verdict
from tests.helpers.visitor import Drawn, Visitor

PAGES = [
    *(moving.outsourced(name) for name in ("synthetic", "branin", "loans", "homes", "hospital")),
    *(moving.release(task) for task in ("logistic", "svm")),
    *(moving.federated(agents) for agents in ("family", "schools")),
    *(moving.outsourced(name) for name in ("synthetic", "loans", "homes")),
]
HELD = 2  # pictures asked for while a thumb is held, before it is let go
PACE = 5.0  # seconds between two moves of one visitor
IMPATIENT = 1.5  # seconds after which the panel sends on without an answer, as sliders.js does
LIMIT = 3.0  # seconds from a move to the first updated picture, for 95 of 100 moves
LIMIT_PROXIED = 1.5  # the same with several processes behind a proxy
ROWS = 600_000  # of the table that one visitor uploads while another moves a slider
LOST = 20.0  # seconds after which a move counts as unanswered
FLAT = 60.0  # MB by which the server may grow over two hundred sessions, after as many to warm up


@dataclass
class Book:
    """What was measured, and what was wrong."""

    first: list[float] = field(default_factory=list)
    let_go: list[float] = field(default_factory=list)
    by_page: dict[str, list[float]] = field(default_factory=dict)
    faults: Counter = field(default_factory=Counter)
    reruns: int = 0
    pictures: int = 0
    received: int = 0


class Busy:
    """A visitor with a plan: what it will set, and so what it must and may see, worked out beforehand."""

    def __init__(self, moved: Moved, seed: int) -> None:
        self.moved, self.rng = moved, np.random.default_rng(seed)
        self.plan: list[list[tuple[dict[str, float], object]]] = []
        self.allowed: set[object] = set()
        self.visitor: Visitor | None = None

    async def enter(self, port: int) -> None:
        """Open the page and wait for its first picture and its panel."""
        self.visitor = visitor = await Visitor.arrive(port, self.moved.page, self.moved.query, jar={})
        await visitor.until(lambda: self.moved.slot in visitor.pictures and visitor.page in visitor.panels)

    def prepare(self, moves: int) -> None:
        """Work out the moves: each is a thumb dragged to a new place, by way of others."""
        values = dict(self.visitor.values)
        self.allowed = {self.moved.sign(values)}
        shown = self.moved.read(self.visitor.pictures[self.moved.slot])
        assert shown in self.allowed, f"{self.moved.page} shows {shown}, expected {self.allowed}"
        for _ in range(moves):
            drag = []
            for _ in range(HELD):
                through = self.moved.next(values, self.rng)
                drag.append((through, self.moved.sign(through)))
            values = self.moved.next(values, self.rng)
            drag.append((values, self.moved.sign(values)))
            self.plan.append(drag)

    def seen(self, sign: object, since: float) -> Drawn | None:
        """Return the picture that shows ``sign``, if the latest one does."""
        drawn = self.visitor.pictures.get(self.moved.slot)
        return drawn if drawn and drawn.at >= since and self.moved.read(drawn) == sign else None

    async def learn(self, book: Book, pace: float = PACE) -> None:
        """Go through the plan, one move every ``pace`` seconds."""
        visitor = self.visitor
        await asyncio.sleep(float(self.rng.uniform(0, pace)))
        began = time.perf_counter()
        for number, drag in enumerate(self.plan):
            await asyncio.sleep(max(0.0, began + number * pace - time.perf_counter()))
            first = None
            for values, sign in drag:
                self.allowed.add(sign)
                sent = await visitor.move(values, held=sign is not drag[-1][1])
                first = first or sent
                with suppress(TimeoutError):
                    last = sign is drag[-1][1]
                    await visitor.until(lambda s=sign, t=sent: self.seen(s, t), LOST if last else IMPATIENT)
            own = [d for d in visitor.history if d.slot == self.moved.slot and d.at >= first]
            shown = [d.at for d in own if self.moved.read(d) in {sign for _, sign in drag}]
            final = self.seen(drag[-1][1], first)
            if final is None:
                book.faults["moves without a picture"] += 1
                continue
            book.first.append(shown[0] - first)
            book.by_page.setdefault(self.moved.page, []).append(shown[0] - first)
            book.let_go.append(final.at - sent)

    def check(self, book: Book) -> None:
        """Count pictures that belong to none of this visitor's own settings, and errors on the page."""
        for drawn in self.visitor.history:
            if drawn.slot == self.moved.slot and self.moved.read(drawn) not in self.allowed:
                book.faults["pictures of somebody else's settings"] += 1
        book.faults.update(self.visitor.errors)
        book.reruns += self.visitor.runs
        book.pictures += len(self.visitor.history)
        book.received += self.visitor.bytes
        if self.visitor.closed is not None:
            book.faults["sessions cut off"] += 1


async def hold(server: Server, count: int, seconds: float, book: Book) -> list[Busy]:
    group = [Busy(PAGES[k % len(PAGES)], k) for k in range(count)]
    one_of_each, more = group[: len(PAGES)], group[len(PAGES) :]
    await asyncio.gather(*(one.enter(server.port) for one in one_of_each))
    await quiet(server)
    before = server.resident()
    await asyncio.gather(*(one.enter(server.port) for one in more))
    await quiet(server)
    each = (server.resident() - before) / max(1, len(more))
    print(f"  {count} sessions open; server {server.resident():.0f} MB, {each:.1f} MB for one more session")
    for one in group:
        one.prepare(max(1, round(seconds / PACE)))
    cpu, began = server.busy(), time.perf_counter()
    await asyncio.gather(*(one.learn(book) for one in group))
    spent = time.perf_counter() - began
    cores = (server.busy() - cpu) / spent
    print(f"  {spent:.0f} s of moves; server used {cores:.2f} cores, {server.resident():.0f} MB")
    print(f"  each visitor took {100 * cores / count:.1f} % of a core")
    for one in group:
        one.check(book)
    return group


async def check_ends(group: list[Busy], book: Book, patience: float) -> None:
    compared = 0
    for one in group:
        if one.moved.page != "outsourced":
            continue
        visitor = one.visitor
        with suppress(TimeoutError):
            await visitor.settled(patience)
        if visitor.running:
            book.faults["runs that did not end"] += 1
            continue
        here = moving.regret(one.moved.query["data"], visitor.values)
        there = visitor.pictures["regret"].trace("projection")["y"]
        compared += 1
        if not np.allclose(here, there, rtol=1e-4, atol=1e-4):
            book.faults["regret curves that are not these settings' own"] += 1
    print(f"  {compared} final regret curves compared with curves computed apart")


async def beside_an_upload(server: Server, book: Book) -> None:
    """Let one visitor move a slider while another's large table is received, read and fitted."""
    heavy = await Visitor.arrive(server.port, "data", {"bring": "table"})
    await heavy.until(lambda: "file_uploader" in heavy.widgets.values())
    rng = np.random.default_rng(0)
    rows = "".join(f"{a:.6f},{b:.6f},{c:.6f},{a - b * c:.6f}\n" for a, b, c in rng.random((ROWS, 3)))
    content = f"a,b,c,y\n{rows}".encode()
    one, beside = Busy(PAGES[0], 99), Book()
    await one.enter(server.port)
    one.prepare(15)

    async def bring() -> None:
        await heavy.upload("large.csv", content)
        await heavy.until(lambda: "column" in heavy.pictures and not heavy.running)

    upload = asyncio.create_task(bring())
    await one.learn(beside, 1.0)
    await upload
    one.check(beside)
    await one.visitor.leave()
    await heavy.leave()
    book.faults += beside.faults
    book.faults.update(heavy.errors)
    print(f"beside an upload of {len(content) / 2**20:.0f} MB: move → first updated picture: {figures(beside.first)}")
    if max(beside.first) > LIMIT:
        book.faults["moves held up by somebody else's upload"] += 1


async def come_and_go(server: Server, count: int, at_a_time: int = 8) -> None:
    gate = asyncio.Semaphore(at_a_time)

    async def one(k: int) -> None:
        async with gate:
            busy = Busy(PAGES[k % len(PAGES)], 10_000 + k)
            await busy.enter(server.port)
            sent = await busy.visitor.move(busy.moved.next(busy.visitor.values, busy.rng))
            await busy.visitor.until(lambda: busy.visitor.pictures[busy.moved.slot].at > sent)
            await busy.visitor.leave()

    await asyncio.gather(*(one(k) for k in range(count)))


async def quiet(server: Server, patience: float = 60.0) -> float:
    """Wait until the server has nothing to do; return how long that took."""
    began = time.perf_counter()
    while time.perf_counter() - began < patience:
        before = server.busy()
        await asyncio.sleep(1)
        if server.busy() - before < 0.1:
            break
    return time.perf_counter() - began - 1


async def main(arguments: argparse.Namespace, server: Server | Proxied) -> bool:
    """Run everything, say what did not hold up, and return whether all did.

    Behind a proxy the visitors who move sliders are enough.
    """
    book = Book()
    print(f"{arguments.sessions} sessions, a slider moved in each every {PACE:.0f} s")
    group = await hold(server, arguments.sessions, arguments.seconds, book)
    print(f"  move → first updated picture: {figures(book.first)}")
    for page, values in sorted(book.by_page.items()):
        print(f"    {page:10}: {figures(values)}")
    print(f"  let go → picture of the final setting: {figures(book.let_go)}")
    print(f"  {book.reruns} reruns, {book.pictures} pictures, {book.received / 2**20:.0f} MB sent")
    await check_ends(group, book, 120)
    for one in group:
        await one.visitor.leave()
    print(f"  after all had left, the server was quiet within {await quiet(server):.0f} s")
    p95, limit = float(np.quantile(book.first, 0.95)), LIMIT_PROXIED if arguments.proxy else LIMIT
    measured = [("95 of 100 first pictures after", p95, limit, "s")]
    if not arguments.proxy:
        await beside_an_upload(server, book)
    if arguments.coming and not arguments.proxy:
        await come_and_go(server, arguments.coming)
        await quiet(server)
        before = server.resident()
        await come_and_go(server, arguments.coming)
        await quiet(server)
        grown = server.resident() - before
        print(f"{arguments.coming} more came and went: {before:.0f} → {before + grown:.0f} MB (limit +{FLAT:.0f})")
        measured.append((f"memory grew over {arguments.coming} visits by", grown, FLAT, "MB"))
    log = server.log.read_text()
    if "Traceback" in log:
        book.faults["tracebacks in the server's log"] += log.count("Traceback")
        print(log[-3000:])
    failed = broken(book.faults, measured)
    print(verdict(failed))
    return not failed


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sessions", type=int, default=30)
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--coming", type=int, default=200)
    parser.add_argument("--proxy", type=int, default=0, help="so many processes behind HAProxy, instead of one")
    said = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        alone = ["--server.disconnectedSessionTTL", "2", "--server.fileWatcherType", "none"]  # as the app is served
        with proxied(Path(folder), said.proxy) if said.proxy else serving(Path(folder), options=alone) as app:
            raise SystemExit(not asyncio.run(main(said, app)))
