"""The figures of the Data page."""

import numpy as np

from pages.parts.show.look import Palette, faded, plain
from pages.parts.values.picture import Picture
from privbo_core.errors import Array


def histogram(values: Array, name: str, colour: str, colours: Palette) -> Picture:
    """Draw how a column is distributed."""
    picture = Picture(colours, height=190, margin={"l": 44, "r": 8, "t": 8, "b": 40})
    counts, edges = np.histogram(values, bins=min(40, max(5, int(np.sqrt(len(values))))))
    picture.add(
        "bar",
        x=(edges[1:] + edges[:-1]) / 2,
        y=counts,
        width=np.diff(edges),
        marker={"color": faded(colour, 0.65), "line": {"width": 0}},
        name=plain(name),
        hovertemplate="%{y} rows near %{x:.4g}<extra></extra>",
    )
    picture.axis("xaxis", plain(name))
    picture.axis("yaxis", "rows")
    return picture


def singular_values(values: Array, threshold: float, colours: Palette) -> Picture:
    """Draw the singular values of the normalised inputs beside ω at the present setting."""
    picture = Picture(colours, height=230)
    met = values[-1] >= threshold
    shades = [colours.private] * (len(values) - 1) + [colours.met if met else colours.unmet]
    picture.add(
        "bar",
        x=[str(i + 1) for i in range(len(values))],
        y=values,
        marker={
            "color": [faded(shade, 0.75) for shade in shades],
            "pattern": {"shape": [""] * (len(values) - 1) + ["" if met else "/"]},
        },
        text=[f"{value:,.0f}" for value in values],
        textposition="outside",
        cliponaxis=False,
        name="singular value",
        hovertemplate="%{y:.1f}<extra></extra>",
    )
    picture.level(threshold, colours.plain)
    picture.label(
        1, threshold, f"ω = {threshold:,.0f}", colours.plain, xref="paper", xanchor="right", bgcolor=colours.paper
    )
    picture.axis("xaxis", "direction of the inputs, from widest to narrowest", type="category")
    picture.axis("yaxis", "singular value", range=[0, 1.15 * max(float(values[0]), threshold)])
    return picture
