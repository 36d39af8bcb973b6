"""Write an interactive report: one HTML file with a slider, and with a page's figures at several of its values.

It holds the headline, the tiles, the figures and the guarantee that the page shows, and no row of any table.
"""

import base64
import hashlib
import html
import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np
import plotly
import streamlit

from pages.ui.cards import Kind, Tile, tiles, title
from pages.ui.figure import Figure
from pages.ui.text import to_html
from privbo_core.about import made_with

HERE = Path(__file__).parent
LIBRARY = Path(plotly.__file__).parent / "package_data" / "plotly.min.js"
FONTS = Path(streamlit.__file__).parent / "static" / "static" / "media"
MIN_FRAMES, MAX_FRAMES = 12, 49
MAX_BYTES = 2_000_000
"""The size of a report beside the plotting library."""
REPORT_EPSILONS = tuple(float(f"{value:.3g}") for value in np.geomspace(0.1, 100.0, MAX_FRAMES))
"""The values of ε in a report, besides the present one."""
DIGITS = 5
MIN_SHARED = 40
"""The number of letters from which on a part that frames have in common is written once."""


@dataclass(frozen=True)
class FigureCard:
    """A figure with its title, a note below that, and a sentence for those who can't see it.

    ``kind`` is the badge behind the title. ``covered`` tells that all of the figure is covered by the guarantee, or
    follows from the settings alone, so that it may be shared.
    """

    slot: str
    title: str
    note: str
    figure: Figure
    alt: str
    kind: Kind | None = None
    covered: bool = False

    @property
    def heading(self) -> str:
        """The title and the note as HTML."""
        return title(self.title, self.note, self.kind)


@dataclass(frozen=True)
class Frame:
    """All that a page shows at one setting. ``headline`` and ``guarantee`` are HTML of the kit, without links."""

    headline: str
    tiles: Sequence[Tile]
    figures: Sequence[FigureCard]
    guarantee: str

    def packed(self) -> str:
        """Return the frame as JSON, which can be kept because nothing changes it."""
        shown = {
            "headline": self.headline,
            "tiles": [{"covered": tile.kind == "covered", "html": tiles([tile])} for tile in self.tiles],
            "figures": [
                {
                    "slot": card.slot,
                    "covered": card.covered,
                    "heading": card.heading,
                    "alt": card.alt,
                    "height": card.figure.height,
                    "figure": json.loads(card.figure.to_json()),
                }
                for card in self.figures
            ],
            "guarantee": self.guarantee,
        }
        return json.dumps(shown, allow_nan=False)


@dataclass(frozen=True, eq=False)
class Same:
    """A value that equals no other one, such as an array, so that questions can be compared."""

    value: object

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Same) and self.value is other.value

    def __hash__(self) -> int:
        return id(self.value)


@dataclass(frozen=True)
class Report:
    """The parts of an interactive report.

    ``key`` names the slider that the report has, which begins at ``now``. ``values`` are all its values, and ``frame``
    returns the page at one of them. ``question`` is all that the frames depend on besides this value. It is
    compared with ``==``, so it holds no instance of a class of the page, which is made anew in each run. ``settings``
    name what stays fixed. ``own`` tells whether the data are the visitor's own, and ``guaranteed`` whether a proven
    guarantee holds, so that something is covered by it.
    """

    page: str
    data: str
    key: str
    label: str
    now: float
    values: Sequence[float]
    frame: Callable[[float], Frame]
    question: object
    settings: Sequence[tuple[str, str]] = ()
    own: bool = False
    guaranteed: bool = False

    @property
    def wanted(self) -> tuple[float, ...]:
        """The values in the order in which they are computed: the present one, and then ever closer ones."""
        return tuple(dict.fromkeys((self.now, *halving(sorted(self.values)))))


def halving(values: Sequence[float]) -> list[float]:
    """Return sorted values in such an order that those so far always lie about evenly."""
    found = [0, len(values) - 1] if len(values) > 1 else [0]
    step = len(values) - 1
    while step > 1:
        step = (step + 1) // 2
        found += range(0, len(values), step)
    return [values[position] for position in dict.fromkeys(found)]


def write_report(report: Report, frames: Mapping[float, str], *, covered_only: bool) -> str:
    """Return the report as HTML. ``frames`` are packed, by the value of the slider.

    ``covered_only`` leaves out everything that isn't covered by the guarantee.
    """
    scripts = [_file(LIBRARY), _file(HERE / "charts.js").replace("export default ", "const drawChart = "),
               _file(HERE / "report.js")]  # fmt: skip
    styles = [font_face(), *(_file(HERE / name) for name in ("theme.css", "charts.css", "report.css"))]
    parts = {
        "policy": html.escape(_policy(scripts)),
        "title": html.escape(f"{report.page}, PrivBO"),
        "page": to_html(report.page),
        "data": to_html("Your own table" if report.own else report.data),
        "notice": to_html(_notice(report, covered_only)),
        "label": to_html(report.label),
        "settings": to_html(", ".join(f"{name}: {value}" for name, value in report.settings)),
        "made": html.escape(", ".join(f"{name} {number}" for name, number in made_with().items())),
        "style": "\n".join(styles),
        "report": report_data(report, frames, covered_only=covered_only),
        **{f"script {number}": script for number, script in enumerate(scripts)},
    }
    pieces = _file(HERE / "report.html").split("[[")
    rest = (piece.partition("]]") for piece in pieces[1:])
    return pieces[0] + "".join(parts[name] + after for name, _, after in rest)


def report_data(report: Report, frames: Mapping[float, str], *, covered_only: bool) -> str:
    """Return the data of the report's slider and figures, as JSON that can't end its element."""
    pool, found = Pool(), []
    for value, packed in sorted(frames.items()):
        frame = _shown(json.loads(packed), report.key, covered_only=covered_only)
        found.append({"text": f"{value:.3g}", **frame})
    data = {
        "key": report.key,
        "now": report.now,
        "values": sorted(frames),
        "frames": [pool.put(frame) for frame in found],
        "pool": pool.parts,
    }
    text = json.dumps(data, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    for letter in "<>&\u2028\u2029":
        text = text.replace(letter, f"\\u{ord(letter):04x}")
    return text


def _shown(frame: dict[str, Any], key: str, *, covered_only: bool) -> dict[str, Any]:
    """Return the visible part of a frame. Only dots of the report's own slider can be dragged."""
    if covered_only:
        frame["headline"] = ""
        for part in ("tiles", "figures"):
            frame[part] = [each for each in frame[part] if each["covered"]]
    for card in frame["figures"]:
        card["figure"]["handles"] = [handle for handle in card["figure"]["handles"] if handle["slider"] == key]
    frame["tiles"] = [tile["html"] for tile in frame["tiles"]]
    return frame


def _notice(report: Report, covered_only: bool) -> str:
    if covered_only:
        return (
            "This report has only what the guarantee covers. Everything else that was computed from the table was left "
            "out."
        )
    if report.own:
        return (
            "Unless a number is marked as covered by the guarantee, it was computed from a private table and no noise "
            "hides what it reveals. Share this report only with people who may see the table."
        )
    return ""


@dataclass
class Pool:
    """Parts that several frames have in common, each written once and referred to by its number."""

    parts: list[Any] = field(default_factory=list)
    _numbers: dict[str, int] = field(default_factory=dict)

    def put(self, value: Any) -> Any:  # noqa: ANN401
        """Return a value with references in place of its larger parts."""
        if isinstance(value, dict):
            value = {key: self.put(part) for key, part in value.items()}
        elif isinstance(value, list):
            numbers = all(part is None or isinstance(part, int | float) for part in value)
            value = [_rounded(part) if numbers else self.put(part) for part in value]
        elif not isinstance(value, str):
            return value
        text = json.dumps(value)
        if len(text) < MIN_SHARED:
            return value
        if text not in self._numbers:
            self._numbers[text] = len(self.parts)
            self.parts.append(value)
        return {"$": self._numbers[text]}


def _rounded(number: float | None) -> float | None:
    return float(f"{number:.{DIGITS}g}") if isinstance(number, float) else number


def _policy(scripts: Iterable[str]) -> str:
    """Return the policy of a report: nothing is loaded from anywhere, and only these scripts run."""
    digests = (base64.b64encode(hashlib.sha256(script.encode()).digest()).decode() for script in scripts)
    allowed = " ".join(f"'sha256-{digest}'" for digest in digests)
    looks = "style-src 'unsafe-inline'; img-src data: blob:; font-src data:"
    return f"default-src 'none'; script-src {allowed}; {looks}; base-uri 'none'; form-action 'none'"


@lru_cache(maxsize=8)
def _file(path: Path) -> str:
    return path.read_text("utf-8")


@lru_cache(maxsize=1)
def font_face() -> str:
    """Return the rule that embeds the app's font, or nothing where Streamlit no longer brings it."""
    for path in FONTS.glob("SourceSansVF-Upright*.woff2"):
        data = base64.b64encode(path.read_bytes()).decode()
        face = f'font-family: "Source Sans"; src: url(data:font/woff2;base64,{data}) format("woff2")'
        return f"@font-face {{ {face}; font-weight: 200 900; font-display: block; }}"
    return ""
