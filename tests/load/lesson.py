"""A class of sixty phones that tap every two seconds, while its teacher drags on another page. `make load` runs it."""

import asyncio
import secrets
import time
from collections import Counter

import numpy as np

from tests.helpers import pupils
from tests.helpers.phones import Phone, Tapping, Teacher, tap, to_the_projector
from tests.helpers.serving import Server
from tests.helpers.verdict import broken, figures
from tests.helpers.visitor import Visitor

PACE = 2.0  # seconds between two taps of one phone
TRIES, TESTS = 20, 5  # what “Be the attacker” asks of each phone
MEDIAN, P95 = 1.0, 2.0  # seconds from a tap to the projector, at most


async def drag(port: int, until: asyncio.Event) -> list[float]:
    """Move a slider of another page, some twice a second, as the teacher's hand does; return how long each took."""
    lesson = pupils.outsourced("hospital")
    teacher = await Visitor.arrive(port, lesson.page, lesson.query)
    await teacher.until(lambda: lesson.slot in teacher.pictures and teacher.page in teacher.panels)
    rng, values, waits = np.random.default_rng(0), dict(teacher.values), []
    while not until.is_set():
        values = lesson.next(values, rng)
        sent = await teacher.move(values)
        await teacher.until(lambda: teacher.answered == teacher.number)
        waits.append(time.perf_counter() - sent)
        await asyncio.sleep(0.5)
    await teacher.leave()
    return waits


async def hold_lesson(server: Server, count: int, faults: Counter) -> tuple[Tapping, list[float]]:
    """Play “Be the attacker” with so many phones to its end; return what was measured, and how the drags went."""
    taken = Tapping()
    teacher = await Teacher.open(server.port, secrets.token_hex(16))
    began = time.perf_counter()
    gate = asyncio.Semaphore(10)

    async def enter() -> Phone:
        async with gate:
            return await Phone.enter(server.port, teacher.code, secrets.token_hex(16))

    phones = await asyncio.gather(*(enter() for _ in range(count)))
    print(f"  {count} phones came in within {time.perf_counter() - began:.1f} s; server {server.resident():.0f} MB")
    await teacher.press("Be the attacker")
    await teacher.press("Envelope 2")
    over = asyncio.Event()
    beside = asyncio.create_task(drag(server.port, over))
    cpu, began = server.busy(), time.perf_counter()
    for label, times in (("Begin", TRIES), ("Open envelope 2", 0), ("Now the paper’s projection", TESTS)):
        pressed = await teacher.press(label)
        await asyncio.gather(*(phone.until(lambda p=phone, at=pressed: p.shown[-1][1] > at) for phone in phones))
        taken.called += [phone.shown[-1][1] - pressed for phone in phones]
        before = teacher.counted[-1][0] if teacher.counted else 0
        rngs = np.random.default_rng(1).spawn(count)
        taps = (tap(phone, times, PACE, rng, taken) for phone, rng in zip(phones, rngs, strict=True))
        sent = [at for each in await asyncio.gather(*taps) for at in each]
        if sent:
            wanted = before + len(sent)
            await teacher.until(lambda wanted=wanted: teacher.counted[-1][0] == wanted)
            taken.projector += to_the_projector(sent, teacher.counted, before)
    spent = time.perf_counter() - began
    print(f"  {spent:.0f} s of taps; server used {(server.busy() - cpu) / spent:.2f} cores, {server.resident():.0f} MB")
    over.set()
    dragged = await beside
    for visitor in (teacher, *phones):
        faults.update(visitor.errors)
        if visitor.closed is not None:
            faults["sessions cut off"] += 1
    await teacher.press("End this room")
    await asyncio.gather(*(phone.until(lambda p=phone: "has ended" in p.screen["text"]) for phone in phones))
    await asyncio.gather(*(visitor.leave() for visitor in (teacher, *phones)))
    return taken, dragged


async def class_holds(server: Server, count: int) -> list[str]:
    faults: Counter = Counter()
    print(f"a class of {count} phones, each tapped every {PACE:.0f} s; its teacher drags on another page")
    taken, dragged = await hold_lesson(server, count, faults)
    print(f"  tap → projector: {figures(taken.projector)}")
    print(f"  tap → the same phone's next screen: {figures(taken.phone)}")
    print(f"  teacher's act → all phones: {figures(taken.called)}")
    print(f"  the teacher's own drags: {figures(dragged)}")
    median, p95 = np.quantile(taken.projector, (0.5, 0.95))
    half = "half of the taps on the projector after", median, MEDIAN, "s"
    return broken(faults, [half, ("95 of 100 taps after", p95, P95, "s")])
