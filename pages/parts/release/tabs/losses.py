"""What a release loses, on average, against ε; private selection for comparison."""

import numpy as np
import streamlit as st

from pages.parts.release.setup import WAYS, Setup
from pages.parts.release.tabs.figures import EPSILONS, against_epsilon
from pages.parts.release.tasks import spoken_of
from pages.parts.show.explained import explaining
from pages.parts.show.show import Place, show
from pages.parts.values.numbers import two_digits
from pages.parts.values.views import Figure, Finding
from privbo_core.errors import Array
from privbo_core.release import SimulatedReleases, simulated_releases

DRAWS = 200
SELECTIONS = 5  # random sets of candidates that private selection's score is averaged over


def show_losses(setup: Setup) -> None:
    """Draw expected loss against ε, of the setting and of the score."""
    plan, task = setup.plan, setup.task
    truth = task.scores if setup.in_scores else task.objective
    mine = simulated_releases(plan, EPSILONS.tolist(), draws=DRAWS, objective=truth, rng=np.random.default_rng(0))
    left, right = st.columns(2, gap="medium")
    with left:
        if mine.expected_choice_loss is None:
            show(Finding("Algorithm 3 releases no setting", "simulation"))
            st.markdown("It publishes the score alone. Choose Algorithm 1 or 2 to see what a released setting loses.")
        else:
            _show_setting(setup, mine.expected_choice_loss * setup.unit)
    with right:
        _show_score(setup, mine)
    with explaining("private selection") as say:
        m, count = task.records, task.n if setup.selects else setup.search.iterations
        averaged = (
            f"The curve is averaged over {len(setup.alternatives)} random sets of candidates (the score’s over {SELECTIONS}). "
            if setup.alternatives
            else ""
        )
        say(
            f"""A validation score is a mean over m records whose contributions lie in a range of width
{task.largest_loss:g}; replacing one record moves it by at most {task.largest_loss:g}/m
{f"= {task.largest_loss / m:.3g}" if m else "(m is not known for this task)"}. So no theory of Gaussian processes is needed: evaluate
{count} candidates picked without looking at the records, draw one by {WAYS[4] if setup.algorithm == 4 else WAYS[0]} with noise for Δ = {task.largest_loss:g}/m, and add Lap(Δ/ε) to its score.
That is ε-differentially private for every dataset, with δ = 0, and proved. {averaged}*McSherry and Talwar (2007); McKenna and Sheldon (2020).*

The two figures use ε for the setting and ε for the score, 2ε together."""
        )


def _show_setting(setup: Setup, losses: Array) -> None:
    epsilon, amount = setup.plan.epsilon, spoken_of(setup.task).amount
    own = amount(setup.loss_of_choice() or 0.0)
    title = f"At ε = {epsilon:.3g} the setting loses {own}"
    note = f"Mean over the draw of λ̃. Hatched: {setup.named(2)} says nothing."
    alternative = None
    other = setup.selection_loss(epsilon)
    if other is None and not setup.selects:
        note += " Private selection needs m, the number of records."
    if other is not None:
        title += f", private selection {amount(other)}"
        alternative = np.array([setup.selection_loss(float(each)) for each in EPSILONS])
    picture = against_epsilon(
        setup, losses, alternative, "expected loss of the setting", start=setup.starts_at(2), ceiling=setup.blind_loss
    )
    alt = "Expected loss of the released setting against ε."
    Place("loss-setting").draw(Figure("loss-setting", Finding(title, "simulation", note, setup.stamp), picture, alt))


def _show_score(setup: Setup, mine: SimulatedReleases) -> None:
    theorem, task = setup.score_bound.theorem, setup.task
    errors = np.abs(mine.value_error).mean(axis=1) * setup.unit
    others = [
        simulated_releases(each, EPSILONS.tolist(), draws=DRAWS, objective=task.scores, rng=np.random.default_rng(i))
        for i, each in enumerate(setup.alternatives[:SELECTIONS])
    ]
    alternative = np.mean([np.abs(other.value_error).mean(axis=1) for other in others], axis=0) if others else None
    near = int(np.abs(np.log(EPSILONS / setup.plan.epsilon)).argmin())
    title = f"Near that ε the score is off by {two_digits(float(errors[near]))}"
    if alternative is not None:
        title += f", private selection’s by {two_digits(float(alternative[near]))}"
    note = f"Mean |published score − best score| over {DRAWS} simulated draws. Hatched: {setup.named(theorem)} says nothing."
    start = setup.starts_at(theorem)
    picture = against_epsilon(setup, errors, alternative, "mean error of the score", start=start)
    alt = "Mean error of the published score against ε."
    Place("loss-score").draw(Figure("loss-score", Finding(title, "simulation", note, setup.score_stamp), picture, alt))
