"""What “Be the attacker” says, on the projector and on phones."""

import math

from pages.parts.views.content import of_table, prose
from privbo_core.classroom.games.attacker import EPSILONS, PROMISED, TESTS, TRIES, Seen, Share, Stage, most
from privbo_core.data import Problem, sample

SAMPLE = "hospital"
NAMES = "1234"  # The envelopes' names; letters are those of the records.
NUMBERS = ("No", "One", "Two", "Three", "Four")


def problem() -> Problem:
    return sample(SAMPLE)


def of_hundred(share: float) -> str:
    """Return a share as people count: 61 of 100; with one decimal where that would say all."""
    whole = f"{100 * share:.0f}"
    if whole == "100" and share != 1:
        tenth = math.floor(1000 * share) / 10
        whole = f"{tenth:.1f}" if tenth > 99 else "99"
    return f"{whole} of 100"


def right_in(share: Share) -> str:
    return f"{share.right:,} of {share.of:,}"


def envelope(seen: Seen) -> str:
    return f"envelope {NAMES[seen.envelope or 0]}"


def title(seen: Seen) -> str:
    match seen.stage:
        case Stage.SEALING if seen.envelope is None:
            closed = NUMBERS[seen.opened.count(None)]
            return f"{closed} closed envelopes, {closed.lower()} amounts of noise: nobody knows which is in which"
        case Stage.SEALING:
            return f"{envelope(seen).capitalize()} it is, and it stays closed: can you tell which record is real?"
        case Stage.GUESSING if not seen.guesses:
            return f"Which of the two is real? {TRIES} tries each, at your own speed"
        case Stage.GUESSING:
            return f"Right in {right_in(seen.guessed)} tries so far; with a coin it would be half of them"
        case Stage.REVEALED:
            return _revealed(seen)
        case _:
            return _refuted(seen)


def _revealed(seen: Seen) -> str:
    assert seen.epsilon is not None
    opened, bound = f"ε was {seen.epsilon:g}", most(seen.epsilon).gaussian
    if not seen.guesses:
        return f"{opened}: the best attacker there can be is right in {of_hundred(bound)} tries. Nobody tried"
    was = f"{opened}: the class was right in {right_in(seen.guessed)}"
    if seen.guessed.value <= bound:
        return f"{was}; in the long run no attacker, however clever, is right in more than {of_hundred(bound)}"
    if seen.guessed.interval[0] <= bound:
        return f"{was}; in the long run no attacker is right in more than {of_hundred(bound)}: the rest is luck"
    return f"{was}, more than luck explains: in the long run it would be {of_hundred(bound)}"


def refuted(seen: Seen) -> bool:
    """Whether this class has refuted the projection's promise: more were right than it allows, whatever their luck."""
    return seen.tested.of > 0 and seen.tested.interval[0] > most(PROMISED).any


def stamped(seen: Seen) -> bool:
    """Whether the projection bears its stamp: once this class has refuted it, and at the end in any case."""
    return seen.stage is Stage.OVER or (seen.stage is Stage.TESTING and refuted(seen))


def _refuted(seen: Seen) -> str:
    promised = of_hundred(most(PROMISED).any)
    if not seen.tested.of and seen.stage is Stage.TESTING:
        return f"The paper’s way, with a promise of ε = {PROMISED:g}. Try again, with one line of arithmetic in hand"
    if not seen.tested.of:
        return f"The paper’s projection promises ε = {PROMISED:g}, and does not keep it. Nobody tried"
    found = f"One line of arithmetic was right in {right_in(seen.tested)}; the paper’s promise allows {promised}"
    return f"{found}: refuted" if refuted(seen) else found


def note(seen: Seen) -> str:
    match seen.stage:
        case Stage.SEALING:
            closed = sorted(set(EPSILONS) - set(seen.opened))
            inside = " and ".join(filter(None, (", ".join(f"{each:g}" for each in closed[:-1]), f"{closed[-1]:g}")))
            hidden = " or ".join(of_table(problem()).hides(problem(), 1.0))
            return f"In them: ε = {inside}. The two records differ by exactly what the noise hides: {hidden}."
        case Stage.GUESSING:
            done = f"{seen.finished} of {seen.pupils} phones have finished. "
            return f"{done}Band: where the class’s true share lies, 95 times in 100."
        case Stage.REVEALED:
            return prose("class", "the best guess")
        case _ if not stamped(seen):
            most_often, noise = of_hundred(most(PROMISED).any), of_hundred(most(PROMISED).gaussian)
            return prose("class", "what is promised of guesses", most=most_often, noise=noise, tries=TESTS)
        case _:
            followed = "" if seen.tests == seen.tested else f" Phones tapped what it names in {right_in(seen.tests)}."
            left = "Nothing is left over from the real record, and always something from the other."
            return f"{left} The same at every ε.{followed}"


def record(point: tuple[float, float]) -> str:
    """Return one record of the hospital in words: the kidney value is a logarithm in the table."""
    return f"{point[0]:.1f} years, kidney value {math.exp(point[1]):.2f}"


def left_over(share: float) -> str:
    """Return what a record leaves over, as everybody reads it: nothing at all is 0.000."""
    return f"left over: {share:.3f}" if share >= 5e-4 or share < 1e-9 else f"left over: {share:.1e}"


def own_score(guesses: Share, *, late: bool = False) -> str:
    if guesses.of:
        return f"You were right in {right_in(guesses)} tries through the noise. A coin gets about half."
    return "You came after the tries; watch the screen in front." if late else "You did not try."
