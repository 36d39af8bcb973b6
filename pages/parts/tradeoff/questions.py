"""What the Trade-off page can be asked about: for each task its picker, its sliders and the question to sweep."""

import math
from collections.abc import Callable, Hashable
from dataclasses import dataclass, replace
from html import unescape
from typing import Any, Literal

import numpy as np
import streamlit as st

from pages.parts.bring.problems import own_recipe, pick_problem
from pages.parts.controls.live_sliders import Controls, Slider, read_controls
from pages.parts.federated.agents import pick_agents
from pages.parts.frame.address import choose
from pages.parts.outsourced.details import neighbours, show_meaning_of
from pages.parts.release.tasks import pick_task
from pages.parts.show.look import SIGMA_Y, Palette, in_markdown, plain
from pages.parts.show.meaning import show_meaning
from pages.parts.tradeoff import script as tradeoff_scripts
from pages.parts.tradeoff.script import Lines
from privbo_core.data import Preparation, TuningTask
from privbo_core.federated import Settings, guarantee, possible_sub_regions
from privbo_core.outsourced import Setting, noisy_guarantee
from privbo_core.outsourced.simulation import Measure
from privbo_core.privacy import Guarantee, Method
from privbo_core.release import selection
from privbo_core.release.noisy import prior_guarantee
from privbo_core.tradeoff import Published, Question, federated_question, outsourced_question, released_question

TaskName = Literal["Outsourced", "Release", "Federated"]
TASKS: tuple[TaskName, ...] = ("Outsourced", "Release", "Federated")
PUBLISHED: dict[str, Published] = {"Setting": "setting", "Score": "score", "Both": "both"}
ACCOUNTANTS: dict[str, Method] = {"Moments": "moments", "Rényi": "rdp", "Loss distributions": "pld"}
R_CHOICES = ("r as set", "Largest feasible r")
FEDERATED_S, FEDERATED_A, FEATURES = 11.0, 15.0, 50


@dataclass(frozen=True)
class Unit:
    """A unit for costs: its name as HTML that follows a number, and how a cost is written in it and read from it.

    ``factor``: amounts are factors, for the output is a logarithm.
    """

    name: str
    write: Callable[[float], float]
    read: Callable[[float], float]
    factor: bool = False

    @property
    def text(self) -> str:
        """Its name as plain text."""
        return unescape(self.name.replace("<sub>", "_").replace("</sub>", "")).removeprefix("in ")


@dataclass(frozen=True, eq=False)
class Asked:
    """One question with all that the page says about it.

    ``of`` tells sweeps apart. ``size``: what a cost of one evaluation is measured against. ``units``: the first is the
    one that the figure is drawn in. ``epsilon_is`` says what ε counts, ``relation`` who neighbours are. ``data``: their
    title, and whether they are somebody's ``own``. ``lines``: what a script needs to make the question.
    ``show_meaning`` shows what an ε means here, for the mechanism whose promise holds best. ``log_costs``: costs span
    powers of ten. ``summed``: over how many evaluations costs are added up, if they are.
    """

    task: TaskName
    question: Question
    of: tuple[Hashable, ...]
    panel: list[Slider]
    controls: Controls
    low: float
    high: float
    size: float
    units: tuple[Unit, ...]
    cost_is: str
    epsilon_is: str
    relation: str
    data: str
    own: bool
    lines: Callable[[], Lines]
    show_meaning: Callable[[float, Palette], None]
    remarks: tuple[str, ...] = ()
    log_costs: bool = False
    summed: int | None = None

    @property
    def runs(self) -> int:
        """How many runs each mark is to have."""
        return self.controls.whole("runs")

    @property
    def key(self) -> str:
        """The name of the panel."""
        return panel_key(self.task)


def panel_key(task: TaskName) -> str:
    """Return the name of a task's panel of sliders."""
    return f"tradeoff-{task.lower()}"


def ask(task: TaskName, measure: Measure) -> Asked | None:
    """Show the task's pickers and read its sliders; None, with a sentence shown, if there is nothing to sweep yet."""
    return {"Outsourced": _outsourced, "Release": _release, "Federated": _federated}[task](measure)


def _shared(low: float, high: float, runs: int, most: int) -> list[Slider]:
    return [
        Slider("runs", "runs", 2, most, runs, "faster", "thinner bands",
               "Runs averaged at each ε. Run k has the same dice at every ε and in every mechanism.", whole=True),
        Slider("from", "ε from", low, high, low, "more private", "more useful",
               "The smallest ε that is tried.", step=0.01, log=True),
        Slider("to", "ε to", low, high, high, "more private", "more useful",
               "The largest ε that is tried.", step=0.01, log=True),
    ]  # fmt: skip


def _delta(most: float, value: float, help_text: str) -> Slider:
    return Slider("delta", "δ", 1e-12, most, value, "more private", "more useful", help_text, step=0.01, log=True)


def _steps(label: str, most: int, value: int) -> Slider:
    least = min(2, most)
    return Slider("T", label, least, most, min(value, most), "fewer evaluations", "more evaluations",
                  "Evaluations after which the regret is read off.", whole=True)  # fmt: skip


def _range(controls: Controls) -> tuple[float, float]:
    """Return the range of ε asked for, the ends in order."""
    low, high = controls["from"], controls["to"]
    if low > high:
        controls.errors["from"] = "“ε from” lies above “ε to”; the page takes them the other way round."
    return min(low, high), max(low, high)


def _outsourced(measure: Measure) -> Asked:
    simulation = pick_problem()
    problem = simulation.problem
    r_choice = choose(st.segmented_control, "Projection dimension", R_CHOICES, key="tradeoff_r", required=True,
                      label_visibility="collapsed")  # fmt: skip
    best_r = r_choice == R_CHOICES[1]
    panel = [
        _delta(0.1, 1e-5, "The probability with which the promise may fail altogether. Should be well below 1/n."),
        Slider("r", "r", 1, 100, 10, "fewer dimensions", "truer distances, larger ω",
               "Dimension of the random projection.", whole=True),
        Slider("distance", "protected distance", 0.1, 25, 1, "less is hidden", "more is hidden",
               "Of the noisy release: how far a row may move unnoticed (the farthest row lies at 25).", step=0.02, log=True),
        _steps("T", min(200, problem.n), 50),
        *_shared(math.exp(-1), math.exp(5), 30, 100),
    ]  # fmt: skip
    panel = [slider for slider in panel if not (best_r and slider.key == "r")]
    controls = read_controls(panel_key("Outsourced"), panel)
    low, high = _range(controls)
    T, distance, r = controls.whole("T"), controls["distance"], int(controls.values.get("r", 10))
    setting = Setting(high, controls["delta"], 1 if best_r else r, T, protected_distance=distance)
    own = in_markdown(neighbours(problem))
    relation = (
        f"**Projection:** {own} **Noisy release:** "
        + ("the same." if abs(distance - 1) < 1e-9 else in_markdown(neighbours(problem, distance)))
        + (" These differ, so the two ε are not the same promise." if abs(distance - 1) >= 1e-9 else "")
    )
    return Asked(
        task="Outsourced",
        question=outsourced_question(simulation, setting, measure=measure, best_r=best_r),
        of=(simulation, measure, best_r, setting, controls.whole("runs"), low, high),
        panel=panel,
        controls=controls,
        low=low,
        high=high,
        size=1.0,
        summed=T if measure == "cumulative" else None,
        units=(Unit(SIGMA_Y, float, float), *_original(problem.preparation, problem.sigma_y, measure)),
        cost_is=f"simple regret after {T} evaluations" if measure == "simple" else f"regret summed over {T} evaluations",
        epsilon_is="ε of the one release that the search runs on",
        relation=relation,
        data=problem.title,
        own=problem.identity is None,
        lines=lambda: tradeoff_scripts.outsourced(problem, own_recipe(), setting, measure, best_r),
        show_meaning=lambda epsilon, colours: show_meaning_of(
            noisy_guarantee(epsilon, setting.delta, neighbours(problem, distance)), replace(setting, epsilon=epsilon), problem,
            "noisy", colours,
        ),
        remarks=(
            "The paper’s projection is drawn hollow and crossed: its ε is refuted (see Audit), so it protects nobody and is never on the front.",
        ),
    )  # fmt: skip


def _original(preparation: Preparation | None, sigma_y: float, measure: Measure) -> tuple[Unit, ...]:
    """Return the output's own unit, if it has one that regrets can be said in: a sum of logarithms has none."""
    if preparation is None or (preparation.log_output and measure == "cumulative"):
        return ()
    scale, name = preparation.output_scale, plain(preparation.output_unit)

    def write(cost: float) -> float:
        return float(preparation.output_difference(cost * sigma_y))

    def read(amount: float) -> float:
        difference = math.log(max(amount, 1.0)) if preparation.log_output else amount
        return difference / (scale * sigma_y)

    return (Unit(name or "output units", write, read, preparation.log_output),)


def _release(measure: Measure) -> Asked | None:
    task = pick_task()
    published = PUBLISHED[choose(st.segmented_control, "Published", list(PUBLISHED), default="Setting", key="tradeoff_published",
                                 required=True,
                                 help="Setting: the tuned setting alone. Score: its noisy score. Both cost twice the ε of one.")]  # fmt: skip
    if task is None:
        return None
    score = published == "score"
    panel = [
        Slider("delta", "δ", 1e-6, 0.5, 1e-3, "more private", "more useful",
               "Of each release by Algorithms 1 and 2. Private selection and Algorithm 3 have δ = 0.", step=0.01, log=True),
        Slider("k1", "k₁", 0, 1, 0.99, "more noise", "neighbours assumed alike",
               "Assumed correlation of the scores on neighbouring validation sets.", step=0.001),
        Slider("sigma", "σ", 1e-3, 2, 0.1, "exact scores", "noisy scores",
               "Algorithm 1’s noise of one evaluation, in standard deviations of the score.", step=0.01, log=True),
        *([
            Slider("A", "A", 0.01, 100, 1, "less noise", "more noise",
                   "Algorithm 2: how fast exact search closes in on the best.", step=0.01, log=True),
            Slider("tau", "τ", 0.001, 10, 0.1, "more noise", "less noise", "The rate in the same formula.", step=0.01, log=True),
        ] if score else []),
        _steps("T", min(200, task.n), 50),
        *_shared(0.1, 1000, 20, 100),
    ]  # fmt: skip
    controls = read_controls(panel_key("Release"), panel)
    low, high = _range(controls)
    values = controls.values
    options: dict[str, Any] = {name: values[name] for name in ("sigma", "delta", "k1", "A", "tau") if name in values}
    iterations = controls.whole("T")
    question = released_question(task, published=published, iterations=iterations, **options)
    remarks = [
        "Algorithms 1 and 2 keep the paper’s claim, over a prior; private selection is proved for every dataset."
    ]
    if task.records is None:
        remarks.append("How many records are behind each score is not known, so private selection cannot be set up.")
    if score and task.loss is None:
        remarks.append("Algorithm 3 needs a regularised model with a Lipschitz loss, which this task is not.")
    spent = {
        "setting": "ε of the setting’s release, the only one",
        "score": "ε of the score; private selection’s comes with its setting, and its ε is that of both",
        "both": "ε of setting and score together, half of it for each",
    }[published]
    lost = "error of the published score" if score else "loss of the published setting"
    return Asked(
        task="Release",
        question=question,
        of=(task, published, *sorted(values.items())),
        panel=panel,
        controls=controls,
        low=low,
        high=high,
        size=float(np.ptp(task.scores)),
        units=(Unit("in score", float, float),),
        cost_is=lost,
        epsilon_is=spent,
        relation="Two validation sets that differ in one record, whatever it holds; for Algorithms 1 and 2 moreover only if "
        "their scores have prior correlation k₁ or more.",
        data=task.title,
        own=task.identity is None,
        lines=lambda: tradeoff_scripts.released(
            st.session_state["task"], {"published": published, "iterations": iterations, **options}
        ),
        show_meaning=lambda epsilon, colours: show_meaning(
            _best_release(task, published, epsilon, values["delta"]), "that a record is the real one", colours
        ),
        remarks=tuple(remarks),
        log_costs=score,
    )  # fmt: skip


def _best_release(task: TuningTask, published: Published, epsilon: float, delta: float) -> Guarantee:
    """Return private selection's promise, or where it cannot be set up, Algorithm 1's claim, at ε for all together."""
    if task.records is None:
        pieces = 2 if published == "both" else 1
        return prior_guarantee(epsilon / pieces, delta, pieces, "Algorithm 1, Corollaries 1 and 2")
    pieces = 1 if published == "setting" else 2
    rows = list(range(min(2, task.n)))
    plan = selection(
        task.scores, records=task.records, epsilon=epsilon / pieces, rows=rows, largest_loss=task.largest_loss
    )
    return plan.guarantee(pieces)


def _federated(measure: Measure) -> Asked:
    agents = pick_agents()
    method = ACCOUNTANTS[choose(st.segmented_control, "ε counted by", list(ACCOUNTANTS), default="Moments", key="tradeoff_accountant",
                                required=True)]  # fmt: skip
    first = agents.first
    most = 400 if agents.heterogeneous else len(first.agents)
    possible = possible_sub_regions(first.points, agents.initial)
    panel = [
        Slider("z", "z, while q varies", 0.3, 8, 1, "more useful", "more private",
               "The server’s noise on the curve along which q varies.", step=0.01, log=True),
        Slider("q", "q, while z varies", 0.01, 1, 0.25, "more private", "more useful",
               "The rate of taking part on the curve along which z varies.", step=0.01, log=True),
        Slider("N", "N, agents", 2, most, min(200, most), "fewer", "more",
               "The first N agents take part; δ = N^−1.1.", step=0.01, log=True, whole=True),
        _steps("T, rounds", 100, 10),
        *_shared(0.1, 100, 10, 40),
    ]  # fmt: skip
    controls = read_controls(panel_key("Federated"), panel)
    low, high = _range(controls)
    N, T = controls.whole("N"), controls.whole("T")
    P = max(cut for cut in possible if cut <= min(N, 2))
    settings = Settings(
        first.kernel, first.noise_variance, T, agents.initial, FEATURES, q=controls["q"], z=controls["z"], S=FEDERATED_S,
        P=P, a=FEDERATED_A, decay=agents.decay,
    )  # fmt: skip
    simulation = agents.simulation(tradeoff_scripts.HETEROGENEITY)
    return Asked(
        task="Federated",
        question=federated_question(simulation, settings, N, measure=measure, method=method),
        of=(simulation, measure, settings, N, method, controls.whole("runs"), low, high),
        panel=panel,
        controls=controls,
        low=low,
        high=high,
        size=float(first.objectives.std(axis=1).mean()),
        summed=T if measure == "cumulative" else None,
        units=(Unit(agents.in_unit, float, float),),
        cost_is=f"simple regret after {T} rounds" if measure == "simple" else f"regret summed over {T} rounds",
        epsilon_is=f"ε after {T} rounds, counted by {method if method == 'moments' else 'Rényi' if method == 'rdp' else 'loss distributions'}",
        relation=f"One agent takes part in the whole run, or stays away. δ = N^−1.1 = {N**-1.1:.3g}.",
        data=first.title,
        own=agents.columns is not None,
        lines=lambda: tradeoff_scripts.federated(agents, settings, N, measure, method),
        show_meaning=lambda epsilon, colours: show_meaning(
            replace(guarantee(settings, N), epsilon=epsilon), "that an agent took part", colours
        ),
        remarks=(f"S = {FEDERATED_S:g}, P = {P}, M = {FEATURES}, a = {FEDERATED_A:g} as on the Federated page.",),
    )  # fmt: skip
