"""What a promise on the validation records leaves out: those that trained. A measured example of covering both."""

import json
import math
from functools import lru_cache
from pathlib import Path

import streamlit as st

from pages.parts.release.setup import Setup
from pages.parts.show.explained import explaining
from pages.parts.show.show import Place, note
from pages.parts.values.palette import NON_PRIVATE, PRIVATE, RANDOM, UNMET, Colour
from pages.parts.values.picture import Picture
from pages.parts.values.views import Figure, Finding
from privbo_core.experiments import choosing as trained
from privbo_core.experiments.choosing import EPSILONS, Reached

STORED = Path(__file__).parents[4] / "results" / "choosing.json"
LINES: tuple[tuple[str, str, Colour, str, int], ...] = (
    (trained.VALIDATION_ONLY, "validation records alone", UNMET, "dash", 19),
    (trained.POISSON, "best of a random number of tries", PRIVATE, "solid", 14),
    (trained.EACH, "every setting tried", PRIVATE, "dashdot", -14),
    (trained.UNTUNED, "one setting, not tuned", RANDOM, "dot", 12),
)
"""What is drawn: the stored way, its name, colour and dash, and how far its name stands from its first point."""
AT = 1.0
"""The ε at which the title speaks."""


def show_training(setup: Setup) -> None:
    """Draw what tuning costs when the records that train are covered too; stored, for no table of the visitor's."""
    found = {(each.way, each.epsilon): each for each in stored()}
    if not found:
        st.info("No results are stored. `python -m tests.benchmarks.choosing` computes them.")
        return
    m = f"{setup.task.records:,} validation records" if setup.task.records else "validation records"
    note(
        f"The promise above covers the {m}. It says nothing of the records that the models learned from: whoever gets a "
        "model may find them in it. Here, on other data, is what it takes to cover both."
    )
    best, plain = found[trained.POISSON, AT], found[trained.NOT_PRIVATE, None]
    title = (
        f"At ε = {AT:g}, with training covered too, {_percent(best)} are told right; without privacy {_percent(plain)}"
    )
    remark = (
        f"Logistic regression on the hospital sample: is there more than {trained.THRESHOLD:g} mg/dL of free light chain? "
        f"{trained.TRAINERS:,} records train, {trained.VALIDATORS:,} validate, the rest say how often it is right. "
        f"Means over {best.runs} runs, δ = 10⁻⁵."
    )
    finding = Finding(title, "simulation", remark)
    alt = "Share of other records told right against ε, with training private or not."
    Place("private-training").draw(Figure("private-training", finding, picture(found), alt))
    with explaining("training that is private too") as say:
        say(
            f"""Noise in every gradient hides each training record, noise in every score each validation record; a record is
one or the other, so what one try tells of it is one Gaussian release.

Trying {len(trained.SETTINGS)} settings and counting all of it costs as {len(trained.SETTINGS)} releases. Instead the number of tries is drawn at
random (Poisson, {trained.MEAN} on average), each try draws its setting without looking, and **only the best is published**. Then ε
grows little with the number of tries, and not at all with the length of the list. *Papernot and Steinke (2022).*

The orange line looks as good, but its ε covers {trained.VALIDATORS:,} records of {trained.TRAINERS + trained.VALIDATORS:,}.

In Python: `privbo_core.tuning.publish_trained`. The figures: docs/choosing.md."""
        )
    worst = found[trained.EACH_OF_MANY, min(EPSILONS)], found[trained.TRIES_OF_MANY, min(EPSILONS)]
    note(
        f"With 200 settings and ε = {min(EPSILONS):g}, trying each reaches {_percent(worst[0])}, the random tries "
        f"{_percent(worst[1])}."
    )


def picture(found: dict[tuple[str, float | None], Reached]) -> Picture:
    """Draw the share told right against ε, a line for each way, and the level without privacy."""
    drawn = Picture(height=320, margin={"l": 62, "r": 16, "t": 20, "b": 44})
    level = 100 * found[trained.NOT_PRIVATE, None].mean
    drawn.level(level, NON_PRIVATE)
    drawn.label(math.log10(EPSILONS[-1]), level, "not private", NON_PRIVATE, xanchor="right", yshift=10)
    for way, name, colour, dash, away in LINES:
        shares = [100 * found[way, epsilon].mean for epsilon in EPSILONS]
        drawn.line(EPSILONS, shares, colour, dash=dash, name=name, hovertemplate="%{y:.1f} % at ε = %{x:g}")
        drawn.label(math.log10(EPSILONS[0]), shares[0], name, colour, xshift=8, yshift=away)
    lowest = min(100 * each.mean for each in found.values())
    drawn.axis("xaxis", "ε (log scale): more useful →", type="log", tickvals=list(EPSILONS),
               ticktext=[f"{epsilon:g}" for epsilon in EPSILONS])  # fmt: skip
    drawn.axis("yaxis", "other records told right, in %", range=[math.floor(lowest) - 1, math.ceil(level) + 1])
    return drawn


def _percent(reached: Reached) -> str:
    return f"{100 * reached.mean:.1f} %"


@lru_cache(maxsize=1)
def stored() -> tuple[Reached, ...]:
    """Return what was measured; nothing if no results are stored."""
    try:
        kept = json.loads(STORED.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return ()
    return tuple(Reached(**each) for each in kept["trained"])
