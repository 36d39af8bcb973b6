"""What Expert says of a release: the lead, headline numbers, findings, the honest reading, cautions, explanations."""

import math

from pages.parts.release.setup import UP_TO
from pages.parts.release.view import COVERAGE, NEARLY_ALL, View
from pages.parts.views.card import HOW_SURE, dots, strength_fact
from pages.parts.views.text import as_markdown, scientific, strong, two_digits
from pages.parts.views.views import Audience, Box, Finding, Tile
from privbo_core.privacy import Guarantee, Status
from privbo_core.release import Lipschitz, Noisy, Selection

TITLE = "Private release of a tuned setting"
SECRET = "that a record is the real one"
INSTEAD = "And this is what you should do instead"

AIMED = 0.3
"""A draw with fewer candidates in effect than this share of all is called well aimed."""


def lead(view: View) -> Finding | None:
    """Return the answer as the title of the page; None where m is not known, so that nothing is proved.

    What to publish, by which way, what that costs; and what DP-BO loses at the same ε, and why.
    """
    best, other, n = view.recommended, view.published, view.task.n
    if best is None:
        return None
    title = (
        f"Publish one of all {n:,} settings, drawn by permute-and-flip: at ε = {view.epsilon:.3g} that "
        f"loses {view.amount(best.lost)}; DP-BO’s Algorithm 1 loses {view.amount(other.lost)}"
    )
    choice = other.plan.choice
    assert choice is not None
    effect = f"{choice.effective_candidates:.0f} of {n:,} candidates in effect"
    if view.nearly_blind:
        why = f"DP-BO as published draws nearly blindly here: {effect}."
    else:
        why = f"DP-BO as published has {effect} here, and promises its ε over a prior, not for your data."
    proved = best.guarantee(1).status is Status.PROVED
    sure = "proved for every validation set" if proved else "whose ε needs no model of the scores"
    if view.algorithm == 0:
        return Finding(title, "simulation", f"{why} {INSTEAD}: draw from the list itself, {sure}.")
    shown = "the exponential mechanism" if view.selects else f"{view.name}, as published"
    return Finding(title, "simulation", f"{why} {INSTEAD}: “selection”, {sure}. Below stands {shown}.")


def cautions(view: View) -> tuple[list[str], list[str]]:
    """Return what is odd about the settings: remarks, and warnings."""
    task, remarks, warnings = view.task, [], []
    if view.values.get("T", 0) > view.search.iterations:
        remarks.append(f"Only {task.n} candidates lie in the range of λ, so T = {task.n}.")
    if view.loose:
        warnings.append("This asks for less noise than the task needs, so ε is not kept. " + " ".join(view.loose))
    if view.algorithm in (1, 2) and task.records and view.plan.delta >= 1 / task.records:
        warnings.append(
            f"δ = {scientific(view.plan.delta)} is at least 1/m = {scientific(1 / task.records)}: the promise could be "
            "kept while some record is revealed outright. Choose δ well below 1/m."
        )
    return remarks, warnings


def headline(view: View) -> tuple[Tile, ...]:
    """Return the four headline numbers."""
    plan, theorem = view.plan, view.score_bound.theorem
    half, spread = two_digits(view.half_width), two_digits(view.spread)
    width = Tile("Half width of the score", f"± {half}", f"95 %; scores span {spread}", "curator", view.score_stamp)
    begins = "A bound says something from"
    if isinstance(plan, Lipschitz):
        moves, possible = two_digits(plan.value.sensitivity), f"possible: {plan.loss.largest:.3g}"
        return (
            Tile("Setting released", "none", "only the score", released(view)),
            Tile("Sensitivity of the score", moves, possible, released(view), view.stamp),
            width,
            Tile(begins, starts(view, theorem), f"Theorem {theorem}", "curator"),
        )
    effective, n = plan.choice.effective_candidates, view.task.n
    blind = f"blind draw: {view.amount(view.blind_loss)}"
    also = plan.way if isinstance(plan, Selection) else f"on the score: {starts(view, theorem)}"
    return (
        Tile("Candidates, in effect", f"{effective:.0f} of {n:,}", f"blind draw: {n:,}", "curator", view.stamp),
        Tile("Expected loss of the setting", view.amount(view.lost), blind, "simulation", view.stamp),
        width,
        Tile(begins, starts(view, 2), also, "curator"),
    )


def released(view: View) -> Audience:
    """Return who may see what is published: under a promise that is not kept, it is not protected."""
    return "refuted" if view.loose else "share"


def hides(view: View) -> str:
    """Return, in plain words, what the promise hides."""
    if view.hidden is not None and view.selects:
        return view.hidden.whole
    one = f"one {view.sample.one}’s whole validation record"
    if view.in_scores:
        return f"{one}, whatever it holds; not the training records."
    return f"{one}, if it changes the scores as little as k₁ assumes."


def promise(guarantee: Guarantee, hidden: str) -> str:
    """Return a guarantee in two lines: what it hides, and how strongly."""
    fact = strength_fact(guarantee)
    strength = f"{fact.text.lower()} {dots(fact.level or 0)}"
    level = f"ε = {guarantee.epsilon:.3g}, δ = {scientific(guarantee.delta)}, {HOW_SURE[guarantee.status]}."
    return f"{strong('Hides')} {hidden}\n{strong('Strength:')} {strength}. {level}"


def starts(view: View, theorem: int) -> str:
    """Return from which ε on a bound is below the range of the score, as text."""
    epsilon = view.starts_at(theorem)
    return "at no ε" if math.isinf(epsilon) else f"ε > {two_digits(epsilon)}"


def setting_finding(view: View) -> Finding:
    """Return the title of the left figure: what it shows now."""
    plan, n = view.plan, view.task.n
    if isinstance(plan, Lipschitz):
        moves, largest = two_digits(plan.value.sensitivity), f"{plan.loss.largest:.3g}"
        beside = (
            f"; a score could move by {largest}" if plan.informative else f", yet no score moves by more than {largest}"
        )
        return Finding(f"Noise for a move of {moves}{beside}", released(view), "", view.stamp)
    effective, most = plan.choice.effective_candidates, two_digits(float(plan.choice.probabilities.max()) * n)
    if effective > NEARLY_ALL * n:
        verdict = "Nearly a blind draw"
    else:
        verdict = "Leaning to good settings" if effective > AIMED * n else "Well aimed"
    title = f"{verdict}: the likeliest candidate is {most} times as likely as in a blind draw"
    return Finding(title, "curator", "", view.stamp)


def setting_alt(view: View) -> str:
    """Return what the left figure shows to those who cannot see it."""
    choice = view.plan.choice
    if choice is None:
        return f"Sensitivity of the score against λ_min, now {two_digits(view.plan.value.sensitivity)}, and g*."
    above, most = "Score" if view.selects else "Posterior", choice.probabilities.max() * view.task.n
    return (
        f"{above} over {view.task.n} candidates, and the release probability of each: the likeliest is {most:.3g} "
        "times as likely as in a blind draw."
    )


def score_finding(view: View) -> Finding:
    """Return the title of the right figure."""
    share = view.half_width / view.spread
    if share >= 1:
        title = f"Noise hides the score: it reaches {two_digits(share)} times the range of all scores"
    else:
        title = f"The score is published to within {two_digits(100 * share)} % of the range of all scores"
    return Finding(title, "curator", "", view.score_stamp)


def score_alt(view: View) -> str:
    """Return what the right figure shows to those who cannot see it."""
    return (
        f"Density of the published score around {view.protected:.3f}, half width {two_digits(view.half_width)}; the "
        f"true best score is {view.best:.3f}."
    )


def reading(view: View) -> Box:
    """Return the honest reading: how blind, how noisy, for which data; and how it compares with private selection."""
    lines, best, others = [], view.recommended, view.alternatives
    if view.plan.choice is not None:
        lines.append(f"{strong('Where is it blind?')} {_blind(view)}")
    instead = f"{strong('What to do instead?')} Permute-and-flip"
    if view.plan.choice is not None and best is not None and best is not view:
        few = view.selection_loss(view.epsilon)
        also = "" if few is None else f"; among {len(others[0].rows)}, as many as searched here, {view.amount(few)}"
        lines.append(f"{instead} loses {strong(view.amount(best.lost))} at this ε{also}.")
    elif others:
        narrow = strong(f"± {two_digits(others[0].value.half_width(COVERAGE))}")
        lines.append(f"{instead} publishes a good setting’s score to {narrow} at this ε.")
    if view.hidden is not None and view.selects:
        about = " ".join(view.holds)
    elif view.selects:
        about = f"ε holds for {strong('every')} validation set; candidates, training set and m are public."
    elif view.algorithm == 3:
        about = (
            f"ε holds for {strong('every')} validation set, if the training set, L, g*, the range of λ and m are "
            "public."
        )
    else:
        about = f"(ε, δ) holds over scores drawn from the assumed prior, {strong('not for one given dataset')}."
    return Box("Honest reading", (*lines, f"{strong('For which data?')} {about}"))


def _blind(view: View) -> str:
    """Return in a sentence from which ε on dragging shows something."""
    below = view.blind_below
    if not below:
        return "Nowhere on this slider: each ε sets the good settings apart."
    if below >= UP_TO:
        return "Everywhere on this slider: more than nine candidates in ten are in effect."
    return f"Below ε = {two_digits(below)} more than nine candidates in ten are in effect."


_DRAWN = {
    "exponential": "$\\Pr[\\tilde\\lambda=\\lambda] \\propto \\exp\\frac{\\varepsilon\\,f_V(\\lambda)}{2\\Delta}$",
    "permute-and-flip": (
        "Settings are gone through in random order, and the first is kept whose coin shows heads, which it does with "
        "probability $\\exp\\frac{\\varepsilon\\,(f_V(\\lambda)-\\max f_V)}{2\\Delta}$"
    ),
}
"""How a setting is drawn, by the way."""


def setting_explained(view: View) -> str:
    """Return what the left figure shows, with today's numbers in the formulas."""
    plan, task = view.plan, view.task
    if isinstance(plan, Lipschitz):
        loss = plan.loss
        return f"""Algorithm 3 publishes how good the best setting is, not which one it is. Between λ_min and λ_max, and
between two
neighbouring validation sets, the score moves by at most (Theorem 7)

$\\frac{{(\\lambda_{{\\max}}-\\lambda_{{\\min}})L}}{{\\lambda_{{\\max}}\\lambda_{{\\min}}}}
+
\\min\\{{\\frac{{g^*}}{{m}}, \\frac{{L}}{{m\\lambda_{{\\min}}}}\\}}$ = {two_digits(plan.value.sensitivity)}, with L = {loss.slope:.3g},
g* = {loss.largest:.3g}, λ from {scientific(loss.lambda_min)} to {scientific(loss.lambda_max)}, m = {plan.records}.

A score lies between −g* and 0, so noise for a move of g* = {loss.largest:.3g} would do for any data; in the hatched
region the theorem
asks for more than that. The circle turns into a cross there. *Kusner, Gardner, Garnett, Weinberger (ICML 2015),
Algorithm 3, Theorem 7.*"""  # noqa: E501 - a formula or a row
    choice = plan.choice
    if isinstance(plan, Selection):
        return f"""Above: the score of each candidate, which the team alone knows. Below: how much likelier each is to
be published than if
one were drawn blindly among all {task.n:,}.

{_DRAWN[plan.way]}, with $\\Delta$ = {task.largest_loss:g}/{plan.records:,} = {two_digits(plan.value.sensitivity)},
the most by which one record can move a score, and ε = {plan.epsilon:.3g}.

*In effect* means exp(entropy): {choice.effective_candidates:.0f} equally likely candidates would be as uncertain. With
probability
{view.score_bound.probability:.3g} or more the published setting is at most {two_digits(view.score_bound.value)} below
the best.
At the same ε, permute-and-flip never loses more on average than the exponential mechanism. *{view.source}.*"""
    return f"""Above: what the search knows. The dashed line is the true score of each candidate, circles are the
{view.search.iterations} evaluations (their noise is simulated here), the blue line and band are the posterior mean
$\\mu_T$ ± 2 standard deviations.
Below: how much likelier each candidate is to be released than if one were drawn blindly among all {task.n}.

$\\Pr[\\tilde\\lambda=\\lambda] \\propto \\exp\\frac{{\\varepsilon\\,\\mu_T(\\lambda)}}{{2(2\\sqrt{{\\beta_{{T+1}}}}+c)}}$,
with
$2\\sqrt{{\\beta_{{T+1}}}}+c = {choice.sensitivity:.1f}$ prior standard deviations of {two_digits(task.unit)} each, and
ε = {plan.epsilon:.3g}.

*In effect* means exp(entropy): {choice.effective_candidates:.0f} equally likely candidates would be as uncertain. The
likeliest is
{choice.probabilities.max() * task.n:.2g} times as likely as in a blind draw. The prior was learned from
{as_markdown(task.prior_from)}.
*Kusner, Gardner, Garnett, Weinberger (ICML 2015), Algorithm {view.algorithm}; the choice is Algorithm 1, line 12.*"""  # noqa: E501 - a formula or a row


def score_explained(view: View) -> str:
    """Return what the right figure shows."""
    plan = view.plan
    intro = f"""The number ${view.protected:.3f}$ is protected by Laplace noise of scale {two_digits(view.scale)}. The
thick bar holds the published score
with a probability of 95 %. Hatched: values that no candidate has."""
    if isinstance(plan, Selection):
        return f"""The score of the setting that is published, with Laplace noise of scale Δ/ε =
{two_digits(plan.value.sensitivity)}/{plan.epsilon:.3g} =
{two_digits(view.scale)}. The curve mixes all settings that may come out; the dashed line is their mean score before
noise. The thick bar is as
long as the interval that holds the noise with a probability of 95 %: ± scale · log 20 = {two_digits(view.half_width)}.
Hatched: values that no
candidate has. While a thumb is held the axes stay. *Dwork et al. (2006).*"""
    width = two_digits(view.half_width)
    ending = f"Half width of the 95 % interval: scale · log 20 = {width}. While a thumb is held the axes stay."
    if isinstance(plan, Lipschitz):
        scale = f"{two_digits(plan.value.sensitivity)}/{plan.epsilon:.3g}"
        formula = f"Scale: sensitivity/ε = {scale}. *ICML 2015, Algorithm 3 and Corollary 4.*"
    elif isinstance(plan, Noisy):
        regret = view.bounds[3].term("regret")
        factor, paper = (8, "ICML 2015") if view.variant == "icml" else (4, "the workshop paper")
        formula = f"""The number is the best *observation*, $\\max_t v_t$, and not the score of the setting that is
released with it. The scale, in prior standard deviations of {two_digits(view.task.unit)}:

$\\frac{{1}}{{\\varepsilon}}\\left(\\sqrt{{C_1\\beta_T\\gamma_T/T}}+c+q\\right) = ({regret:.2f}+{plan.c:.2f}+{plan.q:.2f})/{plan.epsilon:.3g}$,
$q=\\sigma\\sqrt{{{factor}\\log(3/\\delta)}}$, $c = 2\\sqrt{{(1-k_1)\\log(3|\\Lambda|/\\delta)}}$, $\\gamma_T \\le$
{plan.gamma:.1f} nats.
*{paper}, Algorithm 1, line 14.*"""  # noqa: E501 - a formula or a row
    else:
        what, paper = (
            ("the *last* candidate evaluated", "ICML 2015")
            if view.variant == "icml"
            else ("the best candidate from the second evaluation on", "the workshop paper")
        )
        steps = "T" if view.variant == "icml" else "2"
        formula = f"""The number is the score of {what}. The scale, in prior standard deviations of
{two_digits(view.task.unit)}:

$\\frac{{1}}{{\\varepsilon}}\\left(A\\,e^{{-{steps}\\tau/(\\log {steps})^{{d/4}}}}+c\\right) = ({two_digits(plan.omega)}+{plan.c:.2f})/{plan.epsilon:.3g}$,
$c = 2\\sqrt{{(1-k_1)\\log(2|\\Lambda|/\\delta)}}$. A = {plan.A:.3g} and τ = {plan.tau:.3g} describe the score near its
best; nobody knows
them in practice, and the promise depends on them. They come from a theorem on a branch-and-bound search (de Freitas,
Smola, Zoghi 2012); the search here is GP-UCB
with exact observations, which that theorem is not about. *{paper}, Algorithm 2.*"""  # noqa: E501 - a formula or a row
    return f"{intro}\n\n{formula}\n\n{ending}"
