"""The picture of the Simple page: how far from its best each is, round by round, alone and together."""

import numpy as np

from pages.parts.values.axes import SAMPLES, End, spread_labels
from pages.parts.values.palette import NON_PRIVATE, PRIVATE, RANDOM, Colour
from pages.parts.values.picture import Picture
from privbo_core.bo import Band
from privbo_core.errors import Array
from privbo_core.federated import Progress

CURVES: tuple[tuple[str, str, Colour, str], ...] = (
    ("TS", "each alone", RANDOM, "dot"),
    ("FTS-DE", "together,\nwithout privacy", NON_PRIVATE, "dash"),
    ("DP-FTS-DE", "together,\nwith privacy", PRIVATE, "solid"),
)
"""The algorithm, what it is called here, its colour and line."""


def top_of(progress: Progress, scale: float) -> float:
    """Return the top of the axis: a little above all curves."""
    bands = [band for name, *_ in CURVES if (band := progress.band(name, "simple")) is not None]
    return 1.08 * scale * max((float(band.mean.max()) for band in bands), default=1.0)


def over_rounds(
    progress: Progress, scale: float, axis: tuple[str, float], rounds: int, before: Array | None
) -> Picture:
    """Draw the three curves as far as they have got, on an ``axis`` with a name and a top.

    ``before``: the private one at an earlier setting, dimmed.
    """
    name_of_axis, top = axis
    picture = Picture(height=330, margin={"l": 64, "r": 150, "t": 8, "b": 44})
    if before is not None:
        picture.line([float(t) for t in range(1, len(before) + 1)], before, PRIVATE.faded(0.35), hoverinfo="skip")
    ends: list[End] = []
    for name, words, colour, dash in CURVES:
        found = progress.band(name, "simple")
        if found is None:
            continue
        band = Band(found.mean * scale, found.standard_error * scale, found.runs)
        picture.band([float(t) for t in range(1, len(band.mean) + 1)], band, colour, dash, words.replace("\n", " "))
        ends.append((float(band.mean[-1]), f"{SAMPLES[dash]} {words}", colour))
    for y, words, colour in spread_labels(ends, 0.17 * top):
        picture.label(1, float(np.clip(y, 0, top)), words, colour, xref="paper", xshift=6, align="left",
                      font={"color": colour, "size": 15})  # fmt: skip
    picture.axis("xaxis", "rounds", range=[1, max(rounds, 2)])
    picture.axis("yaxis", name_of_axis, range=[-0.02 * top, top])
    return picture
