"""What the page leads with: what to publish, by which way, what that costs; and what DP-BO loses at the same ε."""

from pages.parts.release.setup import NEARLY_ALL, Setup
from pages.parts.release.tasks import spoken_of
from pages.parts.values.views import Finding
from privbo_core.privacy import Status

INSTEAD = "And this is what you should do instead"


def lead(setup: Setup) -> Finding | None:
    """Return the answer as the title of the page; None where m is not known, so that nothing is proved."""
    best = setup.recommended
    if best is None:
        return None
    amount, other = spoken_of(setup.task).amount, setup.published
    own, theirs = best.loss_of_choice() or 0.0, other.loss_of_choice() or 0.0
    title = (
        f"Publish one of all {setup.task.n:,} settings, drawn by permute-and-flip: at ε = {setup.plan.epsilon:.3g} that "
        f"loses {amount(own)}; DP-BO’s Algorithm 1 loses {amount(theirs)}"
    )
    return Finding(title, "simulation", f"{_why(other)} {_where(setup)}")


def _why(other: Setup) -> str:
    """Return how blind the published system is at this ε."""
    choice, n = other.plan.choice, other.task.n
    assert choice is not None
    effect = f"{choice.effective_candidates:.0f} of {n:,} candidates in effect"
    if other.in_effect > NEARLY_ALL:
        return f"DP-BO as published draws nearly blindly here: {effect}."
    return f"DP-BO as published has {effect} here, and promises its ε over a prior, not for your data."


def _where(setup: Setup) -> str:
    """Return what is shown below: the recommended way, or another one."""
    assert setup.recommended is not None
    sure = (
        "proved for every validation set"
        if setup.recommended.guarantee(1).status is Status.PROVED
        else "whose ε needs no model of the scores"
    )
    if setup.algorithm == 0:
        return f"{INSTEAD}: draw from the list itself, {sure}."
    shown = "the exponential mechanism" if setup.selects else f"{setup.name}, as published"
    return f"{INSTEAD}: “selection”, {sure}. Below stands {shown}."
