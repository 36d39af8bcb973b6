"""Rehearsed releases, which are simulated, falling into the two figures."""

from collections.abc import Hashable
from dataclasses import dataclass, replace

import numpy as np
import streamlit as st
from numpy.typing import NDArray

from pages.parts.live.work import Live, wait
from pages.parts.release import figures, words
from pages.parts.release.view import View
from pages.parts.shell.session import OWN
from pages.parts.views.content import explanation, prose
from pages.parts.views.drawing import Place, note
from pages.parts.views.picture import NOISY, Picture
from pages.parts.views.templates import explain
from pages.parts.views.text import as_markdown, minus
from pages.parts.views.views import Figure
from privbo_core.errors import Array

REHEARSED = f"{OWN}release/rehearsed"
MOST, MANY = 60, 20
FALLS = {1: 0.45, MANY: 0.12}  # seconds that each of so many takes
BINS, ROWS = 36, 24  # how finely what has landed is sorted, and how many make a full pile
ABOVE, LOWEST_PILE = 0.9, 6
"""Room above the best candidate, as a share of the scores' range, for a pile of so many at least."""


@dataclass(frozen=True, eq=False)
class Out:
    """What has come out: rows of candidates, None where no setting is published, and scores.

    ``falling``: the last has not landed.
    """

    rows: NDArray[np.int64] | None
    scores: Array
    falling: bool = False

    def first(self, count: int, *, falling: bool) -> "Out":
        """Return the first of them, the last one in the air or on the ground."""
        rows = None if self.rows is None else self.rows[:count]
        return replace(self, rows=rows, scores=self.scores[:count], falling=falling)


class Theatre:
    """The two figures of the page's first screen, and what falls into them."""

    def __init__(self, view: View, left: float, live: Live) -> None:
        self._view, self._left = view, left
        self._axes = live.put_axis(figures.density_axes(view), "density")
        halves = st.columns(2, gap="medium")
        self._places, self._below = [], []
        for half, slot in zip(halves, ("setting", "score"), strict=True):
            with half:
                self._places.append(Place(slot))
                self._below.append(st.container())
        out, fresh = rehearsed(view), _state().fresh
        self._draw(out.first(len(out.scores) - fresh, falling=False))

    def offer(self) -> None:
        count, about = shown(self._view), prose("release", "a rehearsal")
        with st.container(horizontal=True, vertical_alignment="center", key="rehearsal"):
            for label, more in (("Rehearse a release", 1), (f"Rehearse {MANY}", MANY)):
                fresh = Stage(kind(self._view), count + more, _state().seed, more)
                st.button(label, on_click=_set, args=(fresh,), disabled=count + more > MOST, help=about)
            if count:  # what is rehearsed next comes from other noise
                st.button("Clear the stage", on_click=_set, args=(Stage(seed=_state().seed + 1),))
        note("Rehearsals are simulated: nothing is published, nothing spent.")

    def play(self) -> None:
        fresh, all_of_them = _state().fresh, rehearsed(self._view)
        _set(replace(_state(), fresh=0))
        count = len(all_of_them.scores)
        for now in range(count - fresh + 1, count + 1):
            self._draw(all_of_them.first(now, falling=True))  # the next picture shows it landed
            wait(FALLS[MANY if fresh > 1 else 1])
        cleared = _state().seed > 0 and not count
        if fresh or cleared:  # the first figure of a run with an empty stage is that of the run before, so none is sent
            self._draw(all_of_them)

    def explain(self) -> None:
        learned_from = as_markdown(self._view.task.prior_from)
        texts = (
            explanation("release", "which setting", view=self._view, learned_from=learned_from),
            explanation("release", "the score and its noise", view=self._view),
        )
        for below, (heading, text) in zip(self._below, texts, strict=True):
            with below:
                explain(heading, text)

    def _draw(self, out: Out) -> None:
        view = self._view
        first = figures.candidates(view) if view.plan.choice else figures.sensitivities(view, self._left)
        second = figures.density(view, self._axes)
        if out.rows is not None and view.plan.choice:
            _into_candidates(first, view, out)
        _into_scores(second, out)
        drawn = (
            ("setting", words.setting_finding(view), first, words.setting_alt(view), _of_settings(view, out)),
            ("score", words.score_finding(view), second, words.score_alt(view), _of_scores(out)),
        )
        for place, (slot, finding, picture, alt, more) in zip(self._places, drawn, strict=True):
            noted = replace(finding, note=f"{finding.note} {more}".strip())
            place.draw(Figure(slot, noted, picture, f"{alt} {more}".strip()))


@dataclass(frozen=True)
class Stage:
    """How many rehearsals are on the stage, of which kind, from which seed; how many of them have still to fall."""

    of: Hashable = None
    count: int = 0
    seed: int = 0
    fresh: int = 0


def _state() -> Stage:
    state: Stage = st.session_state.get(REHEARSED, Stage())
    return state


def _set(state: Stage) -> None:
    st.session_state[REHEARSED] = state


def kind(view: View) -> tuple[str, int, int, str]:
    """Return what a release is of: while this stays the same, it belongs into the same figures."""
    return view.task.title, view.task.n, view.algorithm, view.variant


def shown(view: View) -> int:
    """Return how many rehearsals are on the stage."""
    return _state().count if _state().of == kind(view) else 0


def rehearsed(view: View) -> Out:
    """Return the rehearsals that are on the stage, simulated from the same noise at each ε."""
    count = shown(view)
    if not count:
        return Out(None, np.empty(0))
    made = view.simulated([view.epsilon], MOST, _state().seed)
    scores = np.array([view.scored(float(value)) for value in made.values[0, :count]])
    return Out(None if made.rows is None else made.rows[0, :count], scores)


def _of_settings(view: View, out: Out) -> str:
    if out.rows is None or not len(out.rows):
        return ""
    best = int((view.task.scores[out.rows] >= np.quantile(view.task.scores, 0.9)).sum())
    tenth = f"Rehearsed {len(out.rows)}: {best} among the best tenth."
    return f"{tenth} Each dot is a setting that might have been published."


def _of_scores(out: Out) -> str:
    if not len(out.scores):
        return ""
    low, high = minus(f"{out.scores.min():.3f}"), minus(f"{out.scores.max():.3f}")
    return f"Rehearsed {len(out.scores)}: observers might have seen {low} to {high}; they never see the true best."


def _into_candidates(picture: Picture, view: View, out: Out) -> None:
    """Let settings fall onto the curve of the true scores, where they pile up."""
    assert out.rows is not None
    _, x, _, log = figures.along_the_axis(view.task)
    low, high = picture.layout["yaxis"]["range"]
    if len(out.rows):
        high = view.best + ABOVE * view.spread
        picture.axis("yaxis", range=[low, high])
    at = figures.placed(view.task)[out.rows]
    along, ends = (np.log10(at), np.log10(x[[0, -1]])) if log else (at, x[[0, -1]])
    piled = _piled(along, *sorted(ends.tolist()))
    step = (ABOVE - 0.1) * view.spread / max(LOWEST_PILE, piled.max(initial=0.0) + 1)
    heights = view.task.scores[out.rows] + (0.35 + piled) * step
    _marks(picture, at, heights, high - 0.04 * (high - low), out)


def _into_scores(picture: Picture, out: Out) -> None:
    (low, high), (_, top) = (picture.layout[axis]["range"] for axis in ("xaxis", "yaxis"))
    at = np.clip(out.scores, low, high)
    piled = _piled(at, low, high)
    heights = (0.9 + piled) * top / max(ROWS, piled.max(initial=0.0) + 3)
    _marks(picture, at, heights, 0.96 * top, out)


def _piled(along: Array, low: float, high: float) -> Array:
    """Return how many landed earlier in the same place."""
    bins = np.clip(((along - low) / (high - low) * BINS).astype(int), 0, BINS - 1).tolist()
    return np.array([bins[:i].count(each) for i, each in enumerate(bins)], dtype=float)


def _marks(picture: Picture, at: Array, heights: Array, sky: float, out: Out) -> None:
    if not len(at):
        return
    y = heights.copy()
    if out.falling:
        y[-1] = sky
    look = {"size": 9, "symbol": "circle", "color": NOISY, "line": {"width": 1}}
    picture.marks(at, y, "rehearsed", "a rehearsal: %{x:.4g}", **look)
