"""What the Federated page explains below its figures, with today's numbers: what they show, and the theorems."""

import math

import streamlit as st

from pages.parts.federated.setup import PRIVATE, Setup
from pages.parts.federated.sweep import answered
from pages.parts.federated.view import View, most_saved
from pages.parts.views.content import explanation, prose
from pages.parts.views.drawing import show
from pages.parts.views.templates import explain_beside
from pages.parts.views.text import epsilon_text
from pages.parts.views.views import Finding
from privbo_core.federated import Progress, Settings, delta_for
from privbo_core.privacy import epsilon, noise_for


def explain_figures(setup: Setup) -> None:
    """Say what the two figures show, with today's numbers in the formulas."""
    agents, settings, N = setup.agents, setup.settings, setup.N
    now = epsilon_text(epsilon(settings.q, settings.z, settings.iterations, delta_for(N)))
    saved = most_saved(setup) if settings.P > 1 else 1
    explain_beside(
        explanation(
            "federated", "ε over the rounds", settings=settings, delta=delta_for(N), N=N, epsilon=now, saved=saved
        ),
        explanation("federated", "regret", settings=settings, agents=agents, N=N),
    )


def show_theory(view: View) -> None:
    """Set Proposition 1 beside the accountant, and say which term of Theorem 1 each slider moves."""
    left, right = st.columns(2, gap="large")
    with left:
        _show_proposition(view.setup.settings, view.setup.N)
    with right:
        _show_theorem(view.setup, view.progress)


def _show_proposition(settings: Settings, N: int) -> None:
    """Set Proposition 1 beside the accountant."""
    delta, q, z, T = delta_for(N), settings.q, settings.z, settings.iterations
    if z == 0:
        show(Finding("Proposition 1 needs noise: z is 0", "share"))
        return
    now = epsilon(q, z, T, delta)
    constant = z * now / (q * math.sqrt(T * math.log(1 / delta)))
    changes = (
        ("as it is now", q, T, now, z),
        ("q doubled", min(1.0, 2 * q), T, now, z * min(2.0, 1 / q)),
        ("T four times", q, 4 * T, now, 2 * z),
        ("ε halved", q, T, now / 2, 2 * z),
    )
    rows = [
        (name, proportion, answered(lambda: f"{noise_for(loss, rate, steps, delta):.2f}"))  # noqa: B023
        for name, rate, steps, loss, proportion in changes
    ]
    note = "The noise z that keeps ε, by Proposition 1’s proportions and by the moments accountant."
    show(Finding("Proposition 1 gives the direction, the accountant the number", "share", note))
    st.markdown(prose("federated", "Proposition 1", changes=rows, epsilon=epsilon_text(now), constant=constant))


def _show_theorem(setup: Setup, progress: Progress) -> None:
    """Say which term of Theorem 1 each slider moves."""
    settings = setup.settings
    clipped = progress.band(PRIVATE, "clipped")
    share = "being computed" if clipped is None else f"{100 * clipped.mean.mean():.0f} % of the vectors"
    noise = settings.z * settings.S * math.sqrt(settings.features)
    note = "Theorem 1 hides its constants: it says which way each slider pushes, not how far."
    show(Finding("More privacy means a larger term ψ in the regret bound", "share", note))
    st.markdown(
        prose("federated", "Theorem 1", settings=settings, noise=noise, clipped=share, limit=setup.limit, N=setup.N)
    )
