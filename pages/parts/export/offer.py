"""What survives the meeting: the view as a report and as a script. At the same place on every page with figures."""

import json
import math
import platform
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, fields, is_dataclass
from datetime import datetime
from functools import cache
from importlib.metadata import version
from pathlib import Path
from urllib.parse import urlencode

import streamlit as st
from markupsafe import Markup

from pages.parts.views.drawing import download
from pages.parts.views.picture import DARK, LIGHT, Palette
from pages.parts.views.templates import STYLE, explained, render, variables
from pages.parts.views.views import PROMISED, Record, current
from pages.ui.server import LIBRARY
from privbo_core.about import VERSION, made_with
from privbo_core.data import SAMPLES, Frame, Problem
from privbo_core.data.prepare import STARTS
from privbo_core.gp import Fit


@dataclass(frozen=True)
class Recipe:
    """The arguments of `make_problem`; ``fit`` where a fit was stopped early, after so many ``starts``.

    ``missing``: which numbers mean that there is no value, by column, where the table is read.
    """

    inputs: tuple[str, ...]
    output: str
    maximize: bool
    log_output: bool
    encode: dict[str, str]
    fit: Fit | None
    starts: int = STARTS
    missing: dict[str, list[float]] = field(default_factory=dict)


SHOW = """
def show(name, *values):  # six digits, as in the figures
    print(name, *(f"{value:.6g}" for value in values))
"""
INSTALL = "pip install path/to/PrivBO"
HOW = (
    f"To run it, in any folder: {INSTALL} once (the folder with pyproject.toml), then python with this file.",
    "Without installing: set the environment variable PYTHONPATH to that folder.",
)
"""How a person runs a script, at its top."""
FOUND = (
    "from importlib.util import find_spec",
    'if find_spec("privbo_core") is None:',
    f'    raise SystemExit("PrivBO is not there. Install it once: {INSTALL}, or set PYTHONPATH to its folder.")',
)
"""The lines that say so where the engine cannot be found."""
FILE = "your file.csv"
ONE_THREAD = 'threadpool_limits(limits=1, user_api="blas")  # as in the app'
NUMPY, ENGINE = "import numpy as np", "import privbo_core as pb"


def script(title: str, imports: Sequence[str], body: str) -> str:
    head = [f'"""{as_comment(title)}: prints the numbers behind the figures.', "", *HOW, '"""']
    made = "# Made with " + ", ".join(f"{name} {number}" for name, number in made_with().items())
    threads = "from threadpoolctl import threadpool_limits", ONE_THREAD
    return "\n".join([*head, made, *FOUND, *imports, *threads, SHOW, body.strip(), ""])


def as_comment(text: str) -> str:
    """Return text as it may stand in a comment or a docstring: on one line, and without what could end either."""
    return "".join(letter if letter.isprintable() else " " for letter in text).replace("\\", "/").replace('"', "”")


def arguments(values: Mapping[str, object]) -> str:
    """Return keyword arguments as they are written in a call; numbers keep all their digits."""
    return ", ".join(f"{name}={number(value)}" for name, value in values.items())


def number(value: object) -> str:
    """Return a value as Python reads it, with all its digits."""
    if isinstance(value, float):
        value = float(value)  # not NumPy's own kind, which writes itself differently
        return "math.inf" if math.isinf(value) else repr(int(value) if value.is_integer() and value < 1e9 else value)
    return repr(value)


def table_line(missing: Mapping[str, Sequence[float]]) -> str:
    """Return the line that reads a table as the pages do; ``missing``: numbers that mean that there is no value."""
    return f"table = pb.data.load_table({FILE!r}{f', {missing!r}' if missing else ''})"


def frame_line(frame: Frame) -> str:
    """Return the lines that make a frame."""
    columns = "".join(f"    {_call(column)},\n" for column in frame.columns)
    return f"frame = pb.data.Frame((\n{columns}))"


def _call(value: object) -> str:
    """Return the call that makes a dataclass of `pb.data`, without what it has by itself."""
    if not is_dataclass(value):
        return number(value)
    given = [(each, getattr(value, each.name)) for each in fields(value)]
    said = ", ".join(f"{each.name}={_call(part)}" for each, part in given if part != each.default)
    return f"pb.data.{type(value).__name__}({said})"


def problem_lines(problem: Problem, own: Recipe | None) -> str:
    """Return the lines that make the problem: a sample by name, or one's own table with the same choice of columns."""
    if problem.identity is not None:
        kind, _, rest = problem.identity.partition("/")
        name = rest if kind == "sample" else kind
        assert name in SAMPLES
        return f"problem = pb.data.sample({name!r})"
    assert own is not None
    made, fit = arguments({name: getattr(own, name) for name in ("maximize", "log_output", "encode")}), ""
    if own.fit is not None:  # the fit was stopped: this is what had been found
        kernel = f"{type(own.fit.kernel).__name__}(1.0, {number(own.fit.kernel.variance)})"
        lengthscales = [float(each) for each in own.fit.lengthscales]
        fit = f"\nfit = pb.gp.Fit(pb.gp.{kernel}, {number(own.fit.noise_variance)}, np.array({lengthscales!r}))"
        made += ", hyperparameters=fit"
    if problem.known_frame is not None:
        fit += f"\n{frame_line(problem.known_frame)}"
        made += ", frame=frame"
    return (
        f"{table_line(own.missing)}{fit}\nproblem = pb.data.make_problem(table, {list(own.inputs)!r}, {own.output!r}, "
        f"{made})"
    )


PACKAGES = ("numpy", "scipy", "pandas", "streamlit", "plotly")


@cache
def versions() -> dict[str, str]:
    return {"PrivBO": VERSION, "Python": platform.python_version(), **{name: version(name) for name in PACKAGES}}


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


def report(
    record: Record, about: About, share_only: bool, now: datetime, *, link: str, dark: bool, script: str = ""
) -> str:
    """Return the whole page, of a view at that ``link``; before anything was drawn, one with a sentence that says so.

    ``share_only`` leaves out all that is not badged as released under a promise.
    """
    figures = [figure for figure in record.figures.values() if not share_only or figure.finding.audience in PROMISED]
    missing = len(record.figures) - len(figures)
    drawn = {figure.slot: figure.picture.as_json(DARK if dark else LIGHT) for figure in figures if figure.picture}
    pictures = {slot: json.loads(picture) for slot, picture in drawn.items()}
    palettes = [list(vars(palette).values()) for palette in (LIGHT, DARK)]
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
        conditional=any(each.finding.audience == "unmet" for each in figures),
        tiles=[tile for tile in record.tiles if not share_only or tile.audience in PROMISED],
        answers={} if share_only else record.answers,
        explanations={} if share_only else {name: explained(text) for name, text in record.explanations.items()},
        cards=[card.shared() if share_only and about.own else card for card in record.cards],
        settings=list(record.settings.values()),
        link=link if link.startswith(("http://", "https://")) else "",
        script=script,
        versions=", ".join(f"{name} {number}" for name, number in versions().items()),
        pictures=bool(pictures),
        library=own_file(LIBRARY) if pictures else "",
        shown=script_value({"pictures": pictures, "dark": dark, "palettes": palettes}),
        draw=own_file(HERE / "report.js"),
    )
    return str(page)


def script_value(value: object) -> Markup:
    """Return JSON to be written into a script element: nothing in it can end the element or begin a comment."""
    text = json.dumps(value, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    for letter in "<>&\u2028\u2029":
        text = text.replace(letter, f"\\u{ord(letter):04x}")
    return Markup(text)


def _colours(palette: Palette) -> dict[str, str]:
    return variables(palette) | {"text": palette.text, "paper": palette.paper}


def own_file(path: Path) -> Markup:
    return Markup(path.read_text(encoding="utf-8"))


def about_problem(page: str, problem: Problem, *choices: tuple[str, str]) -> About:
    """Return what a page that works on a problem is about. What has no public identity is somebody's own."""
    steps = (*problem.preparation.steps(), *problem.preparation.warnings) if problem.preparation else ()
    return About(page, problem.title, problem.identity is None, steps, choices)


def take_away(about: About, script: Callable[[], str] | None = None) -> None:
    """Show the popover that offers the report and, if ``script`` makes one, the script. It is called when open.

    Call it where the settings are known and before any long work: what the page draws later is in the report too.
    """
    name = "-".join(re.findall(r"\w+", about.page.lower()))
    # Presenter view shows no raw data of a person's own.
    whose = st.container(key="own-data" if about.own else "public-data")
    wide = whose.popover("Take away", icon=":material/ios_share:", key="take-away", on_change="rerun")
    if not wide.open:
        return
    with wide:
        label, key = "Leave out what was computed from the raw data", f"take-away/share only/{about.own}"
        then = "Then the report holds only what is badged as released under the promise."
        said = f"{then} Ticked beforehand if the data are your own."
        share_only = st.checkbox(label, value=about.own, key=key, help=said)
        code = script() if script else ""
        record = current()
        link = f"{st.context.url or ''}?{urlencode(st.query_params.to_dict())}"
        dark = st.context.theme.type == "dark"
        buttons = st.container(horizontal=True)

        def made() -> str:
            now = datetime.now().astimezone()
            return report(record, about, share_only, now, link=link, dark=dark, script=code)

        with buttons:
            said = "The figures as they are now, to be opened in any browser. About 5 MB, works without a network."
            download("Report (HTML)", made, f"privbo-{name}.html", "description", help=said)
        if not code:
            return
        with buttons:
            said = (
                "Computes the same numbers again, in any folder: to the digit on a machine of this kind with the "
                "same versions, elsewhere within rounding. Its first lines say how."
            )
            download("Script (Python)", code, f"privbo-{name}.py", "code", help=said)
        if about.own:
            st.caption(f"Put the name of your file where the script says “{FILE}”.")
        st.code(code, language="python")
