"""Every way to publish a setting beside the others: at the same ε, after the same number of evaluations."""

import math

import streamlit as st

from pages.parts.release.setup import Setup
from pages.parts.release.tasks import spoken_of
from pages.parts.show.card import HOW_SURE
from pages.parts.show.explained import explaining
from pages.parts.show.show import Place, show
from pages.parts.values.axes import decades
from pages.parts.values.numbers import scientific
from pages.parts.values.palette import MET, PRIVATE, RANDOM, UNMET
from pages.parts.values.picture import Picture
from pages.parts.values.views import Figure, Finding, Table, table
from privbo_core.privacy import Status
from privbo_core.tradeoff import WayLost, ways_lost

SIGNS = ("circle-open", "diamond-open", "square")
"""Of few, more and most evaluations."""


def show_ways(setup: Setup) -> None:
    """Draw what each way loses at the slider's ε."""
    task = setup.task
    if task.records is None:
        st.info("Say m, the number of records behind each score: all ways but DP-BO’s rest on it.")
        return
    counts = tuple(sorted({min(10, task.n), min(50, task.n), task.n}))
    ways = ways_lost(task, setup.plan.epsilon, counts)
    place = Place("ways")
    place.draw(Figure("ways", _finding(setup, ways, counts), _picture(setup, ways, counts), _alt(ways)))
    show(_table(setup, ways, counts))
    with explaining("the ways") as say:
        say(_explained(setup))


def name_of(way: WayLost) -> str:
    """Return a way's name, and whether its score comes with it."""
    return f"{way.name}, score included" if way.score else way.name


def _finding(setup: Setup, ways: tuple[WayLost, ...], counts: tuple[int, ...]) -> Finding:
    amount, last = spoken_of(setup.task).amount, len(counts) - 1
    best = min(ways, key=lambda way: _loss(way, last))
    title = f"At ε = {setup.plan.epsilon:.3g}, over all {counts[last]:,}, {best.name} loses least: {amount(_loss(best, last))}"
    few = "; ".join(f"{name_of(way)} {amount(_loss(way, 0))}" for way in (ways[0], best, *ways[4:]))
    note = f"After {counts[0]:,} evaluations: {few}. Means over what each way draws."
    return Finding(title, "simulation", note)


def _loss(way: WayLost, place: int) -> float:
    loss = way.losses[place]
    return math.inf if loss is None else loss


def _picture(setup: Setup, ways: tuple[WayLost, ...], counts: tuple[int, ...]) -> Picture:
    size = 100.0 if spoken_of(setup.task).percent else 1.0
    picture = Picture(height=90 + 44 * len(ways), margin={"l": 230, "r": 30, "t": 28, "b": 44})
    heights = list(range(len(ways), 0, -1))
    known = [loss * size for way in ways for loss in way.losses if loss]
    blind = setup.blind_loss * size
    low, high = max(min(known) / 2, 1e-7), 2 * max(*known, blind)
    for place, (count, sign) in enumerate(zip(counts, SIGNS, strict=False)):
        shown = [(way, y) for way, y in zip(ways, heights, strict=True) if way.losses[place] is not None]
        picture.add(
            "scatter",
            x=[max(_loss(way, place) * size, low) for way, _ in shown],
            y=[y for _, y in shown],
            mode="markers",
            name=f"{count:,} evaluations",
            marker={
                "symbol": sign,
                "size": 12,
                "color": [
                    MET
                    if way.name == "permute-and-flip"
                    else PRIVATE
                    if way.guarantee.status is Status.PROVED
                    else UNMET
                    for way, _ in shown
                ],
                "line": {"width": 2},
            },
            hovertemplate=f"{count:,} evaluations: %{{x:.3g}}",
        )
    picture.upright(blind, RANDOM, dash="dot")
    picture.label(math.log10(blind), 1, "blind draw", RANDOM, yref="paper", yanchor="bottom", xanchor="center")
    legend = "   ".join(f"{mark} {count:,}" for mark, count in zip("○◇■", counts, strict=False))
    picture.label(0, 1, f"evaluations: {legend}", PRIVATE, xref="paper", yref="paper", yanchor="bottom", xanchor="left")
    picture.axis("yaxis", range=[0.4, len(ways) + 0.6], tickvals=heights, ticktext=[name_of(way) for way in ways])
    unit = "percentage points lost" if size > 1 else "score lost"
    span = [math.log10(low), math.log10(high)]
    picture.axis("xaxis", f"{unit} on average (log scale)", type="log", range=span, **decades(low, high))
    return picture


def _alt(ways: tuple[WayLost, ...]) -> str:
    return f"What {len(ways)} ways to publish a setting lose at the same ε, as in the table below."


def _table(setup: Setup, ways: tuple[WayLost, ...], counts: tuple[int, ...]) -> Table:
    amount, known = spoken_of(setup.task).amount, setup.recommended
    own = Status.PROVED if known is None else known.guarantee(1).status
    heads = ("way", *(f"{count:,} evaluations" for count in counts), "promise", "source")
    rows = []
    for way in ways:
        told_ = way.guarantee
        cells = ("–" if loss is None else amount(loss) for loss in way.losses)
        status = own if told_.status is Status.PROVED else told_.status
        promise = f"ε = {told_.epsilon:.3g}, δ = {scientific(told_.delta)}, {HOW_SURE[status]}"
        rows.append((name_of(way), *cells, promise, told_.source))
    return table(heads, rows)


def _explained(setup: Setup) -> str:
    return f"""All ways publish one setting at ε = {setup.plan.epsilon:.3g}. Where the score is included, it is published too, for that same ε: permute-and-flip
spends half on each, and the best of tries publishes the noisy score that won.

*Exponential mechanism and permute-and-flip* draw among so many random candidates, each of which was evaluated (McSherry and Talwar 2007; McKenna and Sheldon 2020).
*Best of tries* draws a number of tries K at random (geometric: η = 1; or Poisson) with that mean, each a random candidate with Gaussian noise on its score, and
publishes the best (Papernot and Steinke 2022). On a list that can be evaluated whole it is behind; it is made for candidates that cannot be listed, and for those whose
training is private too, where each try costs privacy. *Algorithm 1* searches with as many evaluations, at the values where its sliders start."""
