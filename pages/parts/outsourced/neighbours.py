"""Who neighbours are on the Outsourced page, in the data's own units, and what a guarantee means between them."""

import math

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from pages.parts.outsourced.shape import noisy_line, show_compared
from pages.parts.outsourced.sliders import Case, needs_delta
from pages.parts.show.card import YOU, guarantee_card
from pages.parts.show.meaning import show_meaning
from pages.parts.show.show import show
from pages.parts.values.numbers import scientific
from privbo_core.data import Problem
from privbo_core.outsourced import Setting, Simulation, guarantee, larger_differences, larger_distances
from privbo_core.outsourced.simulation import Mechanism
from privbo_core.privacy import Guarantee, Status, gaussian_epsilon, gaussian_sigma


def neighbours(problem: Problem) -> str:
    """Return the neighbouring relation of the projection in the data's own units."""
    moves = " or ".join(
        f"{scientific(unit_distance)}{' ' + unit if unit else ''} in {name}"
        for name, unit, unit_distance in zip(problem.names, problem.units, problem.unit_distance, strict=True)
    )
    return (
        "Two datasets that differ in one row by at most a distance of 1 after scaling (the farthest row lies at 25). "
        f"That is {moves}, if only one of them changes."
    )


def hidden(problem: Problem, distance: float = 1.0) -> str:
    """Return what the noisy release hides of one record, column by column, at so many hidden changes."""
    return ", or ".join(
        f"± {scientific(distance * column.hide)}{f' {column.unit}' if column.unit else ''} of {column.name}"
        for column in problem.frame.columns
    )


def noisy_neighbours(problem: Problem, distance: float) -> str:
    """Return the neighbouring relation of the noisy release in the data's own units."""
    return (
        f"Two datasets that differ in one row by {hidden(problem, distance)}, if only one of them changes; if several do, "
        f"by a Euclidean distance of {distance:.3g} in hidden changes of the frame."
    )


def hides(problem: Problem, distance: float) -> str:
    """Return in plain words what the noisy release hides of one record, and what it does not."""
    return f"{hidden(problem, distance)}: not who is in the table, and not the outcomes."


def on_whose_word(problem: Problem) -> str:
    """Return on whose word a problem's frame was public: of somebody's own table, on theirs."""
    return "" if problem.identity is not None else YOU


def noisy_promise(simulation: Simulation, setting: Setting) -> Guarantee:
    """Return what the noisy release promises, between neighbours in the data's own units."""
    return simulation.noisy_guarantee(setting, noisy_neighbours(simulation.problem, setting.protected_distance))


def show_meaning_of(card: Guarantee, setting: Setting, problem: Problem, mechanism: Mechanism) -> None:
    """Show what the guarantee of a release means; several with Gaussian noise are one release together, √k as far apart."""
    noisy, ratio = mechanism == "noisy", gaussian_sigma(setting.epsilon, setting.delta, 1.0)
    gaussian = noisy and setting.shape == "gaussian"
    amounts = setting.protected_distance * problem.frame.hide if noisy else problem.unit_distance
    units = [column.unit for column in problem.frame.columns] if noisy else problem.units
    show_meaning(
        card,
        "that a record is the real one",
        distances=list(zip(problem.names, units, amounts, strict=True)),
        together=(lambda times: gaussian_epsilon(setting.delta, ratio, math.sqrt(times))) if gaussian else None,
        testing=noisy_line(setting, problem.frame.d) if noisy else None,
        larger=larger_differences(setting.epsilon, setting.noisy_delta)
        if noisy
        else larger_distances(setting.epsilon, setting.delta),
    )


def audited(setting: Setting) -> dict[str, str]:
    """Return what a link to Audit brings, so that the release that is seen here is the one that is attacked there."""
    return {
        "audited": "projection",
        "epsilon": f"{setting.epsilon:.6g}",
        "delta": f"{setting.delta:.6g}",
        "r": f"{setting.r}",
    }


def show_cautions(case: Case, place: DeltaGenerator) -> None:
    """Say what is wrong with a setting."""
    delta, n = case.setting.delta, case.simulation.problem.n
    if delta >= 1 / n and needs_delta(case.mechanisms, case.setting.shape):
        place.warning(
            f"δ = {scientific(delta)} is at least 1/n = {scientific(1 / n)}: the promise could be kept while some record "
            "is revealed outright. Choose δ well below 1/n."
        )


def show_promises(case: Case) -> None:
    """Show the guarantee of each release, and what the last one means."""
    setting, simulation = case.setting, case.simulation
    problem = simulation.problem
    for place, mechanism in zip(st.columns(len(case.mechanisms), gap="medium"), case.mechanisms, strict=True):
        with place:
            if mechanism == "private":
                card = guarantee(setting.epsilon, setting.delta, neighbours(problem))
                show(guarantee_card(card))
                st.page_link(
                    "pages/audit.py",
                    label="See it refuted: Audit",
                    icon=":material/fact_check:",
                    query_params=audited(setting),
                )
            else:
                card = noisy_promise(simulation, setting)
                show(
                    guarantee_card(
                        card, conditions="Rests on", becomes=simulation.true_epsilon(setting),
                        hides=hides(problem, setting.protected_distance), line=noisy_line(setting, problem.frame.d), word=on_whose_word(problem),
                    )
                )  # fmt: skip
                show_compared(problem, setting)
                if card.status is Status.CONDITIONAL and problem.identity is None:
                    st.page_link(
                        "pages/data.py", label="Say what was known of each column: Data", icon=":material/edit_note:"
                    )
    show_meaning_of(card, setting, problem, case.mechanisms[-1])
