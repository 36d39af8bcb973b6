"""Two processes behind HAProxy: one is killed under forty visitors, who go on."""

import asyncio
from dataclasses import replace

import numpy as np
import pytest

from tests.helpers import moving
from tests.helpers.proxied import Returning, proxied, until_all_serve
from tests.helpers.visitor import ask

VISITORS = 40
PACE = 6.0  # seconds between two moves of one visitor
FEW = {"runs": "2"}  # simulations: what counts here is who answers
PAGES = [
    replace(page, query=page.query | FEW)
    for page in (moving.outsourced("synthetic"), moving.outsourced("loans"), moving.release("logistic"))
]


@pytest.fixture(scope="module")
def served(tmp_path_factory):
    with proxied(tmp_path_factory.mktemp("served")) as both:
        yield both


class Seat:
    """One visitor who moves a slider again and again; every picture has to be of the setting made last."""

    def __init__(self, number: int) -> None:
        self.moved, self.rng = PAGES[number % len(PAGES)], np.random.default_rng(number)
        self.visitor: Returning | None = None

    async def open(self, port: int) -> None:
        self.visitor = visitor = await Returning.open(port, self.moved.page, self.moved.query)
        await visitor.seen(lambda: self.moved.slot in visitor.pictures and visitor.page in visitor.panels)

    def shows(self, visitor: Returning) -> object:
        return self.moved.read(visitor.pictures[self.moved.slot]) if self.moved.slot in visitor.pictures else None

    async def move(self) -> None:
        values = self.moved.next(self.visitor.values, self.rng)
        sign = self.moved.sign(values)
        await self.visitor.move(values)
        await self.visitor.seen(lambda: self.shows(self.visitor) == sign)

    async def work(self, moves: int, pace: float) -> None:
        await asyncio.sleep(float(self.rng.uniform(0, pace)))
        for _ in range(moves):
            await self.move()
            await asyncio.sleep(pace)


async def lose_one(served) -> None:
    seats = [Seat(number) for number in range(VISITORS)]
    for group in range(0, VISITORS, 8):
        await asyncio.gather(*(seat.open(served.port) for seat in seats[group : group + 8]))
    on = [seat.visitor.at for seat in seats]
    assert {on.count("p1"), on.count("p2")} <= set(range(VISITORS // 4, VISITORS)), on  # shared out
    work = [asyncio.create_task(seat.work(2, PACE)) for seat in seats]
    await asyncio.sleep(PACE)
    served.kill("p1")
    # Nobody is told to begin anew: each goes on, and sees the picture of the setting that was made last.
    await asyncio.wait_for(asyncio.gather(*work), 150)
    lost = [seat.visitor for seat, place in zip(seats, on, strict=True) if place == "p1"]
    kept = [seat.visitor for seat, place in zip(seats, on, strict=True) if place == "p2"]
    assert all(visitor.away for visitor in lost)
    assert not any(visitor.away for visitor in kept), "somebody else was cut off"
    everybody = [seat.visitor for seat in seats]
    assert not [visitor.errors for visitor in everybody if visitor.errors]
    assert not any(visitor.covered for visitor in everybody), "a page said that there is no connection"
    away = [visitor.away[0] for visitor in lost]
    print(
        f"{len(lost)} visitors lost their process and were back after {np.median(away):.1f} s, {max(away):.1f} at most"
    )
    # What they set is in the address too: a page that is opened anew shows the same.
    for seat in [seat for seat, place in zip(seats, on, strict=True) if place == "p1"][: len(PAGES)]:
        sign = seat.moved.sign(seat.visitor.values)
        await seat.visitor.settled()
        again = await Returning.open(served.port, seat.moved.page, seat.visitor.query)
        await again.seen(lambda again=again, seat=seat, sign=sign: seat.shows(again) == sign)
        await again.leave()
    for visitor in everybody:
        await visitor.leave()
    # The process that was killed is started anew, and gets visitors again.
    await asyncio.to_thread(until_all_serve, served)


def test_one_process_is_killed_under_forty_visitors(served):
    asyncio.run(lose_one(served))


def test_nothing_failed_in_the_processes(served):
    assert "Traceback" not in served.log.read_text()


def test_a_page_says_so_while_no_process_is_there(served):
    served.script.terminate()
    served.script.wait(60)
    status, headers, said = ask(served.port, "GET", "/")
    assert status == 503
    assert ("content-type", "text/html; charset=utf-8") in headers
    assert b"tries again by itself" in said
