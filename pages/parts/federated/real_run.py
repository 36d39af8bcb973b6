"""The tab that opens the ledger of a real run: what a server between machines has counted, shown like a simulation."""

import math
from collections.abc import Sequence
from functools import partial

import numpy as np
import streamlit as st

from pages.parts.export.record import offer_record
from pages.parts.federated.figures import MARGIN, Curve, quantities, rounds
from pages.parts.shell.session import OWN, own_file, read_once
from pages.parts.views.content import prose
from pages.parts.views.drawing import Place, note, show
from pages.parts.views.picture import NON_PRIVATE, PRIVATE, RANDOM, Colour, Picture, nice
from pages.parts.views.text import as_markdown, epsilon_text, minus, scientific, unmarked
from pages.parts.views.views import Figure, Finding
from privbo_core.bo import Band
from privbo_core.deployment import federated
from privbo_core.errors import Array
from privbo_core.federated.flower import Count, Run, read_ledger

LARGEST = 20  # Megabytes that a ledger may have.
LONGEST_NAME = 40
_OPENED, _READ, _REFUSED = (f"{OWN}federated ledger {name}" for name in ("opened", "read", "refused"))


def show_real_run() -> None:
    st.markdown(prose("federated", "a real run"))
    runs = _open()
    if runs is None:
        return
    counts = [count for run in runs for count in run.counts]
    if not counts:
        st.info("Nothing has been broadcast in this run yet.")
        return
    left, right = st.columns(2, gap="medium")
    with left:
        Place("real-privacy").draw(privacy_figure(runs[-1], counts))
        Place("real-noise").draw(noise_figure(counts))
    with right:
        Place("real-agents").draw(agents_figure(runs[-1].agents, counts))
        if any(count.regret is not None for count in counts):
            Place("real-regret").draw(regret_figure(counts))
        else:
            note("No agent chose to publish its regret, so none is shown. Nobody can work it out from the rest.")
    show(promised(runs[-1], counts[-1]))
    note(prose("federated", "what may be published of a run"))
    if math.isfinite(counts[-1].epsilon):
        offer_record(partial(federated, runs, "Tuned together"), "tuned-together")


def _open() -> tuple[Run, ...] | None:
    """Show the place for a ledger; return the runs of the one in it, or of the last that could be read."""
    state = st.session_state
    file = own_file(
        "The ledger of a run (ledger.jsonl)",
        ["jsonl", "json"],
        "federated ledger file",
        max_upload_size=LARGEST,
        help="It stays in this session’s memory: not written to disk, not shared.",
    )
    runs, fault = read_once(file, _READ, lambda file: read_ledger(file.getvalue()))
    if runs is not None:
        state[_OPENED] = runs
    if runs is not None or fault:
        state[_REFUSED] = fault
    if state.get(_REFUSED):
        st.error(as_markdown(state[_REFUSED]), icon=":material/error:")
    opened: tuple[Run, ...] | None = state.get(_OPENED)
    return opened


def privacy_figure(last: Run, counts: Sequence[Count]) -> Figure:
    budget, spent = last.budget, [count.epsilon for count in counts]
    broadcasts = "1 broadcast" if len(counts) == 1 else f"{len(counts):,} broadcasts"
    picture, top = Picture(margin=MARGIN), 10.0
    picture.axis("xaxis", "broadcasts", range=[0, max(len(counts), 2)])
    picture.axis("yaxis", "privacy loss ε so far", range=[0, top])
    if math.isinf(spent[-1]):
        title = f"{broadcasts} without noise: nothing hides an agent, ε = ∞"
        return Figure("real-privacy", Finding(title, "refuted"), picture, "No guarantee.")
    limit = "" if math.isinf(budget) else f" of a budget of {epsilon_text(budget)}"
    title = f"{broadcasts} cost ε = {epsilon_text(spent[-1])}{limit}, at δ = {scientific(last.delta)}"
    why = {"budget": "The server stopped before the next one.", "done": "The run is over.", "": "The run is not over."}
    finding = Finding(title, "share", f"{why[last.end]} Counted exactly, by loss distributions.")
    picture.line(rounds(spent), spent, PRIVATE, name="ε", hovertemplate="ε = %{y:.3g} after %{x} broadcasts")
    top = nice(1.15 * max(spent[-1], budget if math.isfinite(budget) else 0.0))
    if math.isfinite(budget):
        picture.level(budget, RANDOM)
        picture.label(1, budget, "budget", RANDOM, xref="paper", xshift=4)
    picture.axis("yaxis", range=[0, top])
    return Figure("real-privacy", finding, picture, f"ε over the broadcasts; {epsilon_text(spent[-1])} in the end.")


def agents_figure(everybody: int, counts: Sequence[Count]) -> Figure:
    curves = [
        _curve(counts, "answered", everybody, PRIVATE, "solid"),
        _curve(counts, "selected", everybody, NON_PRIVATE, "dash"),
        _curve(counts, "clipped", 1, RANDOM, "dot"),
    ]
    answered, selected, clipped = (f"{100 * curve.band.mean.mean():.0f} %" for curve in curves)
    title = (
        f"{answered} of {everybody:,} agents answered, {selected} were selected, {clipped} of the vectors were clipped"
    )
    garbage = sum(count.garbage for count in counts)
    beside = f"{garbage:,} answers were no use. " if garbage else ""
    text = f"{beside}Whoever was late or gone is counted as if it had taken part: ε does not get smaller by it."
    picture = quantities(curves, "%", True)
    return Figure("real-agents", Finding(title, "curator", text), picture, "Shares of agents over the broadcasts.")


def noise_figure(counts: Sequence[Count]) -> Figure:
    curves = [_curve(counts, "signal", 1, NON_PRIVATE, "dash"), _curve(counts, "noise", 1, PRIVATE, "solid")]
    signal, noise = (curve.band.mean for curve in curves)
    title = f"The noise is {noise.mean() / max(signal.mean(), 1e-12):.2g} times as long as the signal"
    finding = Finding(title if signal.any() else "Noise alone was sent", "curator")
    alt = "Length of the signal and of the noise over the broadcasts."
    return Figure("real-noise", finding, quantities(curves, "length of what is sent", False), alt)


def regret_figure(counts: Sequence[Count]) -> Figure:
    values = {float(t): count.regret for t, count in enumerate(counts, start=1) if count.regret is not None}
    written = [minus(f"{value:.3g}") for value in values.values()]
    most = max(count.published for count in counts if count.regret is not None)
    title = f"Published regret: {written[0]} at first, {written[-1]} in the end"
    who = "One agent" if most == 1 else f"The mean of up to {most:,} agents"
    text = f"{who} that chose to publish it: the best outcome that there can be, less what it got."
    picture, hover = Picture(margin=MARGIN), "regret %{y:.3g} after %{x}"
    picture.line(list(values), list(values.values()), PRIVATE, name="regret", hovertemplate=hover)
    picture.axis("xaxis", "broadcasts", range=[0, max(len(counts), 2)])
    picture.axis("yaxis", "mean regret of a round")
    return Figure("real-regret", Finding(title, "told", text), picture, "Mean published regret over the broadcasts.")


def promised(run: Run, last: Count) -> Finding:
    pairs = zip(run.names, last.promised, strict=False)
    setting = ", ".join(f"{unmarked(name[:LONGEST_NAME])} = {minus(f'{value:.4g}')}" for name, value in pairs)
    note = "It follows from what was broadcast, so it costs no more privacy. Where noise drowns the signal it may be "
    return Finding(f"The last broadcast promises most at {setting}", "share", f"{note}chance.")


def _curve(counts: Sequence[Count], name: str, whole: float, colour: Colour, dash: str) -> Curve:
    mean: Array = np.asarray([getattr(count, name) for count in counts], dtype=float) / whole
    return Curve(name, Band(mean, np.zeros_like(mean), 1), colour, dash)
