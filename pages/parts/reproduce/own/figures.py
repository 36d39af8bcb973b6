"""The figures of a study of one's own: curves as the papers' have, a measure against ε, trials against claims."""

import math
from collections.abc import Mapping

from pages.parts.reproduce.figures import HEIGHT, MARGIN, curves, points, write_ends
from pages.parts.values.axes import ONE_TWO_FIVE, SAMPLES, End
from pages.parts.values.palette import NOISY, NON_PRIVATE, PRIVATE, RANDOM, REFUTED, UNMET, Colour
from pages.parts.values.picture import Picture
from privbo_core.experiments import Arm, Report, report
from privbo_core.experiments.studies.summary import Found, found, shown

LOOKS = (("solid", "circle"), ("dash", "square"), ("dot", "diamond"), ("longdashdot", "triangle-up"))
"""Lines and marks of a study's mechanisms, in order."""
LEVELS = ("dash", "longdashdot", "dot")


def picture(found_out: Report) -> Picture:
    """Draw a study."""
    kind = found_out.experiment.kind
    if kind == "audit":
        return audit(found_out)
    return trade_off(found_out) if kind == "trade-off" else curves(found_out, report(found_out.experiment, ()))


def trade_off(found_out: Report) -> Picture:
    """Draw the mean against ε, a line for each mechanism, and what has no ε as levels."""
    chart, ends, tops = Picture(HEIGHT, margin=MARGIN), list[End](), [1e-9]
    rows = found(found_out)
    lines: dict[str, list[Found]] = {}
    for row in rows:
        if row.epsilon is not None:
            lines.setdefault(mechanism(row.arm), []).append(row)
    for (name, known), (dash, symbol) in zip(lines.items(), LOOKS * 50, strict=False):
        colour = colour_of(known[0].arm)
        marks = sorted((row.epsilon or 1.0, (row.mean, row.error, row.runs)) for row in known)
        points(chart, marks, colour, dash, symbol, name)
        tops += [row.mean + (0.0 if math.isnan(row.error) else row.error) for row in known]
        ends.append((marks[-1][1][0], f"{SAMPLES[dash]} {name}", colour))
    levels = [row for row in rows if row.epsilon is None]
    for row, dash in zip(levels, LEVELS * 100, strict=False):
        chart.level(row.mean, colour_of(row.arm), dash=dash, width=1.8)
        tops.append(row.mean)
        ends.append((row.mean, f"{SAMPLES[dash]} {row.arm.name}", colour_of(row.arm)))
    top = 1.12 * max(tops)
    write_ends(chart, ends, top)
    _epsilons(chart, "ε", {row.epsilon: None for row in rows if row.epsilon is not None})
    chart.axis("yaxis", found_out.experiment.measure_name, range=[-0.02 * top, top])
    return chart


def audit(found_out: Report) -> Picture:
    """Draw the ε that trials show against the ε that is claimed; what lies above the diagonal is refuted."""
    chart, ends = Picture(HEIGHT, margin=MARGIN), list[End]()
    bounds: dict[str, list[tuple[Arm, float, float]]] = {}
    for arm, bound in shown(found_out):
        bounds.setdefault(mechanism(arm), []).append((arm, float(arm.settings["epsilon"]), bound.epsilon))
    top = 1e-9
    for (name, known), (dash, symbol) in zip(bounds.items(), LOOKS * 50, strict=False):
        colour = colour_of(known[0][0])
        marks = sorted((claim, (epsilon, math.nan, 1)) for _, claim, epsilon in known)
        points(chart, marks, colour, dash, symbol, name)
        top = max(top, *(epsilon for _, _, epsilon in known))
        ends.append((marks[-1][1][0], f"{SAMPLES[dash]} {name}", colour))
    claims = sorted({claim for known in bounds.values() for _, claim, _ in known})
    if claims:
        top = 1.15 * max(top, min(claims[-1], 2 * top + claims[0]))
        chart.line(claims, claims, UNMET, width=1.5, dash="dash", name="claimed", hovertemplate="claimed: %{y:.3g}")
        chart.label(0.02, top, "above the thin dashed line: refuted", UNMET, xref="paper", yanchor="top")
    write_ends(chart, ends, top)
    _epsilons(chart, "ε claimed", dict.fromkeys(claims))
    chart.axis("yaxis", "ε that the trials show", range=[-0.03 * top, top])
    return chart


def mechanism(arm: Arm) -> str:
    """Return the part of an arm's name before its ε."""
    return arm.name.rpartition(", ε = ")[0] or arm.name


def colour_of(arm: Arm) -> Colour:
    """Return the colour of a mechanism, as on the pages of the systems."""
    policy = str(arm.settings.get("policy", arm.settings.get("algorithm", arm.settings.get("mechanism", ""))))
    if policy in ("random", "TS", "blind draw"):
        return RANDOM
    if policy in ("plain", "noiseless", "FTS", "FTS-DE", "non-private"):
        return NON_PRIVATE
    if policy == "private" and arm.task in ("search", "trial"):
        return REFUTED
    return NOISY if policy in ("noisy", "private selection") else PRIVATE


def _epsilons(chart: Picture, title: str, tried: Mapping[float, None]) -> None:
    """Set up a logarithmic axis over the ε that were tried."""
    low, high = min(tried, default=1.0), max(tried, default=1.0)
    chart.axis("xaxis", title, type="log", tickvals=ONE_TWO_FIVE, ticktext=[f"{each:g}" for each in ONE_TWO_FIVE],
               range=[math.log10(0.8 * low), math.log10(1.25 * high)])  # fmt: skip
