"""Asking for the agents' model, as it was known before anyone looked at their values."""

from collections.abc import Sequence

import streamlit as st

from pages.parts.bring.table import made
from pages.parts.values.text import as_markdown
from privbo_core.data.marks import source_named
from privbo_core.federated import PublicModel


def pick_model(output: str, parameters: Sequence[str]) -> PublicModel | None:
    """Show where the model may come from; return the one that a person states, None if it is to be read off the table.

    Nothing that is proposed is computed from the table.
    """
    known = st.toggle(
        "The model was known before",
        value=False,
        key=made("federated known"),
        help="Unit, noise and length-scales. Read off the table they are computed from the agents’ values, and no noise of "
        "the server’s covers that: what is promised then holds on condition that they were known.",
    )
    if not known:
        return None

    def number(label: str, name: str, value: float) -> float:
        return float(st.number_input(label, min_value=1e-9, value=value, format="%g", key=made(f"federated {name}")))

    shown = as_markdown(output)
    unit = number(f"Spread of {shown} over the grid (one standard deviation)", "unit", 1.0)
    noise = number(f"Noise of one evaluation, in units of {shown}", "noise", 0.1)
    lengthscales = tuple(
        number(f"Change of {as_markdown(name)} that matters", f"length {name}", 1.0) for name in parameters
    )
    known_from = st.text_input("Known from where?", key=made("federated known from"))
    if not source_named(known_from):
        st.caption("Until it says from where it was known, the model is read off the table.")
        return None
    return PublicModel(unit, noise, lengthscales, known_from.strip())
