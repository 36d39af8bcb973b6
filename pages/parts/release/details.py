"""What lies below the first screen of the Release page: tabs, of which only the open one is computed.

Here: what the theorems bound, term by term; and what a release loses, on average, against ε.
"""

import math
import re

import numpy as np
import streamlit as st

from pages.parts.release.figures import hatched
from pages.parts.release.neighbours import show_coverage, show_neighbours
from pages.parts.release.setup import FROM, UP_TO, WAYS
from pages.parts.release.view import View
from pages.parts.release.ways import show_training, show_ways
from pages.parts.views.content import explanation
from pages.parts.views.drawing import Place, show
from pages.parts.views.picture import MET, PRIVATE, RANDOM, TEXT, UNMET, Picture, decades
from pages.parts.views.templates import explain
from pages.parts.views.text import as_markdown, scientific, strong, sub, sup, two_digits
from pages.parts.views.views import Figure, Finding, Table, table
from privbo_core.errors import Array
from privbo_core.release import Bound, Noisy, Selection, SimulatedReleases, simulated_releases

EPSILONS = np.geomspace(FROM, UP_TO, 41)
DRAWS = 200
SELECTIONS = 5  # random sets of candidates that private selection's score is averaged over


def show_details(view: View) -> None:
    tabs = st.tabs(list(TABS), key="release_tab", on_change="rerun", bind="query-params")
    for tab, draw in zip(tabs, TABS.values(), strict=True):
        if tab.open:
            with tab:
                draw(view)


def show_terms(view: View) -> None:
    spread = two_digits(view.spread)
    note = f"All scores lie within {spread} of each other; a bound in the hatched region is larger than that."
    finding = Finding(_empty(view), "curator", note, view.score_stamp)
    named = {view.named(theorem).capitalize(): bound for theorem, bound in view.bounds.items()}
    picture = terms(named, view.unit, view.spread, sure=not view.stamp)
    Place("terms").draw(Figure("terms", finding, picture, "The terms of each theorem beside the range of the score."))
    theorems = ", ".join(map(str, view.bounds))
    theirs = f"Kusner, Gardner, Garnett, Weinberger (ICML 2015; the workshop paper where chosen), Theorems {theorems}"
    written = []
    for name, bound in named.items():
        value, sure = two_digits(bound.value * view.unit), f"with probability {max(0.0, bound.probability):.3g} or more"
        summed = " + ".join(f"{term.formula} ({two_digits(term.value * view.unit)})" for term in bound.terms)
        written.append(f"- {name}: {bound.quantity} ≤ {summed} = {value}, {sure}.")
    source, bounds = view.source or theirs, "\n".join(written)
    explain(*explanation("release", "bounds and their terms", spread=spread, bounds=bounds, source=source))


def show_theory(view: View) -> None:
    """List the constants and every term of the algorithm's theorems."""
    variant = "ICML 2015" if view.variant == "icml" else "workshop paper"
    note = "In units of the score."
    if view.unit != 1:
        note += f" Divide by {two_digits(view.unit)} for the units of the Gaussian process."
    paper = "" if view.selects else f" ({variant})"
    show(Finding(f"{view.name}, term by term{paper}", "curator", note, view.score_stamp))
    show(_terms(view))
    show(_constants(view))
    if view.algorithm in (1, 2):
        st.markdown(
            f"One prior standard deviation is {two_digits(view.task.unit)} of the score, learned from "
            f"{as_markdown(view.task.prior_from)}. δ = {scientific(view.search.delta)}; a = {view.a:.3g}."
        )


def _empty(view: View) -> str:
    empty = [str(theorem) for theorem in view.bounds if view.vacuous(theorem)]
    if not empty:
        return f"{'The' if view.selects else 'Every'} bound is smaller than the range of the score"
    if len(empty) == 1:
        return f"{view.named(int(empty[0])).capitalize()} says nothing here"
    return f"Theorems {(' and ' if len(empty) == 2 else ', ').join(empty)} say nothing here"


def _terms(view: View) -> Table:
    rows: list[tuple[str, ...]] = []
    for bound in view.bounds.values():
        first = "–" if view.selects else str(bound.theorem), pretty(bound.quantity)
        for term in bound.terms:
            rows.append((*first, term.name, pretty(term.formula), two_digits(term.value * view.unit)))
            first = "", ""
        start = view.starts_at(bound.theorem)
        begins = "at every ε" if bound.epsilon is None else f"for ε > {two_digits(start)}"
        below = f"below the range of the score {'at no ε' if math.isinf(start) else begins}"
        remark = f"with probability ≥ {max(0.0, bound.probability):.4g}; {below}"
        rows.append(("", "", strong("sum"), remark, strong(two_digits(bound.value * view.unit))))
    return table(("Theorem", "what it bounds", "term", "formula", "value"), rows)


def _constants(view: View) -> Table:
    plan, search = view.plan, view.search
    constants = {"range of the score": two_digits(view.spread), "noise scale": two_digits(view.scale)}
    if isinstance(plan, Noisy):
        constants |= {
            "β_T": f"{plan.beta_T:.1f}",
            "β_{T+1}": f"{plan.beta_next:.1f}",
            "c": f"{plan.c:.3g}",
            "q": f"{plan.q:.3g}",
            "C₁": f"{plan.C1:.3g}",
            "γ_T (upper bound used; greedy value)": f"{search.gamma_upper:.1f} ({search.gamma_greedy:.1f}) nats",
        }
    if isinstance(plan, Selection):
        constants["Δ of setting and score"] = two_digits(plan.value.sensitivity)
    elif plan.choice is not None:
        constants["Δ of the setting, 2√β_{T+1} + c"] = f"{plan.choice.sensitivity:.3g} prior standard deviations"
    return table(("constant", "value"), [(pretty(name), value) for name, value in constants.items()])


def pretty(formula: str) -> str:
    """Return a formula in the engine's letters as text with marks: β_{T+1} with an index, e^{−2τ} with an exponent."""
    while (risen := re.sub(r"\^\{([^{}]*)\}", lambda match: sup(match[1]), formula)) != formula:
        formula = risen
    return re.sub(r"_\{([^{}]*)\}|_(max|min|BO|[A-Zt])", lambda match: sub(match[1] or match[2]), formula)


def terms(bounds: dict[str, Bound], unit: float, spread: float, sure: bool = True) -> Picture:
    """Draw every term of every bound as a dot and each sum as a diamond, against the range of f.

    ``sure``: whether the promise that goes with them is sure to be kept; nothing is drawn as met where it is not.
    """
    rows: list[tuple[str, float, bool]] = []
    for name, bound in bounds.items():
        rows.append((f"{strong(name)}: sum", bound.value * unit, True))
        if len(bound.terms) > 1:
            rows += [(pretty(term.formula), term.value * unit, False) for term in bound.terms]
    positive = [value for _, value, _ in rows if value > 0]
    low, high = min(min(positive), spread) / 3, max(max(positive), spread) * 3
    picture = Picture(height=70 + 27 * len(rows), margin={"l": 210, "r": 60, "t": 24, "b": 44})
    hatched(picture, spread, high, -0.5, len(rows) - 0.5)
    picture.upright(spread, UNMET)
    for name, size, symbol in (("term", 9, "circle-open"), ("sum", 12, "diamond")):
        chosen = [(i, value) for i, (_, value, is_sum) in enumerate(rows) if is_sum == (name == "sum")]
        x, y = [max(value, low) for _, value in chosen], [len(rows) - 1 - i for i, _ in chosen]
        sums = [UNMET if value >= spread else MET if sure else PRIVATE for _, value in chosen]
        colours = sums if name == "sum" else [PRIVATE] * len(chosen)
        picture.marks(x, y, name, "%{x:.3g}", size=size, symbol=symbol, color=colours, line={"width": 2})
    for i, (_, value, _) in enumerate(rows):
        picture.label(math.log10(max(value, low)), len(rows) - 1 - i, two_digits(value), TEXT, xshift=10)
    picture.label(math.log10(spread), 1, "range of the score", UNMET, yref="paper", yanchor="bottom", xanchor="center")
    names = [name for name, _, _ in reversed(rows)]
    picture.axis("yaxis", range=[-0.5, len(rows) - 0.5], tickvals=list(range(len(rows))), ticktext=names)
    picture.log_axis("xaxis", "size in units of the score (log scale)", low, high)
    return picture


def against_epsilon(
    view: View, curve: Array, alternative: Array | None, title: str, *, start: float, ceiling: float | None = None
) -> Picture:
    """Draw an expected loss against ε: this algorithm's, and private selection's as ``alternative``.

    Hatched up to ``start``, where the bound begins to say something. ``ceiling``: what a blind draw loses.
    """
    picture = Picture(margin={"l": 62, "r": 16, "t": 8, "b": 44})
    shown = np.concatenate([curve, [] if alternative is None else alternative])
    low = math.log10(max(float(shown.min()), 1e-5)) - 0.6
    high = math.log10(max(float(shown.max()), ceiling or 0)) + 0.3
    hatched(picture, FROM, min(start, UP_TO), 10**low, 10**high)
    if ceiling is not None:
        picture.level(ceiling, RANDOM, dash="dot")
        picture.label(3, math.log10(ceiling), "blind draw", RANDOM, xanchor="right", yshift=9)
    hover = "%{y:.3g} at ε = %{x:.3g}"
    picture.line(EPSILONS, np.maximum(curve, 1e-9), PRIVATE, name="this algorithm", hovertemplate=hover)
    where = math.log10(EPSILONS[5]), math.log10(float(curve[5]))
    picture.label(*where, view.name, PRIVATE, xshift=6, yshift=10)
    if alternative is not None:
        other, name = np.maximum(alternative, 1e-9), "private selection"
        picture.line(EPSILONS, other, PRIVATE, dash="dashdot", width=2, name=name, hovertemplate=f"{name}: {hover}")
        middle = len(EPSILONS) // 2
        where = math.log10(EPSILONS[middle]), math.log10(other[middle])
        picture.label(*where, "– · – private selection", PRIVATE, xshift=6, yshift=11)
    now = view.epsilon
    picture.upright(now, PRIVATE, dash="dot", width=1.5)
    picture.label(math.log10(now), 0, f"now: ε = {now:.3g}", PRIVATE, yref="paper", yanchor="bottom", xshift=4)
    if start > FROM * 1.5:
        picture.label(-0.95, 0.03, "the bound says nothing", UNMET, yref="paper", yanchor="bottom", yshift=14)
    picture.log_axis("xaxis", "ε (log scale): more useful →", FROM, UP_TO)
    picture.axis("yaxis", title, type="log", range=[low, high], **decades(10**low, 10**high, 6))
    return picture


def show_losses(view: View) -> None:
    task, mine = view.task, view.simulated(EPSILONS.tolist(), DRAWS, 0)
    left, right = st.columns(2, gap="medium")
    with left:
        if mine.expected_choice_loss is None:
            show(Finding("Algorithm 3 releases no setting", "simulation"))
            st.markdown("It publishes the score alone. Choose Algorithm 1 or 2 to see what a released setting loses.")
        else:
            _show_setting(view, mine.expected_choice_loss * view.unit)
    with right:
        _show_score(view, mine)
    way, count = WAYS[4 if view.algorithm == 4 else 0], task.n if view.selects else view.search.iterations
    width, m, sets = task.largest_loss, task.records, len(view.alternatives)
    explain(
        *explanation(
            "release", "private selection", width=width, m=m, count=count, way=way, sets=sets, score_sets=SELECTIONS
        )
    )


def _show_setting(view: View, losses: Array) -> None:
    title = f"At ε = {view.epsilon:.3g} the setting loses {view.amount(view.lost)}"
    note = f"Mean over the draw of λ̃. Hatched: {view.named(2)} says nothing."
    alternative, other = None, view.selection_loss(view.epsilon)
    if other is None and not view.selects:
        note += " Private selection needs m, the number of records."
    if other is not None:
        title += f", private selection {view.amount(other)}"
        alternative = np.array([view.selection_loss(float(each)) for each in EPSILONS])
    axis, start = "expected loss of the setting", view.starts_at(2)
    picture = against_epsilon(view, losses, alternative, axis, start=start, ceiling=view.blind_loss)
    alt = "Expected loss of the released setting against ε."
    Place("loss-setting").draw(Figure("loss-setting", Finding(title, "simulation", note, view.stamp), picture, alt))


def _show_score(view: View, mine: SimulatedReleases) -> None:
    theorem, task = view.score_bound.theorem, view.task
    errors = np.abs(mine.value_error).mean(axis=1) * view.unit
    others = [
        simulated_releases(each, EPSILONS.tolist(), draws=DRAWS, objective=task.scores, rng=np.random.default_rng(i))
        for i, each in enumerate(view.alternatives[:SELECTIONS])
    ]
    alternative = np.mean([np.abs(other.value_error).mean(axis=1) for other in others], axis=0) if others else None
    near = int(np.abs(np.log(EPSILONS / view.epsilon)).argmin())
    title = f"Near that ε the score is off by {two_digits(float(errors[near]))}"
    if alternative is not None:
        title += f", private selection’s by {two_digits(float(alternative[near]))}"
    mean = f"Mean |published score − best score| over {DRAWS} simulated draws."
    note = f"{mean} Hatched: {view.named(theorem)} says nothing."
    start = view.starts_at(theorem)
    picture = against_epsilon(view, errors, alternative, "mean error of the score", start=start)
    alt = "Mean error of the published score against ε."
    Place("loss-score").draw(Figure("loss-score", Finding(title, "simulation", note, view.score_stamp), picture, alt))


TABS = {
    "Bounds by term": show_terms,
    "Ways compared": show_ways,
    "Loss against ε": show_losses,
    "Neighbours for real": show_neighbours,
    "Coverage under the prior": show_coverage,
    "Theory": show_theory,
    "Training too": show_training,
}
