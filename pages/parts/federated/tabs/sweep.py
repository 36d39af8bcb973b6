"""The tab that sets regret against ε while one setting goes through a range. With its figure."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
import streamlit as st

from pages.parts.federated.figures import DASHES, MARGIN, colour_of
from pages.parts.federated.setup import Setup
from pages.parts.frame.address import choose
from pages.parts.frame.live import Steps, follow
from pages.parts.show.show import Place
from pages.parts.values.axes import ONE_TWO_FIVE, SAMPLES, End, spread_labels
from pages.parts.values.numbers import epsilon_text, to_its_error
from pages.parts.values.palette import NOTHING, PRIVATE, REFUTED, TEXT
from pages.parts.values.picture import Picture
from pages.parts.values.views import Figure, Finding
from privbo_core.federated import Progress, Record, Settings, losses, variants

SWEPT = {"z": (0.5, 0.7, 1.0, 1.4, 2.0, 3.0, 4.0), "q": (0.05, 0.1, 0.15, 0.25, 0.35, 0.5, 1.0)}
SWEPT_RUNS = 10
UNPROTECTED = ("TS", "FTS-DE")
"""What the sweep is set against: tuning alone, and sharing without privacy."""


@dataclass(frozen=True)
class Point:
    """DP-FTS-DE with one value of the setting that is swept: its ε, its regret with the standard error of that."""

    value: float
    epsilon: float
    regret: float
    error: float


class Sweep:
    """DP-FTS-DE with each value of one setting, the present one included, beside what needs no protection."""

    def __init__(self, setup: Setup, symbol: str, runs: int) -> None:
        self.setup, self.symbol, self.runs = setup, symbol, runs
        self.now: float = getattr(setup.settings, symbol)
        values = sorted({*SWEPT[symbol], round(self.now, 6)} - {0.0})
        self._values = {f"{symbol} = {value:.6g}": value for value in values}
        swept = {name: replace(setup.settings, **{symbol: value}) for name, value in self._values.items()}
        self._losses = {name: losses(each, setup.N)[-1] for name, each in swept.items()}
        self._all: dict[str, Settings] = swept | {name: variants(setup.settings)[name] for name in UNPROTECTED}

    def steps(self, stopped: bool) -> Steps[Progress]:
        """Yield the runs as they are computed; only those that are known if somebody has ``stopped`` them."""
        if stopped:
            yield self.setup.simulation.finished(self._all, self.setup.N, self.runs)
        else:
            yield from self.setup.simulation.compare(self._all, self.setup.N, self.runs)

    def points(self, progress: Progress) -> list[Point]:
        """Return what there is of the values swept, those without any guarantee left out."""
        return [
            Point(self._values[name], self._losses[name], *self._regret(progress.finished[name]))
            for name in self._values
            if progress.finished[name] and math.isfinite(self._losses[name])
        ]

    def levels(self, progress: Progress) -> dict[str, float]:
        """Return the regret of what needs no protection."""
        return {name: self._regret(progress.finished[name])[0] for name in UNPROTECTED if progress.finished[name]}

    def _regret(self, records: Sequence[Record]) -> tuple[float, float]:
        each = np.array([record.simple[: self.setup.early].mean() for record in records]) * self.setup.agents.scale
        error = float(each.std(ddof=1) / math.sqrt(len(each))) if len(each) > 1 else 0.0
        return float(each.mean()), error


def show_sweep(setup: Setup, runs: int, stopped: bool) -> None:
    """Draw regret against ε while z or q goes through a range, run by run as they are computed."""
    symbol = choose(st.segmented_control, "Sweep over", list(SWEPT), key="federated_sweep", required=True)
    place = Place("trade-off")
    sweep = Sweep(setup, symbol, min(runs, SWEPT_RUNS))
    follow(sweep.steps(stopped), lambda progress: place.draw(sweep_figure(sweep, progress)))


def sweep_figure(sweep: Sweep, progress: Progress) -> Figure:
    """Return regret against ε as far as it has been computed."""
    points, agents = sweep.points(progress), sweep.setup.agents
    note = f"{progress.runs} of {sweep.runs} runs each, bars ± 1 standard error. Circle: the present setting."
    if len(points) < 2:
        title = "The first points are on their way"
    else:
        private, useful = min(points, key=lambda p: p.epsilon), max(points, key=lambda p: p.epsilon)
        error = max(private.error, useful.error)
        title = (
            f"From ε = {epsilon_text(private.epsilon)} to ε = {epsilon_text(useful.epsilon)} the regret goes from "
            f"{to_its_error(private.regret, error)} to {to_its_error(useful.regret, error)} {agents.in_unit}"
        )
    title_of_axis = f"regret, mean of rounds 1–{sweep.setup.early} ({agents.unit})"
    picture = trade_off(points, sweep.levels(progress), sweep.symbol, sweep.now, title_of_axis)
    return Figure(
        "trade-off", Finding(title, "simulation", note), picture, f"Regret against ε while {sweep.symbol} varies."
    )


def trade_off(points: Sequence[Point], levels: Mapping[str, float], symbol: str, now: float, title: str) -> Picture:
    """Draw regret against ε for a sweep of ``symbol``, which is ``now`` at present; ``levels``: regret without privacy."""
    picture = Picture(height=340, margin=MARGIN)
    points = sorted(points, key=lambda point: point.epsilon)
    spans = [math.log10(point.epsilon) for point in points] or [0.0, 1.0]
    low, high = min(spans) - 0.12, max(spans) + 0.12
    picture.add(
        "scatter", x=[p.epsilon for p in points], y=[p.regret for p in points], mode="lines+markers+text",
        text=[f"{symbol} = {p.value:.3g}" for p in points], textposition="top right",
        textfont={"size": 11, "color": TEXT},
        error_y={"array": [p.error for p in points], "color": PRIVATE, "thickness": 1.5},
        line={"color": PRIVATE, "width": 2}, marker={"size": 8}, name="DP-FTS-DE",
        hovertemplate="ε = %{x:.3g}: %{y:.3f}",
    )  # fmt: skip
    for present in (point for point in points if abs(point.value - now) < 1e-6):
        picture.add(
            "scatter", x=[present.epsilon], y=[present.regret], mode="markers", name="now", hovertemplate="now",
            marker={"size": 17, "color": NOTHING, "line": {"color": REFUTED, "width": 3}},
        )  # fmt: skip
        picture.upright(present.epsilon, REFUTED, dash="dot", width=1.5)
        picture.label(math.log10(present.epsilon), 0, "now", REFUTED, yref="paper", xshift=4, yanchor="bottom")
    highest = max([p.regret + p.error for p in points] + list(levels.values()), default=1.0)
    ends: list[End] = []
    for name, level in levels.items():
        picture.level(level, colour_of(name), dash=DASHES[name])
        ends.append((level, f"{SAMPLES[DASHES[name]]} {name}", colour_of(name)))
    for y, name, colour in spread_labels(ends, highest * 0.09):
        picture.label(1, y, name, colour, xref="paper", xshift=4)
    ticks = {"type": "log", "range": [low, high], "tickvals": ONE_TWO_FIVE}
    picture.axis("xaxis", "ε by moments (log scale): more useful →", **ticks)
    picture.axis("yaxis", title, range=[0, 1.15 * highest])
    return picture
