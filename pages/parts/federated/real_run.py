"""The tab that opens the ledger of a real run: what a server between machines has counted, shown like a simulation."""

import math
from dataclasses import dataclass
from functools import partial

import numpy as np
import streamlit as st

from pages.parts.export.record import offer_record
from pages.parts.federated.figures import MARGIN, Curve, quantities, rounds
from pages.parts.shell.session import OWN, attended, own_file
from pages.parts.views.content import prose
from pages.parts.views.drawing import Place, note, show
from pages.parts.views.picture import NON_PRIVATE, PRIVATE, RANDOM, Colour, Picture, nice
from pages.parts.views.text import as_markdown, epsilon_text, minus, scientific, unmarked
from pages.parts.views.views import Figure, Finding
from privbo_core.bo import Band
from privbo_core.deployment import federated
from privbo_core.errors import Array, DataError
from privbo_core.federated.flower import Count, Run, read_ledger

LARGEST = 20
"""Megabytes that a ledger may have."""
LONGEST_NAME = 40
_OPENED, _READ, _REFUSED = (f"{OWN}federated ledger {name}" for name in ("opened", "read", "refused"))


@dataclass(frozen=True)
class Opened:
    """The runs of a ledger, as one row of broadcasts."""

    runs: tuple[Run, ...]

    @property
    def last(self) -> Run:
        return self.runs[-1]

    @property
    def counts(self) -> tuple[Count, ...]:
        return tuple(count for run in self.runs for count in run.counts)


def show_real_run() -> None:
    st.markdown(prose("federated", "a real run"))
    opened = _open()
    if opened is None:
        return
    if not opened.counts:
        st.info("Nothing has been broadcast in this run yet.")
        return
    left, right = st.columns(2, gap="medium")
    with left:
        Place("real-privacy").draw(privacy_figure(opened))
        Place("real-noise").draw(noise_figure(opened))
    with right:
        Place("real-agents").draw(agents_figure(opened))
        if any(count.regret is not None for count in opened.counts):
            Place("real-regret").draw(regret_figure(opened))
        else:
            note("No agent chose to publish its regret, so none is shown. Nobody can work it out from the rest.")
    show(promised(opened))
    note(prose("federated", "what may be published of a run"))
    if math.isfinite(opened.counts[-1].epsilon):
        offer_record(partial(federated, opened.runs, "Tuned together"), "tuned-together")


def _open() -> Opened | None:
    """Show the place for a ledger; return the one in it, or the last that could be read."""
    state = st.session_state
    file = own_file(
        "The ledger of a run (ledger.jsonl)",
        ["jsonl", "json"],
        "federated ledger file",
        max_upload_size=LARGEST,
        help="It stays in this session’s memory: not written to disk, not shared.",
    )
    if file is not None and state.get(_READ) != file.file_id:
        try:
            with attended():
                state[_OPENED] = Opened(read_ledger(file.getvalue()))
            state.pop(_REFUSED, None)
        except DataError as fault:
            state[_REFUSED] = str(fault)
        state[_READ] = file.file_id
    if _REFUSED in state:
        st.error(as_markdown(state[_REFUSED]), icon=":material/error:")
    opened: Opened | None = state.get(_OPENED)
    return opened


def privacy_figure(opened: Opened) -> Figure:
    counts, budget = opened.counts, opened.last.budget
    spent = [count.epsilon for count in counts]
    broadcasts = "1 broadcast" if len(counts) == 1 else f"{len(counts):,} broadcasts"
    picture, top = Picture(margin=MARGIN), 10.0
    picture.axis("xaxis", "broadcasts", range=[0, max(len(counts), 2)])
    picture.axis("yaxis", "privacy loss ε so far", range=[0, top])
    if math.isinf(spent[-1]):
        title = f"{broadcasts} without noise: nothing hides an agent, ε = ∞"
        return Figure("real-privacy", Finding(title, "refuted"), picture, "No guarantee.")
    limit = "" if math.isinf(budget) else f" of a budget of {epsilon_text(budget)}"
    title = f"{broadcasts} cost ε = {epsilon_text(spent[-1])}{limit}, at δ = {scientific(opened.last.delta)}"
    why = {"budget": "The server stopped before the next one.", "done": "The run is over.", "": "The run is not over."}
    finding = Finding(title, "share", f"{why[opened.last.end]} Counted exactly, by loss distributions.")
    picture.line(rounds(spent), spent, PRIVATE, name="ε", hovertemplate="ε = %{y:.3g} after %{x} broadcasts")
    top = nice(1.15 * max(spent[-1], budget if math.isfinite(budget) else 0.0))
    if math.isfinite(budget):
        picture.level(budget, RANDOM)
        picture.label(1, budget, "budget", RANDOM, xref="paper", xshift=4)
    picture.axis("yaxis", range=[0, top])
    return Figure("real-privacy", finding, picture, f"ε over the broadcasts; {epsilon_text(spent[-1])} in the end.")


def agents_figure(opened: Opened) -> Figure:
    everybody = opened.last.agents
    curves = [
        _curve(opened, "answered", everybody, PRIVATE, "solid"),
        _curve(opened, "selected", everybody, NON_PRIVATE, "dash"),
        _curve(opened, "clipped", 1, RANDOM, "dot"),
    ]
    answered, selected, clipped = (f"{100 * curve.band.mean.mean():.0f} %" for curve in curves)
    title = (
        f"{answered} of {everybody:,} agents answered, {selected} were selected, {clipped} of the vectors were clipped"
    )
    garbage = sum(count.garbage for count in opened.counts)
    beside = f"{garbage:,} answers were no use. " if garbage else ""
    text = f"{beside}Whoever was late or gone is counted as if it had taken part: ε does not get smaller by it."
    picture = quantities(curves, "%", True)
    return Figure("real-agents", Finding(title, "curator", text), picture, "Shares of agents over the broadcasts.")


def noise_figure(opened: Opened) -> Figure:
    curves = [_curve(opened, "signal", 1, NON_PRIVATE, "dash"), _curve(opened, "noise", 1, PRIVATE, "solid")]
    signal, noise = (curve.band.mean for curve in curves)
    title = f"The noise is {noise.mean() / max(signal.mean(), 1e-12):.2g} times as long as the signal"
    finding = Finding(title if signal.any() else "Noise alone was sent", "curator")
    alt = "Length of the signal and of the noise over the broadcasts."
    return Figure("real-noise", finding, quantities(curves, "length of what is sent", False), alt)


def regret_figure(opened: Opened) -> Figure:
    published = [(t, count) for t, count in enumerate(opened.counts, start=1) if count.regret is not None]
    values = [count.regret for _, count in published if count.regret is not None]
    most = max(count.published for _, count in published)
    title = f"Published regret: {minus(f'{values[0]:.3g}')} at first, {minus(f'{values[-1]:.3g}')} in the end"
    who = "One agent" if most == 1 else f"The mean of up to {most:,} agents"
    text = f"{who} that chose to publish it: the best outcome that there can be, less what it got."
    picture, x = Picture(margin=MARGIN), [float(t) for t, _ in published]
    picture.line(x, values, PRIVATE, name="regret", hovertemplate="regret %{y:.3g} after %{x}")
    picture.axis("xaxis", "broadcasts", range=[0, max(len(opened.counts), 2)])
    picture.axis("yaxis", "mean regret of a round")
    return Figure("real-regret", Finding(title, "told", text), picture, "Mean published regret over the broadcasts.")


def promised(opened: Opened) -> Finding:
    pairs = zip(opened.last.names, opened.counts[-1].promised, strict=False)
    setting = ", ".join(f"{unmarked(name[:LONGEST_NAME])} = {minus(f'{value:.4g}')}" for name, value in pairs)
    note = "It follows from what was broadcast, so it costs no more privacy. Where noise drowns the signal it may be "
    return Finding(f"The last broadcast promises most at {setting}", "share", f"{note}chance.")


def _curve(opened: Opened, name: str, whole: float, colour: Colour, dash: str) -> Curve:
    mean: Array = np.asarray([getattr(count, name) for count in opened.counts], dtype=float) / whole
    return Curve(name, Band(mean, np.zeros_like(mean), 1), colour, dash)
