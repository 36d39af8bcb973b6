"""The curator's map beside the modeler's, step by step through one search, reduced to what is drawn."""

from collections.abc import Generator, Iterator
from contextlib import closing
from dataclasses import dataclass
from typing import Literal

import numpy as np
import streamlit as st

from pages.parts.live.sliders import Slider, read_controls, show_sliders
from pages.parts.outsourced.setup import in_own_unit, one_sigma
from pages.parts.shell.address import choose
from pages.parts.shell.undocumented import give_way
from pages.parts.views.drawing import Place
from pages.parts.views.picture import PAPER, REFUTED, TEXT, Picture
from pages.parts.views.text import SIGMA_Y, minus
from pages.parts.views.views import REFUTED_STAMP, Audience, Figure, Finding
from privbo_core.bo import Belief, Trace, replay
from privbo_core.data import Problem
from privbo_core.errors import Array
from privbo_core.outsourced import Mechanism, Setting, Simulation

MOST_POINTS = 2000  # more are averaged over the cells of a grid
CELLS = 60  # along each side of that grid
Shown = Literal["upper bound", "posterior mean", "uncertainty"]
FILM = "own data/film"  # Where a session keeps the film it looks at: one, and gone with the session's own data.
SHOWN: dict[Shown, str] = {
    "upper bound": "mean + √β · s.d.",
    "posterior mean": "posterior mean",
    "uncertainty": "posterior s.d.",
}
OF: dict[Mechanism, tuple[str, Audience, str, str]] = {
    "private": ("Projected", "refuted", REFUTED_STAMP, ""),
    "noisy": ("Noisy", "curator", "", " The answers are not protected."),
}
"""Of a release: what its points are, who may see them, the stamp, a remark."""


class Cells:
    """Points in the plane as they are drawn: each by itself, or averaged over cells of a grid if there are many.

    ``places``: n×2 coordinates; ``sent``: the same as two lists, where each point is drawn. `reduce` turns n values
    into what is drawn: n values, or CELLS² with NaN where no point is.
    """

    def __init__(self, places: Array) -> None:
        self.places = places
        self.binned = len(places) > MOST_POINTS
        # To write numbers for the browser takes longer than all else in a step, so places are written once.
        shown = [] if self.binned else places.T.tolist()
        self.sent = [[float(f"{value:.6g}") for value in column] for column in shown]
        self.centres: tuple[Array, Array] = (np.empty(0), np.empty(0))
        if self.binned:
            low, span = places.min(axis=0), np.maximum(np.ptp(places, axis=0), 1e-12)
            inside = np.minimum(((places - low) / span * CELLS).astype(np.int64), CELLS - 1)
            self._cell = inside[:, 1] * CELLS + inside[:, 0]
            self._count = np.bincount(self._cell, minlength=CELLS**2)
            middles = (np.arange(CELLS) + 0.5) / CELLS
            self.centres = (low[0] + span[0] * middles, low[1] + span[1] * middles)

    def reduce(self, values: Array) -> Array:
        """Return the values that are drawn, in single precision. O(n)."""
        if not self.binned:
            return values.astype(np.float32)
        with np.errstate(invalid="ignore"):
            sums = np.bincount(self._cell, values, minlength=CELLS**2)
            return np.asarray(sums / self._count, dtype=np.float32)


@dataclass(frozen=True, eq=False)
class Still:
    """The modeler's belief after t evaluations: reduced values to draw, exact numbers to tell.

    ``next_row`` has the highest upper bound of all n rows, ``favourite`` the highest posterior mean.
    """

    t: int
    mean: Array
    deviation: Array
    root_beta: float
    next_row: int
    next_upper: float
    next_mean: float
    next_deviation: float
    favourite: int
    favourite_mean: float

    def values(self, shown: Shown) -> Array:
        """Return what the modeler's map is coloured by."""
        if shown == "posterior mean":
            return self.mean
        return self.deviation if shown == "uncertainty" else self.mean + self.root_beta * self.deviation


@dataclass(frozen=True)
class Queried:
    """The rows evaluated, the ``initial`` ones first, and the row that is next, if any is."""

    rows: list[int]
    upcoming: int | None
    initial: int


class Film:
    """One run as a sequence of stills. It is never changed: what is known of it is a tuple that its viewer keeps.

    Up to CELLS² values twice per still: 6 MB for 200 evaluations, whatever n.
    """

    def __init__(self, simulation: Simulation, setting: Setting, policy: Mechanism, run: int = 0) -> None:
        self.of = (simulation, setting, policy, run)
        problem = simulation.problem
        self.trace: Trace = simulation.run(policy, setting, run)
        kernel, noise_variance = simulation.model(setting)
        nugget = 0.0
        if policy == "private":
            z = simulation.release(setting, run).Z
            read = z
        else:
            noisy, prior = simulation.noisy_release(setting, run), simulation.prior(setting)
            z, noise_variance = noisy.Z, prior.noise_variance
            read, kernel, nugget = prior.read(z, noisy.sigma if setting.aware else 0.0)
        places, self.axes = flat(problem)
        released, self.modeler_axes = principal(z), ("first direction of Z", "second direction of Z")
        if policy == "noisy" and problem.d == 2:  # in the two columns' own units
            released = problem.frame.to_original(z)
            self.modeler_axes = f"{label(problem, 0)}, with noise", f"{label(problem, 1)}, with noise"
        self.curator, self.modeler = Cells(places), Cells(released)
        self.objective = simulation.objective(run)
        self.truth = self.curator.reduce(self.objective)
        self._model = read, kernel, noise_variance, nugget

    def until(self, t: int, known: tuple[Still, ...] = ()) -> Iterator[tuple[Still, ...]]:
        """Yield the stills up to the one after t evaluations, each time with one more than are ``known``.

        Nothing if that one is known. Each call follows the run from its beginning, so that no two share a generator:
        a known still costs the update of the posterior, O(nt), and a new one its reduction to what is drawn as well.
        """
        if len(known) > t:
            return
        with closing(self._beliefs()) as beliefs:
            for belief in beliefs:
                if belief.t < len(known):
                    continue
                known = (*known, self._still(belief))
                yield known
                if belief.t == t:
                    return

    def _beliefs(self) -> Generator[Belief, None, None]:
        simulation, setting, _, run = self.of
        points, kernel, noise_variance, nugget = self._model
        return replay(
            points,
            self.trace,
            kernel=kernel,
            noise_variance=noise_variance,
            delta_ucb=setting.delta_ucb,
            nugget=nugget,
            rule=simulation.rule(setting, run),
        )

    def _still(self, belief: Belief) -> Still:
        row, favourite = int(belief.upper.argmax()), int(belief.mean.argmax())
        mean, deviation = map(self.modeler.reduce, (belief.mean, belief.deviation))
        upper, believed, unsure = (float(each[row]) for each in (belief.upper, belief.mean, belief.deviation))
        told = row, upper, believed, unsure, favourite, float(belief.mean[favourite])
        return Still(belief.t, mean, deviation, belief.root_beta, *told)

    def queried(self, t: int) -> Queried:
        rows = [int(row) for row in self.trace.rows[: self.trace.initial + t + 1]]
        upcoming = None if t == self.trace.iterations else rows.pop()
        return Queried(rows, upcoming, self.trace.initial)


def show_maps(simulation: Simulation, setting: Setting, policy: Mechanism) -> None:
    steps = Slider.of("outsourced.t", 0, setting.iterations, setting.iterations, whole=True, play=True)
    panel_place, shown_place = st.columns([1, 3])
    controls = read_controls("maps", [steps])
    with shown_place:
        shown: Shown = choose(st.segmented_control, "Modeler’s map shows", list(SHOWN), key="map_shows", required=True)
    t = controls.whole("t")
    film, still = _still_at(simulation, setting, policy, t)
    queried = film.queried(t)
    curator, modeler = st.columns(2, gap="medium")
    with curator:
        finding = Finding(curator_sentence(film, t), "curator", _how(film.curator, "True outcome", film))
        of_one = in_own_unit(simulation.problem, "1", 1.0)
        unit = f" ({of_one})" if "=" in of_one else ""
        picture = map_picture(film.curator, film.truth, queried, f"f{unit}", film.axes)
        alt = "The curator’s map: true inputs coloured by the true outcome, evaluations numbered."
        Place("curator-map").draw(Figure("curator-map", finding, picture, alt))
    with modeler:
        what, audience, stamp, answers = OF[policy]
        directions = "" if film.modeler_axes[0] != "first direction of Z" else ", two widest directions"
        bound = (
            f"Mean {still.next_mean:.2f} + {still.root_beta:.2f} × s.d. {still.next_deviation:.2f} = "
            f"{still.next_upper:.2f}. "
        )
        bound = "" if t == setting.iterations else minus(bound)
        note = bound + _how(film.modeler, f"{what} points{directions}", film) + answers
        picture = map_picture(film.modeler, still.values(shown), queried, f"{SHOWN[shown]}{unit}", film.modeler_axes)
        alt = f"The modeler’s map: released points coloured by {shown}, evaluations numbered."
        finding = Finding(modeler_sentence(film, still), audience, note, stamp)
        Place("modeler-map").draw(Figure("modeler-map", finding, picture, alt))
    with panel_place:
        show_sliders("maps", [steps], controls)


def _still_at(simulation: Simulation, setting: Setting, policy: Mechanism, t: int) -> tuple[Film, Still]:
    """Return this session's film of the run and its still after t evaluations; remember what was computed on the way.

    A newer run of the page may be under way already, so the session holds a pair that is replaced, never changed.
    """
    film, stills = st.session_state.get(FILM, (None, ()))
    if film is None or film.of[0] is not simulation or film.of[1:] != (setting, policy, 0):
        film, stills = Film(simulation, setting, policy), ()
    for longer in film.until(t, stills):
        st.session_state[FILM] = film, longer
        stills = longer
        give_way()
    return film, stills[t]


def _how(cells: Cells, what: str, film: Film) -> str:
    n, initial = len(cells.places), film.trace.initial
    drawn = f"{n:,} points averaged over {CELLS} × {CELLS} cells" if cells.binned else f"{n:,} points"
    problem = film.of[0].problem
    unit = f" {one_sigma(problem)}." if problem.preparation else ""
    return f"{what}; {drawn}. Rings: {initial} initial points; numbers: t; star: next.{unit}"


def curator_sentence(film: Film, t: int) -> str:
    """Say what evaluation t brought, as only the curator knows."""
    problem, trace = film.of[0].problem, film.trace
    highest, unit = float(film.objective.max()), problem.sigma_y
    best = (highest - float(film.objective[trace.rows[: trace.initial + t]].max())) / unit if t + trace.initial else 0.0
    if t == 0:
        if not trace.initial:
            return "Nothing has been evaluated yet"
        return f"Before the search: {trace.initial} random records, the nearest misses the best by {best:.2f} {SIGMA_Y}"
    row = int(trace.rows[trace.initial + t - 1])
    missed = (highest - float(film.objective[row])) / unit
    earlier = trace.rows[: trace.initial + t - 1]
    before = float(film.objective[earlier].max()) if len(earlier) else float("-inf")
    record = f"t = {t}: record {row + 1:,}"
    if missed == 0:
        return f"{record} is the best of all {problem.n:,}"
    if float(film.objective[row]) > before:
        return f"{record} is the nearest so far: it misses the best by {missed:.2f} {SIGMA_Y}"
    return f"{record} misses the best by {missed:.2f} {SIGMA_Y}; the nearest so far, by {best:.2f}"


def modeler_sentence(film: Film, still: Still) -> str:
    """Say what the modeler asks for next, and why; after the last evaluation, what it takes for the best."""
    n = film.of[0].problem.n
    if still.t == film.trace.iterations:
        favourite = f"{still.favourite + 1:,}: {still.favourite_mean:.2f}"
        return minus(f"The search is over; the modeler believes most in record {favourite}")
    return minus(f"Next: record {still.next_row + 1:,} has the highest upper bound of {n:,}, {still.next_upper:.2f}")


def map_picture(cells: Cells, values: Array, queried: Queried, meaning: str, axes: tuple[str, str]) -> Picture:
    """Draw values in the plane, what has been evaluated (rings: at the start; then numbered), what is next (a star)."""
    rows, upcoming, initial = queried.rows, queried.upcoming, queried.initial
    picture = Picture(height=400)
    bar = {"title": {"text": meaning, "side": "right"}, "thickness": 10, "outlinewidth": 0}
    colouring = {"colorscale": "Cividis", "colorbar": bar}
    x, y = cells.places.T
    if cells.binned:
        across, up = cells.centres
        grid = np.round(values.astype(float), 4).reshape(CELLS, CELLS)
        picture.add(
            "heatmap",
            x=across,
            y=up,
            z=[[None if value != value else value for value in row] for row in grid.tolist()],
            hoverongaps=False,
            hovertemplate=f"{meaning} %{{z:.2f}}",
            **colouring,
        )
    else:
        picture.add(
            "scatter",
            x=cells.sent[0],
            y=cells.sent[1],
            mode="markers",
            name=meaning,
            marker={"size": 5, "color": np.round(values.astype(float), 4).tolist(), "opacity": 0.8} | colouring,
            hovertemplate=f"{meaning} %{{marker.color:.2f}}",
        )
    later = len(rows) - initial
    # Each number stands on a disc of the page's own colour: whatever the cell below it, it has contrast.
    marker = {
        "size": [9] * initial + [17] * later,
        "symbol": ["circle-open"] * initial + ["circle"] * later,
        "color": [REFUTED] * initial + [PAPER] * later,
        "line": {"color": REFUTED, "width": 1.5},
    }
    picture.add(
        "scatter",
        x=x[rows],
        y=y[rows],
        mode="markers+text",
        text=[""] * initial + [str(i + 1) for i in range(later)],
        textposition="middle center",
        marker=marker,
        textfont={"size": 10, "color": TEXT},
        name="evaluated",
        hovertemplate="evaluation %{text}",
    )
    if upcoming is not None:
        edge = {"color": TEXT, "width": 2}
        picture.marks([x[upcoming]], [y[upcoming]], "next", "next", symbol="star", size=15, color=PAPER, line=edge)
    picture.axis("xaxis", axes[0])
    picture.axis("yaxis", axes[1])
    return picture


def flat(problem: Problem, rows: Array | None = None) -> tuple[Array, tuple[str, str]]:
    """Return two coordinates to draw the curator's points by, and their names; ``rows``: others, in original units."""
    original = problem.original if rows is None else rows
    if problem.d == 1:
        return np.column_stack([original[:, 0], problem.objective]), (label(problem, 0), problem.output)
    if problem.d == 2:
        return original, (label(problem, 0), label(problem, 1))
    names = "first principal direction", "second principal direction"
    if rows is None:
        return principal(problem.points), names
    points = (rows - problem.original[0]) / problem.unit_distance + problem.points[0]
    centre = problem.points.mean(axis=0)
    return np.asarray((points - centre) @ _widest(problem.points - centre)), names


def principal(points: Array) -> Array:
    """Return the coordinates of centred points in their two directions of largest spread; rounding is no spread."""
    centred = points - points.mean(axis=0)
    if points.shape[1] == 1:
        return np.column_stack([centred[:, 0], np.zeros(len(centred))])
    result: Array = centred @ _widest(centred)
    result[:, np.ptp(result, axis=0) < 1e-9 * np.ptp(result)] = 0.0
    return result


def _widest(centred: Array) -> Array:
    """Return the two directions of largest spread."""
    _, vectors = np.linalg.eigh(centred.T @ centred)
    return np.asarray(vectors[:, :-3:-1])


def label(problem: Problem, column: int) -> str:
    unit, name = problem.units[column], problem.names[column]
    return f"{name} ({unit})" if unit else name
