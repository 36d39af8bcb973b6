"""What the Federated page draws first: the headline numbers, ε over the rounds, regret over the rounds at either depth.

Each figure is whole in one function and what it calls here: its picture, its finding, and what it says to those who
cannot see it.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from pages.parts.federated.setup import ALONE, NOTHING_PROMISED, PAPERS_NOISE, PLAIN, PRIVATE, Setup
from pages.parts.federated.view import Counted, View, most_saved
from pages.parts.views.picture import MET, NON_PRIVATE, RANDOM, SAMPLES, TEXT, Colour, End, Picture, nice, spread_labels
from pages.parts.views.picture import PRIVATE as BLUE
from pages.parts.views.text import epsilon_text, to_its_error
from pages.parts.views.views import Audience, Figure, Finding, Tile
from privbo_core.bo import Band, Difference
from privbo_core.errors import Array
from privbo_core.federated import Progress, saving
from privbo_core.federated.simulation import Measure

MARGIN = {"l": 56, "r": 92, "t": 8, "b": 44}
MEANINGS = {"exact": "exactly", "pld": "loss\ndistributions", "moments": "moments (paper)"}
Style = tuple[str, Colour, str]  # What is written at the end of a curve, its colour, its line.
STYLES: dict[str, Style] = {
    "TS": ("TS (alone)", RANDOM, "solid"),
    "FTS": ("FTS", NON_PRIVATE, "dash"),
    "FTS-DE": ("FTS-DE", NON_PRIVATE, "longdashdot"),
    "DP-FTS": ("DP-FTS", BLUE, "dot"),
    PAPERS_NOISE: ("paper’s\nnoise", BLUE, "dash"),
    "DP-FTS-DE": ("DP-FTS-DE", BLUE, "solid"),
}
PLAINLY: dict[str, Style] = {
    ALONE: ("each alone", RANDOM, "dot"),
    PLAIN: ("together,\nwithout privacy", NON_PRIVATE, "dash"),
    PRIVATE: ("together,\nwith privacy", BLUE, "solid"),
}
"""The same, as Simple calls and draws them."""


@dataclass(frozen=True)
class Curve:
    """A quantity over the rounds. ``name``: when it is pointed at; ``at_end``: what is written at its end."""

    name: str
    band: Band
    colour: Colour
    dash: str
    at_end: str = ""


def over_rounds(
    picture: Picture, curves: Sequence[Curve], top: float, gap: float = 0.085, size: int = 12, **placing: object
) -> Picture:
    """Draw curves over the rounds, with their names at their ends, ``gap`` of the axis apart; return the picture."""
    ends: list[End] = []
    for curve in curves:
        picture.band(rounds(curve.band.mean), curve.band, curve.colour, curve.dash, curve.name)
        ends.append((float(curve.band.mean[-1]), f"{SAMPLES[curve.dash]} {curve.at_end or curve.name}", curve.colour))
    for i, (y, text, colour) in enumerate(spread_labels(ends, gap * top)):
        about = {"xref": "paper", "xshift": 4, "size": size, **placing}
        picture.label(1, min(y, top), text, colour, name="" if i else "below", **about)  # on a phone, of the lowest
    picture.axis("yaxis", range=[-0.02 * top, top])
    return picture


def quantities(curves: Sequence[Curve], title: str, percent: bool) -> Picture:
    drawn = [replace(each, band=scaled(each.band, 100.0 if percent else 1.0)) for each in curves]
    top = 104.0 if percent else max(1.1 * max(float(each.band.mean.max()) for each in drawn), 1e-9)
    picture = over_rounds(Picture(margin=MARGIN), drawn, top)
    picture.axis("xaxis", "rounds t", range=[1, max(len(curves[0].band.mean), 2)])
    picture.axis("yaxis", title)
    return picture


def rounds(values: Sequence[float] | Array) -> list[float]:
    return [float(t) for t in range(1, len(values) + 1)]


def scaled(band: Band, factor: float) -> Band:
    return Band(band.mean * factor, band.standard_error * factor, band.runs)


def headline(view: View) -> tuple[Tile, ...]:
    setup, counted, progress = view.setup, view.counted, view.progress
    settings, agents, moments = setup.settings, setup.agents, counted.moments[setup.settings.iterations - 1]
    seen: Audience = "share"
    if counted.noiseless:
        tighter, seen = "no noise, no guarantee", "refuted"
    elif counted.exact is None:
        tighter = "at most, as the paper counts; the exact count is under way"
    else:
        tighter = f"counted exactly; the paper counts {epsilon_text(moments)}"
    clipped, signal, noise = (progress.band(PRIVATE, measure) for measure in ("clipped", "signal", "noise"))
    share = ratio = saved = off = "…"
    if clipped is not None and signal is not None and noise is not None:
        share = f"{100 * clipped.mean.mean():.0f} %"
        ratio = f"{noise.mean.mean() / max(signal.mean.mean(), 1e-12):.2f} to 1"
    if progress.runs > 1:
        gain = saving(progress, PRIVATE, ALONE, setup.early).times(agents.scale)
        saved = f"{to_its_error(gain.mean, gain.standard_error, signed=True)} {agents.in_unit}"
        off = to_its_error(gain.standard_error, gain.standard_error)
    loss = epsilon_text(counted.exact.epsilon) if counted.exact else f"≤ {epsilon_text(moments)}"
    return (
        Tile(f"Privacy loss ε after {settings.iterations} rounds", loss, tighter, seen, view.stamp),
        Tile("Vectors clipped", share, f"longer than S/√P = {setup.limit:.3g}", "curator"),
        Tile("Noise against signal", ratio, "mean lengths", "curator"),
        Tile("Regret saved by sharing", saved, f"± {off} over tuning alone, rounds 1–{setup.early}", "simulation"),
    )


def privacy(setup: Setup, counted: Counted, top: float) -> Figure:
    T = setup.settings.iterations
    now = epsilon_text(counted.moments[T - 1])
    alt = f"ε over the rounds; after {T} rounds {now} by moments."
    return Figure("privacy", _privacy_finding(setup, counted, now), privacy_picture(counted, T, top), alt)


def _privacy_finding(setup: Setup, counted: Counted, now: str) -> Finding:
    T, P = setup.settings.iterations, setup.settings.P
    if counted.noiseless:
        return Finding("Without noise there is no guarantee: ε = ∞", "refuted", "Move z above 0.", NOTHING_PROMISED)
    if counted.exact is None:
        title = f"{T} rounds cost ε = {now} at most, as the paper counts"
        return Finding(title, "share", "The exact count is under way.")
    exact = epsilon_text(counted.exact.epsilon)
    by_losses = epsilon_text(counted.tighter["pld"][-1]) if counted.fresh else "…"
    if setup.less_noise:
        claimed = f"the ε = {now} that the paper claims after {T} rounds"
        title = f"Up to {most_saved(setup):.2g} times less noise at {claimed}; counted exactly, {exact}"
        note = (
            f"This project’s calibration, not the paper’s: noise for one agent’s share of all {P} vectors together, "
            f"√{P} times less while explorers dominate. Exactly: by loss distributions."
        )
        return Finding(title, "share", note)
    note = f"One agent’s {P} vectors are counted as one. One by one, as in the paper: {by_losses}."
    if P == 1:
        sensitivity = "With one sub-region there is one vector, and the paper’s sensitivity is exact."
        note = f"Exactly: by loss distributions. {sensitivity}"
    return Finding(f"{T} rounds cost ε = {exact}, counted exactly; the paper claims {now}", "share", note)


def privacy_top(moments: Sequence[float], steps: int, held: float | None) -> float:
    """Return the top of the ε axis. One that is held stays, unless the curve would leave it or vanish in it."""
    now = moments[steps - 1]
    if not math.isfinite(now):
        return held or 10.0
    return nice(1.25 * now) if held is None or now > held or now < 0.08 * held else held


def privacy_picture(counted: Counted, steps: int, top: float) -> Picture:
    """Draw ε over the rounds. The tighter accountants are dimmed while they are those of an earlier setting."""
    moments, fresh = np.asarray(counted.moments), counted.fresh
    picture = Picture(margin=MARGIN)
    picture.axis("xaxis", "rounds t", range=[0, len(moments)])
    picture.axis("yaxis", "privacy loss ε so far", range=[0, top])
    if counted.noiseless:
        nothing = "ε = ∞ from the first round on: nothing hides an agent"
        picture.label(len(moments) / 2, top / 2, nothing, TEXT, xanchor="center", size=15)
        return picture
    x, after = rounds(moments), "ε = %{y:.3g} after %{x} rounds"
    picture.line(x, moments, BLUE.faded(0.3), width=2, hoverinfo="skip")
    picture.line(x[:steps], moments[:steps], BLUE, name="moments", hovertemplate=f"moments: {after}")
    # Above the marker and to its left, where neither the curve nor what it may become passes, if there is room.
    beside = {"xanchor": "right", "yshift": 14} if steps > 18 else {"yshift": 22}
    picture.label(steps, counted.moments[steps - 1], MEANINGS["moments"], BLUE, **beside)
    same = list(counted.tighter.get("pld", ())) == list(counted.tighter.get("exact", ()))
    ends: list[End] = []
    shade = MET if fresh else MET.faded(0.3)
    for name, dash in (("pld", "dot"), ("exact", "solid")):
        if (curve := counted.tighter.get(name)) is None:
            continue
        hover = f"{MEANINGS[name]}: {after}".replace("\n", " ")
        picture.line(x[: len(curve)], np.asarray(curve), shade, dash=dash, name=name, hovertemplate=hover)
        if fresh and not (same and name == "pld"):
            ends.append((curve[-1], MEANINGS[name], MET))
    for y, text, colour in spread_labels(ends, top * 0.085):
        if 0 <= y <= top:
            picture.label(steps, y, text, colour, xshift=8, align="left")
    around = {"color": TEXT, "width": 1.5}
    picture.marks([steps], [counted.moments[steps - 1]], "now", f"now: {after}", color=BLUE, size=11, line=around)
    return picture


@dataclass(frozen=True)
class Look:
    """How a depth draws regret: which one, its curves, how many of its unit are in one of the objectives', its axis."""

    measure: Measure
    styles: Mapping[str, Style]
    scale: float
    axis: str

    @staticmethod
    def of(setup: Setup) -> "Look":
        axis = f"{setup.measure} regret, mean over agents ({setup.agents.unit})"
        return Look(setup.measure, STYLES, setup.agents.scale, axis)

    @staticmethod
    def plainly(setup: Setup) -> "Look":
        return Look("simple", PLAINLY, setup.agents.in_words, setup.agents.wording.axis)

    def curves(self, progress: Progress) -> list[Curve]:
        plain = self.styles is PLAINLY
        return [
            Curve(text.replace("\n", " ") if plain else name, scaled(band, self.scale), colour, dash, text)
            for name, (text, colour, dash) in self.styles.items()
            if name in progress.finished and (band := progress.band(name, self.measure)) is not None
        ]

    def private(self, progress: Progress) -> Array | None:
        band = progress.band(PRIVATE, self.measure)
        return None if band is None else band.mean * self.scale

    def top(self, progress: Progress) -> float:
        highest = max((float(curve.band.mean.max()) for curve in self.curves(progress)), default=self.scale)
        return max(1.08 * highest, 1e-6)

    def picture(self, progress: Progress, steps: int, top: float | None = None, before: Array | None = None) -> Picture:
        """Draw regret over so many rounds. ``before``: the superseded private curve, dimmed. ``top`` fixes the axis."""
        plain, top = self.styles is PLAINLY, top or self.top(progress)
        picture = Picture(height=330, margin=MARGIN | {"l": 64, "r": 150}) if plain else Picture(margin=MARGIN)
        if before is not None:
            picture.line(rounds(before), before, BLUE.faded(0.35), hoverinfo="skip")
        placing: dict[str, Any] = {"gap": 0.17, "size": 15, "xshift": 6, "align": "left"} if plain else {}
        over_rounds(picture, self.curves(progress), top, **placing)
        picture.axis("xaxis", "rounds" if plain else "rounds t", range=[1, max(steps, 2)])
        picture.axis("yaxis", self.axis)
        return picture


def plain_regret(view: View, top: float | None, before: Array | None) -> Figure:
    each, steps = f"each {view.setup.agents.wording.one}", view.setup.settings.iterations
    alt = f"How far {each} is from its best, round by round: alone, together without privacy, together with privacy."
    picture = Look.plainly(view.setup).picture(view.progress, steps, top, before)
    return Figure("federated-simple", view.finding, picture, alt)


def regret(view: View, top: float | None, before: Array | None) -> Figure:
    noise = ", also with the paper’s noise" if view.setup.less_noise else ""
    alt = f"Regret over the rounds of TS, FTS, FTS-DE, DP-FTS and DP-FTS-DE{noise}."
    picture = Look.of(view.setup).picture(view.progress, view.setup.settings.iterations, top, before)
    return Figure("federated-regret", regret_finding(view), picture, alt)


def regret_finding(view: View) -> Finding:
    setup, progress = view.setup, view.progress
    note = f"{setup.runs} runs, bands ± 1 standard error."
    if progress.runs < setup.runs:
        note = f"{progress.runs} of {setup.runs} runs{'; stopped' if view.stopped else ''}."
    if progress.runs < 2:
        t = max((record.iterations for record in progress.under_way.values()), default=0)
        begun = f"The first rounds are coming in: t = {t}"
        return Finding("Stopped before there was anything to compare" if view.stopped else begun, "simulation", note)
    note += f" Title: rounds 1–{setup.early}."
    gain, size = _saved(view, ALONE)
    if setup.less_noise:
        against = f"Against tuning alone private sharing {_saves(gain) if gain.clear else 'has no clear gain:'} {size}."
        less, size = _saved(view, PAPERS_NOISE)
        title = f"Less noise at the same ε has no clear effect ({size})"
        if less.clear:
            title = f"Less noise at the same ε {_saves(less)} {size} against the paper’s noise"
        return Finding(title, "simulation", f"{note} {against}")
    sharing = "Sharing without noise" if view.stamp else "Private sharing"
    title = f"{sharing} {_saves(gain)} {size} against tuning alone"
    return Finding(title if gain.clear else f"No clear gain over tuning alone ({size})", "simulation", note, view.stamp)


def _saved(view: View, over: str) -> tuple[Difference, str]:
    """Return how much less early regret DP-FTS-DE has than another, and that in words: unsigned where it is clear."""
    agents = view.setup.agents
    gain = saving(view.progress, PRIVATE, over, view.setup.early).times(agents.scale)
    mean, error = gain.mean, gain.standard_error
    written = to_its_error(abs(mean) if gain.clear else mean, error, signed=not gain.clear)
    return gain, f"{written} ± {to_its_error(error, error)} {agents.in_unit}"


def _saves(gain: Difference) -> str:
    return "saves" if gain.mean > 0 else "costs"
