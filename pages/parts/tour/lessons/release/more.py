"""The steps about more of it: a longer list, a score besides, records that trained; and which ε a loss asks for."""

import math
from collections.abc import Mapping

import numpy as np

from pages.parts.release.plain.told import told
from pages.parts.release.setup import COVERAGE, FROM, UP_TO
from pages.parts.release.tabs.training import picture as of_training
from pages.parts.release.tabs.training import stored
from pages.parts.system.attack import Views
from pages.parts.tour import words
from pages.parts.tour.lesson import Stop, one_figure
from pages.parts.tour.lessons.release import questions
from pages.parts.tour.lessons.release.drawing import setup_of
from pages.parts.values.palette import MET, NON_PRIVATE, PRIVATE, RANDOM, UNMET
from pages.parts.values.picture import Picture
from pages.parts.values.views import Finding
from privbo_core.data import TuningTask
from privbo_core.errors import Array
from privbo_core.experiments.choosing import trained
from privbo_core.outsourced import Difference
from privbo_core.release import random_rows, selection

LISTS = (2, 5, 10, 20, 50, 100, 200)
HARDLY = 0.05
SETS = 30
"""Random lists of each length."""
GRID = np.geomspace(FROM, UP_TO, 41)


def losses_of_lists(task: TuningTask, epsilon: float, count: int) -> Array:
    """Return what the draw from each of `SETS` random lists of so many settings loses, against the best of all."""
    assert task.records is not None
    found = []
    for k in range(SETS):
        rows = random_rows(task.n, count, np.random.default_rng([0, k])).tolist()
        plan = selection(task.scores, records=task.records, epsilon=epsilon, rows=rows, largest_loss=task.largest_loss,
                         way="permute-and-flip")  # fmt: skip
        found.append(float(task.scores.max() - plan.choice.probabilities @ plan.scores))
    return np.array(found)


def flat_from(lost: Mapping[int, Array]) -> int:
    """Return the shortest list from which on hardly anything is gained: no more than `HARDLY` of what all of it gains."""
    first, *_, last = sorted(lost)
    gain = float(lost[first].mean() - lost[last].mean())
    flat = last
    for count in sorted(lost, reverse=True):
        if abs(float(lost[count].mean() - lost[last].mean())) > HARDLY * gain:
            break
        flat = count
    return flat


def more_tries(stop: Stop) -> Views:
    """Draw what the drawn setting loses against the length of the list."""
    task, epsilon = stop.about, stop.controls["epsilon"]
    spoken = told(task)
    counts = [*(count for count in LISTS if count < task.n), task.n]
    lost = {count: losses_of_lists(task, epsilon, count) for count in counts}
    means = [100 * float(each.mean()) for each in lost.values()]
    errors = [100 * float(each.std(ddof=1) / math.sqrt(SETS)) for each in lost.values()]
    picture = Picture()
    picture.add(
        "scatter", x=counts, y=means, mode="lines+markers", line={"color": PRIVATE, "width": 3}, marker={"size": 9},
        error_y={"array": errors, "color": PRIVATE, "thickness": 1.5}, hovertemplate="%{y:.2f} points from %{x} settings",
    )  # fmt: skip
    top = 1.15 * max(mean + error for mean, error in zip(means, errors, strict=True))
    picture.axis(
        "xaxis",
        "settings on the list (log scale)",
        type="log",
        tickvals=counts,
        ticktext=[f"{count}" for count in counts],
    )
    picture.axis("yaxis", f"points of {spoken.measure} lost", range=[0, stop.put_axis(top)])
    more = Difference.of(lost[counts[0]] - lost[counts[-1]])
    right = questions.changed_by(more)
    flat = flat_from(lost)
    far = f"up to about {flat} settings; after that hardly anything changes" if flat < counts[-1] else "up to all of it"
    said = {
        "better": f"A longer list pays, {far}",
        "same": "A longer list makes no clear difference",
        "worse": "A longer list costs",
    }[right]
    ends = (counts[0], flat, counts[-1]) if right == "better" and flat < counts[-1] else (counts[0], counts[-1])
    sizes = [
        f"{'all ' if count == task.n else ''}{count:,} lose {spoken.amount(float(lost[count].mean()))}"
        for count in ends
    ]
    title = f"{said}: {', '.join(sizes)}"
    note = f"At ε = {words.epsilon(epsilon)}, the same for each length: only what is published counts, not what was tried. {SETS} random lists each, ± 1 standard error."
    alt = "What the drawn setting loses against the length of the list."
    yield one_figure(Finding(title, "simulation", note), picture, alt, right)


def score_too(stop: Stop) -> Views:
    """Draw where the published score falls."""
    setup, spoken = setup_of(stop), told(stop.about)
    amount = spoken.amount(setup.half_width).removeprefix("under ")
    centre, half, scale = 1 + setup.protected, setup.half_width, setup.scale
    low, high = centre - 1.6 * half, centre + 1.6 * half
    x = np.linspace(low, high, 301)
    picture = Picture()
    picture.region(100 * (centre - half), 100 * (centre + half), MET.faded(0.14))
    picture.line((100 * x).tolist(), np.exp(-np.abs(x - centre) / scale), PRIVATE, width=3, hoverinfo="skip")
    picture.upright(100 * centre, NON_PRIVATE, dash="dash")
    picture.label(100 * centre, 1, "the true score", NON_PRIVATE, yref="paper", yanchor="top", xshift=6)
    picture.label(100 * (centre - half), 0.5, f"{100 * COVERAGE:.0f} of 100 in here", MET, yref="paper", xshift=6)
    picture.axis("xaxis", f"the published score: {spoken.measure}, in %", range=[100 * low, 100 * high])
    picture.axis("yaxis", "how likely", range=[0, 1.1], showticklabels=False)
    title = f"With ε = {words.epsilon(setup.plan.epsilon)} for the score, it is published to within {amount}"
    note = f"Setting and score together cost ε = {words.epsilon(2 * setup.plan.epsilon)}: what is published about the same records adds up."
    alt = f"Where the published score falls: within {amount} of the true one, 95 times in 100."
    yield one_figure(Finding(title, "curator", note), picture, alt, questions.how_far(half))


def left_out(stop: Stop) -> Views:
    """Draw what it takes to hide the records that trained, too."""
    epsilon = stop.controls["covered"]
    found = {(each.way, each.epsilon): each for each in stored()}
    best, plain = found[trained.POISSON, epsilon], found[trained.NOT_PRIVATE, None]
    lost, error = plain.mean - best.mean, math.hypot(plain.standard_error, best.standard_error)
    picture = of_training(found)
    picture.upright(epsilon, NON_PRIVATE, dash="dot", width=1.5)
    title = f"Hide everybody at ε = {epsilon:g}, also those that the model learned from: {100 * best.mean:.1f} of 100 answers are right; hide nobody: {100 * plain.mean:.1f}"
    note = (
        f"Measured on {trained.TRAINERS:,} hospital records to learn from and {trained.VALIDATORS:,} to try on, {best.runs} runs. "
        "“Validation records alone” hides only the latter."
    )
    alt = "Share of right answers against ε, with training records hidden or not."
    yield one_figure(Finding(title, "simulation", note), picture, alt, questions.price(lost, error))


def what_would_you_choose(stop: Stop) -> Views:
    """Draw what both ways lose at each ε, and the ε that a loss asks for."""
    task, spoken, accepted = stop.about, told(stop.about), stop.controls["loss"] / 100
    stop.controls.values["epsilon"] = 1.0
    setup = setup_of(stop)
    own, theirs = (
        [lost(plan, task, float(epsilon)) for epsilon in GRID] for plan in (setup.plan, setup.published.plan)
    )
    picture = Picture(margin={"l": 56, "r": 16, "t": 20, "b": 44})
    for losses, colour, dash, name in (
        (own, MET, "solid", "draw from the list"),
        (theirs, UNMET, "dash", "DP-BO as published"),
    ):
        picture.line(
            GRID.tolist(),
            [100 * each for each in losses],
            colour,
            dash=dash,
            name=name,
            hovertemplate="%{y:.2f} points at ε = %{x:.3g}",
        )
        place = 24 if colour is UNMET else 12
        picture.label(math.log10(GRID[place]), 100 * losses[place], name, colour, xshift=8, yshift=10)
    picture.level(100 * setup.blind_loss, RANDOM, dash="dot", width=1.5)
    picture.label(0.99, 100 * setup.blind_loss, "blind draw", RANDOM, xref="paper", xanchor="right", yshift=9)
    picture.level(100 * accepted, MET)
    picture.label(0.99, 100 * accepted, "accepted", MET, xref="paper", xanchor="right", yshift=9)
    picture.axis("xaxis", "ε (log scale): more may leak →", type="log", tickvals=[0.1, 1, 10, 100, 1000])
    picture.axis("yaxis", f"points of {spoken.measure} lost", range=[0, 115 * setup.blind_loss])
    needed, other = (least(GRID.tolist(), losses, accepted) for losses in (own, theirs))
    title = f"To lose at most {words.points(spoken.amount(accepted))}, the draw from the list needs {said(needed)}; DP-BO {said(other)}"
    note = "The smallest ε that keeps to your loss is the one to choose: a larger one gives away more for nothing."
    alt = "What two ways to draw lose against ε."
    yield one_figure(Finding(title, "curator", note), picture, alt, questions.size_of(needed))


def lost(plan: object, task: TuningTask, epsilon: float) -> float:
    """Return what the setting that is drawn loses at an ε."""
    choice = plan.at(epsilon).choice  # type: ignore[attr-defined]
    return float(choice.probabilities @ (task.scores.max() - task.scores))


def least(epsilons: list[float], losses: list[float], accepted: float) -> float:
    """Return the smallest ε from which on a loss is kept to, between the grid’s by its logarithm; ∞ if none is enough."""
    if losses[-1] > accepted:
        return math.inf
    k = next(k for k in range(len(losses)) if max(losses[k:]) <= accepted)
    if k == 0:
        return epsilons[0]
    share = (losses[k - 1] - accepted) / (losses[k - 1] - losses[k])
    return float(epsilons[k - 1] * (epsilons[k] / epsilons[k - 1]) ** share)


def said(epsilon: float) -> str:
    """Return an ε in words."""
    return "never keeps to that" if math.isinf(epsilon) else f"ε = {words.epsilon(epsilon)}"
