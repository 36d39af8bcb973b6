"""Outsourced: a data holder releases a projected or a noisy table, and an analyst optimises on it (PO-GP-UCB)."""

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Any, Literal

import numpy as np
import streamlit as st

from pages import ui
from pages.figures import outsourced as figures
from pages.ui import demo
from pages.ui.numbers import count, in_100, power_of_ten, significant, with_error
from pages.ui.text import SIGMA_MIN, SIGMA_Y, verbatim
from privbo_core.bo import Difference, ExtraSteps, Search, information_gain
from privbo_core.data import FrameColumn, Problem, rank_sought, suited_search
from privbo_core.outsourced import (
    Extent,
    Setting,
    Simulation,
    distance_constant,
    distance_distortion,
    dominance_margin,
    guarantee,
    largest_r,
    omega,
    projection_dimension,
    projection_tolerance,
    regret_bound,
    smallest_epsilon,
)
from privbo_core.outsourced.comparison import Comparison, Measure, Mechanism, Policy
from privbo_core.privacy import Guarantee, Status, gaussian_epsilon, group_epsilon

Release = Literal["projection", "noisy", "both"]
RELEASES: dict[Release, str] = {"projection": "Projection", "noisy": "Noisy release", "both": "Both"}
MECHANISMS: dict[Release, tuple[Mechanism, ...]] = {
    "projection": ("private",),
    "noisy": ("noisy",),
    "both": ("private", "noisy"),
}
MEASURES: dict[Measure, str] = {"simple": "Simple regret", "cumulative": "Cumulative regret"}
Rule = Literal["suited", "ucb", "ucb/5", "ei", "thompson"]
RULES: dict[Rule, str] = {
    "suited": "Suited to these data",
    "ucb": "GP-UCB as published",
    "ucb/5": "GP-UCB with β/5",
    "ei": "Expected improvement",
    "thompson": "Thompson sampling",
}
FUNCTIONS = {"one": "One function in all runs", "several": "Another function in each run"}
REPEATS = {"once": "Each row at most once", "again": "A row may be evaluated again"}
PRESETS = {"Table 1": (1.1, 10.0), "Table 2": (1.3, 15.0), "Table 3": (1.5, 20.0), "Figure 2a": (1.1, 10.0)}
"""What the paper's tables and figure set: log ε and the largest r that it tried and that meets the condition.

All are about the synthetic data with δ = 10⁻⁵ and T = 50, searched by GP-UCB as published, which is drawn thin. Table 1
and Figure 2a share this setting: the table varies r, and the figure ε.
"""
MAX_EVALUATIONS = 200
MAX_POINTS = 1500
SWEEPS = {"r": (1, 2, 4, 8, 15, 30, 60, 100), "epsilon": (0.3, 1.0, 2.0, 4.0, 8.0, 16.0, 32.0, 100.0)}
SWEEP_RUNS = 10
DELTA, R, INITIAL = 1e-5, 10, 5
FIRST_RUNS = 4


@dataclass(frozen=True)
class Choices:
    """Everything that the visitor has chosen on this page. ``mechanism`` is the release that the headline is about."""

    simulation: Simulation
    mechanisms: tuple[Mechanism, ...]
    mechanism: Mechanism
    setting: Setting
    runs: int

    @property
    def problem(self) -> Problem:
        """The data and the objective."""
        return self.simulation.problem

    @property
    def policies(self) -> tuple[Policy, ...]:
        """Who searches, in the order in which the curves are drawn."""
        references = dict.fromkeys(self.simulation.reference(mechanism) for mechanism in self.mechanisms)
        return ("random", *references, *self.mechanisms)

    @property
    def own(self) -> bool:
        """Whether the data are the visitor's own."""
        return self.problem.identity is None

    @property
    def sigma_min(self) -> float:
        """The smallest singular value of the centred inputs."""
        return self.simulation.spectrum.sigma_min

    @property
    def omega(self) -> float:
        """What Theorem 1 requires of σ_min."""
        return omega(self.setting.epsilon, self.setting.delta, self.setting.r)


def main() -> None:
    """Draw what follows the thumb, then the sliders, and then the searches as they come in.

    The sliders are drawn late because the browser sends their next values only after that (docs/pages.md).
    """
    ui.begin("outsourced")
    left, first_screen, below = ui.columns()
    with left:
        simulation = ui.pick_data()
        release: Release = ui.choose(
            st.segmented_control, "What the analyst receives", RELEASES, key="release", required=True, width="stretch"
        )
        panel = ui.Panel("outsourced", sliders(simulation.problem.n, MECHANISMS[release]))
        sliders_here = st.container(key="sliders")
        more = ui.Panel("outsourced/more", more_sliders(simulation.problem.n))
        rule, once, simulation = more_settings(simulation, more)
        show_presets(panel, more)
    # All results are of the rule that suits the data. A rule that the visitor chooses is drawn beside it, thin.
    suited = suited_search(simulation.problem)
    chosen = choices(simulation, MECHANISMS[release], panel, more, suited, once)
    thin: Search | None = None if rule == "suited" or rule == suited else rule

    with first_screen:
        headline, tiles = ui.Place("headline"), ui.Place("tiles")
        left_card, right_card = st.columns(2, gap="small")
        with left_card:
            draw_condition(chosen, panel)
        earlier: ExtraSteps | None = panel.recall(f"extra/{chosen.problem.title}", private=chosen.own)
        tiles.html(ui.tiles([*closed_form_tiles(chosen), cost_tile(earlier, chosen, old=True)]))
    with sliders_here:
        panel.show(marks(chosen))
    with right_card:
        regret = open_regret_card(chosen, panel)
    with below:
        ui.Place("guarantee").html(guarantee_card(chosen))
    charts = {"condition": "Condition or noise", "regret": "Regret"}
    export = ui.bar("outsourced", charts, lambda: script_of(chosen), report_of(chosen, regret.measure))

    for found in searches(chosen):
        extra = found.extra_evaluations(chosen.mechanism, rank_sought(chosen.problem))
        headline.html(headline_of(chosen, found, regret.measure, thin))
        tiles.html(ui.tiles([*closed_form_tiles(chosen), cost_tile(extra, chosen)]))
        regret.draw(found)
        panel.remember(f"extra/{chosen.problem.title}", extra, private=chosen.own)
    with below:
        show_details(chosen, found)
    if thin is not None:
        for other in searches(replace(chosen, setting=replace(chosen.setting, search=thin))):
            regret.draw(found, (RULES[thin], other))
    export.make_report()


def sliders(rows: int, mechanisms: tuple[Mechanism, ...]) -> list[ui.Slider]:
    """Return the sliders for a table with so many rows and the releases that are shown."""
    most = max(1, min(MAX_EVALUATIONS, rows - INITIAL - 1))
    usual = min(30, most)
    # Nothing follows from the ε of the projection, whose claim is refuted, except ω.
    only_projection = mechanisms == ("private",)
    private, useful = ("larger ω", "smaller ω") if only_projection else ("more private", "more useful")
    about = "ω is proportional to 1/ε." if only_projection else "A smaller ε protects more. ω is proportional to 1/ε."
    epsilon = ui.epsilon_slider(3.0, about, left=private, right=useful, group="Privacy")
    delta = ui.Slider("delta", "Failure probability δ", 1e-9, 0.1, DELTA, private, useful, group="Privacy", log=True)
    shown = [epsilon, delta]
    if "private" in mechanisms:
        ends = "smaller ω", "better distances"
        r = ui.Slider(
            "r", "Projection dimension r", 1, 100, R, *ends, group="Privacy", log=True, whole=True, presented=True
        )
        shown.append(r)
    if "noisy" in mechanisms:
        ends = "less hidden", "more hidden"
        shown.append(ui.Slider("distance", "Protected distance", 0.1, 25, 1.0, *ends, group="Privacy", log=True))
    shown.append(ui.Slider("T", "Evaluations T", min(5, usual), most, usual, group="Search", whole=True))
    shown.append(ui.Slider("runs", "Simulated runs", 5, demo.most(200, usual=40), 40, group="Search", whole=True))
    return shown


def more_sliders(rows: int) -> list[ui.Slider]:
    """Return the sliders of the model and the start, which are rarely needed."""
    most = max(1, min(50, rows - INITIAL - 1))
    return [
        ui.Slider("initial", "Initial points n₀", 1, most, min(INITIAL, most), "fewer", "more", whole=True),
        ui.Slider("delta_ucb", "δ_ucb of GP-UCB", 0.001, 0.5, 0.05, "explores more", "explores less", log=True),
        ui.Slider("lengthscale", "Length-scale, × fitted", 0.1, 10, 1.0, "rougher", "smoother", log=True),
        ui.Slider("signal", "Signal variance, × fitted", 0.1, 10, 1.0, "smaller", "larger", log=True),
        ui.Slider("answer_noise", "Noise variance, × fitted", 0.1, 10, 1.0, "smaller", "larger", log=True),
    ]


def choices(
    simulation: Simulation,
    mechanisms: tuple[Mechanism, ...],
    panel: ui.Panel,
    more: ui.Panel,
    search: Search,
    once: bool,
) -> Choices:
    """Return the choices that the panels describe."""
    T = panel.whole("T")
    setting = Setting(
        panel["epsilon"],
        panel["delta"],
        round(panel.get("r", R)),
        T,
        more["delta_ucb"],
        min(more.whole("initial"), simulation.problem.n - T - 1),
        protected_distance=panel.get("distance", 1.0),
        search=search,
        once=once,
        lengthscale=more["lengthscale"],
        signal=more["signal"],
        answer_noise=more["answer_noise"],
    )
    return Choices(simulation, mechanisms, mechanisms[0], setting, panel.whole("runs"))


def more_settings(simulation: Simulation, more: ui.Panel) -> tuple[Rule, bool, Simulation]:
    """Show the settings that are rarely needed.

    Return the search rule, whether a row is evaluated only once, and the simulation, which may have another function in
    each run.
    """
    box = ui.more_settings(more)
    widget = box.selectbox if box.open else None
    rule: Rule = ui.choose(widget, "Search rule", RULES, key="search")
    rows = ui.choose(widget, "Rows", REPEATS, key="rows")
    if simulation.problem.draw is not None:
        functions = ui.choose(widget, "Objective", FUNCTIONS, key="functions")
        simulation = ui.with_functions(simulation) if functions == "several" else simulation
    with box:
        more.show(drawn=bool(box.open))
    return rule, rows == "once", simulation


def show_presets(panel: ui.Panel, more: ui.Panel) -> None:
    """Show the paper's settings, one click each, and the way back to the first values."""

    def apply(name: str) -> None:
        log_epsilon, r = PRESETS[name]
        ui.set_choices({"data": "synthetic", "release": "projection", "search": "ucb", "rows": "again"})
        panel.set({"epsilon": math.exp(log_epsilon), "delta": DELTA, "r": r, "T": 50.0})
        more.reset()

    def reset() -> None:
        ui.set_choices({"search": "suited", "rows": "once"})
        panel.reset()
        more.reset()

    ui.note("As in the paper, with a function of our own")
    about = (
        "The paper’s function isn’t public, so its numbers agree only up to the spread between functions. The page "
        "Papers compares them with 20 functions."
    )
    with st.container(horizontal=True, gap="xsmall", key="presets"):
        for name in PRESETS:
            st.button(name, on_click=apply, args=(name,), type="tertiary", help=about)
        st.button("Reset", on_click=reset, type="tertiary", icon=":material/restart_alt:")


@dataclass(frozen=True)
class RegretCard:
    """The card with the regret figure, and how it is to be drawn: by which measure, and which search on its own."""

    chosen: Choices
    panel: ui.Panel
    title: ui.Place
    chart: ui.Chart
    measure: Measure
    single: int | None

    def draw(self, found: Comparison, other: tuple[str, Comparison] | None = None) -> None:
        """Draw the searches that are there, and those by another rule thin, which come with its name."""
        chosen, name = self.chosen, f"top/{self.measure}/{self.chosen.problem.title}"
        top = figures.regret_top(found, chosen.policies, self.measure)
        top = self.panel.hold(name, top, private=chosen.own)
        single = min(self.single, found.runs - 1) if self.single is not None else None
        card = regret_figure(chosen, found, self.measure, top, other, single)
        self.title.html(card.heading)
        self.chart.draw(card.figure, card.alt)


def regret_figure(
    chosen: Choices,
    found: Comparison,
    measure: Measure,
    top: float,
    other: tuple[str, Comparison] | None = None,
    single: int | None = None,
) -> ui.FigureCard:
    """Return the regret of all searches, those by another rule thin, and one of them on its own if that is asked."""
    note = f"Mean over {found.runs} simulated runs."
    if other is not None:
        note += f" Thin: {thin_end(*other, chosen.mechanism, measure)}"
    else:
        note += " Bands show ±1 standard error." if single is None else " One run is drawn on its own."
    text, drawn = regret_title(found, chosen), with_all_references(found, chosen)
    figure = figures.regret(drawn, chosen.policies, measure, top, other[1] if other else None, single)
    return ui.FigureCard("regret", text, note, figure, f"{text}.")


def thin_end(rule: str, other: Comparison, mechanism: Mechanism, measure: Measure) -> str:
    """Return a sentence on the regret at the end by another rule, and on how much of it the release adds."""
    band, added = other.band(mechanism, measure), other.cost(mechanism, measure)
    error = float(band.standard_error[-1])
    end = f"{with_error(float(band.mean[-1]), error)} ± {with_error(error, error)} {SIGMA_Y}"
    more = f"{with_error(abs(added.mean), added.standard_error)} {'more' if added.mean > 0 else 'less'}"
    return f"{rule} ends at {end}, which is {more} than without the release."


def with_all_references(found: Comparison, chosen: Choices) -> Comparison:
    """Return the comparison with all runs in memory of the searches that need no release.

    They don't depend on ε, so their curves stay where they are while it is dragged.
    """
    simulation, setting = chosen.simulation, chosen.setting
    references: dict[str, Any] = {}
    for policy in ("random", *found.references):
        known = simulation.finished(policy, setting, chosen.runs)
        if known > found.runs:
            references[policy] = tuple(simulation.run(policy, setting, number) for number in range(known))
    return replace(found, **references)


def open_regret_card(chosen: Choices, panel: ui.Panel) -> RegretCard:
    """Open the card of the regret figure, with the choices that are about it alone."""
    with ui.card("regret", ui.explanation("outsourced", "regret")) as title:
        chart = ui.Chart("regret")
        with st.container(horizontal=True, vertical_alignment="center"):
            measure: Measure = ui.choose(
                st.segmented_control, "Regret", MEASURES, key="measure", required=True, label_visibility="collapsed"
            )
            single = pick_single_search(chosen.runs)
    return RegretCard(chosen, panel, title, chart, measure, single)


def pick_single_search(runs: int) -> int | None:
    """Show a button that draws one search after another, so that a band isn't read as a fixed thing."""
    number: int | None = st.session_state.get("single")

    def step() -> None:
        st.session_state["single"] = 0 if number is None else (number + 1) % runs

    def stop() -> None:
        st.session_state["single"] = None

    st.button("Show single searches" if number is None else "Next search", on_click=step, type="tertiary")
    if number is not None:
        st.button("Show the mean", on_click=stop, type="tertiary")
    return number


def draw_condition(chosen: Choices, panel: ui.Panel) -> None:
    """Draw what follows the thumb: the condition of Theorem 1, or the noise of the noisy release."""
    setting = chosen.setting
    if chosen.mechanism == "noisy":
        sigma = significant(setting.noise(chosen.problem.frame))
        explained = ui.explanation("outsourced", "noise", distance=f"{setting.protected_distance:.3g}", sigma=sigma)
        shown = noise_figure(chosen)
    else:
        sigma_min, threshold = f"{chosen.sigma_min:,.0f}", f"{chosen.omega:,.0f}"
        explained = ui.explanation("outsourced", "condition", omega=threshold, sigma_min=sigma_min)
        shown = condition_figure(chosen)
    with ui.card("condition", explained) as title:
        title.html(shown.heading)
        ui.Chart("condition", panel).draw(shown.figure, shown.alt)
        ui.note("Drag a dot along its curve, or use the sliders.")


def noise_figure(chosen: Choices) -> ui.FigureCard:
    """Return the noise of the noisy release against ε, beside the length-scales of the function."""
    setting = chosen.setting
    sigma, lengths = setting.noise(chosen.problem.frame), chosen.simulation.prior(setting).lengthscales
    text = "The noise exceeds the shortest length-scale"
    if sigma < lengths.min():
        text = "The noise is smaller than the length-scale"
    note = "The larger the noise is, the less of the function's shape the analyst can see."
    at = f"At ε = {setting.epsilon:.3g} it is {significant(sigma)} protected differences."
    alt = f"The noise of the release against ε. {at}"
    return ui.FigureCard("condition", text, note, figures.noise(sigma, setting, lengths), alt)


def condition_figure(chosen: Choices) -> ui.FigureCard:
    """Return ω against ε and against r, beside σ_min."""
    met = chosen.sigma_min >= chosen.omega
    text = f"The condition {'holds' if met else 'fails'}, so the inputs are {'not ' if met else ''}stretched"
    note = "Stretching changes distances, and so does the random projection itself."
    threshold = f"{chosen.omega:,.0f}"
    alt = f"ω against ε and against r, beside σ_min = {chosen.sigma_min:,.0f}. At this setting ω is {threshold}."
    return ui.FigureCard("condition", text, note, figures.condition(chosen.sigma_min, chosen.setting), alt)


def closed_form_tiles(chosen: Choices) -> list[ui.Tile]:
    """Return the tiles that need no simulation."""
    setting = chosen.setting
    if chosen.mechanism == "noisy":
        lengths, unit = chosen.simulation.prior(setting).lengthscales, "protected differences"
        sigma, distance = setting.noise(chosen.problem.frame), setting.protected_distance
        column = chosen.problem.frame.columns[0]
        alike = np.ptp(lengths) < 0.01 * lengths.min()
        shortest, longest = significant(lengths.min()), significant(lengths.max())
        span = shortest if alike else f"{shortest} to {longest}"
        return [
            ui.Tile("Noise σ", significant(sigma), f"{unit}, or {of_column(column, sigma)}", "covered"),
            ui.Tile("Length-scale of the model", span, unit),
            ui.Tile("Protected distance", significant(distance), f"{unit}, or {of_column(column, distance)}"),
        ]
    smallest = smallest_epsilon(chosen.sigma_min, setting.delta, setting.r)
    met = "Met" if chosen.sigma_min >= chosen.omega else "Not met"
    at = f"at ε = {setting.epsilon:.3g}, δ = {power_of_ten(setting.delta)}, r = {setting.r}"
    return [
        ui.Tile(f"Condition {SIGMA_MIN} ≥ ω", met, f"holds for ε ≥ {smallest:.3g}, but gives no privacy"),
        ui.Tile(f"Smallest singular value {SIGMA_MIN}", f"{chosen.sigma_min:,.0f}", "of the inputs", "holder"),
        ui.Tile("Required by Theorem 1, ω", f"{chosen.omega:,.0f}", at),
    ]


def cost_tile(extra: ExtraSteps | None, chosen: Choices, *, old: bool = False) -> ui.Tile:
    """Return the cost of privacy: the extra evaluations until half of the searches have found one of the best rows.

    The numbers are medians over the runs.
    """
    rank, initial = rank_sought(chosen.problem), chosen.setting.initial
    goal = "the best row" if rank == 1 else f"one of the {rank} best rows"
    to_find = f"to find {goal} after {count(initial, 'initial point', 'initial points')}"
    if extra is None:
        return ui.Tile("Extra evaluations", "…", to_find, old=True)
    if not extra.plain_reached:
        return ui.Tile("Evaluations needed", f"More than {extra.limit}", f"{to_find}, with privacy or without", old=old)
    if not extra.private_reached:
        remark = f"median: more than {extra.limit} with privacy and {extra.plain} without, {to_find}"
        return ui.Tile("Extra evaluations", f"More than {extra.limit - extra.plain}", remark, old=old)
    remark = f"median: {extra.private} with privacy and {extra.plain} without, {to_find}"
    if not extra.significant:
        return ui.Tile("Extra evaluations", "None measurable", remark, old=old)
    about = "about " if extra.approximate else ""
    return ui.Tile(
        "Extra evaluations", f"{about}{extra.extra}", f"{remark} (95%: {extra.low} to {extra.high})", old=old
    )


def headline_of(chosen: Choices, found: Comparison, measure: Measure, thin: Search | None = None) -> str:
    """Return the finding in one of three cases, and below it who does what, and how sure the finding is.

    ``thin`` is the search rule that the visitor chose, if the finding is not about it.
    """
    cost: Difference = found.cost(chosen.mechanism, measure)
    error, after = cost.standard_error, f"after {count(chosen.setting.iterations, 'evaluation', 'evaluations')}"
    what = "cumulative regret" if measure == "cumulative" else "regret"
    cause = "The projection" if chosen.mechanism == "private" else "Privacy"
    if thin is not None:
        cause = f"With {RULES[chosen.setting.search]}, {cause[0].lower()}{cause[1:]}"
    if not cost.clear:
        title = f"{cause} makes no measurable difference to the {what} {after}"
    elif cost.mean > 0:
        title = f"{cause} adds {with_error(cost.mean, error)} {SIGMA_Y} of {what} {after}"
    else:
        less = f"{with_error(-cost.mean, error)} {SIGMA_Y}"
        title = f"The release makes this rule explore more, which lowers the {what} by {less}"
    interval = f"{with_error(cost.low, error)} to {with_error(cost.high, error)} {SIGMA_Y}"
    sure = f"The 95% interval of the added {what} is {interval}, from {found.runs} simulated searches."
    if thin is not None:
        sure += f" {RULES[thin]}, which you chose, is drawn thin."
    if chosen.mechanism == "private":
        lead = (
            "A data holder releases a random projection of its inputs, and an analyst optimises on it. "
            f"An attacker who knows {chosen.problem.d + 1} records can reconstruct all the others. {sure}"
        )
        return ui.headline(title, lead, "refuted", "Privacy claim refuted")
    lead = f"A data holder adds noise to its inputs, and an analyst optimises on the noisy table. {sure}"
    promise = guarantee_of(chosen)
    return ui.headline(title, lead, ui.status_kind(promise), ui.privacy_words(promise))


def regret_title(found: Comparison, chosen: Choices) -> str:
    """Return the finding of the figure: whether the searches beat random search."""
    private, plain = found.lead(chosen.mechanism), found.lead(found.reference(chosen.mechanism))
    T = count(chosen.setting.iterations, "evaluation", "evaluations")
    name = "the projection" if chosen.mechanism == "private" else "the noisy release"
    if not plain.low > 0:
        return f"After {T}, even the non-private search isn't clearly ahead of random search"
    if private.low > 0:
        return f"After {T}, the search on {name} is clearly ahead of random search"
    return f"After {T}, the search on {name} isn't clearly ahead of random search"


def marks(chosen: Choices) -> dict[str, tuple[ui.Mark, ...]]:
    """Mark where σ_min = ω on the sliders for ε and r."""
    if chosen.mechanism == "noisy":
        return {}
    smallest = smallest_epsilon(chosen.sigma_min, chosen.setting.delta, chosen.setting.r)
    largest = largest_r(chosen.sigma_min, chosen.setting.epsilon, chosen.setting.delta)
    return {"epsilon": (ui.Mark(smallest, "σ_{min} = ω"),), "r": (ui.Mark(largest, "σ_{min} = ω"),)}


def guarantee_of(chosen: Choices) -> Guarantee:
    """Return the guarantee of the release, or the paper's claim about it."""
    setting = chosen.setting
    if chosen.mechanism == "private":
        neighbours = "two tables that differ in one row, by a distance of at most 1 after scaling"
        return guarantee(setting.epsilon, setting.delta, neighbours)
    shown = ui.differences(chosen.problem, setting.protected_distance)
    listed = ", or ".join(verbatim(f"{amount} in {name}") for amount, name in shown)
    together = ", or a smaller combination of these" if len(shown) > 1 else ""
    neighbours = f"two tables that differ in one row, by at most {listed}{together}"
    return chosen.simulation.noisy_guarantee(setting, neighbours)


def of_column(column: FrameColumn, differences: float) -> str:
    """Return so many protected differences of a column in its own unit, such as "4 years in age"."""
    unit = f" {column.unit}" if column.unit else ""
    return verbatim(f"{significant(differences * column.hide)}{unit} in {column.name}")


def guarantee_card(chosen: Choices, *, links: bool = True) -> str:
    """Return the card of the guarantee, with the way to the attack where it is refuted, unless ``links`` is false."""
    promise, delta = guarantee_of(chosen), power_of_ten(chosen.setting.delta)
    if chosen.mechanism == "private":
        sentence = (
            f"**Kharkovskii, Dai and Low claim ({chosen.setting.epsilon:.3g}, {delta})-differential privacy at this "
            f"setting (Theorem 1), but the claim does not hold.** An attacker who knows {chosen.problem.d + 1} of the "
            "records can reconstruct all the others, whatever ε is."
        )
        ways = (
            ("See the attack in Audit", "audit?attack=reconstruction"),
            ("switch to the noisy release", "outsourced?release=noisy"),
        )
        proven = ", whose guarantee is proven" if chosen.problem.frame.public else ""
        link = f"{ui.link(*ways[0])}, or {ui.link(*ways[1])}{proven}."
    else:
        sentence = (
            "**Apart from the outcomes that it asks for and the number of rows, the analyst receives only noisy "
            "rows.** Whatever else the analyst knows, the noise limits what it learns about differences up to the "
            "protected distance."
        )
        link = ""
    return ui.guarantee_card(promise, sentence, ui.level_sentence(promise, delta), link if links else "")


def report_of(chosen: Choices, measure: Measure) -> ui.Report:
    """Return the interactive report of this page, with a slider for ε."""

    def at(epsilon: float) -> tuple[Choices, Comparison]:
        there = replace(chosen, setting=replace(chosen.setting, epsilon=epsilon))
        *_, found = there.simulation.compare(there.setting, there.runs, there.mechanisms, ui.interrupt)
        return there, found

    def frame(epsilon: float) -> ui.Frame:
        there, found = at(epsilon)
        extra = found.extra_evaluations(there.mechanism, rank_sought(there.problem))
        closed = noise_figure(there) if there.mechanism == "noisy" else condition_figure(there)
        # The axis is the same at every ε. The regret is largest where ε is smallest.
        top = figures.regret_top(at(ui.REPORT_EPSILONS[0])[1], there.policies, measure)
        shown = [closed, regret_figure(there, found, measure, top)]
        if (promise := guarantee_of(there)).mu is not None:
            shown.append(meaning_figure(promise))
        numbers = [*closed_form_tiles(there), cost_tile(extra, there)]
        return ui.Frame(headline_of(there, found, measure), numbers, shown, guarantee_card(there, links=False))

    return ui.Report(
        page="Outsourced optimisation",
        data=chosen.problem.title,
        key="epsilon",
        label="Privacy loss ε",
        now=chosen.setting.epsilon,
        values=ui.REPORT_EPSILONS,
        frame=frame,
        question=(chosen.simulation, chosen.mechanisms, replace(chosen.setting, epsilon=1.0), chosen.runs, measure),
        settings=settings_of(chosen),
        own=chosen.own,
        guaranteed=guarantee_of(chosen).status is Status.PROVED,
    )


def settings_of(chosen: Choices) -> list[tuple[str, str]]:
    """Return the settings that a report names, in the order of the sliders."""
    setting = chosen.setting
    shown = [("Failure probability δ", power_of_ten(setting.delta))]
    if "private" in chosen.mechanisms:
        shown.append(("Projection dimension r", f"{setting.r}"))
    if "noisy" in chosen.mechanisms:
        shown.append(("Protected distance", f"{setting.protected_distance:.3g}"))
    return [*shown, ("Evaluations T", f"{setting.iterations}"), ("Simulated runs", f"{chosen.runs}")]


def searches(chosen: Choices) -> Iterator[Comparison]:
    """Yield the comparison of all searches as the runs come in, beginning with the runs in memory.

    A single run has no standard error, so the first comparison has two.
    """
    known = min(chosen.simulation.finished(mechanism, chosen.setting, chosen.runs) for mechanism in chosen.mechanisms)
    runs = chosen.simulation.compare(chosen.setting, chosen.runs, chosen.mechanisms, ui.interrupt)
    several = (now for now in runs if now.runs > 1)
    return ui.follow(several, ready=lambda now: now.runs >= max(known, FIRST_RUNS))


def script_of(chosen: Choices) -> str:
    """Return a Python script that computes this page again, and shows the call for a real release."""
    setting, problem = chosen.setting, chosen.problem
    sample = (problem.identity or "").partition("/")
    name = sample[2] if sample[0] == "sample" else sample[0]
    load = f'problem = pb.data.sample("{name}")'
    if problem.identity is None:
        load = "# Prepare your own table as on the page Data: pb.data.load_table, pb.data.make_problem.\nproblem = ..."
    lines = f"""
{load}
simulation = pb.outsourced.Simulation(problem)
setting = pb.outsourced.{setting!r}
*_, found = simulation.compare(setting, {chosen.runs}, {chosen.mechanisms!r})
cost = found.cost("{chosen.mechanism}")
print("regret added by privacy:", cost.mean, "95% interval:", cost.low, "to", cost.high)
extra = found.extra_evaluations("{chosen.mechanism}", pb.data.rank_sought(problem))
print("evaluations with privacy and without:", extra.private, extra.plain)
print("sigma_min:", simulation.spectrum.sigma_min)
print("omega:", pb.outsourced.omega(setting.epsilon, setting.delta, setting.r))
print("noise in protected differences:", setting.noise(problem.frame))
"""
    real = f"""The real noisy release of a table in its column settings, with noise from the operating system:
release = pb.outsourced.publish(problem.original, problem.frame, {setting.epsilon!r}, {setting.delta!r},
                                protected_distance={setting.protected_distance!r})"""
    return ui.write_script("Outsourced", lines, real)


def show_details(chosen: Choices, found: Comparison) -> None:
    """Show what lies below the first screen. A section is computed only while it is open."""
    sections: dict[str, Callable[[], None]] = {
        "What does this ε mean?": lambda: show_meaning(chosen),
        "Maps: what the data holder has, and what the analyst receives": lambda: show_maps(chosen),
    }
    if chosen.mechanism == "private":
        sections |= {
            "Distances against the bounds of Theorem 2": lambda: show_distances(chosen),
            "Regret against r and against ε": lambda: show_sweeps(chosen),
            "Theory: the regret bound of Theorem 3": lambda: show_theory(chosen, found),
        }
    for name, show in sections.items():
        section = st.expander(name, on_change="rerun", key=f"section/{name}")
        if section.open:
            with section:
                show()


def show_meaning(chosen: Choices) -> None:
    """Show how often the best attacker is right, for differences of every size."""
    promise = guarantee_of(chosen)
    if promise.mu is None:
        st.markdown(ui.explanation("outsourced", "meaning of a refuted claim", known=str(chosen.problem.d + 1)))
        return
    epsilon, delta = chosen.setting.epsilon, chosen.setting.delta
    twice, ten = (f"{group_epsilon(epsilon, delta, times):.3g}" for times in (2.0, 10.0))
    four = f"{gaussian_epsilon(delta, 1.0, 2.0 * promise.mu):.3g}"
    right = in_100(promise.attack_accuracy)
    values = {"epsilon": f"{epsilon:.3g}", "right": right, "twice": twice, "ten": ten, "four": four}
    shown = meaning_figure(promise)
    ui.Place("meaning-title").html(shown.heading)
    ui.Chart("meaning").draw(shown.figure, shown.alt)
    st.markdown(ui.explanation("outsourced", "meaning", **values))


def meaning_figure(promise: Guarantee) -> ui.FigureCard:
    """Return how often the best attacker is right against the size of the difference."""
    assert promise.mu is not None
    text = f"The best attacker tells two candidate records apart {in_100(promise.attack_accuracy)} times in 100"
    note = "Guessing gets 50. Larger differences are easier to tell apart."
    return ui.FigureCard("meaning", text, note, figures.accuracy(promise.mu), f"{text}.", covered=True)


def show_maps(chosen: Choices) -> None:
    """Play one search over time: on the data holder's inputs, and on the analyst's copy of them."""
    setting, problem, simulation = chosen.setting, chosen.problem, chosen.simulation
    trace = simulation.run(chosen.mechanism, setting, 0)
    projected = chosen.mechanism == "private"
    released = simulation.release(setting, 0).Z if projected else simulation.noisy_release(setting, 0).Z
    if min(problem.d, released.shape[1]) < 2:
        st.markdown("The maps need at least two inputs and two released columns.")
        return
    T = setting.iterations
    t = st.slider("Evaluations so far", 1, T, T, key=f"map-time/{T}") if T > 1 else T
    rows = simulation.rows[trace.rows[: trace.initial + t]].tolist()
    shown = np.random.default_rng(0).permutation(problem.n)[:MAX_POINTS]
    names = ui.axis_name(problem.names[0], problem.units[0]), ui.axis_name(problem.names[1], problem.units[1])
    figure = figures.maps(problem.original, released, rows, names, shown)
    title = "The analyst chooses rows by their place on the right, and the data holder evaluates them on the left"
    note = (
        f"One simulated search after {setting.initial} initial points and {t} evaluations. The newest row is circled."
    )
    ui.Place("maps-title").html(ui.title(title, note, "holder"))
    ui.Chart("maps").draw(figure, f"{title}.")


def show_distances(chosen: Choices) -> None:
    """Show by how much one projection stretches squared distances, beside the bounds of Theorem 2."""
    setting, problem = chosen.setting, chosen.problem
    released = chosen.simulation.release(setting, 0).Z
    measured = distance_distortion(problem.points, released, 20_000, np.random.default_rng(0))
    stretch = distance_constant(chosen.sigma_min, chosen.omega)
    mu = setting.delta_ucb / 2
    tolerance = projection_tolerance(problem.n, mu, setting.r)
    low, high = (float(np.quantile(measured.ratios, share)) for share in (0.05, 0.95))
    bounds = (1 - tolerance, (1 + tolerance) * stretch) if tolerance < 0.5 else None
    if bounds is None:
        starts = math.ceil(projection_dimension(problem.n, mu, 0.5))
        note = f"Theorem 2 gives no bound at r = {setting.r}. For {problem.n:,} rows it needs r ≥ {starts:,}."
    else:
        note = f"Theorem 2 bounds the factor between {bounds[0]:.2f} and {bounds[1]:.3g} (dotted)."
    title = f"Nine in ten squared distances are multiplied by {low:.3g} to {high:.3g}"
    ui.Place("distances-title").html(
        ui.title(title, f"{note} {measured.pairs:,} random pairs, one projection.", "holder")
    )
    ui.Chart("distances").draw(figures.distances(measured, bounds), f"{title}.")
    st.markdown(ui.explanation("outsourced", "distances", deviation=f"{math.sqrt(2 / setting.r):.2f}"))
    if stretch > 1:
        st.markdown(ui.explanation("outsourced", "stretched distances", stretch=f"{stretch:.3g}"))
    else:
        st.markdown(ui.explanation("outsourced", "distances that are not stretched"))


def show_sweeps(chosen: Choices) -> None:
    """Show the regret at the end for other values of r and of ε, as they are computed."""
    plain = [trace.simple_regret[-1] for trace in chosen.simulation.stream("plain", chosen.setting, SWEEP_RUNS)]
    level = float(np.mean(plain)) / chosen.problem.sigma_y
    places = st.columns(2, gap="small")
    for place, (name, values) in zip(places, SWEEPS.items(), strict=True):
        with place:
            title, chart = ui.Place(f"sweep-{name}"), ui.Chart(f"sweep-{name}")
            now = chosen.setting.r if name == "r" else chosen.setting.epsilon
            label = "projection dimension r" if name == "r" else "privacy loss ε"
            title.html(
                ui.title(f"Regret after {chosen.setting.iterations} evaluations against {label}", f"{SWEEP_RUNS} runs")
            )
            means, errors = [], []
            for value in values:
                ui.interrupt()
                setting = chosen.setting
                at = replace(setting, r=round(value)) if name == "r" else replace(setting, epsilon=value)
                ends = [trace.simple_regret[-1] for trace in chosen.simulation.stream("private", at, SWEEP_RUNS)]
                means.append(float(np.mean(ends)) / chosen.problem.sigma_y)
                errors.append(float(np.std(ends, ddof=1)) / math.sqrt(SWEEP_RUNS) / chosen.problem.sigma_y)
            figure = figures.sweep(values, np.array(means), np.array(errors), level, label, float(now))
            chart.draw(figure, f"Regret against {label}.")


def show_theory(chosen: Choices, found: Comparison) -> None:
    """Show the terms and requirements of Theorem 3, with its hidden constants set to 1.

    Without σ_min ≥ ω the theorem gives no bound. By Remark 2 there is one in which a constant that the text doesn't
    give takes the place of ε_ucb.
    """
    problem, setting, points = chosen.problem, chosen.setting, chosen.problem.points
    kernel, noise_variance = chosen.simulation.model(setting)
    gain = information_gain(points, kernel, noise_variance, setting.iterations)
    diameter = min(
        2 * float(np.linalg.norm(points - points.mean(axis=0), axis=1).max()),
        float(np.linalg.norm(np.ptp(points, axis=0))),
    )
    largest = float(max(np.abs(trace.observed).max() for trace in found.private))
    bound = regret_bound(
        Extent(problem.n, diameter, largest),
        kernel=kernel,
        noise_variance=noise_variance,
        iterations=setting.iterations,
        gamma=float(gain.upper[-1]),
        delta_ucb=setting.delta_ucb,
    )
    met = chosen.sigma_min >= chosen.omega
    dominance = min(dominance_margin(points[trace.rows[:-1]], kernel) for trace in found.private)
    rows = {
        "Bound on the simple regret S_{T}, the root of the sum of its three terms": (
            f"{bound.bound:,.3g}, if all requirements were met" if met else "none, because σ_{min} < ω"
        ),
        f"Measured, in {SIGMA_Y}": f"{found.band('private').mean[-1]:.3f}",
        "Term ε_{ucb}²": (
            f"{bound.epsilon_ucb_squared:.3g}, for ε_{{ucb}} = {math.sqrt(bound.epsilon_ucb_squared):.3g}"
            if met
            else "not known, because another constant takes its place (Remark 2)"
        ),
        "Approximation term": f"{bound.approximation:,.3g}",
        "Exploration term": f"{bound.exploration:,.3g}",
        "β_{T}": f"{bound.beta_t:.1f}",
        "γ_{T}, greedy and its upper bound, in nats": f"{gain.greedy[-1]:.1f} to {gain.upper[-1]:.1f}",
        "Diameter of the inputs, in length-scales": f"{diameter / kernel.lengthscale:.3g}",
        "L, the largest observation": f"{largest:.3g}",
        "ν, by which the theorem lets squared distances be off": f"{bound.nu:.3g}",
        "r that the theorem requires": f"{bound.r_needed:,.3g}",
        "r in use": f"{setting.r}",
        "Diagonal dominance of K: the smallest ratio of Definition 3, which has to be at least 1": f"{dominance:.2g}",
    }
    st.markdown(ui.explanation("outsourced", "theory"))
    ui.table(("Theorem 3, with the hidden constants set to 1", "Value"), list(rows.items()))


main()
