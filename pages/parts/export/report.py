"""The view as a report: one HTML file with its figures, settings, cards and versions."""

import json
import platform
from dataclasses import dataclass
from datetime import datetime
from functools import cache
from importlib.metadata import version
from pathlib import Path

from markupsafe import Markup

from pages.parts.shell.server import LIBRARY
from pages.parts.views.palette import DARK, LIGHT, Palette
from pages.parts.views.record import Record
from pages.parts.views.templates import STYLE, explained, render, variables
from pages.parts.views.views import PROMISED
from privbo_core.about import VERSION
from privbo_core.arithmetic import fingerprint

PACKAGES = ("numpy", "scipy", "pandas", "streamlit", "plotly")


@cache
def versions() -> dict[str, str]:
    """Return each version by name."""
    return {
        "PrivBO": VERSION,
        "Python": platform.python_version(),
        **{name: version(name) for name in PACKAGES},
    }


HERE = Path(__file__).parent
# Nothing is loaded from anywhere, whatever a figure holds.
POLICY = Markup("default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; img-src data: blob:")


@dataclass(frozen=True)
class About:
    """What the page is about: its title, the data's title, whether they are somebody's own, how they were prepared.

    ``choices``: what was picked besides the sliders, as (name, value).
    """

    page: str
    data: str
    own: bool = False
    steps: tuple[str, ...] = ()
    choices: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True)
class Made:
    """Under what circumstances a report was made.

    The view's address, the theme its figures have, the view as a script.
    """

    link: str
    dark: bool
    script: str = ""


def report(record: Record, about: About, made: Made, share_only: bool, now: datetime) -> str:
    """Return the whole page. ``share_only`` leaves out all that is not badged as released under a promise.

    Before anything was drawn it is a page with a sentence that says so.
    """
    figures = [figure for figure in record.figures.values() if not share_only or figure.finding.audience in PROMISED]
    missing = len(record.figures) - len(figures)
    pictures = {
        figure.slot: json.loads(figure.picture.as_json(DARK if made.dark else LIGHT))
        for figure in figures
        if figure.picture is not None
    }
    shown = {
        "pictures": pictures,
        "dark": made.dark,
        "palettes": [list(vars(LIGHT).values()), list(vars(DARK).values())],
    }
    page = render(
        "report.html",
        about=about,
        policy=POLICY,
        light=_colours(LIGHT),
        dark=_colours(DARK),
        css=STYLE + own_file(HERE / "report.css"),
        when=f"{now:%d %B %Y at %H:%M} ({now.tzname()})",
        drawn=bool(record.figures),
        share_only=share_only,
        left_out="1 figure or table was" if missing == 1 else f"{missing} figures and tables were",
        figures=figures,
        conditional=any(each.finding.audience == "conditional" for each in figures),
        tiles=[tile for tile in record.tiles if not share_only or tile.audience in PROMISED],
        answers={} if share_only else record.answers,
        explanations={} if share_only else {name: explained(text) for name, text in record.explanations.items()},
        cards=[card.shared() if share_only and about.own else card for card in record.cards],
        settings=list(record.settings.values()),
        link=made.link if made.link.startswith(("http://", "https://")) else "",
        script=made.script,
        versions=", ".join(f"{name} {number}" for name, number in versions().items()),
        arithmetic=fingerprint(),
        pictures=bool(pictures),
        library=own_file(LIBRARY) if pictures else "",
        shown=script_value(shown),
        draw=own_file(HERE / "report.js"),
    )
    return str(page)


def in_script(value: object) -> str:
    """Return JSON that may stand inside a script element: nothing in it can end the element or begin a comment."""
    text = json.dumps(value, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    for letter in "<>&\u2028\u2029":
        text = text.replace(letter, f"\\u{ord(letter):04x}")
    return text


def script_value(value: object) -> Markup:
    """Return JSON to be written into a script element."""
    return Markup(in_script(value))


def _colours(palette: Palette) -> dict[str, str]:
    return variables(palette) | {"text": palette.text, "paper": palette.paper}


def own_file(path: Path) -> Markup:
    """Return a file of the app's own as it is."""
    return Markup(path.read_text(encoding="utf-8"))
