"""Regret along r and along ε on the Outsourced page: the same dice everywhere, the present setting among them."""

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np
import streamlit as st

from pages.parts.live.work import Steps, follow
from pages.parts.outsourced.figures import TICKS
from pages.parts.outsourced.setup import Case, repeats
from pages.parts.shell.undocumented import give_way
from pages.parts.views.drawing import Place
from pages.parts.views.palette import NON_PRIVATE, PRIVATE
from pages.parts.views.picture import Picture
from pages.parts.views.text import SIGMA_MIN, SIGMA_Y
from pages.parts.views.views import REFUTED_STAMP, Figure, Finding
from privbo_core.bo import Band, band
from privbo_core.errors import Array
from privbo_core.outsourced import Setting, largest_r, smallest_epsilon

MOST_RUNS = 20
DIMENSION = "projection dimension r"
SWEPT_R = (1, 2, 3, 4, 6, 8, 10, 12, 15, 20, 30, 50, 100)
SWEPT_EPSILON = tuple(math.exp(x) for x in np.linspace(-1, 5, 13))


@dataclass(frozen=True)
class Swept:
    """Final regret along one setting, as far as it has been computed, beside the search without privacy.

    ``title``: the setting's, at the axis; ``now``: the present setting; ``turn``: where the condition turns, and
    whether it is met to the right of that.
    """

    title: str
    x: list[float]
    results: dict[float, Band]
    plain: float
    now: float
    turn: float
    feasible_right: bool


def sweep(swept: Swept) -> Picture:
    """Draw final regret against one setting, as far as it has been computed, with the region where σ_min ≥ ω."""
    picture = Picture()
    x, results = swept.x, swept.results
    done = [value for value in x if value in results]
    left, right = math.log10(x[0]), math.log10(x[-1])
    turning = min(max(math.log10(max(swept.turn, 1e-9)), left), right)
    start, end = (turning, right) if swept.feasible_right else (left, turning)
    if end > start:
        picture.region(10**start, 10**end, PRIVATE.faded(0.1))
        picture.label((start + end) / 2, 1, f"{SIGMA_MIN} ≥ ω", PRIVATE, yref="paper", xanchor="center", yanchor="top")
    errors = [float(results[value].standard_error[-1]) for value in done]
    picture.add(
        "scatter",
        x=done,
        y=[float(results[value].mean[-1]) for value in done],
        mode="lines+markers",
        name="private",
        error_y={"array": errors, "color": PRIVATE, "thickness": 1.5},
        line={"color": PRIVATE, "width": 2},
        marker={"size": 8},
        hovertemplate="%{y:.3f} at %{x:.3g}",
    )
    picture.level(swept.plain, NON_PRIVATE)
    picture.label(left, swept.plain, "non-private", NON_PRIVATE, yshift=9)
    picture.upright(swept.now, PRIVATE, dash="dot", width=1.5)
    picture.axis("xaxis", swept.title, type="log", range=[left - 0.03, right + 0.03], tickvals=TICKS)
    picture.axis("yaxis", f"final simple regret ({SIGMA_Y})", rangemode="tozero")
    return picture


def show_sweeps(case: Case) -> None:
    """Draw final regret against r and against ε, point by point as they are computed."""
    simulation, setting, runs = case.simulation, case.setting, min(case.runs, MOST_RUNS)
    sigma_min = simulation.spectrum.sigma_min
    ends = [trace.simple_regret[-1] for trace in simulation.stream("plain", setting, runs, give_way)]
    plain = float(np.mean(ends)) / case.problem.sigma_y
    along_r = {float(r): replace(setting, r=r) for r in sorted({*SWEPT_R, setting.r})}
    along_epsilon = {value: replace(setting, epsilon=value) for value in sorted({*SWEPT_EPSILON, setting.epsilon})}
    largest = float(largest_r(sigma_min, setting.epsilon, setting.delta))
    smallest = smallest_epsilon(sigma_min, setting.delta, setting.r)
    left, right = st.columns(2, gap="medium")
    with left:
        start = Swept(DIMENSION, list(along_r), {}, plain, float(setting.r), largest, feasible_right=False)
        _show_sweep(case, ("r", "r"), along_r, start)
    with right:
        start = Swept("ε", list(along_epsilon), {}, plain, setting.epsilon, smallest, feasible_right=True)
        _show_sweep(case, ("epsilon", "ε"), along_epsilon, start)


def _show_sweep(case: Case, names: tuple[str, str], settings: Mapping[float, Setting], start: Swept) -> None:
    (slot, symbol), runs, sigma_y = names, min(case.runs, MOST_RUNS), case.problem.sigma_y
    place = Place(f"sweep-{slot}")

    def computed() -> Steps[tuple[Swept, str]]:
        results: dict[float, Band] = {}
        last: dict[float, Array] = {}
        for value, at in settings.items():
            curves = []
            for trace in case.simulation.stream("private", at, runs, give_way):
                give_way()
                curves.append(trace.simple_regret / sigma_y)
            results[value] = band(curves)
            last[value] = np.array([curve[-1] for curve in curves])
            yield replace(start, results=dict(results)), least_regret(symbol, last)

    def draw(now: tuple[Swept, str]) -> None:
        swept, title = now
        note = f"{runs} {repeats(case.simulation)} each, the same dice everywhere; ± 1 s.e."
        finding = Finding(title, "simulation", note, REFUTED_STAMP)
        alt = f"Final simple regret against {symbol}."
        place.draw(Figure(f"sweep-{slot}", finding, sweep(swept), alt))

    follow(computed(), draw)


def least_regret(symbol: str, last: Mapping[float, Array]) -> str:
    """Return where regret is least, run by run.

    At one value only if it is less there than at any other by two standard errors.
    """
    best = min(last, key=lambda value: float(last[value].mean()))
    alike = [best]
    for value, regrets in last.items():
        more = regrets - last[best]
        error = float(more.std(ddof=1)) / math.sqrt(len(more)) if len(more) > 1 else math.inf
        if value != best and not more.mean() > 2 * error:
            alike.append(value)
    if len(alike) == 1:
        return f"Least regret at {symbol} = {best:.3g}" + (" so far" if len(last) == 1 else "")
    low, high = min(alike), max(alike)
    if all(value in alike for value in last if low <= value <= high):
        return f"No single best {symbol}: from {low:.3g} to {high:.3g} the regrets differ by no more than chance"
    return f"No single best {symbol}: {len(alike)} of {len(last)} differ from the least by no more than chance"
