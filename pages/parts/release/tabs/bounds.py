"""What the theorems of an algorithm bound, term by term: as a figure, and as tables."""

import math

import streamlit as st

from pages.parts.release.setup import Setup
from pages.parts.release.tabs import figures
from pages.parts.show.explained import explaining
from pages.parts.show.show import Place, show
from pages.parts.values.numbers import scientific, two_digits
from pages.parts.values.text import as_markdown, strong
from pages.parts.values.views import Figure, Finding, Table, table
from privbo_core.release import Bound, Noisy, Selection


def show_terms(setup: Setup) -> None:
    """Draw the terms of each theorem against the range of the score."""
    bounds, spread = list(setup.bounds.values()), two_digits(setup.spread)
    note = f"All scores lie within {spread} of each other; a bound in the hatched region is larger than that."
    found = Finding(_said(setup), "curator", note, setup.score_stamp)
    named = {setup.named(theorem).capitalize(): bound for theorem, bound in setup.bounds.items()}
    picture = figures.terms(named, setup.unit, setup.spread, kept=not setup.stamp)
    Place("terms").draw(Figure("terms", found, picture, "The terms of each theorem beside the range of the score."))
    with explaining("bounds and their terms") as say:
        rows = "\n".join(f"- {_written_out(bound, setup.unit, not setup.selects)}" for bound in bounds)
        say(
            f"""A bound is useful if it excludes something. No two candidates differ by more than {spread}, so a bound above
that excludes nothing: it is *vacuous*. Diamonds are sums, circles their terms.

{rows}

{_source(setup)}"""
        )


def _source(setup: Setup) -> str:
    if setup.selects:
        return f"*{setup.source}.*"
    theorems = ", ".join(map(str, setup.bounds))
    return f"*Kusner, Gardner, Garnett, Weinberger (ICML 2015; the workshop paper where chosen), Theorems {theorems}.*"


def show_theory(setup: Setup) -> None:
    """List the constants and every term of the algorithm's theorems."""
    variant = "ICML 2015" if setup.variant == "icml" else "workshop paper"
    note = "In units of the score."
    if setup.unit != 1:
        note += f" Divide by {two_digits(setup.unit)} for the units of the Gaussian process."
    paper = "" if setup.selects else f" ({variant})"
    show(Finding(f"{setup.name}, term by term{paper}", "curator", note, setup.score_stamp))
    show(_terms(setup))
    show(_constants(setup))
    if setup.algorithm in (1, 2):
        st.markdown(
            f"One prior standard deviation is {two_digits(setup.task.unit)} of the score, learned from "
            f"{as_markdown(setup.task.prior_from)}. δ = {scientific(setup.search.delta)}; a = {setup.a:.3g}."
        )


def _said(setup: Setup) -> str:
    """Return which theorems say nothing here."""
    empty = [str(theorem) for theorem in setup.bounds if setup.vacuous(theorem)]
    if not empty:
        return f"{'The' if setup.selects else 'Every'} bound is smaller than the range of the score"
    if setup.selects:
        return "The bound says nothing here"
    if len(empty) == 1:
        return f"Theorem {empty[0]} says nothing here"
    return f"Theorems {(' and ' if len(empty) == 2 else ', ').join(empty)} say nothing here"


def _written_out(bound: Bound, unit: float, named: bool) -> str:
    """Return a bound as a sum of its terms, as Markdown."""
    name = f"Theorem {bound.theorem}" if named else "The bound"
    terms = " + ".join(f"{term.formula} ({two_digits(term.value * unit)})" for term in bound.terms)
    return (
        f"{name}: {bound.quantity} ≤ {terms} = {two_digits(bound.value * unit)}, with probability "
        f"{max(0.0, bound.probability):.3g} or more."
    )


def _terms(setup: Setup) -> Table:
    rows: list[tuple[str, ...]] = []
    for bound in setup.bounds.values():
        for i, term in enumerate(bound.terms):
            lead = (
                ("–" if setup.selects else str(bound.theorem), figures.pretty(bound.quantity)) if i == 0 else ("", "")
            )
            rows.append((*lead, term.name, figures.pretty(term.formula), two_digits(term.value * setup.unit)))
        remark = f"with probability ≥ {max(0.0, bound.probability):.4g}; below the range of the score {_begins(setup, bound)}"
        rows.append(("", "", strong("sum"), remark, strong(two_digits(bound.value * setup.unit))))
    return table(("Theorem", "what it bounds", "term", "formula", "value"), rows)


def _begins(setup: Setup, bound: Bound) -> str:
    """Return from which ε on a bound says something."""
    start = setup.starts_at(bound.theorem)
    if math.isinf(start):
        return "at no ε"
    return "at every ε" if bound.epsilon is None else f"for ε > {two_digits(start)}"


def _constants(setup: Setup) -> Table:
    plan = setup.plan
    constants = {"range of the score": two_digits(setup.spread), "noise scale": two_digits(setup.scale)}
    if isinstance(plan, Noisy):
        constants |= {
            "β_T": f"{plan.beta_T:.1f}",
            "β_{T+1}": f"{plan.beta_next:.1f}",
            "c": f"{plan.c:.3g}",
            "q": f"{plan.q:.3g}",
            "C₁": f"{plan.C1:.3g}",
            "γ_T (upper bound used; greedy value)": f"{setup.search.gamma_upper:.1f} ({setup.search.gamma_greedy:.1f}) nats",
        }
    if isinstance(plan, Selection):
        constants["Δ of setting and score"] = two_digits(plan.value.sensitivity)
    elif plan.choice is not None:
        constants["Δ of the setting, 2√β_{T+1} + c"] = f"{plan.choice.sensitivity:.3g} prior standard deviations"
    return table(("constant", "value"), [(figures.pretty(name), value) for name, value in constants.items()])
