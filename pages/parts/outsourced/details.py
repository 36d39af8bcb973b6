"""By how much a release stretches distances, as the tour draws it."""

import math

import numpy as np

from pages.parts.views.picture import NON_PRIVATE, ONE_TWO_FIVE, PRIVATE, TEXT, Picture, at_least_three
from privbo_core.outsourced import (
    Distortion,
)


def distances(measured: Distortion, low: float, high: float, promise: bool) -> Picture:
    """Draw how many times the release stretched squared distances, beside the bounds of Theorem 2."""
    picture = Picture()
    logs = np.log10(np.maximum(measured.ratios, 1e-4))
    edges = np.linspace(logs[0], logs[-1] + 1e-9, 60)
    counts, _ = np.histogram(logs, edges)
    picture.add(
        "bar",
        x=10 ** ((edges[1:] + edges[:-1]) / 2),
        y=100 * counts / measured.pairs,
        width=np.diff(10**edges),
        marker={"color": PRIVATE.faded(0.6), "line": {"width": 0}},
        name="share of pairs (%)",
        hovertemplate="%{y:.1f} % of pairs near × %{x:.2f}",
    )
    # All that is drawn lies in the picture: the bars, 1 and what is promised.
    marks = [0.0, *(math.log10(bound) for bound in (low, high) if promise and bound > 0)]
    start, last = min(float(edges[0]), *marks) - 0.01, max(float(edges[-1]), *marks)
    # Up to the next number that the axis has, so that bars far from 1 stand between two of them.
    end = next((math.log10(tick) for tick in ONE_TWO_FIVE if math.log10(tick) > last), last) + 0.01
    ticks = at_least_three(10**start, 10**end)
    picture.axis("xaxis", "squared distance after / before the release", type="log", range=[start, end], **ticks)
    picture.axis("yaxis", "% of pairs")
    picture.upright(1, NON_PRIVATE, dash="dash")
    picture.label(0, 1, "kept", NON_PRIVATE, yref="paper", xshift=4, yanchor="top")
    if promise:
        for bound in (low, high):
            picture.upright(bound, TEXT)
            picture.label(math.log10(bound), 0.9, "Theorem 2", TEXT, yref="paper", xshift=4, yanchor="top")
    return picture
