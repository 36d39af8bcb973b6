"""The numbers of the experiments' kits: by their names in pages/content/kits, computed when a kit is made."""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import datetime
from ipaddress import ip_address
from pathlib import Path
from typing import Literal
from urllib.parse import parse_qsl, urlencode, urlsplit

import streamlit as st

from pages.parts.export.offer import own_file, versions
from pages.parts.federated.system import RATE, ROUNDS, SCHOOLS
from pages.parts.system.lesson import Lesson, Values
from pages.parts.system.system import DELTA
from pages.parts.views.content import FOLDER, fill, items, joined, sections, text_of
from pages.parts.views.drawing import download
from pages.parts.views.templates import render
from privbo_core.classroom.crowd import most_right, most_sure
from privbo_core.classroom.games.attacker import most
from privbo_core.classroom.ground import COLUMNS, INITIAL, RECORDS
from privbo_core.data import sample
from privbo_core.federated import delta_for
from privbo_core.outsourced import noise_deviation
from privbo_core.privacy import epsilon, gaussian_epsilon, gaussian_sigma, least_error

TRIES, TAPS = 20, 8


def right(epsilon: float, delta: float = 0.0) -> float:
    return 1 - least_error(0.5, epsilon, delta)


def favourite() -> Values:
    weak, strong = (epsilon(RATE, z, ROUNDS, delta_for(SCHOOLS), "pld") for z in (1.0, 2.0))
    return {
        "pupils": SCHOOLS,
        "rounds": ROUNDS,
        "weak": weak,
        "strong": strong,
        "sure_weak": most_sure(weak),
        "sure_strong": most_sure(strong),
        "right_weak": most_right((1.0,) * ROUNDS),
        "right_strong": most_right((2.0,) * ROUNDS),
        "drawn": RATE * SCHOOLS,
        "never": 100 * (1 - RATE) ** ROUNDS,
    }


def attacker() -> Values:
    envelopes = {"05": 0.5, "3": 3.0, "10": 10.0}
    return {
        "tries": TRIES,
        "coin": TRIES / 2,
        **{f"right_at_{name}": TRIES * right(each) for name, each in envelopes.items()},
        **{f"sigma_at_{name}": gaussian_sigma(each, DELTA, 1.0) for name, each in envelopes.items()},
        **{f"through_at_{name}": TRIES * most(each).gaussian for name, each in envelopes.items()},
        "alike": gaussian_epsilon(DELTA, 1.0, 1.0),
        "ten_times": gaussian_epsilon(DELTA, 10.0, 1.0),
        "alone": 100 * 0.5**5,
        "anybody": 1 - (1 - 0.5**5) ** 30,
    }


def modeler() -> Values:
    frame, left, missed = sample("hospital").frame.chosen(COLUMNS["hospital"]), RECORDS - INITIAL, 1.0
    clear, blurred = (
        float(frame.hide[frame.names.index("age")])
        * noise_deviation(each, DELTA, bounds=frame.bounds, protected_distance=1.0, d=frame.d)
        for each in (8.0, 0.3)
    )
    for tap in range(TAPS):
        missed *= (left - 5 - tap) / (left - tap)
    return {
        "years_at_8": clear,
        "years_at_03": blurred,
        "records": RECORDS,
        "known": INITIAL,
        "taps": TAPS,
        "best": 100 * TAPS / left,
        "five": 100 * (1 - missed),
    }


def accept() -> Values:
    return {
        **{f"right_at_{name}": right(each, DELTA) for name, each in (("05", 0.5), ("1", 1.0), ("3", 3.0))},
        **{f"sigma_at_{each:g}": gaussian_sigma(each, DELTA, 1.0) for each in (1.0, 3.0)},
        **{f"through_at_{each:g}": most(each).gaussian for each in (1.0, 3.0)},
        "one_side": 100 * 2 * 0.5**5,
    }


What = Literal["lesson", "experiment"]
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
    """All that a teacher needs for one lesson or one experiment: its ``name``, and ``what`` of the two it is.

    ``needs``: what has to be there beforehand. ``short`` takes 20 minutes and ``long`` 45. ``exercises``: questions
    with their solutions. ``doubts``: what is likely misunderstood, with what to answer. ``last``: what to say at the
    last picture.
    """

    name: str
    what: What
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
    what: What
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


EXPERIMENTS_KITS = {
    each.__name__: Source(each.__name__, "experiment", each) for each in (favourite, attacker, modeler, accept)
}
"""The kits of the experiments with phones, by the experiments' names."""


def kit_of(lesson: Lesson) -> Source | None:
    return lesson.kit and Source(lesson.name, "lesson", lesson.kit, lesson.folder)


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
        source.what,
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


def offer_kit(source: Source | None, label: str = "Teacher’s kit") -> None:
    if source is None:
        return
    url = str(st.context.url or "")
    download(
        label,
        lambda: page_of(read_kit(source), app_address(url), datetime.now().astimezone()),
        f"privbo-kit-{source.name}.html",
        "school",
        key=f"kit/{source.name}",
        help="Aims, a plan for 20 and one for 45 minutes, exercises with solutions. One page to print, or to open in "
        "any browser.",
    )


def offer_kits() -> None:
    with st.popover("Teacher’s kits", icon=":material/school:", key="kits"):
        for source in EXPERIMENTS_KITS.values():
            offer_kit(source, source.title)
