"""A class whose network fails goes on: what was tapped meanwhile arrives, and everybody is who they were."""

import contextlib
import os
import socket
import threading
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import expect


class Wireless:
    """Passes on what comes to a port of its own, while it is on."""

    def __init__(self, address: str) -> None:
        self._to = (urlsplit(address).hostname, urlsplit(address).port)
        self._on, self._open = True, set()
        self._lock = threading.Lock()
        self._door = socket.create_server(("127.0.0.1", 0))
        self.address = f"http://127.0.0.1:{self._door.getsockname()[1]}"
        threading.Thread(target=self._accept, daemon=True).start()

    def off(self) -> None:
        with self._lock:
            self._on = False
            for end in self._open:
                _cut(end)
            self._open.clear()

    def on(self) -> None:
        with self._lock:
            self._on = True

    def close(self) -> None:
        self.off()
        self._door.close()

    def _accept(self) -> None:
        while True:
            try:
                near, _ = self._door.accept()
            except OSError:
                return
            with self._lock:
                if not self._on:
                    _cut(near)
                    continue
                far = socket.create_connection(self._to)
                self._open |= {near, far}
            for source, target in ((near, far), (far, near)):
                threading.Thread(target=self._pass_on, args=(source, target), daemon=True).start()

    def _pass_on(self, source: socket.socket, target: socket.socket) -> None:
        with contextlib.suppress(OSError):
            while data := source.recv(65536):
                target.sendall(data)
        for end in (source, target):
            _cut(end)
        with self._lock:
            self._open -= {source, target}


def _cut(end: socket.socket) -> None:
    with contextlib.suppress(OSError):
        end.shutdown(socket.SHUT_RDWR)
    end.close()


AWAY = float(os.environ.get("PRIVBO_OFFLINE", "4")) * 1000  # milliseconds


@pytest.fixture
def wireless(app):
    network = Wireless(app)
    yield network
    network.close()


@pytest.fixture
def lesson_there(lesson, wireless):
    """A room whose phones are in that network; two are in it, and asked for the first time."""
    lesson._app = wireless.address
    lesson.join(2)
    lesson.play("Be the attacker")
    lesson.projector.get_by_role("button", name="Envelope 2").click()
    lesson.projector.get_by_text("Envelope 2 it is").wait_for()
    lesson.projector.get_by_role("button", name="Begin").click()
    for phone in lesson.phones:
        phone.get_by_text("1 of 20: which").wait_for()
    return lesson


def names(lesson):
    return [phone.locator(".who").inner_text() for phone in lesson.phones]


@pytest.mark.long
def test_a_tap_without_a_network_arrives_once_it_is_back(lesson_there, wireless):
    lesson = lesson_there
    first, second = lesson.phones
    before = names(lesson)
    wireless.off()
    first.wait_for_timeout(500)
    first.get_by_role("button", name="A", exact=True).tap()
    first.get_by_text("Your answer is kept").wait_for()
    expect(first.get_by_role("button", name="A", exact=True)).to_have_attribute("aria-pressed", "true")
    first.wait_for_timeout(AWAY)
    assert first.get_by_text("Connection error").locator("visible=true").count() == 0
    first.get_by_role("button", name="B", exact=True).tap()  # another thought, still without a network
    expect(first.get_by_role("button", name="B", exact=True)).to_have_attribute("aria-pressed", "true")
    expect(first.get_by_role("button", name="A", exact=True)).to_have_attribute("aria-pressed", "false")
    assert lesson.projector.get_by_text("tries so far").count() == 0
    wireless.on()
    first.get_by_text("2 of 20: which").wait_for()
    lesson.projector.get_by_text("of 1 tries so far").wait_for()
    expect(first.get_by_text("Your answer is kept")).to_have_count(0)
    second.get_by_role("button", name="B", exact=True).tap()
    second.get_by_text("2 of 20: which").wait_for()
    lesson.projector.get_by_text("of 2 tries so far").wait_for()
    assert names(lesson) == before
    lesson.projector.get_by_text("2 phones are in").wait_for()


@pytest.mark.long
def test_what_the_class_did_meanwhile_is_there_when_the_network_is_back(lesson_there, wireless):
    lesson = lesson_there
    before = names(lesson)
    lesson.phones[0].get_by_role("button", name="A", exact=True).tap()
    lesson.projector.get_by_text("of 1 tries so far").wait_for()
    wireless.off()
    lesson.projector.get_by_role("button", name="Open envelope 2").click()
    lesson.projector.get_by_role("button", name="Now the paper’s projection").wait_for()
    lesson.phones[0].wait_for_timeout(AWAY)
    wireless.on()
    for phone in lesson.phones:
        phone.get_by_text("The envelope is open").wait_for()
    assert names(lesson) == before


@pytest.mark.long
def test_a_phone_or_a_teacher_who_reloads_goes_on_where_they_were(lesson_there):
    lesson = lesson_there
    phone, projector, before = lesson.phones[0], lesson.projector, names(lesson)
    for number, letter in ((2, "A"), (3, "B")):
        phone.get_by_role("button", name=letter, exact=True).tap()
        phone.get_by_text(f"{number} of 20: which").wait_for()
        phone.reload()
        phone.get_by_text(f"{number} of 20: which").wait_for()
        assert names(lesson) == before
    projector.get_by_text("of 2 tries so far").wait_for()
    projector.reload()
    projector.get_by_text("of 2 tries so far").wait_for()
    phone.get_by_role("button", name="A", exact=True).tap()
    projector.get_by_text("of 3 tries so far").wait_for()
    assert projector.locator(".pb-door-code").inner_text() == lesson.code
    projector.get_by_role("button", name="Open envelope 2").click()
    for each in lesson.phones:
        each.get_by_text("The envelope is open").wait_for()
