"""What the federated lesson asks before it shows, and which answer a computation makes right."""

from pages.parts.tour.lesson import Question, ask
from pages.parts.tour.lessons.federated.schools import Schools
from privbo_core.federated import Saving
from privbo_core.outsourced import Difference

RARE, OFTEN = 0.1, 0.5
"""Shares of the lists that are shortened."""
FEW, MANY = 55, 75
"""Right guesses of 100."""
LITTLE, MUCH = 1.25, 3.0
"""ε that grows by less than the first factor hardly grows; by more than the second, nearly as the rounds do."""
STRONG, WEAK = 1.0, 5.0


def together_or_alone(schools: Schools) -> Question:
    """Ask whether sharing helps at all."""
    return ask(
        f"{schools.setup.N} schools tell each other what they learn, without privacy. How near is each to its best in the first rounds?",
        nearer="Nearer than alone",
        same="No difference shows",
        further="Further away than alone",
    )


def compared(gain: Saving) -> str:
    """Return which of two is nearer, given by how much the first is."""
    if not gain.clear:
        return "same"
    return "nearer" if gain.mean > 0 else "further"


def what_is_sent(schools: Schools) -> Question:
    """Ask what the server hands out."""
    return ask(
        f"In each round the server hears from some of {schools.setup.N} schools. What does it tell everybody?",
        each="What each of them has found",
        some="One list of numbers for each group",
        one="One list of numbers for all together",
    )


def lists(count: int, agents: int) -> str:
    """Return what so many lists are, told to so many agents."""
    return "one" if count == 1 else "each" if count >= agents else "some"


def clipping(schools: Schools) -> Question:
    """Ask how much clipping bites."""
    return ask(
        f"Nobody may count too much: a list longer than S = {schools.setup.settings.S:.3g} is shortened. How many schools does that touch?",
        few="Fewer than 1 in 10",
        some="1 in 10 to half",
        most="More than half",
    )


def touched(share: float) -> str:
    """Return which of these a share is."""
    return "few" if share < RARE else "some" if share <= OFTEN else "most"


def crowd(schools: Schools) -> Question:
    """Ask what is louder in a crowd of this size."""
    return ask(
        f"The noise is enough to hide one school, whatever the crowd. With {schools.setup.N} schools, what is louder in what the server tells?",
        schools="What the schools know",
        alike="Both about alike",
        noise="The noise",
    )


def louder(logarithms: Difference) -> str:
    """Return what is louder, given ln(noise/signal) of several rounds: nothing is where their interval holds 0."""
    if not logarithms.clear:
        return "alike"
    return "noise" if logarithms.mean > 0 else "schools"


def was_it_you(schools: Schools) -> Question:
    """Ask what an observer can tell."""
    setup = schools.setup
    return ask(
        f"Somebody sees all that the server tells in {setup.settings.iterations} rounds, and guesses whether you took part. How often is the best guess right?",
        coin=f"Fewer than {FEW} times in 100",
        better=f"{FEW} to {MANY} times",
        sure=f"More than {MANY} times",
    )


def right_guesses(right: float) -> str:
    """Return which of these a number of right guesses of 100 is."""
    return "coin" if right < FEW else "better" if right <= MANY else "sure"


def rounds(schools: Schools) -> Question:
    """Ask how ε grows with the rounds."""
    T = schools.setup.settings.iterations
    return ask(
        f"Every round tells a little more. After {4 * T} rounds in place of {T}, ε is:",
        same="Hardly larger",
        double="About twice as large",
        four="About four times as large",
    )


def grown(factor: float) -> str:
    """Return which of these a factor is."""
    return "same" if factor < LITTLE else "double" if factor <= MUCH else "four"


def does_it_pay(schools: Schools) -> Question:
    """Ask whether sharing helps with privacy."""
    return ask(
        f"Now with noise, z = {schools.setup.settings.z:.3g}. How near is each school to its best in the first rounds?",
        nearer="Still nearer than alone",
        same="No difference shows",
        further="Further away than alone",
    )
