"""Release: publish a tuned setting and its score (DP-BO)."""

import math

import streamlit as st

from pages.parts.controls.live_sliders import Mark, Slider, read_controls, show_sliders
from pages.parts.frame.address import choose
from pages.parts.frame.pace import wait
from pages.parts.front_door import come_in
from pages.parts.release import details as release_details
from pages.parts.release import draws as release_draws
from pages.parts.release import figures as release_figures
from pages.parts.release import script as release_scripts
from pages.parts.release import words as release_words
from pages.parts.release.setup import Algorithm, Setup, set_up, within
from pages.parts.release.tasks import pick_task
from pages.parts.show.card import guarantee_card
from pages.parts.show.chart import Chart
from pages.parts.show.look import apply_style, scientific
from pages.parts.show.meaning import show_meaning
from pages.parts.take_away.offer import take_away
from pages.parts.take_away.report import About
from privbo_core.data import TuningTask
from privbo_core.release import Variant

HELD = 30.0  # seconds for which the rest of the page waits for a held thumb
ALGORITHMS: dict[str, Algorithm] = {"1 noisy": 1, "2 exact": 2, "3 Lipschitz": 3}
WHICH = (
    "1: each evaluation of the search is noisy. 2: evaluations are exact. Both assume that scores are a draw from a Gaussian process. "
    "3: regularised models with a Lipschitz loss, no such assumption; it publishes the score alone."
)
VARIANTS: dict[str, Variant] = {"ICML": "icml", "workshop": "workshop"}


def sliders(task: TuningTask, algorithm: Algorithm) -> list[Slider]:
    """Return the sliders of an algorithm. T cannot exceed the number of candidates."""
    most = min(200, task.n)
    epsilon = Slider("epsilon", "ε", 0.1, 1000, 3, "more private", "more useful",
                     "Privacy loss of each release: of the setting, and of the score.", step=0.01, log=True, exponential=True)  # fmt: skip
    steps = Slider("T", "T", 2, most, min(50, most), "fewer evaluations", "more evaluations",
                   "Candidates that the search evaluates.", whole=True)  # fmt: skip
    tail = Slider("a", "a", 0.5, 10, 3, "smaller bounds, less sure", "surer",
                  "The bounds hold but for a probability of e^−a (and δ). Changes no release.", step=0.05)  # fmt: skip
    if algorithm == 3:
        own = task.loss
        low, high = (own.lambda_min, own.lambda_max) if own else (1e-6, 1.0)
        return [
            epsilon,
            Slider("lambda_min", "λ_min", low, high, low, "more candidates", "less noise",
                   "The smallest λ that may be tried. Smaller ones are left out of the search.", step=0.01, log=True),
            Slider("lambda_max", "λ_max", low, high, high, "less noise", "more candidates",
                   "The largest λ that may be tried.", step=0.01, log=True),
            Slider("L", "L", 0.01, 10, own.slope if own else 0.25, "less noise", "more noise",
                   "Lipschitz constant of the validation loss; preset to this task’s own.", step=0.01, log=True),
            Slider("g", "g*", 0.01, 10, own.largest if own else 1, "less noise", "more noise",
                   "The largest validation loss; preset to this task’s own.", step=0.01, log=True),
            Slider("m", "m", 2, 100_000, task.records or 100, "fewer records", "less noise",
                   "Validation records; preset to this task’s own.", step=0.01, log=True, whole=True),
            steps, tail,
        ]  # fmt: skip
    delta = Slider("delta", "δ", 1e-6, 0.5, 1e-3, "more private", "more useful",
                   "The probability with which the promise may fail altogether. Should be well below 1/m.", step=0.01, log=True)  # fmt: skip
    k1 = Slider("k1", "k₁", 0, 1, 0.99, "more noise", "neighbours assumed alike",
                "Assumed correlation of the scores on neighbouring validation sets: 1 is the same function.", step=0.001)  # fmt: skip
    if algorithm == 1:
        return [
            epsilon, delta, k1,
            Slider("sigma", "σ", 1e-3, 2, 0.1, "exact scores", "noisy scores",
                   "Noise of one evaluation, in standard deviations of the score. 0 is Algorithm 2.", step=0.01, log=True),
            steps, tail,
        ]  # fmt: skip
    return [
        epsilon, delta, k1, steps, tail,
        Slider("A", "A", 0.01, 100, 1, "less noise", "more noise",
               "How fast exact search closes in on the best: regret ≤ A·exp(−τT/(log T)^(d/4)). Nobody knows A in practice.",
               step=0.01, log=True),
        Slider("tau", "τ", 0.001, 10, 0.1, "more noise", "less noise",
               "The rate in the same formula. It depends on the score’s curvature at its best, which nobody knows.",
               step=0.01, log=True),
    ]  # fmt: skip


def with_marks(panel: list[Slider], setup: Setup) -> list[Slider]:
    """Return the sliders with the ε marked from which on a bound says something."""
    theorem = 2 if 2 in setup.bounds else setup.score_bound.theorem
    at = setup.starts_at(theorem)
    mark = (Mark(at, "bound starts"),) if math.isfinite(at) else ()
    return [Slider(**(vars(s) | {"marks": mark if s.key == "epsilon" else ()})) for s in panel]


come_in()
colours = apply_style()
left, right = st.columns([1, 3.6], gap="medium")
with left:
    st.html("<h1 style='font-size:1.25rem;padding:0;margin:0'>Private release of a tuned setting</h1>")
    task = pick_task()
    algorithm = ALGORITHMS[choose(st.segmented_control, "Algorithm", list(ALGORITHMS), key="algorithm", required=True,
                                  help=WHICH, persist_state="session")]  # fmt: skip
    variant: Variant = "icml"
    if algorithm != 3:
        variant = VARIANTS[choose(st.segmented_control, "Paper", list(VARIANTS), key="paper", required=True,
                                  persist_state="session")]  # fmt: skip
    panel_place = st.container(key="controls")
if task is None:
    right.info("There is nothing to tune yet: choose a file on the left, or one of the built-in tasks.")
    st.stop()
if algorithm == 3 and task.loss is None:
    right.info(
        "Algorithm 3 needs a model trained by (λ/2)‖w‖² + a convex loss, and a Lipschitz validation loss. This task has none: choose "
        "the logistic regression, or Algorithm 1 or 2."
    )
    st.stop()

panel = sliders(task, algorithm)
controls = read_controls("release", panel)
if algorithm == 3:
    kept = within(task, controls["lambda_min"], controls["lambda_max"])
    if kept is None:
        low, high = panel[1].min, panel[1].max
        controls.errors["lambda_min"] = (
            f"λ_min to λ_max, {controls['lambda_min']:.3g} to {controls['lambda_max']:.3g}, leaves fewer than two candidates; the page "
            f"shows the task’s own range, {low:.3g} to {high:.3g}."
        )
        values = {**controls.values, "lambda_min": low, "lambda_max": high}
    else:
        task, values = kept, controls.values
else:
    values = controls.values
setup = set_up(task, algorithm, variant, values)

with right:
    st.html(release_words.headline(setup))
    setting_place, score_place = st.columns(2, gap="medium")
    with setting_place:
        st.html(release_words.setting_finding(setup))
        if setup.plan.choice is None:
            picture = release_figures.sensitivities(setup, values, panel[1].min, colours)
        else:
            picture = release_figures.candidates(setup, colours)
        Chart("setting").draw(picture, release_words.setting_alt(setup))
    with score_place:
        st.html(release_words.score_finding(setup))
        memory = st.session_state.setdefault("release/axes", {})
        about = (task.title, algorithm)
        if not controls.dragging or memory.get("of") != about:
            memory.update(of=about, axes=release_figures.density_axes(setup))
        Chart("score").draw(release_figures.density(setup, memory["axes"], colours), release_words.score_alt(setup))
with panel_place:
    # Only now, so that the panel sends its next change after the pictures above have been sent.
    show_sliders("release", with_marks(panel, setup), controls)
    if values["T"] > setup.search.iterations:
        st.info(f"Only {task.n} candidates lie in the range of λ, so T = {task.n}.")
    if setup.loose:
        st.warning("This asks for less noise than the task needs, so ε is not kept. " + " ".join(setup.loose))
    if algorithm != 3 and task.records and setup.plan.delta >= 1 / task.records:
        st.warning(
            f"δ = {scientific(setup.plan.delta)} is at least 1/m = {scientific(1 / task.records)}: the promise could be kept while some "
            "record is revealed outright. Choose δ well below 1/m."
        )

with panel_place:
    steps = (f"Centre, unit and length-scales of the score were learned from {task.prior_from}.",)
    take_away(
        About(
            "Private release of a tuned setting",
            task.title,
            task.identity is None,
            steps,
            (("Algorithm", str(algorithm)), ("Paper", variant)),
        ),
        lambda: release_scripts.release(st.session_state["task"], setup, values),
    )

with right:
    reading_place, card_place = st.columns(2, gap="medium")
    with reading_place:
        st.html(release_words.reading(setup))
        choice_place, button_place = st.columns([1.7, 1], vertical_alignment="bottom")
        with choice_place:
            parts = release_draws.pick_parts(setup)
        release_draws.show_draws(setup, parts, button_place)
    card = setup.guarantee(2 if parts == release_draws.BOTH else 1)
    with card_place:
        st.html(guarantee_card(card))
    show_meaning(card, "that a record is the real one", colours)
if controls.dragging:
    # What lies below stays as it is until the thumb is let go; to finish the script now would take it off the page.
    wait(HELD)
release_words.explain(setup)
release_details.show_details(setup, colours)
