"""What Trade-off asks about Federated: ε set by the noise z, or by the rate q of taking part."""

from collections.abc import Mapping
from dataclasses import replace

import streamlit as st

from pages.parts.export.script import arguments
from pages.parts.federated.agents import Agents, pick_agents
from pages.parts.federated.script import agents_lines
from pages.parts.federated.setup import sliders, starting
from pages.parts.live.meaning import show_meaning
from pages.parts.live.sliders import Slider, read_controls, start_from
from pages.parts.shell.address import choose
from pages.parts.system.question import (
    Inquiry,
    Lines,
    Measure,
    Stroke,
    Unit,
    panel_key,
    range_of,
    shared_sliders,
    steps_slider,
)
from privbo_core.experiments.cluster.question import federated_recipe
from privbo_core.federated import Sensitivity, Settings, guarantee
from privbo_core.privacy import Method
from privbo_core.tradeoff import federated_question

TASK = "Federated"
ACCOUNTANTS: dict[str, tuple[Method, Sensitivity, str]] = {
    "Moments": ("moments", "paper", "by moments"),
    "Rényi": ("rdp", "paper", "by Rényi"),
    "Loss distributions": ("pld", "paper", "by loss distributions"),
    "Exact (this project’s)": ("pld", "exact", "exactly, which is this project’s calibration"),
}
"""How ε can be counted: the accountant, whose sensitivity, and how that is said."""
HETEROGENEITY = 0.1
A = 15.0


def question(measure: Measure) -> Inquiry:
    """Show the pickers, read the sliders, and return what is asked."""
    agents = pick_agents()
    accountant = choose(st.selectbox, "ε counted by", list(ACCOUNTANTS), default="Moments", key="tradeoff_accountant")
    method, sensitivity, counted = ACCOUNTANTS[accountant]
    first = agents.first
    start = starting(agents)
    panel = _panel(agents)
    start_from(panel_key(TASK), panel)
    controls = read_controls(panel_key(TASK), panel)
    low, high = range_of(controls)
    N, T = controls.whole("N"), controls.whole("T")
    P = max(cut for cut in agents.cuts if cut <= min(N, start.P))
    settings = Settings(
        first.kernel,
        first.noise_variance,
        T,
        agents.initial,
        start.features,
        q=controls["q"],
        z=controls["z"],
        S=start.S,
        P=P,
        a=A,
        decay=agents.decay,
    )
    simulation = agents.simulation(HETEROGENEITY)
    how = {"measure": measure, "method": method, "sensitivity": sensitivity}
    return Inquiry(
        task=TASK,
        question=federated_question(simulation, settings, N, measure=measure, method=method, sensitivity=sensitivity),
        of=(simulation, measure, settings, N, accountant, controls.whole("runs"), low, high),
        panel=panel,
        controls=controls,
        low=low,
        high=high,
        size=float(first.objectives.std(axis=1).mean()),
        summed=T if measure == "cumulative" else None,
        units=(Unit(agents.in_unit, float, float),),
        cost_is=f"simple regret after {T} rounds" if measure == "simple" else f"regret summed over {T} rounds",
        epsilon_is=f"ε after {T} rounds, counted {counted}",
        relation=f"One agent takes part in the whole run, or stays away. δ = N^−1.1 = {N**-1.1:.3g}.",
        data=first.title,
        own=agents.columns is not None,
        lines=lambda: question_lines(agents, settings, N, how),
        show_meaning=lambda epsilon: show_meaning(
            guarantee(settings, N, method, sensitivity, problem=first, counted=epsilon), "that an agent took part"
        ),
        strokes={"by rate q": Stroke("dash", "square")},
        recipe=federated_recipe(
            agents.drawn(HETEROGENEITY), settings, N, measure=measure, method=method, sensitivity=sensitivity
        ),
        remarks=(f"S = {start.S:g}, P = {P}, M = {start.features}, a = {A:g}, where the Federated page starts.",),
    )


def question_lines(agents: Agents, settings: Settings, N: int, how: Mapping[str, str]) -> Lines:
    """Return what makes the question in a script; ``how``: what is measured and how ε is counted."""
    lines = [
        *agents_lines(agents, HETEROGENEITY, settings),
        f"question = federated_question(simulation, settings, {N}, {arguments(how)})",
    ]
    return [
        "from privbo_core.federated import Settings, Simulation",
        "from privbo_core.tradeoff import federated_question, measure, settle, sweep",
    ], lines


def _panel(agents: Agents) -> list[Slider]:
    """Return the page's own sliders for what stays while ε is swept: z while q varies, and q while z does."""
    known = {slider.key: slider for slider in sliders(agents)}
    z = replace(known["z"], label="z, while q varies", min=0.3, max=8, step=0.01, log=True)
    return [
        z,
        replace(known["q"], label="q, while z varies"),
        known["N"],
        steps_slider("T, rounds", 100, agents.start.iterations if agents.start else 10),
        *shared_sliders(0.1, 100, 10, 40),
    ]
