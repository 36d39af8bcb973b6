"""What lies below the first screen of the Release page: bounds by term, ε against loss, neighbours, coverage, theory."""

import math
import time

import numpy as np
import streamlit as st

from pages.parts.frame.address import choose
from pages.parts.frame.pace import give_way
from pages.parts.release import figures
from pages.parts.release.setup import Setup, amount
from pages.parts.show.chart import Chart
from pages.parts.show.explained import explaining
from pages.parts.show.look import Palette, finding, scientific
from privbo_core.data import with_replacement, without
from privbo_core.release import Lipschitz, Movement, Noisy, Tuning, compare, coverage, sweep

REDRAW = 0.25  # seconds between two pictures of something that is still being computed
RECORDS, PAIRS, DRAWS = 250, 200, 200
COVERED = 1000  # candidates that pairs of functions are drawn on


def show_details(setup: Setup, colours: Palette) -> None:
    """Draw the tabs. Only the open one is computed."""
    names = ["Bounds by term", "Loss against ε", "Neighbours for real", "Coverage under the prior", "Theory"]
    tabs = st.tabs(names, key="release_tab", on_change="rerun", bind="query-params")
    shows = (show_terms, show_losses, show_neighbours, show_coverage, show_theory)
    for tab, show in zip(tabs, shows, strict=True):
        if tab.open:
            with tab:
                show(setup, colours)


def show_terms(setup: Setup, colours: Palette) -> None:
    """Draw the terms of each theorem against the range of the score."""
    bounds = list(setup.bounds.values())
    empty = [f"{bound.theorem}" for bound in bounds if setup.vacuous(bound.theorem)]
    said = "Every bound is smaller than the range of the score" if not empty else (
        f"Theorem{'s' if len(empty) > 1 else ''} {' and '.join(empty) if len(empty) < 3 else ', '.join(empty)} "
        f"{'say' if len(empty) > 1 else 'says'} nothing here"
    )  # fmt: skip
    note = f"All scores lie within {amount(setup.spread)} of each other; a bound in the hatched region is larger than that."
    st.html(finding(said, "curator", note))
    Chart("terms").draw(
        figures.terms(bounds, setup.unit, setup.spread, colours),
        "The terms of each theorem beside the range of the score.",
    )
    with explaining("bounds and their terms") as say:
        rows = "\n".join(
            f"- Theorem {bound.theorem}: {bound.quantity} ≤ {' + '.join(f'{term.formula} ({amount(term.value * setup.unit)})' for term in bound.terms)} "
            f"= {amount(bound.value * setup.unit)}, with probability {max(0.0, bound.probability):.3g} or more."
            for bound in bounds
        )
        say(
            f"""A bound is useful if it excludes something. No two candidates differ by more than {amount(setup.spread)}, so a bound above
that excludes nothing: it is *vacuous*. Diamonds are sums, circles their terms.

{rows}

*Kusner, Gardner, Garnett, Weinberger (ICML 2015; the workshop paper where chosen), Theorems {", ".join(str(b.theorem) for b in bounds)}.*"""
        )


def show_losses(setup: Setup, colours: Palette) -> None:
    """Draw expected loss against ε, with private selection for comparison."""
    plan, task = setup.plan, setup.task
    frame = task.scores if isinstance(plan, Lipschitz) else task.objective
    mine = sweep(plan, figures.EPSILONS.tolist(), draws=DRAWS, objective=frame, rng=np.random.default_rng(0))
    others = [
        sweep(p, figures.EPSILONS.tolist(), draws=DRAWS, objective=task.scores, rng=np.random.default_rng(i))
        for i, p in enumerate(setup.alternatives[:5])
    ]
    left, right = st.columns(2, gap="medium")
    with left:
        if mine.expected_choice_loss is None:
            st.html(finding("Algorithm 3 releases no setting", "simulation"))
            st.markdown("It publishes the score alone. Choose Algorithm 1 or 2 to see what a released setting loses.")
        else:
            own = setup.loss_of_choice() or 0.0
            other = setup.selection_loss(plan.epsilon)
            compared = "" if other is None else f", private selection {amount(other)}"
            title = f"At ε = {plan.epsilon:.3g} the setting loses {amount(own)}{compared}"
            note = "Mean over the draw of λ̃. Hatched: Theorem 2 says nothing." + (
                "" if other is not None else " Private selection needs m, the number of records."
            )
            st.html(finding(title, "simulation", note))
            alternative = (
                np.array([setup.selection_loss(float(e)) for e in figures.EPSILONS]) if setup.alternatives else None
            )
            curve = mine.expected_choice_loss * setup.unit
            picture = figures.losses(
                setup, curve, alternative, "expected loss of the setting", setup.starts_at(2), setup.blind_loss, colours
            )
            Chart("loss-setting").draw(picture, "Expected loss of the released setting against ε.")
    with right:
        now = setup.score_bound.theorem
        curve = np.abs(mine.value_error).mean(axis=1) * setup.unit
        alternative = np.mean([np.abs(other.value_error).mean(axis=1) for other in others], axis=0) if others else None
        at = int(np.abs(np.log(figures.EPSILONS / plan.epsilon)).argmin())
        compared = "" if alternative is None else f", private selection’s by {amount(float(alternative[at]))}"
        st.html(
            finding(
                f"Near that ε the score is off by {amount(float(curve[at]))}{compared}",
                "simulation",
                f"Mean |published score − best score| over {DRAWS} simulated draws. Hatched: Theorem {now} says nothing.",
            )
        )
        picture = figures.losses(
            setup, curve, alternative, "mean error of the score", setup.starts_at(now), None, colours
        )
        Chart("loss-score").draw(picture, "Mean error of the published score against ε.")
    with explaining("private selection") as say:
        m, count = task.records, setup.search.iterations
        say(
            f"""A validation score is a mean over m records whose contributions lie in a range of width
{task.largest_loss:g}; replacing one record moves it by at most {task.largest_loss:g}/m
{f"= {task.largest_loss / m:.3g}" if m else "(m is not known for this task)"}. So no theory of Gaussian processes is needed: evaluate
{count} candidates picked at random, draw one with probability ∝ exp(ε·score/2Δ), Δ = {task.largest_loss:g}/m, and add Lap(Δ/ε) to its score.
That is ε-differentially private for every dataset, with δ = 0, and proved. The curve is averaged over {len(setup.alternatives)} random sets of
candidates (the score’s over 5). *McSherry and Talwar (2007).*

Both curves use ε for the setting and ε for the score, 2ε together."""
        )


def show_neighbours(setup: Setup, colours: Palette) -> None:
    """Remove or replace one validation record at a time, tune again, and draw what moves."""
    task = setup.task
    if task.losses is None or task.records is None:
        st.info(
            "This task has the mean scores only. What one record contributes to them is not known, so no record can be taken out. "
            "Choose a built-in task or upload a dataset to tune on."
        )
        return
    ways = ["removed", "replaced by a new one", "given the other label"]
    way = choose(st.segmented_control, "One record is", ways, key="neighbour", required=True)
    head, chart, below = st.empty(), Chart("neighbours"), st.empty()
    sigma = setup.search.sigma
    tuning = Tuning(getattr(setup.plan, "k1", 0.99), sigma, setup.search.iterations, setup.search.delta, setup.variant)
    records = np.random.default_rng(0).permutation(len(task.losses))[:RECORDS].tolist()
    seen: list[Movement] = []
    drawn = 0.0
    for record in records:
        give_way()
        if way == "removed":
            after = without(task, record)
        elif way == "given the other label":
            after = with_replacement(task, record, task.largest_loss - task.losses[record])
        elif task.reserve is not None and len(task.reserve):
            after = with_replacement(task, record, task.reserve[record % len(task.reserve)])
        else:
            st.info("No records are in reserve; choose another way.")
            return
        seen.append(compare(task, after, tuning, np.random.default_rng(0)))
        if len(seen) < len(records) and time.perf_counter() - drawn < REDRAW:
            continue
        drawn = time.perf_counter()
        title, note = _neighbour_finding(setup, seen)
        head.html(finding(title, "curator", note))
        chart.draw(
            figures.movements(_moved(setup, seen), colours),
            "How far scores and posterior moved when one record changed, beside the theorems’ bounds.",
        )
    with below.container(), explaining("neighbours for real") as say:
        k1 = min(movement.matching_k1 for movement in seen)
        say(
            f"""For each of {len(seen)} records, the record is {way}, all {task.n} scores are computed again, and the search runs again with
the same observation noise. What differs is due to that one record.

The score itself cannot move by more than 1/m = {1 / task.records:.3g} times the range of one record’s contribution when a record is
replaced (removing one can move it as much). Under the prior of Algorithms 1 and 2, Theorem 1 allows
$2\\sqrt{{\\beta_{{T+1}}}} + \\sigma_1\\sqrt{{2\\log(3|\\Lambda|/\\delta)}}$ = {amount(seen[0].theorem_1.value * task.unit)} for $\\mu_T$. These pairs
look like draws from a prior with k₁ = {k1:.5f} or more.

*Kusner, Gardner, Garnett, Weinberger (ICML 2015), Theorems 1, 3 and 7.*"""
        )


def _moved(setup: Setup, seen: list[Movement]) -> list[tuple[str, np.ndarray, float | None]]:
    """Return the rows of the figure of movements, in units of the score."""
    unit, first = setup.task.unit, seen[0]
    rows: list[tuple[str, np.ndarray, float | None]] = [
        ("score of a candidate", np.array([m.score_moved for m in seen]), first.score_limit),
        ("posterior mean μ<sub>T</sub><br>(Theorem 1)", np.array([m.mean_moved for m in seen]) * unit, first.theorem_1.value * unit),
    ]  # fmt: skip
    if setup.algorithm == 3:
        del rows[1]  # there is no prior, so Theorem 1 says nothing
    if first.theorem_3 is not None:
        rows.append(
            ("best seen, max v<sub>t</sub><br>(Theorem 3)", np.array([m.best_moved for m in seen]) * unit, first.theorem_3.value * unit)
        )  # fmt: skip
    if first.theorem_7 is not None:
        rows.append(
            ("best true score seen<br>(Theorem 7)", np.array([m.best_score_moved for m in seen]), first.theorem_7.value)
        )
    return rows


def _neighbour_finding(setup: Setup, seen: list[Movement]) -> tuple[str, str]:
    """Return the title and note of the figure of movements."""
    if setup.algorithm == 3 and seen[0].theorem_7 is not None:
        best = max(movement.best_score_moved for movement in seen)
        title = f"One record moves the best score by at most {amount(best)}; Theorem 7 allows {amount(seen[0].theorem_7.value)}"
        return title, f"{len(seen)} records tried one after the other."
    mean = max(movement.mean_moved for movement in seen) * setup.task.unit
    allowed = seen[0].theorem_1.value * setup.task.unit
    title = f"One record moves μ<sub>T</sub> by at most {amount(mean)}; Theorem 1 allows {amount(allowed)}"
    note = f"{len(seen)} records tried one after the other."
    if setup.plan.choice is not None:
        real = max(movement.choice_loss(setup.plan.choice) for movement in seen)
        note += f" Releasing the setting distinguishes these pairs by ε = {amount(real)} at most, where {setup.plan.epsilon:.3g} is paid."
    return title, note


def show_coverage(setup: Setup, colours: Palette) -> None:
    """Draw pairs from the assumed prior and count how often Theorems 1 and 3 hold."""
    plan = setup.plan
    if not isinstance(plan, Noisy):
        st.info("Theorems 1 and 3 are about noisy observations. Choose Algorithm 1 to see how often they hold.")
        return
    points = setup.task.points
    if len(points) > COVERED:
        points = points[np.linspace(0, len(points) - 1, COVERED).round().astype(int)]
    head, chart, below = st.empty(), Chart("coverage"), st.empty()
    drawn = 0.0
    for result in coverage(
        points, kernel=setup.task.kernel, k1=plan.k1, sigma=setup.search.sigma, iterations=setup.search.iterations,
        delta=setup.search.delta, pairs=PAIRS, variant=setup.variant, rng=np.random.default_rng(0),
    ):  # fmt: skip
        give_way()
        if result.pairs < PAIRS and time.perf_counter() - drawn < REDRAW:
            continue
        drawn = time.perf_counter()
        first, third = 100 * result.share(1), 100 * result.share(3)
        held = "all" if min(first, third) == 100 else f"{min(first, third):.1f} %"
        head.html(
            finding(
                f"The bounds hold in {held} of {result.pairs} pairs, and are {result.slack(1):.0f} and {result.slack(3):.0f} times too large",
                "simulation",
                f"Theorem 1 held in {first:.1f} %, Theorem 3 in {third:.1f} %; promised: {100 * (1 - plan.delta):.3g} %. Slack: the bound divided by "
                f"the {100 * (1 - plan.delta):.3g} % quantile of what it bounds.",
            )
        )
        unit = setup.task.unit
        rows: list[tuple[str, np.ndarray, float | None]] = [
            ("posterior mean μ<sub>T</sub><br>(Theorem 1)", result.mean_moved * unit, result.theorem_1.value * unit),
            ("best seen, max v<sub>t</sub><br>(Theorem 3)", result.best_moved * unit, result.theorem_3.value * unit),
        ]
        chart.draw(
            figures.movements(rows, colours), "How far things moved in pairs drawn from the prior, beside the bounds."
        )
    with below.container(), explaining("coverage") as say:
        say(
            f"""Each dot is a pair of functions f_V and f_V′ drawn from the prior that the theorems assume, with correlation
k₁ = {plan.k1:.4g} at every candidate, and Algorithm 1’s search on each. The theorems promise to hold for a share of at least 1 − δ =
{1 - plan.delta:.6g} of such pairs. Nothing here says that *your* data are such a draw.

*Kusner, Gardner, Garnett, Weinberger (ICML 2015), Assumption 1, Theorems 1 and 3.*"""
        )


def show_theory(setup: Setup, colours: Palette) -> None:
    """List the constants and every term of the algorithm's theorems."""
    variant = "ICML 2015" if setup.variant == "icml" else "workshop paper"
    st.html(
        finding(
            f"Algorithm {setup.algorithm}, term by term ({variant})",
            "curator",
            f"In units of the score. Divide by {amount(setup.unit)} for the units of the Gaussian process."
            if setup.unit != 1
            else "In units of the score.",
        )
    )
    rows: list[tuple[str, ...]] = []
    for bound in setup.bounds.values():
        for i, term in enumerate(bound.terms):
            lead = (str(bound.theorem), figures.pretty(bound.quantity)) if i == 0 else ("", "")
            rows.append((*lead, term.name, figures.pretty(term.formula), amount(term.value * setup.unit)))
        starts = setup.starts_at(bound.theorem)
        begins = (
            "at no ε"
            if math.isinf(starts)
            else "at every ε"
            if bound.epsilon is None
            else f"for ε &gt; {amount(starts)}"
        )
        remark = f"with probability ≥ {max(0.0, bound.probability):.4g}; below the range of the score {begins}"
        rows.append(("", "", "<b>sum</b>", remark, f"<b>{amount(bound.value * setup.unit)}</b>"))
    st.html(_table(("Theorem", "what it bounds", "term", "formula", "value"), rows))
    constants = {"range of the score": amount(setup.spread), "noise scale": amount(setup.scale)}
    plan = setup.plan
    if isinstance(plan, Noisy):
        constants |= {
            "β_T": f"{plan.beta_T:.1f}",
            "β_{T+1}": f"{plan.beta_next:.1f}",
            "c": f"{plan.c:.3g}",
            "q": f"{plan.q:.3g}",
            "C₁": f"{plan.C1:.3g}",
            "γ_T (upper bound used; greedy value)": f"{setup.search.gamma_upper:.1f} ({setup.search.gamma_greedy:.1f}) nats",
        }
    if plan.choice is not None:
        constants["Δ of the setting, 2√β_{T+1} + c"] = f"{plan.choice.sensitivity:.3g} prior standard deviations"
    st.html(_table(("constant", "value"), [(figures.pretty(name), value) for name, value in constants.items()]))
    if setup.algorithm != 3:
        st.markdown(
            f"One prior standard deviation is {amount(setup.task.unit)} of the score, learned from {setup.task.prior_from}. "
            f"δ = {scientific(setup.search.delta)}; a = {setup.a:.3g}."
        )


def _table(head: tuple[str, ...], rows: list[tuple[str, ...]]) -> str:
    """Return the HTML of a table; the cells are HTML already."""
    top = "".join(f"<th>{name}</th>" for name in head)
    body = "".join(f"<tr>{''.join(f'<td>{cell}</td>' for cell in row)}</tr>" for row in rows)
    return f'<table class="pb-table"><thead><tr>{top}</tr></thead><tbody>{body}</tbody></table>'
