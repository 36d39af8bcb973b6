"""Releases that fall into the two figures: rehearsed ones, which are simulated, and the last real one."""

from collections.abc import Hashable
from dataclasses import dataclass, replace

import numpy as np
import streamlit as st
from numpy.typing import NDArray

from pages.parts.live.work import Live, wait
from pages.parts.release import figures, words
from pages.parts.release.draws import LANDED, kind
from pages.parts.release.view import View
from pages.parts.shell.session import OWN
from pages.parts.views.content import explanation, prose
from pages.parts.views.drawing import Place, note
from pages.parts.views.picture import NOISY, REFUTED, Colour, Picture
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
    real: bool = False
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
        self._draw([out.first(len(out.scores) - fresh, falling=False), landed(view)])

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
        fresh, all_of_them, real = _state().fresh, rehearsed(self._view), landed(self._view)
        _set(replace(_state(), fresh=0))
        count = len(all_of_them.scores)
        for now in range(count - fresh + 1, count + 1):
            self._fall(all_of_them.first(now, falling=True), real, FALLS[MANY if fresh > 1 else 1])
        if st.session_state.get(LANDED, {}).pop("falling", False):
            self._fall(replace(real, falling=True), all_of_them, FALLS[1])
            fresh = 1
        if fresh:
            self._draw([all_of_them, landed(self._view)])

    def explain(self) -> None:
        learned_from = as_markdown(self._view.task.prior_from)
        texts = (
            explanation("release", "which setting", view=self._view, learned_from=learned_from),
            explanation("release", "the score and its noise", view=self._view),
        )
        for below, (heading, text) in zip(self._below, texts, strict=True):
            with below:
                explain(heading, text)

    def _fall(self, falling: Out, others: Out, seconds: float) -> None:
        """Draw the last of them in the air for a while; the next picture shows it landed."""
        self._draw([falling, others])
        wait(seconds)

    def _draw(self, out: list[Out]) -> None:
        view = self._view
        first = figures.candidates(view) if view.plan.choice else figures.sensitivities(view, self._left)
        second = figures.density(view, self._axes)
        for each in out:
            if each.rows is not None and view.plan.choice:
                _into_candidates(first, view, each)
            _into_scores(second, each)
        drawn = (
            ("setting", words.setting_finding(view), first, words.setting_alt(view), _of_settings(view, out[0])),
            ("score", words.score_finding(view), second, words.score_alt(view), _of_scores(out[0])),
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


def landed(view: View) -> Out:
    """Return the last real release, if it was one of these."""
    last = st.session_state.get(LANDED)
    if last is None or last["of"] != kind(view):
        return Out(None, np.empty(0), real=True)
    rows = None if last["row"] is None else np.array([last["row"]])
    return Out(rows, np.array([] if last["score"] is None else [last["score"]]), real=True)


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
    _marks(picture, at, heights, high - 0.04 * (high - low), out, "the setting that was published")


def _into_scores(picture: Picture, out: Out) -> None:
    (low, high), (_, top) = (picture.layout[axis]["range"] for axis in ("xaxis", "yaxis"))
    at = np.clip(out.scores, low, high)
    piled = _piled(at, low, high)
    heights = (0.9 + piled) * top / max(ROWS, piled.max(initial=0.0) + 3)
    _marks(picture, at, heights, 0.96 * top, out, "the score that was published")


def _piled(along: Array, low: float, high: float) -> Array:
    """Return how many landed earlier in the same place."""
    bins = np.clip(((along - low) / (high - low) * BINS).astype(int), 0, BINS - 1).tolist()
    return np.array([bins[:i].count(each) for i, each in enumerate(bins)], dtype=float)


def _marks(picture: Picture, at: Array, heights: Array, sky: float, out: Out, name: str) -> None:
    if not len(at):
        return
    y = heights.copy()
    if out.falling:
        y[-1] = sky
    colour: Colour = REFUTED if out.real else NOISY
    size, symbol, called, hover = (17, "star", name, name) if out.real else (9, "circle", "rehearsed", "a rehearsal")
    look = {"size": size, "symbol": symbol, "color": colour, "line": {"width": 1}}
    picture.marks(at, y, called, f"{hover}: %{{x:.4g}}", **look)
    if out.real:
        x = np.log10(at[-1]) if picture.layout["xaxis"].get("type") == "log" else at[-1]
        picture.label(float(x), float(y[-1]), "released", colour, xshift=11)
