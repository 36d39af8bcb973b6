"""What the Outsourced page says: headline numbers, the findings of its two figures."""

import math

from pages.parts.outsourced import figures
from pages.parts.outsourced.neighbours import hidden
from pages.parts.outsourced.regret import LOST
from pages.parts.outsourced.sliders import Case
from pages.parts.values.text import SIGMA_MIN, toned
from pages.parts.values.views import REFUTED_STAMP, Audience, Figure, Finding, Tile
from privbo_core.data import Problem
from privbo_core.errors import Array
from privbo_core.outsourced import Measure, belief, omega, smallest_epsilon


def headline(case: Case, extra: tuple[str, str], measure: Measure) -> list[Tile]:
    """Return the four headline numbers; ``extra``: what privacy costs in this measure, and how sure that is."""
    setting, simulation = case.setting, case.simulation
    stamp = REFUTED_STAMP if case.leading == "private" else ""
    last = Tile(LOST[measure], *extra, "simulation", stamp)
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
    # No sign of success: where the condition is met, the promise that rests on it fails all the same.
    state = "met" if sigma_min >= threshold else toned("unmet", "✗ not met")
    epsilon = smallest_epsilon(sigma_min, setting.delta, setting.r)
    return [
        Tile(f"Condition {SIGMA_MIN} ≥ ω", state, f"from ε* = {epsilon:.3g} on", "curator", stamp),
        Tile(f"{SIGMA_MIN} of the inputs", f"{sigma_min:,.0f}", "smallest spread", "curator"),
        Tile("ω, what Theorem 1 asks", f"{threshold:,.0f}", f"at ε = {setting.epsilon:.3g}", "refuted"),
        last,
    ]


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
        title = f"Distances survive: σ_min = {sigma_min:,.0f} ≥ ω = {threshold:,.0f}"
    else:
        times = f"up to {math.sqrt(1 + threshold**2 / sigma_min**2):.3g}-fold"
        title = f"Distances are stretched {times}: σ_min = {sigma_min:,.0f} < ω = {threshold:,.0f}"
    alt = f"ω against ε and against r. σ_min is {sigma_min:,.0f}, ω is now {threshold:,.0f}."
    return Figure(
        "condition", Finding(title, "curator", stamp=REFUTED_STAMP), figures.condition(sigma_min, setting), alt
    )


def span(lengthscales: Array) -> str:
    """Return the shortest and the longest length-scale as text, or the one if they are alike."""
    shortest, longest = f"{lengthscales.min():.3g}", f"{lengthscales.max():.3g}"
    return shortest if shortest == longest else f"{shortest} to {longest}"


def known_to(problem: Problem) -> Audience:
    """Return who may see what comes from the frame: everybody, unless some of it was read off the data."""
    return "share" if problem.frame.public else "curator"
