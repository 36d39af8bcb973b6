"""What a lesson of the tour is: steps, each with a question that is answered before its picture is shown."""

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

from pages.parts.live.sliders import Controls, Slider
from pages.parts.views.content import FOLDER, fill, items, joined, sections, text_of
from pages.parts.views.picture import Picture
from pages.parts.views.views import Brief, Figure, Finding, View, Views
from privbo_core.bo import Difference
from privbo_core.privacy import TradeOff

HEIGHT = 420
SLOT = "tour"
Values = dict[str, Any]  # Numbers and words by the names that a lesson's text has for them.


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

    ``scale``: the answer is dragged instead of tapped; the options are what the drag is read as.
    """

    text: str
    options: tuple[Option, ...]
    scale: Scale | None = None

    def text_of(self, key: str) -> str:
        return next((option.text for option in self.options if option.key == key), "")


@dataclass(frozen=True, eq=False, kw_only=True)
class Seen(View):
    """A view of a step; ``right``: the key of the option that it shows to be right, empty while it shows none yet."""

    right: str = ""


@dataclass(frozen=True)
class Situation:
    """Where a lesson stands: what it is about and the settings of this step.

    ``put_axis`` says where the top of an axis is to be, given where it would be best: a held thumb must not move it.
    ``pause`` is called between runs: the place to give way to a newer setting.
    """

    about: Any
    controls: Controls
    put_axis: Callable[[float], float] = lambda top: top
    pause: Callable[[], None] = lambda: None

    def value(self, key: str) -> float:
        """Return what a slider asks for; 0 where the step has none of that name, and its words do not name it."""
        return self.controls.values.get(key, 0.0)


@dataclass(frozen=True)
class Step:
    """A step: its sliders for what the lesson is about, and its views, better and better ones.

    ``scale``: how its question is dragged instead of tapped. ``facts``: what stands below the picture.
    """

    sliders: Callable[[Any], list[Slider]]
    run: Callable[[Any], Views]
    scale: Scale | None = None
    facts: Callable[[Any], Brief] | None = None


@dataclass(frozen=True)
class Lesson:
    """A lesson: its words, which stand in lessons/ of its ``folder``, and its steps in the order of the words.

    ``name`` stands in the address. ``pick`` shows what can be picked, and returns a name for that and what the lesson
    is about; ``stand`` makes of it where the lesson stands, and ``values`` the numbers that its words name. ``kit``:
    the numbers of its teacher's kit, which stands in kits/ of the folder.

    ``short``: the lesson in its place in Simple, if there is one; ``words``: the name of its file, where that is
    another. ``panel``: the one panel of sliders that its steps share. ``rest`` computes what its facts wait for.
    """

    name: str
    steps: tuple[Step, ...]
    pick: Callable[[], tuple[str, Any]]
    values: Callable[[Any], Values]
    stand: Callable[[Situation], Any] = field(default=lambda situation: situation)
    kit: Callable[[], Values] | None = None
    folder: Path = FOLDER
    words: str = ""
    short: "Lesson | None" = None
    panel: str = ""
    rest: Callable[[Any], Any] = field(default=lambda at: at)

    @property
    def file(self) -> str:
        return self.words or self.name

    @property
    def wording(self) -> "Wording":
        return wording_of(self.folder / "lessons" / f"{self.file}.md")

    def question(self, number: int, values: Values) -> Question:
        """Return the question of a step, from 0 on; the last view of the step says which option is right."""
        return self.wording.question(number, values, self.steps[number].scale)


@dataclass(frozen=True)
class Wording:
    """What a lesson says: its title on the button that chooses it, what it works with.

    All but the title is filled in with numbers that have a name.
    """

    title: str
    data: str
    questions: dict[str, str]

    @property
    def names(self) -> list[str]:
        return list(self.questions)

    def question(self, number: int, values: Values, scale: Scale | None = None) -> Question:
        text = fill(self.questions[self.names[number]], values)
        options = (joined(each).split(": ", 1) for each in items(text))
        return Question(joined(text.split("\n- ", 1)[0]), tuple(Option(key, said) for key, said in options), scale)

    def note(self, values: Values) -> str:
        return joined(fill(self.data, values))


@cache
def wording_of(text: Path) -> Wording:
    before, asked = sections(text_of(text))
    title, _, data = before.removeprefix("# ").partition("\n")
    return Wording(title, data, asked)


def third(size: float, low: float, high: float, options: str) -> str:
    """Return which of three options a size is: below the first border, up to the second, or beyond."""
    below, between, beyond = options.split()
    return below if size < low else between if size <= high else beyond


def clearly(difference: Difference, options: str) -> str:
    """Return which of three options runs show: that a difference is above zero, that it is below, or neither."""
    above, below, neither = options.split()
    if not difference.clear:
        return neither
    return above if difference.mean > 0 else below


def one_figure(finding: Finding, picture: Picture | None, alt: str, right: str = "") -> Seen:
    """Return the view of a step: one figure, as tall as all figures of the tour."""
    if picture is not None:
        picture.layout["height"] = HEIGHT
    return Seen(figures=(Figure(SLOT, finding, picture, alt),), right=right)


def of_100(share: float) -> str:
    """Return so many of 100, without saying all where it is not."""
    return "more than 99" if 99.5 <= share < 100 else f"{share:.0f}"


def right_of(epsilon: float) -> float:
    """Return how many of 100 guesses are right on average at ε, δ being 0: whether or not, each as likely before."""
    return 100 * (1 - TradeOff.of(epsilon).least_error(0.5))


def points(amount: str) -> str:
    """Return an amount of points as somebody asks for it: 1 point, not 1.0 points."""
    whole = amount.replace(".0 points", " points")
    return "1 point" if whole == "1 points" else whole
