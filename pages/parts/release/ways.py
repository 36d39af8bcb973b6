"""What tuning costs when the records that models learned from are covered too, as it was measured and stored."""

import json
import math
from functools import lru_cache
from pathlib import Path

from pages.parts.release import tasks
from pages.parts.release.tasks import EPSILONS, Reached
from pages.parts.views.picture import NON_PRIVATE, PRIVATE, RANDOM, UNMET, Colour, Picture

STORED = Path(__file__).parents[3] / "results" / "choosing.json"
LINES: tuple[tuple[str, str, Colour, str, int], ...] = (
    (tasks.VALIDATION_ONLY, "validation records alone", UNMET, "dash", 19),
    (tasks.POISSON, "best of a random number of tries", PRIVATE, "solid", 14),
    (tasks.EACH, "every setting tried", PRIVATE, "dashdot", -14),
    (tasks.UNTUNED, "one setting, not tuned", RANDOM, "dot", 12),
)
"""What is drawn: the stored way, its name, colour and dash, and how far its name stands from its first point."""


def training_picture(reached: dict[tuple[str, float | None], Reached]) -> Picture:
    """Draw the share told right against ε, a line for each way, and the level without privacy."""
    picture = Picture(height=320, margin={"l": 62, "r": 16, "t": 20, "b": 44})
    level = 100 * reached[tasks.NOT_PRIVATE, None].mean
    picture.level(level, NON_PRIVATE)
    picture.label(math.log10(EPSILONS[-1]), level, "not private", NON_PRIVATE, xanchor="right", yshift=10)
    for way, name, colour, dash, away in LINES:
        shares = [100 * reached[way, epsilon].mean for epsilon in EPSILONS]
        picture.line(EPSILONS, shares, colour, dash=dash, name=name, hovertemplate="%{y:.1f} % at ε = %{x:g}")
        picture.label(math.log10(EPSILONS[0]), shares[0], name, colour, xshift=8, yshift=away)
    lowest = min(100 * each.mean for each in reached.values())
    ticks = [f"{epsilon:g}" for epsilon in EPSILONS]
    picture.axis("xaxis", "ε (log scale): more useful →", type="log", tickvals=list(EPSILONS), ticktext=ticks)
    picture.axis("yaxis", "other records told right, in %", range=[math.floor(lowest) - 1, math.ceil(level) + 1])
    return picture


@lru_cache(maxsize=1)
def stored() -> dict[tuple[str, float | None], Reached]:
    """Return what was measured, by way and ε; nothing if no results are stored."""
    try:
        results = json.loads(STORED.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    reached = (Reached(**each) for each in results["trained"])
    return {(each.way, each.epsilon): each for each in reached}
