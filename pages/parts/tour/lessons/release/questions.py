"""What the release lesson asks before it shows, and which answer a computation makes right."""

from pages.parts.release.plain.told import told
from pages.parts.tour import words
from pages.parts.tour.lesson import Question, Stop, ask
from privbo_core.data import TuningTask
from privbo_core.outsourced import Difference

SOME = 10
"""So many records are some; more are many."""
HALF, TENTH = 0.5, 0.2
NEAR, FAR = 0.01, 0.05
"""A score is near within a percentage point, and far beyond five."""
LITTLE = 0.02
SMALL, LARGE = 1.0, 10.0


def who_decides(stop: Stop) -> Question:
    """Ask how many single records decide what is published."""
    task: TuningTask = stop.about
    return ask(
        f"The best of {stop.controls.whole('tried'):,} settings is published. How many of {task.records:,} patients could change it, each just by staying away?",
        none="Nobody",
        some=f"1 to {SOME}",
        many=f"More than {SOME}",
    )


def deciding(count: int) -> str:
    """Return which of these a number of records is."""
    return "none" if count == 0 else "some" if count <= SOME else "many"


def good_draws(stop: Stop) -> Question:
    """Ask how well a private draw aims."""
    return ask(
        f"Now the setting is drawn, good ones being likelier: ε = {words.epsilon(stop.controls['epsilon'])}. How often is it one of the best 5 in 100?",
        seldom="About as often as blindly",
        often="Clearly more often, up to half the draws",
        mostly="In more than half the draws",
    )


def aimed(chance: float, blind: float) -> str:
    """Return how well a draw aims that hits the best group with this chance."""
    return "mostly" if chance > HALF else "often" if chance > 1.5 * blind else "seldom"


def how_blind(stop: Stop) -> Question:
    """Ask what the published system loses."""
    return ask(
        f"DP-BO is a published way to draw, at the same ε = {words.epsilon(stop.controls['epsilon'])}. What does its setting lose?",
        little="As little as the draw from the list",
        middle="Something in between",
        blind="Nearly as much as a blind draw",
    )


def lost_by(theirs: float, own: float, blind: float) -> str:
    """Return where a loss lies between the best way's and a blind draw's: in the fifth at either end, or in between."""
    place = (theirs - own) / (blind - own) if blind > own else 0.0
    return "little" if place <= TENTH else "blind" if place >= 1 - TENTH else "middle"


def more_tries(stop: Stop) -> Question:
    """Ask whether a longer list helps."""
    task: TuningTask = stop.about
    return ask(
        f"A list of 2 settings, or of all {task.n:,}. What does the longer list do to the setting that is drawn?",
        better="It is better",
        same="No difference shows",
        worse="It is worse: more bad ones to draw",
    )


def changed_by(more: Difference) -> str:
    """Return what a longer list does, given the losses with the shorter one less those with it."""
    if not more.clear:
        return "same"
    return "better" if more.mean > 0 else "worse"


def score_too(stop: Stop) -> Question:
    """Ask how far off the published score is."""
    return ask(
        f"The team publishes its score as well, with noise: ε = {words.epsilon(stop.controls['epsilon'])} more. How far off is it, 19 times in 20?",
        near="By less than 1 point",
        middle="By 1 to 5 points",
        far="By more than 5 points",
    )


def how_far(half_width: float) -> str:
    """Return how far off a score is."""
    return "near" if half_width < NEAR else "middle" if half_width <= FAR else "far"


def left_out(stop: Stop) -> Question:
    """Ask what it takes to cover the others too."""
    return ask(
        "The promise covers the records that settings were tried on. To hide those that the model learned from as well costs:",
        nothing="Nothing that shows",
        little=f"Up to {100 * LITTLE:.0f} right answers in 100",
        much=f"More than {100 * LITTLE:.0f} in 100",
    )


def price(lost: float, standard_error: float) -> str:
    """Return how large a loss is, in shares of right answers."""
    if lost < 2 * standard_error:
        return "nothing"
    return "little" if lost <= LITTLE else "much"


def which_epsilon(stop: Stop) -> Question:
    """Ask which ε a loss asks for."""
    return ask(
        f"You accept losing {words.points(told(stop.about).amount(stop.controls['loss'] / 100))}. Which ε does the draw from the list need?",
        small=f"Less than {SMALL:g}",
        middle=f"{SMALL:g} to {LARGE:g}",
        large=f"More than {LARGE:g}",
    )


def size_of(epsilon: float) -> str:
    """Return how large an ε is."""
    return "small" if epsilon < SMALL else "middle" if epsilon <= LARGE else "large"
