"""What “What would you accept?” shows on the projector: two distributions over the trade-off curve, and where they meet."""

import math

from pages.parts.experiments.accept import words
from pages.parts.experiments.projected import HEIGHT, projected
from pages.parts.values.palette import MET, NOISY, PRIVATE, TEXT
from pages.parts.values.picture import Picture
from pages.parts.values.views import Figure, Finding, Tile, View
from privbo_core.classroom.accept import COSTS, EPSILONS, Accept, Counts, Offer, Seen

SLOT = "accept"
TICKS = (*COSTS, 30)
SIDE, BELOW = 0.74, 0.76
"""Where the curve ends and a distribution begins: across and upwards."""
BAR = 26
SPACE = 2.2
"""How many times the longest bar fits in, with what is written beside it."""


def show(accept: Accept) -> View:
    """Return what the class sees now."""
    seen = accept.seen()
    finding = Finding(words.title(seen), "simulation", words.note(seen))
    alt = "More tests against ε, with how many would accept each ε, each cost, and each point of the curve."
    return View(_tiles(seen), (Figure(SLOT, finding, picture(seen), alt),))


def picture(seen: Seen) -> Picture:
    """Draw the curve, and along its axes how many go how far."""
    drawn = Picture(height=HEIGHT, margin={"l": 110, "r": 30, "t": 42, "b": 70})
    most = max([0, *(offer.high for offer in seen.offers or ())])
    top = height(max(most, TICKS[-1])) + 0.7
    across = [math.log10(EPSILONS[0]) - 0.15, math.log10(EPSILONS[-1]) + 0.15]
    drawn.axis("xaxis", "ε: more may leak →", type="log", tickvals=list(EPSILONS), range=across, domain=[0, SIDE])
    drawn.axis("yaxis", "more tests", tickvals=[height(each) for each in TICKS], ticktext=[f"{each}" for each in TICKS],
               range=[-0.35, top], domain=[0, BELOW])  # fmt: skip
    drawn.axis("xaxis2", domain=[SIDE + 0.02, 1], anchor="y", showgrid=False, showticklabels=False, rangemode="tozero")
    drawn.axis("yaxis2", domain=[BELOW + 0.03, 1], anchor="x", showgrid=False, showticklabels=False, rangemode="tozero")
    if seen.offers:
        _curve(drawn, seen.offers, seen.counts)
    else:
        drawn.label(
            0.5 * SIDE, 0.4, "The searches are being simulated …", TEXT, xref="paper", yref="paper", xanchor="center"
        )
    if seen.counts:
        _bars(drawn, seen.counts)
    return projected(drawn)


def height(more: float) -> float:
    """Return where so many more tests stand: the first ones are as far apart as the last."""
    return math.log2(1 + max(more, 0.0))


def _curve(drawn: Picture, offers: tuple[Offer, ...], counts: Counts | None) -> None:
    epsilons, places = [offer.epsilon for offer in offers], [height(offer.more) for offer in offers]
    drawn.line(epsilons, places, NOISY, width=5, name="with noise", hoverinfo="skip")
    accepting = counts.accepting if counts else ()
    colours = [MET if counts and 2 * number > counts.of else NOISY for number in accepting] or [NOISY] * len(offers)
    drawn.add(
        "scatter", x=epsilons, y=places, mode="markers", name="offers",
        marker={"size": 18, "color": colours, "line": {"width": 0}},
        error_y={
            "array": [height(offer.high) - place for offer, place in zip(offers, places, strict=True)],
            "arrayminus": [place - height(offer.low) for offer, place in zip(offers, places, strict=True)],
            "color": NOISY, "thickness": 2, "width": 7,
        },
        customdata=[offer.more for offer in offers],
        hovertemplate="ε = %{x:g}: %{customdata} more tests",
    )  # fmt: skip
    for offer, number in zip(offers, accepting, strict=False):
        assert counts is not None
        colour = MET if 2 * number > counts.of else TEXT
        drawn.label(math.log10(offer.epsilon), height(offer.high), f"{number} of {counts.of}", colour,
                    xanchor="center", yanchor="bottom", yshift=6)  # fmt: skip


def _bars(drawn: Picture, counts: Counts) -> None:
    """Draw both distributions, as bars along the curve's axes with their numbers."""
    most = max(*counts.epsilons, *counts.costs)
    for epsilon, number in zip(EPSILONS, counts.epsilons, strict=True):
        drawn.line([epsilon, epsilon], [0, number], PRIVATE.faded(0.75), width=BAR, yaxis="y2", hoverinfo="skip")
        if number:
            drawn.label(math.log10(epsilon), number, f"{number}", TEXT, yref="y2", xanchor="center", yanchor="bottom")
    for more, number in zip(COSTS, counts.costs, strict=True):
        drawn.line([0, number], [height(more)] * 2, PRIVATE.faded(0.75), width=BAR, xaxis="x2", hoverinfo="skip")
        if number:
            drawn.label(number, height(more), f"{words.cost_stop(more)}: {number}", TEXT, xref="x2", xshift=6)
    drawn.axis("yaxis2", range=[0, 1.45 * most])
    drawn.axis("xaxis2", range=[0, SPACE * most])
    drawn.label(0, 1, "how many would let at most this much leak", PRIVATE, xref="paper", yref="paper", yanchor="bottom",
                yshift=4)  # fmt: skip
    drawn.label(SIDE + 0.02, BELOW, "how many would pay at most\nso many more tests", PRIVATE, xref="paper", yref="paper",
                yanchor="bottom", align="left")  # fmt: skip


def _tiles(seen: Seen) -> tuple[Tile, ...]:
    tiles = [Tile("Answers", f"{seen.answered} of {seen.pupils}", words.open_text(seen), "known")]
    counts, offers = seen.counts, seen.offers
    if seen.decision is not None:
        chosen = seen.decision
        remark = f"{chosen.accepting} of {chosen.of} would accept it; decided on {words.when(chosen)}"
        tiles.append(Tile("The decision", f"ε = {chosen.offer.epsilon:g}", remark, "known"))
        tiles.append(Tile("What it costs", words.cost_stop(chosen.offer.more), _interval(chosen.offer), "simulation"))
        tiles.append(_protection(chosen.offer))
    elif counts is not None and offers is not None and counts.best is not None and counts.accepting[counts.best]:
        offer = offers[counts.best]
        share = f"{counts.accepting[counts.best]} of {counts.of}: {'a majority' if counts.majority(counts.best) else 'no majority'}"
        tiles.append(Tile("Most accept", f"ε = {offer.epsilon:g}", share, "known"))
        tiles.append(Tile("What it costs", words.cost_stop(offer.more), _interval(offer), "simulation"))
        tiles.append(_protection(offer))
    return tuple(tiles)


def _interval(offer: Offer) -> str:
    return f"95 % interval: {max(offer.low, 0)} to {offer.high}"


def _protection(offer: Offer) -> Tile:
    found = words.held(offer.epsilon)
    right = f"{100 * (1 - found.least_error):.0f}"
    return Tile("How strongly it protects", found.word, f"the best guess is right in {right} of 100", "share")
