"""What lies below the first screen of the Outsourced page: explanations, maps, distances, sweeps, theory."""

import math
from collections.abc import Callable

import numpy as np
import streamlit as st

from pages.parts.outsourced.maps import show_maps
from pages.parts.outsourced.promise import hidden
from pages.parts.outsourced.sweep import show_sweeps
from pages.parts.outsourced.view import View, span
from pages.parts.views.drawing import Place, show
from pages.parts.views.palette import NON_PRIVATE, PRIVATE, TEXT
from pages.parts.views.picture import Picture, at_least_three
from pages.parts.views.templates import explaining
from pages.parts.views.text import as_markdown, in_formula, scientific
from pages.parts.views.views import REFUTED_STAMP, Figure, Finding
from privbo_core.bo import information_gain
from privbo_core.errors import Array
from privbo_core.outsourced import (
    Distortion,
    Extent,
    Setting,
    Simulation,
    belief,
    distance_constant,
    distance_distortion,
    dominance_margin,
    expected_kernel,
    omega,
    projection_dimension,
    projection_tolerance,
    regret_bound,
)
from privbo_core.privacy import Noise

NOISE: dict[Noise, tuple[str, str]] = {
    "gaussian": (
        "Gaussian in every number, with the smallest σ with\n\n"
        r"$\Phi(\tfrac{\Delta}{2\sigma} - \tfrac{\varepsilon\sigma}{\Delta}) - e^\varepsilon\,\Phi(-\tfrac{\Delta}{2\sigma} - "  # noqa: E501 - a formula or a row
        r"\tfrac{\varepsilon\sigma}{\Delta}) \le \delta$",
        "Balle, Wang (ICML 2018), Theorem 8.",
    ),
    "laplace": (
        "with a density that falls as $e^{-\\varepsilon\\lVert x\\rVert_2/\\Delta}$, in every direction alike and Gamma(d, Δ/ε) long. By the triangle "  # noqa: E501 - a formula or a row
        "inequality ε holds, without a δ. Its σ is\n\n"
        r"$\sqrt{d+1}\,\Delta/\varepsilon$",
        "Hardt, Talwar (STOC 2010).",
    ),
}
"""How the noise of each shape is made, and who proved that it is enough."""


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
    """Explain the noisy release, and what the modeler makes of it."""
    setting, problem, comparison = view.case.setting, view.case.problem, view.searches
    sigma = setting.noise(problem.frame)
    known = "was known beforehand" if problem.frame.public else "was read off the data, so this is conditional"
    made, source = NOISE[setting.shape]
    first, second = st.columns(2, gap="medium")
    with first, explaining("the noise") as say:
        say(
            f"""Every value is moved into its column's bounds and counted in hidden changes from their middle; then each
record gets noise of its own, the least of its shape
that hides a move of Δ = {setting.protected_distance:.3g} hidden changes
({as_markdown(hidden(problem, setting.protected_distance))}): {made}, here $\\sigma = {sigma:.4g}$ in each column.

The frame, bounds and hidden changes, {known}; nothing else is computed from the data.
*{source}*"""
        )
    with second, explaining("what the modeler makes of it") as say:
        prior = belief(problem)
        wide, _, nugget = expected_kernel(prior.lengthscales, np.full(problem.d, sigma), prior.variance)
        reference = comparison.band(comparison.reference("noisy"))
        reads = "" if setting.shape == "gaussian" else " Laplace noise is read as Gaussian noise of the same σ."
        say(
            f"""The modeler knows how much noise there is, and knowing costs no privacy. Points {sigma:.2g} off look
smoother: the length-scale becomes
$\\sqrt{{\\ell^2 + 2\\sigma^2}}$ = {span(wide)} instead of {span(prior.lengthscales)}, in hidden changes, and
{100 * nugget / prior.variance:.0f} % of the variation belongs to single
rows, out of sight of the others.{reads} On the grid this about halves the extra regret, so it is the default. The
length-scales are the frame's guesses (a quarter of the range where it has none),
never those fitted to the data. The non-private search beside it uses the same frame and the same guesses, with σ = 0:
what is left between the two is the cost of privacy, and not
that of a better or worse model. Where the release is ahead nonetheless, the likely reason (not tested) is that its
noise spreads the questions over records that the model
takes for alike; nobody should read it as a gain from privacy.

After T = {setting.iterations}: noisy release {comparison.band("noisy").mean[-1]:.3f}, non-private
{reference.mean[-1]:.3f}, in units of σ_y."""
        )


def explain_projection(view: View) -> None:
    """Say what the two figures show, with today's numbers in the formulas."""
    simulation, setting, comparison = view.case.simulation, view.case.setting, view.searches
    sigma_min, threshold = simulation.spectrum.sigma_min, omega(setting.epsilon, setting.delta, setting.r)
    first, second = st.columns(2, gap="medium")
    with first, explaining("σ_min and ω") as say:
        say(
            f"""The inputs are released as a random projection. The theorem needs them spread out in every direction by
at
least ω; σ_min, the smallest singular value of the centred inputs, says how far they are. If σ_min falls short, the
curator
first inflates every direction, which bends distances and costs regret.

$\\omega = 16\\sqrt{{r\\log(2/\\delta)}}\\;\\varepsilon^{{-1}}\\log(16r/\\delta)
=
16\\sqrt{{{setting.r}\\cdot{math.log(2 / setting.delta):.2f}}}\\;/\\;{setting.epsilon:.3g}\\;\\cdot{math.log(16 * setting.r / setting.delta):.2f}
= {in_formula(threshold)}$ and $\\sigma_{{\\min}} = {in_formula(sigma_min)}$.

Smaller ε means larger ω. A larger r keeps distances better but raises ω too; the paper’s advice is the largest r for
which
the condition still holds. *Kharkovskii, Dai, Low (ICML 2020), Algorithm 1, line 5, and Section 3.4.*"""  # noqa: E501 - a formula or a row
        )
    with second, explaining("regret") as say:
        plain, private = comparison.band("plain"), comparison.band("private")
        recorded = (
            "In a table of real outcomes, the recorded one counts as the truth, and each evaluation adds the noise "
            "that was fitted: the scatter from row to row is met twice, and regret may level off above 0."
            if simulation.problem.preparation
            else ""
        )
        say(
            f"""Simple regret is how far the best row found so far lies below the best there is; 0 means it was found.
The
non-private curve searches on the true inputs, the private one only on their projection, random search on nothing.

$S_T=\\min_{{t\\le T}}\\,f(x^*)-f(x_t)$: after T = {setting.iterations}, private {private.mean[-1]:.3f}, non-private
{plain.mean[-1]:.3f}, in units of the signal’s standard deviation σ_y.

Every setting uses the same initial points, the same noise and the same random numbers for the projection, so a curve
moves
because a setting moved. The cost of privacy is the mean of the run-by-run differences. {recorded} *Paper: Section 2 and
Section 4.*"""
        )


def show_distances(simulation: Simulation, setting: Setting) -> None:
    """Draw the measured distortion of distances beside what Theorem 2 promises."""
    points, n, mu = simulation.problem.points, simulation.problem.n, setting.delta_ucb / 2
    measured = distance_distortion(points, simulation.release(setting, 0).Z, 20_000, np.random.default_rng(0))
    nu = projection_tolerance(n, mu, setting.r)
    stretch = distance_constant(simulation.spectrum.sigma_min, omega(setting.epsilon, setting.delta, setting.r))
    low, high = (float(np.quantile(measured.ratios, q)) for q in (0.05, 0.95))
    promise = nu < 0.5
    needed = projection_dimension(n, mu, 0.5)
    if promise:
        inside = measured.within(1 - nu, (1 + nu) * stretch)
        note = (
            f"Theorem 2 promises {1 - nu:.2f} to {(1 + nu) * stretch:.3g} for every pair; {100 * inside:.1f} % are "
            "inside."
        )
    else:
        note = (
            f"Theorem 2 promises nothing at r = {setting.r}: for n = {n:,} it starts at r = {math.ceil(needed):,} "
            f"(ν = 1/2, μ = {mu:.3g}). What the search makes of it is measured above."
        )
    title = f"Nine of ten squared distances are multiplied by {low:.3g} to {high:.3g}"
    finding = Finding(title, "curator", f"{measured.pairs:,} random pairs, one projection. {note}", REFUTED_STAMP)
    picture = distances(measured, 1 - nu, (1 + nu) * stretch, promise)
    alt = (
        f"Histogram of the ratio of squared distances after and before the release; 90 % between {low:.2f} and "
        f"{high:.2f}."
    )
    Place("distances").draw(Figure("distances", finding, picture, alt))
    with explaining("distances") as say:
        say(
            f"""The modeler’s search uses only distances between points, so it does as well as they are kept. A
projection to
r dimensions changes each squared distance by a random factor with mean 1 and standard deviation about $\\sqrt{{2/r}} =
{math.sqrt(2 / setting.r):.2f}$. Inflation multiplies it by up to $C' = 1 + \\omega^2/\\sigma_{{\\min}}^2$ more, here
{stretch:.3g}. Lemma 1 keeps *all* pairs within $1\\pm\\nu$ with probability $1-\\mu$ once
$r \\ge 8\\log(n^2/\\mu)/\\nu^2$.
*Kharkovskii, Dai, Low (ICML 2020), Lemma 1 and Theorem 2.*"""
        )


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
    start, end = min(float(edges[0]), *marks) - 0.01, max(float(edges[-1]), *marks) + 0.01
    picture.axis(
        "xaxis",
        "squared distance after / before the release",
        type="log",
        range=[start, end],
        **at_least_three(10**start, 10**end),
    )
    picture.axis("yaxis", "% of pairs")
    picture.upright(1, NON_PRIVATE, dash="dash")
    picture.label(0, 1, "kept", NON_PRIVATE, yref="paper", xshift=4, yanchor="top")
    if promise:
        for bound in (low, high):
            picture.upright(bound, TEXT)
            picture.label(math.log10(bound), 0.9, "Theorem 2", TEXT, yref="paper", xshift=4, yanchor="top")
    return picture


def show_theory(view: View) -> None:
    """Set Theorem 3's bound and demands beside what is in use."""
    simulation, setting, comparison = view.case.simulation, view.case.setting, view.searches
    problem = simulation.problem
    gain = information_gain(problem.points, problem.kernel, problem.noise_variance, setting.iterations)
    largest = float(max(np.abs(trace.observed).max() for trace in comparison.private))
    bound = regret_bound(
        Extent(problem.n, _diameter(problem.points), largest),
        kernel=problem.kernel,
        noise_variance=problem.noise_variance,
        iterations=setting.iterations,
        gamma=float(gain.upper[-1]),
        delta_ucb=setting.delta_ucb,
    )
    queried = problem.points[np.unique(comparison.private[0].rows)]
    margin = dominance_margin(queried, problem.kernel)
    dominant = "yes" if margin >= 1 else f"no: the diagonal is {_rounded(margin)} of what is asked"
    measured = float(comparison.band("private").mean[-1])
    show(
        Finding(
            f"The theorem asks for r = {_rounded(bound.r_needed)}; in use is r = {setting.r}",
            "simulation",
            "Theorem 3 holds under its own demands, which practice never meets. A bound above the range of f says "
            "nothing.",
        )
    )
    st.markdown(
        f"""
| Theorem 3 (hidden constants set to 1, so a shape and not a number to rely on) | value |
|---|---|
| bound on S_T | {_rounded(bound.bound)}; measured {measured:.3f} σ_y |
| … of which ε_ucb² | {_rounded(bound.epsilon_ucb_squared)} |
| … approximation 24 (C₂ + C₁√β_T)² log T / T | {_rounded(bound.approximation)} |
| … exploration 24 / log(1 + σ_n⁻²) · β_T γ_T / T | {_rounded(bound.exploration)} |
| C₁, C₂ | {_rounded(bound.c1)}, {_rounded(bound.c2)} |
| β_T | {bound.beta_t:.1f} |
| γ_T: greedy ≤ γ_T ≤ greedy / (1 − 1/e), the latter used above | {gain.greedy[-1]:.1f} to {gain.upper[-1]:.1f} nats |
| r that the theorem demands (ν = {_rounded(bound.nu)}) | {_rounded(bound.r_needed)}; in use {setting.r} |
| r from which Lemma 1 promises anything (ν = 1/2) | {_rounded(projection_dimension(problem.n, setting.delta_ucb / 2, 0.5))} |
| K diagonally dominant at the rows queried (Definition 3) | {dominant} |
| σ_min ≥ ω | {"yes" if not simulation.release(setting, 0).amplified else "no: the bound’s ε_ucb is replaced by a larger constant"} |
"""  # noqa: E501 - a formula or a row
    )


def _diameter(points: Array) -> float:
    """Return an upper bound on the diameter: twice the largest norm, or the diagonal of the box around the points."""
    box = float(np.linalg.norm(np.ptp(points, axis=0)))
    return min(2 * float(np.linalg.norm(points - points.mean(axis=0), axis=1).max()), box)


def _rounded(value: float) -> str:
    return f"{value:,.0f}" if 100 <= value < 1e6 else scientific(value)
