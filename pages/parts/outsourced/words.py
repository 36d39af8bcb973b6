"""What the Outsourced page says: headline numbers, the findings of its two figures."""

import math

from pages.parts.outsourced import figures
from pages.parts.outsourced.neighbours import hidden
from pages.parts.outsourced.sliders import Case
from pages.parts.values.text import SIGMA_MIN, SIGMA_Y, minus, toned
from pages.parts.values.views import Audience, Figure, Finding, Tile
from privbo_core.data import Problem
from privbo_core.errors import Array
from privbo_core.outsourced import Comparison, belief, omega, smallest_epsilon
from privbo_core.privacy import Status

COMING = ("…", "first runs on their way")


def headline(case: Case, extra: tuple[str, str]) -> list[Tile]:
    """Return the four headline numbers; ``extra``: what privacy costs, and how sure that is."""
    setting, simulation = case.setting, case.simulation
    last = Tile("Extra regret for privacy", *extra, "simulation")
    if case.leading == "noisy":
        frame = simulation.problem.frame
        noise, audience = setting.noise(frame), known_to(simulation.problem)
        lengths = span(belief(simulation.problem).lengthscales)
        return [
            Tile("Noise σ in each column", f"{noise:.3g}", f"hidden changes, at ε = {setting.epsilon:.3g}", "share"),
            Tile("Length-scale of f", lengths, "hidden changes, as guessed beforehand", audience),
            Tile("Protected distance", f"{setting.protected_distance:.3g}", "hidden changes of the frame", "share"),
            last,
        ]
    sigma_min, threshold = simulation.spectrum.sigma_min, omega(setting.epsilon, setting.delta, setting.r)
    state = toned("met", "✓ met") if sigma_min >= threshold else toned("unmet", "✗ not met")
    epsilon = smallest_epsilon(sigma_min, setting.delta, setting.r)
    return [
        Tile(f"Condition {SIGMA_MIN} ≥ ω", state, f"from ε* = {epsilon:.3g} on", "curator"),
        Tile(f"{SIGMA_MIN} of the inputs", f"{sigma_min:.0f}", "smallest spread", "curator"),
        Tile("ω, what Theorem 1 asks", f"{threshold:.0f}", f"at ε = {setting.epsilon:.3g}", "share"),
        last,
    ]


def extra_regret(comparison: Comparison, case: Case) -> tuple[str, str]:
    """Return what privacy costs at the last evaluation, and how sure that is, as text."""
    if comparison.runs < 2:
        return COMING
    cost = comparison.extra(mechanism=case.leading)
    value = minus(f"{cost.mean[-1]:+.2f} {SIGMA_Y}")
    return value, f"± {cost.standard_error[-1]:.2f} over {comparison.runs} runs"


def condition(case: Case) -> Figure:
    """Return the figure that follows the thumb: σ_min against ω, or the noise against the length-scale."""
    setting, simulation = case.setting, case.simulation
    if case.leading == "noisy":
        problem, lengths = simulation.problem, belief(simulation.problem).lengthscales
        noise = setting.noise(problem.frame)
        if noise < lengths.min():
            small = "less than f varies over"
        elif noise < lengths.max():
            small = "less than f varies over in some columns, more in others"
        else:
            small = "more than f varies over, so little is left to see"
        title = f"Noise moves each record by σ = {noise:.3g}: {small} (ℓ = {span(lengths)})"
        alt = f"The noise σ against ε, beside the length-scale. σ is now {noise:.3g}."
        note = f"In hidden changes of the frame: 1 is {hidden(problem)}."
        picture = figures.noise(problem.frame, lengths, setting)
        return Figure("noise", Finding(title, known_to(problem), note), picture, alt)
    sigma_min, threshold = simulation.spectrum.sigma_min, omega(setting.epsilon, setting.delta, setting.r)
    if sigma_min >= threshold:
        title = f"Distances survive: σ_min = {sigma_min:.0f} ≥ ω = {threshold:.0f}"
    else:
        times = f"up to {math.sqrt(1 + threshold**2 / sigma_min**2):.3g}-fold"
        title = f"Distances are stretched {times}: σ_min = {sigma_min:.0f} < ω = {threshold:.0f}"
    alt = f"ω against ε and against r. σ_min is {sigma_min:.0f}, ω is now {threshold:.0f}."
    return Figure("condition", Finding(title, "curator"), figures.condition(sigma_min, setting), alt)


def span(lengthscales: Array) -> str:
    """Return the shortest and the longest length-scale as text, or the one if they are alike."""
    shortest, longest = f"{lengthscales.min():.3g}", f"{lengthscales.max():.3g}"
    return shortest if shortest == longest else f"{shortest} to {longest}"


def known_to(problem: Problem) -> Audience:
    """Return who may see what comes from the frame: everybody, unless some of it was read off the data."""
    return "share" if problem.frame.public else "curator"


def one_sigma(problem: Problem) -> str:
    """Return what the unit of regret means in the output's own terms, where it has some."""
    preparation = problem.preparation
    if preparation is None:
        return ""
    amount = float(preparation.output_difference(problem.sigma_y))
    if preparation.log_output:
        return f"; 1 {SIGMA_Y} is a factor of {amount:.3g}"
    return f"; 1 {SIGMA_Y} is {amount:.3g} {preparation.output_unit}".rstrip()


def regret_finding(comparison: Comparison, case: Case) -> Finding:
    """Return the title of the regret figure: what privacy costs now."""
    if comparison.runs < 2:
        return Finding("The first runs are on their way", "simulation")
    cost, iterations, runs = comparison.extra(mechanism=case.leading), case.setting.iterations, case.runs
    mean, error = float(cost.mean[-1]), float(cost.standard_error[-1])
    whole = f"{runs} runs, bands ± 1 standard error{one_sigma(case.simulation.problem)}"
    if len(comparison.mechanisms) == 2:
        other = float(comparison.extra(mechanism="noisy").mean[-1])
        status = (Status.PROVED if case.simulation.problem.frame.public else Status.CONDITIONAL).value
        title = f"Privacy costs {other:+.2f} {SIGMA_Y} by noise ({status}), {mean:+.2f} by projection (refuted)"
    elif abs(mean) < 2 * error or abs(mean) < 0.005:
        title = f"No clear cost of privacy after {iterations} evaluations ({mean:+.2f} ± {error:.2f} {SIGMA_Y})"
    else:
        verb = "costs" if mean > 0 else "happens to save"
        title = f"Privacy {verb} {abs(mean):.2f} {SIGMA_Y} after {iterations} evaluations (± {error:.2f})"
    small = whole if comparison.runs >= runs else f"{comparison.runs} of {runs} runs"
    return Finding(minus(title), "simulation", small)
