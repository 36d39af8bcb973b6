"""The report: what a page shows, as one HTML file that needs no network and can be read without PrivBO."""

import json
import platform
import re
import tomllib
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from functools import cache
from html import escape
from importlib.metadata import version
from pathlib import Path

import plotly

from pages.parts.frame.record import Figure, Record
from pages.parts.show.explained import as_html
from pages.parts.show.look import AUDIENCES, DARK, LIGHT, STYLE, Palette, badge

HERE = Path(__file__).parent
LIBRARY = Path(plotly.__file__).parent / "package_data" / "plotly.min.js"
PACKAGES = ("numpy", "scipy", "pandas", "streamlit", "plotly")
NOTHING = "Nothing was drawn yet when this report was made. Wait until the page shows its first figure, then download it again."
NEIGHBOURS = re.compile("<dt>Neighbours</dt><dd>.*?</dd>", re.DOTALL)
# Nothing is loaded from anywhere, whatever a figure holds.
POLICY = "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; img-src data: blob:"


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
    """Under what circumstances a report was made: the view's address, the theme its figures have, the view as a script."""

    link: str
    dark: bool
    script: str = ""


@cache
def versions() -> dict[str, str]:
    """Return the versions of PrivBO, Python, and the packages that a view depends on."""
    project = tomllib.loads((HERE.parents[2] / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    return {
        "PrivBO": project["version"],
        "Python": platform.python_version(),
        **{name: version(name) for name in PACKAGES},
    }


def report(record: Record, about: About, made: Made, share_only: bool, now: datetime) -> str:
    """Return the whole page. ``share_only`` leaves out all that is not badged as safe to share.

    Before anything was drawn it is a page with a sentence that says so.
    """
    figures = [figure for figure in record.figures.values() if not share_only or figure.audience == "share"]
    left_out = len(record.figures) - len(figures)
    body = [f"<header><h1>{escape(about.page)}</h1>{_opening(about, now)}</header>"]
    if not record.figures:
        body.append(f'<p class="notice">{NOTHING}</p>')
    else:
        body.append(f'<p class="notice">{_warning(about, figures, left_out, share_only)}</p>')
    tiles = [tile for tile in record.tiles if not share_only or tile[3] == "share"]
    if tiles:
        cells = "".join(
            f'<div class="pb-tile"><div class="pb-name">{name}</div><div class="pb-value">{value}</div>'
            f'<div class="pb-remark">{remark} {badge(audience)}</div></div>'
            for name, value, remark, audience in tiles
        )
        body.append(f'<section><h2>At a glance</h2><div class="pb-tiles">{cells}</div></section>')
    body += [_figure(figure) for figure in figures]
    if not share_only:
        body += [
            f"<section class='answer'><h2>{escape(question)} {badge('simulation')}</h2>{html}</section>"
            for question, html in record.answers.items()
        ]
    if record.explanations and not share_only:
        texts = "".join(f"<h3>{escape(name)}</h3>{as_html(text)}" for name, text in record.explanations.items())
        body.append(f"<section class='explained'><h2>Explained</h2>{texts}</section>")
    cards = [NEIGHBOURS.sub("", card) if share_only and about.own else card for card in record.cards]
    if cards:
        body.append(f"<section><h2>What is promised</h2>{''.join(cards)}</section>")
    body += [_settings(record, about), _data(about, share_only), _again(about, made)]
    pictures = {figure.slot: json.loads(figure.picture.as_json()) for figure in figures if figure.picture is not None}
    return _page(about, "".join(body), pictures, made.dark)


def in_script(value: object) -> str:
    """Return JSON that may stand inside a script element: nothing in it can end the element or begin a comment."""
    text = json.dumps(value, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    for letter in "<>&\u2028\u2029":
        text = text.replace(letter, f"\\u{ord(letter):04x}")
    return text


def _opening(about: About, now: datetime) -> str:
    return f"<p>Data: <b>{escape(about.data)}</b>. Made with PrivBO on {now:%d %B %Y at %H:%M} ({now.tzname()}).</p>"


def _warning(about: About, figures: list[Figure], left_out: int, share_only: bool) -> str:
    curator, safe = (badge(audience) for audience in ("curator", "share"))
    if share_only:
        what = "1 figure or table was" if left_out == 1 else f"{left_out} figures and tables were"
        none = "" if figures else " That leaves none."
        return f"Only what is {safe} is in this report. {what} left out, being computed from the raw data.{none}"
    whose = "your own data" if about.own else "the raw data"
    others = " So is what is marked as a simulation." if about.own else ""
    return (
        f"Figures marked {curator} were computed from {whose}: showing them to others reveals something.{others} "
        "All rows that are not drawn in a figure stay where they were."
    )


def _figure(figure: Figure) -> str:
    note = f'<p class="pb-note">{figure.note}</p>' if figure.note else ""
    meaning = escape(AUDIENCES[figure.audience][1])
    head = f'<div class="pb-finding"><h2>{figure.title}</h2>{badge(figure.audience)}</div>{note}'
    if figure.picture is None:
        return f"<section>{head}{figure.table}<p class='alt'>{meaning}</p></section>"
    slot, alt, height = escape(figure.slot), escape(figure.alt), int(figure.picture.layout["height"])
    return (
        f'<section><figure>{head}<div class="plot" id="{slot}" role="figure" aria-label="{alt}" style="height:{height}px">'
        f'</div><figcaption class="alt">{alt} {meaning}</figcaption></figure></section>'
    )


def _settings(record: Record, about: About) -> str:
    if not (record.settings or about.choices):
        return ""
    rows = "".join(
        f"<tr><th scope='row'>{escape(name)}</th><td colspan='2'>{escape(value)}</td></tr>"
        for name, value in about.choices
    )
    rows += "".join(
        f"<tr><th scope='row'>{escape(c.name)}</th><td>{escape(c.value)}</td><td>{escape(c.meaning)}</td></tr>"
        for c in record.settings.values()
    )
    return (
        f"<section><h2>Settings</h2><table><tr><th>Name</th><th>Value</th><th>Meaning</th></tr>{rows}</table></section>"
    )


def _data(about: About, share_only: bool) -> str:
    if not about.steps:
        return ""
    if about.own and share_only:
        return "<section><h2>Data</h2><p>How the table was prepared is left out: it was learned from the data.</p></section>"
    return f"<section><h2>About the data</h2>{_list(about.steps)}</section>"


def _again(about: About, made: Made) -> str:
    if about.own:
        link = "No address brings this view back: the data were somebody’s own, and PrivBO keeps none of them. The script does, on the same file."
    else:
        safe = made.link if made.link.startswith(("http://", "https://")) else ""
        link = f'This view, where PrivBO runs: <a href="{escape(safe)}" rel="noreferrer">{escape(safe)}</a>'
    versions_used = ", ".join(f"{escape(name)} {escape(number)}" for name, number in versions().items())
    script = (
        f"<details><summary>The same numbers by a script</summary><pre>{escape(made.script)}</pre></details>"
        if made.script
        else ""
    )
    return f"<section><h2>To see it again</h2><p>{link}</p>{script}<p>Versions: {versions_used}.</p></section>"


def _list(sentences: Iterable[str]) -> str:
    return f"<ul>{''.join(f'<li>{escape(sentence)}</li>' for sentence in sentences)}</ul>"


def _colours(palette: Palette) -> str:
    pairs = {"met": palette.met, "unmet": palette.unmet, "claimed": palette.private, "refuted": palette.refuted}
    own = {"text": palette.text, "paper": palette.paper}
    return "".join(f"--pb-{name}:{colour};" for name, colour in (pairs | own).items())


def _page(about: About, body: str, pictures: dict[str, object], dark: bool) -> str:
    theme = (
        f":root{{color-scheme:light dark;{_colours(LIGHT)}}}"
        f"@media screen and (prefers-color-scheme: dark){{:root{{{_colours(DARK)}}}}}"
    )
    css = (HERE / "report.css").read_text(encoding="utf-8")
    shown = {"pictures": pictures, "dark": dark, "palettes": [list(vars(LIGHT).values()), list(vars(DARK).values())]}
    scripts = ""
    if pictures:
        library = LIBRARY.read_text(encoding="utf-8")
        scripts = (
            f"<script>{library}</script><script>const shown = {in_script(shown)};\n"
            f"{(HERE / 'report.js').read_text(encoding='utf-8')}</script>"
        )
    return (
        f'<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8">'
        f'<meta http-equiv="Content-Security-Policy" content="{POLICY}">'
        f'<meta name="viewport" content="width=device-width, initial-scale=1"><title>PrivBO: {escape(about.page)}</title>'
        f"<style>{theme}{STYLE}{css}</style></head><body><main>{body}</main>{scripts}</body></html>\n"
    )
