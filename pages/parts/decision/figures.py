"""The picture of a decision: what each ε costs, which one is to be signed, the limit, and which ε are too weak."""

import math

from pages.parts.decision.case import Case, Drawn
from pages.parts.decision.words import limit, means
from pages.parts.views.picture import MET, NON_PRIVATE, PRIVATE, UNMET, Picture
from pages.parts.views.views import Figure, Finding
from privbo_core.privacy.guarantee import WORDS

MARGIN = 1.35
"""The axis goes on beyond the smallest and the largest ε by this factor."""


def costs(case: Case, drawn: Drawn) -> Figure:
    """Return the cost against ε, as far as it is known."""
    weighed, known = drawn.rule.weighed, drawn.rule.weighing.known
    picture = Picture(height=270, margin={"l": 64, "r": 16, "t": 14, "b": 44})
    candidates = weighed.candidates
    low, high = candidates[0] / MARGIN, candidates[-1] * MARGIN
    costs = [each.cost for each in known]
    ends = [end for cost in costs for end in (cost.mean, cost.low, cost.high) if math.isfinite(end)]
    most = drawn.found.limit if drawn.found else None
    top, bottom = max([*ends, (most or 0.0) * 1.3, 0.0]), min([*ends, 0.0])
    room = 0.08 * (top - bottom) or 1.0
    weak = next((each for each in candidates if case.weighed.protects(each).level < drawn.least), None)
    if weak is not None:
        before = [each for each in candidates if each < weak]
        edge = math.sqrt(before[-1] * weak) if before else low
        picture.region(edge, high, UNMET.faded(0.1))
        picture.upright(edge, UNMET, dash="dot", width=1.5)
        weaker = f" less than {WORDS[drawn.least]}"
        picture.label(math.log10(edge), 1, weaker, UNMET, yref="paper", yanchor="top", xanchor="left")
    picture.add(
        "scatter",
        x=[each.epsilon for each in known],
        y=[cost.mean for cost in costs],
        mode="lines+markers",
        error_y={
            "array": [_gap(cost.high, cost.mean) for cost in costs],
            "arrayminus": [_gap(cost.mean, cost.low) for cost in costs],
            "color": PRIVATE,
            "thickness": 1.5,
        },
        line={"color": PRIVATE, "width": 2},
        marker={"size": 8},
        name="cost",
        hovertemplate="ε = %{x:.3g}: %{y:.3g}",
    )
    here = drawn.rule.weighing.of(drawn.epsilon) if drawn.epsilon else None
    if here is not None:
        name = "recommended" if here.epsilon == drawn.recommended else "chosen"
        ring = {"size": 17, "color": MET.faded(0.35), "line": {"color": MET, "width": 3}}
        picture.add("scatter", x=[here.epsilon], y=[here.cost.mean], mode="markers", marker=ring, name=name)
        picture.label(math.log10(here.epsilon), here.cost.mean, name, MET, xshift=12, yshift=14, size=13)
    if most is not None and drawn.found is not None:
        picture.level(most, NON_PRIVATE, width=1.5)
        picture.label(
            math.log10(high),
            most,
            f"at most {limit(weighed, drawn.found)} {drawn.rule.where}",
            NON_PRIVATE,
            xanchor="right",
            yanchor="bottom",
        )
    ticks = {"tickvals": list(candidates), "ticktext": [f"{each:g}" for each in candidates]}
    picture.axis(
        "xaxis", "ε: more private ← → more useful", type="log", range=[math.log10(low), math.log10(high)], **ticks
    )
    picture.axis("yaxis", f"costs, {weighed.unit}", range=[bottom - room, top + room])
    finding = Finding(means(case.weighed, drawn), "simulation" if drawn.rule.public else "inside")
    alt = f"What each of {len(candidates)} values of ε costs in {weighed.unit}, with 95 % intervals."
    return Figure("decision", finding, picture, alt)


def _gap(upper: float, lower: float) -> float:
    return max(0.0, upper - lower) if math.isfinite(upper) and math.isfinite(lower) else 0.0
