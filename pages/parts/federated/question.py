"""Other settings than the present one: regret against ε while one goes through a range, and which a wanted ε allows."""

from dataclasses import replace
from typing import Any

import streamlit as st

from pages.parts.export.offer import arguments
from pages.parts.federated.agents import pick_agents
from pages.parts.federated.script import agents_lines
from pages.parts.federated.setup import sliders, starting
from pages.parts.live.meaning import show_meaning
from pages.parts.live.sliders import read_controls, start_from
from pages.parts.shell.address import choose
from pages.parts.system.question import (
    Inquiry,
    Measure,
    Stroke,
    Unit,
    panel_key,
    range_of,
    shared_sliders,
    steps_slider,
)
from privbo_core.federated import Sensitivity, guarantee
from privbo_core.federated.simulation import EARLY
from privbo_core.privacy import Method
from privbo_core.tradeoff import federated_question

TASK = "Federated"
ACCOUNTANTS: dict[str, tuple[Method, Sensitivity, str]] = {
    "Exact (this project’s)": ("pld", "exact", "exactly"),
    "Moments (the paper’s)": ("moments", "paper", "by moments, as the paper does"),
    "Loss distributions": ("pld", "paper", "by loss distributions"),
}
"""How ε can be counted: the accountant, whose sensitivity, and how that is said."""
HETEROGENEITY = 0.1
A = 15.0


def question(measure: Measure) -> Inquiry:
    agents = pick_agents()
    accountant = choose(st.selectbox, "ε counted by", list(ACCOUNTANTS), key="tradeoff_accountant")
    method, sensitivity, counted = ACCOUNTANTS[accountant]
    first, start, known = agents.first, starting(agents), {slider.key: slider for slider in sliders(agents)}
    # The page's own sliders for what stays while ε is swept: z while q varies, and q while z does.
    panel = [
        replace(known["z"], label="z, while q varies", min=0.3, max=8, step=0.01, log=True),
        replace(known["q"], label="q, while z varies"),
        known["N"],
        steps_slider("T, rounds", 100, agents.start.iterations if agents.start else 10),
        *shared_sliders(0.1, 100, 10, 40),
    ]
    start_from(panel_key(TASK), panel)
    controls = read_controls(panel_key(TASK), panel)
    low, high = range_of(controls)
    N, T = controls.whole("N"), controls.whole("T")
    P = max(cut for cut in agents.cuts if cut <= min(N, start.P))
    settings = agents.settings(T, start.features, q=controls["q"], z=controls["z"], S=start.S, P=P, a=A)
    simulation, scale = agents.simulation(HETEROGENEITY), agents.in_words
    how: dict[str, Any] = {"measure": measure, "method": method, "sensitivity": sensitivity, "scale": scale}
    return Inquiry(
        task=TASK,
        question=federated_question(simulation, settings, N, **how),
        of=(simulation, measure, settings, N, accountant, controls.whole("runs"), low, high),
        panel=panel,
        controls=controls,
        low=low,
        high=high,
        size=scale * float(first.objectives.std(axis=1).mean()),
        summed=T if measure == "cumulative" else None,
        units=(Unit(agents.wording.unit),),
        cost_is={
            "early": f"regret in the first {min(EARLY, T)} rounds",
            "simple": f"simple regret after {T} rounds",
            "cumulative": f"regret summed over {T} rounds",
        }[measure],
        epsilon_is=f"ε after {T} rounds, counted {counted}",
        relation=f"One agent takes part in the whole run, or stays away. δ = N^−1.1 = {N**-1.1:.3g}.",
        data=first.title,
        own=agents.columns is not None,
        lines=lambda: (
            [
                "from privbo_core.federated import Settings, Simulation",
                "from privbo_core.tradeoff import federated_question, measure, settle, sweep",
            ],
            [
                *agents_lines(agents, HETEROGENEITY, settings),
                f"question = federated_question(simulation, settings, {N}, {arguments(how)})",
            ],
        ),
        show_meaning=lambda epsilon: show_meaning(
            guarantee(settings, N, method, sensitivity, problem=first, counted=epsilon), "that an agent took part"
        ),
        strokes={"by rate q": Stroke("dash", "square")},
        remarks=(f"S = {start.S:g}, P = {P}, M = {start.features}, a = {A:g}, where the Federated page starts.",),
    )
