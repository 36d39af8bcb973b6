"""How far scores and posterior move between neighbours: for real, record by record, and in pairs from the prior."""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
import streamlit as st

from pages.parts.live.work import Steps, follow
from pages.parts.release.view import View
from pages.parts.shell.address import choose
from pages.parts.views.content import explanation, prose
from pages.parts.views.drawing import Place
from pages.parts.views.picture import NON_PRIVATE, PRIVATE, Picture
from pages.parts.views.templates import explain
from pages.parts.views.text import as_plain, sub, two_digits
from pages.parts.views.views import Figure, Finding
from privbo_core import release
from privbo_core.data import with_replacement, without
from privbo_core.errors import Array
from privbo_core.release import Coverage, Movement, NoiseFree, Noisy, Tuning

RECORDS, PAIRS = 250, 200
COVERED = 1000  # candidates that pairs of functions are drawn on
REMOVED, REPLACED, RELABELLED = WAYS = "removed", "replaced by a new one", "given the other label"
MEAN, BEST = f"posterior mean μ{sub('T')}\n(Theorem 1)", f"best seen, max v{sub('t')}\n(Theorem 3)"
PROTECTED = {
    "icml": f"last score, f(λ{sub('T')})\n(Theorem 5)",
    "workshop": f"best from the second on,\nmax f(λ{sub('t')}) (Theorem 5)",
}


@dataclass(frozen=True, eq=False)
class Moved:
    """How far something moved in each of several pairs, in units of the score, and how far a theorem allows it to."""

    name: str
    distances: Array
    allowed: float | None


def show_neighbours(view: View) -> None:
    """Remove or replace one validation record at a time, tune again, and draw what moves."""
    task = view.task
    if task.losses is None or task.records is None:
        st.info(prose("release", "no records behind the scores"))
        return
    way = choose(st.segmented_control, "One record is", WAYS, key="neighbour", required=True)
    if way == REPLACED and (task.reserve is None or not len(task.reserve)):
        st.info("No records are in reserve; choose another way.")
        return
    place = Place("neighbours")
    alt = "How far scores and posterior moved when one record changed, beside the theorems’ bounds."

    def draw(seen: list[Movement]) -> None:
        picture = movements(_moved(view, seen))
        place.draw(Figure("neighbours", _neighbours_finding(view, seen), picture, alt))

    seen = follow(_one_after_the_other(view, way), draw)
    assert seen
    allowed, k1 = seen[0].theorem_1.value * task.unit, min(movement.matching_k1 for movement in seen)
    explain(
        *explanation(
            "release",
            "neighbours for real",
            count=len(seen),
            changed=way,
            n=task.n,
            m=task.records,
            selects=view.selects,
            allowed=allowed,
            k1=k1,
        )
    )


def show_coverage(view: View) -> None:
    """Draw pairs from the assumed prior and count how often Theorem 1 holds, and Theorem 3 or 5."""
    plan = view.plan
    if not isinstance(plan, (Noisy, NoiseFree)):
        st.info(prose("release", "no prior"))
        return
    place, unit = Place("coverage"), view.task.unit
    alt = "How far things moved in pairs drawn from the prior, beside the bounds."

    def draw(result: Coverage) -> None:
        second, name = (result.theorem_3, BEST) if result.theorem_3 else (result.theorem_5, PROTECTED[view.variant])
        assert second is not None
        rows = (
            Moved(MEAN, result.mean_moved * unit, result.theorem_1.value * unit),
            Moved(name, result.best_moved * unit, second.value * unit),
        )
        place.draw(Figure("coverage", coverage_finding(result), movements(rows), alt))

    follow(_pairs(view, plan), draw)
    explain(*explanation("release", "coverage", plan=plan, algorithm=view.algorithm))


def _one_after_the_other(view: View, way: str) -> Steps[list[Movement]]:
    """Yield, after each record that is changed, in random order, what moved with it and with those before it."""
    task, search = view.task, view.search
    assert task.losses is not None
    tuning = Tuning(getattr(view.plan, "k1", 0.99), search.sigma, search.iterations, search.delta, view.variant)
    seen: list[Movement] = []
    for record in np.random.default_rng(0).permutation(len(task.losses))[:RECORDS].tolist():
        if way == REMOVED:
            after = without(task, record)
        elif way == RELABELLED:
            after = with_replacement(task, record, task.largest_loss - task.losses[record])
        else:
            assert task.reserve is not None
            after = with_replacement(task, record, task.reserve[record % len(task.reserve)])
        seen.append(release.compare(task, after, tuning, np.random.default_rng(0)))
        yield seen


def _moved(view: View, seen: list[Movement]) -> list[Moved]:
    unit, first = view.task.unit, seen[0]
    rows = [Moved("score of a candidate", np.array([m.score_moved for m in seen]), first.score_limit)]
    if view.selects:
        return rows
    if view.algorithm != 3:  # where there is no prior, Theorem 1 says nothing
        rows.append(Moved(MEAN, np.array([m.mean_moved for m in seen]) * unit, first.theorem_1.value * unit))
    if first.theorem_3 is not None:
        rows.append(Moved(BEST, np.array([m.best_moved for m in seen]) * unit, first.theorem_3.value * unit))
    if first.theorem_7 is not None:
        best = np.array([m.best_score_moved for m in seen])
        rows.append(Moved("best true score seen\n(Theorem 7)", best, first.theorem_7.value))
    return rows


def _neighbours_finding(view: View, seen: list[Movement]) -> Finding:
    note = f"{len(seen)} records tried one after the other."
    if view.selects:
        most, limit = max(movement.score_moved for movement in seen), view.plan.value.sensitivity
        title = f"a score by at most {two_digits(most)}; ε is for {two_digits(limit)}"
    elif view.algorithm == 3 and seen[0].theorem_7 is not None:
        best, allowed = max(movement.best_score_moved for movement in seen), seen[0].theorem_7.value
        title = f"the best score by at most {two_digits(best)}; Theorem 7 allows {two_digits(allowed)}"
    else:
        mean = max(movement.mean_moved for movement in seen) * view.task.unit
        allowed = seen[0].theorem_1.value * view.task.unit
        title = f"μ{sub('T')} by at most {two_digits(mean)}; Theorem 1 allows {two_digits(allowed)}"
        if view.plan.choice is not None:
            real = two_digits(max(movement.choice_loss(view.plan.choice) for movement in seen))
            paid = f"where {view.epsilon:.3g} is paid"
            note += f" Releasing the setting distinguishes these pairs by ε = {real} at most, {paid}."
    return Finding(f"One record moves {title}", "curator", note)


def _pairs(view: View, plan: Noisy | NoiseFree) -> Steps[Coverage]:
    """Yield what is counted pair by pair, of functions that are drawn from the assumed prior."""
    points, search = view.task.points, view.search
    if len(points) > COVERED:
        points = points[np.linspace(0, len(points) - 1, COVERED).round().astype(int)]
    tuning = Tuning(plan.k1, search.sigma, search.iterations, search.delta, view.variant)
    if isinstance(plan, NoiseFree):
        tuning = replace(tuning, A=plan.A, tau=plan.tau)
    yield from release.coverage(points, tuning, kernel=view.task.kernel, pairs=PAIRS, rng=np.random.default_rng(0))


def coverage_finding(result: Coverage) -> Finding:
    """Return what the pairs show about each theorem: the share in which it held, how sure that is, the verdict."""
    second = 3 if result.theorem_3 else 5
    shares = {theorem: result.share(theorem) for theorem in (1, second)}
    promised = 100 * shares[1].promised
    refuted = [theorem for theorem, share in shares.items() if share.verdict == "refuted"]
    if refuted:
        worst = shares[refuted[-1]]
        of_pairs = f"{100 * worst.value:.1f} % of {result.pairs} pairs, in at most {100 * worst.high:.1f} % of all"
        title = f"Theorem {refuted[-1]} is refuted here: it holds in {of_pairs}; promised are {promised:.4g} %"
    else:
        held = min(share.value for share in shares.values())
        often = "all" if held == 1 else f"{100 * held:.1f} %"
        slacks = " and ".join(two_digits(result.slack(theorem)) for theorem in shares)
        title = f"The bounds hold in {often} of {result.pairs} pairs, and are {slacks} times too large"
    each = " ".join(
        f"Theorem {theorem} held in {share.held} of {share.cases}, so in {100 * share.low:.1f} to "
        f"{100 * share.high:.1f} % of all: {share.verdict}."
        for theorem, share in shares.items()
    )
    note = (
        f"{each} Promised: {promised:.4g} %; 95 % sure, the error spent over all {result.planned} looks. Too large: "
        f"the bound divided by the {promised:.4g} % quantile."
    )
    return Finding(title, "simulation", note)


def movements(rows: Sequence[Moved]) -> Picture:
    """Draw how far things moved, a dot each, beside what a theorem allows, row by row."""
    picture = Picture(height=90 + 64 * len(rows), margin={"l": 170, "r": 30, "t": 8, "b": 44})
    moves = np.concatenate([row.distances for row in rows])
    positive = moves[moves > 0]
    # The few that hardly move, or do not, are drawn at the left edge.
    low = float(np.quantile(positive, 0.05)) / 3 if len(positive) else 1e-6
    high = 6 * max([*positive, low, *(row.allowed for row in rows if row.allowed)])
    jitter = np.random.default_rng(0).uniform(-0.22, 0.22, max(len(row.distances) for row in rows))
    for i, row in enumerate(rows):
        y, allowed, name = len(rows) - 1 - i, row.allowed, as_plain(row.name).replace("\n", " ")
        x, spread = np.maximum(row.distances, low), y + jitter[: len(row.distances)]
        picture.marks(x, spread, name, "moved by %{x:.3g}", size=6, color=NON_PRIVATE.faded(0.55))
        if allowed:
            ends, hover = [y - 0.35, y + 0.35], "allowed: %{x:.3g}"
            picture.line([allowed] * 2, ends, PRIVATE, width=4, name=f"{name}: allowed", hovertemplate=hover)
            text = f"allowed {two_digits(allowed)}"
            picture.label(math.log10(allowed), y + 0.35, text, PRIVATE, xanchor="center", yanchor="bottom")
    heights, names = list(range(len(rows))), [row.name for row in reversed(rows)]
    picture.axis("yaxis", range=[-0.6, len(rows) - 0.2], tickvals=heights, ticktext=names, showgrid=False)
    picture.log_axis("xaxis", "moved by, in units of the score (log scale)", low, high)
    return picture
