"""What the Release page says: headline numbers, findings, the honest reading, explanations."""

import math

import streamlit as st

from pages.parts.release.setup import COVERAGE, Setup, amount
from pages.parts.show.explained import explaining
from pages.parts.show.look import Audience, finding, scientific, tiles
from privbo_core.release import Lipschitz, Noisy

Tile = tuple[str, str, str, Audience]


def headline(setup: Setup) -> str:
    """Return the four headline numbers."""
    plan, lost, score = setup.plan, setup.loss_of_choice(), setup.score_bound.theorem
    last: Tile
    if isinstance(plan, Lipschitz) or lost is None:
        first: Tile = ("Setting released", "none", "only the score", "share")
        largest = plan.loss.largest if isinstance(plan, Lipschitz) else 0.0
        second: Tile = ("Sensitivity of the score", amount(plan.value.sensitivity), f"possible: {largest:.3g}", "share")
        last = ("A bound says something from", starts(setup, score), f"Theorem {score}", "curator")
    else:
        effective, n = plan.choice.effective_candidates, setup.task.n
        first = ("Candidates, in effect", f"{effective:.0f} of {n}", f"blind draw: {n}", "curator")
        second = ("Expected loss of the setting", amount(lost), f"blind draw: {amount(setup.blind_loss)}", "simulation")
        last = ("A bound says something from", starts(setup, 2), f"on the score: {starts(setup, score)}", "curator")
    width: Tile = (
        "Half width of the score",
        f"± {amount(setup.half_width)}",
        f"95 %; scores span {amount(setup.spread)}",
        "curator",
    )
    return tiles([first, second, width, last])


def starts(setup: Setup, theorem: int) -> str:
    """Return from which ε on a bound is below the range of the score, as text."""
    epsilon = setup.starts_at(theorem)
    return "at no ε" if math.isinf(epsilon) else f"ε &gt; {amount(epsilon)}"


def setting_finding(setup: Setup) -> str:
    """Return the title of the left figure: what it shows now."""
    plan, n = setup.plan, setup.task.n
    if isinstance(plan, Lipschitz):
        asked, largest = amount(plan.value.sensitivity), plan.loss.largest
        if plan.informative:
            text = f"Noise for a move of {asked}; a score could move by {largest:.3g}"
        else:
            text = f"Noise for a move of {asked}, yet no score moves by more than {largest:.3g}"
        return finding(text, "share", "A larger λ<sub>min</sub> shrinks the sensitivity, and the choice.")
    effective = plan.choice.effective_candidates
    verdict = (
        "Nearly a blind draw"
        if effective > 0.9 * n
        else "Leaning to good settings"
        if effective > 0.3 * n
        else "Well aimed"
    )
    return finding(f"{verdict}: {effective:.0f} of {n} candidates in effect", "curator")


def setting_alt(setup: Setup) -> str:
    """Return what the left figure shows to those who cannot see it."""
    choice = setup.plan.choice
    if choice is None:
        return f"Sensitivity of the score against λ_min, now {amount(setup.plan.value.sensitivity)}, and g*."
    most = choice.probabilities.max() * setup.task.n
    return (
        f"Posterior over {setup.task.n} candidates, and the release probability of each: the likeliest is {most:.3g} times as likely "
        "as in a blind draw."
    )


def score_alt(setup: Setup) -> str:
    """Return what the right figure shows to those who cannot see it."""
    return (
        f"Density of the published score around {setup.protected:.3f}, half width {amount(setup.half_width)}; the true best score is "
        f"{setup.task.scores.max():.3f}."
    )


def score_finding(setup: Setup) -> str:
    """Return the title of the right figure."""
    half, spread = amount(setup.half_width), amount(setup.spread)
    if setup.half_width >= setup.spread:
        return finding(f"Noise hides the score: ± {half}, where all scores span {spread}", "curator")
    return finding(f"The score is published to ± {half}; all scores span {spread}", "curator")


def reading(setup: Setup) -> str:
    """Return the honest reading, in three sentences."""
    lost, score = setup.loss_of_choice(), setup.score_bound.theorem
    theorems = [score] if lost is None else [2, score]
    items = []
    if lost is not None:
        other = setup.selection_loss(setup.plan.epsilon)
        against = (
            "" if other is None else f" Private selection at this ε loses <b>{amount(other)}</b>, proved, with δ = 0."
        )
        items.append(
            f"<b>How blind?</b> The setting loses {amount(lost)} on average, a blind draw {amount(setup.blind_loss)}.{against}"
        )
    if setup.alternatives and lost is None:
        narrow = amount(setup.alternatives[0].value.half_width(COVERAGE))
        items.append(
            f"<b>How noisy?</b> ± {amount(setup.half_width)}. Private selection publishes the score of a good setting at this ε to "
            f"<b>± {narrow}</b>, proved too."
        )
    for theorem in theorems:
        bound = amount(setup.bounds[theorem].value * setup.unit)
        name = f"Theorem {theorem}, on the {'setting' if theorem == 2 else 'score'}"
        spread, begins = amount(setup.spread), setup.starts_at(theorem)
        sure = f"{100 * max(0.0, setup.bounds[theorem].probability):.0f} %"
        if math.isinf(begins):
            verdict = f'<span class="pb-unmet">says nothing at any ε</span>: off by at most {bound} in {sure} of draws, where all scores span {spread}'
        elif setup.vacuous(theorem):
            verdict = f'<span class="pb-unmet">says nothing</span>: off by at most {bound} in {sure} of draws, where all scores span {spread}. It starts at {starts(setup, theorem)}'
        else:
            verdict = f'<span class="pb-met">says something</span>: off by at most {bound} in {sure} of draws, where all scores span {spread}'
        items.append(f"<b>{name}</b>, {verdict}.")
    items.append(
        "<b>For which data?</b> ε of Algorithm 3 holds for <b>every</b> validation set, as long as the training set, L, g*, the "
        "range of λ and m are public."
        if setup.algorithm == 3
        else "<b>For which data?</b> (ε, δ) holds over the draw of the scores from the assumed prior, <b>not for one given dataset</b>."
    )
    return f'<div class="pb-card"><h3>Honest reading</h3><ul>{"".join(f"<li>{item}</li>" for item in items)}</ul></div>'


def explain(setup: Setup) -> None:
    """Say what the two figures show, with today's numbers in the formulas."""
    first, second = st.columns(2, gap="medium")
    with first, explaining("which setting") as say:
        say(_setting(setup))
    with second, explaining("the score and its noise") as say:
        say(_score(setup))


def _setting(setup: Setup) -> str:
    plan, task = setup.plan, setup.task
    if isinstance(plan, Lipschitz):
        loss = plan.loss
        return f"""Algorithm 3 publishes how good the best setting is, not which one it is. Between λ_min and λ_max, and between two
neighbouring validation sets, the score moves by at most (Theorem 7)

$\\frac{{(\\lambda_{{\\max}}-\\lambda_{{\\min}})L}}{{\\lambda_{{\\max}}\\lambda_{{\\min}}}}
+ \\min\\{{\\frac{{g^*}}{{m}}, \\frac{{L}}{{m\\lambda_{{\\min}}}}\\}}$ = {amount(plan.value.sensitivity)}, with L = {loss.slope:.3g},
g* = {loss.largest:.3g}, λ from {scientific(loss.lambda_min)} to {scientific(loss.lambda_max)}, m = {plan.records}.

A score lies between −g* and 0, so noise for a move of g* = {loss.largest:.3g} would do for any data; in the hatched region the theorem
asks for more than that. The circle turns into a cross there. *Kusner, Gardner, Garnett, Weinberger (ICML 2015), Algorithm 3, Theorem 7.*"""
    choice = plan.choice
    return f"""Above: what the search knows. The dashed line is the true score of each candidate, circles are the
{setup.search.iterations} evaluations (their noise is simulated here), the blue line and band are the posterior mean $\\mu_T$ ± 2 standard deviations.
Below: how much likelier each candidate is to be released than if one were drawn blindly among all {task.n}.

$\\Pr[\\tilde\\lambda=\\lambda] \\propto \\exp\\frac{{\\varepsilon\\,\\mu_T(\\lambda)}}{{2(2\\sqrt{{\\beta_{{T+1}}}}+c)}}$, with
$2\\sqrt{{\\beta_{{T+1}}}}+c = {choice.sensitivity:.1f}$ prior standard deviations of {amount(task.unit)} each, and ε = {plan.epsilon:.3g}.

*In effect* means exp(entropy): {choice.effective_candidates:.0f} equally likely candidates would be as uncertain. The likeliest is
{choice.probabilities.max() * task.n:.2g} times as likely as in a blind draw. The prior was learned from {task.prior_from}.
*Kusner, Gardner, Garnett, Weinberger (ICML 2015), Algorithm {setup.algorithm}; the choice is Algorithm 1, line 12.*"""


def _score(setup: Setup) -> str:
    plan = setup.plan
    intro = f"""The number ${setup.protected:.3f}$ is protected by Laplace noise of scale {amount(setup.scale)}. The thick bar holds the published score
with a probability of 95 %. Hatched: values that no candidate has."""
    ending = f"""Half width of the 95 % interval: scale · log 20 = {amount(setup.half_width)}. While a thumb is held the axes stay."""
    if isinstance(plan, Lipschitz):
        formula = f"""Scale: sensitivity/ε = {amount(plan.value.sensitivity)}/{plan.epsilon:.3g}. *ICML 2015, Algorithm 3 and Corollary 4.*"""
    elif isinstance(plan, Noisy):
        regret = setup.bounds[3].term("regret")
        factor, paper = (8, "ICML 2015") if setup.variant == "icml" else (4, "the workshop paper")
        formula = f"""The number is the best *observation*, $\\max_t v_t$, and not the score of the setting that is released with it. The scale, in prior standard deviations of {amount(setup.task.unit)}:

$\\frac{{1}}{{\\varepsilon}}\\left(\\sqrt{{C_1\\beta_T\\gamma_T/T}}+c+q\\right) = ({regret:.2f}+{plan.c:.2f}+{plan.q:.2f})/{plan.epsilon:.3g}$,
$q=\\sigma\\sqrt{{{factor}\\log(3/\\delta)}}$, $c = 2\\sqrt{{(1-k_1)\\log(3|\\Lambda|/\\delta)}}$, $\\gamma_T \\le$ {plan.gamma:.1f} nats.
*{paper}, Algorithm 1, line 14.*"""
    else:
        what, paper = (
            ("the *last* candidate evaluated", "ICML 2015")
            if setup.variant == "icml"
            else ("the best candidate from the second evaluation on", "the workshop paper")
        )
        steps = "T" if setup.variant == "icml" else "2"
        formula = f"""The number is the score of {what}. The scale, in prior standard deviations of {amount(setup.task.unit)}:

$\\frac{{1}}{{\\varepsilon}}\\left(A\\,e^{{-{steps}\\tau/(\\log {steps})^{{d/4}}}}+c\\right) = ({amount(plan.omega)}+{plan.c:.2f})/{plan.epsilon:.3g}$,
$c = 2\\sqrt{{(1-k_1)\\log(2|\\Lambda|/\\delta)}}$. A = {plan.A:.3g} and τ = {plan.tau:.3g} describe the score near its best; nobody knows
them in practice, and the promise depends on them. *{paper}, Algorithm 2.*"""
    return f"{intro}\n\n{formula}\n\n{ending}"
