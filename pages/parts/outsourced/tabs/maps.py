"""The curator's map beside the modeler's, step by step through one search."""

from dataclasses import dataclass

import numpy as np
import streamlit as st

from pages.parts.controls.live_sliders import Slider, read_controls, show_sliders
from pages.parts.frame.address import choose
from pages.parts.frame.undocumented import give_way
from pages.parts.outsourced.tabs.film import CELLS, Cells, Film, Frame, Shown
from pages.parts.show.show import Place
from pages.parts.values.palette import PAPER, REFUTED, TEXT
from pages.parts.values.picture import Picture
from pages.parts.values.text import SIGMA_Y, minus
from pages.parts.values.views import REFUTED_STAMP, Audience, Figure, Finding
from privbo_core.errors import Array
from privbo_core.outsourced import Setting, Simulation
from privbo_core.outsourced.simulation import Mechanism

KEPT = "own data/film"
"""Where a session keeps the film it looks at: one, and gone with the session's own data."""
SHOWN: dict[Shown, str] = {
    "upper bound": "mean + √β · s.d.",
    "posterior mean": "posterior mean",
    "uncertainty": "posterior s.d.",
}


def film_of(simulation: Simulation, setting: Setting, policy: Mechanism) -> Film:
    """Return this session's film of that search, made now if it is another than last time."""
    film: Film | None = st.session_state.get(KEPT)
    if film is None or film.of[0] is not simulation or film.of[1:] != (setting, policy, 0):
        film = st.session_state[KEPT] = Film(simulation, setting, policy)
    return film


def show_maps(simulation: Simulation, setting: Setting, policy: Mechanism) -> None:
    """Draw what the curator sees beside what the modeler sees, as far as evaluation t."""
    steps = Slider("t", "t", 0, setting.iterations, setting.iterations, "initial points only", "all evaluations",
                   "Show the search after this many evaluations.", whole=True, play=True)  # fmt: skip
    panel_place, shown_place = st.columns([1, 3])
    controls = read_controls("maps", [steps])
    with shown_place:
        shown: Shown = choose(
            st.segmented_control,
            "Modeler’s map shows",
            list(SHOWN),
            default="upper bound",
            key="map_shows",
            required=True,
        )
    film, t = film_of(simulation, setting, policy), controls.whole("t")
    frame = film.at(t, give_way)
    asked = Queried(*film.asked(t), film.trace.initial)
    curator, modeler = st.columns(2, gap="medium")
    with curator:
        found = Finding(curator_sentence(film, t), "curator", _how(film.curator, "True outcome", film))
        picture = map_picture(film.curator, film.truth, asked, "f", film.axes)
        alt = "The curator’s map: true inputs coloured by the true outcome, evaluations numbered."
        Place("curator-map").draw(Figure("curator-map", found, picture, alt))
    with modeler:
        what = "Projected" if policy == "private" else "Noisy"
        audience: Audience = "refuted" if policy == "private" else "curator"
        stamp = REFUTED_STAMP if policy == "private" else ""
        answers = "" if policy == "private" else " The answers are not protected."
        directions = "" if film.modeler_axes[0] != "first direction of Z" else ", two widest directions"
        note = bound_note(film, frame) + _how(film.modeler, f"{what} points{directions}", film) + answers
        picture = map_picture(film.modeler, frame.values(shown), asked, SHOWN[shown], film.modeler_axes)
        alt = f"The modeler’s map: released points coloured by {shown}, evaluations numbered."
        Place("modeler-map").draw(
            Figure("modeler-map", Finding(modeler_sentence(film, frame), audience, note, stamp), picture, alt)
        )
    with panel_place:
        show_sliders("maps", [steps], controls)


def _how(cells: Cells, what: str, film: Film) -> str:
    n, initial = len(cells.places), film.trace.initial
    drawn = f"{n:,} points averaged over {CELLS} × {CELLS} cells" if cells.binned else f"{n:,} points"
    return f"{what}; {drawn}. Rings: {initial} initial points; numbers: t; star: next."


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


def modeler_sentence(film: Film, frame: Frame) -> str:
    """Say what the modeler asks for next, and why; after the last evaluation, what it takes for the best."""
    n = film.of[0].problem.n
    if frame.t == film.trace.iterations:
        return minus(
            f"The search is over; the modeler believes most in record {frame.favourite + 1:,}: {frame.favourite_mean:.2f}"
        )
    text = f"Next: record {frame.next_row + 1:,} has the highest upper bound of {n:,}, {frame.next_upper:.2f}"
    return minus(text)


def bound_note(film: Film, frame: Frame) -> str:
    """Return how the upper bound of the next record comes about."""
    if frame.t == film.trace.iterations:
        return ""
    text = f"Mean {frame.next_mean:.2f} + {frame.root_beta:.2f} × s.d. {frame.next_deviation:.2f} = {frame.next_upper:.2f}. "
    return minus(text)


def values_in_rows(values: Array) -> list[list[float | None]]:
    """Return the cells' values row by row, rounded to what a screen shows, None where there is no point."""
    rows = np.round(values.astype(float), 4).reshape(CELLS, CELLS)
    return [[None if value != value else value for value in row] for row in rows.tolist()]


@dataclass(frozen=True)
class Queried:
    """The rows evaluated, the ``initial`` ones first, and the row that is next, if any is."""

    rows: list[int]
    upcoming: int | None
    initial: int


def map_picture(cells: Cells, values: Array, asked: Queried, meaning: str, axes: tuple[str, str]) -> Picture:
    """Draw values in the plane, what has been evaluated (rings: at the start; then numbered) and what is next (a star)."""
    rows, upcoming, initial = asked.rows, asked.upcoming, asked.initial
    picture = Picture(height=400)
    colouring = {
        "colorscale": "Cividis",
        "colorbar": {"title": {"text": meaning, "side": "right"}, "thickness": 10, "outlinewidth": 0},
    }
    x, y = cells.places.T
    if cells.binned:
        across, up = cells.centres
        picture.add(
            "heatmap", x=across, y=up, z=values_in_rows(values), hoverongaps=False,
            hovertemplate=f"{meaning} %{{z:.2f}}", **colouring,
        )  # fmt: skip
    else:
        picture.add(
            "scatter", x=cells.sent[0], y=cells.sent[1], mode="markers", name=meaning, marker={"size": 5, "color": np.round(values.astype(float), 4).tolist(), "opacity": 0.8} | colouring,
            hovertemplate=f"{meaning} %{{marker.color:.2f}}",
        )  # fmt: skip
    later = len(rows) - initial
    picture.add(
        "scatter",
        x=x[rows],
        y=y[rows],
        mode="markers+text",
        text=[""] * initial + [str(i + 1) for i in range(later)],
        textposition="middle center",
        textfont={"size": 10, "color": TEXT},
        # Each number stands on a disc of the page's own colour: whatever the cell below it, it has contrast.
        marker={
            "size": [9] * initial + [17] * later,
            "symbol": ["circle-open"] * initial + ["circle"] * later,
            "color": [REFUTED] * initial + [PAPER] * later,
            "line": {"color": REFUTED, "width": 1.5},
        },
        name="evaluated",
        hovertemplate="evaluation %{text}",
    )
    if upcoming is not None:
        picture.add(
            "scatter", x=[x[upcoming]], y=[y[upcoming]], mode="markers", name="next",
            marker={"symbol": "star", "size": 15, "color": PAPER, "line": {"color": TEXT, "width": 2}},
            hovertemplate="next",
        )  # fmt: skip
    picture.axis("xaxis", axes[0])
    picture.axis("yaxis", axes[1])
    return picture
