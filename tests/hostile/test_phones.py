"""Phones in a class that do not play by the rules: they change nothing but their own answer, and see nobody else's."""

import asyncio
import json
import secrets

from privbo_core.classroom.limits import ROOMS_FROM_ONE
from tests.helpers.phones import Phone, Teacher
from tests.helpers.visitor import PATIENCE, left

HOSTILE, ELSEWHERE = "203.0.113.1", "203.0.113.2"
WRONG = (("guess/1", "c"), ("door", {"room": []}), ("", None), (None, "a"), ("\ud800", "\ud800"))
ACTS = [
    *(
        {"number": number, "question": "guess/1", "value": "c"}
        for number in (-1, 0, 1.5, float("nan"), float("inf"), "7", None, [], 10**20)
    ),
    *({"number": number, "question": question, "value": value} for number, (question, value) in enumerate(WRONG, 1)),
]
MANY = [{"number": n, "question": "guess/1", "value": "a" * 100} for n in range(3000)]
ANYTHING = [
    *(None, 0, "text", [], [[]], True, {}, [1, 2, 3]),
    *({"said": said} for said in (None, [], "x", {})),
    *({"said": {"acts": acts}} for acts in (None, {}, [None, 1, "x", [], {}], *([act] for act in ACTS), MANY)),
]


async def lesson(server, phones=2):
    teacher = await Teacher.open(server.port, secrets.token_hex(16))
    pupils = [await Phone.enter(server.port, teacher.code, secrets.token_hex(16)) for _ in range(phones)]
    return teacher, pupils


async def attack(teacher, phones):
    """Play “Be the attacker”, up to the first question."""
    await teacher.press("Be the attacker")
    await teacher.press("Envelope 3")
    await teacher.press("Begin")
    await asyncio.gather(*(phone.until(lambda p=phone: p.screen["key"] == "guess/1") for phone in phones))


async def over(teacher, *visitors):
    """End the room; nothing on any page has gone wrong."""
    await teacher.press("End this room")
    await teacher.until(lambda: "Open a room" in teacher.buttons)
    await left(teacher, *visitors)


async def test_a_phone_that_sends_anything_changes_nothing_but_its_own_answer(server):
    teacher, (hostile, other) = await lesson(server)
    await attack(teacher, [hostile, other])
    before, counted = dict(other.screen), len(teacher.counted)
    for state in ANYTHING:
        for part in ("privbo_thumbs", "privbo_browser"):
            await hostile.after(hostile.tell_part(part, state))
    assert other.screen == before
    assert all(count == 0 for count, _ in teacher.counted[counted:]), "none of it was an answer"
    await other.answer("a")
    await other.until(lambda: other.screen["key"] == "guess/2")
    await teacher.until(lambda: teacher.counted[-1][0] == 1)
    assert not hostile.errors
    await over(teacher, hostile, other)


POSTED = [
    *((body, 400) for body in (b"", b"\xff", b"[" * 4000, b"{", b"NaN,")),
    *((body, 403) for body in (b"null", b"[]", b"1" * 4096, b"{}")),
    (b"{" + b" " * 4096, 413),
    *(({"secret": secret}, 403) for secret in (None, "", "0" * 32, "\ud800", ["x"])),
    *(({"room": room}, 403) for room in ("AAAAAA", ["x"], "", None, "\ud800")),
    *(({"question": question}, 403) for question in (7, None, {})),
    *(({"question": question}, 200) for question in ("", "guess/2", "door", "\ud800", "x" * 3000)),
    *(({"value": value}, 200) for value in (None, "c", [], {}, True, "a" * 3000, [[[[]]]], "\ud800", 1e300)),
]
"""What is posted in place of an answer, or changed in it, and the status of the reply."""


async def test_an_answer_that_is_posted_counts_for_whoever_knows_the_phone_s_secret_and_for_nobody_else(server):
    teacher, (hostile, other) = await lesson(server)
    await attack(teacher, [hostile, other])
    right = {"question": "guess/1", "value": "a"} | hostile.post
    for posted, status in POSTED:
        body = posted if isinstance(posted, bytes) else json.dumps(right | posted).encode()
        while (told := hostile.tell(right["to"], body)[0]) == 429:  # too many in a second
            await asyncio.sleep(0.3)
        assert told == status, posted
    for kind in ("text/plain", "application/x-www-form-urlencoded", "application/json; x=y", ""):
        assert hostile.tell(right["to"], json.dumps(right).encode(), kind)[0] == 415, "a page elsewhere could send it"
    assert hostile.tell(right["to"], json.dumps(right | {"secret": other.post["secret"][::-1]}).encode())[0] == 403
    assert (other.screen["key"], sum(count for count, _ in teacher.counted)) == ("guess/1", 0)
    shown = b""
    async with asyncio.timeout(PATIENCE):
        while b"guess/2" not in shown:  # it is heard again a second after it has said so much
            await asyncio.sleep(0.3)
            shown = hostile.tell(right["to"], json.dumps(right).encode())[1]
    assert other.name not in shown.decode()
    await teacher.until(lambda: teacher.counted and teacher.counted[-1][0] == 1)
    await teacher.press("End this room")
    await hostile.until(lambda: "has ended" in hostile.screen["text"])
    assert hostile.tell(right["to"], json.dumps(right).encode())[0] == 403
    await left(teacher, hostile, other)


async def test_a_phone_that_floods_is_not_heard_and_holds_nobody_up(server):
    teacher, (hostile, other) = await lesson(server)
    await attack(teacher, [hostile, other])
    for number in range(1, 200):
        acts = [{"number": 100 * number + k, "question": f"guess/{k}", "value": "b"} for k in range(1, 21)]
        await hostile.tell_part("privbo_thumbs", {"said": {"acts": acts}})
    for k in range(1, 4):
        await other.answer("a")
        await other.until(lambda key=f"guess/{k + 1}": other.screen["key"] == key)
    await teacher.until(lambda: teacher.counted and teacher.counted[-1][0] >= 3)
    assert teacher.counted[-1][0] <= 3 + 20, "its own tries, and no more"
    assert not hostile.errors
    await over(teacher, hostile, other)


async def test_a_phone_sees_nothing_of_anothers_answers(server):
    teacher, (one, other) = await lesson(server)
    await attack(teacher, [one, other])
    seen = one.bytes
    for k in range(1, 6):
        await other.answer("ab"[k % 2])
        await other.until(lambda key=f"guess/{k + 1}": other.screen["key"] == key)
    await teacher.until(lambda: teacher.counted and teacher.counted[-1][0] == 5)
    assert one.screen["key"] == "guess/1"
    assert one.bytes == seen, "a phone is told nothing while only another answers"
    assert other.name not in json.dumps([one.screen, one.words, one.html])
    assert one.name != other.name
    await over(teacher, one, other)


async def test_buttons_of_the_teacher_are_nothing_to_a_phone(server):
    teacher, (hostile, other) = await lesson(server)
    await attack(teacher, [hostile, other])
    await other.answer("a")
    await teacher.until(lambda: {"End this room", "Open envelope 3"} <= set(teacher.buttons))
    page = await Teacher.arrive(server.port, "class")
    await page.introduce(secrets.token_hex(16))
    await page.until(lambda: "Open a room" in page.buttons)
    for visitor in (hostile, page):
        for label in ("End this room", "Close the door", "Open envelope 3"):
            message = visitor.request()
            message.rerun_script.widget_states.widgets.add(id=teacher.buttons[label], trigger_value=True)
            await visitor.after(visitor.send(message))
    await other.until(lambda: other.screen["key"] == "guess/2")
    await other.answer("a")
    await other.until(lambda: other.screen["key"] == "guess/3")
    await teacher.until(lambda: teacher.counted and teacher.counted[-1][0] == 2)
    late = await Phone.enter(server.port, teacher.code, secrets.token_hex(16))
    assert late.screen["key"] == "guess/1", "the room is there, and its door open"
    await over(teacher, hostile, other, page, late)


async def test_another_browser_does_not_get_the_room(server):
    teacher, _ = await lesson(server, phones=0)
    for claimed in ("", "not a secret", "0" * 32, ["x"], {"a": 1}, "F" * 32, None):
        other = await Teacher.arrive(server.port, "class", {"room": teacher.code})
        await other.until(lambda other=other: "privbo_browser" in other.parts and not other.running)
        await other.tell_part("privbo_browser", {"secret": claimed})
        await other.until(lambda other=other: other.runs > 1 and not other.running)
        assert other.code == ""
        assert teacher.code not in json.dumps([other.words, other.html, other.labels])
        assert "End this room" not in other.buttons
        await left(other)
    await over(teacher)


async def test_a_browser_that_has_said_who_it_is_cannot_become_another(server):
    secret = secrets.token_hex(16)
    teacher = await Teacher.open(server.port, secret)
    victim = await Phone.enter(server.port, teacher.code, secrets.token_hex(16), "Ada")
    hostile = await Phone.enter(server.port, teacher.code, secrets.token_hex(16), "Eve")
    await hostile.after(hostile.tell_part("privbo_browser", {"secret": secret}), lambda: hostile.name)
    assert hostile.name.startswith("Eve")
    assert victim.name.startswith("Ada")
    await over(teacher, victim, hostile)


async def test_a_phone_that_reloads_or_was_asleep_is_who_it_was_and_weighs_once(server):
    teacher, (other,) = await lesson(server, phones=1)
    secret = secrets.token_hex(16)
    phone = await Phone.enter(server.port, teacher.code, secret, "Ada")
    await attack(teacher, [phone, other])
    await phone.answer("a")
    await phone.until(lambda: phone.screen["key"] == "guess/2")
    await phone.leave()
    again = await Phone.enter(server.port, teacher.code, secret, "Somebody else")
    assert again.name == phone.name
    assert again.screen["key"] == "guess/2"
    both = await Phone.enter(server.port, teacher.code, secret)  # two tabs at once
    await again.answer("b")
    await again.until(lambda: again.screen["key"] == "guess/3")
    both.act = 40
    await both.answer("b")
    await both.until(lambda: both.screen["key"] == "guess/3")
    await teacher.until(lambda: teacher.counted and teacher.counted[-1][0] == 2)
    assert " ".join(teacher.seen).count("<li>Ada</li>") >= 1
    await over(teacher, other, again, both)


async def test_whatever_is_said_at_the_door_leads_nowhere(server):
    hostile = await Phone.arrive(server.port, "join", {"room": "<script>", "key": "x" * 5000})
    await hostile.introduce(secrets.token_hex(16))
    await hostile.until(lambda: hostile.screen.get("key") == "door")
    entered = ((None, {}), (["A"], 5), ({"a": 1}, ""), ("<script>" * 10_000, "\ud800"), (10**20, [None]))
    for value in (None, [], 7, "x", {}, {"room": {"a": 1}}, *({"room": room, "name": name} for room, name in entered)):
        await hostile.after(hostile.answer(value), lambda: not hostile.running)
        assert hostile.screen["key"] == "door"
    await left(hostile)


async def test_codes_that_are_tried_stop_who_tries_and_nobody_behind_the_same_address(server):
    teacher, (inside,) = await lesson(server, phones=1)
    hostile = await Phone.arrive(server.port, "join")
    await hostile.introduce(secrets.token_hex(16))
    await hostile.until(lambda: hostile.screen.get("key") == "door")
    for code in [*(f"ABCD{number}" for number in range(22, 44)), teacher.code]:
        await hostile.after(hostile.answer({"room": code, "name": "x"}), lambda: not hostile.running)
    assert hostile.screen["key"] == "door"
    assert hostile.screen["text"].startswith("Too many wrong codes")
    late = await Phone.enter(server.port, teacher.code, secrets.token_hex(16))
    await attack(teacher, [inside, late])
    await over(teacher, inside, late, hostile)


async def test_browsers_that_are_made_up_leave_rooms_to_others(server):
    opened = [await Teacher.open(server.port, secrets.token_hex(16), address=HOSTILE) for _ in range(ROOMS_FROM_ONE)]
    refused = await Teacher.arrive(server.port, "class", address=HOSTILE)
    await refused.introduce(secrets.token_hex(16))
    await refused.press("Open a room")
    await refused.until(lambda: any("rooms have been opened from your network" in said for said in refused.words))
    elsewhere = [await Teacher.open(server.port, secrets.token_hex(16), address=ELSEWHERE) for _ in range(2)]
    await left(refused)
    for teacher in (*opened, *elsewhere):
        await over(teacher)
