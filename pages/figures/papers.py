"""The figures of the Papers page: results of an experiment beside the printed numbers."""

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from pages.ui.figure import (
    CAUTION,
    NON_PRIVATE,
    PRIVATE,
    PROVEN,
    RANDOM,
    SECOND_PRIVATE,
    TEXT,
    Figure,
    Stroke,
    faded,
)
from pages.ui.text import SIGMA_MIN, SIGMA_Y, marked, to_html
from privbo_core.experiments import Arm, Experiment, Report
from privbo_core.experiments.contents import NEEDS, edge_of, sizes_of
from privbo_core.experiments.model import Kind

HEIGHT = 320
LETTER = 6.4  # How many pixels wide a letter of a curve's name is on average, at most.
DASHES = ("solid", "dash", "dot", "longdashdot", "longdash", "dashdot")
OWN_DASHES = {"FTS": "dash", "FTS-DE, P = 2": "longdashdot", "FTS-DE, P = 4": "dot", "weights alone": "longdashdot"}
"""The line styles of curves that mean the same in several figures."""
SHORT = {
    "smallest ε that meets the condition": "ε*, meets the condition",
    "half that ε": "half of ε*",
    "a tenth of that ε": "a tenth of ε*",
    "each agent by a coin": "agents join independently",
    "a fixed number": "a fixed number joins",
    "a = 15, as in Fig. 2": "a = 15, as in Figure 2",
}
"""Other names for some curves. The results are stored under the first ones."""
EPSILON_TICKS = (0.5, 1, 2, 5, 10, 20, 50)
Mean = tuple[float, float, int]
"""A mean, its standard error, and of how many replicates."""
Known = Sequence[tuple[float, Mean]]
BOUNDS = (
    ("Theorem 2 allows", "setting_bound", Stroke(PRIVATE, "dash"), "triangle-up"),
    ("configuration loses", "setting_loss", Stroke(PRIVATE), "circle"),
    ("Theorem 4 allows", "score_bound", Stroke(SECOND_PRIVATE, "dash"), "triangle-up"),
    ("score is off by", "score_error", Stroke(SECOND_PRIVATE), "square"),
    ("range of f", "range", Stroke(RANDOM, "dot"), "circle"),
)
"""The series of a figure with bounds: name, measure, stroke and symbol."""


def draw(report: Report, live: Report) -> Figure:
    """Draw an experiment: the stored results, the printed numbers if there are any, and the live results."""
    kinds: Mapping[Kind, Callable[[Report, Report], Figure]] = {"table": table, "sweep": sweep, "privacy": privacy}
    return kinds.get(report.experiment.kind, curves)(report, live)


@dataclass
class Series:
    """Curves that are gathered first, so that the axes and the margin for their names fit all of them."""

    curves: list[tuple[Known, Stroke, str, str]] = field(default_factory=list)
    levels: list[tuple[float, Stroke, str]] = field(default_factory=list)
    crosses: list[tuple[float, Mean]] = field(default_factory=list)

    def add(self, known: Known, stroke: Stroke, symbol: str, name: str) -> None:
        """Add means with their standard errors."""
        if known:
            self.curves.append((known, stroke, symbol, name))

    def level(self, mean: Mean | None, stroke: Stroke, name: str) -> None:
        """Add a mean that does not depend on the setting along the axis."""
        if mean is not None:
            self.levels.append((mean[0], stroke, name))

    @property
    def means(self) -> list[float]:
        """Every mean."""
        return [mean for known, *_ in self.curves for _, (mean, *_) in known] + [value for value, *_ in self.levels]

    @property
    def top(self) -> float:
        """The upper end of every mean with its standard error."""
        ends = [mean + _zero(error) for known, *_ in self.curves for _, (mean, error, _) in known]
        return max([*ends, *(value for value, *_ in self.levels)], default=1.0)

    def figure(self) -> Figure:
        """Return a figure whose right margin has room for the longest name."""
        names = [name for *_, name in self.curves] + [name for *_, name in self.levels]
        return Figure(HEIGHT, left=60, right=margin(names))

    def draw(self, figure: Figure) -> None:
        """Draw everything in a figure whose axes are set."""
        ends = []
        for known, stroke, symbol, name in self.curves:
            x, means = [x for x, _ in known], np.array([mean for _, (mean, *_) in known])
            errors = np.array([_zero(error) for _, (_, error, _) in known])
            bars: dict[str, Any] = {
                "type": "data",
                "array": errors,
                "color": stroke.colour,
                "thickness": 1.5,
                "width": 4,
            }
            hover = f"{to_html(name)}: %{{y:.4f}} ± %{{customdata:.4f}}"
            figure.line(x, means, stroke, name, hover, error_y=bars, customdata=errors)
            figure.points(x, means, stroke.colour, f"{name}, means", symbol=symbol)
            ends.append((float(means[-1]), to_html(name), stroke))
        for value, stroke, name in self.levels:
            figure.level(value, stroke)
            ends.append((value, to_html(name), stroke))
        if self.crosses:
            x, means = [x for x, _ in self.crosses], np.array([mean for _, (mean, *_) in self.crosses])
            line = {"width": 2.5, "color": TEXT}
            hover = "run live: %{y:.4f}"
            figure.points(x, means, TEXT, "run live", hover, symbol="x-thin", size=11, line=line)
            ends.append((float(means[-1]), "× run live", Stroke(TEXT)))
        figure.end_labels(ends)


def _zero(error: float) -> float:
    return 0.0 if math.isnan(error) else error


def name_of(arm: str) -> str:
    """Return the name of an arm, with markup."""
    return marked(SHORT.get(arm, arm))


def margin(names: Iterable[str]) -> int:
    """Return the pixels that the longest name of a curve needs beside the plot."""
    return round(24 + LETTER * max(map(len, ("× run live", *names))))


def means_at(report: Report, places: Iterable[tuple[float, str]], measure: str = "last") -> list[tuple[float, Mean]]:
    """Return the means of those arms that have results, each at its place along the axis."""
    return [(x, mean) for x, arm in places if (mean := report.mean(arm, measure))]


def table(report: Report, live: Report) -> Figure:
    """Draw regret against r: the paper's numbers and ours, and where the condition fails."""
    experiment, series = report.experiment, Series()
    edge, sizes = edge_of(experiment), sizes_of(experiment)
    arms = [f"r = {r}" for r in sizes]
    printed = {each.number.arm: each for each in report.compared if each.number.exact is None}
    places = [(float(place), arm) for place, arm in enumerate(arms) if arm in printed]
    own = experiment.data == "own"
    # On other data, our scatter says nothing about that of the printed number.
    errors = {arm: printed[arm].printed_error if own else None for _, arm in places}
    paper = [(place, (printed[arm].number.printed, errors[arm] or math.nan, 1)) for place, arm in places]
    series.add(paper, Stroke(TEXT, "dot", 1.5), "diamond-open", "paper")
    matched = [(float(place), f"{arm}, matched ε") for place, arm in enumerate(arms)]
    series.add(means_at(report, matched), Stroke(PRIVATE, "dash", 1.5), "square-open", "ours, matched ε")
    series.add(means_at(report, places), Stroke(PRIVATE), "circle", "ours")
    series.crosses += means_at(live, places)
    highest = series.top
    for name, stroke in (("non-private", Stroke(NON_PRIVATE, "dash", 2)), ("random search", Stroke(RANDOM, "dot", 2))):
        mean = report.mean(name, "last")
        # A level far above the curves would only flatten them. The table has its number.
        series.level(mean if mean and mean[0] <= 1.3 * highest else None, stroke, name)
    figure, top = series.figure(), 1.15 * series.top
    ticks = {"tickvals": list(range(len(sizes))), "ticktext": [str(r) for r in sizes]}
    figure.axis("x", "projection dimension r", (-0.5, len(sizes) - 0.5), **ticks)
    figure.axis("y", f"simple regret, {to_html(SIGMA_Y)}", (0, top))
    fails = sum(r <= edge for r in sizes) - 0.5
    figure.region(fails, len(sizes) - 0.5, faded(CAUTION, 0.1))
    figure.label(len(sizes) - 0.55, top, "condition fails", CAUTION, yanchor="top", xanchor="right")
    series.draw(figure)
    return figure


def curves(report: Report, live: Report) -> Figure:
    """Draw regret over the iterations, with bands of one standard error. Live results are thin."""
    experiment = report.experiment
    names = {arm: to_html(name_of(arm)) for arm in experiment.curves}
    strokes = curve_strokes(experiment)
    bands = {arm: (report.bands.get(arm), live.bands.get(arm)) for arm in experiment.curves}
    known = [band for pair in bands.values() for band in pair if band is not None]
    length = max((len(band.mean) for band in known), default=2)
    # The steep start may leave the figure. What is compared comes later.
    highest = max((float(band.mean[min(len(band.mean) - 1, 2)]) for band in known), default=1.0)
    figure = Figure(HEIGHT, left=60, right=margin(name_of(arm) for arm in experiment.curves))
    unit = to_html(SIGMA_Y) if "σ_y" in experiment.measure_name else "mean over agents"
    figure.axis("x", f"{experiment.x_name} t", (1, length))
    figure.axis("y", f"simple regret, {unit}", (0, 1.05 * max(highest, 1e-6)))
    ends = []
    for arm, (band, again) in bands.items():
        stroke, name = strokes[arm], names[arm]
        if band is not None:
            x = np.arange(1, len(band.mean) + 1)
            error = np.nan_to_num(band.standard_error)
            figure.band(x, band.mean - error, band.mean + error, faded(stroke.colour, 0.15))
            figure.line(x, band.mean, stroke, arm, f"{name}: %{{y:.3f}} at t = %{{x}}")
            ends.append((float(band.mean[-1]), name, stroke))
        if again is not None:
            x, thin = np.arange(1, len(again.mean) + 1), Stroke(stroke.colour, stroke.dash, 1)
            figure.line(x, again.mean, thin, f"{arm}, run live", f"{name}, run live: %{{y:.3f}}")
    figure.end_labels(ends)
    return figure


def curve_strokes(experiment: Experiment) -> dict[str, Stroke]:
    """Return the stroke of each curve. Curves of one colour differ in their line style."""
    strokes: dict[str, Stroke] = {}
    for arm in experiment.curves:
        colour = colour_of(experiment.arm(arm))
        taken = {stroke.dash for stroke in strokes.values() if stroke.colour == colour}
        free = next((dash for dash in DASHES if dash not in taken), "solid")
        first = "dot" if colour == RANDOM else OWN_DASHES.get(arm, "dash" if colour == NON_PRIVATE else free)
        strokes[arm] = Stroke(colour, first if first not in taken else free, 2)
    return strokes


def colour_of(arm: Arm) -> str:
    """Return the colour of a method."""
    kind = arm.settings.get("algorithm", arm.settings.get("policy"))
    if kind in ("TS", "random"):
        return RANDOM
    if kind == "DP-FTS":
        return SECOND_PRIVATE
    return NON_PRIVATE if kind in ("FTS", "FTS-DE", "plain", "noiseless") else PRIVATE


def sweep(report: Report, live: Report) -> Figure:
    """Draw a measure against one setting. Where a theorem bounds it, draw the bound too, on a logarithmic axis."""
    experiment, series = report.experiment, Series()
    arms = [arm for arm in experiment.arms if experiment.x_key in arm.settings]
    others = [{**arm.settings, experiment.x_key: 0} for arm in arms]
    apart = [arm for arm, other in zip(arms, others, strict=True) if other != others[0]]
    places = [(float(arm.settings[experiment.x_key]), arm.name) for arm in arms if arm not in apart]
    bounded = any("setting_bound" in found for found in report.values.values())
    shown = BOUNDS if bounded else (("DP-FTS-DE", experiment.measure, Stroke(PRIVATE), "circle"),)
    for name, measure, stroke, symbol in shown:
        series.add(means_at(report, places, measure), stroke, symbol, name)
        if measure in (experiment.measure, "score_error"):
            series.crosses += means_at(live, places, measure)
    for arm in apart:  # An arm that differs in something else too stands beside the curve, under its own name.
        here = [(float(arm.settings[experiment.x_key]), arm.name)]
        series.add(means_at(report, here, experiment.measure), Stroke(SECOND_PRIVATE), "diamond", arm.name)
    figure = series.figure()
    ticks = [x for x, _ in places]
    figure.log_axis("x", experiment.x_name, (0.8 * min(ticks), 1.25 * max(ticks)), ticks)
    if bounded:
        low, high = 0.6 * min(series.means), 1.6 * max(series.means)
        figure.log_axis("y", f"in {to_html('σ_{f}')}", (low, high))
    else:
        figure.axis("y", "regret in the first 10 iterations", (0, 1.15 * series.top))
    series.draw(figure)
    return figure


def privacy(report: Report, live: Report) -> Figure:
    """Draw the loss of accuracy against ε. Further left is more private, and lower is better."""
    experiment, series = report.experiment, Series()
    found = [arm for arm in experiment.arms if arm.task == "accountant" and report.mean(arm.name, "epsilon")]
    losses = {arm.name.removeprefix("privacy loss, "): float(report.values[arm.name]["epsilon"][0]) for arm in found}
    noise, joining = ([arm for arm in losses if part in arm.split(", ")] for part in ("q = 0.35", "z = 1"))
    lines = (
        ("z from 4 to 1", Stroke(PRIVATE), "circle", noise),
        ("q from 0.1 to 0.35", Stroke(SECOND_PRIVATE, "dash"), "square", joining),
    )
    for name, stroke, symbol, arms in lines:
        places = sorted((losses[arm], arm) for arm in arms)
        series.add(means_at(report, places), stroke, symbol, name)
        series.crosses += means_at(live, places)
    series.level(report.mean("TS", "last"), Stroke(RANDOM, "dot", 2), "TS")
    series.level(report.mean("FTS", "last"), Stroke(NON_PRIVATE, "dash", 2), "FTS")
    series.level(report.mean("FTS-DE", "last"), Stroke(NON_PRIVATE, "longdashdot", 2), "FTS-DE")
    figure = series.figure()
    ends = (0.8 * min(losses.values(), default=1.0), 1.25 * max(losses.values(), default=10.0))
    figure.log_axis("x", experiment.x_name, ends, [tick for tick in EPSILON_TICKS if ends[0] <= tick <= ends[1]])
    # All means are close to each other, so the axis does not begin at zero.
    figure.axis("y", "accuracy lost, mean over agents", (0.9 * min(series.means, default=0.0), 1.1 * series.top))
    series.draw(figure)
    return figure


def needs(sigma_min: float) -> Figure:
    """Draw which σ_min the outsourced paper's tables need, and that of a dataset.

    Within a bar, the condition holds up to the largest r that the paper says meets it, and fails at the next r tried.
    """
    figure = Figure(300, left=140, right=72, top=24)
    ends = [sigma_min, *(need.least for need in NEEDS), *(need.most for need in NEEDS)]
    low, high = 0.7 * min(ends), 1.5 * max(ends)
    ticks = [tick for tick in (1, 10, 100, 200, 500, 1000, 2000, 10000) if low <= tick <= high]
    figure.log_axis("x", f"{to_html(SIGMA_MIN)}, inputs scaled to a norm of at most 25", (low, high), ticks)
    rows = list(range(len(NEEDS)))
    names = [to_html(f"Table {need.table}, ε = e^{{{math.log(need.epsilon):g}}}") for need in NEEDS]
    figure.axis("y", "", (len(NEEDS) - 0.4, -0.6), tickvals=rows, ticktext=names, showgrid=False)
    for row, need in zip(rows, NEEDS, strict=True):
        met = need.met(sigma_min)
        colour = PROVEN if met else faded(RANDOM, 0.6)
        hover = f"Table {need.table} needs {need.least:,.0f} to {need.most:,.0f}"
        figure.line([need.least, need.most], [row, row], Stroke(colour, width=9), f"Table {need.table}", hover)
        figure.label(need.most, row, f"r = {need.edge}", PROVEN if met else RANDOM, xshift=8)
    figure.upright(sigma_min, Stroke(PRIVATE, width=2))
    name = to_html(f"{SIGMA_MIN} = {sigma_min:,.0f}")
    figure.label(sigma_min, -0.6, name, PRIVATE, yanchor="bottom", xanchor="center")
    return figure
