"""A question to a room: everybody has one answer, and nobody sees any until all are shown."""

import itertools
from collections.abc import Mapping
from types import MappingProxyType

from privbo_core.classroom.room import Experiment, News

_numbers = itertools.count(1)  # what a phone says to one question does not count for the next


class Poll(Experiment):
    """One question with a few options, by key; the words come from whoever asks. ``about``: what they ask it of.

    An answer can be changed until the counts are shown. Then phones hear how many said what, and which option is right
    as soon as that is known (`settle`).
    """

    def __init__(self, about: str, text: str, options: Mapping[str, str]) -> None:
        self.about, self.text, self.options = about, text, MappingProxyType(dict(options))
        self.key = f"poll/{next(_numbers)}"
        self.shown = False
        self.right = ""
        self._answers: dict[int, str | None] = {}

    @property
    def pupils(self) -> int:
        return len(self._answers)

    @property
    def answered(self) -> int:
        return sum(said is not None for said in self._answers.values())

    def counts(self) -> dict[str, int] | None:
        """Return how many gave each answer; None until they are shown."""
        if not self.shown:
            return None
        said = list(self._answers.values())
        return {key: said.count(key) for key in self.options}

    def answer_of(self, pupil: int) -> str | None:
        return self._answers.get(pupil)

    def enter(self, pupil: int) -> None:
        self._answers.setdefault(pupil, None)

    def leave(self, pupil: int) -> None:
        self._answers.pop(pupil, None)

    def answer(self, pupil: int, question: str, value: object) -> News:
        """Take an answer, which may be anything. Once all are shown none counts."""
        if self.shown or question != self.key or pupil not in self._answers:
            return News.NOTHING
        if not isinstance(value, str) or value not in self.options or self._answers[pupil] == value:
            return News.NOTHING
        self._answers[pupil] = value
        return News.SCREEN

    def show(self) -> News:
        if self.shown:
            return News.NOTHING
        self.shown = True
        return News.EVERYBODY

    def settle(self, right: str) -> News:
        """Say which option is right, once: a setting that is changed later makes it another question."""
        if not self.shown or self.right or right not in self.options:
            return News.NOTHING
        self.right = right
        return News.EVERYBODY
