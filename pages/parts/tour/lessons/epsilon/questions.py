"""What the lesson about ε asks before it shows, and which answer a computation makes right."""

from dataclasses import replace

from pages.parts.release.plain.told import told
from pages.parts.tour import words
from pages.parts.tour.lesson import Question, Scale, Stop, ask
from privbo_core.data import TASKS, tuning_task
from privbo_core.outsourced import Difference

FEW, MANY = 60, 80
"""Right guesses of 100."""
LITTLE, MUCH = 0.15, 0.5
"""How sure somebody may become."""


def counted(right: float) -> str:
    """Return which of these a number of right guesses is."""
    return "few" if right < FEW else "middle" if right <= MANY else "many"


GUESSES = Scale(50, 100, 85, counted)
"""Right guesses of 100: from a coin’s to all."""


def guesses(stop: Stop) -> Question:
    """Ask what ε means in guesses."""
    question = ask(
        f"A coin guesses right 50 times in 100. At ε = {words.epsilon(stop.controls['epsilon'])}, how often can the best guess about you be right, whatever the method?",
        few=f"Fewer than {FEW} times",
        middle=f"{FEW} to {MANY} times",
        many=f"More than {MANY} times",
    )
    return replace(question, scale=GUESSES)


def hunch(stop: Stop) -> Question:
    """Ask how far a belief can move."""
    return ask(
        f"Somebody is 10 % sure of a secret of yours. After one release with ε = {words.epsilon(stop.controls['epsilon'])}, how sure can they be at most?",
        little=f"At most {100 * LITTLE:.0f} %",
        middle=f"More than {100 * LITTLE:.0f} %, up to {100 * MUCH:.0f} %",
        much=f"More than {100 * MUCH:.0f} %",
    )


def moved(belief: float) -> str:
    """Return which of these a belief is."""
    return "little" if belief <= LITTLE else "middle" if belief <= MUCH else "much"


def protective(stop: Stop) -> Question:
    """Ask whether a proof protects."""
    return ask(
        f"Somebody proves that their release keeps ε = {words.epsilon(stop.controls['epsilon'])}. How often can the best guess about you be right, whatever the method?",
        few=f"Fewer than {FEW} times in 100: it is proved",
        middle=f"{FEW} to {MANY} times",
        many=f"More than {MANY} times",
    )


def adding_up(stop: Stop) -> Question:
    """Ask what several releases come to."""
    question = ask(
        f"The same people, {stop.controls.whole('times')} releases, each with noise for ε = {words.epsilon(stop.controls['epsilon'])}. How often is the best guess right, through this noise?",
        few=f"Fewer than {FEW} times in 100",
        middle=f"{FEW} to {MANY} times",
        many=f"More than {MANY} times",
    )
    return replace(question, scale=GUESSES)


def schools(stop: Stop) -> Question:
    """Ask what the schools pay."""
    return ask(
        "237 schools tune together and hide who took part. Does a small ε cost them more than a large one?",
        more="Yes, clearly more",
        same="No difference shows",
        less="No, clearly less",
    )


def dearer(more: Difference) -> str:
    """Return which of two ε costs more, given the cost at the small one less that at the large one."""
    if not more.clear:
        return "same"
    return "more" if more.mean > 0 else "less"


def decision(stop: Stop) -> Question:
    """Ask whether both wishes can be had."""
    amount = told(tuning_task(TASKS[0])).amount(stop.controls["loss"] / 100)
    return ask(
        f"The patients accept {stop.controls.whole('guesses')} right guesses in 100. The team accepts losing {words.points(amount)}. Is there an ε for both?",
        both="Yes",
        neither="No: one has to give way",
    )
