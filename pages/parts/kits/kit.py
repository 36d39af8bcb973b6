"""What a teacher's kit is, and how it is read: a text of pages/content/kits, with its numbers filled in.

The text has a title, what the kit is about, and sections under headings. A link is a text in brackets behind what happens,
and its address stands at the end of the file, as the app's address line names that view.
"""

import re
from dataclasses import dataclass
from typing import Literal
from urllib.parse import parse_qsl, urlencode

from pages.parts.kits.numbers import NUMBERS, Values
from pages.parts.values.content import fill, items, joined, sections, text_of

LESSONS = ("outsourced", "release", "federated", "epsilon")
"""The kits of lessons; all others are of experiments."""
_LINK = re.compile(r"\[(.+?)\]")
_ADDRESS = re.compile(r"^\[(.+?)\]: (\S+)\n", re.MULTILINE)


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
    """A question, and its solution with the numbers that were computed."""

    question: str
    solution: str


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
    lead: str
    aims: tuple[str, ...]
    needs: str
    short: tuple[Stretch, ...]
    long: tuple[Stretch, ...]
    exercises: tuple[Exercise, ...]
    doubts: tuple[Doubt, ...]
    last: str

    @property
    def what(self) -> Literal["lesson", "experiment"]:
        """Return what the kit is for."""
        return what_of(self.name)

    @property
    def links(self) -> tuple[Link, ...]:
        """All views that are named, each once."""
        return tuple(dict.fromkeys(link for stretch in (*self.long, *self.short) for link in stretch.links))


def what_of(name: str) -> Literal["lesson", "experiment"]:
    """Return whether a kit is of a lesson or of an experiment."""
    return "lesson" if name in LESSONS else "experiment"


def title_of(name: str) -> str:
    """Return what a kit is called, without computing anything of it."""
    return text_of(f"kits/{name}.md").partition("\n")[0].removeprefix("# ")


def read_kit(name: str, values: Values | None = None) -> Kit:
    """Compute a kit's numbers, and return it with them in its text; ``values``: other ones in their place."""
    text = fill(text_of(f"kits/{name}.md"), NUMBERS[name]() if values is None else values)
    links = {label: _link(label, address) for label, address in _ADDRESS.findall(text)}
    before, parts = sections(_ADDRESS.sub("", text))
    title, lead = map(joined, before.removeprefix("# ").split("\n", 1))

    def plan(heading: str) -> tuple[Stretch, ...]:
        stretches = [joined(each).split(" min: ", 1) for each in items(parts[heading])]
        return tuple(
            Stretch(int(minutes), _LINK.sub("", text).strip(), tuple(links[each] for each in _LINK.findall(text)))
            for minutes, text in stretches
        )

    return Kit(
        name, title, lead,
        aims=tuple(map(joined, items(parts["Aims"]))),
        needs=joined(parts["You need"]),
        short=plan("In 20 minutes"),
        long=plan("In 45 minutes"),
        exercises=tuple(Exercise(*map(joined, each.split("Solution:"))) for each in items(parts["Exercises"])),
        doubts=tuple(Doubt(*joined(each)[1:].split("” ", 1)) for each in items(parts["Likely misunderstandings"])),
        last=joined(parts["At the last picture"]),
    )  # fmt: skip


def _link(text: str, address: str) -> Link:
    page, _, query = address.partition("?")
    return Link(text, page, tuple(parse_qsl(query)))
