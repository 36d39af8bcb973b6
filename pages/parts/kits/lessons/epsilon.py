"""The kit of the lesson about choosing ε."""

from scipy.optimize import brentq

from pages.parts.kits.kit import ROOM, TRADE_OFF, Doubt, Exercise, Kit, Numbers, Stretch, expert_step, step
from pages.parts.kits.said import in_hundred, number, percent
from privbo_core.data import sample
from privbo_core.privacy import TradeOff, gaussian_sigma, least_error, worst_case_belief

ACCEPTED = 0.6
"""Right guesses that somebody accepts."""
DELTA = 1e-5
TIMES, EACH = 10, 0.1


def right_guesses() -> Numbers:
    """Return how often the best guess is right at ε = 0.1, 1 and 3."""
    return tuple(1 - least_error(0.5, epsilon, 0.0) for epsilon in (0.1, 1.0, 3.0))


def surer() -> Numbers:
    """Return how sure somebody can become at ε = 1 and at ε = 3 who was 10 % sure before."""
    return tuple(worst_case_belief(0.1, epsilon) for epsilon in (1.0, 3.0))


def accepted() -> Numbers:
    """Return the ε at which the best guess is right as often as is accepted."""
    return (float(brentq(lambda epsilon: 1 - least_error(0.5, epsilon, 0.0) - ACCEPTED, 0.0, 10.0, xtol=1e-12)),)


def adding_up() -> Numbers:
    """Return the ε of ten releases, and how often the best guess is right: by adding up, then as their noise counts together."""
    alone = TIMES * EACH
    noise = TradeOff.gaussian(1 / gaussian_sigma(EACH, DELTA, 1.0)).repeated(TIMES)
    return alone, 1 - least_error(0.5, alone, 0.0), noise.epsilon(DELTA), 1 - noise.least_error(0.5)


def slipping_through() -> Numbers:
    """Return how many patients the hospital has, and how many of them δ may let through altogether."""
    patients = sample("hospital").n
    return float(patients), patients * DELTA


MEANS = step("epsilon", 1, "What ε means", epsilon="1")
SURE = step("epsilon", 2, "How sure somebody becomes", epsilon="1")
PROVED = step("epsilon", 3, "Proved is not protective")
ADDS = expert_step("epsilon", 4, "It adds up", times="10", epsilon="0.1")
HOSPITAL = step("epsilon", 5, "The hospital’s cost")
TEAM = step("epsilon", 6, "The team’s cost")
SCHOOLS = step("epsilon", 7, "The schools’ cost")
DECISION = step("epsilon", 8, "A decision")

EPSILON = Kit(
    name="epsilon",
    title="How to choose ε",
    what="lesson",
    lead="ε is a number that somebody has to choose. This lesson says in guesses and in costs what it means, so that those "
    "whom it concerns can choose it.",
    aims=(
        "Translate an ε into right guesses of 100, and back.",
        "Say why releases about the same people add up.",
        "Weigh what a person accepts against what a service loses, and name who decides.",
    ),
    needs=f"A projector and this app. {ROOM} Play What would you accept? at the end.",
    short=(
        Stretch(4, "A coin guesses right 50 times in 100. What may ε = 1 add to that?", (MEANS,)),
        Stretch(4, "Somebody had a hunch. How sure can they become?", (SURE,)),
        Stretch(4, "Ten releases about the same people. Predict, then uncover.", (ADDS,)),
        Stretch(4, "What does a small ε cost the hospital?", (HOSPITAL,)),
        Stretch(4, "Is there an ε for both? Show of hands.", (DECISION,)),
    ),
    long=(
        Stretch(6, "A coin guesses right 50 times in 100. What may ε = 1 add to that? Exercise 1.", (MEANS,)),
        Stretch(5, "Somebody had a hunch. How sure can they become? Exercise 2.", (SURE,)),
        Stretch(4, "A promise can be proved and still protect nobody.", (PROVED,)),
        Stretch(6, "Ten releases about the same people. Predict, then uncover. Exercise 4.", (ADDS,)),
        Stretch(5, "What does a small ε cost the hospital?", (HOSPITAL,)),
        Stretch(5, "And the team that publishes a model?", (TEAM,)),
        Stretch(4, "And the schools that tune together?", (SCHOOLS,)),
        Stretch(10, "Is there an ε for both? Two groups prepare, two speakers argue, the class votes.", (DECISION, TRADE_OFF)),
    ),
    exercises=(
        Exercise(
            "The best guess about one person is right with a probability of at most e^ε/(1 + e^ε). How often of 100 is "
            "that at ε = 0.1, 1 and 3?",
            right_guesses,
            lambda *right: f"{', '.join(f'{100 * each:.0f}' for each in right)} times in 100. A coin is right 50 times.",
        ),
        Exercise(
            "Somebody is 10 % sure of a secret. How sure can they be at most after a release at ε = 1, and at ε = 3? "
            "(The odds grow by a factor of e^ε at most.)",
            surer,
            lambda one, three: f"{percent(one)} at ε = 1, {percent(three)} at ε = 3.",
        ),
        Exercise(
            "Patients accept that the best guess about one of them is right 60 times in 100. Which ε is that?",
            accepted,
            lambda epsilon: f"ε = log(60/40) = {number(epsilon)}.",
        ),
        Exercise(
            "Ten releases about the same people, each at ε = 0.1. Which ε do they keep together if all that is known is that "
            "they add up, and how often can the best guess be right then? Compare with the step “It adds up”.",
            adding_up,
            lambda alone, most, together, right: f"By adding up alone: at most ε = {number(alone)} and {in_hundred(most)}. With the "
            f"noise of that step, counted together: ε = {number(together)} and {in_hundred(right)}.",
        ),
        Exercise(
            "A release that hands out each record with probability δ = 10⁻⁵ keeps every ε at this δ. How many of the "
            "hospital’s patients would that be on average? (The page Data says how many there are.)",
            slipping_through,
            lambda patients, through: f"{number(patients)} · 10⁻⁵ = {number(through)}: less than one. With δ = 1/{number(patients)} it "
            "would be a whole record, and the promise would still be kept: δ has to be far below 1/n.",
        ),
    ),
    doubts=(
        Doubt("A proved promise protects.", "A proof says that ε holds, not that ε is small. At ε = 8 the best guess may be right nearly always."),
        Doubt("ε is a probability.", "It is a factor on odds: e^ε. At ε = 0 nothing is learned; there is no upper end."),
        Doubt("Half the ε costs twice as much.", "That depends on the data. Often a smaller ε costs nothing that shows, and then suddenly all."),
        Doubt("Experts should choose ε.", "They can say what an ε does. Whether that is acceptable is for those whose records they are, and for those who lose by it."),
    ),
    last="Write the class’s ε on the board with one sentence why. There is no right answer, but there are answers that "
    "nobody can defend: let somebody try to defend ε = 30.",
)  # fmt: skip
