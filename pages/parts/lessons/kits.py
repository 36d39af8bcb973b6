"""A lesson's kit for its teacher: a text in pages/content/kits, with numbers that are computed when it is made."""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import datetime
from ipaddress import ip_address
from pathlib import Path
from urllib.parse import parse_qsl, urlencode, urlsplit

import streamlit as st

from pages.parts.export.offer import own_file, versions
from pages.parts.system.lesson import Lesson, Values
from pages.parts.views.content import FOLDER, fill, items, joined, sections, text_of
from pages.parts.views.drawing import download
from pages.parts.views.templates import render

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
class Kit:
    """All that a teacher needs for the lesson of a ``name``.

    ``needs``: what has to be there beforehand. ``short`` takes 20 minutes and ``long`` 45. ``exercises``: questions
    with their solutions. ``doubts``: what is likely misunderstood, with what to answer. ``last``: what to say at the
    last picture.
    """

    name: str
    title: str
    lead: str
    aims: tuple[str, ...]
    needs: str
    short: tuple[Stretch, ...]
    long: tuple[Stretch, ...]
    exercises: tuple[tuple[str, ...], ...]
    doubts: tuple[tuple[str, ...], ...]
    last: str

    @property
    def links(self) -> tuple[Link, ...]:
        return tuple(dict.fromkeys(link for stretch in (*self.long, *self.short) for link in stretch.links))


@dataclass(frozen=True)
class Source:
    """Where a kit comes from: its text in kits/ of a folder, and what computes the numbers in it."""

    name: str
    numbers: Callable[[], Values]
    folder: Path = FOLDER

    @property
    def text(self) -> str:
        """The text, its numbers not filled in."""
        return text_of(self.folder / "kits" / f"{self.name}.md")

    @property
    def title(self) -> str:
        """What the kit is called, without computing anything of it."""
        return self.text.partition("\n")[0].removeprefix("# ")


def kit_of(lesson: Lesson) -> Source | None:
    return lesson.kit and Source(lesson.name, lesson.kit, lesson.folder)


def read_kit(source: Source, values: Values | None = None) -> Kit:
    """Compute a kit's numbers, and return it with them in its text; ``values``: other ones in their place."""
    text = fill(source.text, source.numbers() if values is None else values)
    links = {}
    for label, address in _ADDRESS.findall(text):
        page, _, query = address.partition("?")
        links[label] = Link(label, page, tuple(parse_qsl(query)))
    before, parts = sections(_ADDRESS.sub("", text))
    title, lead = map(joined, before.removeprefix("# ").split("\n", 1))

    def plan(heading: str) -> tuple[Stretch, ...]:
        stretches = [joined(each).split(" min: ", 1) for each in items(parts[heading])]
        return tuple(
            Stretch(int(minutes), _LINK.sub("", text).strip(), tuple(links[each] for each in _LINK.findall(text)))
            for minutes, text in stretches
        )

    return Kit(
        source.name,
        title,
        lead,
        aims=tuple(map(joined, items(parts["Aims"]))),
        needs=joined(parts["You need"]),
        short=plan("In 20 minutes"),
        long=plan("In 45 minutes"),
        exercises=tuple(tuple(map(joined, each.split("Solution:"))) for each in items(parts["Exercises"])),
        doubts=tuple(tuple(joined(each)[1:].split("” ", 1)) for each in items(parts["Likely misunderstandings"])),
        last=joined(parts["At the last picture"]),
    )


def page_of(kit: Kit, base: str, now: datetime) -> str:
    """Return the file, its links leading to the app at the address ``base``, and all solutions computed now."""
    anywhere = elsewhere(base)
    page = render(
        "kit.html",
        kit=kit,
        base=base,
        plans=(("In 20 minutes", list(timed(kit.short))), ("In 45 minutes", list(timed(kit.long)))),
        solutions=[solution for _, solution in kit.exercises],
        typed=[(link.text, link.address(base) if anywhere else f"/{link.address('')}") for link in kit.links],
        elsewhere=anywhere,
        css=own_file(Path(__file__).parent / "kit.css"),
        when=f"{now:%d %B %Y}",
        version=versions()["PrivBO"],
    )
    return str(page)


def timed(plan: tuple[Stretch, ...]) -> Iterator[tuple[str, Stretch]]:
    """Yield the stretches of a plan, each with the minutes from which and to which it lasts."""
    at = 0
    for stretch in plan:
        yield f"{at}–{at + stretch.minutes}", stretch
        at += stretch.minutes


def app_address(url: str) -> str:
    """Return the app's own address, given that of one of its pages: what stands before the page's name.

    Empty for anything that is no address in the web: then links are relative to the app.
    """
    try:
        parts = urlsplit(url)
    except ValueError:
        return ""
    known = parts.scheme in ("http", "https") and parts.netloc
    return f"{parts.scheme}://{parts.netloc}{parts.path.rpartition('/')[0]}" if known else ""


def elsewhere(base: str) -> bool:
    """Return whether the app’s address is known, and leads to it from other computers too."""
    host = urlsplit(base).hostname or ""
    try:
        return not ip_address(host).is_loopback
    except ValueError:
        return host not in ("", "localhost") and not host.endswith(".localhost")


def offer_kit(source: Source | None) -> None:
    if source is None:
        return
    url = str(st.context.url or "")
    download(
        "Teacher’s kit",
        lambda: page_of(read_kit(source), app_address(url), datetime.now().astimezone()),
        f"privbo-kit-{source.name}.html",
        "school",
        key=f"kit/{source.name}",
        help="Aims, a plan for 20 and one for 45 minutes, exercises with solutions. One page to print, or to open in "
        "any browser.",
    )
