"""A class in browsers of their own: a projector and some phones, in one room."""

import re

import pytest

from tests.helpers.accessible import PHONE, change_theme, violations
from tests.helpers.faults import note
from tests.helpers.presenting import PROJECTOR


class Lesson:
    """A room that is open: the teacher's page and the pupils' pages, and its code."""

    def __init__(self, browser, app):
        self._browser, self._app, self._contexts = browser, app, []
        self.errors, self.phones = [], []
        self.projector = self._page(viewport=PROJECTOR)
        self.projector.goto(f"{app}/class")
        self.projector.get_by_role("button", name="Open a room").click()
        self.code = self.projector.locator(".pb-door-code").inner_text()

    def _page(self, **options):
        context = self._browser.new_context(**options)
        self._contexts.append(context)
        page = context.new_page()
        page.set_default_timeout(60_000)
        note(page, self.errors)
        return page

    def join(self, phones=5):
        """Let so many more phones come in, and wait until the projector shows them all."""
        for _ in range(phones):
            phone = self._page(viewport=PHONE, has_touch=True, is_mobile=True)
            phone.goto(f"{self._app}/join?room={self.code}")
            phone.get_by_role("button", name="Come in").tap()
            inside = phone.locator("[data-phone][data-key]:not([data-key=door])")
            phone.get_by_text("You are in").or_(inside).first.wait_for()
            self.phones.append(phone)
        count = len(self.phones)
        self.projector.get_by_text("1 phone is in" if count == 1 else f"{count} phones are in").wait_for()
        return self.phones

    def play(self, title):
        buttons = self.projector.get_by_role("radio", name=title), self.projector.get_by_role("button", name=title)
        buttons[0].or_(buttons[1]).first.click()

    def shown(self, slot, sentence):
        """Wait until the projector says a sentence above its picture; return it."""
        heading = self.projector.locator(".pb-finding", has_text=re.compile(sentence)).first
        heading.wait_for()
        self.projector.locator(f".st-key-chart-{slot} .plot[data-drawn]").wait_for()
        return heading.inner_text()

    def barriers(self):
        """Return what is in the way of people with a screen reader, on projector and phone, in either theme."""
        found = []
        for page in (self.projector, *self.phones[:1]):
            for theme in ("dark", "light"):
                change_theme(page, theme)
                found += [f"{theme}: {each}" for each in violations(page)]
        return found

    def end(self):
        for context in self._contexts:
            context.close()


@pytest.fixture
def lesson(browser, app):
    """A room with nobody in it yet; no page of it may have an error of its own."""
    lesson = Lesson(browser, app)
    yield lesson
    lesson.end()
    assert not lesson.errors, lesson.errors
