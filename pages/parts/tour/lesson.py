"""What a lesson of the tour is: steps, each with a question that is answered before its picture is shown."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from pages.parts.controls.live_sliders import Controls, Slider
from pages.parts.system.attack import Views
from pages.parts.values.picture import Picture
from pages.parts.values.views import Figure, Finding, View

HEIGHT = 420
SLOT = "tour"
NOW = "Every number is computed now, from the settings beside the figure."


@dataclass(frozen=True)
class Option:
    """One answer that is offered: its key, and what is said."""

    key: str
    text: str


@dataclass(frozen=True)
class Scale:
    """A guess that is dragged: from where to where, where the thumb is at first, and which option a number is."""

    low: int
    high: int
    start: int
    option: Callable[[float], str]


@dataclass(frozen=True)
class Question:
    """What is asked before a picture is shown. Which option is right, only the picture's view says (`Seen`).

    ``scale``: the answer is dragged instead of tapped; a room, which has phones, taps an option.
    """

    text: str
    options: tuple[Option, ...]
    scale: Scale | None = None

    def said(self, key: str) -> str:
        """Return the text of an option; empty if there is none of that key."""
        return next((option.text for option in self.options if option.key == key), "")


def ask(text: str, **options: str) -> Question:
    """Return a question with its options by key."""
    return Question(text, tuple(Option(key, said) for key, said in options.items()))


@dataclass(frozen=True, eq=False, kw_only=True)
class Seen(View):
    """A view of a step; ``right``: the key of the option that it shows to be right, empty while it shows none yet."""

    right: str = ""


@dataclass(frozen=True)
class Stop:
    """Where a lesson stands: what it is about and the settings of this step.

    ``put_axis`` says where the top of an axis is to be, given where it would be best: a held thumb must not move it.
    ``pause`` is called between runs: the place to give way to a newer setting.
    """

    about: Any
    controls: Controls
    put_axis: Callable[[float], float] = lambda top: top
    pause: Callable[[], None] = lambda: None


@dataclass(frozen=True)
class Step:
    """A step: its name in the list, its sliders for what the lesson is about, and its views, better and better ones.

    ``asks``: the question for where the lesson stands. The last view says which of its options is right.
    """

    name: str
    sliders: Callable[[Any], list[Slider]]
    run: Callable[[Any], Views]
    asks: Callable[[Any], Question]


@dataclass(frozen=True)
class Lesson:
    """A lesson. ``name`` stands in the address, ``title`` on the button that chooses it, ``promise`` says what it is about.

    ``pick`` shows what can be picked, and returns a name for that and what the lesson is about; ``stand`` makes of it
    where the lesson stands. ``note``: what is worked with, and since when its numbers are known.
    """

    name: str
    title: str
    promise: str
    steps: tuple[Step, ...]
    pick: Callable[[], tuple[str, Any]]
    stand: Callable[[Stop], Any] = field(default=lambda stop: stop)
    note: Callable[[Any], str] = lambda about: NOW


def one_figure(finding: Finding, picture: Picture | None, alt: str, right: str = "") -> Seen:
    """Return the view of a step: one figure, as tall as all figures of the tour."""
    if picture is not None:
        picture.layout["height"] = HEIGHT
    return Seen(figures=(Figure(SLOT, finding, picture, alt),), right=right)
