"""A picture that comes from a file: taken apart, and made anew of nothing but what the figures here are made of.

So it can only draw. Whatever else Plotly knows (images, links, menus, styles, maps) has no place here, and each value is
looked at after it was decoded. What does not fit is left out.
"""

import json
import re
from collections.abc import Callable, Mapping
from html import escape, unescape
from typing import Any

from pages.parts.values.text import TAGS, unmarked
from privbo_core.data.frame import SMALLEST
from privbo_core.errors import DataError
from privbo_core.files import LARGEST, parse_json

LARGEST_PICTURE = 2_000_000
LONGEST_TEXT = 1000
TRACES = {"scatter", "bar", "heatmap", "histogram", "contour"}
"""The kinds of curve that figures here are made of."""
_COLOUR = re.compile(r"#[0-9A-Fa-f]{3,8}|rgba?\([0-9., ]{1,40}\)")
_WORD = re.compile(r"[A-Za-z0-9 ,.+_-]{0,60}|/")
_TAG = re.compile(rf"(</?(?:{'|'.join(TAGS)})>)")
_AXIS = re.compile(r"([xy]axis)[2-9]?")

Sort = Callable[[Any], Any]
"""Returns a value as it may be drawn, or None where it is none of the sort."""


def remade(picture: object) -> str:
    """Return a figure's JSON, made anew of what it may hold; empty if it is no figure of curves."""
    if not isinstance(picture, str) or len(picture) > LARGEST_PICTURE:
        return ""
    try:
        said = parse_json(picture, "The picture", "draw it anew")
    except DataError:
        return ""
    data, layout = (said.get(part) for part in ("data", "layout")) if isinstance(said, Mapping) else (None, None)
    if not isinstance(data, list) or not isinstance(layout, Mapping):
        return ""
    traces = [_object(_TRACE)(each) for each in data]
    if not all(trace and trace.get("type") in TRACES for trace in traces):
        return ""
    return json.dumps({"data": traces, "layout": _object(_LAYOUT)(layout)}, allow_nan=False)


def _number(value: object) -> float | None:
    known = isinstance(value, int | float) and not isinstance(value, bool) and abs(value) <= LARGEST
    return None if not known else 0.0 if 0 < abs(value) < SMALLEST else value  # type: ignore[arg-type, return-value]


def _truth(value: object) -> bool | None:
    return value if isinstance(value, bool) else None


def _colour(value: object) -> str | None:
    return value if isinstance(value, str) and _COLOUR.fullmatch(value) else None


def _word(value: object) -> str | None:
    return value if isinstance(value, str) and _WORD.fullmatch(value) else None


def _text(value: object) -> str | None:
    """Return a text as Plotly reads it with the tags that texts here have, and no other."""
    if not isinstance(value, str):
        return None
    parts = _TAG.split(unmarked(value[:LONGEST_TEXT]))
    return "".join(part if place % 2 else escape(unescape(part), quote=False) for place, part in enumerate(parts))


def _value(value: object) -> object:
    """Return what stands at an axis or beside a point: a number or a text."""
    return _text(value) if isinstance(value, str) else _number(value)


def _shades(value: object) -> object:
    """Return the name of a scale of colours, or its colours, each with where it stands."""
    if not isinstance(value, list):
        return _word(value)
    return [[_number(each[0]), _colour(each[1])] for each in value if isinstance(each, list) and len(each) == 2]


def _many(sort: Sort) -> Sort:
    """Return the same sort, one or a list of it; in a list a gap stays a gap."""
    return lambda value: [_many(sort)(each) for each in value] if isinstance(value, list) else sort(value)


def _objects(parts: Mapping[str, Sort]) -> Sort:
    """Return a list of objects with these parts."""
    return lambda value: [each for each in map(_object(parts), value) if each] if isinstance(value, list) else None


def _object(parts: Mapping[str, Sort]) -> Sort:
    """Return an object with these parts alone, and of them those that are what they must be."""

    def made(value: object) -> dict[str, Any] | None:
        if not isinstance(value, Mapping):
            return None
        known = {name: parts[_of_axis(name)](each) for name, each in value.items() if _of_axis(name) in parts}
        return {name: each for name, each in known.items() if each is not None}

    return made


def _of_axis(name: str) -> str:
    """Return the name of an axis without its number: all have the same parts."""
    found = _AXIS.fullmatch(name)
    return found[1] if found else name


def _all(sort: Sort, names: str) -> dict[str, Sort]:
    return dict.fromkeys(names.split(), sort)


_SHAPES = _object(
    {**_all(_many(_word), "shape"), **_all(_many(_colour), "fgcolor bgcolor"), **_all(_many(_number), "size solidity")}
)
_FONT = _object({**_all(_colour, "color"), **_all(_number, "size"), **_all(_word, "family")})
_LINE = _object({**_all(_many(_colour), "color"), **_all(_many(_number), "width"), **_all(_word, "dash shape")})
_TITLE = _object({**_all(_text, "text"), **_all(_number, "standoff"), **_all(_word, "side"), "font": _FONT})
_BAR = {"colorscale": _shades, "colorbar": _object({**_all(_number, "thickness outlinewidth"), "title": _TITLE})}
_ERROR = _object({
    **_all(_many(_number), "array arrayminus"), **_all(_number, "thickness width"), **_all(_word, "type"),
    **_all(_colour, "color"),
})  # fmt: skip
_MARKER = _object({
    **_all(_many(_number), "size opacity"), **_all(_number, "cmin cmax"), **_all(_many(_word), "symbol"), **_BAR,
    "color": _many(lambda value: _colour(value) if isinstance(value, str) else _number(value)), "line": _LINE,
    "pattern": _SHAPES,
})  # fmt: skip
_TRACE: dict[str, Sort] = {
    **_all(_word, "type mode fill hoverinfo orientation textposition xaxis yaxis"), **_all(_text, "name"), **_BAR,
    **_all(_many(_value), "x y z customdata"), **_all(_many(_text), "text hovertemplate"),
    **_all(_many(_number), "width"), **_all(_number, "opacity"), **_all(_truth, "cliponaxis hoverongaps"),
    **_all(_colour, "fillcolor"), "line": _LINE, "marker": _MARKER, "textfont": _FONT, "error_y": _ERROR,
    "fillpattern": _SHAPES,
}  # fmt: skip
_ANNOTATION: dict[str, Sort] = {
    **_all(_word, "name xref yref xanchor yanchor align"), **_all(_value, "x y"), **_all(_text, "text"),
    **_all(_truth, "showarrow"), **_all(_number, "xshift yshift borderpad borderwidth"),
    **_all(_colour, "bgcolor bordercolor"), "font": _FONT,
}  # fmt: skip
_FORM: dict[str, Sort] = {
    **_all(_word, "type layer xref yref"), **_all(_value, "x0 x1 y0 y1"), **_all(_colour, "fillcolor"), "line": _LINE,
}  # fmt: skip
_SCALE = _object({
    **_all(_word, "type anchor side overlaying rangemode exponentformat tickformat"), **_all(_number, "dtick nticks"),
    **_all(_truth, "automargin fixedrange separatethousands showgrid showticklabels visible zeroline"),
    **_all(_colour, "gridcolor linecolor"), **_all(_many(_value), "range domain tickvals"),
    **_all(_many(_text), "ticktext"), "title": _TITLE, "tickfont": _FONT,
    "autorange": lambda value: _word(value) if isinstance(value, str) else _truth(value),
})  # fmt: skip
_LEGEND = _object({**_all(_number, "x y"), **_all(_word, "xanchor yanchor traceorder"), **_all(_colour, "bgcolor")})
_LAYOUT: dict[str, Sort] = {
    **_all(_number, "height bargap"), **_all(_word, "barmode hovermode dragmode"), **_all(_truth, "showlegend"),
    **_all(_colour, "paper_bgcolor plot_bgcolor"), **_all(_SCALE, "xaxis yaxis"), "font": _FONT, "legend": _LEGEND,
    "margin": _object(_all(_number, "l r t b")), "annotations": _objects(_ANNOTATION), "shapes": _objects(_FORM),
}  # fmt: skip
