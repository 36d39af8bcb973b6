"""The figures of the Reproduce page: reports in, pictures out."""

import math
from collections import Counter
from collections.abc import Sequence

import numpy as np

from pages.parts.reproduce.view import KINDS, Kind, Tally
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
from privbo_core.experiments.papers.contents import edge_of, sizes_of

HEIGHT = 340
MARGIN = {"l": 60, "r": 150, "t": 10, "b": 46}
LETTER = 6.6
"""How wide a letter of a label is at most, on average, in pixels."""
DASHES = ("solid", "dash", "dot", "longdashdot", "solid", "dash", "dot")
Known = Sequence[tuple[float, tuple[float, float, int]]]
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
    kind = report.experiment.kind
    if kind == "table":
        return table(report, again)
    if kind == "sweep":
        return sweep(report, again)
    if kind == "privacy":
        return privacy(report, again)
    return curves(report, again)


def in_words(experiment: Experiment) -> str:
    measure = experiment.measure_name
    shown = {
        "table": "Simple regret against r: the paper’s numbers beside ours with standard errors.",
        "curves": "Regret over the iterations, with bands of one standard error.",
        "sweep": f"{measure[:1].upper()}{measure[1:]} against {experiment.x_name}.",
        "privacy": "Accuracy lost against the privacy loss ε, beside the searches without privacy.",
    }
    return shown[experiment.kind] + " The table beside it holds the numbers."


def table(report: Report, again: Report) -> Picture:
    """Draw a table: r at equal steps, so that every number has room."""
    experiment = report.experiment
    edge, sizes = edge_of(experiment), sizes_of(experiment)
    values = [found[0] for r in sizes if (found := experiment.printed(f"r = {r}", "last"))]
    chart = Picture(HEIGHT, margin=MARGIN)
    fails = sum(r <= edge for r in sizes) - 0.5
    chart.region(fails, len(sizes) - 0.5, UNMET.faded(0.12))
    matched = [f"r = {r}, matched ε" for r in sizes]
    ends: list[End] = []
    lines = [("ours", [f"r = {r}" for r in sizes], PRIVATE, "solid", "circle")]
    if matched[0] in report.values:
        lines.append(("ours, matched ε", matched, PRIVATE, "dash", "square"))
    tops = [max(values)]
    for name, arms, colour, dash, symbol in lines:
        known = [(x, result) for x, arm in enumerate(arms) if (result := report.mean(arm, "last"))]
        if known:
            points(chart, known, colour, dash, symbol, name)
            tops.append(max(mean + (0 if math.isnan(error) else error) for _, (mean, error, _) in known))
            ends.append((known[-1][1][0], f"{SAMPLES[dash]} {name}", colour))
        _crosses(chart, [(x, result) for x, arm in enumerate(arms) if (result := again.mean(arm, "last"))])
    chart.add(
        "scatter",
        x=list(range(len(sizes))),
        y=values,
        mode="lines+markers",
        name="paper",
        line={"color": NON_PRIVATE, "dash": "dot", "width": 1.5},
        marker={"symbol": "diamond-open", "size": 11, "color": NON_PRIVATE, "line": {"width": 2}},
        hovertemplate="paper: %{y:.3f}",
    )
    ends.append((values[-1], "◇ paper", NON_PRIVATE))
    for name, colour, dash in (("non-private", NON_PRIVATE, "dash"), ("random search", RANDOM, "dot")):
        result = report.mean(name, "last")
        # What would only squeeze the rest together stays out; its number is in the table.
        if result and result[0] <= 1.3 * max(tops):
            chart.level(result[0], colour, dash=dash, width=1.5)
            ends.append((result[0], f"{SAMPLES[dash]} {name}", colour))
            tops.append(result[0])
    top = 1.12 * max(tops)
    chart.label(len(sizes) - 0.55, top, "condition fails in the paper", UNMET, yanchor="top", xanchor="right")
    write_ends(chart, ends, top)
    chart.axis(
        "xaxis",
        "r, size of the projection",
        tickvals=list(range(len(sizes))),
        ticktext=[str(r) for r in sizes],
        range=[-0.5, len(sizes) - 0.5],
    )
    chart.axis("yaxis", f"simple regret ({SIGMA_Y})", range=[-0.02 * top, top])
    return chart


def curves(report: Report, again: Report) -> Picture:
    """Draw curves over the iterations with their bands; thin ones are run again."""
    experiment = report.experiment
    chart = Picture(HEIGHT, margin=MARGIN)
    ends: list[End] = []
    top, length, drawn = 0.0, 2, Counter[Colour]()
    for arm in experiment.curves:
        colour = _colour(experiment.arm(arm))
        dash = OWN_DASHES.get(arm, DASHES[drawn[colour]])
        if arm not in OWN_DASHES:
            drawn[colour] += 1
        band = report.bands.get(arm)
        if band is not None:
            x = [float(t) for t in range(1, len(band.mean) + 1)]
            chart.band(x, band, colour, dash, arm)
            length = max(length, len(x))
            # The early drop may leave the picture, the comparison later on must not.
            top = max(top, float(band.mean[min(len(x) - 1, 2)]))
            ends.append((float(band.mean[-1]), f"{SAMPLES[dash]} {arm}", colour))
        live = again.bands.get(arm)
        if live is not None:
            x = [float(t) for t in range(1, len(live.mean) + 1)]
            top = max(top, float(live.mean[min(len(x) - 1, 2)])) if band is None else top
            chart.line(
                x,
                live.mean,
                NOISY,
                width=1.2,
                dash=dash,
                name=f"{arm}, run again",
                hovertemplate=f"{arm}, run again: %{{y:.3f}}",
            )
    top = 1.05 * max(top, 1e-6)
    write_ends(chart, ends, top)
    unit = SIGMA_Y if "σ_y" in experiment.measure_name else "mean over agents"
    chart.axis("xaxis", experiment.x_name, range=[1, length])
    chart.axis("yaxis", f"simple regret ({unit})", range=[-0.02 * top, top])
    return chart


def sweep(report: Report, again: Report) -> Picture:
    """Draw the measure against one setting; where a bound is known, above it, on a logarithmic axis."""
    experiment = report.experiment
    arms = [arm for arm in experiment.arms if experiment.x_key in arm.settings and arm.task != "accountant"]
    chart = Picture(HEIGHT, margin=MARGIN)
    bounded = any("setting_bound" in result for result in report.values.values())
    lines = [("ours", experiment.measure, PRIVATE, "solid", "circle")]
    if bounded:
        lines = [
            ("Theorem 2 allows", "setting_bound", PRIVATE, "dash", "triangle-up"),
            ("setting loses", "setting_loss", PRIVATE, "solid", "circle"),
            ("Theorem 4 allows", "score_bound", NOISY, "dash", "triangle-up"),
            ("score is off by", "score_error", NOISY, "solid", "square"),
            ("range of f", "range", RANDOM, "dot", "circle"),
        ]
    ends: list[End] = []
    values: list[float] = []
    for name, measure, colour, dash, symbol in lines:
        known, aside = _along(report, arms, measure)
        if known:
            points(chart, known, colour, dash, symbol, name)
            values += [result[0] for _, result in known]
            ends.append((known[-1][1][0], f"{SAMPLES[dash]} {name}", colour))
        for x, apart, other in aside:
            points(chart, [(x, apart)], NOISY, "solid", "diamond", other)
            values.append(apart[0])
            chart.label(math.log10(x), apart[0], f"◇ {other}", NOISY, xshift=8)
        _crosses(
            chart,
            [
                (float(arm.settings[experiment.x_key]), result)
                for arm in arms
                if (result := again.mean(arm.name, measure))
            ],
        )
    ticks = sorted({float(arm.settings[experiment.x_key]) for arm in arms})
    chart.axis("xaxis", experiment.x_name, type="log", tickvals=ticks, ticktext=[f"{tick:,g}" for tick in ticks])
    if bounded and values:
        low, high = math.log10(0.6 * min(values)), math.log10(1.6 * max(values))
        chart.axis("yaxis", f"in {SIGMA_F}, logarithmic", type="log", range=[low, high], dtick=1)
        for y, name, colour in spread_labels(
            [(math.log10(y), name, colour) for y, name, colour in ends], 0.085 * (high - low)
        ):
            chart.label(1, y, name, colour, xref="paper", xshift=6)
        _make_room(chart, ends)
    else:
        top = 1.15 * max(values, default=1.0)
        write_ends(chart, ends, top)
        chart.axis("yaxis", "regret over the first ten iterations", range=[0, top])
    return chart


def _along(
    report: Report, arms: Sequence[Arm], measure: str
) -> tuple[list[tuple[float, tuple[float, float, int]]], list[tuple[float, tuple[float, float, int], str]]]:
    """Return the points of a line, from left to right."""
    x_key = report.experiment.x_key
    rest = [{name: value for name, value in arm.settings.items() if name != x_key} for arm in arms]
    line, aside = [], []
    for arm, others in zip(arms, rest, strict=True):
        if result := report.mean(arm.name, measure):
            x = float(arm.settings[x_key])
            if others == rest[0]:
                line.append((x, result))
            else:
                aside.append((x, result, arm.name))
    return sorted(line), aside


def privacy(report: Report, again: Report) -> Picture:
    """Draw utility against privacy loss: more to the left is more private, lower is better."""
    experiment = report.experiment
    chart = Picture(HEIGHT, margin=MARGIN)
    losses = {
        arm.name.removeprefix("privacy loss, "): result[0]
        for arm in experiment.arms
        if arm.task == "accountant" and (result := report.mean(arm.name, "epsilon"))
    }
    ends: list[End] = []
    values: list[float] = []
    for name, dash, symbol, chosen in (
        ("z from 4 to 1, q = 0.35", "solid", "circle", [arm for arm in losses if arm.startswith("q = 0.35")]),
        ("q from 0.1 to 0.35, z = 1", "dash", "square", [arm for arm in losses if arm.endswith("z = 1")]),
    ):
        known = sorted((losses[arm], result) for arm in chosen if (result := report.mean(arm, "last")))
        if known:
            points(chart, known, PRIVATE, dash, symbol, name)
            values += [result[0] + result[1] for _, result in known]
            middle = known[0]
            ends.append((middle[1][0], f"{SAMPLES[dash]} {name}", PRIVATE))
        _crosses(chart, [(losses[arm], result) for arm in chosen if (result := again.mean(arm, "last"))])
    for name, colour, dash in (
        ("TS", RANDOM, "dot"),
        ("FTS", NON_PRIVATE, "dash"),
        ("FTS-DE", NON_PRIVATE, "longdashdot"),
    ):
        result = report.mean(name, "last")
        if result:
            chart.level(result[0], colour, dash=dash, width=1.8)
            values.append(result[0])
            ends.append((result[0], f"{SAMPLES[dash]} {name}", colour))
    top = 1.2 * max([value for value in values if not math.isnan(value)], default=1.0)
    write_ends(chart, ends, top)
    if losses:
        chart.axis("xaxis", range=[math.log10(0.8 * min(losses.values())), math.log10(1.25 * max(losses.values()))])
    chart.axis(
        "xaxis",
        experiment.x_name,
        type="log",
        tickvals=ONE_TWO_FIVE,
        ticktext=[f"{epsilon:g}" for epsilon in ONE_TWO_FIVE],
    )
    chart.axis("yaxis", "accuracy lost, mean over agents", range=[0, top])
    return chart


def _colour(arm: Arm) -> Colour:
    """Grey for those that learn nothing from others or from a model, near-black without privacy."""
    kind = arm.settings.get("algorithm", arm.settings.get("policy"))
    if kind in ("TS", "random"):
        return RANDOM
    return NON_PRIVATE if kind in ("FTS", "FTS-DE", "plain", "noiseless") else PRIVATE


def points(chart: Picture, known: Known, colour: Colour, dash: str, symbol: str, name: str) -> None:
    errors = np.array([0.0 if math.isnan(error) else error for _, (_, error, _) in known])
    chart.add(
        "scatter",
        x=[x for x, _ in known],
        y=np.array([mean for _, (mean, _, _) in known]),
        mode="lines+markers",
        line={"color": colour, "dash": dash, "width": 2},
        marker={"color": colour, "size": 8, "symbol": symbol},
        error_y={"type": "data", "array": errors, "color": colour, "thickness": 1.5, "width": 4},
        name=name,
        customdata=errors,
        hovertemplate=f"{name}: %{{y:.4f}} ± %{{customdata:.4f}}",
    )


def _crosses(chart: Picture, known: Known) -> None:
    """Add what was run again, as crosses."""
    if known:
        chart.add(
            "scatter",
            x=[x for x, _ in known],
            y=np.array([result[0] for _, result in known]),
            mode="markers",
            name="run again",
            marker={"symbol": "x-thin", "size": 10, "line": {"color": NOISY, "width": 2.5}},
            hovertemplate="run again: %{y:.4f}",
        )


def write_ends(chart: Picture, ends: list[End], top: float) -> None:
    """Write the curves' names beside their ends, apart from each other and none above the top."""
    gap, above = top * 0.075, math.inf
    for y, name, colour in reversed(spread_labels(ends, gap)):
        above = min(y, top if math.isinf(above) else above - gap)
        chart.label(1, above, name, colour, xref="paper", xshift=6)
    _make_room(chart, ends)


def _make_room(chart: Picture, ends: list[End]) -> None:
    """Make the margin as wide as the longest name in it needs."""
    chart.layout["margin"] = MARGIN | {"r": max([MARGIN["r"], *(20 + LETTER * len(name) for _, name, _ in ends)])}


LOOKS: dict[Kind, tuple[str, Colour, str]] = {
    "agrees": ("comes out", MET, ""),
    "near": ("nearly", MET, "/"),
    "not clear": ("not clear", RANDOM, "."),
    "apart": ("otherwise", REFUTED, "x"),
    "other data": ("on other data", NON_PRIVATE.faded(0.12), ""),
}
"""Of each kind: its words, its colour, its pattern."""
LETTERS = 27
"""Of a table's or figure's name, so that bars have room on a phone; the whole name is where the mouse is."""
BAR, AROUND = 17, 56
"""Pixels for each bar, and around all of them."""


def short(name: str) -> str:
    """Return a name that has room beside its bar: a long one by its beginning and its end."""
    if len(name) <= LETTERS:
        return name
    words = name.split()
    return f"{words[0]} … {' '.join(words[-2:])}"


def stacked(tallies: tuple[Tally, ...]) -> Picture:
    picture = Picture(
        height=AROUND + BAR * len(tallies),
        barmode="stack",
        bargap=0.25,
        margin={"l": 168, "r": 12, "t": 12, "b": 40},
        showlegend=True,
        legend={"x": 1, "xanchor": "right", "y": 0, "yanchor": "bottom", "traceorder": "normal", "bgcolor": PAPER},
    )
    places, names = list(range(len(tallies))), [each.name for each in tallies]
    for kind in KINDS:
        words, colour, pattern = LOOKS[kind]
        picture.add(
            "bar",
            orientation="h",
            y=places,
            customdata=names,
            x=[each.counts[kind] for each in tallies],
            name=words,
            marker={
                "color": colour,
                "line": {"width": 0.5, "color": PAPER},
                "pattern": {"shape": pattern, "fgcolor": colour, "bgcolor": colour.faded(0.3), "size": 6},
            },
            hovertemplate=f"%{{customdata}}: %{{x}} {words}",
        )
    picture.axis("xaxis", "numbers and statements in it")
    picture.axis(
        "yaxis",
        range=[len(tallies) - 0.4, -0.6],
        tickvals=places,
        ticktext=[short(name) for name in names],
        showgrid=False,
        tickfont={"size": 12},
    )
    return picture
