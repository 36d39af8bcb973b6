"""What the outsourced lesson asks before it shows, and which answer a computation makes right."""

import numpy as np

from pages.parts.tour.lesson import Question, ask
from pages.parts.tour.lessons.outsourced.station import Station
from pages.parts.values.text import SIGMA_Y
from privbo_core.errors import Array
from privbo_core.outsourced import Difference
from privbo_core.tradeoff import Answer

FEW, MANY = 2, 30
"""Up to so few numbers a record, and from so many on."""
SMALL, LARGE = 3.0, 30.0
"""The ε between which the third question of its kind puts its middle answer."""


def who_sees_what(station: Station) -> Question:
    """Ask what leaves."""
    return ask(
        "What does the modeler get of each record?",
        values="Its values as they are",
        outcome="Its values and its outcome",
        mixed="Numbers mixed by chance, and no outcome",
    )


def handed_out(points: Array, objective: Array, z: Array) -> str:
    """Return which of these a release holds: it is looked for in its columns."""

    def holds(column: Array) -> bool:
        return any(np.allclose(column, each) for each in z.T)

    if not all(holds(column) for column in points.T):
        return "mixed"
    return "outcome" if holds(objective) else "values"


def search_or_chance(station: Station) -> Question:
    """Ask who is ahead."""
    return ask(
        f"No privacy yet. After {station.setting().iterations} tries, who is nearer to the best record?",
        search="The search",
        neither="Neither, clearly",
        chance="Chance",
    )


def ahead(lead: Difference) -> str:
    """Return who leads where the runs show it."""
    if not lead.clear:
        return "neither"
    return "search" if lead.mean > 0 else "chance"


def distances(station: Station) -> Question:
    """Ask what the projection does to distances."""
    return ask(
        "The records are projected to a few numbers each. What becomes of the distances between them?",
        kept="Nearly all stay within a tenth",
        rough="Most stay within a factor of two",
        lost="Many more than double or halve",
    )


def kept_within(low: float, high: float) -> str:
    """Return how far nine of ten squared distances move; distances move by the root of that."""
    factor = max(high, 1 / max(low, 1e-12)) ** 0.5
    return "kept" if factor <= 1.1 else "rough" if factor <= 2 else "lost"


def does_it_cost(station: Station) -> Question:
    """Ask whether privacy costs anything that shows."""
    setting = station.setting()
    return ask(
        f"At ε = {setting.epsilon:.3g} the modeler searches on the projection. How good is what it finds?",
        worse="Worse than without privacy",
        same="No difference shows",
        better="Better",
    )


def cost_shown(cost: Difference) -> str:
    """Return what the runs show of a cost."""
    if not cost.clear:
        return "same"
    return "worse" if cost.mean > 0 else "better"


def which_r(station: Station) -> Question:
    """Ask how many numbers are best."""
    return ask(
        "The projection gives r numbers for each record. Which r serves the search best?",
        few="1 or 2",
        some="4 to 15",
        many="30 to 100",
        several="More than one of these",
    )


def group_of(r: float) -> str:
    """Return the option that a number r belongs to."""
    return "few" if r <= FEW else "many" if r >= MANY else "some"


def can_it_be_told(station: Station) -> Question:
    """Ask whether the promise is kept."""
    return ask(
        "One record is changed, and the table is projected anew. Can the modeler tell that from the numbers?",
        always="Yes, every time",
        often="More often than not",
        never="No better than a coin",
    )


def told_apart(error: float, flawless: bool) -> str:
    """Return how well an attacker can tell, who errs in a share of the trials."""
    return "always" if flawless else "often" if error < 0.45 else "never"


def which_costs_more(station: Station) -> Question:
    """Ask what a promise that holds costs."""
    return ask(
        f"Noise on every value keeps its promise. At ε = {station.setting().epsilon:.3g}, which search ends further from the best?",
        noise="The one on noise",
        same="No difference shows",
        projection="The one on the projection",
    )


def dearer(more: Difference) -> str:
    """Return which of the two loses more, given the noise’s regrets less the projection’s."""
    if not more.clear:
        return "same"
    return "noise" if more.mean > 0 else "projection"


def which_epsilon(station: Station) -> Question:
    """Ask which ε a loss asks for."""
    return ask(
        f"You accept losing {station.controls['loss']:.2g} {SIGMA_Y}. Which ε does that take, with noise?",
        small=f"Less than {SMALL:g}",
        middle=f"{SMALL:g} to {LARGE:g}",
        large=f"More than {LARGE:g}",
    )


def size_of(answer: Answer) -> str:
    """Return how large the ε is that an answer names; a loss that is never kept to asks for more than there is."""
    if answer.reach == "never":
        return "large"
    return "small" if answer.epsilon < SMALL else "middle" if answer.epsilon <= LARGE else "large"
