"""The figure of the Tour's lesson on a release: how likely the published setting is to be a good one."""

from typing import Any

import numpy as np

from pages.parts.release.view import View
from pages.parts.views.picture import PRIVATE, RANDOM, TEXT, Picture


def chances(view: View) -> Picture:
    """Draw how likely the published setting is to be in each group, on a scale that stays."""
    picture = Picture(height=330, margin={"l": 64, "r": 16, "t": 8, "b": 50}, bargap=0.12)
    shown, sample = view.groups, view.sample
    places = list(range(1, len(shown) + 1))
    heights = [100 * group.chance for group in shown]
    hover = "%{y:.1f} %: one of %{customdata[0]} settings, about %{customdata[1]}"
    about = {"customdata": [[f"{each.size:,}", sample.score(each.score)] for each in shown], "hovertemplate": hover}
    picture.add("bar", x=places, y=heights, name="chance to be published", marker={"color": PRIVATE}, **about)
    blind, theirs = 100 / len(shown), [100 * group.published for group in shown]
    picture.level(blind, RANDOM, dash="dot")
    picture.add(
        "scatter",
        x=places,
        y=theirs,
        mode="lines+markers",
        name="DP-BO as published",
        line={"color": TEXT, "width": 1.5, "dash": "dash"},
        marker={"symbol": "diamond-open", "size": 8, "color": TEXT, "line": {"width": 1.5}},
        hovertemplate="DP-BO as published: %{y:.1f} %",
    )
    top = max([*theirs[len(theirs) // 2 :], blind])
    named = "◇ DP-BO as published" + (", nearly as blind" if view.nearly_blind else "")
    at_right: dict[str, Any] = {"xref": "paper", "xanchor": "right", "size": 14}
    picture.label(0.99, blind, f"⋯ drawn blindly: {blind:.0f} % a bar", RANDOM, yshift=20, **at_right)
    picture.label(0.99, top, named, TEXT, yshift=40, **at_right)
    first = shown[0]
    best = f"{f'among the best {first.size:,}' if first.size > 1 else 'the best one'}: {heights[0]:.0f} %"
    # Above its bar; beside it, wherever that ends, if there is no room above.
    above = heights[0] < 85
    placing = {"yanchor": "bottom", "xshift": -8} if above else {"yanchor": "top", "xshift": 2}
    picture.label(1 if above else 1.5, min(heights[0], 92), best, PRIVATE, size=15, **placing)
    many = str(first.size) if first.size == shown[-1].size else f"{shown[-1].size} or {first.size}"
    whose = "chance to be published" if first.size == 1 else f"chance of each {many} settings"
    at = sorted({0, *np.linspace(0, len(shown) - 1, 5).round().astype(int).tolist()})
    ticks = {"tickvals": [places[i] for i in at], "ticktext": [sample.score(shown[i].score) for i in at]}
    name = f"settings, best first: {sample.measure}"
    picture.axis("xaxis", name, range=[0.4, len(shown) + 0.6], showgrid=False, **ticks)
    picture.axis("yaxis", f"{whose}, in %", range=[0, 102], tickvals=[0, 25, 50, 75, 100])
    return picture
