"""The steps about a tuned model: who decides what is published, how a private draw aims, and what more of it costs."""

import itertools
import math
from collections.abc import Mapping

import numpy as np

from pages.parts.release import tasks
from pages.parts.release.figures import chances
from pages.parts.release.setup import FROM, UP_TO
from pages.parts.release.tasks import spoken_of
from pages.parts.release.view import COVERAGE, View, permute_and_flip, selected
from pages.parts.release.ways import stored, training_picture
from pages.parts.system.lesson import Situation, clearly, one_figure, points, third
from pages.parts.views.content import short_epsilon
from pages.parts.views.picture import MET, NON_PRIVATE, PRIVATE, RANDOM, UNMET, Colour, Picture
from pages.parts.views.text import two_digits
from pages.parts.views.views import Finding, Views
from privbo_core.data import TuningTask
from privbo_core.errors import Array
from privbo_core.outsourced import Difference
from privbo_core.release import random_rows

SOME = 10  # So many records are some; more are many.
HALF, FIFTH = 0.5, 0.2
NEAR, FAR = 0.01, 0.05  # A score is near within a percentage point, and far beyond five.
LITTLE = 0.02
SMALL, LARGE = 1.0, 10.0
DP_BO = "DP-BO as published"
MUCH = 10.0  # From this ε on it says little by how much a chance may change.
SHOWN = 8  # Winners that are named in the picture.


def price(lost: float, standard_error: float) -> str:
    """Return how large a loss is, in shares of right answers."""
    if lost < 2 * standard_error:
        return "nothing"
    return "little" if lost <= LITTLE else "much"


def view_of(situation: Situation) -> View:
    return permute_and_flip(situation.about, situation.controls["epsilon"])


def winners(losses: Array) -> tuple[int, Array]:
    """Return which setting wins with all records, and which wins without each one; ``losses``: records × settings."""
    total = losses.sum(axis=0)
    return int(total.argmin()), (total - losses).argmin(axis=1)


def who_decides(situation: Situation) -> Views:
    task: TuningTask = situation.about
    assert task.losses is not None
    tried = random_rows(task.n, situation.controls.whole("tried"), np.random.default_rng(0))
    best, without = winners(task.losses[:, tried])
    count = int((without != best).sum())
    rows, times = np.unique(without, return_counts=True)
    order = np.argsort(-times, kind="stable")[:SHOWN]
    names, lengths = [f"setting {tried[rows[k]] + 1}" for k in order], times[order]
    colours = [NON_PRIVATE if rows[k] == best else UNMET for k in order]
    picture = bars(names, lengths, colours, 90, "wins without %{x} patients")
    for place, (length, colour) in enumerate(zip(lengths, colours, strict=True)):
        picture.label(float(length), place, f"{length}", colour, xshift=6)
    picture.axis("xaxis", "patients without whom it wins", range=[0, 1.2 * float(times.max())])
    title = f"Whichever of {len(without):,} patients is left out, the same setting wins"
    told_by = "Nobody could know that before."
    if count:
        each_one = f"without any one of these {count}" if count > 1 else "without that one"
        title = f"{count} of {len(without):,} patients decide: {each_one}, another setting wins"
        told_by = "So the best setting can tell that somebody’s record was among them."
    note = f"{told_by} Each bar: a setting that wins."
    alt = f"How often each setting wins when one patient is left out; {count} of {len(without)} change the winner."
    yield one_figure(Finding(title, "curator", note), picture, alt, third(count, 1, SOME, "none some many"))


def bars(names: list[str], lengths: object, colours: list[Colour], room: int, hover: str) -> Picture:
    """Draw a bar for each name, from the top down; ``room``: that of the names, in pixels."""
    picture = Picture(margin={"l": room, "r": 16, "t": 8, "b": 44})
    look = {"orientation": "h", "width": 0.6, "marker": {"color": colours}, "hovertemplate": hover}
    picture.add("bar", y=names, x=lengths, **look)
    picture.axis("yaxis", autorange="reversed", type="category")
    return picture


def good_draws(situation: Situation) -> Views:
    """Draw how likely a setting of each group is to be published."""
    view, spoken = view_of(situation), spoken_of(situation.about)
    picture = chances(view)
    picture.data = [trace for trace in picture.data if trace["name"] != DP_BO]  # it comes in the next step
    picture.layout["annotations"] = [each for each in picture.layout["annotations"] if DP_BO not in each["text"]]
    first = view.groups[0]
    title = (
        f"At ε = {short_epsilon(view.plan.epsilon)} one of the best {first.size} is drawn {100 * first.chance:.0f} "
        f"times in 100; blindly, {100 * first.blind:.0f} times"
    )
    note = f"Privacy costs {spoken.amount(view.lost)} of {spoken.measure}."
    if view.plan.epsilon <= MUCH:
        fold = two_digits(math.exp(view.plan.epsilon))
        note = f"{note} No single record changes any of these chances more than {fold}-fold."
    alt = "How likely a setting is to be published, the best ones first."
    aimed = "mostly" if first.chance > HALF else "often" if first.chance > 1.5 * first.blind else "seldom"
    yield one_figure(Finding(title, "curator", note), picture, alt, aimed)


def how_blind(situation: Situation) -> Views:
    """Draw what the draw from the list, DP-BO and a blind draw lose."""
    view, spoken = view_of(situation), spoken_of(situation.about)
    own, theirs, blind = losses = (view.lost, view.published.lost, view.blind_loss)
    place = (theirs - own) / (blind - own) if blind > own else 0.0
    right, how = "middle", "DP-BO aims less well"
    if place <= FIFTH:
        right, how = "little", "DP-BO aims as well"
    elif place >= 1 - FIFTH:
        right, how = "blind", "DP-BO draws nearly blindly"
    names, colours = ["draw from the list", DP_BO, "blind draw"], [MET, UNMET, RANDOM]
    picture = bars(names, [100 * lost for lost in losses], colours, 130, "loses %{x:.3g} points")
    for at, (lost, colour) in enumerate(zip(losses, colours, strict=True)):
        picture.label(100 * lost, at, spoken.amount(lost), colour, xshift=6, size=15)
    picture.axis("xaxis", "percentage points lost", range=[0, 135 * max(losses)])
    title = (
        f"At ε = {short_epsilon(view.plan.epsilon)} {how}: it loses {spoken.amount(theirs)}, the draw from the list "
        f"{spoken.amount(own)}"
    )
    note = "DP-BO’s ε is a claim over a model of the scores; that of the draw from the list is proved for all records."
    alt = "What three ways to draw a setting lose."
    yield one_figure(Finding(title, "curator", note), picture, alt, right)


LISTS = (2, 5, 10, 20, 50, 100, 200)
HARDLY = 0.05
SETS = 30  # Random lists of each length.
GRID: list[float] = np.geomspace(FROM, UP_TO, 41).tolist()


def losses_of_lists(task: TuningTask, epsilon: float, count: int) -> Array:
    """Return what the draw from each of `SETS` random lists of so many settings loses, against the best of all."""
    lists = (random_rows(task.n, count, np.random.default_rng([0, k])).tolist() for k in range(SETS))
    plans = (selected(task, epsilon, rows=rows) for rows in lists)
    return np.array([float(task.scores.max() - plan.choice.probabilities @ plan.scores) for plan in plans])


def flat_from(lost: Mapping[int, Array]) -> int:
    """Return the shortest list from which on no more than `HARDLY` of what all of it gains is gained."""
    first, *_, last = counts = sorted(lost)
    off = {count: float(lost[count].mean() - lost[last].mean()) for count in counts}
    flat = itertools.takewhile(lambda count: abs(off[count]) <= HARDLY * off[first], reversed(counts))
    return min(flat, default=last)


def more_tries(situation: Situation) -> Views:
    """Draw what the drawn setting loses against the length of the list."""
    task, epsilon = situation.about, situation.controls["epsilon"]
    spoken = spoken_of(task)
    counts = [*(count for count in LISTS if count < task.n), task.n]
    lost = {count: losses_of_lists(task, epsilon, count) for count in counts}
    means = [100 * float(each.mean()) for each in lost.values()]
    errors = [100 * float(each.std(ddof=1) / math.sqrt(SETS)) for each in lost.values()]
    picture = Picture()
    hover = "%{y:.2f} points from %{x} settings"
    picture.points(counts, means, PRIVATE, 3, {"array": errors}, marker={"size": 9}, hovertemplate=hover)
    top = 1.15 * max(mean + error for mean, error in zip(means, errors, strict=True))
    ticks = {"tickvals": counts, "ticktext": [f"{count}" for count in counts]}
    picture.axis("xaxis", "settings on the list (log scale)", type="log", **ticks)
    picture.axis("yaxis", f"points of {spoken.measure} lost", range=[0, situation.put_axis(top)])
    more = Difference.of(lost[counts[0]] - lost[counts[-1]])
    right = clearly(more, "better worse same")
    flat = flat_from(lost)
    far = f"up to about {flat} settings; after that hardly anything changes" if flat < counts[-1] else "up to all of it"
    title = {
        "better": f"A longer list pays, {far}",
        "same": "A longer list makes no clear difference",
        "worse": "A longer list costs",
    }[right]
    ends = (counts[0], flat, counts[-1]) if right == "better" and flat < counts[-1] else (counts[0], counts[-1])
    lose = {count: f"{count:,} lose {spoken.amount(float(lost[count].mean()))}" for count in ends}
    sizes = [f"all {loss}" if count == task.n else loss for count, loss in lose.items()]
    title = f"{title}: {', '.join(sizes)}"
    note = (
        f"At ε = {short_epsilon(epsilon)}, the same for each length: only what is published counts, not what was "
        f"tried. {SETS} random lists each, ± 1 standard error."
    )
    alt = "What the drawn setting loses against the length of the list."
    yield one_figure(Finding(title, "simulation", note), picture, alt, right)


def score_too(situation: Situation) -> Views:
    view, spoken = view_of(situation), spoken_of(situation.about)
    amount = spoken.amount(view.half_width).removeprefix("under ")
    centre, half, scale = 1 + view.protected, view.half_width, view.scale
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
    title = f"With ε = {short_epsilon(view.plan.epsilon)} for the score, it is published to within {amount}"
    note = (
        f"Setting and score together cost ε = {short_epsilon(2 * view.plan.epsilon)}: what is published about the same "
        "records adds up."
    )
    alt = f"Where the published score falls: within {amount} of the true one, 95 times in 100."
    yield one_figure(Finding(title, "curator", note), picture, alt, third(half, NEAR, FAR, "near middle far"))


def left_out(situation: Situation) -> Views:
    """Draw what it takes to hide the records that trained, too."""
    epsilon = situation.controls["covered"]
    found = stored()
    best, plain = found[tasks.POISSON, epsilon], found[tasks.NOT_PRIVATE, None]
    lost, error = plain.mean - best.mean, math.hypot(plain.standard_error, best.standard_error)
    picture = training_picture(found)
    picture.upright(epsilon, NON_PRIVATE, dash="dot", width=1.5)
    title = (
        f"Hide everybody at ε = {epsilon:g}, also those that the model learned from: {100 * best.mean:.1f} of 100 "
        f"answers are right; hide nobody: {100 * plain.mean:.1f}"
    )
    note = (
        f"Measured on {tasks.TRAINERS:,} hospital records to learn from and {tasks.VALIDATORS:,} to try on, "
        f"{best.runs} runs. “Validation records alone” hides only the latter."
    )
    alt = "Share of right answers against ε, with training records hidden or not."
    yield one_figure(Finding(title, "simulation", note), picture, alt, price(lost, error))


def what_would_you_choose(situation: Situation) -> Views:
    """Draw what both ways lose at each ε, and the ε that a loss asks for."""
    view, accepted = permute_and_flip(situation.about, 1.0), situation.controls["loss"] / 100
    spoken, (own, theirs) = view.sample, map(losses_on_the_grid, (view, view.published))
    picture = Picture(margin={"l": 56, "r": 16, "t": 20, "b": 44})
    hover = "%{y:.2f} points at ε = %{x:.3g}"
    both = (own, MET, "solid", "draw from the list", 12), (theirs, UNMET, "dash", DP_BO, 24)
    for losses, colour, dash, name, place in both:
        shown = [100 * each for each in losses]
        picture.line(GRID, shown, colour, dash=dash, name=name, hovertemplate=hover)
        picture.label(math.log10(GRID[place]), 100 * losses[place], name, colour, xshift=8, yshift=10)
    picture.level(100 * view.blind_loss, RANDOM, dash="dot", width=1.5)
    picture.label(0.99, 100 * view.blind_loss, "blind draw", RANDOM, xref="paper", xanchor="right", yshift=9)
    picture.level(100 * accepted, MET)
    picture.label(0.99, 100 * accepted, "accepted", MET, xref="paper", xanchor="right", yshift=9)
    picture.axis("xaxis", "ε (log scale): more may leak →", type="log", tickvals=[0.1, 1, 10, 100, 1000])
    picture.axis("yaxis", f"points of {spoken.measure} lost", range=[0, 115 * view.blind_loss])
    needed, other = (least(GRID, losses, accepted) for losses in (own, theirs))
    title = (
        f"To lose at most {points(spoken.amount(accepted))}, the draw from the list needs {in_words(needed)}; DP-BO "
        f"{in_words(other)}"
    )
    note = "The smallest ε that keeps to your loss is the one to choose: a larger one gives away more for nothing."
    alt = "What two ways to draw lose against ε."
    yield one_figure(Finding(title, "curator", note), picture, alt, third(needed, SMALL, LARGE, "small middle large"))


def losses_on_the_grid(view: View) -> list[float]:
    return [view.lost_at(epsilon) for epsilon in GRID]


def least(epsilons: list[float], losses: list[float], accepted: float) -> float:
    """Return the smallest ε from which on a loss is kept to, between the grid’s by its logarithm; ∞ if none is."""
    if losses[-1] > accepted:
        return math.inf
    k = next(k for k in range(len(losses)) if max(losses[k:]) <= accepted)
    if k == 0:
        return epsilons[0]
    share = (losses[k - 1] - accepted) / (losses[k - 1] - losses[k])
    return float(epsilons[k - 1] * (epsilons[k] / epsilons[k - 1]) ** share)


def in_words(epsilon: float) -> str:
    return "never keeps to that" if math.isinf(epsilon) else f"ε = {short_epsilon(epsilon)}"
