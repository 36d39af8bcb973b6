"""Who neighbours are on the Outsourced page, in the data's own units, and what a guarantee means between them."""

import math

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from pages.parts.outsourced.sliders import Case
from pages.parts.show.card import guarantee_card
from pages.parts.show.meaning import show_meaning
from pages.parts.show.show import show
from pages.parts.values.numbers import scientific
from privbo_core.data import Problem
from privbo_core.outsourced import Setting, guarantee, noisy_guarantee
from privbo_core.outsourced.simulation import Mechanism
from privbo_core.privacy import Guarantee, gaussian_epsilon, gaussian_sigma


def neighbours(problem: Problem, distance: float = 1.0) -> str:
    """Return the neighbouring relation in the data's own units."""
    moves = " or ".join(
        f"{scientific(distance * unit_distance)}{' ' + unit if unit else ''} in {name}"
        for name, unit, unit_distance in zip(problem.names, problem.units, problem.unit_distance, strict=True)
    )
    return (
        f"Two datasets that differ in one row by at most a distance of {distance:.3g} after scaling (the farthest row lies at 25). "
        f"That is {moves}, if only one of them changes."
    )


def show_meaning_of(card: Guarantee, setting: Setting, problem: Problem, mechanism: Mechanism) -> None:
    """Show what the guarantee of a release means; several noisy ones are Gaussian releases together, √k as far apart."""
    distance = setting.protected_distance if mechanism == "noisy" else 1.0
    ratio = gaussian_sigma(setting.epsilon, setting.delta, 1.0)
    show_meaning(
        card,
        "that a record is the real one",
        distances=list(zip(problem.names, problem.units, distance * problem.unit_distance, strict=True)),
        together=(lambda times: gaussian_epsilon(setting.delta, ratio, math.sqrt(times)))
        if mechanism == "noisy"
        else None,
    )


def show_cautions(case: Case, place: DeltaGenerator) -> None:
    """Say what is wrong with a setting."""
    delta, n = case.setting.delta, case.simulation.problem.n
    if delta >= 1 / n:
        place.warning(
            f"δ = {scientific(delta)} is at least 1/n = {scientific(1 / n)}: the promise could be kept while some record "
            "is revealed outright. Choose δ well below 1/n."
        )


def show_promises(case: Case) -> None:
    """Show the guarantee of each release, and what the last one means."""
    setting, problem = case.setting, case.simulation.problem
    for place, mechanism in zip(st.columns(len(case.mechanisms), gap="medium"), case.mechanisms, strict=True):
        with place:
            if mechanism == "private":
                card = guarantee(setting.epsilon, setting.delta, neighbours(problem))
                show(guarantee_card(card))
                st.page_link("pages/audit.py", label="See it refuted: Audit", icon=":material/fact_check:")
            else:
                card = noisy_guarantee(setting.epsilon, setting.delta, neighbours(problem, setting.protected_distance))
                show(guarantee_card(card, given="assuming the bounds are public"))
                if problem.identity is None:
                    st.warning(
                        "Scale and length-scales were read off your own data here, and the proof does not cover that. This is a simulation; "
                        "for a real release, type in bounds that were known before: pb.outsourced.publish_noisy(…, bounds=…)."
                    )
    show_meaning_of(card, setting, problem, case.mechanisms[-1])
