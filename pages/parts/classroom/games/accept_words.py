"""What “What would you accept?” says, on the projector and on phones."""

from functools import lru_cache

from pages.parts.system import usual
from pages.parts.views.content import prose
from privbo_core.classroom.games.accept import COSTS, EPSILONS, FEW, Counts, Decision, Offer, Seen, Wish
from privbo_core.outsourced import noisy_guarantee
from privbo_core.privacy import Strength, TradeOff, gaussian_sigma, strength

QUESTION = "How much may leak about you, and what may that cost the search?"
EPSILON_LABEL = "The most that may leak about me"
COST_LABEL = "The most that the search may pay for it"
UNMOVED = "Move this"
CHANGE = "You can change it until the answers are closed. Nobody sees yours."


@lru_cache(maxsize=len(EPSILONS))
def held(epsilon: float) -> Strength:
    """Return how strongly the noisy release protects at this ε, as its card says."""
    line = TradeOff.gaussian(1.0 / gaussian_sigma(epsilon, usual.DELTA, 1.0))
    return strength(noisy_guarantee(epsilon, usual.DELTA, ""), line)


def epsilon_stop(epsilon: float) -> str:
    """Return what an ε means for whom it is about."""
    found = held(epsilon)
    right = f"{100 * (1 - found.least_error):.0f}"
    return f"ε = {epsilon:g}, {found.word}: the best guess about you is right in {right} of 100"


def cost_stop(more: int) -> str:
    """Return a cost in words."""
    return f"{more if more else 'no'} more {'test' if more == 1 else 'tests'}"


def wish_text(wish: Wish) -> str:
    """Return somebody's own answer."""
    more = COSTS[wish[1]]
    return f"ε up to {EPSILONS[wish[0]]:g}, and {f'up to {cost_stop(more)}' if more else 'not one more test'}."


def offer_text(offer: Offer) -> str:
    """Return an offer in words."""
    return f"ε = {offer.epsilon:g} with {cost_stop(offer.more)}"


def title(seen: Seen) -> str:
    """Return the sentence that follows what the class has answered."""
    if seen.decision is not None:
        return decided(seen.decision)
    if seen.counts is None:
        return _few(seen)
    if seen.offers is None or seen.counts.best is None:
        return f"{seen.counts.of} answers are in; the searches are being simulated …"
    return _met(seen.counts, seen.offers)


def _few(seen: Seen) -> str:
    if seen.closed:
        return f"Closed with {seen.answered} answers: fewer than {FEW} are not shown, so that no bar tells whose it is"
    if not seen.answered:
        return f"{QUESTION} Shown from {FEW} answers on"
    return f"{seen.answered} of {seen.pupils} have answered; shown from {FEW} on, so that no bar tells whose it is"


def open_text(seen: Seen) -> str:
    """Return whether answers are still taken, and from how many on they are shown."""
    if seen.closed:
        return "closed"
    return "still open" if seen.counts else f"shown from {FEW} on"


def _met(counts: Counts, offers: tuple[Offer, ...]) -> str:
    place = counts.best
    assert place is not None
    accepting = counts.accepting[place]
    if not accepting:
        return f"They do not meet: none of these is accepted by any of {counts.of}"
    if counts.majority(place):
        return f"They meet at {offer_text(offers[place])}: {accepting} of {counts.of} would accept it"
    return f"They do not meet: at most {accepting} of {counts.of} would accept the same, {offer_text(offers[place])}"


def decided(decision: Decision) -> str:
    """Return the decision in a sentence."""
    return f"Decided: {offer_text(decision.offer)}; {decision.accepting} of {decision.of} would accept it"


def when(decision: Decision) -> str:
    """Return when it was decided."""
    return f"{decision.when:%d %B %Y at %H:%M}"


def note(seen: Seen) -> str:
    """Return what has to be known of the picture."""
    measured = prose("class", "the points", tests=usual.STEPS, runs=usual.RUNS)
    shown = "" if seen.closed else f" Answers are counted anew whenever {FEW} have answered or changed theirs."
    return f"{measured}{shown}"
