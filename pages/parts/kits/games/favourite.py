"""The kit of “Our favourite, and nobody’s taste”."""

from pages.parts.kits.kit import CLASS, Doubt, Exercise, Kit, Numbers, Stretch, step
from pages.parts.kits.said import in_hundred, number
from privbo_core.federated import delta_for
from privbo_core.privacy import epsilon, worst_case_belief

PUPILS, ROUNDS, RATE = 30, 8, 0.5
WEAK, STRONG = 1.0, 2.0


def what_it_cost() -> Numbers:
    """Return ε of eight rounds in a class of thirty, with weak and with strong noise."""
    return tuple(epsilon(RATE, z, ROUNDS, delta_for(PUPILS), "pld") for z in (WEAK, STRONG))


def was_it_you() -> Numbers:
    """Return how sure somebody can become who was half sure, with weak and with strong noise."""
    return tuple(worst_case_belief(0.5, each) for each in what_it_cost())


def taking_part() -> Numbers:
    """Return how many are drawn in a round on average, and how likely a pupil is never drawn in all rounds."""
    return RATE * PUPILS, (1 - RATE) ** ROUNDS


FAVOURITE = Kit(
    name="favourite",
    title="Our favourite, and nobody’s taste",
    what="experiment",
    lead="The class finds the colour that it likes best without anybody telling their taste. Each phone is an agent; the "
    "server adds up what some of them say, shortens it, adds noise, and tells everybody.",
    aims=(
        "Take part in federated optimisation, and see what the others can see of oneself.",
        "Feel that noise hides one and blurs all, and that a crowd makes it bearable.",
    ),
    needs="A projector, and a phone for each pupil. In a small class simulated pupils fill up the crowd, and the screen says so.",
    short=(
        Stretch(3, "Open a room and let everybody come in. Choose Our favourite.", (CLASS,)),
        Stretch(6, "Everybody votes, with noise or without, and rates a few colours."),
        Stretch(6, "The rounds. Watch where the class’s favourite is believed to lie, and ε beside it."),
        Stretch(5, "Was it you? Everybody looks at their own phone; talk about what an observer can tell."),
    ),
    long=(
        Stretch(4, "Open a room and let everybody come in. Choose Our favourite.", (CLASS,)),
        Stretch(6, "Everybody votes, with noise or without, and rates a few colours."),
        Stretch(8, "The rounds. Watch where the class’s favourite is believed to lie, and ε beside it."),
        Stretch(5, "Was it you? Everybody looks at their own phone; talk about what an observer can tell."),
        Stretch(8, "Again, as it was not voted. Note that the account goes on: ε counts both."),
        Stretch(7, "Why a crowd? The step of the lesson shows it from five schools to hundreds.", (step("federated", 4, "How large a crowd?"),)),
        Stretch(7, "Exercises 1 and 3, in pairs."),
    ),
    exercises=(
        Exercise(
            f"{PUPILS} pupils, {ROUNDS} rounds, each pupil drawn in half of them by chance, δ = N^−1.1. Which ε is that with "
            "weak noise (z = 1), and with strong noise (z = 2)? (The page Federated counts it.)",
            what_it_cost,
            lambda weak, strong: f"ε = {number(weak)} and {number(strong)}.",
        ),
        Exercise(
            "An observer is half sure that a certain pupil took part. How sure can they become at most, with weak and with "
            "strong noise? (The odds grow by e^ε at most.)",
            was_it_you,
            lambda weak, strong: f"{in_hundred(weak)} right with weak noise, {in_hundred(strong)} with strong noise, δ aside.",
        ),
        Exercise(
            f"How many of {PUPILS} pupils are drawn in a round on average? How likely is it that a pupil is never drawn in "
            f"{ROUNDS} rounds?",
            taking_part,
            lambda drawn, never: f"{number(drawn)} pupils. (½)^{ROUNDS} = {number(100 * never)} %: nearly everybody was in it, "
            "and can say that they were not.",
        ),
    ),
    doubts=(
        Doubt("My ratings are on the screen.", "On the screen is the sum of many, shortened and blurred. Nobody’s own ratings are shown."),
        Doubt("The favourite is wrong, so the noise is too strong.", "In a small class it may be. That is the price; with twice the crowd it falls while ε stays."),
        Doubt("I voted for no noise, so only I am seen.", "The vote is about everybody: without noise the sums can tell of each of them."),
    ),
    last="Ask who would still take part without noise, and who would with. Then ask who would find the result useful. These "
    "are the two sides of ε.",
)  # fmt: skip
