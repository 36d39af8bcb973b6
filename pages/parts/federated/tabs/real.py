"""The tab that opens the ledger of a real run: what a server between machines has counted, shown like a simulation."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import streamlit as st

from pages.parts.federated.figures import MARGIN
from pages.parts.federated.tabs.rounds import over_rounds
from pages.parts.frame.session import OWN, attended, own_file
from pages.parts.show.show import Place, note, show
from pages.parts.values.axes import nice
from pages.parts.values.numbers import epsilon_text, scientific
from pages.parts.values.palette import NON_PRIVATE, PRIVATE, RANDOM
from pages.parts.values.picture import Picture
from pages.parts.values.text import as_markdown, minus, unmarked
from pages.parts.values.views import Figure, Finding
from privbo_core.bo import Band
from privbo_core.errors import Array, DataError
from privbo_core.federated.flower import Count, Run, read_ledger

LARGEST = 20
"""Megabytes that a ledger may have."""
LONGEST_NAME = 40
_FOUND, _READ, _REFUSED = (f"{OWN}federated ledger {name}" for name in ("found", "read", "refused"))


@dataclass(frozen=True)
class Opened:
    """The runs of a ledger, as one row of broadcasts."""

    runs: tuple[Run, ...]

    @property
    def last(self) -> Run:
        """The terms of the run that is shown last."""
        return self.runs[-1]

    @property
    def counts(self) -> tuple[Count, ...]:
        """All broadcasts, of all runs."""
        return tuple(count for run in self.runs for count in run.counts)


def show_real_run() -> None:
    """Offer a place for a ledger, and show what is in it."""
    st.markdown(
        "Agents on different machines can do this for real: each keeps its data, and a server that adds real noise "
        "keeps a ledger. They talk through Flower; `docs/federated.md` in this project’s folder has the commands."
    )
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
    note(
        "May be published: ε, the noise, what was broadcast, and the setting that it promises most. Not the rest: how "
        "many answered can tell whether somebody was there. Who it was is not even in the ledger."
    )


def _open() -> Opened | None:
    """Show the place for a ledger; return the one in it, or the last that could be read."""
    state = st.session_state
    file = own_file(
        "The ledger of a run (ledger.jsonl)", ["jsonl", "json"], "federated ledger file",
        max_upload_size=LARGEST, help="It stays in this session’s memory: not written to disk, not shared.",
    )  # fmt: skip
    if file is not None and state.get(_READ) != file.file_id:
        try:
            with attended():
                state[_FOUND] = Opened(read_ledger(file.getvalue()))
            state.pop(_REFUSED, None)
        except DataError as fault:
            state[_REFUSED] = str(fault)
        state[_READ] = file.file_id
    if _REFUSED in state:
        st.error(as_markdown(state[_REFUSED]), icon=":material/error:")
    found: Opened | None = state.get(_FOUND)
    return found


def privacy_figure(opened: Opened) -> Figure:
    """Return ε over the broadcasts, and the budget."""
    counts, budget = opened.counts, opened.last.budget
    spent, rounds = [count.epsilon for count in counts], _broadcasts(len(counts))
    if math.isinf(spent[-1]):
        title, where = f"{rounds} without noise: nothing hides an agent, ε = ∞", "real-privacy"
        return Figure(where, Finding(title, "refuted"), _no_guarantee(len(counts)), "No guarantee.")
    limit = "" if math.isinf(budget) else f" of a budget of {epsilon_text(budget)}"
    title = f"{rounds} cost ε = {epsilon_text(spent[-1])}{limit}, at δ = {scientific(opened.last.delta)}"
    why = {"budget": "The server stopped before the next one.", "done": "The run is over.", "": "The run is not over."}
    found = Finding(title, "share", f"{why[opened.last.end]} Counted exactly, by loss distributions.")
    picture = Picture(margin=MARGIN)
    x = _numbers(len(spent))
    picture.line(x, spent, PRIVATE, name="ε", hovertemplate="ε = %{y:.3g} after %{x} broadcasts")
    top = nice(1.15 * max(spent[-1], budget if math.isfinite(budget) else 0.0))
    if math.isfinite(budget):
        picture.level(budget, RANDOM)
        picture.label(1, budget, "budget", RANDOM, xref="paper", xshift=4)
    picture.axis("xaxis", "broadcasts", range=[0, max(len(spent), 2)])
    picture.axis("yaxis", "privacy loss ε so far", range=[0, top])
    return Figure("real-privacy", found, picture, f"ε over the broadcasts; {epsilon_text(spent[-1])} in the end.")


def _no_guarantee(rounds: int) -> Picture:
    picture = Picture(margin=MARGIN)
    picture.axis("xaxis", "broadcasts", range=[0, max(rounds, 2)])
    picture.axis("yaxis", "privacy loss ε so far", range=[0, 10])
    return picture


def agents_figure(opened: Opened) -> Figure:
    """Return how many agents answered, were selected, and how many of the vectors were clipped."""
    counts, everybody = opened.counts, opened.last.agents
    answered, selected = (
        _band([getattr(count, name) for count in counts], everybody) for name in ("answered", "selected")
    )
    clipped = _band([count.clipped for count in counts], 1)
    garbage = sum(count.garbage for count in counts)
    title = (
        f"{100 * answered.mean.mean():.0f} % of {everybody:,} agents answered, {100 * selected.mean.mean():.0f} % were "
        f"selected, {100 * clipped.mean.mean():.0f} % of the vectors were clipped"
    )
    beside = f"{garbage:,} answers were no use. " if garbage else ""
    text = f"{beside}Whoever was late or gone is counted as if it had taken part: ε does not get smaller by it."
    curves = [
        ("answered", answered, PRIVATE, "solid"),
        ("selected", selected, NON_PRIVATE, "dash"),
        ("clipped", clipped, RANDOM, "dot"),
    ]
    picture = over_rounds(curves, "%", True)
    return Figure("real-agents", Finding(title, "curator", text), picture, "Shares of agents over the broadcasts.")


def noise_figure(opened: Opened) -> Figure:
    """Return how long the two parts of what was sent are."""
    signal, noise = (_band([getattr(count, name) for count in opened.counts], 1) for name in ("signal", "noise"))
    share = noise.mean.mean() / max(signal.mean.mean(), 1e-12)
    title = f"The noise is {share:.2g} times as long as the signal" if signal.mean.any() else "Noise alone was sent"
    curves = [("signal", signal, NON_PRIVATE, "dash"), ("noise", noise, PRIVATE, "solid")]
    alt = "Length of the signal and of the noise over the broadcasts."
    return Figure("real-noise", Finding(title, "curator"), over_rounds(curves, "length of what is sent", False), alt)


def regret_figure(opened: Opened) -> Figure:
    """Return the mean regret of the agents that chose to publish theirs."""
    told = [(t, count) for t, count in enumerate(opened.counts, start=1) if count.regret is not None]
    values = [count.regret for _, count in told if count.regret is not None]
    most = max(count.published for _, count in told)
    title = f"Published regret: {minus(f'{values[0]:.3g}')} at first, {minus(f'{values[-1]:.3g}')} in the end"
    who = "One agent" if most == 1 else f"The mean of up to {most:,} agents"
    text = f"{who} that chose to publish it: the best outcome that there can be, less what it got."
    picture = Picture(margin=MARGIN)
    picture.line(
        [float(t) for t, _ in told], values, PRIVATE, name="regret", hovertemplate="regret %{y:.3g} after %{x}"
    )
    picture.axis("xaxis", "broadcasts", range=[0, max(len(opened.counts), 2)])
    picture.axis("yaxis", "mean regret of a round")
    return Figure("real-regret", Finding(title, "told", text), picture, "Mean published regret over the broadcasts.")


def promised(opened: Opened) -> Finding:
    """Return the setting that the last broadcast promises most."""
    pairs = zip(opened.last.names, opened.counts[-1].promised, strict=False)
    setting = ", ".join(f"{unmarked(name[:LONGEST_NAME])} = {minus(f'{value:.4g}')}" for name, value in pairs)
    return Finding(
        f"The last broadcast promises most at {setting}",
        "share",
        "It follows from what was broadcast, so it costs no more privacy. Where noise drowns the signal it may be chance.",
    )


def _broadcasts(count: int) -> str:
    return "1 broadcast" if count == 1 else f"{count:,} broadcasts"


def _numbers(count: int) -> list[float]:
    return [float(t) for t in range(1, count + 1)]


def _band(values: Sequence[float], whole: float) -> Band:
    """Return what was counted, once, as a curve."""
    mean: Array = np.asarray(values, dtype=float) / whole
    return Band(mean, np.zeros_like(mean), 1)
