"""The figures of the Data page."""

import math
from textwrap import wrap
from typing import Any

import numpy as np

from pages.parts.values.axes import nice
from pages.parts.values.numbers import scientific, whole_text
from pages.parts.values.palette import NON_PRIVATE, PRIVATE, UNMET, Colour
from pages.parts.values.picture import Picture
from pages.parts.values.text import minus
from privbo_core.errors import Array

LINE = 34
"""Letters of a column's name that fit on one line below its histogram."""


def histogram(values: Array, name: str, colour: Colour) -> Picture:
    """Draw how a column is distributed."""
    picture = Picture(height=190, margin={"l": 52, "r": 12, "t": 8, "b": 56})
    counts, edges = np.histogram(values, bins=min(40, max(5, int(np.sqrt(len(values))))))
    picture.add(
        "bar",
        x=(edges[1:] + edges[:-1]) / 2,
        y=counts,
        width=np.diff(edges),
        marker={"color": colour.faded(0.65), "line": {"width": 0}},
        name=name,
        hovertemplate="%{y} rows near %{x:.4g}",
    )
    picture.axis("xaxis", broken(name), **ticks(float(edges[0]), float(edges[-1])))
    picture.axis("yaxis", "rows", rangemode="tozero", tickformat=",d")
    return picture


def broken(name: str) -> str:
    """Return a long name on several lines, so that none is cut off."""
    return "\n".join(wrap(name, LINE, max_lines=2, placeholder=" …"))


def ticks(low: float, high: float) -> dict[str, Any]:
    """Return round tick marks from ``low`` to ``high``, written as numbers are written everywhere, minus signs included."""
    step = nice(max(high - low, 1e-300) / 5)
    places = [step * k for k in range(math.ceil(low / step - 1e-9), math.floor(high / step + 1e-9) + 1)]
    digits = max(0, -math.floor(math.log10(step) + 1e-9))
    large = max(abs(low), abs(high)) >= 1e6 or digits > 4
    text = [scientific(round(place, 12)) if large else minus(f"{place + 0.0:,.{digits}f}") for place in places]
    return {"tickvals": places, "ticktext": text}


def singular_values(values: Array, threshold: float) -> Picture:
    """Draw the singular values of the normalised inputs beside ω at the present setting."""
    picture = Picture(height=230, margin={"l": 56, "r": 84, "t": 8, "b": 44})
    met = values[-1] >= threshold
    shades = [PRIVATE] * (len(values) - 1) + [PRIVATE if met else UNMET]
    picture.add(
        "bar",
        x=[str(i + 1) for i in range(len(values))],
        y=values,
        marker={
            "color": [shade.faded(0.75) for shade in shades],
            "pattern": {"shape": [""] * (len(values) - 1) + ["" if met else "/"]},
        },
        text=[whole_text(value) for value in values],
        textposition="outside",
        cliponaxis=False,
        name="singular value",
        hovertemplate="%{y:.1f}",
    )
    picture.level(threshold, NON_PRIVATE)
    # In the margin, where no bar can be.
    picture.label(1, threshold, f"ω = {whole_text(threshold)}", NON_PRIVATE, xref="paper", xshift=4)
    picture.axis("xaxis", "direction of the inputs, from widest to narrowest", type="category")
    picture.axis("yaxis", "singular value", range=[0, 1.15 * max(float(values[0]), threshold)])
    return picture
