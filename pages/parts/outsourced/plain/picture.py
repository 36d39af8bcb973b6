"""The picture of the Simple page: the rank of the best record found so far, test by test."""

import math

import numpy as np

from pages.parts.values.axes import SAMPLES, End, spread_labels
from pages.parts.values.palette import NOISY, NON_PRIVATE, RANDOM, TEXT, Colour
from pages.parts.values.picture import Picture
from privbo_core.outsourced import Comparison, Policy

EARLY = 4
"""After so many tests the curves are still apart, if they ever are."""


def found(comparison: Comparison, n: int, words: tuple[str, str], *, private: bool = True) -> Picture:
    """Draw the typical rank of the best record found, private, without privacy, and by chance, on a scale of powers of ten.

    ``words``: what a row and what tests are called. Without ``private``, what the private search finds is left out.
    """
    one, tests = words
    picture = Picture(height=330, margin={"l": 64, "r": 150, "t": 8, "b": 44})
    reference = comparison.reference("noisy")
    curves: tuple[tuple[Policy, str, Colour], ...] = (
        ("random", "by chance", RANDOM),
        (reference, "without privacy", NON_PRIVATE),
        ("noisy", "with privacy", NOISY),
    )
    styles = {RANDOM: "dot", NON_PRIVATE: "dash", NOISY: "solid"}
    ends: list[End] = []
    if private and _alike(comparison):
        curves = (curves[0], (reference, "with and\nwithout privacy", NON_PRIVATE), ("noisy", "", NOISY))
    for policy, name, colour in curves if private else curves[:2]:
        ranks = np.asarray(comparison.typical_ranks(policy).median)
        picture.line([float(t) for t in range(1, len(ranks) + 1)], ranks, colour, dash=styles[colour], width=3.5, name=name,
                     hovertemplate=f"{name}: %{{y:,.0f}} after %{{x}} tests")  # fmt: skip
        if name:
            ends.append((math.log10(ranks[-1]), f"{SAMPLES[styles[colour]]} {name}", colour))
        elif len(ranks) > EARLY:
            # Both curves end in one point: this one is named where they are still apart.
            picture.label(
                EARLY + 1,
                math.log10(ranks[EARLY]),
                "with privacy",
                colour,
                yshift=14,
                font={"color": colour, "size": 15},
            )
    top = math.log10(n)
    for y, name, colour in spread_labels(ends, 0.09 * top):
        # On a phone it stands inside the figure: chance falls to its end, and leaves room below unless another ends there.
        near = any(0 < y - other < 0.2 * top for other, *_ in ends)
        inside = "" if colour is not RANDOM else "above" if near else "below"
        picture.label(
            1, y, name, colour, xref="paper", xshift=6, align="left", font={"color": colour, "size": 15}, name=inside
        )
    picture.label(0.01, 0.04, "↓ better", TEXT, xref="paper", yref="paper", font={"color": TEXT, "size": 18})
    picture.axis("xaxis", f"{tests} made", range=[1, len(ranks)])
    picture.axis("yaxis", f"rank of the best {one} found (1: the best)", type="log", range=[-0.1, top],
                 tickvals=[1, 10, 100, 1000, 10000], ticktext=["1", "10", "100", "1,000", "10,000"])  # fmt: skip
    return picture


def _alike(comparison: Comparison) -> bool:
    """Whether both searches typically end with the same rank, so that their curves end in one point."""
    return comparison.typical_rank("noisy").median == comparison.typical_rank(comparison.reference("noisy")).median
