"""Two processes behind HAProxy: one is killed under forty visitors, and a class's phones find their room."""

import asyncio
import secrets
from dataclasses import replace

import numpy as np
import pytest

from privbo_core.classroom.limits import ROOMS_FROM_ONE
from tests.helpers import pupils
from tests.helpers.phones import Phone, Teacher
from tests.helpers.proxied import Returning, proxied, until_all_serve
from tests.helpers.visitor import ask

VISITORS = 40
PACE = 6.0  # seconds between two moves of one visitor
FEW = {"runs": "2"}  # simulations: what counts here is who answers
LESSONS = [
    replace(lesson, query=lesson.query | FEW)
    for lesson in (pupils.outsourced("synthetic"), pupils.outsourced("loans"), pupils.release("logistic"))
]


@pytest.fixture(scope="module")
def served(tmp_path_factory):
    with proxied(tmp_path_factory.mktemp("served")) as both:
        yield both


class Seat:
    """One visitor who moves a slider again and again; every picture has to be of the setting made last."""

    def __init__(self, number: int) -> None:
        self.lesson, self.rng = LESSONS[number % len(LESSONS)], np.random.default_rng(number)
        self.visitor: Returning | None = None

    async def open(self, port: int) -> None:
        self.visitor = visitor = await Returning.open(port, self.lesson.page, self.lesson.query)
        await visitor.seen(lambda: self.lesson.slot in visitor.pictures and visitor.page in visitor.panels)

    def shows(self, visitor: Returning) -> object:
        return self.lesson.read(visitor.pictures[self.lesson.slot]) if self.lesson.slot in visitor.pictures else None

    async def move(self) -> None:
        values = self.lesson.next(self.visitor.values, self.rng)
        sign = self.lesson.sign(values)
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
    for seat in [seat for seat, place in zip(seats, on, strict=True) if place == "p1"][: len(LESSONS)]:
        sign = seat.lesson.sign(seat.visitor.values)
        await seat.visitor.settled()
        again = await Returning.open(served.port, seat.lesson.page, seat.visitor.query)
        await again.seen(lambda again=again, seat=seat, sign=sign: seat.shows(again) == sign)
        await again.leave()
    for visitor in everybody:
        await visitor.leave()
    # The process that was killed is started anew, and gets visitors again.
    await asyncio.to_thread(until_all_serve, served)


async def find_the_room(served) -> None:
    await asyncio.to_thread(until_all_serve, served)
    teachers = []
    while {teacher.place for teacher in teachers} != {"p1", "p2"}:
        jar: dict[str, str] = {}
        teacher = await Teacher.open(served.port, secrets.token_hex(16), jar)
        teacher.place = jar["PRIVBO"]
        teachers.append(teacher)
        assert len(teachers) < 12
    phones = []
    for teacher in teachers:
        # However a phone comes: for the first time, or with a cookie of this process or of the other.
        for before in ({}, {"PRIVBO": "p1"}, {"PRIVBO": "p2", "other": "1"}, {"other": "2", "PRIVBO": "no"}):
            jar = dict(before)
            phone = await Phone.enter(served.port, teacher.code, secrets.token_hex(16), jar=jar)
            assert jar["PRIVBO"] == teacher.place
            assert phone.screen["key"] == "lobby"
            assert teacher.code in phone.name
            phones.append(phone)
    await wrong_codes(served, teachers)
    # A code that is typed on the other process: the phone is led to the one that has the room.
    code, place = teachers[0].code, teachers[0].place
    jar = {"PRIVBO": "p1" if place == "p2" else "p2"}
    typing = await Phone.arrive(served.port, "join", jar=jar)
    await typing.introduce(secrets.token_hex(16))
    await typing.until(lambda: typing.screen.get("key") == "door")
    await typing.answer({"room": f"{code[:3]} {code[3:].lower()}", "name": "Ada"})
    await typing.until(lambda: typing.screen["key"] == "elsewhere")
    assert typing.screen["data"]["go"] == f"?room={code}"
    await typing.leave()
    phone = await Phone.enter(served.port, code, secrets.token_hex(16), "Ada", jar)
    assert phone.name.startswith("Ada")
    assert jar["PRIVBO"] == place
    phones.append(phone)
    # The process with the room dies: the room is gone, and a phone that comes says so.
    served.kill(place)
    await phone.until(lambda: phone.closed is not None, 30) if phone.closed is None else None
    served_by_other = await Phone.arrive(served.port, "join", {"room": code}, jar=jar)
    await served_by_other.introduce(secrets.token_hex(16))
    await served_by_other.until(lambda: served_by_other.screen.get("key") == "door")
    await served_by_other.answer({"room": code, "name": ""})
    await served_by_other.until(lambda: "room" in served_by_other.screen["text"])
    said = served_by_other.screen["text"]
    assert "not open any more" in said or "no room with this code" in said  # the latter if it has been started anew
    assert not served_by_other.errors


async def wrong_codes(served, teachers) -> None:
    """A code that nobody has given gets a sentence, wherever it leads."""
    codes = {teacher.code for teacher in teachers}
    for code in ("222222", "ZZZZZZ"):
        assert code not in codes
        phone = await Phone.arrive(served.port, "join", {"room": code}, jar={})
        await phone.introduce(secrets.token_hex(16))
        await phone.until(lambda phone=phone: phone.screen.get("key") == "door")
        await phone.answer({"room": code, "name": ""})
        await phone.until(lambda phone=phone: "There is no room with this code" in phone.screen["text"])
        await phone.leave()


def test_one_process_is_killed_under_forty_visitors(served):
    asyncio.run(lose_one(served))


def test_phones_reach_the_room_of_their_teacher(served):
    asyncio.run(find_the_room(served))


async def pretend(served) -> bool:
    """Open rooms on one process, each as if from another address; return whether that comes to an end."""
    jar: dict[str, str] = {}
    for number in range(ROOMS_FROM_ONE + 1):
        teacher = await Teacher.arrive(served.port, "class", jar=jar, address=f"203.0.113.{number}")
        await teacher.introduce(secrets.token_hex(16))
        await teacher.press("Open a room")
        await teacher.until(lambda t=teacher: t.code or any("opened from your network" in said for said in t.words))
        await teacher.leave()
        if not teacher.code:
            return True
    return False


def test_what_a_visitor_says_of_its_address_does_not_count(served):
    assert asyncio.run(pretend(served))


def test_nothing_failed_in_the_processes(served):
    assert "Traceback" not in served.log.read_text()


def test_a_page_says_so_while_no_process_is_there(served):
    served.script.terminate()
    served.script.wait(60)
    status, headers, said = ask(served.port, "GET", "/")
    assert status == 503
    assert ("content-type", "text/html; charset=utf-8") in headers
    assert b"tries again by itself" in said
