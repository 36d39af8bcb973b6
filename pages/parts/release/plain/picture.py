"""The picture of the Simple page: how likely the published setting is to be a good one."""

from dataclasses import dataclass

import numpy as np

from pages.parts.release.setup import Setup
from pages.parts.values.palette import MET, PRIVATE, RANDOM, TEXT
from pages.parts.values.picture import Picture
from pages.parts.values.samples import Sample

MOST = 20  # bars


@dataclass(frozen=True)
class Group:
    """Neighbours in the order of scores: ``size`` settings of mean score ``score``, and how likely one of them is published.

    ``published``: how likely by DP-BO as published; ``blind``: if one is drawn blindly.
    """

    size: int
    score: float
    chance: float
    published: float
    blind: float


def groups(setup: Setup) -> list[Group]:
    """Return the settings, best first, in at most `MOST` groups."""
    scores, choice, other = setup.task.scores, setup.plan.choice, setup.published.plan.choice
    if choice is None or other is None:
        raise ValueError("Nothing is chosen here.")
    order = np.argsort(-scores, kind="stable")
    return [
        Group(
            len(rows),
            float(scores[rows].mean()),
            float(choice.probabilities[rows].sum()),
            float(other.probabilities[rows].sum()),
            len(rows) / len(scores),
        )
        for rows in np.array_split(order, min(MOST, len(scores)))
    ]


def chances(setup: Setup, told: Sample) -> Picture:
    """Draw how likely the published setting is to be in each group, on a scale that stays, beside DP-BO and a blind draw."""
    picture = Picture(height=330, margin={"l": 64, "r": 16, "t": 8, "b": 50}, bargap=0.12)
    shown = groups(setup)
    places = list(range(1, len(shown) + 1))
    heights = [100 * group.chance for group in shown]
    picture.add(
        "bar", x=places, y=heights, name="chance to be published",
        marker={"color": [MET if i == 0 else PRIVATE for i in range(len(shown))]},
        customdata=[[f"{group.size:,}", told.score(group.score)] for group in shown],
        hovertemplate="%{y:.1f} %: one of %{customdata[0]} settings, about %{customdata[1]}",
    )  # fmt: skip
    blind = 100 * np.mean([group.blind for group in shown])
    picture.level(float(blind), RANDOM, dash="dot")
    picture.label(0.99, float(blind), f"drawn blindly: {blind:.0f} % each", RANDOM, xref="paper", xanchor="right", yshift=10,
                  font={"color": RANDOM, "size": 14})  # fmt: skip
    theirs = [100 * group.published for group in shown]
    picture.add(
        "scatter", x=places, y=theirs, mode="lines+markers", name="DP-BO as published",
        line={"color": TEXT, "width": 1.5, "dash": "dash"},
        marker={"symbol": "diamond-open", "size": 8, "color": TEXT, "line": {"width": 1.5}},
        hovertemplate="DP-BO as published: %{y:.1f} %",
    )  # fmt: skip
    top = max([*theirs[len(theirs) // 2 :], float(blind)])
    picture.label(0.99, top, "◇ DP-BO as published", TEXT, xref="paper", xanchor="right", yshift=28,
                  font={"color": TEXT, "size": 14})  # fmt: skip
    first = shown[0]
    best = (
        f"among the best {first.size:,}: {heights[0]:.0f} %" if first.size > 1 else f"the best one: {heights[0]:.0f} %"
    )
    # Above its bar; beside it, wherever that ends, if there is no room above.
    placed = {"yanchor": "bottom", "xshift": -8} if heights[0] < 85 else {"yanchor": "top", "xshift": 2}
    picture.label(
        1 if heights[0] < 85 else 1.5, min(heights[0], 92), best, MET, font={"color": MET, "size": 15}, **placed
    )
    at = sorted({0, *np.linspace(0, len(shown) - 1, 5).round().astype(int).tolist()})
    picture.axis("xaxis", f"settings, best first: {told.measure}", range=[0.4, len(shown) + 0.6], showgrid=False,
                 tickvals=[places[i] for i in at], ticktext=[told.score(shown[i].score) for i in at])  # fmt: skip
    picture.axis("yaxis", "chance to be published, in %", range=[0, 102], tickvals=[0, 25, 50, 75, 100])
    return picture
