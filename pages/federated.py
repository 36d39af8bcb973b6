"""Federated: many agents tune together through a server, and nobody's participation shows (DP-FTS-DE)."""

import math
import time
from contextlib import closing

import streamlit as st

from pages.parts.controls.live_sliders import Slider, read_controls, show_sliders
from pages.parts.federated import details as federated_details
from pages.parts.federated import figures as federated_figures
from pages.parts.federated.agents import MOST_AGENTS, Agents, pick_agents
from pages.parts.federated.words import (
    EARLY,
    epsilon_text,
    exact,
    headline,
    more_cautions,
    privacy_finding,
    regret_finding,
)
from pages.parts.frame.address import choose
from pages.parts.frame.pace import give_way, wait
from pages.parts.front_door import come_in
from pages.parts.show.card import guarantee_card
from pages.parts.show.chart import Chart
from pages.parts.show.look import apply_style
from pages.parts.show.meaning import show_meaning
from pages.parts.take_away import script as scripts
from pages.parts.take_away.offer import take_away
from pages.parts.take_away.report import About
from privbo_core.federated import Progress, Settings, cautions, guarantee, losses, possible_sub_regions, variants
from privbo_core.federated.simulation import Measure
from privbo_core.privacy import epsilon

REDRAW = 0.25  # seconds between two pictures of a curve that is still being computed
RESTING = 0.4  # seconds after which a thumb that is still held counts as resting
HELD = 30.0  # seconds for which the rest of the page waits for a held thumb
LONGEST = 100  # rounds on the axis of the privacy figure
SHOWN_MEASURES: tuple[Measure, ...] = ("simple", "cumulative")
FIRST = ("DP-FTS-DE", "TS", "FTS-DE", "DP-FTS", "FTS")  # in the order in which they are computed


def sliders(agents: Agents, possible: tuple[int, ...]) -> list[Slider]:
    """Return the page's sliders. P takes only what the grid can be cut into, N what agents there are."""
    most = MOST_AGENTS if agents.heterogeneous else len(agents.first.agents)
    panel = [
        Slider("z", "z, noise multiplier", 0, 4, 1, "more useful", "more private",
               "The server’s noise, as a multiple of what one agent can contribute.", step=0.05),
        Slider("q", "q, rate of taking part", 0.01, 1, 0.25, "more private", "more useful",
               "In each round, each agent is drawn with this probability.", step=0.01, log=True),
        Slider("S", "S, clipping threshold", 1, 60, 11, "clips more", "more noise",
               "Vectors longer than S/√P are shortened. No effect on ε.", step=0.01, log=True),
        Slider("P", "P, sub-regions", 1, possible[-1], min(2, possible[-1]), "one vector for all", "a vector each",
               "The domain is cut into P boxes; each agent starts in one. P is 1, 2, 4, 8, …",
               step=math.log(2), log=True, whole=True, allowed=possible),
        Slider("N", "N, agents", 2, most, min(200, most), "fewer", "more",
               "The first N agents take part; δ = N^−1.1.", step=0.01, log=True, whole=True),
        Slider("M", "M, features", 5, 200, 50, "coarser, shorter vectors", "finer, longer",
               "Length of the vectors that agents send: random Fourier features.", whole=True),
        Slider("T", "T, rounds", 2, LONGEST, 40, "more private", "more evaluations",
               "Each round, each agent evaluates once and may be drawn once.", whole=True),
        Slider("a", "a, weight of explorers", 0.5, 30, 15, "all count alike", "explorers count most",
               "How much more those count in a sub-region who started there.", step=0.5),
    ]  # fmt: skip
    if agents.heterogeneous:
        panel.append(Slider("h", "h, heterogeneity", 0, 1, 0.1, "agents alike", "strangers",
                            "Two agents’ objectives are correlated by 1 − h².", step=0.05))  # fmt: skip
    return panel


come_in()
colours = apply_style()
left, right = st.columns([1, 3.6], gap="medium")
with left:
    st.html("<h1 style='font-size:1.25rem;padding:0;margin:0'>Federated optimisation</h1>")
    agents = pick_agents()
    panel_place = st.container(key="controls")
possible = possible_sub_regions(agents.first.points, agents.initial)
panel = sliders(agents, possible)
controls = read_controls("federated", panel)
N, T, scale, unit = controls.whole("N"), controls.whole("T"), agents.scale, agents.unit
simulation = agents.simulation(controls["h"] if agents.heterogeneous else 0.0)
P = max(cut for cut in possible if cut <= min(N, controls.whole("P")))
settings = Settings(
    agents.first.kernel, agents.first.noise_variance, T, agents.initial, controls.whole("M"), q=controls["q"],
    z=controls["z"], S=controls["S"], P=P, a=controls["a"], decay=agents.decay,
)  # fmt: skip
algorithms = {name: variants(settings)[name] for name in FIRST}
memory = st.session_state.setdefault("federated/curve", {})
moments = losses(Settings(**(vars(settings) | {"iterations": LONGEST})), N)
memory["epsilon top"] = federated_figures.privacy_top(
    moments, T, memory.get("epsilon top") if controls.dragging else None
)

with right:
    tiles_place = st.empty()
    privacy_place, regret_place = st.columns(2, gap="medium")
    with privacy_place:
        privacy_title, privacy_chart = st.empty(), Chart("privacy")


def draw_privacy() -> bool:
    """Draw ε over the rounds; return whether all three accountants are there. The slow two are never waited for."""
    found = None if math.isinf(moments[0]) else exact(settings, N, begin=not controls.dragging)
    if found is not None:
        memory["exact"] = found
    shown = None if math.isinf(moments[0]) else memory.get("exact")
    privacy_title.html(privacy_finding(settings, moments[T - 1], found))
    curves = {"rdp": shown.rdp, "pld": shown.pld} if shown else {}
    picture = federated_figures.privacy(moments, T, curves, found is not None, memory["epsilon top"], colours)
    privacy_chart.draw(picture, f"ε over the rounds; after {T} rounds {epsilon_text(moments[T - 1])} by moments.")
    memory["exact now"] = found
    return found is not None or math.isinf(moments[0])


all_counted = draw_privacy()
progress = simulation.finished(algorithms, N, 1)
tiles_place.html(headline(settings, moments[T - 1], memory["exact now"], progress, scale, agents.in_unit))
with panel_place:
    # Only now, so that the panel sends its next change after the picture above has been sent.
    show_sliders("federated", panel, controls)
with regret_place:
    title_place, regret_chart = st.empty(), Chart("federated-regret")
    which, many, stop_place = st.columns([1.2, 1.6, 0.5])
    measure: Measure = choose(which.segmented_control, "Regret", SHOWN_MEASURES, key="federated_measure",
                              required=True, label_visibility="collapsed")  # fmt: skip
    runs = int(choose(many.segmented_control, "Runs", ["5", "10", "40"], default="10", key="federated_runs", required=True,
                      format_func=lambda count: f"{count} runs", label_visibility="collapsed"))  # fmt: skip
with panel_place:
    take_away(
        About(
            "Federated optimisation",
            agents.first.title,
            agents.columns is not None,
            (),
            (("Runs", str(runs)), ("Regret", measure)),
        ),
        lambda: scripts.federated(agents, controls.values.get("h", 0.0), settings, N, runs, measure),
    )
with right:
    remarks = [*cautions(settings, N), *more_cautions(settings, N, controls.whole("P"), agents)]
    if remarks:
        st.warning("  \n".join(remarks))
    card = guarantee(settings, N)
    st.html(guarantee_card(card, "that an agent took part", "Holds if"))
    show_meaning(
        card,
        "that an agent took part",
        colours,
        together=lambda times: epsilon(settings.q, settings.z, T * times, card.delta),
    )

asked = (agents.name, round(controls["h"], 2) if agents.heterogeneous else 0, settings, N, runs)
stopped = st.session_state.get("federated/stopped") == asked
same = memory.get("of") == (agents.name, measure)
held_top = memory.get("top") if controls.dragging and same else None
early, drawn, last = min(EARLY, T), 0.0, None
stop_place = stop_place.empty()
if stopped:
    stop_place.button("Go on", on_click=st.session_state.pop, args=("federated/stopped", None), key="federated_go")
else:
    stop_place.button(
        "Stop", on_click=st.session_state.update, args=({"federated/stopped": asked},), key="federated_stop"
    )


def draw_regret(progress: Progress, whole: bool) -> None:
    """Draw what there is of the regret curves, and what follows from it."""
    before = memory.get("private") if same and not whole and progress.runs < 2 else None
    chart = federated_figures.regret(progress, before, measure, T, held_top, scale, unit, colours)
    title_place.html(regret_finding(progress, runs, early, stopped, scale, agents.in_unit))
    regret_chart.draw(chart, "Regret over the rounds of TS, FTS, FTS-DE, DP-FTS and DP-FTS-DE.")
    tiles_place.html(headline(settings, moments[T - 1], memory["exact now"], progress, scale, agents.in_unit))


progress = simulation.finished(algorithms, N, runs)
draw_regret(progress, whole=stopped)
if controls.dragging:
    wait(RESTING)
if not stopped and progress.runs < runs:
    with closing(simulation.compare(algorithms, N, runs)) as stream:
        for progress in stream:
            give_way()
            if time.perf_counter() - drawn > REDRAW:
                drawn = time.perf_counter()
                all_counted = all_counted or draw_privacy()
                draw_regret(progress, whole=False)
    draw_regret(progress, whole=True)
own = progress.band("DP-FTS-DE", measure)
memory.update(of=(agents.name, measure), private=None if own is None else own.mean * scale)
if controls.dragging:
    # What lies below stays as it is until the thumb is let go; to finish the script now would take it off the page.
    wait(HELD)
memory["top"] = federated_figures.regret_top(progress, measure, scale)
federated_details.show_details(agents, simulation, settings, N, runs, progress, stopped, colours)
if progress.runs == runs:
    stop_place.empty()
for _ in range(200):  # some twenty seconds; at the far end of the settings the tighter accountants give up
    if all_counted:
        break
    wait(0.1)
    all_counted = draw_privacy()
tiles_place.html(headline(settings, moments[T - 1], memory["exact now"], progress, scale, agents.in_unit))
