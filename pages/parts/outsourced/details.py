"""What lies below the first screen of the Outsourced page: explanations, maps, distances, sweeps, theory."""

import math
from collections.abc import Callable

import numpy as np
import streamlit as st

from pages.parts.outsourced.maps import show_maps
from pages.parts.outsourced.promise import hidden
from pages.parts.outsourced.question import show_sweeps
from pages.parts.outsourced.setup import span
from pages.parts.outsourced.view import View
from pages.parts.views.content import explanation, prose, rounded
from pages.parts.views.drawing import Place, show
from pages.parts.views.picture import NON_PRIVATE, ONE_TWO_FIVE, PRIVATE, TEXT, Picture, at_least_three
from pages.parts.views.templates import explain, explain_beside
from pages.parts.views.text import as_markdown
from pages.parts.views.views import REFUTED_STAMP, Figure, Finding
from privbo_core.bo import information_gain
from privbo_core.outsourced import (
    Distortion,
    Extent,
    Setting,
    Simulation,
    distance_constant,
    distance_distortion,
    dominance_margin,
    expected_kernel,
    omega,
    projection_dimension,
    projection_tolerance,
    regret_bound,
)


def show_details(view: View) -> None:
    """Draw what lies below the first screen: the explanations and, for the projection, the open tab alone."""
    simulation, setting = view.case.simulation, view.case.setting
    if "private" not in view.case.mechanisms:
        explain_noise(view)
        show_maps(simulation, setting, "noisy")
        return
    explain_projection(view)
    shows: dict[str, Callable[[], None]] = {
        "Maps": lambda: show_maps(simulation, setting, "private"),
        "Distances": lambda: show_distances(simulation, setting),
        "Regret against r and ε": lambda: show_sweeps(view.case),
        "Theory": lambda: show_theory(view),
    }
    tabs = st.tabs(list(shows), key="details", on_change="rerun", bind="query-params")
    for tab, show_tab in zip(tabs, shows.values(), strict=True):
        if tab.open:
            with tab:
                show_tab()


def explain_noise(view: View) -> None:
    setting, problem, searches = view.case.setting, view.case.problem, view.searches
    sigma, prior = setting.noise(problem.frame), view.case.simulation.prior(setting)
    wide, _, nugget = expected_kernel(prior.lengthscales, np.full(problem.d, sigma), prior.variance)
    hides, public = as_markdown(hidden(problem, setting.protected_distance)), problem.frame.public
    explain_beside(
        explanation("outsourced", "the noise", setting=setting, hides=hides, sigma=sigma, public=public),
        explanation(
            "outsourced",
            "what the modeler makes of it",
            setting=setting,
            sigma=sigma,
            scales=span(prior.lengthscales),
            wider=span(wide),
            single=nugget / prior.variance,
            noisy=searches.band("noisy").mean[-1],
            plain=searches.band(searches.reference("noisy")).mean[-1],
        ),
    )


def explain_projection(view: View) -> None:
    simulation, setting, searches = view.case.simulation, view.case.setting, view.searches
    explain_beside(
        explanation(
            "outsourced",
            "σ_min and ω",
            setting=setting,
            first_log=math.log(2 / setting.delta),
            second_log=math.log(16 * setting.r / setting.delta),
            omega=omega(setting.epsilon, setting.delta, setting.r),
            sigma_min=simulation.spectrum.sigma_min,
        ),
        explanation(
            "outsourced",
            "regret",
            setting=setting,
            private=searches.band("private").mean[-1],
            plain=searches.band("plain").mean[-1],
            recorded=simulation.problem.preparation,
        ),
    )


def show_distances(simulation: Simulation, setting: Setting) -> None:
    points, n, mu = simulation.problem.points, simulation.problem.n, setting.delta_ucb / 2
    measured = distance_distortion(points, simulation.release(setting, 0).Z, 20_000, np.random.default_rng(0))
    nu = projection_tolerance(n, mu, setting.r)
    stretch = distance_constant(simulation.spectrum.sigma_min, omega(setting.epsilon, setting.delta, setting.r))
    low, high = (float(np.quantile(measured.ratios, q)) for q in (0.05, 0.95))
    least, most, promise = 1 - nu, (1 + nu) * stretch, nu < 0.5
    if promise:
        inside = f"{100 * measured.within(least, most):.1f} % are inside."
        note = f"Theorem 2 promises {least:.2f} to {most:.3g} for every pair; {inside}"
    else:
        starts = f"it starts at r = {math.ceil(projection_dimension(n, mu, 0.5)):,} (ν = 1/2, μ = {mu:.3g})"
        note = f"Theorem 2 promises nothing at r = {setting.r}: for n = {n:,} {starts}."
        note = f"{note} What the search makes of it is measured above."
    title = f"Nine of ten squared distances are multiplied by {low:.3g} to {high:.3g}"
    finding = Finding(title, "curator", f"{measured.pairs:,} random pairs, one projection. {note}", REFUTED_STAMP)
    picture = distances(measured, least, most, promise)
    alt = "Histogram of the ratio of squared distances after and before the release"
    alt = f"{alt}; 90 % between {low:.2f} and {high:.2f}."
    Place("distances").draw(Figure("distances", finding, picture, alt))
    explain(*explanation("outsourced", "distances", deviation=math.sqrt(2 / setting.r), stretch=stretch))


def distances(measured: Distortion, low: float, high: float, promise: bool) -> Picture:
    """Draw how many times the release stretched squared distances, beside the bounds of Theorem 2."""
    picture = Picture()
    logs = np.log10(np.maximum(measured.ratios, 1e-4))
    edges = np.linspace(logs[0], logs[-1] + 1e-9, 60)
    counts, _ = np.histogram(logs, edges)
    picture.add(
        "bar",
        x=10 ** ((edges[1:] + edges[:-1]) / 2),
        y=100 * counts / measured.pairs,
        width=np.diff(10**edges),
        marker={"color": PRIVATE.faded(0.6), "line": {"width": 0}},
        name="share of pairs (%)",
        hovertemplate="%{y:.1f} % of pairs near × %{x:.2f}",
    )
    # All that is drawn lies in the picture: the bars, 1 and what is promised.
    marks = [0.0, *(math.log10(bound) for bound in (low, high) if promise and bound > 0)]
    start, last = min(float(edges[0]), *marks) - 0.01, max(float(edges[-1]), *marks)
    # Up to the next number that the axis has, so that bars far from 1 stand between two of them.
    end = next((math.log10(tick) for tick in ONE_TWO_FIVE if math.log10(tick) > last), last) + 0.01
    ticks = at_least_three(10**start, 10**end)
    picture.axis("xaxis", "squared distance after / before the release", type="log", range=[start, end], **ticks)
    picture.axis("yaxis", "% of pairs")
    picture.upright(1, NON_PRIVATE, dash="dash")
    picture.label(0, 1, "kept", NON_PRIVATE, yref="paper", xshift=4, yanchor="top")
    if promise:
        for bound in (low, high):
            picture.upright(bound, TEXT)
            picture.label(math.log10(bound), 0.9, "Theorem 2", TEXT, yref="paper", xshift=4, yanchor="top")
    return picture


def show_theory(view: View) -> None:
    simulation, setting, comparison = view.case.simulation, view.case.setting, view.searches
    problem, points, (kernel, noise_variance) = simulation.problem, simulation.problem.points, simulation.model(setting)
    gain = information_gain(points, kernel, noise_variance, setting.iterations)
    largest = float(max(np.abs(trace.observed).max() for trace in comparison.private))
    # No pair is farther apart than twice the largest norm, nor than the diagonal of the box around the points.
    box = float(np.linalg.norm(np.ptp(points, axis=0)))
    diameter = min(2 * float(np.linalg.norm(points - points.mean(axis=0), axis=1).max()), box)
    bound = regret_bound(
        Extent(problem.n, diameter, largest),
        kernel=kernel,
        noise_variance=noise_variance,
        iterations=setting.iterations,
        gamma=float(gain.upper[-1]),
        delta_ucb=setting.delta_ucb,
    )
    margin = dominance_margin(points[np.unique(comparison.private[0].rows)], kernel)
    title = f"The theorem asks for r = {rounded(bound.r_needed)}; in use is r = {setting.r}"
    note = (
        "Theorem 3 holds under its own demands, which practice never meets. A bound above the range of f says nothing."
    )
    show(Finding(title, "simulation", note))
    theorem = prose(
        "outsourced",
        "Theorem 3",
        bound=bound,
        measured=comparison.band("private").mean[-1],
        gain=gain,
        r=setting.r,
        r_promising=f"{math.ceil(projection_dimension(problem.n, setting.delta_ucb / 2, 0.5)):,}",
        margin=margin,
        met=not simulation.release(setting, 0).amplified,
    )
    st.markdown(theorem)
