"""Outsourced: a data holder releases a projected or a noisy table, and an analyst optimises on it (PO-GP-UCB)."""

import numpy as np
import streamlit as st

from pages import ui
from pages.figures import outsourced as figures
from pages.ui.data import pick_data
from pages.ui.explanations import explanation
from pages.ui.numbers import count, power_of_ten, with_error
from pages.ui.text import SIGMA_MIN, SIGMA_Y
from privbo_core.bo import Difference, ExtraSteps
from privbo_core.data import Problem, rank_sought, suited_search
from privbo_core.outsourced import Setting, Simulation, guarantee, largest_r, omega, smallest_epsilon
from privbo_core.outsourced.comparison import Comparison, Measure, Mechanism, Policy
from privbo_core.privacy import Guarantee

RELEASES = {"projection": "Projection", "noisy": "Noisy release", "both": "Both"}
MECHANISMS: dict[str, tuple[Mechanism, ...]] = {
    "projection": ("private",),
    "noisy": ("noisy",),
    "both": ("private", "noisy"),
}
MEASURES: dict[Measure, str] = {"simple": "Simple", "cumulative": "Cumulative"}
RULES = {
    "suited": "Suited to the data",
    "ucb": "GP-UCB as published",
    "ucb/5": "GP-UCB with β/5",
    "ei": "Expected improvement",
    "thompson": "Thompson sampling",
}
MAX_EVALUATIONS = 200
PRESETS = {
    "Table 1": ("synthetic", {"epsilon": 3.0, "delta": 1e-5, "r": 10}),
    "Table 2": ("loans", {"epsilon": 3.0, "delta": 1e-5, "r": 15}),
    "Table 3": ("homes", {"epsilon": 3.0, "delta": 1e-5, "r": 20}),
    "Figure 2a": ("synthetic", {"epsilon": 2.72, "delta": 1e-5, "r": 10}),
}


def main() -> None:
    """Draw the page: what follows the thumb first, then the panel, then the searches as they come in."""
    ui.begin("outsourced")
    panel_column, right = ui.columns()
    with panel_column:
        simulation = pick_data()
        release = ui.choose(st.segmented_control, "What the analyst receives", RELEASES, key="release", required=True)
        panel = ui.Panel("outsourced", sliders(simulation.problem.n, MECHANISMS[release]))
        panel_place = st.container()
    mechanisms = MECHANISMS[release]
    setting = setting_of(simulation, panel)
    lead = mechanisms[-1] if release == "noisy" else mechanisms[0]

    with right:
        headline, tiles = ui.Place("headline"), ui.Place("tiles")
        left_card, right_card = st.columns(2, gap="small")
        with left_card:
            draw_condition(simulation, setting, lead, panel)
        known = st.session_state.get(f"{simulation.problem.title}/found")
        tiles.html(ui.tiles(closed_form_tiles(simulation, setting, lead) + cost_tile(known, old=True)))
    with panel_place:
        panel.show(marks=marks(simulation, setting, lead))
        more_settings(panel)

    with right_card:
        measure, chart, title = regret_card(panel)
    with right:
        show_guarantee(simulation, setting, lead)

    ready = min(simulation.finished(policy, setting, panel.whole("runs")) for policy in mechanisms)
    results = simulation.compare(setting, panel.whole("runs"), mechanisms, ui.interrupt)
    for comparison in ui.follow(results, ready=lambda now: now.runs >= max(ready, 4)):
        cost = comparison.cost(lead, measure)
        extra = comparison.extra_evaluations(lead, rank_sought(simulation.problem))
        finding = simulation.problem, setting, cost, extra, measure
        headline.html(headline_of(*finding, release_status(simulation, setting, lead), comparison.runs))
        tiles.html(ui.tiles(closed_form_tiles(simulation, setting, lead) + cost_tile((extra, simulation.problem))))
        draw_regret(comparison, mechanisms, measure, chart, title, panel)
        st.session_state[f"{simulation.problem.title}/found"] = extra, simulation.problem


def sliders(rows: int, mechanisms: tuple[Mechanism, ...]) -> list[ui.Slider]:
    """Return the sliders for a table with so many rows and the releases that are shown."""
    most = min(MAX_EVALUATIONS, rows - 6)
    epsilon = ui.epsilon_slider(3.0, "A smaller ε protects more. ω is proportional to 1/ε.", group="Privacy")
    delta = ui.Slider(
        "delta", "Failure probability δ", 1e-9, 0.1, 1e-5, "more private", "more useful", group="Privacy", log=True
    )
    r = ui.Slider(
        "r",
        "Projection dimension r",
        1,
        100,
        10,
        "smaller ω",
        "better distances",
        group="Privacy",
        log=True,
        whole=True,
    )
    distance = ui.Slider(
        "distance", "Protected distance", 0.1, 25, 1.0, "less hidden", "more hidden", group="Privacy", log=True
    )
    T = ui.Slider("T", "Evaluations T", min(5, most), most, min(30, most), group="Search", whole=True)
    runs = ui.Slider("runs", "Simulated runs", 5, 200, 40, group="Search", whole=True)
    shown = [epsilon, delta, *([r] if "private" in mechanisms else []), *([distance] if "noisy" in mechanisms else [])]
    return [*shown, T, runs]


def setting_of(simulation: Simulation, panel: ui.Panel) -> Setting:
    """Return the setting that the panel describes, with the search rule that suits the problem."""
    known = {slider.key for slider in panel.sliders}
    return Setting(
        panel["epsilon"],
        panel["delta"],
        panel.whole("r") if "r" in known else 10,
        panel.whole("T"),
        initial=min(5, simulation.problem.n - panel.whole("T") - 1),
        protected_distance=panel["distance"] if "distance" in known else 1.0,
        search=suited_search(simulation.problem),
        once=True,
    )


def draw_condition(simulation: Simulation, setting: Setting, lead: Mechanism, panel: ui.Panel) -> None:
    """Draw what follows the thumb: the condition of Theorem 1, or the noise of the noisy release."""
    problem = simulation.problem
    if lead == "noisy":
        sigma, lengths = setting.noise(problem.frame), simulation.prior(setting).lengthscales
        figure = figures.noise(sigma, setting, lengths)
        text = (
            "The noise is smaller than the length-scale"
            if sigma < lengths.min()
            else "The noise hides the shape of the function"
        )
        note = "Both in protected differences. Where the noise is larger, the search gets harder."
        explained = explanation(
            "outsourced", "noise", distance=f"{setting.protected_distance:.3g}", sigma=f"{sigma:.3g}"
        )
        alt = (
            f"The noise of the release against ε. At ε = {setting.epsilon:.3g} it is {sigma:.3g} protected differences."
        )
    else:
        sigma_min, threshold = simulation.spectrum.sigma_min, omega(setting.epsilon, setting.delta, setting.r)
        figure = figures.condition(sigma_min, setting)
        met = sigma_min >= threshold
        text = "The condition holds, so distances survive" if met else "The condition fails, so distances are bent"
        note = "ω falls with ε and grows with r. Where it is above σ_{min}, the inputs are stretched first."
        explained = explanation("outsourced", "condition", omega=f"{threshold:,.0f}", sigma_min=f"{sigma_min:,.0f}")
        alt = f"ω against ε and against r, beside σ_min = {sigma_min:,.0f}. At this setting ω is {threshold:,.0f}."
    with ui.card("condition", explained) as title:
        title.html(ui.title(text, note))
        ui.Chart("condition", panel).draw(figure, alt)


def closed_form_tiles(simulation: Simulation, setting: Setting, lead: Mechanism) -> list[ui.Tile]:
    """Return the tiles that need no simulation."""
    problem = simulation.problem
    if lead == "noisy":
        lengths = simulation.prior(setting).lengthscales
        span = (
            f"{lengths.min():.3g}"
            if np.ptp(lengths) < 0.01 * lengths.min()
            else f"{lengths.min():.3g} to {lengths.max():.3g}"
        )
        return [
            ui.Tile("Noise σ", f"{setting.noise(problem.frame):.3g}", "in protected differences", "covered"),
            ui.Tile("Length-scale", span, "in protected differences"),
            ui.Tile("Protected distance", f"{setting.protected_distance:.3g}", "in protected differences", "covered"),
        ]
    sigma_min, threshold = simulation.spectrum.sigma_min, omega(setting.epsilon, setting.delta, setting.r)
    smallest = smallest_epsilon(sigma_min, setting.delta, setting.r)
    at = f"at ε = {setting.epsilon:.3g}, δ = {power_of_ten(setting.delta)}, r = {setting.r}"
    return [
        ui.Tile(
            f"Condition {SIGMA_MIN} ≥ ω", "Met" if sigma_min >= threshold else "Not met", f"for ε ≥ {smallest:.3g}"
        ),
        ui.Tile(f"Smallest singular value {SIGMA_MIN}", f"{sigma_min:,.0f}", "of the inputs", "holder"),
        ui.Tile("Required by Theorem 1, ω", f"{threshold:,.0f}", at),
    ]


def cost_tile(found: tuple[ExtraSteps, Problem] | None, *, old: bool = False) -> list[ui.Tile]:
    """Return the tile with the cost of privacy: the extra evaluations until one of the best rows is found."""
    if found is None:
        return [ui.Tile("Cost of privacy", "…", "the searches are being simulated")]
    extra, problem = found
    goal = goal_of(problem)
    if not extra.plain_reached:
        return [
            ui.Tile(
                "Cost of privacy",
                f"more than {extra.limit} evaluations",
                f"with and without privacy to find {goal}",
                old=old,
            )
        ]
    numbers = f"{extra.private if extra.private_reached else f'more than {extra.limit}'} instead of {extra.plain} to find {goal}"
    more = "" if extra.private_reached else "more than "
    value = count(extra.extra - (not extra.private_reached), "evaluation", "evaluations")
    if not extra.significant:
        return [ui.Tile("Cost of privacy", "No measurable difference", numbers, old=old)]
    return [ui.Tile("Extra evaluations", f"{more}{value}", numbers, old=old)]


def goal_of(problem: Problem) -> str:
    """Return what a search looks for, in words."""
    rank = rank_sought(problem)
    return "the best row" if rank == 1 else f"one of the {rank} best rows"


def headline_of(
    problem: Problem, setting: Setting, cost: Difference, extra: ExtraSteps, measure: Measure, kind: str, runs: int
) -> str:
    """Return the finding in one of three cases, and how sure it is."""
    error = cost.standard_error
    unit = f"{SIGMA_Y} of {'cumulative ' if measure == 'cumulative' else ''}regret"
    span = f"{with_error(cost.low, error)} to {with_error(cost.high, error)}"
    if not cost.clear:
        title = f"Privacy has no measurable cost in regret after {setting.iterations} evaluations"
    elif cost.mean > 0:
        title = f"Privacy adds {with_error(cost.mean, error)} {unit} after {setting.iterations} evaluations"
    else:
        title = f"The release makes the search explore more, which lowers regret by {with_error(-cost.mean, error)} {SIGMA_Y}"
    what = "a random projection" if kind == "refuted" else "a noisy version"
    lead = (
        f"A data holder releases {what} of its table, and an analyst optimises on it (PO-GP-UCB). In {runs} simulated "
        f"searches, the 95% interval of the difference is {span}."
    )
    return ui.headline(title, lead, kind)


def marks(simulation: Simulation, setting: Setting, lead: Mechanism) -> dict[str, tuple[ui.Mark, ...]]:
    """Mark on the sliders where σ_min = ω."""
    if lead == "noisy":
        return {}
    sigma_min = simulation.spectrum.sigma_min
    return {
        "epsilon": (ui.Mark(smallest_epsilon(sigma_min, setting.delta, setting.r), "σ_min = ω"),),
        "r": (ui.Mark(largest_r(sigma_min, setting.epsilon, setting.delta), "σ_min = ω"),),
    }


def more_settings(panel: ui.Panel) -> None:
    """Show presets, and the way back to the first values."""
    with st.container(horizontal=True, gap="small"):
        st.button("Reset", on_click=panel.reset, type="tertiary", icon=":material/restart_alt:")


def regret_card(panel: ui.Panel) -> tuple[Measure, ui.Chart, ui.Place]:
    """Open the card of the regret figure."""
    with ui.card("regret", explanation("outsourced", "regret")) as title:
        chart = ui.Chart("regret")
        measure = ui.choose(
            st.segmented_control, "Regret", MEASURES, key="measure", label_visibility="collapsed", required=True
        )
    return measure, chart, title


def draw_regret(
    comparison: Comparison,
    mechanisms: tuple[Mechanism, ...],
    measure: Measure,
    chart: ui.Chart,
    title: ui.Place,
    panel: ui.Panel,
) -> None:
    """Draw the regret of all searches, with a title that states how they compare with random search."""
    references = tuple(dict.fromkeys(comparison.reference(mechanism) for mechanism in mechanisms))
    policies: tuple[Policy, ...] = ("random", *references, *mechanisms)
    top = panel.hold(f"top/{measure}", figures.regret_top(comparison, policies, measure))
    lead = comparison.lead(mechanisms[0], measure)
    ahead = lead.clear and lead.mean > 0
    text = (
        "The private search ends below random search"
        if ahead
        else "The private search doesn't clearly beat random search"
    )
    title.html(
        ui.title(text, f"Mean regret over {comparison.runs} runs, with bands of ±1 standard error.", "simulated")
    )
    alt = f"{text}. Mean regret over {comparison.runs} runs."
    chart.draw(figures.regret(comparison, policies, measure, top), alt)


def release_status(simulation: Simulation, setting: Setting, lead: Mechanism) -> str:
    """Return the badge of the guarantee."""
    if lead == "private":
        return "refuted"
    return "proven" if simulation.problem.frame.public else "caution"


def promise_of(simulation: Simulation, setting: Setting, lead: Mechanism) -> Guarantee:
    """Return what the release guarantees, or what the paper claims of it."""
    if lead == "private":
        return guarantee(
            setting.epsilon, setting.delta, "datasets that differ in one row by a distance of 1 after scaling"
        )
    return simulation.noisy_guarantee(setting, "datasets that differ in one row by the protected distance")


def show_guarantee(simulation: Simulation, setting: Setting, lead: Mechanism) -> None:
    """Show the guarantee of the release, with the way to the attack where it is refuted."""
    promise = promise_of(simulation, setting, lead)
    if lead == "private":
        sentence = (
            f"**The paper claims ({setting.epsilon:.3g}, {power_of_ten(setting.delta)})-differential privacy in Theorem 1, "
            f"but the claim does not hold.** An attacker who knows {simulation.problem.d + 1} of the records can reconstruct "
            "all the others, whatever ε is."
        )
        link = ui.link("See the attack in Audit", "audit")
    else:
        sentence, link = "The analyst receives the noisy table and nothing else that was computed from the records.", ""
    level = ui.level_sentence(promise, power_of_ten(setting.delta))
    ui.Place("guarantee").html(ui.guarantee_card(promise, sentence, level, link))


main()
