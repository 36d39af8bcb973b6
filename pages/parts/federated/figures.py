"""What the Federated page's first screen shows: the headline numbers, ε over the rounds, regret over the rounds.

Each figure is whole in one function and what it calls here: its picture, its finding, what it says to those who cannot see it.
"""

import math
from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from pages.parts.federated.count import PATIENCE, Counted, counted_more_tightly, most_saved
from pages.parts.federated.setup import LONGEST, NOTHING_PROMISED, PAPERS_NOISE, Setup, Shown
from pages.parts.frame.live import Live, wait
from pages.parts.show.show import Place
from pages.parts.values.axes import SAMPLES, End, nice, spread_labels
from pages.parts.values.numbers import epsilon_text, to_its_error
from pages.parts.values.palette import MET, NON_PRIVATE, PRIVATE, RANDOM, TEXT, Colour
from pages.parts.values.picture import Picture
from pages.parts.values.views import Figure, Finding, Tile
from privbo_core.bo import Band
from privbo_core.errors import Array
from privbo_core.federated import Progress, Saving, losses, saving
from privbo_core.federated.simulation import Measure

MARGIN = {"l": 56, "r": 92, "t": 8, "b": 44}
MEANINGS = {"exact": "exactly", "pld": "loss\ndistributions", "rdp": "Rényi", "moments": "moments (paper)"}
DASHES = {
    "TS": "solid",
    "FTS": "dash",
    "FTS-DE": "longdashdot",
    "DP-FTS": "dot",
    "DP-FTS-DE": "solid",
    PAPERS_NOISE: "dash",
}
ORDER = ("TS", "FTS", "FTS-DE", "DP-FTS", PAPERS_NOISE, "DP-FTS-DE")
LABELS = {"TS": "TS (alone)", PAPERS_NOISE: "paper’s\nnoise"}


def headline(setup: Setup, counted: Counted, progress: Progress) -> tuple[Tile, ...]:
    """Return the four headline numbers."""
    settings, scale, moments = setup.settings, setup.agents.scale, counted.moments[setup.settings.iterations - 1]
    stamp = NOTHING_PROMISED if counted.noiseless else ""
    if counted.noiseless:
        tighter = "no noise, no guarantee"
    elif counted.exact is None:
        tighter = "as the paper counts; the exact count is under way"
    else:
        tighter = f"counted exactly; the paper counts {epsilon_text(moments)}"
    private = progress.band("DP-FTS-DE", "clipped")
    clipped = ratio = saved = "…"
    sure = f"± … over tuning alone, rounds 1–{setup.early}"
    if private is not None:
        signal, noise = (progress.band("DP-FTS-DE", measure) for measure in ("signal", "noise"))
        assert signal is not None
        assert noise is not None
        clipped = f"{100 * private.mean.mean():.0f} %"
        ratio = f"{noise.mean.mean() / max(signal.mean.mean(), 1e-12):.2f} to 1"
    if progress.runs > 1:
        gain = progress.saved("DP-FTS-DE", "TS", setup.early)
        error = float(gain.standard_error[0]) * scale
        saved = to_its_error(float(gain.mean[0]) * scale, error, signed=True) + f" {setup.agents.in_unit}"
        sure = f"± {to_its_error(error, error)} over tuning alone, rounds 1–{setup.early}"
    limit = settings.S / math.sqrt(settings.P)
    return (
        Tile(
            f"Privacy loss ε after {settings.iterations} rounds",
            epsilon_text(counted.exact or moments),
            tighter,
            "share",
            stamp,
        ),
        Tile("Vectors clipped", clipped, f"longer than S/√P = {limit:.3g}", "curator"),
        Tile("Noise against signal", ratio, "mean lengths", "curator"),
        Tile("Regret saved by sharing", saved, sure, "simulation"),
    )


def privacy(setup: Setup, counted: Counted, top: float) -> Figure:
    """Return ε over the rounds, by all accountants that have counted so far."""
    T = setup.settings.iterations
    now = epsilon_text(counted.moments[T - 1])
    alt = f"ε over the rounds; after {T} rounds {now} by moments."
    return Figure("privacy", privacy_finding(setup, counted), privacy_picture(counted, T, top), alt)


def privacy_finding(setup: Setup, counted: Counted) -> Finding:
    """Return the title of the privacy figure: what the paper claims, and what the noise is worth or saves."""
    T, P = setup.settings.iterations, setup.settings.P
    now = epsilon_text(counted.moments[T - 1])
    if counted.noiseless:
        return Finding("Without noise there is no guarantee: ε = ∞", "refuted", "Move z above 0.", NOTHING_PROMISED)
    if counted.exact is None or counted.by_losses is None:
        title = f"{T} rounds cost ε = {now} at most, as the paper counts"
        return Finding(title, "share", "The exact count is under way.")
    exact, by_losses = epsilon_text(counted.exact), epsilon_text(counted.by_losses)
    if setup.less_noise:
        title = (
            f"Up to {most_saved(setup):.2g} times less noise at the ε = {now} that the paper claims after {T} rounds; "
            f"counted exactly, {exact}"
        )
        note = (
            f"This project’s calibration, not the paper’s: noise for one agent’s share of all {P} vectors together, √{P} "
            "times less while explorers dominate. Exactly: by loss distributions."
        )
        return Finding(title, "share", note)
    title = f"{T} rounds cost ε = {exact}, counted exactly; the paper claims {now}"
    if P == 1:
        note = "Exactly: by loss distributions. With one sub-region there is one vector, and the paper’s sensitivity is exact."
    else:
        note = f"One agent’s {P} vectors are counted as one. One by one, as in the paper: {by_losses}."
    return Finding(title, "share", note)


def privacy_top(moments: Sequence[float], steps: int, held: float | None) -> float:
    """Return the top of the ε axis. One that is held stays, unless the curve would leave it or vanish in it."""
    now = moments[steps - 1]
    if not math.isfinite(now):
        return held or 10.0
    needed = nice(1.25 * now)
    if held is None or now > held or now < 0.08 * held:
        return needed
    return held


def privacy_picture(counted: Counted, steps: int, top: float) -> Picture:
    """Draw ε over the rounds. The tighter accountants are dimmed while they are those of an earlier setting."""
    moments, fresh = counted.moments, counted.fresh
    picture = Picture(margin=MARGIN)
    picture.axis("xaxis", "rounds t", range=[0, len(moments)])
    picture.axis("yaxis", "privacy loss ε so far", range=[0, top])
    if counted.noiseless:
        picture.label(
            len(moments) / 2, top / 2, "ε = ∞ from the first round on: nothing hides an agent", TEXT,
            xanchor="center", font={"size": 15, "color": TEXT},
        )  # fmt: skip
        return picture
    x = [float(t) for t in range(1, len(moments) + 1)]
    picture.line(x, np.asarray(moments), PRIVATE.faded(0.3), width=2, hoverinfo="skip")
    picture.line(
        x[:steps], np.asarray(moments[:steps]), PRIVATE, name="moments",
        hovertemplate="moments: ε = %{y:.3g} after %{x} rounds",
    )  # fmt: skip
    ends: list[End] = []
    # Above the marker and to its left, where neither the curve nor what it may become passes, if there is room.
    beside = {"xanchor": "right", "yshift": 14} if steps > 18 else {"yshift": 22}
    picture.label(steps, moments[steps - 1], MEANINGS["moments"], PRIVATE, **beside)
    same = list(counted.tighter.get("pld", ())) == list(counted.tighter.get("exact", ()))
    for name, dash in (("rdp", "dash"), ("pld", "dot"), ("exact", "solid")):
        curve = counted.tighter.get(name)
        if curve is None:
            continue
        shade = MET if fresh else MET.faded(0.3)
        meaning = MEANINGS[name].replace("\n", " ")
        picture.line(
            x[: len(curve)], np.asarray(curve), shade, dash=dash, name=name,
            hovertemplate=f"{meaning}: ε = %{{y:.3g}} after %{{x}} rounds",
        )  # fmt: skip
        if fresh and not (same and name == "pld"):
            ends.append((curve[-1], MEANINGS[name], MET))
    for y, text, colour in spread_labels(ends, top * 0.085):
        if 0 <= y <= top:
            picture.label(steps, y, text, colour, xshift=8, align="left")
    picture.add(
        "scatter", x=[steps], y=[moments[steps - 1]], mode="markers",
        marker={"color": PRIVATE, "size": 11, "line": {"color": TEXT, "width": 1.5}},
        hovertemplate="now: ε = %{y:.3g} after %{x} rounds", name="now",
    )  # fmt: skip
    return picture


class LivePrivacy:
    """The privacy figure in its place: by moments at once, by the tighter accountants as they come, beside the script."""

    def __init__(self, setup: Setup, held: bool) -> None:
        self._setup, self._held = setup, held
        self._live = Live("federated privacy", "privacy", held=held)
        self._place = Place("privacy")
        moments = losses(replace(setup.settings, iterations=LONGEST), setup.N)
        # Not an axis of `Live`, which would stay where it is even if the curve left it.
        self._top = privacy_top(moments, setup.settings.iterations, self._live.before("top") if held else None)
        self._live.remember(top=self._top)
        self.counted = Counted(moments, self._live.before("tighter", {}))
        self.look(always=True)

    def look(self, always: bool = False) -> None:
        """Draw the figure if a tighter accountant has come since, or ``always``. While a thumb is held none is begun."""
        last, self.counted = self.counted, counted_more_tightly(self.counted, self._setup, begin=not self._held)
        if self.counted.fresh:
            self._live.remember(tighter=self.counted.tighter)
        if always or self.counted is not last:
            self._place.draw(privacy(self._setup, self.counted, self._top))

    def wait(self) -> None:
        """Wait for the tighter accountants, as long as patience lasts."""
        for _ in range(int(PATIENCE / 0.1)):
            if self.counted.complete:
                break
            wait(0.1)
            self.look()


def regret(
    setup: Setup, shown: Shown, now: Progress, *, before: Array | None, top: float | None, stopped: bool,
) -> Figure:  # fmt: skip
    """Return regret over the rounds for the algorithms, as far as they have got.

    ``before``: the superseded private curve, dimmed. ``top`` fixes the axis.
    """
    return Figure(
        "federated-regret",
        regret_finding(setup, shown, now, stopped),
        regret_picture(setup, shown.measure, now, before, top),
        f"Regret over the rounds of TS, FTS, FTS-DE, DP-FTS and DP-FTS-DE{', also with the paper’s noise' if setup.less_noise else ''}.",
    )


def regret_finding(setup: Setup, shown: Shown, now: Progress, stopped: bool) -> Finding:
    """Return the title of the regret figure: what sharing under privacy brings now."""
    runs = shown.runs
    done = f"{now.runs} of {runs} runs" if now.runs < runs else f"{runs} runs, bands ± 1 standard error"
    note = f"{done}{'; stopped' if stopped and now.runs < runs else ''}."
    if now.runs < 2:
        t = max((record.iterations for record in now.under_way.values()), default=0)
        title = (
            "Stopped before there was anything to compare" if stopped else f"The first rounds are coming in: t = {t}"
        )
        return Finding(title, "simulation", note)
    early = f"Title: rounds 1–{setup.early}."
    if setup.less_noise:
        less, size = _saved(setup, now, PAPERS_NOISE)
        alone, size_alone = _saved(setup, now, "TS")
        against = f"Against tuning alone private sharing {_saves(alone.mean) if alone.clear else 'has no clear gain:'} {size_alone}."
        if not less.clear:
            title = f"Less noise at the same ε has no clear effect ({size})"
        else:
            title = f"Less noise at the same ε {_saves(less.mean)} {size} against the paper’s noise"
        return Finding(title, "simulation", f"{note} {early} {against}")
    gain, size = _saved(setup, now, "TS")
    stamp = NOTHING_PROMISED if setup.settings.z == 0 else ""
    sharing = "Sharing without noise" if stamp else "Private sharing"
    if not gain.clear:
        title = f"No clear gain over tuning alone ({size})"
    else:
        title = f"{sharing} {_saves(gain.mean)} {size} against tuning alone"
    return Finding(title, "simulation", f"{note} {early}", stamp)


def _saved(setup: Setup, now: Progress, over: str) -> tuple[Saving, str]:
    """Return how much less early regret DP-FTS-DE has than another algorithm, and that in words.

    Words without a sign where it is clear: where its 95 % interval leaves out 0.
    """
    gain = saving(now, "DP-FTS-DE", over, setup.early).times(setup.agents.scale)
    mean, error = gain.mean, gain.standard_error
    written = to_its_error(abs(mean) if gain.clear else mean, error, signed=not gain.clear)
    return gain, f"{written} ± {to_its_error(error, error)} {setup.agents.in_unit}"


def _saves(mean: float) -> str:
    return "saves" if mean > 0 else "costs"


def private_regret(setup: Setup, measure: Measure, now: Progress) -> Array | None:
    """Return the curve of DP-FTS-DE as far as there is one."""
    found = now.band("DP-FTS-DE", measure)
    return None if found is None else found.mean * setup.agents.scale


def regret_top(setup: Setup, measure: Measure, now: Progress) -> float:
    """Return the top of the regret axis: the highest of all curves."""
    curves = [band for name in now.finished if (band := now.band(name, measure)) is not None]
    highest = max((float(band.mean.max()) for band in curves), default=1.0)
    return max(1.08 * setup.agents.scale * highest, 1e-6)


def regret_picture(setup: Setup, measure: Measure, now: Progress, before: Array | None, top: float | None) -> Picture:
    """Draw regret over the rounds; `regret` says what ``before`` and ``top`` are."""
    scale = setup.agents.scale
    picture = Picture(margin=MARGIN)
    if before is not None:
        x = [float(t) for t in range(1, len(before) + 1)]
        picture.line(x, before, PRIVATE.faded(0.35), hoverinfo="skip")
    ends: list[End] = []
    for name in ORDER:
        curve = now.band(name, measure) if name in now.finished else None
        if curve is None:
            continue
        curve = Band(curve.mean * scale, curve.standard_error * scale, curve.runs)
        x = [float(t) for t in range(1, len(curve.mean) + 1)]
        colour = colour_of(name)
        picture.band(x, curve, colour, DASHES[name], name)
        ends.append((float(curve.mean[-1]), f"{SAMPLES[DASHES[name]]} {LABELS.get(name, name)}", colour))
    top = top or regret_top(setup, measure, now)
    for y, name, colour in spread_labels(ends, top * 0.085):
        picture.label(1, min(y, top), name, colour, xref="paper", xshift=4)
    kind = "simple regret" if measure == "simple" else "cumulative regret"
    picture.axis("xaxis", "rounds t", range=[1, max(setup.settings.iterations, 2)])
    picture.axis("yaxis", f"{kind}, mean over agents ({setup.agents.unit})", range=[-0.02 * top, top])
    return picture


def colour_of(name: str) -> Colour:
    """Return the colour of an algorithm: private ones blue, sharing without privacy near-black, alone grey."""
    if name == "TS":
        return RANDOM
    return PRIVATE if name.startswith("DP") else NON_PRIVATE
