"""What the Release page says: headline numbers, findings, the honest reading, cautions, explanations."""

import math

import streamlit as st

from pages.parts.release.own.words import hidden, holds
from pages.parts.release.setup import COVERAGE, UP_TO, WAYS, Algorithm, Setup
from pages.parts.release.tasks import spoken_of
from pages.parts.show.card import HOW_SURE, dots, strength_fact
from pages.parts.show.explained import explaining
from pages.parts.values.numbers import scientific, two_digits
from pages.parts.values.text import as_markdown, strong
from pages.parts.values.views import Audience, Box, Finding, Tile
from privbo_core.data import TuningTask
from privbo_core.privacy import Guarantee
from privbo_core.release import Lipschitz, Noisy, Selection

TITLE = "Private release of a tuned setting"
SECRET = "that a record is the real one"
ALGORITHMS = (
    "Selection: private selection, proved; the best of what is here. The three others are the papers’. 1: each evaluation of the search is noisy. 2: evaluations are exact, and the search is GP-UCB all the same, not the branch and bound that its theorem is about. Both assume that scores are a draw from a Gaussian process. "
    "3: regularised models with a Lipschitz loss, no such assumption; it publishes the score alone."
)

DRAWN_BY = "Two ways to draw one setting, a better one the likelier, at the same ε. Permute-and-flip never loses more on average than the exponential mechanism, so it is recommended."

AIMED = 0.3
"""A draw with fewer candidates in effect than this share of all is called well aimed."""


def missing(task: TuningTask | None, algorithm: Algorithm) -> str:
    """Return what keeps the page from showing anything, as Markdown; nothing if all is there."""
    if task is None:
        return "There is nothing to tune yet: choose a file on the left, or one of the built-in tasks."
    if algorithm == 3 and task.loss is None:
        return (
            "Algorithm 3 needs a model trained by (λ/2)‖w‖² + a convex loss, and a Lipschitz validation loss. This task has none: choose "
            "the logistic regression, or Algorithm 1 or 2."
        )
    if algorithm in WAYS and task.records is None:
        return (
            "Private selection needs m, the number of validation records behind each score. Say so on the left, or choose "
            "Algorithm 1 or 2."
        )
    return ""


def too_narrow(asked: tuple[float, float], own: tuple[float, float]) -> str:
    """Return what is wrong with a range of λ that leaves nothing to choose from."""
    return (
        f"λ_min to λ_max, {asked[0]:.3g} to {asked[1]:.3g}, leaves fewer than two candidates; the page "
        f"shows the task’s own range, {own[0]:.3g} to {own[1]:.3g}."
    )


def caution(setup: Setup, asked: int) -> None:
    """Say what is odd about the settings; ``asked``: the T that the slider says."""
    task = setup.task
    if asked > setup.search.iterations:
        st.info(f"Only {task.n} candidates lie in the range of λ, so T = {task.n}.")
    if setup.loose:
        st.warning("This asks for less noise than the task needs, so ε is not kept. " + " ".join(setup.loose))
    if setup.algorithm in (1, 2) and task.records and setup.plan.delta >= 1 / task.records:
        st.warning(
            f"δ = {scientific(setup.plan.delta)} is at least 1/m = {scientific(1 / task.records)}: the promise could be kept while some "
            "record is revealed outright. Choose δ well below 1/m."
        )


def prior_from(task: TuningTask) -> str:
    """Return what the assumed prior was learned from."""
    return f"Centre, unit and length-scales of the score were learned from {task.prior_from}."


def headline(setup: Setup) -> tuple[Tile, ...]:
    """Return the four headline numbers."""
    plan, lost, score = setup.plan, setup.loss_of_choice(), setup.score_bound.theorem
    half, spread = two_digits(setup.half_width), two_digits(setup.spread)
    width = Tile("Half width of the score", f"± {half}", f"95 %; scores span {spread}", "curator", setup.score_stamp)
    begins = "A bound says something from"
    if isinstance(plan, Lipschitz) or lost is None:
        largest = plan.loss.largest if isinstance(plan, Lipschitz) else 0.0
        moves = two_digits(plan.value.sensitivity)
        return (
            Tile("Setting released", "none", "only the score", released(setup)),
            Tile("Sensitivity of the score", moves, f"possible: {largest:.3g}", released(setup), setup.stamp),
            width,
            Tile(begins, starts(setup, score), f"Theorem {score}", "curator"),
        )
    effective, n, amount = plan.choice.effective_candidates, setup.task.n, spoken_of(setup.task).amount
    blind = f"blind draw: {amount(setup.blind_loss)}"
    also = plan.way if isinstance(plan, Selection) else f"on the score: {starts(setup, score)}"
    return (
        Tile("Candidates, in effect", f"{effective:.0f} of {n:,}", f"blind draw: {n:,}", "curator", setup.stamp),
        Tile("Expected loss of the setting", amount(lost), blind, "simulation", setup.stamp),
        width,
        Tile(begins, starts(setup, 2), also, "curator"),
    )


def released(setup: Setup) -> Audience:
    """Return who may see what is published: under a promise that is not kept, it is not protected."""
    return "refuted" if setup.loose else "share"


def hides(setup: Setup) -> str:
    """Return, in plain words, what the promise hides."""
    found = hidden(setup.task)
    if found is not None and setup.selects:
        return found.whole
    one = f"one {spoken_of(setup.task).one}’s whole validation record"
    if setup.in_scores:
        return f"{one}, whatever it holds; not the training records."
    return f"{one}, if it changes the scores as little as k₁ assumes."


def promise(guarantee: Guarantee, hidden: str) -> str:
    """Return a guarantee in two lines: what it hides, and how strongly."""
    fact = strength_fact(guarantee)
    strength = f"{fact.text.lower()} {dots(fact.level or 0)}"
    level = f"ε = {guarantee.epsilon:.3g}, δ = {scientific(guarantee.delta)}, {HOW_SURE[guarantee.status]}."
    return f"{strong('Hides')} {hidden}\n{strong('Strength:')} {strength}. {level}"


def starts(setup: Setup, theorem: int) -> str:
    """Return from which ε on a bound is below the range of the score, as text."""
    epsilon = setup.starts_at(theorem)
    return "at no ε" if math.isinf(epsilon) else f"ε > {two_digits(epsilon)}"


def setting_finding(setup: Setup) -> Finding:
    """Return the title of the left figure: what it shows now."""
    plan, n = setup.plan, setup.task.n
    if isinstance(plan, Lipschitz):
        asked, largest = two_digits(plan.value.sensitivity), plan.loss.largest
        if plan.informative:
            text = f"Noise for a move of {asked}; a score could move by {largest:.3g}"
        else:
            text = f"Noise for a move of {asked}, yet no score moves by more than {largest:.3g}"
        return Finding(text, released(setup), "", setup.stamp)
    effective = plan.choice.effective_candidates
    if effective > 0.9 * n:
        verdict = "Nearly a blind draw"
    else:
        verdict = "Leaning to good settings" if effective > AIMED * n else "Well aimed"
    most = two_digits(float(plan.choice.probabilities.max()) * n)
    return Finding(
        f"{verdict}: the likeliest candidate is {most} times as likely as in a blind draw", "curator", "", setup.stamp
    )


def setting_alt(setup: Setup) -> str:
    """Return what the left figure shows to those who cannot see it."""
    choice = setup.plan.choice
    if choice is None:
        return f"Sensitivity of the score against λ_min, now {two_digits(setup.plan.value.sensitivity)}, and g*."
    most = choice.probabilities.max() * setup.task.n
    above = "Score" if setup.selects else "Posterior"
    return (
        f"{above} over {setup.task.n} candidates, and the release probability of each: the likeliest is {most:.3g} times as likely "
        "as in a blind draw."
    )


def score_alt(setup: Setup) -> str:
    """Return what the right figure shows to those who cannot see it."""
    return (
        f"Density of the published score around {setup.protected:.3f}, half width {two_digits(setup.half_width)}; the true best score is "
        f"{setup.task.scores.max():.3f}."
    )


def score_finding(setup: Setup) -> Finding:
    """Return the title of the right figure."""
    share = setup.half_width / setup.spread
    if share >= 1:
        text = f"Noise hides the score: it reaches {two_digits(share)} times the range of all scores"
    else:
        text = f"The score is published to within {two_digits(100 * share)} % of the range of all scores"
    return Finding(text, "curator", "", setup.score_stamp)


def reading(setup: Setup) -> Box:
    """Return the honest reading: how blind, how noisy, for which data."""
    if hidden(setup.task) is not None and setup.selects:
        how, condition = holds(setup.task, setup.guarantee(1))
        about = f"{how} {condition}"
    elif setup.selects:
        about = f"ε holds for {strong('every')} validation set; candidates, training set and m are public."
    elif setup.algorithm == 3:
        about = f"ε holds for {strong('every')} validation set, if the training set, L, g*, the range of λ and m are public."
    else:
        about = f"(ε, δ) holds over scores drawn from the assumed prior, {strong('not for one given dataset')}."
    return Box("Honest reading", (*_compared(setup), f"{strong('For which data?')} {about}"))


def _compared(setup: Setup) -> list[str]:
    """Return where the release is blind, and how it compares with private selection."""
    said, other = [], setup.selection_loss(setup.plan.epsilon)
    if setup.plan.choice is not None:
        said.append(f"{strong('Where is it blind?')} {_blind(setup)}")
    best = setup.recommended
    if setup.plan.choice is not None and best is not None and best is not setup:
        lost = strong(spoken_of(setup.task).amount(best.loss_of_choice() or 0.0))
        said.append(f"{strong('What to do instead?')} Permute-and-flip loses {lost} at this ε{_as_few(setup, other)}.")
    elif setup.alternatives:
        narrow = strong(f"± {two_digits(setup.alternatives[0].value.half_width(COVERAGE))}")
        said.append(
            f"{strong('What to do instead?')} Permute-and-flip publishes a good setting’s score to {narrow} at this ε."
        )
    return said


def _as_few(setup: Setup, loss: float | None) -> str:
    """Return what it loses among as many candidates as a search evaluates."""
    if loss is None:
        return ""
    return f"; among {len(setup.alternatives[0].rows)}, as many as searched here, {spoken_of(setup.task).amount(loss)}"


def _blind(setup: Setup) -> str:
    """Return in a sentence from which ε on dragging shows something."""
    below = setup.blind_below
    if not below:
        return "Nowhere on this slider: each ε sets the good settings apart."
    if below >= UP_TO:
        return "Everywhere on this slider: more than nine candidates in ten are in effect."
    return f"Below ε = {two_digits(below)} more than nine candidates in ten are in effect."


def explain_setting(setup: Setup) -> None:
    """Say what the left figure shows, with today's numbers in the formulas."""
    with explaining("which setting") as say:
        say(_setting(setup))


def explain_score(setup: Setup) -> None:
    """Say what the right figure shows."""
    with explaining("the score and its noise") as say:
        say(_score(setup))


_DRAWN = {
    "exponential": "$\\Pr[\\tilde\\lambda=\\lambda] \\propto \\exp\\frac{\\varepsilon\\,f_V(\\lambda)}{2\\Delta}$",
    "permute-and-flip": "Settings are gone through in random order, and the first is kept whose coin shows heads, which it does with probability "
    "$\\exp\\frac{\\varepsilon\\,(f_V(\\lambda)-\\max f_V)}{2\\Delta}$",
}
"""How a setting is drawn, by the way."""


def _setting(setup: Setup) -> str:
    plan, task = setup.plan, setup.task
    if isinstance(plan, Lipschitz):
        loss = plan.loss
        return f"""Algorithm 3 publishes how good the best setting is, not which one it is. Between λ_min and λ_max, and between two
neighbouring validation sets, the score moves by at most (Theorem 7)

$\\frac{{(\\lambda_{{\\max}}-\\lambda_{{\\min}})L}}{{\\lambda_{{\\max}}\\lambda_{{\\min}}}}
+ \\min\\{{\\frac{{g^*}}{{m}}, \\frac{{L}}{{m\\lambda_{{\\min}}}}\\}}$ = {two_digits(plan.value.sensitivity)}, with L = {loss.slope:.3g},
g* = {loss.largest:.3g}, λ from {scientific(loss.lambda_min)} to {scientific(loss.lambda_max)}, m = {plan.records}.

A score lies between −g* and 0, so noise for a move of g* = {loss.largest:.3g} would do for any data; in the hatched region the theorem
asks for more than that. The circle turns into a cross there. *Kusner, Gardner, Garnett, Weinberger (ICML 2015), Algorithm 3, Theorem 7.*"""
    choice = plan.choice
    if isinstance(plan, Selection):
        return f"""Above: the score of each candidate, which the team alone knows. Below: how much likelier each is to be published than if
one were drawn blindly among all {task.n:,}.

{_DRAWN[plan.way]}, with $\\Delta$ = {task.largest_loss:g}/{plan.records:,} = {two_digits(plan.value.sensitivity)},
the most by which one record can move a score, and ε = {plan.epsilon:.3g}.

*In effect* means exp(entropy): {choice.effective_candidates:.0f} equally likely candidates would be as uncertain. With probability
{setup.score_bound.probability:.3g} or more the published setting is at most {two_digits(setup.score_bound.value)} below the best.
At the same ε, permute-and-flip never loses more on average than the exponential mechanism. *{setup.source}.*"""
    return f"""Above: what the search knows. The dashed line is the true score of each candidate, circles are the
{setup.search.iterations} evaluations (their noise is simulated here), the blue line and band are the posterior mean $\\mu_T$ ± 2 standard deviations.
Below: how much likelier each candidate is to be released than if one were drawn blindly among all {task.n}.

$\\Pr[\\tilde\\lambda=\\lambda] \\propto \\exp\\frac{{\\varepsilon\\,\\mu_T(\\lambda)}}{{2(2\\sqrt{{\\beta_{{T+1}}}}+c)}}$, with
$2\\sqrt{{\\beta_{{T+1}}}}+c = {choice.sensitivity:.1f}$ prior standard deviations of {two_digits(task.unit)} each, and ε = {plan.epsilon:.3g}.

*In effect* means exp(entropy): {choice.effective_candidates:.0f} equally likely candidates would be as uncertain. The likeliest is
{choice.probabilities.max() * task.n:.2g} times as likely as in a blind draw. The prior was learned from {as_markdown(task.prior_from)}.
*Kusner, Gardner, Garnett, Weinberger (ICML 2015), Algorithm {setup.algorithm}; the choice is Algorithm 1, line 12.*"""


def _score(setup: Setup) -> str:
    plan = setup.plan
    intro = f"""The number ${setup.protected:.3f}$ is protected by Laplace noise of scale {two_digits(setup.scale)}. The thick bar holds the published score
with a probability of 95 %. Hatched: values that no candidate has."""
    if isinstance(plan, Selection):
        return f"""The score of the setting that is published, with Laplace noise of scale Δ/ε = {two_digits(plan.value.sensitivity)}/{plan.epsilon:.3g} =
{two_digits(setup.scale)}. The curve mixes all settings that may come out; the dashed line is their mean score before noise. The thick bar is as
long as the interval that holds the noise with a probability of 95 %: ± scale · log 20 = {two_digits(setup.half_width)}. Hatched: values that no
candidate has. While a thumb is held the axes stay. *Dwork et al. (2006).*"""
    ending = f"""Half width of the 95 % interval: scale · log 20 = {two_digits(setup.half_width)}. While a thumb is held the axes stay."""
    if isinstance(plan, Lipschitz):
        formula = f"""Scale: sensitivity/ε = {two_digits(plan.value.sensitivity)}/{plan.epsilon:.3g}. *ICML 2015, Algorithm 3 and Corollary 4.*"""
    elif isinstance(plan, Noisy):
        regret = setup.bounds[3].term("regret")
        factor, paper = (8, "ICML 2015") if setup.variant == "icml" else (4, "the workshop paper")
        formula = f"""The number is the best *observation*, $\\max_t v_t$, and not the score of the setting that is released with it. The scale, in prior standard deviations of {two_digits(setup.task.unit)}:

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
        formula = f"""The number is the score of {what}. The scale, in prior standard deviations of {two_digits(setup.task.unit)}:

$\\frac{{1}}{{\\varepsilon}}\\left(A\\,e^{{-{steps}\\tau/(\\log {steps})^{{d/4}}}}+c\\right) = ({two_digits(plan.omega)}+{plan.c:.2f})/{plan.epsilon:.3g}$,
$c = 2\\sqrt{{(1-k_1)\\log(2|\\Lambda|/\\delta)}}$. A = {plan.A:.3g} and τ = {plan.tau:.3g} describe the score near its best; nobody knows
them in practice, and the promise depends on them. They come from a theorem on a branch-and-bound search (de Freitas, Smola, Zoghi 2012); the search here is GP-UCB
with exact observations, which that theorem is not about. *{paper}, Algorithm 2.*"""
    return f"{intro}\n\n{formula}\n\n{ending}"
