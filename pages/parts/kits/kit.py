"""What a teacher's kit is: aims, two plans with links, exercises with their solutions, what is likely misunderstood."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal
from urllib.parse import urlencode

Numbers = tuple[float, ...]


@dataclass(frozen=True)
class Link:
    """A view of the app: the page as its address names it, and the settings that stand there."""

    text: str
    page: str
    settings: tuple[tuple[str, str], ...] = ()

    def address(self, base: str) -> str:
        """Return where the view is, given the app's own address; relative to the app if that is not known."""
        query = f"?{urlencode(self.settings)}" if self.settings else ""
        return f"{base.rstrip('/')}/{self.page}{query}" if base else f"{self.page}{query}"


@dataclass(frozen=True)
class Stretch:
    """Some minutes of a plan: what happens in them, and which views are shown."""

    minutes: int
    text: str
    links: tuple[Link, ...] = ()


@dataclass(frozen=True)
class Exercise:
    """A question whose ``numbers`` are computed when the kit is made; ``solution`` says them in a sentence."""

    question: str
    numbers: Callable[[], Numbers]
    solution: Callable[..., str]

    def solved(self) -> str:
        """Compute the solution, and say it."""
        return self.solution(*self.numbers())


@dataclass(frozen=True)
class Doubt:
    """What is likely misunderstood, and what to answer."""

    said: str
    answer: str


@dataclass(frozen=True)
class Kit:
    """All that a teacher needs for one lesson or one experiment. ``name`` is that of the lesson or of the experiment.

    ``needs``: what has to be there beforehand. ``short`` takes 20 minutes and ``long`` 45. ``last``: what to say at the
    last picture.
    """

    name: str
    title: str
    what: Literal["lesson", "experiment"]
    lead: str
    aims: tuple[str, ...]
    needs: str
    short: tuple[Stretch, ...]
    long: tuple[Stretch, ...]
    exercises: tuple[Exercise, ...]
    doubts: tuple[Doubt, ...]
    last: str

    @property
    def links(self) -> tuple[Link, ...]:
        """All views that are named, each once."""
        return tuple(dict.fromkeys(link for stretch in (*self.long, *self.short) for link in stretch.links))


def step(lesson: str, number: int, text: str, **settings: str) -> Link:
    """Return the link to a step of a lesson as those see it who see it for the first time, covered by its question."""
    return _step(lesson, number, text, settings | {"view": "simple"})


def expert_step(lesson: str, number: int, text: str, **settings: str) -> Link:
    """Return the link to a step that only Expert has, or with a setting that only Expert has."""
    return _step(lesson, number, text, settings | {"view": "expert"})


def _step(lesson: str, number: int, text: str, settings: dict[str, str]) -> Link:
    named = {"lesson": lesson, "step": str(number), **settings}
    seen = {"seen": "0", "view": named.pop("view")}
    return Link(text, "tour", tuple((named | seen).items()))


ROOM = "With a room open on the page Class, Ask the room puts each question on all phones."
"""What phones are good for in a lesson."""
CLASS = Link("Open a room", "class")
"""Where the teacher opens a room."""
TRADE_OFF = Link("Trade-off", "tradeoff", (("data", "hospital"), ("view", "simple")))
"""The curve of what each ε costs, on the data that a class knows."""
