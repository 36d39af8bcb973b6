"""Release: a team publishes a tuned configuration and its score, by DP-BO or by private selection."""

import math
from collections.abc import Callable, Generator
from dataclasses import dataclass, replace
from functools import cached_property, partial
from typing import Any, Literal, get_args

import numpy as np
import streamlit as st

from pages import ui
from pages.figures import release as figures
from pages.figures import release_more as more_figures
from pages.figures.release import INTERVAL, brief
from pages.ui.numbers import count, in_100, power_of_ten
from pages.ui.text import joined
from privbo_core.bo import Difference
from privbo_core.data import LipschitzLoss, TuningTask
from privbo_core.errors import DataError
from privbo_core.privacy import Guarantee, Status
from privbo_core.release import (
    Coverage,
    Design,
    Lipschitz,
    Mechanism,
    NoiseFree,
    Noisy,
    Publication,
    Search,
    Selection,
    Variant,
    Way,
    restrict,
    simulated_releases,
)
from privbo_core.tradeoff import expected_loss, expected_score_error, ways_lost

Algorithm = Literal["selection", "1 noisy", "2 exact", "3 Lipschitz"]
ALGORITHMS: dict[Algorithm, str] = {
    "selection": "Private selection",
    "1 noisy": "DP-BO, Algorithm 1 (noisy)",
    "2 exact": "DP-BO, Algorithm 2 (noise-free)",
    "3 Lipschitz": "DP-BO, Algorithm 3 (Lipschitz)",
}
VERSIONS = {"ICML": "ICML 2015", "workshop": "Workshop"}
PAPERS = {"icml": "Kusner, Gardner, Garnett and Weinberger (ICML 2015)", "workshop": "The workshop version"}
VARIANTS: dict[str, Variant] = {"ICML": "icml", "workshop": "workshop"}
WAYS: dict[Way, str] = {"permute-and-flip": "Permute-and-flip", "exponential": "Exponential"}
Published = Literal["setting", "score", "setting and score"]
PUBLISHED: dict[Published, str] = {"setting": "Configuration", "score": "Score", "setting and score": "Both"}
MECHANISMS: dict[Algorithm, Mechanism] = dict(zip(ALGORITHMS, get_args(Mechanism), strict=True))
SCORE_THEOREMS: dict[Algorithm, int] = {"selection": 2, "1 noisy": 4, "2 exact": 6, "3 Lipschitz": 8}
"""The theorem on how far the published score is from the best one. Private selection has one bound in all."""
PRESETS = {"Bounds (ICML)": "ICML", "Bounds (workshop)": "workshop"}
PRESET_VALUES = {"epsilon": 1.0, "delta": 1e-3, "k1": 0.99, "T": 50.0, "sigma": 0.1, "a": 3.0}
"""The settings of DP-BO's bounds on Papers, for the version of each paper. Papers varies ε, T and |Λ| one at a time."""
NEARLY_ALL = 0.9
"""The share of the candidates in effect above which a draw counts as nearly uniform."""
SEARCHES, FIRST_SEARCHES = 20, 4
PAIRS = 200
MAX_REHEARSALS, MORE_REHEARSALS = 60, 20
MAX_EVALUATIONS = 200


@dataclass(frozen=True, eq=False)
class Choices:
    """Everything that the visitor has chosen on this page. The bounds fail with probability e^−``a``."""

    task: TuningTask
    algorithm: Algorithm
    design: Design
    a: float

    @property
    def name(self) -> str:
        """The name of the mechanism in a sentence."""
        return name_of(self.algorithm)

    @property
    def total(self) -> float:
        """The ε of everything that is published. A configuration and its score cost ε each."""
        return self.design.epsilon * (self.design.setting + self.design.score)

    @property
    def in_total(self) -> str:
        """The ε of everything that is published, in words."""
        return f"ε = {brief(self.total)}{' in total' if self.total > self.design.epsilon else ''}"

    @property
    def at(self) -> str:
        """The ε of each publication in words, with that of both together."""
        each = f"ε = {brief(self.design.epsilon)}"
        return f"{each} each ({brief(self.total)} in total)" if self.total > self.design.epsilon else each

    @property
    def own(self) -> bool:
        """Whether the data are the visitor's own."""
        return self.task.identity is None

    @property
    def searches(self) -> int:
        """How many searches the loss is averaged over. Without noise, all searches are the same."""
        return {"selection": 0, "1 noisy": SEARCHES}.get(self.algorithm, 1)

    @property
    def search_key(self) -> tuple[object, ...]:
        """The settings that a search depends on, besides the task."""
        tuning = self.design.tuning
        return tuning.sigma, tuning.iterations, tuning.delta

    @property
    def pairs_key(self) -> tuple[object, ...]:
        """The settings that pairs from the prior depend on, besides the task."""
        return *self.search_key, self.design.k1, self.design.variant

    @property
    def theorem(self) -> int:
        """The theorem on the published configuration, or on the score if that alone is published."""
        return 2 if self.design.setting else SCORE_THEOREMS[self.algorithm]

    @cached_property
    def units(self) -> figures.Units:
        """How scores are shown."""
        return figures.units_of(self.task)

    def amount(self, difference: float) -> str:
        """Return a difference of two scores with its unit."""
        return self.units.amount(difference)


def name_of(algorithm: Algorithm) -> str:
    """Return the name of a mechanism in a sentence, such as Algorithm 1."""
    return ALGORITHMS[algorithm].removeprefix("DP-BO, ").partition(" (")[0]


def explain(section: str, **values: str) -> str:
    """Return a section of the page's explanations, which write the unit σ_f in words."""
    return ui.explanation("release", section, **{name: text.replace("σ_{f}", "σf") for name, text in values.items()})


def main() -> None:
    """Draw the parts that follow the thumb, then the sliders, and then the parts that take several searches."""
    ui.begin("release")
    left, first_screen, below = ui.columns()
    with left:
        made = ui.pick_task()
        task = None if isinstance(made, ui.Missing) else made
        algorithm, variant, way, published = pick_mechanism()
        panel = ui.Panel("release", sliders(task, algorithm))
        sliders_here = st.container(key="sliders")
        show_presets(panel)
    with first_screen:
        headline, tiles = ui.Place("headline"), ui.Place("tiles")
    nothing = ui.missing(made, name_of(algorithm), records=algorithm == "selection", model=algorithm == "3 Lipschitz")
    if task is None or nothing:
        headline.html(nothing)
        with first_screen:
            ui.show_missing(made, records=algorithm == "selection")
        with sliders_here:
            panel.show()
        return

    picked = task
    task, design = design_of(task, panel, algorithm, variant, way, published)
    chosen = Choices(task, algorithm, design, panel["a"])
    first = next(searched(chosen, panel, min(1, chosen.searches)), ())
    now = with_pairs(chosen, design.publication(task, first[0] if first else None), known_pairs(chosen, panel))
    with first_screen:
        draw_first_screen(chosen, now, panel)
    ready = max(len(known_searches(chosen, panel)), min(FIRST_SEARCHES, chosen.searches))
    if len(known_searches(chosen, panel)) == ready:
        draw_numbers(chosen, now, known_searches(chosen, panel), headline, tiles)
    with sliders_here:
        panel.show()
    with below:
        guarantee = ui.Place("guarantee")
        guarantee.html(guarantee_card(chosen, now))
    charts = {"configuration": "Configuration", "score": "Published score"}
    export = ui.bar("release", charts, lambda: script_of(chosen), report_of(chosen, panel, picked, now.guarantee))

    for found in ui.follow(searched(chosen, panel, chosen.searches), lambda so_far: len(so_far) >= ready):
        draw_numbers(chosen, now, found, headline, tiles)
    if algorithm == "2 exact" and design.score and not panel.dragging:
        for result in ui.follow(pairs(chosen, panel), lambda so_far: so_far.pairs == PAIRS):
            now = with_pairs(chosen, now, result)
            draw_numbers(chosen, now, known_searches(chosen, panel), headline, tiles)
            guarantee.html(guarantee_card(chosen, now))
    with below:
        show_details(chosen, now, panel)
    export.make_report()


def pick_mechanism() -> tuple[Algorithm, Variant, Way, Published]:
    """Show the choices of the mechanism, its version, and the values that are published."""
    algorithm: Algorithm = ui.choose(st.selectbox, "Mechanism", ALGORITHMS, key="algorithm")
    variant, way = VARIANTS["ICML"], next(iter(WAYS))
    if algorithm == "3 Lipschitz":
        return algorithm, variant, way, "score"
    look: dict[str, Any] = {"required": True, "width": "stretch"}
    if algorithm == "selection":
        way = ui.choose(st.segmented_control, "Draw", WAYS, key="way", **look)
    else:
        variant = VARIANTS[ui.choose(st.segmented_control, "Version", VERSIONS, key="paper", **look)]
    offered = {key: name for key, name in PUBLISHED.items() if algorithm != "selection" or key != "score"}
    usual: Published = "setting" if algorithm == "selection" else "setting and score"
    return (
        algorithm,
        variant,
        way,
        ui.choose(st.segmented_control, "Published", offered, key="publish", default=usual, **look),
    )


def sliders(task: TuningTask | None, algorithm: Algorithm) -> list[ui.Slider]:
    """Return the sliders of an algorithm on a task."""
    less, more, private, useful = "less noise", "more noise", "more private", "more useful"
    costs = "ε of each publication. A configuration and its score together cost 2ε."
    shown = [ui.epsilon_slider(1.0 if algorithm == "selection" else 3.0, costs, group="Privacy")]
    if algorithm in ("1 noisy", "2 exact"):
        alike = "How much the scores on two neighbouring validation sets are assumed to resemble each other."
        shown += [
            ui.Slider("delta", "Failure probability δ", 1e-6, 0.5, 1e-3, private, useful, group="Privacy", log=True),
            ui.Slider("k1", "Prior correlation k₁", 0, 1, 0.99, more, less, alike, group="Privacy"),
        ]
    if algorithm == "3 Lipschitz":
        shown += lipschitz_sliders(task)
    if algorithm == "2 exact":
        decay = "The search is assumed to be within A·exp(−Tτ/(log T)^(d/4)) of the best score. Nobody knows A and τ."
        assumed: dict[str, Any] = {"help": decay, "group": "Assumed decay", "log": True}
        shown.append(ui.Slider("A", "Constant A", 0.01, 100, 1.0, less, more, **assumed))
        shown.append(ui.Slider("tau", "Constant τ", 0.001, 10, 0.1, more, less, **assumed))
    if algorithm != "selection":
        most = min(MAX_EVALUATIONS, task.n if task is not None else MAX_EVALUATIONS)
        shown.append(ui.Slider("T", "Evaluations T", 2, most, min(50, most), group="Search", whole=True))
    if algorithm == "1 noisy":
        unit = "The noise of one evaluation, in prior standard deviations of the score."
        shown.append(ui.Slider("sigma", "Noise σ", 1e-3, 2, 0.1, "exact", "noisy", unit, group="Search", log=True))
    sure = "The bounds fail with probability e^−a, in addition to δ. No publication depends on a."
    return [*shown, ui.Slider("a", "Confidence a", 0.5, 10, 3.0, "smaller bounds", "surer", sure, group="Bounds")]


def lipschitz_sliders(task: TuningTask | None) -> list[ui.Slider]:
    """Return the sliders for the constants of Algorithm 3, which begin at those of the task's own loss."""
    if task is None or (own := task.loss) is None:
        return []
    low, high, less, more = own.lambda_min, own.lambda_max, "less noise", "more noise"
    first = "It starts at the value for the task's own loss."
    shape: dict[str, Any] = {"group": "Constants of Theorem 7", "log": True}
    shown = [
        ui.Slider("lambda_min", "Smallest λ", low, high, low, more, less, presented=True, **shape),
        ui.Slider("lambda_max", "Largest λ", low, high, high, less, more, **shape),
        ui.Slider("L", "Lipschitz constant L", 0.01, 10, own.slope, less, more, first, **shape),
        ui.Slider("g", "Largest loss g*", 0.01, 10, own.largest, less, more, first, **shape),
    ]
    # How many records a visitor's own table has doesn't belong in the address.
    if task.identity is not None and task.records is not None:
        shown.append(ui.Slider("m", "Records m", 2, 100_000, task.records, more, less, whole=True, **shape))
    return shown


def show_presets(panel: ui.Panel) -> None:
    """Show the settings of the bounds on Papers, and the way back to the first values."""

    def apply(paper: str) -> None:
        mechanism = {"algorithm": "1 noisy", "paper": paper, "publish": "setting and score"}
        ui.set_choices({"task": "prior", "candidates": "200", **mechanism})
        panel.set(PRESET_VALUES)

    ui.note("Settings of Papers, with either paper’s constants")
    with st.container(horizontal=True, gap="xsmall", key="presets"):
        for name, paper in PRESETS.items():
            st.button(name, on_click=apply, args=(paper,), type="tertiary")
        st.button("Reset", on_click=panel.reset, type="tertiary", icon=":material/restart_alt:")


def design_of(
    task: TuningTask, panel: ui.Panel, algorithm: Algorithm, variant: Variant, way: Way, published: Published
) -> tuple[TuningTask, Design]:
    """Return the choices that the sliders describe, and the task with only those λ in range that Algorithm 3 is told.

    A range that leaves fewer than two candidates gets a sentence, and the page shows the task's own range.
    """
    shown = {slider.key for slider in panel.sliders}
    known: dict[str, Any] = {key: panel[key] for key in ("delta", "k1", "sigma", "A", "tau") if key in shown}
    if algorithm != "selection":
        known["iterations"] = panel.whole("T")
    if algorithm == "3 Lipschitz" and (own := task.loss) is not None:
        low, high = panel["lambda_min"], panel["lambda_max"]
        try:
            task = restrict(task, low, high)
        except DataError as problem:
            panel.errors["lambda_min"] = f"λ from {problem} The page shows the task's own range."
            low, high = own.lambda_min, own.lambda_max
        known["loss"] = LipschitzLoss(panel["L"], panel["g"], low, high)
        known["records"] = panel.whole("m") if "m" in shown else None
    setting, score = published != "score", published != "setting"
    return task, Design(MECHANISMS[algorithm], panel["epsilon"], setting, score, variant, way, **known)


def known(panel: ui.Panel, chosen: Choices, name: str, key: tuple[object, ...]) -> Any:  # noqa: ANN401
    """Return the searches or the pairs that are in memory, or None if that belongs to other settings."""
    kept = panel.recall(name, private=chosen.own)
    return kept[2] if kept is not None and kept[0] is chosen.task.points and kept[1] == key else None


def known_searches(chosen: Choices, panel: ui.Panel) -> tuple[Search, ...]:
    """Return the searches at these settings that are in memory."""
    return known(panel, chosen, "searches", chosen.search_key) or ()


def searched(chosen: Choices, panel: ui.Panel, runs: int) -> Generator[tuple[Search, ...], None, None]:
    """Yield all searches so far, which differ in their noise, beginning with those in memory."""
    task, found = chosen.task, known_searches(chosen, panel)
    if found:
        yield found
    while len(found) < runs:
        ui.interrupt()
        found = (*found, chosen.design.search(task, len(found)))
        panel.remember("searches", (task.points, chosen.search_key, found), private=chosen.own)
        yield found


def draw_numbers(
    chosen: Choices, now: Publication, searches: tuple[Search, ...], headline: ui.Place, tiles: ui.Place
) -> None:
    """Draw the headline and the tiles."""
    found, numbers = findings(chosen, now, searches)
    headline.html(found)
    tiles.html(ui.tiles(numbers))


def findings(chosen: Choices, now: Publication, searches: tuple[Search, ...]) -> tuple[str, list[ui.Tile]]:
    """Return the headline and the tiles, with the loss averaged over the searches so far."""
    if not chosen.design.setting:
        return score_headline(chosen, now), score_tiles(chosen, now)
    plans = [chosen.design.publication(now.task, search).plan for search in searches] or [now.plan]
    losses = Difference.of([expected_loss(now.task, plan) for plan in plans])
    title = f"{chosen.name} loses {chosen.amount(losses.mean)} of {chosen.units.measure} at {chosen.in_total}"
    headline = ui.headline(title, setting_lead(chosen, now, losses), *status_of(now))
    return headline, setting_tiles(chosen, now, losses)


def status_of(now: Publication) -> tuple[Any, str]:
    """Return the badge beside the headline."""
    return ui.status_kind(now.guarantee), "Theorem 5 refuted" if now.refuted else ui.privacy_words(now.guarantee)


def setting_lead(chosen: Choices, now: Publication, losses: Difference) -> str:
    """Return the sentences on the publication, on how sure the loss is, and on the loss of a uniform draw."""
    both = f" and its score, for ε = {brief(chosen.design.epsilon)} each" if chosen.design.score else ""
    team, uniform = f"A team publishes one of {now.task.n:,} configurations{both}.", chosen.amount(now.uniform_loss)
    if losses.runs > 1:
        low, high = chosen.amount(losses.low), chosen.amount(losses.high)
        sure = f"In {losses.runs} simulated searches, the 95% interval is {chosen.units.digits(losses.low)} to {high}."
        if low == high:
            sure = f"The 95% interval of {losses.runs} simulated searches is narrower than the last digit."
    else:
        sure = f"In 95 of 100 random draws, it loses at most {chosen.amount(now.loss_quantile(INTERVAL))}."
    return f"{team} {sure} A uniform draw loses {uniform} on average."


def score_headline(chosen: Choices, now: Publication) -> str:
    """Return the finding where the score alone is published."""
    half, at = now.half_width(INTERVAL), f"at {chosen.at}"
    hidden = half >= now.spread
    title = f"{chosen.name} publishes the score to within ±{chosen.amount(half)} {at}"
    assert now.before_noise is not None
    protected, spread = chosen.units.text(now.before_noise), chosen.amount(now.spread)
    lead = (
        f"A team publishes a score and no configuration. In 95 of 100 cases it lies within ±{chosen.amount(half)} of "
        f"{protected}. All configurations score within {spread} of each other."
    )
    return ui.headline(f"The noise of {chosen.name} hides the score {at}" if hidden else title, lead, *status_of(now))


def setting_tiles(chosen: Choices, now: Publication, losses: Difference) -> list[ui.Tile]:
    """Return the cost, how sharply the mechanism draws, the noise on the score, and the bound of the theorem."""
    choice, n = now.plan.choice, now.task.n
    assert choice is not None
    uniform = f"a uniform draw loses {chosen.amount(now.uniform_loss)}"
    cost = ui.Tile("Score lost", chosen.amount(losses.mean), uniform, "holder")
    effect = ui.Tile(
        "Effective candidates", f"{choice.effective_candidates:.0f} of {n:,}", f"a uniform draw has all {n:,}"
    )
    if chosen.design.score:
        return [cost, effect, noise_tile(chosen, now), bound_tile(chosen, now)]
    tenth = math.ceil(n / 10)
    often = f"{in_100(now.chance_of_best(tenth))} in 100"
    drawn = ui.Tile("Best tenth is drawn", often, f"draws give one of the best {tenth:,}", "holder")
    return [cost, effect, drawn, bound_tile(chosen, now)]


def score_tiles(chosen: Choices, now: Publication) -> list[ui.Tile]:
    """Return the noise on the score, its sensitivity, the range of all scores, and the bound of the theorem."""
    moves, scale = chosen.amount(now.sensitivity), chosen.amount(now.noise_scale)
    return [
        noise_tile(chosen, now),
        ui.Tile("Sensitivity Δ of the score", moves, f"noise scale Δ/ε is {scale}"),
        ui.Tile("Range of all scores", chosen.amount(now.spread), "from the worst to the best", "holder"),
        bound_tile(chosen, now),
    ]


def noise_tile(chosen: Choices, now: Publication) -> ui.Tile:
    """Return the noise on the published score."""
    span = f"95% interval; all scores span {chosen.amount(now.spread)}"
    return ui.Tile("Noise on the score", f"±{chosen.amount(now.half_width(INTERVAL))}", span)


def bound_tile(chosen: Choices, now: Publication) -> ui.Tile:
    """Return the bound of the theorem, and from which ε on it is informative."""
    bound = now.bounds(chosen.a)[chosen.theorem]
    starts = bound.smallest_epsilon(now.spread)
    useful = (
        "above the range of all scores at any ε"
        if math.isinf(starts)
        else f"below the range of all scores for ε > {brief(starts)}"
    )
    name = "Bound on the loss" if chosen.algorithm == "selection" else f"Bound of Theorem {chosen.theorem}"
    return ui.Tile(name, chosen.amount(bound.value), useful)


def draw_first_screen(chosen: Choices, now: Publication, panel: ui.Panel) -> None:
    """Draw which configuration is published and how likely, and the published score with its noise."""
    left_card, right_card = st.columns(2, gap="small")
    with left_card:
        if isinstance(now.plan, Lipschitz):
            draw_sensitivity(chosen, now, now.plan, panel)
        else:
            draw_candidates(chosen, now, now.plan)
    with right_card:
        draw_score(chosen, now, panel)


def draw_candidates(chosen: Choices, now: Publication, plan: Noisy | NoiseFree | Selection) -> None:
    """Draw the scores, the search's beliefs about them, and how likely each configuration is to be published."""
    section = f"draw by {plan.way}" if isinstance(plan, Selection) else "draw of DP-BO"
    shown = candidates_figure(chosen, now, plan)
    with ui.card("configuration", explained(chosen, now, section)) as title:
        title.html(shown.heading)
        ui.Chart("configuration").draw(shown.figure, shown.alt)


def candidates_figure(chosen: Choices, now: Publication, plan: Noisy | NoiseFree | Selection) -> ui.FigureCard:
    """Return the scores of all configurations, and how likely each is to be published."""
    task, units = now.task, chosen.units
    search = None if isinstance(plan, Selection) else plan.search
    belief = figures.belief_of(search, task, units) if search is not None else None
    protected = None if chosen.design.setting or now.before_noise is None else float(units.level(now.before_noise))
    chances = plan.choice.probabilities if chosen.design.setting else None
    most = float(plan.choice.probabilities.max()) * task.n
    if not chosen.design.setting:
        text = "The search finds the score that is protected"
    elif plan.choice.effective_candidates > NEARLY_ALL * task.n:
        text = "The draw is nearly uniform, so it hardly prefers good configurations"
    else:
        text = f"The likeliest configuration is {brief(float(f'{most:.2g}'))} times as likely as in a uniform draw"
    note = "All configurations were scored before the draw."
    if belief is not None:
        note = "Grey: the search's belief, ±2 s.d. Circles: evaluations."
    figure = figures.candidates(task, units, chances, belief, protected)
    return ui.FigureCard("configuration", text, note, figure, f"{text}.", "holder")


def draw_sensitivity(chosen: Choices, now: Publication, plan: Lipschitz, panel: ui.Panel) -> None:
    """Draw the sensitivity of Algorithm 3's score against λ_min."""
    shown = sensitivity_figure(chosen, now, plan, panel)
    with ui.card("configuration", explained(chosen, now, "sensitivity")) as title:
        title.html(shown.heading)
        ui.Chart("configuration", panel).draw(shown.figure, shown.alt)


def sensitivity_figure(chosen: Choices, now: Publication, plan: Lipschitz, panel: ui.Panel) -> ui.FigureCard:
    """Return the sensitivity of Algorithm 3's score against λ_min."""
    loss, slider = plan.loss, next(each for each in panel.sliders if each.key == "lambda_min")
    figure = figures.sensitivity(loss, plan.records, slider.min, chosen.units, sound=not now.unmet)
    moves, largest = chosen.amount(now.sensitivity), chosen.amount(loss.largest)
    text = f"Theorem 7 lets the score move by {moves}, but no score can move by more than {largest}"
    if plan.informative:
        text = f"Theorem 7 lets the score move by at most {moves}"
    note = "Orange: more noise than any score needs. Drag the dot."
    return ui.FigureCard("configuration", text, note, figure, f"{text}.")


def draw_score(chosen: Choices, now: Publication, panel: ui.Panel) -> None:
    """Draw the density of the published score, beside the scores that configurations can have."""
    name = f"score axis/{chosen.algorithm}/{now.task.title}/{now.task.n}"
    ends = figures.score_axis(figures.NoisyScore.of(now, chosen.units))
    shown = score_figure(chosen, now, panel.hold(name, ends, private=chosen.own))
    version = f", {chosen.design.variant}" if not now.in_scores else ""
    section = f"score of {'selection' if chosen.algorithm == 'selection' else chosen.name}{version}"
    with ui.card("score", explained(chosen, now, section)) as title:
        title.html(shown.heading)
        ui.Chart("score").draw(shown.figure, shown.alt)


def score_figure(chosen: Choices, now: Publication, ends: Any = None) -> ui.FigureCard:  # noqa: ANN401
    """Return the density of the published score, on an axis with these ends or with its own."""
    score = figures.NoisyScore.of(now, chosen.units)
    half, spread = chosen.amount(now.half_width(INTERVAL)), chosen.amount(now.spread)
    if not chosen.design.score:
        text = f"A published score would have noise of ±{half}"
    elif now.half_width(INTERVAL) < now.spread:
        text = f"The score is published to within ±{half}"
    else:
        text = f"Noise of ±{half} hides the score, as all scores span {spread}"
    figure = figures.published_score(score, ends or figures.score_axis(score), chosen.units)
    return ui.FigureCard(
        "score", text, "Dashed: the best score. Orange: beyond all scores.", figure, f"{text}.", "holder"
    )


def report_of(chosen: Choices, panel: ui.Panel, picked: TuningTask, promise: Guarantee) -> ui.Report:
    """Return the interactive report of this page, with a slider for ε. ``picked`` is the task before it was restricted.

    On a visitor's own table, it leaves out the scores of all configurations, which are rows of that table.
    """

    def frame(epsilon: float) -> ui.Frame:
        there = replace(chosen, design=replace(chosen.design, epsilon=epsilon))
        *_, found = [(), *searched(there, panel, there.searches)]
        now = there.design.publication(there.task, found[0] if found else None)
        now, plan = with_pairs(there, now, known_pairs(there, panel)), now.plan
        headline, numbers = findings(there, now, found)
        shown = [score_figure(there, now)]
        if isinstance(plan, Lipschitz):
            shown.insert(0, sensitivity_figure(there, now, plan, panel))
        elif not there.own:
            shown.insert(0, candidates_figure(there, now, plan))
        if now.guarantee.status is not Status.REFUTED:
            shown.append(meaning_figure(there, now))
        return ui.Frame(headline, numbers, shown, guarantee_card(there, now, links=False))

    design = chosen.design
    names = {"delta": "δ", "k1": "k₁", "iterations": "T", "sigma": "σ", "A": "A", "tau": "τ"}
    asked = {name: getattr(design, key) for key, name in names.items() if chosen.algorithm != "selection"}
    return ui.Report(
        page=f"Release: {ALGORITHMS[chosen.algorithm]}",
        data=chosen.task.title,
        key="epsilon",
        label="Privacy loss ε",
        now=design.epsilon,
        values=ui.REPORT_EPSILONS,
        frame=frame,
        question=(ui.Same(picked.points), repr(replace(design, epsilon=1.0)), chosen.a),
        settings=[(name, power_of_ten(value)) for name, value in asked.items()],
        own=chosen.own,
        guaranteed=promise.status is Status.PROVED,
    )


def explained(chosen: Choices, now: Publication, section: str) -> str:
    """Return how the configuration or its score is published, with today's numbers."""
    plan = now.plan
    values = {"epsilon": brief(chosen.design.epsilon), "n": f"{now.task.n:,}", "T": f"{chosen.design.iterations}"}
    values |= {"sensitivity": chosen.amount(now.sensitivity), "scale": chosen.amount(now.noise_scale)}
    values |= {"half": chosen.amount(now.half_width(INTERVAL)), "unit": chosen.amount(now.unit)}
    values |= {name: brief(getattr(plan, name)) for name in ("c", "q", "omega") if hasattr(plan, name)}
    if isinstance(plan, Selection | Lipschitz):
        values["records"] = f"{plan.records:,}"
    else:
        values["draw"] = brief(plan.choice.sensitivity)
        values["version"] = PAPERS[plan.variant]
    if isinstance(plan, Noisy):
        values["regret"] = brief(plan.bounds(1.0)[2].term("regret"))
    if isinstance(plan, Lipschitz):
        values |= {"L": brief(plan.loss.slope), "g": brief(plan.loss.largest)}
        values |= {"low": power_of_ten(plan.loss.lambda_min), "high": power_of_ten(plan.loss.lambda_max)}
        values["informative"] = brief(plan.informative_above)
    return explain(section, **values)


def guarantee_card(chosen: Choices, now: Publication, *, links: bool = True) -> str:
    """Return the card of the guarantee, with the way to the attack or to a proof unless ``links`` is false."""
    promise, design, link = now.guarantee, chosen.design, ""
    if not now.in_scores and now.task.records is not None:
        link = f"{ui.link('Switch to private selection', 'release?algorithm=selection')}, which needs no prior."
    if now.refuted and now.held is not None:
        where = f"audit?attack=score&A={design.A:g}&tau={design.tau:g}&k1={design.k1:g}"
        link = f"{ui.link('See the attack in Audit', where)}. {link}"
        values = {"failed": f"{now.held.cases - now.held.held}", "pairs": f"{now.held.cases}"}
        sentence = explain("guarantee of a refuted score", **values, delta=power_of_ten(design.delta))
    elif now.unmet:
        sentence = explain("guarantee of loose constants", unmet=" ".join(now.unmet))
    elif isinstance(now.plan, Lipschitz):
        sentence = explain("guarantee of Algorithm 3" if now.plan.sound else "guarantee of a doubtful bound")
    elif now.in_scores:
        sentence = explain("guarantee of selection")
    else:
        sentence = " ".join(prior_sentences(chosen, now))
    if design.setting and design.score:
        sentence = f"{sentence} {explain('both')}"
    level = ui.level_sentence(promise, power_of_ten(promise.delta))
    return ui.guarantee_card(promise, " ".join(sentence.split()), level, link if links else "")


def prior_sentences(chosen: Choices, now: Publication) -> list[str]:
    """Return the assumptions of the claim over a prior."""
    said, task, delta = [explain("guarantee over a prior")], now.task, chosen.design.delta
    if "sensitive" in task.prior_from:
        said.append(explain("prior from sensitive scores"))
    if task.records and delta >= 1 / task.records:
        said.append(explain("large δ", share=power_of_ten(1 / task.records)))
    if isinstance(now.plan, NoiseFree) and chosen.design.score:
        said.append(explain("A and τ"))
    return said


def known_pairs(chosen: Choices, panel: ui.Panel) -> Coverage | None:
    """Return the pairs from the prior that are in memory, with the bounds of the present A and τ."""
    found: Coverage | None = known(panel, chosen, "pairs", chosen.pairs_key)
    if found is not None and chosen.algorithm == "2 exact":
        return found.beside(chosen.design.tuning, chosen.task)
    return found


def pairs(chosen: Choices, panel: ui.Panel) -> Generator[Coverage, None, None]:
    """Yield how far things move in pairs of functions drawn from the prior, which are kept in memory once complete."""
    if (found := known_pairs(chosen, panel)) is not None:
        yield found
        return
    for found in chosen.design.pairs(chosen.task, PAIRS):
        ui.interrupt()
        yield found
    panel.remember("pairs", (chosen.task.points, chosen.pairs_key, found), private=chosen.own)


def with_pairs(chosen: Choices, now: Publication, found: Coverage | None) -> Publication:
    """Return the publication with the share of pairs in which the theorem on Algorithm 2's score held."""
    if found is None or not isinstance(now.plan, NoiseFree) or found.pairs < PAIRS:
        return now
    return replace(now, held=found.share(5))


def script_of(chosen: Choices) -> str:
    """Return a Python script that computes the page's numbers again, and shows the call for a real release."""
    task, design = chosen.task, chosen.design
    name = (task.identity or "").partition("/")[2]
    load = f"task = pb.release.prior_task({task.n})" if name == "prior" else f"task = pb.data.tuning_task({name!r})"
    if task.identity is None:
        load = "# Prepare your own table: pb.data.task_from_table or pb.release.read_scores.\ntask = ..."
    if design.loss is not None:
        load += f"\ntask = pb.release.restrict(task, {design.loss.lambda_min!r}, {design.loss.lambda_max!r})"
    loss = ""
    if design.setting:
        loss = """
losses = [pb.tradeoff.expected_loss(task, design.publication(task, search).plan) for search in searches]
print("score lost:", sum(losses) / len(losses))"""
    lines = f"""
{load}
design = pb.release.{design!r}
searches = [design.search(task, run) if design.searches else None for run in range({max(1, chosen.searches)})]
now = design.publication(task, searches[0])
print("half width of the score:", now.half_width({INTERVAL}))
print("bounds:", *(bound.value for bound in now.bounds({chosen.a!r}).values()))
print("guarantee:", now.guarantee.epsilon, now.guarantee.delta, now.guarantee.status.value){loss}
"""
    # The engine doesn't publish Algorithm 2's score, whose claim is refuted.
    score = design.score and chosen.algorithm != "2 exact"
    real = f"""The real publication, with randomness from the operating system. It can't be repeated:
published = pb.release.draw(now.plan, choice={design.setting!r}, value={score!r})"""
    return ui.write_script("Release", lines, real, "from privbo_core.data import LipschitzLoss\n\n")


def show_details(chosen: Choices, now: Publication, panel: ui.Panel) -> None:
    """Show what lies below the first screen. A section is computed only while it is open."""
    sections: dict[str, Callable[[], None]] = {"What does this ε mean?": lambda: show_meaning(chosen, now, panel)}
    if chosen.task.records is not None:
        sections["Ways to publish a configuration, compared"] = lambda: show_ways(chosen, now)
    sections |= {
        "Loss against ε": lambda: show_losses(chosen, now, panel),
        "Utility bounds by term": lambda: show_terms(chosen, now),
    }
    if not now.in_scores:
        sections["Coverage under the prior"] = lambda: show_coverage(chosen, now, panel)
    sections["Theory: all constants with their units"] = lambda: show_theory(chosen, now)
    sections["Rehearse a draw"] = lambda: show_rehearsal(chosen, now, panel)
    for name, show in sections.items():
        section = st.expander(name, on_change="rerun", key=f"section/{name}")
        if section.open:
            with section:
                show()


def show_meaning(chosen: Choices, now: Publication, panel: ui.Panel) -> None:
    """Show how often the best attacker is right, at every ε."""
    promise = now.guarantee
    if promise.status is Status.REFUTED:
        st.markdown(explain("meaning of a refuted claim"))
        return
    shown = meaning_figure(chosen, now)
    ui.Place("meaning-title").html(shown.heading)
    ui.Chart("meaning", panel).draw(shown.figure, shown.alt)
    now_right = in_100(promise.attack_accuracy)
    values = {"right": now_right, "epsilon": brief(promise.epsilon), "delta": power_of_ten(promise.delta)}
    if now.in_scores:
        together = {"twice": brief(2 * promise.epsilon), "four": brief(4 * promise.epsilon)}
        st.markdown(explain("meaning", **values, **together))
    else:
        st.markdown(explain("meaning of a claim over a prior", **values))


def meaning_figure(chosen: Choices, now: Publication) -> ui.FigureCard:
    """Return how often the best attacker is right against ε."""
    promise = now.guarantee
    epsilons, pieces = more_figures.MEANT_EPSILONS, promise.epsilon / chosen.design.epsilon
    right = [100 * replace(promise, epsilon=pieces * each).attack_accuracy for each in epsilons]
    title = f"The best attacker tells two candidate records apart {in_100(promise.attack_accuracy)} times in 100"
    figure = more_figures.accuracy(epsilons, right, chosen.design.epsilon)
    return ui.FigureCard(
        "meaning", title, "Guessing gets 50. Drag the dot to another ε.", figure, f"{title}.", covered=True
    )


def show_ways(chosen: Choices, now: Publication) -> None:
    """Show the loss of every way to publish a configuration at the same total ε."""
    task, n = now.task, now.task.n
    counts = tuple(sorted({min(10, n), min(50, n), n}))
    ui.interrupt()
    found = ways_lost(task, chosen.total, counts)
    names = [f"{way.name} (with the score)" if way.score else way.name for way in found]
    lost = {name: way.losses[-1] for name, way in zip(names, found, strict=True) if way.losses[-1] is not None}
    least = chosen.amount(min(lost.values()))
    best = [name for name, loss in lost.items() if chosen.amount(loss) == least]
    named = joined([name.replace("exponential", "the exponential") for name in best])
    loses = f"loses the least, {least}" if len(best) == 1 else f"lose the least, {least} each"
    title = f"With all {n:,} configurations evaluated, {named} {loses}"
    after = ", ".join(f"{many:,}" for many in counts)
    note = f"All at ε = {brief(chosen.total)} in total. Circles, diamonds and squares: after {after} evaluations."
    ui.Place("ways-title").html(ui.title(title, note, "holder"))
    figure = more_figures.ways(names, [way.losses for way in found], now.uniform_loss, chosen.units)
    ui.Chart("ways").draw(figure, f"{title}.")
    proven = Design("selection", 1.0, score=False).publication(task).guarantee
    rows: list[list[str | ui.Cell]] = []
    for name, way in zip(names, found, strict=True):
        lost_after = ["not computed" if loss is None else chosen.amount(loss) for loss in way.losses]
        costs = f"ε = {brief(way.guarantee.epsilon)}, δ = {power_of_ten(way.guarantee.delta)}"
        stands = proven if way.guarantee.status is Status.PROVED else way.guarantee
        rows.append([name, *lost_after, costs, ui.Cell(stands.status.value.capitalize(), ui.status_kind(stands))])
    ui.table(("Way", *(f"Loss after {many:,}" for many in counts), "Guarantee", "Standing"), rows)
    st.markdown(explain("ways"))


def show_losses(chosen: Choices, now: Publication, panel: ui.Panel) -> None:
    """Show the loss of the configuration and the error of the score against ε, beside private selection."""
    task, factor = now.task, chosen.units.factor
    own = [chosen.design.publication(task, search).plan for search in known_searches(chosen, panel)] or [now.plan]
    plans = {chosen.name: own}
    if task.records is not None and chosen.algorithm != "selection":
        plans["private selection"] = [Design("selection", 1.0).publication(task).plan]
    shown: list[tuple[str, Callable[..., float], int, float | None]] = []
    if now.plan.choice is not None:
        shown.append(("loss of the configuration", expected_loss, 2, factor * now.uniform_loss))
    shown.append(("error of the score", expected_score_error, SCORE_THEOREMS[chosen.algorithm], None))
    for place, (name, cost, theorem, level) in zip(st.columns(len(shown), gap="small"), shown, strict=True):
        ui.interrupt()
        curves = {each: more_figures.costs(made, partial(cost, task), factor) for each, made in plans.items()}
        starts = now.bounds(chosen.a)[theorem].smallest_epsilon(now.spread)
        named = more_figures.with_unit(name, chosen.units)
        figure = more_figures.against_epsilon(curves, named, chosen.design.epsilon, level, starts)
        mean = float(np.mean([cost(task, plan) for plan in own]))
        title = f"At {chosen.at}, the {name} is {chosen.amount(mean)}"
        with place:
            ui.Place(f"losses-{name.partition(' ')[0]}-title").html(
                ui.title(title, "Drag the dot to another ε.", "holder")
            )
            ui.Chart(f"losses-{name.partition(' ')[0]}", panel).draw(figure, f"{title}.")
    st.markdown(explain("losses" if len(plans) == 1 else "losses beside selection"))


def show_terms(chosen: Choices, now: Publication) -> None:
    """Show the bounds of all theorems, term by term, beside the range of all scores."""
    named = "The bound" if chosen.algorithm == "selection" else "Theorem {}"
    bounds = {named.format(theorem): bound for theorem, bound in now.bounds(chosen.a).items()}
    empty = [name for name, bound in bounds.items() if bound.vacuous(now.spread)]
    title = f"{len(empty)} of {len(bounds)} bounds are larger than the range of all scores"
    if len(empty) == 1:
        title = f"{empty[0]} is larger than the range of all scores"
    if not empty:
        title = "Every bound is below the range of all scores"
    ui.Place("terms-title").html(ui.title(title, "At the current ε.", "holder"))
    ui.Chart("terms").draw(more_figures.terms(bounds, now.spread, chosen.units), f"{title}.")
    rows = [
        (name, figures.formula(bound.quantity), figures.formula(" + ".join(term.formula for term in bound.terms)),
         chosen.amount(bound.value), f"{max(0.0, bound.probability):.4g}")
        for name, bound in bounds.items()
    ]  # fmt: skip
    ui.table(("Theorem", "What it bounds", "Bound", "Value", "Probability"), rows)
    source = now.guarantee.source
    st.markdown(explain("terms", spread=chosen.amount(now.spread), source=source))


def show_coverage(chosen: Choices, now: Publication, panel: ui.Panel) -> None:
    """Show in how many pairs drawn from the prior the theorems hold, as the pairs come in."""
    second = 3 if chosen.algorithm == "1 noisy" else 5
    title_place, chart = ui.Place("coverage-title"), ui.Chart("coverage")
    for found in ui.follow(pairs(chosen, panel)):
        shares = {1: found.share(1), second: found.share(second)}
        refuted = [theorem for theorem, share in shares.items() if share.verdict == "refuted"]
        title = f"{found.pairs} simulated pairs don’t refute Theorems 1 and {second}"
        if refuted:
            failed = f"{shares[refuted[-1]].cases - shares[refuted[-1]].held} of {found.pairs} pairs"
            title = f"Theorem {refuted[-1]} is refuted, because it fails in {failed}"
        held = " ".join(
            f"Theorem {theorem} held in {share.held} pairs ({100 * share.low:.1f}% to {100 * share.high:.1f}% of all)."
            for theorem, share in shares.items()
        )
        title_place.html(ui.title(title, f"{held} Claimed: {100 * shares[1].promised:.4g}%.", "simulated"))
        rows = more_figures.moved(found, chosen.units.factor * now.unit)
        chart.draw(more_figures.movements(rows, chosen.units), f"{title}.")
    promised, k1 = f"{100 * (1 - chosen.design.delta):.4g}", brief(chosen.design.k1)
    st.markdown(explain("coverage", k1=k1, promised=promised, pairs=f"{PAIRS}"))


def show_theory(chosen: Choices, now: Publication) -> None:
    """Show every constant with its value and its unit."""
    rows = []
    for each in now.constants:
        scored = each.unit == "score"
        value, unit = (
            (chosen.units.factor * each.value, chosen.units.unit or "score") if scored else (each.value, each.unit)
        )
        rows.append((figures.formula(each.name), brief(value), figures.formula(unit) or "none"))
    ui.table(("Constant", "Value", "Unit"), rows)
    if not now.in_scores:
        values = {"unit": chosen.amount(now.unit), "prior": now.task.prior_from}
        st.markdown(explain("theory", **values))


def show_rehearsal(chosen: Choices, now: Publication, panel: ui.Panel) -> None:
    """Show simulated publications, which are drawn with the same random numbers at every setting."""
    known, seed = panel.recall("rehearsed", private=chosen.own) or (1, 0)

    def rehearse(many: int, seed: int) -> None:
        panel.remember("rehearsed", (min(many, MAX_REHEARSALS), seed), private=chosen.own)

    truth = now.task.scores if now.in_scores else now.task.objective
    rng = np.random.default_rng(seed)
    drawn = simulated_releases(now.plan, [chosen.design.epsilon], draws=MAX_REHEARSALS, objective=truth, rng=rng)
    rows = drawn.rows[0, :known] if drawn.rows is not None and chosen.design.setting else None
    values = drawn.values[0, :known] if now.in_scores else now.task.score(drawn.values[0, :known])
    best = float(now.task.scores.max())
    title = f"{count(known, 'publication', 'publications')} that readers might have seen"
    note = "The dashed line is the best score of all."
    if rows is not None:
        mean = chosen.amount(float((best - now.task.scores[rows]).mean()))
        note = f"What is published here loses {mean} on average. {note}"
    ui.Place("rehearsal-title").html(ui.title(title, note, "simulated"))
    scores = chosen.units.level(values) if chosen.design.score else None
    figure = more_figures.rehearsed(now.task, chosen.units, rows, scores)
    ui.Chart("rehearsal").draw(figure, f"{title}. {note}")
    with st.container(horizontal=True, gap="xsmall", key="rehearsals"):
        full = known >= MAX_REHEARSALS
        st.button("Rehearse one more", on_click=rehearse, args=(known + 1, seed), disabled=full)
        st.button(
            f"Rehearse {MORE_REHEARSALS} more", on_click=rehearse, args=(known + MORE_REHEARSALS, seed), disabled=full
        )
        st.button("Start over", on_click=rehearse, args=(1, seed + 1))
    st.markdown(explain("rehearsal"))


main()
