"""The figures of the Reproduce page: reports in, pictures out."""

import math
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from pages.parts.reproduce.view import KINDS
from pages.parts.views.content import facts, fill
from pages.parts.views.picture import (
    MET,
    NOISY,
    NON_PRIVATE,
    ONE_TWO_FIVE,
    PAPER,
    PRIVATE,
    RANDOM,
    REFUTED,
    SAMPLES,
    UNMET,
    Colour,
    End,
    Picture,
    spread_labels,
)
from pages.parts.views.text import SIGMA_F, SIGMA_Y
from privbo_core.experiments import Arm, Experiment, Report
from privbo_core.experiments.contents import edge_of, sizes_of

HEIGHT = 340
MARGIN = {"l": 60, "r": 150, "t": 10, "b": 46}
LETTER = 6.6  # How wide a letter of a label is at most, on average, in pixels.
DASHES = ("solid", "dash", "dot", "longdashdot", "solid", "dash", "dot")
Mean = tuple[float, float, int]  # A mean, its standard error, and of how many.
Known = Sequence[tuple[float, Mean]]
OWN_DASHES = {
    "random search": "dot",
    "FTS": "dash",
    "FTS-DE, P = 2": "longdashdot",
    "FTS-DE, P = 4": "dot",
    "weights alone": "longdashdot",
}
"""The dashes of curves that mean the same in several figures."""


def picture(report: Report, again: Report) -> Picture:
    """Draw an experiment: stored results, the paper's numbers if there are any, and as crosses what is run again."""
    return {"table": table, "sweep": sweep, "privacy": privacy}.get(report.experiment.kind, curves)(report, again)


@dataclass
class Lines:
    """A picture of means: its lines' names and where these end, the means, and how far up their errors reach."""

    chart: Picture = field(default_factory=lambda: Picture(HEIGHT, margin=MARGIN))
    ends: list[End] = field(default_factory=list)
    means: list[float] = field(default_factory=list)
    tops: list[float] = field(default_factory=list)

    def add(self, known: Known, colour: Colour, dash: str, symbol: str, name: str) -> None:
        """Add means with their standard errors. The name stands at the last one's height."""
        if not known:
            return
        errors = np.array([0.0 if math.isnan(error) else error for _, (_, error, _) in known])
        means = np.array([mean for _, (mean, _, _) in known])
        look = {
            "line": {"color": colour, "dash": dash, "width": 2},
            "marker": {"color": colour, "size": 8, "symbol": symbol},
            "error_y": {"type": "data", "array": errors, "color": colour, "thickness": 1.5, "width": 4},
            "hovertemplate": f"{name}: %{{y:.4f}} ± %{{customdata:.4f}}",
        }
        x = [x for x, _ in known]
        self.chart.add("scatter", x=x, y=means, mode="lines+markers", name=name, customdata=errors, **look)
        self.means += means.tolist()
        self.tops += (means + errors).tolist()
        self.ends.append((float(means[-1]), f"{SAMPLES[dash]} {name}", colour))

    def level(self, value: float, colour: Colour, dash: str, name: str, width: float = 1.8) -> None:
        self.chart.level(value, colour, dash=dash, width=width)
        self.tops.append(value)
        self.ends.append((value, f"{SAMPLES[dash]} {name}", colour))

    def cross(self, known: Known) -> None:
        if known:
            cross = {"symbol": "x-thin", "size": 10, "line": {"color": NOISY, "width": 2.5}}
            x, y = [x for x, _ in known], np.array([result[0] for _, result in known])
            more = {"name": "run again", "marker": cross, "hovertemplate": "run again: %{y:.4f}"}
            self.chart.add("scatter", x=x, y=y, mode="markers", **more)

    def name(self, top: float) -> Picture:
        """Write the names beside the ends, apart from each other and none above the top; return the picture."""
        gap, above = top * 0.075, math.inf
        for y, name, colour in reversed(spread_labels(self.ends, gap)):
            above = min(y, top if math.isinf(above) else above - gap)
            self.chart.label(1, above, name, colour, xref="paper", xshift=6)
        return self.roomy()

    def roomy(self) -> Picture:
        """Make the margin as wide as the longest name in it needs; return the picture."""
        wide = max([MARGIN["r"], *(20 + LETTER * len(name) for _, name, _ in self.ends)])
        self.chart.layout["margin"] = MARGIN | {"r": wide}
        return self.chart


def in_words(experiment: Experiment) -> str:
    shown = fill(facts("reproduced.toml")[experiment.kind], {"experiment": experiment})
    return f"{shown} The table beside it holds the numbers."


def last_of(report: Report, places: Iterable[tuple[float, str]]) -> Known:
    """Return the last means of those arms that have any, each at its place."""
    return [(x, mean) for x, arm in places if (mean := report.mean(arm, "last"))]


def table(report: Report, again: Report) -> Picture:
    experiment, drawn = report.experiment, Lines()
    chart, edge, sizes = drawn.chart, edge_of(experiment), sizes_of(experiment)
    values = [found[0] for r in sizes if (found := experiment.printed(f"r = {r}", "last"))]
    places = list(range(len(sizes)))
    chart.region(sum(r <= edge for r in sizes) - 0.5, len(sizes) - 0.5, UNMET.faded(0.12))
    arms, matched = ([f"r = {r}{which}" for r in sizes] for which in ("", ", matched ε"))
    lines = [("ours", arms, "solid", "circle")]
    if matched[0] in report.values:
        lines.append(("ours, matched ε", matched, "dash", "square"))
    drawn.tops = [max(values)]
    for name, arms, dash, symbol in lines:
        drawn.add(last_of(report, enumerate(arms)), PRIVATE, dash, symbol, name)
        drawn.cross(last_of(again, enumerate(arms)))
    diamonds = {"symbol": "diamond-open", "size": 11, "color": NON_PRIVATE, "line": {"width": 2}}
    look = {"line": {"color": NON_PRIVATE, "dash": "dot", "width": 1.5}, "marker": diamonds}
    hover = "paper: %{y:.3f}"
    chart.add("scatter", x=places, y=values, mode="lines+markers", name="paper", hovertemplate=hover, **look)
    drawn.ends.append((values[-1], "◇ paper", NON_PRIVATE))
    for name, colour, dash in (("non-private", NON_PRIVATE, "dash"), ("random search", RANDOM, "dot")):
        result = report.mean(name, "last")
        # What would only squeeze the rest together stays out; its number is in the table.
        if result and result[0] <= 1.3 * max(drawn.tops):
            drawn.level(result[0], colour, dash, name, 1.5)
    top = 1.12 * max(drawn.tops)
    chart.label(len(sizes) - 0.55, top, "condition fails in the paper", UNMET, yanchor="top", xanchor="right")
    ticks = {"tickvals": places, "ticktext": [str(r) for r in sizes], "range": [-0.5, len(sizes) - 0.5]}
    chart.axis("xaxis", "r, size of the projection", **ticks)
    chart.axis("yaxis", f"simple regret ({SIGMA_Y})", range=[-0.02 * top, top])
    return drawn.name(top)


def curves(report: Report, again: Report) -> Picture:
    """Draw curves over the iterations with their bands; thin ones are run again."""
    experiment, lines = report.experiment, Lines()
    chart, top, length, drawn = lines.chart, 0.0, 2, Counter[Colour]()
    for arm in experiment.curves:
        colour = colour_of(experiment.arm(arm))
        dash = OWN_DASHES.get(arm, DASHES[drawn[colour]])
        drawn[colour] += arm not in OWN_DASHES
        band, live = report.bands.get(arm), again.bands.get(arm)
        if band is not None:
            x = [float(t) for t in range(1, len(band.mean) + 1)]
            chart.band(x, band, colour, dash, arm)
            length = max(length, len(x))
            # The early drop may leave the picture, the comparison later on must not.
            top = max(top, float(band.mean[min(len(x) - 1, 2)]))
            lines.ends.append((float(band.mean[-1]), f"{SAMPLES[dash]} {arm}", colour))
        if live is not None:
            x, name = [float(t) for t in range(1, len(live.mean) + 1)], f"{arm}, run again"
            top = max(top, float(live.mean[min(len(x) - 1, 2)])) if band is None else top
            chart.line(x, live.mean, NOISY, width=1.2, dash=dash, name=name, hovertemplate=f"{name}: %{{y:.3f}}")
    top = 1.05 * max(top, 1e-6)
    unit = SIGMA_Y if "σ_y" in experiment.measure_name else "mean over agents"
    chart.axis("xaxis", experiment.x_name, range=[1, length])
    chart.axis("yaxis", f"simple regret ({unit})", range=[-0.02 * top, top])
    return lines.name(top)


def sweep(report: Report, again: Report) -> Picture:
    """Draw the measure against one setting; where a bound is known, above it, on a logarithmic axis."""
    experiment, drawn = report.experiment, Lines()
    arms = [arm for arm in experiment.arms if experiment.x_key in arm.settings and arm.task != "accountant"]
    chart, bounded = drawn.chart, any("setting_bound" in result for result in report.values.values())
    lines = [("ours", experiment.measure, PRIVATE, "solid", "circle")]
    if bounded:
        lines = [
            ("Theorem 2 allows", "setting_bound", PRIVATE, "dash", "triangle-up"),
            ("setting loses", "setting_loss", PRIVATE, "solid", "circle"),
            ("Theorem 4 allows", "score_bound", NOISY, "dash", "triangle-up"),
            ("score is off by", "score_error", NOISY, "solid", "square"),
            ("range of f", "range", RANDOM, "dot", "circle"),
        ]
    others = [{name: value for name, value in arm.settings.items() if name != experiment.x_key} for arm in arms]
    apart = {arm.name for arm, other in zip(arms, others, strict=True) if other != others[0]}
    """What differs in something else too: it stands apart from the line, under its own name."""

    def along(source: Report, measure: str) -> list[tuple[str, tuple[float, Mean]]]:
        found = ((arm, source.mean(arm.name, measure)) for arm in arms)
        return [(arm.name, (float(arm.settings[experiment.x_key]), mean)) for arm, mean in found if mean]

    for name, measure, colour, dash, symbol in lines:
        known = along(report, measure)
        drawn.add(sorted(each for arm, each in known if arm not in apart), colour, dash, symbol, name)
        for arm, (x, result) in known:
            if arm in apart:
                drawn.add([(x, result)], NOISY, "solid", "diamond", arm)
                drawn.ends.pop()
                chart.label(math.log10(x), result[0], f"◇ {arm}", NOISY, xshift=8)
        drawn.cross([each for _, each in along(again, measure)])
    ticks = sorted({float(arm.settings[experiment.x_key]) for arm in arms})
    chart.axis("xaxis", experiment.x_name, type="log", tickvals=ticks, ticktext=[f"{tick:,g}" for tick in ticks])
    if bounded and drawn.means:
        low, high = math.log10(0.6 * min(drawn.means)), math.log10(1.6 * max(drawn.means))
        chart.axis("yaxis", f"in {SIGMA_F}, logarithmic", type="log", range=[low, high], dtick=1)
        ends = [(math.log10(y), name, colour) for y, name, colour in drawn.ends]
        for y, name, colour in spread_labels(ends, 0.085 * (high - low)):
            chart.label(1, y, name, colour, xref="paper", xshift=6)
        return drawn.roomy()
    top = 1.15 * max(drawn.means, default=1.0)
    chart.axis("yaxis", "regret over the first ten iterations", range=[0, top])
    return drawn.name(top)


def privacy(report: Report, again: Report) -> Picture:
    """Draw utility against privacy loss: more to the left is more private, lower is better."""
    experiment, drawn = report.experiment, Lines()
    losses = {
        arm.name.removeprefix("privacy loss, "): result[0]
        for arm in experiment.arms
        if arm.task == "accountant" and (result := report.mean(arm.name, "epsilon"))
    }
    for name, dash, symbol, chosen in (
        ("z from 4 to 1, q = 0.35", "solid", "circle", [arm for arm in losses if arm.startswith("q = 0.35")]),
        ("q from 0.1 to 0.35, z = 1", "dash", "square", [arm for arm in losses if arm.endswith("z = 1")]),
    ):
        places = [(losses[arm], arm) for arm in chosen]
        if here := last_of(report, places):
            drawn.add(sorted(here), PRIVATE, dash, symbol, name)
            drawn.ends[-1] = (min(here)[1][0], *drawn.ends[-1][1:])  # the lines have their last point in common
        drawn.cross(last_of(again, places))
    plain = ("TS", RANDOM, "dot"), ("FTS", NON_PRIVATE, "dash"), ("FTS-DE", NON_PRIVATE, "longdashdot")
    for name, colour, dash in plain:
        if result := report.mean(name, "last"):
            drawn.level(result[0], colour, dash, name)
    top = 1.2 * max(drawn.tops, default=1.0)
    epsilons(drawn.chart, experiment.x_name, losses.values())
    drawn.chart.axis("yaxis", "accuracy lost, mean over agents", range=[0, top])
    return drawn.name(top)


def epsilons(chart: Picture, title: str, tried: Collection[float]) -> None:
    """Set up a logarithmic axis over the ε that were tried."""
    chart.axis("xaxis", title, type="log", tickvals=ONE_TWO_FIVE, ticktext=[f"{each:g}" for each in ONE_TWO_FIVE])
    if tried:
        chart.axis("xaxis", range=[math.log10(0.8 * min(tried)), math.log10(1.25 * max(tried))])


def colour_of(arm: Arm) -> Colour:
    """Grey for those that learn nothing from others or from a model, near-black without privacy."""
    kind = arm.settings.get("algorithm", arm.settings.get("policy"))
    if kind in ("TS", "random"):
        return RANDOM
    return NON_PRIVATE if kind in ("FTS", "FTS-DE", "plain", "noiseless") else PRIVATE


LOOKS: dict[str, tuple[str, Colour, str]] = {
    "agree": ("comes out", MET, ""),
    "near": ("nearly", MET, "/"),
    "not clear": ("not clear", RANDOM, "."),
    "apart": ("otherwise", REFUTED, "x"),
    "other data": ("on other data", NON_PRIVATE.faded(0.12), ""),
}
"""Of each kind: its words, its colour, its pattern."""
LETTERS = 27  # Of a table's or figure's name, so that bars have room on a phone; the whole name is where the mouse is.
BAR, AROUND = 17, 56  # Pixels for each bar, and around all of them.


def short(name: str) -> str:
    """Return a name that has room beside its bar: a long one by its beginning and its end."""
    words = name.split()
    return name if len(name) <= LETTERS else f"{words[0]} … {' '.join(words[-2:])}"


def stacked(tallies: Mapping[str, Counter[str]]) -> Picture:
    legend = {"x": 1, "xanchor": "right", "y": 0, "yanchor": "bottom", "traceorder": "normal", "bgcolor": PAPER}
    margin, high = {"l": 168, "r": 12, "t": 12, "b": 40}, AROUND + BAR * len(tallies)
    picture = Picture(high, barmode="stack", bargap=0.25, margin=margin, showlegend=True, legend=legend)
    places = list(range(len(tallies)))
    for kind in KINDS:
        words, colour, shape = LOOKS[kind]
        pattern = {"shape": shape, "fgcolor": colour, "bgcolor": colour.faded(0.3), "size": 6}
        picture.add(
            "bar",
            orientation="h",
            y=places,
            customdata=list(tallies),
            x=[counts[kind] for counts in tallies.values()],
            name=words,
            marker={"color": colour, "line": {"width": 0.5, "color": PAPER}, "pattern": pattern},
            hovertemplate=f"%{{customdata}}: %{{x}} {words}",
        )
    picture.axis("xaxis", "numbers and statements in it")
    names = [short(name) for name in tallies]
    ticks: dict[str, Any] = {"tickvals": places, "ticktext": names, "showgrid": False, "tickfont": {"size": 12}}
    picture.axis("yaxis", range=[len(tallies) - 0.4, -0.6], **ticks)
    return picture
