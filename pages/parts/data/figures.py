"""The figures of the Data page."""

import numpy as np

from pages.parts.values.palette import MET, NON_PRIVATE, PAPER, PRIVATE, UNMET, Colour
from pages.parts.values.picture import Picture
from privbo_core.errors import Array


def histogram(values: Array, name: str, colour: Colour) -> Picture:
    """Draw how a column is distributed."""
    picture = Picture(height=190, margin={"l": 44, "r": 8, "t": 8, "b": 40})
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
    picture.axis("xaxis", name)
    picture.axis("yaxis", "rows")
    return picture


def singular_values(values: Array, threshold: float) -> Picture:
    """Draw the singular values of the normalised inputs beside ω at the present setting."""
    picture = Picture(height=230)
    met = values[-1] >= threshold
    shades = [PRIVATE] * (len(values) - 1) + [MET if met else UNMET]
    picture.add(
        "bar",
        x=[str(i + 1) for i in range(len(values))],
        y=values,
        marker={
            "color": [shade.faded(0.75) for shade in shades],
            "pattern": {"shape": [""] * (len(values) - 1) + ["" if met else "/"]},
        },
        text=[f"{value:,.0f}" for value in values],
        textposition="outside",
        cliponaxis=False,
        name="singular value",
        hovertemplate="%{y:.1f}",
    )
    picture.level(threshold, NON_PRIVATE)
    picture.label(1, threshold, f"ω = {threshold:,.0f}", NON_PRIVATE, xref="paper", xanchor="right", bgcolor=PAPER)
    picture.axis("xaxis", "direction of the inputs, from widest to narrowest", type="category")
    picture.axis("yaxis", "singular value", range=[0, 1.15 * max(float(values[0]), threshold)])
    return picture
