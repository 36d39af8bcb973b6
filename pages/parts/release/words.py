"""What Expert says of a release: the lead, headline numbers, findings, the honest reading, cautions."""

import math

from pages.parts.release.setup import UP_TO
from pages.parts.release.view import COVERAGE, NEARLY_ALL, View
from pages.parts.views.card import dots, how_sure, strength_fact
from pages.parts.views.text import scientific, strong, two_digits
from pages.parts.views.views import Audience, Box, Finding, Tile
from privbo_core.privacy import Guarantee, Status
from privbo_core.release import Lipschitz, Selection

TITLE = "Private release of a tuned setting"
SECRET = "that a record is the real one"
INSTEAD = "And this is what you should do instead"

AIMED = 0.3  # A draw with fewer candidates in effect than this share of all is called well aimed.


def lead(view: View) -> Finding | None:
    """Return what to publish, what that costs, and what DP-BO loses at the same ε; None where m is not known."""
    best, other, n = view.recommended, view.published, view.task.n
    if best is None:
        return None
    loses = f"loses {view.amount(best.lost)}; DP-BO’s Algorithm 1 loses {view.amount(other.lost)}"
    title = f"Publish one of all {n:,} settings, drawn by permute-and-flip: at ε = {view.epsilon:.3g} that {loses}"
    choice = other.plan.choice
    assert choice is not None
    effect = f"{choice.effective_candidates:.0f} of {n:,} candidates in effect"
    why = f"DP-BO as published has {effect} here, and promises its ε over a prior, not for your data."
    if view.nearly_blind:
        why = f"DP-BO as published draws nearly blindly here: {effect}."
    proved = best.guarantee(1).status is Status.PROVED
    sure = "proved, if the list was made without looking" if proved else "whose ε needs no model of the scores"
    if view.algorithm == 0:
        return Finding(title, "simulation", f"{why} {INSTEAD}: draw from the list itself, {sure}.")
    shown, choose = f"{view.name}, as published", "selection"
    if view.selects:
        shown, choose = "the exponential mechanism", "permute-and-flip"
    return Finding(title, "simulation", f"Below stands {shown}. {why} {INSTEAD}: “{choose}”, {sure}.")


def cautions(view: View) -> tuple[list[str], list[str]]:
    task, remarks, warnings = view.task, [], []
    if not view.selects and view.values.get("T", 0) > view.search.iterations:
        remarks.append(f"Only {task.n} candidates lie in the range of λ, so T = {task.n}.")
    if view.loose:
        warnings.append("This asks for less noise than the task needs, so ε is not kept. " + " ".join(view.loose))
    if view.algorithm in (1, 2) and task.records and view.plan.delta >= 1 / task.records:
        large = f"δ = {scientific(view.plan.delta)} is at least 1/m = {scientific(1 / task.records)}"
        kept = "the promise could be kept while some record is revealed outright"
        warnings.append(f"{large}: {kept}. Choose δ well below 1/m.")
    return remarks, warnings


def headline(view: View) -> tuple[Tile, ...]:
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
    if view.hidden is not None and view.selects:
        return view.hidden.whole
    one = f"one {view.sample.one}’s whole validation record"
    if view.in_scores:
        return f"{one}, whatever it holds; not the training records."
    return f"{one}, if it changes the scores as little as k₁ assumes."


def promise(guarantee: Guarantee, hidden: str) -> str:
    """Return a guarantee in two lines: what it hides, and how strongly."""
    fact, level = strength_fact(guarantee), f"ε = {guarantee.epsilon:.3g}, δ = {scientific(guarantee.delta)}"
    strength = f"{fact.text.lower()} {dots(fact.level or 0)}. {level}, {how_sure(guarantee)}."
    return f"{strong('Hides')} {hidden}\n{strong('Strength:')} {strength}"


def starts(view: View, theorem: int) -> str:
    """Return from which ε on a bound is below the range of the score, as text."""
    epsilon = view.starts_at(theorem)
    return "at no ε" if math.isinf(epsilon) else f"ε > {two_digits(epsilon)}"


def setting_finding(view: View) -> Finding:
    plan, n = view.plan, view.task.n
    if isinstance(plan, Lipschitz):
        beside = "; a score could move by" if plan.informative else ", yet no score moves by more than"
        title = f"Noise for a move of {two_digits(plan.value.sensitivity)}{beside} {plan.loss.largest:.3g}"
        return Finding(title, released(view), "", view.stamp)
    effective, most = plan.choice.effective_candidates, two_digits(float(plan.choice.probabilities.max()) * n)
    verdict = "Leaning to good settings" if effective > AIMED * n else "Well aimed"
    if effective > NEARLY_ALL * n:
        verdict = "Nearly a blind draw"
    title = f"{verdict}: the likeliest candidate is {most} times as likely as in a blind draw"
    return Finding(title, "curator", "", view.stamp)


def setting_alt(view: View) -> str:
    choice = view.plan.choice
    if choice is None:
        return f"Sensitivity of the score against λ_min, now {two_digits(view.plan.value.sensitivity)}, and g*."
    above = f"{'Score' if view.selects else 'Posterior'} over {view.task.n} candidates"
    most = f"{choice.probabilities.max() * view.task.n:.3g} times as likely as in a blind draw"
    return f"{above}, and the release probability of each: the likeliest is {most}."


def score_finding(view: View) -> Finding:
    share = view.half_width / view.spread
    title = f"The score is published to within {two_digits(100 * share)} % of the range of all scores"
    if share >= 1:
        title = f"Noise hides the score: it reaches {two_digits(share)} times the range of all scores"
    return Finding(title, "curator", "", view.score_stamp)


def score_alt(view: View) -> str:
    around = f"around {view.protected:.3f}, half width {two_digits(view.half_width)}"
    return f"Density of the published score {around}; the true best score is {view.best:.3f}."


def reading(view: View) -> Box:
    """Return the honest reading: how blind, how noisy, for which data; and how it compares with private selection."""
    lines, best, others = [], view.recommended, view.alternatives
    if view.plan.choice is not None:
        lines.append(f"{strong('Where is it blind?')} {_blind(view)}")
    instead = f"{strong('What to do instead?')} Permute-and-flip"
    if view.plan.choice is not None and best is not None and best is not view:
        few = view.selection_loss(view.epsilon)
        also = "" if few is None else f"; among {len(others[0].rows)}, as searched here, {view.amount(few)}"
        lines.append(f"{instead} loses {strong(view.amount(best.lost))} at this ε{also}.")
    elif others:
        narrow = strong(f"± {two_digits(others[0].value.half_width(COVERAGE))}")
        lines.append(f"{instead} publishes a good setting’s score to {narrow} at this ε.")
    if view.hidden is not None and view.selects:
        about = " ".join(view.holds)
    elif view.selects:
        about = f"ε holds for {strong('every')} validation set; candidates, training set and m are public."
    elif view.algorithm == 3:
        known = "the training set, L, g*, the range of λ and m are public"
        about = f"ε holds for {strong('every')} validation set, if {known}."
    else:
        about = f"(ε, δ) holds over scores drawn from the assumed prior, {strong('not for one given dataset')}."
    return Box("Honest reading", (*lines, f"{strong('For which data?')} {about}"))


def _blind(view: View) -> str:
    below = view.blind_below
    if not below:
        return "Nowhere on this slider: each ε sets the good settings apart."
    if below >= UP_TO:
        return "Everywhere on this slider: more than nine candidates in ten are in effect."
    return f"Below ε = {two_digits(below)} more than nine candidates in ten are in effect."
