"""The picture of a decision: what each ε costs, which one is to be signed, the limit, and which ε are too weak."""

import math

from scipy.optimize import brentq

from pages.parts.decision.case import Case, Drawn
from pages.parts.decision.words import ANY_DATA, interim, limit_number, means
from pages.parts.views.picture import NON_PRIVATE, NOTHING, PRIVATE, TEXT, UNMET, Picture
from pages.parts.views.views import Figure, Finding
from privbo_core.privacy.guarantee import BELIEFS, ERRORS, WORDS

MARGIN = 1.35  # The axis goes on beyond the smallest and the largest ε by this factor.


def costs(case: Case, drawn: Drawn) -> Figure:
    rule, weighed, known = drawn.rule, drawn.rule.weighed, drawn.rule.weighing.known
    picture = Picture(height=286, margin={"l": 84, "r": 16, "t": 14, "b": 60})
    candidates = weighed.candidates
    low, high = candidates[0] / MARGIN, candidates[-1] * MARGIN
    costs, coming = [each.cost for each in known], interim(drawn.rule.weighing)
    blue = PRIVATE.faded(0.45) if coming else PRIVATE
    ends = [end for cost in costs for end in (cost.mean, cost.low, cost.high) if math.isfinite(end)]
    most = drawn.recommendation.limit if drawn.recommendation else rule.limit
    top, bottom = max([*ends, (most or 0.0) * 1.3, 0.0]), min([*ends, 0.0])
    room = 0.08 * (top - bottom) or 1.0
    weak = next((each for each in candidates if case.weighed.protects(each).level < drawn.least), None)
    if weak is not None:
        before = [each for each in candidates if each < weak]
        edge = _edge(case, drawn.least, before[-1], weak) if before else low
        picture.region(edge, high, UNMET.faded(0.1))
        picture.upright(edge, UNMET, dash="dot", width=1.5)
        weaker = f" less than {WORDS[drawn.least]}"
        picture.label(math.log10(edge), 1, weaker, UNMET, yref="paper", yanchor="top", xanchor="left")
    up, down = [_gap(cost.high, cost.mean) for cost in costs], [_gap(cost.mean, cost.low) for cost in costs]
    picture.add(
        "scatter",
        x=[each.epsilon for each in known],
        y=[cost.mean for cost in costs],
        mode="lines+markers",
        error_y={"array": up, "arrayminus": down, "color": blue, "thickness": 1.5},
        line={"color": blue, "width": 2, "dash": "dot" if coming else "solid"},
        marker={"size": 8, "color": blue},
        name="cost",
        hovertemplate="ε = %{x:.3g}: %{y:.3g}",
    )
    here = drawn.rule.weighing.of(drawn.epsilon) if drawn.epsilon else None
    name = "recommended" if drawn.epsilon == drawn.recommended else "chosen"
    if here is not None:
        ring = {"size": 17, "color": NOTHING, "line": {"color": TEXT, "width": 3}}
        picture.add("scatter", x=[here.epsilon], y=[here.cost.mean], mode="markers", marker=ring, name=name)
    if most is not None:
        picture.level(most, NON_PRIVATE, width=1.5)
        unit = "" if weighed.unit == case.weighed.unit else f" {weighed.unit.split()[0]}"  # the axis says of what
        limit = f"{'default ' if rule.proposed else ''}limit: {limit_number(most)}{unit}"
        picture.label(math.log10(high), most, limit, NON_PRIVATE, xanchor="right", yanchor="bottom")
    under = {drawn.epsilon: f"\n{name}"}
    picture.log_axis("xaxis", "ε: more private ← → more useful", low, high)
    texts = [f"{each:g}{under.get(each, '')}" for each in candidates]
    picture.axis("xaxis", tickvals=list(candidates), ticktext=texts)
    arises = f"\n{rule.where}".replace(", ", ",\n") if rule.where else ""
    most_of = " at most" if rule.mark == ANY_DATA else ""
    picture.axis("yaxis", f"costs{most_of}, {weighed.unit}{arises}", range=[bottom - room, top + room])
    finding = Finding(means(case.weighed, drawn), "simulation" if drawn.rule.public else "inside", stamp=coming)
    alt = f"What each of {len(candidates)} values of ε costs in {weighed.unit}, with 95 % intervals."
    return Figure("decision", finding, picture, alt)


def _edge(case: Case, least: int, enough: float, weak: float) -> float:
    """Return the ε between one that protects ``enough`` and a ``weak`` one at which the level changes."""

    def room(log: float) -> float:
        found = case.weighed.protects(math.exp(log))
        return min(found.least_error - ERRORS[least - 2], BELIEFS[least - 2] - found.belief)

    return math.exp(brentq(room, math.log(enough), math.log(weak), xtol=0.02))


def _gap(upper: float, lower: float) -> float:
    return max(0.0, upper - lower) if math.isfinite(upper) and math.isfinite(lower) else 0.0
