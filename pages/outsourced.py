"""Outsourced: a data holder releases a random projection, somebody else optimises on it (PO-GP-UCB)."""

import math
import time
from contextlib import closing
from typing import get_args

import streamlit as st

from pages.parts.bring.problems import own_recipe, pick_problem
from pages.parts.controls.live_sliders import Mark, Slider, read_controls, show_sliders
from pages.parts.frame.address import choose
from pages.parts.frame.pace import give_way, wait
from pages.parts.front_door import come_in
from pages.parts.outsourced import details as outsourced_details
from pages.parts.outsourced import figures as outsourced_figures
from pages.parts.show.card import guarantee_card
from pages.parts.show.chart import Chart
from pages.parts.show.look import SIGMA_Y, apply_style, finding, plain, scientific, tiles
from pages.parts.take_away import script as scripts
from pages.parts.take_away.offer import about_problem, take_away
from privbo_core.data import Problem
from privbo_core.outsourced import (
    Comparison,
    Setting,
    Simulation,
    guarantee,
    largest_r,
    noisy_guarantee,
    omega,
    smallest_epsilon,
)
from privbo_core.outsourced.simulation import BOUNDS, Measure, Mechanism

REDRAW = 0.25  # seconds between two pictures of a curve that is still being computed
ANNOUNCE = 0.12  # seconds between two counts of the runs finished
DIM_OLD_CURVE = "<span></span><style>.st-key-chart-regret .plot { animation: pb-dim 0.2s 0.4s forwards; }</style>"
FIRST_RUNS = 4  # what the first picture of a new curve is made of
RESTING = 0.4  # seconds after which a thumb that is still held counts as resting
HELD = 30.0  # seconds for which the rest of the page waits for a held thumb


RELEASES: dict[str, tuple[str, tuple[Mechanism, ...]]] = {
    "projection": ("Paper’s projection", ("private",)),
    "noisy": ("Noisy release", ("noisy",)),
    "both": ("Both", ("private", "noisy")),
}


def sliders(simulation: Simulation, mechanisms: tuple[Mechanism, ...]) -> list[Slider]:
    """Return the sliders for a problem and the releases shown. T cannot exceed the number of rows."""
    rows = simulation.problem.n
    only = {"r": "private", "distance": "noisy"}
    panel = [
        Slider("epsilon", "ε", math.exp(-1), math.exp(5), math.exp(1.1), "more private", "more useful",
               "Privacy loss. ω is proportional to 1/ε.", step=0.01, log=True, exponential=True),
        Slider("delta", "δ", 1e-12, 0.1, 1e-5, "more private", "more useful",
               "The probability with which the promise may fail altogether. Should be well below 1/n.", step=0.01, log=True),
        Slider("r", "r", 1, 100, 10, "fewer dimensions", "truer distances, larger ω",
               "Dimension of the random projection that is released.", whole=True),
        Slider("distance", "protected distance", 0.1, 25, 1, "less is hidden", "more is hidden",
               "Two datasets count as neighbours if one row differs by at most this (the farthest row lies at 25).", step=0.02, log=True),
        Slider("T", "T", min(10, rows), min(200, rows), min(50, rows), "fewer evaluations", "more evaluations",
               "Evaluations after the five initial ones.", whole=True),
        Slider("runs", "runs", 5, 200, 50, "faster", "thinner bands",
               "Runs averaged; each has its own initial points and its own projection.", whole=True),
        Slider("delta_ucb", "δ_ucb", 0.001, 0.5, 0.05, "explores more", "explores less",
               "GP-UCB’s confidence parameter.", step=0.01, log=True),
    ]  # fmt: skip
    return [slider for slider in panel if only.get(slider.key) in (None, *mechanisms)]


def with_marks(panel: list[Slider], sigma_min: float, setting: Setting) -> list[Slider]:
    """Return the sliders with the places marked where σ_min = ω."""
    marks = {
        "epsilon": Mark(smallest_epsilon(sigma_min, setting.delta, setting.r), "σ_min = ω"),
        "r": Mark(largest_r(sigma_min, setting.epsilon, setting.delta), "largest r"),
    }
    return [Slider(**(vars(s) | {"marks": (marks[s.key],) if s.key in marks else ()})) for s in panel]


def headline(simulation: Simulation, setting: Setting, mechanism: Mechanism, extra: str, remark: str) -> str:
    """Return the four headline numbers; ``extra`` and ``remark`` say what privacy costs."""
    if mechanism == "noisy":
        noise, lengthscale = setting.noise(simulation.problem.d), simulation.problem.kernel.lengthscale
        return tiles(
            [
                ("Noise σ in each coordinate", f"{noise:.3g}", f"at ε = {setting.epsilon:.3g}", "share"),
                ("Length-scale of f", f"{lengthscale:.3g}", "over which outcomes change", "curator"),
                ("Protected distance", f"{setting.protected_distance:.3g}", f"bounds ± {BOUNDS[1]:g}", "share"),
                ("Extra regret for privacy", extra, remark, "simulation"),
            ]
        )
    sigma_min, threshold = simulation.spectrum.sigma_min, omega(setting.epsilon, setting.delta, setting.r)
    met = sigma_min >= threshold
    state = '<span class="pb-met">✓ met</span>' if met else '<span class="pb-unmet">✗ not met</span>'
    epsilon = smallest_epsilon(sigma_min, setting.delta, setting.r)
    return tiles(
        [
            ("Condition σ<sub>min</sub> ≥ ω", state, f"from ε* = {epsilon:.3g} on", "curator"),
            ("σ<sub>min</sub> of the inputs", f"{sigma_min:.0f}", "smallest spread", "curator"),
            ("ω, what Theorem 1 asks", f"{threshold:.0f}", f"at ε = {setting.epsilon:.3g}", "share"),
            ("Extra regret for privacy", extra, remark, "simulation"),
        ]
    )


def extra_regret(comparison: Comparison, mechanism: Mechanism) -> tuple[str, str]:
    """Return what privacy costs at the last evaluation, and how sure that is, as text."""
    if comparison.runs < 2:
        return "…", "first runs on their way"
    cost = comparison.extra(mechanism=mechanism)
    value = f"{cost.mean[-1]:+.2f} {SIGMA_Y}".replace("-", "−")
    return value, f"± {cost.standard_error[-1]:.2f} over {comparison.runs} runs"


def condition_finding(simulation: Simulation, setting: Setting, mechanism: Mechanism) -> str:
    """Return the title of the condition figure: what it shows now."""
    if mechanism == "noisy":
        noise, lengthscale = setting.noise(simulation.problem.d), simulation.problem.kernel.lengthscale
        relation = (
            "less than f varies over" if noise < lengthscale else "more than f varies over, so little is left to see"
        )
        return finding(f"Noise moves each record by σ = {noise:.3g}: {relation} (ℓ = {lengthscale:.3g})", "share")
    sigma_min, threshold = simulation.spectrum.sigma_min, omega(setting.epsilon, setting.delta, setting.r)
    if sigma_min >= threshold:
        return finding(f"Distances survive: σ_min = {sigma_min:.0f} ≥ ω = {threshold:.0f}", "curator")
    stretch = 1 + threshold**2 / sigma_min**2
    times = f"up to {math.sqrt(stretch):.3g}-fold"
    return finding(f"Distances are stretched {times}: σ_min = {sigma_min:.0f} &lt; ω = {threshold:.0f}", "curator")


def one_sigma(problem: Problem) -> str:
    """Return what the unit of regret means in the output's own terms, where it has some."""
    preparation = problem.preparation
    if preparation is None:
        return ""
    amount = float(preparation.output_difference(problem.sigma_y))
    if preparation.log_output:
        return f"; 1 {SIGMA_Y} is a factor of {amount:.3g}"
    return f"; 1 {SIGMA_Y} is {amount:.3g} {plain(preparation.output_unit)}".rstrip()


def regret_finding(comparison: Comparison, runs: int, iterations: int, mechanism: Mechanism, unit: str) -> str:
    """Return the title of the regret figure: what privacy costs now."""
    if comparison.runs < 2:
        return finding("The first runs are on their way", "simulation")
    cost = comparison.extra(mechanism=mechanism)
    mean, error = float(cost.mean[-1]), float(cost.standard_error[-1])
    small = (
        f"{comparison.runs} of {runs} runs"
        if comparison.runs < runs
        else f"{runs} runs, bands ± 1 standard error{unit}"
    )
    if len(comparison.mechanisms) == 2:
        other = float(comparison.extra(mechanism="noisy").mean[-1])
        title = f"Privacy costs {other:+.2f} {SIGMA_Y} by noise (proved), {mean:+.2f} by projection (refuted)"
    elif abs(mean) < 2 * error or abs(mean) < 0.005:
        title = f"No clear cost of privacy after {iterations} evaluations ({mean:+.2f} ± {error:.2f} {SIGMA_Y})"
    else:
        verb = "costs" if mean > 0 else "happens to save"
        title = f"Privacy {verb} {abs(mean):.2f} {SIGMA_Y} after {iterations} evaluations (± {error:.2f})"
    return finding(title.replace("-", "−"), "simulation", small)


come_in()
colours = apply_style()
left, right = st.columns([1, 3.6], gap="medium")
with left:
    st.html("<h1 class='pb-page'>Outsourced optimisation</h1>")
    simulation = pick_problem()
    release = choose(st.segmented_control, "What the modeler gets", list(RELEASES), key="release", required=True,
                     format_func=lambda key: RELEASES[key][0])  # fmt: skip
mechanisms = RELEASES[release][1]
mechanism = mechanisms[0]
with left:
    panel_place = st.container(key="controls")
panel = sliders(simulation, mechanisms)
controls = read_controls("outsourced", panel)
setting = Setting(
    controls["epsilon"],
    controls["delta"],
    int(controls.values.get("r", 10)),
    controls.whole("T"),
    controls["delta_ucb"],
    protected_distance=controls.values.get("distance", 1.0),
)
problem, sigma_min = simulation.problem, simulation.spectrum.sigma_min

with right:
    tiles_place = st.empty()
    condition_place, regret_place = st.columns(2, gap="medium")
    with condition_place:
        st.html(condition_finding(simulation, setting, mechanism))
        if mechanism == "noisy":
            Chart("noise").draw(
                outsourced_figures.noise(problem.d, problem.kernel.lengthscale, setting, colours),
                f"The noise σ against ε, beside the length-scale. σ is now {setting.noise(problem.d):.3g}.",
            )
        else:
            Chart("condition").draw(
                outsourced_figures.condition(sigma_min, setting, colours),
                f"ω against ε and against r. σ_min is {sigma_min:.0f}, ω is now "
                f"{omega(setting.epsilon, setting.delta, setting.r):.0f}.",
            )
    known, _ = st.session_state.get("outsourced/curve", {}).get("headline", ("…", ""))
    tiles_place.html(headline(simulation, setting, mechanism, f'<span class="pb-old">{known}</span>', "being computed"))
with panel_place:
    # Only now, so that the panel sends its next change after the picture above has been sent.
    marked = with_marks(panel, sigma_min, setting) if "private" in mechanisms else panel
    show_sliders("outsourced", marked, controls)
    if setting.delta >= 1 / problem.n:
        st.warning(
            f"δ = {scientific(setting.delta)} is at least 1/n = {scientific(1 / problem.n)}: the promise could be kept while some record "
            "is revealed outright. Choose δ well below 1/n."
        )

with regret_place:
    title_place, regret_chart = st.empty(), Chart("regret")
    measure: Measure = choose(st.segmented_control, "Regret", get_args(Measure), key="measure", required=True,
                              label_visibility="collapsed")  # fmt: skip
with panel_place:
    take_away(
        about_problem(
            "Outsourced optimisation", problem, ("What the modeler gets", RELEASES[release][0]), ("Regret", measure)
        ),
        lambda: scripts.outsourced(problem, own_recipe(), setting, controls.whole("runs"), mechanisms, measure),
    )
with right:
    for place, shown in zip(st.columns(len(mechanisms), gap="medium"), mechanisms, strict=True):
        with place:
            if shown == "private":
                card = guarantee(setting.epsilon, setting.delta, outsourced_details.neighbours(problem))
                st.html(guarantee_card(card))
                st.page_link("pages/audit.py", label="See it refuted: Audit", icon=":material/fact_check:")
            else:
                neighbours = outsourced_details.neighbours(problem, setting.protected_distance)
                card = noisy_guarantee(setting.epsilon, setting.delta, neighbours)
                st.html(guarantee_card(card, given="assuming the bounds are public"))
                if problem.identity is None:
                    st.warning(
                        "Scale and length-scales were read off your own data here, and the proof does not cover that. This is a simulation; "
                        "for a real release, type in bounds that were known before: pb.outsourced.publish_noisy(…, bounds=…)."
                    )

    outsourced_details.show_meaning_of(card, setting, problem, mechanisms[-1], colours)

memory = st.session_state.setdefault("outsourced/curve", {})
same = memory.get("of") == (problem.title, measure, release)
held_top = memory.get("top") if controls.dragging and same else None
runs, unit = controls.whole("runs"), one_sigma(problem)
finished = min(simulation.finished(policy, setting, runs) for policy in mechanisms)
drawn = announced = 0.0
began = time.perf_counter()
with regret_place:
    dimming = st.empty()
    dimming.html(DIM_OLD_CURVE)
with closing(simulation.compare(setting, runs, mechanisms, give_way)) as comparisons:
    for comparison in comparisons:
        give_way()
        now = time.perf_counter()
        enough = min(runs, max(finished, FIRST_RUNS)) if drawn == 0 and now - began < REDRAW else min(runs, 2)
        if comparison.runs < runs and (comparison.runs < enough or now - drawn < REDRAW):
            if now - announced > ANNOUNCE and comparison.runs > finished:
                announced = now
                title_place.html(regret_finding(comparison, runs, setting.iterations, mechanism, unit))
            continue
        first, drawn, announced = drawn == 0, now, now
        title_place.html(regret_finding(comparison, runs, setting.iterations, mechanism, unit))
        before = memory.get("curves") if same and comparison.runs < runs else None
        chart = outsourced_figures.regret(comparison, before, measure, held_top, SIGMA_Y, colours)
        regret_chart.draw(chart, "Regret over the evaluations: private, non-private and random search.")
        dimming.empty()
        memory["headline"] = extra_regret(comparison, mechanism)
        tiles_place.html(headline(simulation, setting, mechanism, *memory["headline"]))
        if first and controls.dragging:
            wait(RESTING)
memory.update(
    of=(problem.title, measure, release), curves={policy: comparison.band(policy, measure) for policy in mechanisms}
)
if controls.dragging:
    # What lies below stays as it is until the thumb is let go; to finish the script now would take it off the page.
    wait(HELD)
else:
    memory["top"] = outsourced_figures.regret_top(comparison, measure)
if "private" in mechanisms:
    outsourced_details.show_details(simulation, setting, runs, comparison, colours)
else:
    outsourced_details.show_noisy_details(simulation, setting, comparison, colours)
