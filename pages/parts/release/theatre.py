"""Releases that fall into the two figures: rehearsed ones, which are simulated, and the last real one."""

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import streamlit as st
from numpy.typing import NDArray
from streamlit.delta_generator import DeltaGenerator

from pages.parts.frame.live import Live, wait
from pages.parts.frame.session import OWN
from pages.parts.release import figures, words
from pages.parts.release.draws import LANDED, kind
from pages.parts.release.setup import Setup, Values
from pages.parts.show.show import Place, note
from pages.parts.values.palette import NOISY, REFUTED, Colour
from pages.parts.values.picture import Picture
from pages.parts.values.text import minus
from pages.parts.values.views import Figure, Finding
from privbo_core.errors import Array
from privbo_core.release import simulated_releases

REHEARSED = f"{OWN}release/rehearsed"
"""Of what rehearsals are shown, how many, with which seed, and how many of them are still to fall."""
MOST, MANY = 60, 20
FALLS = {1: 0.45, MANY: 0.12}  # seconds that each of so many takes
BINS, ROWS = 36, 24  # how finely what has landed is sorted, and how many make a full pile
ABOVE, LOWEST_PILE = (
    0.9,
    6,
)  # room above the best candidate, as a share of the scores' range, for a pile of so many at least
WHAT_IT_IS = "A rehearsal is simulated with ordinary randomness: nothing is published, nothing is spent, and it may be repeated at will."


@dataclass(frozen=True, eq=False)
class Out:
    """What has come out: rows of candidates, None where no setting is published, and scores; ``falling``: the last has not landed."""

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

    def __init__(self, setup: Setup, values: Values, left: float, live: Live) -> None:
        self._setup, self._values, self._left = setup, values, left
        self._axes = live.put_axis(figures.density_axes(setup), "density")
        halves = st.columns(2, gap="medium")
        self._places: list[Place] = []
        self._below: list[DeltaGenerator] = []
        for half, slot in zip(halves, ("setting", "score"), strict=True):
            with half:
                self._places.append(Place(slot))
                self._below.append(st.container())
        out, fresh = rehearsed(setup), st.session_state.get(REHEARSED, {}).get("fresh", 0)
        self._draw([out.first(len(out.scores) - fresh, falling=False), landed(setup)])

    def offer(self) -> None:
        """Show the buttons of the rehearsal, apart from the one that releases."""
        count = shown(self._setup)
        with st.container(horizontal=True, vertical_alignment="center", key="rehearsal"):
            for label, more in (("Rehearse a release", 1), (f"Rehearse {MANY}", MANY)):
                st.button(
                    label, on_click=_rehearse, args=(self._setup, more), disabled=count + more > MOST, help=WHAT_IT_IS
                )
            if count:
                st.button("Clear the stage", on_click=_clear)
        note("Rehearsals are simulated: nothing is published, nothing spent.")

    def play(self) -> None:
        """Let fall what has not fallen yet."""
        state = st.session_state.get(REHEARSED, {})
        fresh, all_of_them, real = state.pop("fresh", 0), rehearsed(self._setup), landed(self._setup)
        count = len(all_of_them.scores)
        for now in range(count - fresh + 1, count + 1):
            self._fall(all_of_them.first(now, falling=True), real, FALLS[MANY if fresh > 1 else 1])
        if st.session_state.get(LANDED, {}).pop("falling", False):
            self._fall(replace(real, falling=True), all_of_them, FALLS[1])
            fresh = 1
        if fresh:
            self._draw([all_of_them, landed(self._setup)])

    def explain(self) -> None:
        """Say what each figure shows, below it."""
        for below, explain in zip(self._below, (words.explain_setting, words.explain_score), strict=True):
            with below:
                explain(self._setup)

    def _fall(self, falling: Out, others: Out, seconds: float) -> None:
        """Draw the last of them in the air for a while; the next picture shows it landed."""
        self._draw([falling, others])
        wait(seconds)

    def _draw(self, out: list[Out]) -> None:
        setup = self._setup
        nothing = setup.plan.choice is None
        first = figures.sensitivities(setup, self._values, self._left) if nothing else figures.candidates(setup)
        second = figures.density(setup, self._axes)
        for each in out:
            if each.rows is not None and not nothing:
                _into_candidates(first, setup, each)
            _into_scores(second, each)
        found = words.setting_finding(setup), words.score_finding(setup)
        pictures, alts = (first, second), (words.setting_alt(setup), words.score_alt(setup))
        said = ("" if nothing else _of_settings(setup, out[0]), _of_scores(setup, out[0]))
        for place, slot, finding, picture, alt, more in zip(
            self._places, ("setting", "score"), found, pictures, alts, said, strict=True
        ):
            place.draw(Figure(slot, _with(finding, more), picture, f"{alt} {more}".strip()))


def shown(setup: Setup) -> int:
    """Return how many rehearsals are on the stage."""
    state = st.session_state.get(REHEARSED, {})
    return int(state["count"]) if state.get("of") == kind(setup) else 0


def rehearsed(setup: Setup) -> Out:
    """Return the rehearsals that are on the stage, simulated from the same noise at each ε."""
    count, plan = shown(setup), setup.plan
    if not count:
        return Out(None, np.empty(0))
    seed, truth = (
        st.session_state[REHEARSED]["seed"],
        setup.task.scores if setup.in_scores else setup.task.objective,
    )
    made = simulated_releases(plan, [plan.epsilon], draws=MOST, objective=truth, rng=np.random.default_rng(seed))
    scores = np.array([setup.scored(float(value)) for value in made.values[0, :count]])
    return Out(None if made.rows is None else made.rows[0, :count], scores)


def landed(setup: Setup) -> Out:
    """Return the last real release, if it was one of these."""
    last = st.session_state.get(LANDED)
    if last is None or last["of"] != kind(setup):
        return Out(None, np.empty(0), real=True)
    rows = None if last["row"] is None else np.array([last["row"]])
    return Out(rows, np.array([] if last["score"] is None else [last["score"]]), real=True)


def _rehearse(setup: Setup, more: int) -> None:
    count = shown(setup)
    before = st.session_state.get(REHEARSED, {}).get("seed", 0)
    st.session_state[REHEARSED] = {"of": kind(setup), "count": count + more, "seed": before, "fresh": more}


def _clear() -> None:
    """Empty the stage; what is rehearsed next comes from other noise."""
    st.session_state[REHEARSED] = {"seed": st.session_state.get(REHEARSED, {}).get("seed", 0) + 1}


def _with(finding: Finding, more: str) -> Finding:
    return replace(finding, note=" ".join(filter(None, (finding.note, more))))


def _of_settings(setup: Setup, out: Out) -> str:
    if out.rows is None or not len(out.rows):
        return ""
    best = int((setup.task.scores[out.rows] >= np.quantile(setup.task.scores, 0.9)).sum())
    return (
        f"Rehearsed {len(out.rows)}: {best} among the best tenth. Each dot is a setting that might have been published."
    )


def _of_scores(setup: Setup, out: Out) -> str:
    if not len(out.scores):
        return ""
    low, high = minus(f"{out.scores.min():.3f}"), minus(f"{out.scores.max():.3f}")
    return f"Rehearsed {len(out.scores)}: observers might have seen {low} to {high}; they never see the true best."


def _into_candidates(picture: Picture, setup: Setup, out: Out) -> None:
    """Let settings fall onto the curve of the true scores, where they pile up."""
    assert out.rows is not None
    order, x, _, log = figures.along_the_axis(setup.task)
    place = np.empty(setup.task.n)
    place[order] = x
    low, high = picture.layout["yaxis"]["range"]
    if len(out.rows):
        high = float(setup.task.scores.max()) + ABOVE * setup.spread
        picture.axis("yaxis", range=[low, high])
    at = place[out.rows]
    along = np.log10(at) if log else at
    ends = (np.log10(x[[0, -1]]) if log else x[[0, -1]]).tolist()
    piled = _piled(along, *sorted(ends))
    step = (ABOVE - 0.1) * setup.spread / max(LOWEST_PILE, piled.max(initial=0.0) + 1)
    heights = setup.task.scores[out.rows] + (0.35 + piled) * step
    _marks(picture, at, heights, high - 0.04 * (high - low), out, "the setting that was published")


def _into_scores(picture: Picture, out: Out) -> None:
    """Let scores fall to the bottom of the density, where they pile up to a histogram."""
    low, high = picture.layout["xaxis"]["range"]
    top = picture.layout["yaxis"]["range"][1]
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
    look: dict[str, Any] = {"size": 17, "symbol": "star"} if out.real else {"size": 9, "symbol": "circle"}
    picture.add(
        "scatter", x=at, y=y, mode="markers", name=name if out.real else "rehearsed",
        marker={**look, "color": colour, "line": {"width": 1}},
        hovertemplate=f"{name if out.real else 'a rehearsal'}: %{{x:.4g}}",
    )  # fmt: skip
    if out.real:
        x = float(at[-1])
        log = picture.layout["xaxis"].get("type") == "log"
        picture.label(float(np.log10(x)) if log else x, float(y[-1]), "released", colour, xshift=11)
