"""The steps about what is published: who decides without privacy, how a private draw aims, and how a blind one does."""

import math

import numpy as np

from pages.parts.release.plain.picture import chances, groups
from pages.parts.release.plain.told import told
from pages.parts.release.setup import Setup, set_up
from pages.parts.system.attack import Views
from pages.parts.tour import words
from pages.parts.tour.lesson import Stop, one_figure
from pages.parts.tour.lessons.release import questions
from pages.parts.values.numbers import two_digits
from pages.parts.values.palette import MET, NON_PRIVATE, RANDOM, UNMET
from pages.parts.values.picture import Picture
from pages.parts.values.views import Finding
from privbo_core.data import TuningTask
from privbo_core.errors import Array
from privbo_core.release import random_rows

DP_BO = "DP-BO as published"
MUCH = 10.0
"""From this ε on it says little by how much a chance may change."""
SHOWN = 8
"""Winners that are named in the picture."""


def setup_of(stop: Stop) -> Setup:
    """Return private selection from the whole list at the slider’s ε."""
    return set_up(stop.about, 0, "icml", {"epsilon": stop.controls["epsilon"]})


def winners(losses: Array) -> tuple[int, Array]:
    """Return which setting wins with all records, and which wins without each one; ``losses``: records × settings."""
    total = losses.sum(axis=0)
    return int(total.argmin()), (total - losses).argmin(axis=1)


def who_decides(stop: Stop) -> Views:
    """Draw which setting wins without each single record."""
    task: TuningTask = stop.about
    assert task.losses is not None
    tried = random_rows(task.n, stop.controls.whole("tried"), np.random.default_rng(0))
    best, without = winners(task.losses[:, tried])
    count = int((without != best).sum())
    rows, times = np.unique(without, return_counts=True)
    order = np.argsort(-times, kind="stable")[:SHOWN]
    names = [f"setting {tried[rows[k]] + 1}" for k in order]
    picture = Picture(margin={"l": 90, "r": 16, "t": 8, "b": 44})
    picture.add(
        "bar", orientation="h", y=names, x=times[order], width=0.6, hovertemplate="wins without %{x} patients",
        marker={"color": [NON_PRIVATE if rows[k] == best else UNMET for k in order]},
    )  # fmt: skip
    for place, k in enumerate(order):
        picture.label(float(times[k]), place, f"{times[k]}", NON_PRIVATE if rows[k] == best else UNMET, xshift=6)
    picture.axis("xaxis", "patients without whom it wins", range=[0, 1.2 * float(times.max())])
    picture.axis("yaxis", autorange="reversed", type="category")
    each_one = f"without any one of these {count}" if count > 1 else "without that one"
    title = (
        f"{count} of {len(without):,} patients decide: {each_one}, another setting wins"
        if count
        else f"Whichever of {len(without):,} patients is left out, the same setting wins"
    )
    told_by = (
        "So the best setting can tell that somebody’s record was among them."
        if count
        else "Nobody could know that before."
    )
    note = f"{told_by} Each bar: a setting that wins."
    alt = f"How often each setting wins when one patient is left out; {count} of {len(without)} change the winner."
    yield one_figure(Finding(title, "curator", note), picture, alt, questions.deciding(count))


def good_draws(stop: Stop) -> Views:
    """Draw how likely a setting of each group is to be published."""
    setup, spoken = setup_of(stop), told(stop.about)
    picture = chances(setup, spoken)
    picture.data = [trace for trace in picture.data if trace["name"] != DP_BO]  # it comes in the next step
    picture.layout["annotations"] = [each for each in picture.layout["annotations"] if DP_BO not in each["text"]]
    first = groups(setup)[0]
    title = f"At ε = {words.epsilon(setup.plan.epsilon)} one of the best {first.size} is drawn {100 * first.chance:.0f} times in 100; blindly, {100 * first.blind:.0f} times"
    fold = two_digits(math.exp(setup.plan.epsilon)) if setup.plan.epsilon <= MUCH else ""
    single = f" No single record changes any of these chances more than {fold}-fold." if fold else ""
    note = f"Privacy costs {spoken.amount(setup.loss_of_choice() or 0.0)} of {spoken.measure}.{single}"
    alt = "How likely a setting is to be published, the best ones first."
    yield one_figure(Finding(title, "curator", note), picture, alt, questions.aimed(first.chance, first.blind))


def how_blind(stop: Stop) -> Views:
    """Draw what the draw from the list, DP-BO and a blind draw lose."""
    setup, spoken = setup_of(stop), told(stop.about)
    own, theirs, blind = (
        each or 0.0 for each in (setup.loss_of_choice(), setup.published.loss_of_choice(), setup.blind_loss)
    )
    right = questions.lost_by(theirs, own, blind)
    ways = (("draw from the list", own, MET), (DP_BO, theirs, UNMET), ("blind draw", blind, RANDOM))
    picture = Picture(margin={"l": 130, "r": 16, "t": 8, "b": 44})
    picture.add(
        "bar", orientation="h", y=[name for name, *_ in ways], x=[100 * lost for _, lost, _ in ways], width=0.6,
        marker={"color": [colour for *_, colour in ways]}, hovertemplate="loses %{x:.3g} points",
    )  # fmt: skip
    for place, (_, lost, colour) in enumerate(ways):
        picture.label(100 * lost, place, spoken.amount(lost), colour, xshift=6, font={"color": colour, "size": 15})
    picture.axis("xaxis", "percentage points lost", range=[0, 135 * max(own, theirs, blind)])
    picture.axis("yaxis", autorange="reversed", type="category")
    how = {"little": "DP-BO aims as well", "middle": "DP-BO aims less well", "blind": "DP-BO draws nearly blindly"}[
        right
    ]
    title = f"At ε = {words.epsilon(setup.plan.epsilon)} {how}: it loses {spoken.amount(theirs)}, the draw from the list {spoken.amount(own)}"
    note = "DP-BO’s ε is a claim over a model of the scores; that of the draw from the list is proved for all records."
    alt = "What three ways to draw a setting lose."
    yield one_figure(Finding(title, "curator", note), picture, alt, right)
