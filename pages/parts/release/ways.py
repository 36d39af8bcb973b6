"""Every way to publish a setting beside the others, at the same ε; and what it takes to cover those that trained."""

import json
import math
from dataclasses import replace
from functools import lru_cache
from pathlib import Path
from typing import Any

import streamlit as st

from pages.parts.release import tasks
from pages.parts.release.setup import WAYS
from pages.parts.release.tasks import EPSILONS, Reached
from pages.parts.release.view import View
from pages.parts.views.card import how_sure
from pages.parts.views.content import explanation, prose
from pages.parts.views.drawing import Place, note, show
from pages.parts.views.picture import MET, NON_PRIVATE, PRIVATE, RANDOM, UNMET, Colour, Picture
from pages.parts.views.templates import explain
from pages.parts.views.text import scientific
from pages.parts.views.views import Figure, Finding, Table, table
from privbo_core.privacy import Status
from privbo_core.tradeoff import WayLost, ways_lost

SIGNS = ("circle-open", "diamond-open", "square")  # Of few, more and most evaluations.
STORED = Path(__file__).parents[3] / "results" / "choosing.json"
LINES: tuple[tuple[str, str, Colour, str, int], ...] = (
    (tasks.VALIDATION_ONLY, "validation records alone", UNMET, "dash", 19),
    (tasks.POISSON, "best of a random number of tries", PRIVATE, "solid", 14),
    (tasks.EACH, "every setting tried", PRIVATE, "dashdot", -14),
    (tasks.UNTUNED, "one setting, not tuned", RANDOM, "dot", 12),
)
"""What is drawn: the stored way, its name, colour and dash, and how far its name stands from its first point."""
AT = 1.0  # The ε at which the title speaks.


def show_ways(view: View) -> None:
    task = view.task
    if task.records is None:
        st.info("Say m, the number of records behind each score: all ways but DP-BO’s rest on it.")
        return
    counts = tuple(sorted({min(10, task.n), min(50, task.n), task.n}))
    ways = ways_lost(task, view.epsilon, counts)
    alt = f"What {len(ways)} ways to publish a setting lose at the same ε, as in the table below."
    Place("ways").draw(Figure("ways", _finding(view, ways, counts), _picture(view, ways, counts), alt))
    show(_table(view, ways, counts))
    explain(*explanation("release", "the ways", epsilon=view.epsilon))


def name_of(way: WayLost) -> str:
    return f"{way.name}, score included" if way.score else way.name


def _finding(view: View, ways: tuple[WayLost, ...], counts: tuple[int, ...]) -> Finding:
    last = len(counts) - 1
    best = min(ways, key=lambda way: _loss(way, last))
    least = view.amount(_loss(best, last))
    title = f"At ε = {view.epsilon:.3g}, over all {counts[last]:,}, {best.name} loses least: {least}"
    few = "; ".join(f"{name_of(way)} {view.amount(_loss(way, 0))}" for way in (ways[0], best, *ways[4:]))
    return Finding(title, "simulation", f"After {counts[0]:,} evaluations: {few}. Means over what each way draws.")


def _loss(way: WayLost, place: int) -> float:
    return math.inf if (loss := way.losses[place]) is None else loss


def _picture(view: View, ways: tuple[WayLost, ...], counts: tuple[int, ...]) -> Picture:
    size = 100.0 if view.sample.percent else 1.0
    picture = Picture(height=90 + 44 * len(ways), margin={"l": 230, "r": 30, "t": 28, "b": 44})
    heights = list(range(len(ways), 0, -1))
    known = [loss * size for way in ways for loss in way.losses if loss]
    blind = view.blind_loss * size
    low, high = max(min(known) / 2, 1e-7), 2 * max(*known, blind)
    for place, (count, sign) in enumerate(zip(counts, SIGNS, strict=False)):
        shown = [(way, y) for way, y in zip(ways, heights, strict=True) if way.losses[place] is not None]
        x, y = [max(_loss(way, place) * size, low) for way, _ in shown], [y for _, y in shown]
        look: dict[str, Any] = {"symbol": sign, "size": 12, "line": {"width": 2}}
        name, colours = f"{count:,} evaluations", [_colour(way) for way, _ in shown]
        picture.marks(x, y, name, f"{name}: %{{x:.3g}}", color=colours, **look)
    picture.upright(blind, RANDOM, dash="dot")
    picture.label(math.log10(blind), 1, "blind draw", RANDOM, yref="paper", yanchor="bottom", xanchor="center")
    legend = "   ".join(f"{mark} {count:,}" for mark, count in zip("○◇■", counts, strict=False))
    picture.label(0, 1, f"evaluations: {legend}", PRIVATE, xref="paper", yref="paper", yanchor="bottom", xanchor="left")
    picture.axis("yaxis", range=[0.4, len(ways) + 0.6], tickvals=heights, ticktext=[name_of(way) for way in ways])
    unit = "percentage points lost" if size > 1 else "score lost"
    picture.log_axis("xaxis", f"{unit} on average (log scale)", low, high)
    return picture


def _colour(way: WayLost) -> Colour:
    """Return the colour of a way: the recommended one, another that is proved, or neither."""
    return MET if way.name == WAYS[0] else PRIVATE if way.guarantee.status is Status.PROVED else UNMET


def _table(view: View, ways: tuple[WayLost, ...], counts: tuple[int, ...]) -> Table:
    own = None if view.recommended is None else view.recommended.guarantee(1)
    heads = ("way", *(f"{count:,} evaluations" for count in counts), "promise", "source")
    rows = []
    for way in ways:
        given = way.guarantee
        if own and given.status is Status.PROVED:
            conditions = dict.fromkeys((*own.conditions, *given.conditions))
            given = replace(given, status=own.status, conditions=tuple(conditions))
        cells = ("–" if loss is None else view.amount(loss) for loss in way.losses)
        promise = f"ε = {given.epsilon:.3g}, δ = {scientific(given.delta)}, {how_sure(given)}"
        rows.append((name_of(way), *cells, promise, given.source))
    return table(heads, rows)


def show_training(view: View) -> None:
    """Draw what tuning costs when the records that train are covered too; stored, for no table of the visitor's."""
    reached = stored()
    if not reached:
        st.info("No results are stored. `python -m tests.benchmarks.choosing` computes them.")
        return
    note(prose("release", "the records that models learned from", m=view.task.records))
    best, plain = reached[tasks.POISSON, AT], reached[tasks.NOT_PRIVATE, None]
    title = (
        f"At ε = {AT:g}, with training covered too, {_percent(best)} are told right; without privacy {_percent(plain)}"
    )
    remark = (
        f"Logistic regression on the hospital sample: is there more than {tasks.THRESHOLD:g} mg/dL of free light "
        f"chain? {tasks.TRAINERS:,} records train, {tasks.VALIDATORS:,} validate, the rest say how often it is "
        f"right. Means over {best.runs} runs, δ = {scientific(tasks.DELTA)}."
    )
    finding = Finding(title, "simulation", remark)
    alt = "Share of other records told right against ε, with training private or not."
    Place("private-training").draw(Figure("private-training", finding, training_picture(reached), alt))
    settings, validating, records = len(tasks.SETTINGS), tasks.VALIDATORS, tasks.TRAINERS + tasks.VALIDATORS
    explain(
        *explanation(
            "release",
            "training that is private too",
            settings=settings,
            mean=tasks.MEAN,
            validating=validating,
            records=records,
        )
    )
    least = EPSILONS[0]
    each, tries = (_percent(reached[way, least]) for way in (tasks.EACH_OF_MANY, tasks.TRIES_OF_MANY))
    note(f"With 200 settings and ε = {least:g}, trying each reaches {each}, the random tries {tries}.")


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


def _percent(each: Reached) -> str:
    return f"{100 * each.mean:.1f} %"


@lru_cache(maxsize=1)
def stored() -> dict[tuple[str, float | None], Reached]:
    """Return what was measured, by way and ε; nothing if no results are stored."""
    try:
        results = json.loads(STORED.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    reached = (Reached(**each) for each in results["trained"])
    return {(each.way, each.epsilon): each for each in reached}
