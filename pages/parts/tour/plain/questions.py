"""What the Simple tour asks before it shows, and which answer a computation makes right."""

import math

import numpy as np

from pages.parts.outsourced.plain.words import Words
from pages.parts.tour.lesson import Question, ask
from pages.parts.tour.lessons.outsourced.station import Station
from privbo_core.errors import Array
from privbo_core.outsourced import Needed

FEW, MANY = 60, 80
"""Right guesses of 100: up to so many are few, from so many on many."""
HALF = 0.5
"""So many more tests for each test without privacy are the middle answer’s most."""
SOME, MUCH = 0.3, 3.0
"""The ε between which lies the middle one of three answers."""


def who_sees_what(station: Station, words: Words) -> Question:
    """Ask what leaves."""
    told = words.told
    return ask(
        f"{told.holder} has {station.simulation.problem.n:,} records. What does it hand to {told.chooser}?",
        all="All of them, as they are",
        noisy="All of them, each blurred by noise",
        some="Only some of them, as they are",
    )


def handed_out(records: Array, released: Array) -> str:
    """Return which of these it is."""
    if len(released) < len(records):
        return "some"
    return "all" if np.allclose(records, released) else "noisy"


def search_or_chance(station: Station, words: Words) -> Question:
    """Ask who is ahead."""
    told, tests = words.told, station.setting().iterations
    return ask(
        f"No privacy yet. Who finds the better {told.one} with {tests} {told.tests}?",
        search="A search that learns from each result",
        neither="Neither, clearly",
        chance="Picking by chance",
    )


def does_it_cost(station: Station, words: Words) -> Question:
    """Ask what privacy costs in tests."""
    return ask(
        f"Now the table has noise: ε = {station.setting().epsilon:.3g}. What does that cost?",
        none="Nothing that shows",
        some=f"Up to half as many {words.told.tests} more",
        many=f"More than half as many {words.told.tests} more",
    )


def size_of(needed: Needed) -> str:
    """Return how many more tests privacy takes, where the runs show any."""
    if needed.low <= 0:
        return "none"
    return "some" if needed.more <= HALF * needed.plain else "many"


def can_it_be_told(station: Station, words: Words) -> Question:
    """Ask whether the method as published keeps its promise."""
    return ask(
        f"The published method mixes the columns by chance. One record is changed: can {words.told.chooser} tell?",
        always="Yes, every time",
        often="More often than not",
        never="No better than a coin",
    )


def how_often_right(station: Station, words: Words) -> Question:
    """Ask how strong the noise is."""
    return ask(
        f"Noise is added, for ε = {station.setting().epsilon:.3g}. Through this noise the best attacker guesses 100 times: how often right?",
        few=f"Fewer than {FEW} times",
        middle=f"{FEW} to {MANY} times",
        many=f"More than {MANY} times",
    )


def counted(right: float) -> str:
    """Return which of these a number of right guesses is."""
    return "few" if right < FEW else "middle" if right <= MANY else "many"


def which_epsilon(station: Station, words: Words) -> Question:
    """Ask how small ε may be."""
    return ask(
        f"How small can ε be, if {words.told.chooser} is still to find one of the very best?",
        small=f"Below {SOME:g}",
        middle=f"{SOME:g} to {MUCH:g}",
        large=f"Above {MUCH:g}",
    )


def least(epsilon: float | None) -> str:
    """Return which of these the least ε is; none that is tried is enough where it is None."""
    size = math.inf if epsilon is None else epsilon
    return "small" if size < SOME else "middle" if size <= MUCH else "large"
