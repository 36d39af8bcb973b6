"""The kit of the lesson about tuning together."""

import numpy as np

from pages.parts.kits.kit import ROOM, Doubt, Exercise, Kit, Numbers, Stretch, step
from pages.parts.kits.said import in_hundred, number
from privbo_core.federated import delta_for
from privbo_core.federated.server import clip, noise_deviation
from privbo_core.privacy import epsilon, least_error

SCHOOLS, ROUNDS, NOISE, LIMIT, RATE = 30, 8, 1.0, 8.0, 0.5


def by_rounds() -> Numbers:
    """Return ε where everybody takes part in each round, where half of them do, and the latter after four times as many."""
    delta = delta_for(SCHOOLS)
    return (
        epsilon(1.0, NOISE, ROUNDS, delta),
        epsilon(RATE, NOISE, ROUNDS, delta),
        epsilon(RATE, NOISE, 4 * ROUNDS, delta),
    )


def by_crowd() -> Numbers:
    """Return the noise on each number of a mean of 30 lists, and of 60."""
    return tuple(
        noise_deviation(np.full((1, schools), 1 / schools), rate=RATE, S=LIMIT, z=NOISE) for schools in (30, 60)
    )


def shortened() -> Numbers:
    """Return what the list (12, 16) is shortened to where lists may be 8 long."""
    sent, _ = clip(np.array([[12.0, 16.0]]), 1, LIMIT)
    return tuple(map(float, sent[0]))


def was_it_you() -> Numbers:
    """Return how often the best guess whether a school took part is right, at ε = 1 and at ε = 4."""
    return tuple(1 - least_error(0.5, each, 0.0) for each in (1.0, 4.0))


ALONE = step("federated", 1, "Alone or together")
TELLS = step("federated", 2, "What the server tells")
CLIPPING = step("federated", 3, "Nobody counts too much")
CROWD = step("federated", 4, "How large a crowd?")
YOU = step("federated", 5, "Was it you")
OVER = step("federated", 6, "ε over the rounds")
PAYS = step("federated", 7, "Does it still pay")

FEDERATED = Kit(
    name="federated",
    title="Many tune together",
    what="lesson",
    lead="Schools tune a model, each on its own pupils’ records, and help each other without showing them. A server adds up "
    "what they say, shortens what is too long, adds noise, and tells everybody the sum.",
    aims=(
        "Draw the path of one school’s numbers: to the server, into the sum, out to everybody.",
        "Say what clipping, noise and a crowd each do for privacy.",
        "Explain why ε grows with the rounds, and why a large crowd makes the same ε cheaper.",
    ),
    needs=f"A projector and this app. {ROOM} Play Our favourite, and nobody’s taste after it.",
    short=(
        Stretch(4, "Does it help to tune together at all? Answer first, then uncover.", (ALONE,)),
        Stretch(4, "What does the server tell, and to whom?", (TELLS,)),
        Stretch(5, "Make the crowd small, then large: what is louder, the schools or the noise?", (CROWD,)),
        Stretch(4, "Was it you? Look at the best guess that anybody can make.", (YOU,)),
        Stretch(3, "Does it still pay, with noise?", (PAYS,)),
    ),
    long=(
        Stretch(5, "Does it help to tune together at all? Answer first, then uncover.", (ALONE,)),
        Stretch(6, "What does the server tell, and to whom? Four pupils play school, server, noise, listener.", (TELLS,)),
        Stretch(5, "Nobody may count too much: long lists are shortened. Exercise 3.", (CLIPPING,)),
        Stretch(7, "Make the crowd small, then large: what is louder, the schools or the noise? Exercise 2.", (CROWD,)),
        Stretch(6, "Was it you? Look at the best guess that anybody can make. Exercise 4.", (YOU,)),
        Stretch(7, "Every round tells a little more. Predict ε, then drag the rounds. Exercise 1.", (OVER,)),
        Stretch(5, "Does it still pay, with noise?", (PAYS,)),
        Stretch(4, "Who would you trust to be the server, and why does it still have to be trusted?"),
    ),
    exercises=(
        Exercise(
            f"{SCHOOLS} schools, {ROUNDS} rounds, noise z = 1, δ = N^−1.1. Which ε is that if all take part in every "
            f"round, if each takes part in every second one by chance, and then after {4 * ROUNDS} rounds? (By the moments "
            "accountant, as the paper counts.)",
            by_rounds,
            lambda everybody, half, longer: f"ε = {number(everybody)}, {number(half)} and {number(longer)}. To be drawn "
            "by chance hides; four times the rounds cost less than four times the ε.",
        ),
        Exercise(
            "The server tells the mean of all lists; the noise on each number is z · S/(q · N), with z = 1, S = 8, q = ½. "
            "How large is it with 30 schools, and with 60?",
            by_crowd,
            lambda few, many: f"{number(few)} and {number(many)}: twice the crowd, half the noise, at the same ε in each "
            "round if as large a share takes part.",
        ),
        Exercise(
            "A school sends the two numbers (12, 16). Lists may be S = 8 long. What does the server count?",
            shortened,
            lambda one, other: f"({number(one)}, {number(other)}): the length 20 becomes 8, the direction stays.",
        ),
        Exercise(
            "Somebody hears all that the server tells and guesses whether a school took part. How often is the best guess "
            "right at ε = 1, and at ε = 4?",
            was_it_you,
            lambda one, four: f"{in_hundred(one)} at ε = 1, {in_hundred(four)} at ε = 4. A coin is right 50 times.",
        ),
    ),
    doubts=(
        Doubt("The data stay at home, so it is private.", "What is sent is made of the data. Without noise the sum can tell who took part."),
        Doubt("Noise makes the result wrong.", "It makes it blurred. In a large crowd the schools are louder than the noise."),
        Doubt("The server cannot know anything.", "It sees each list before noise is added: it has to be trusted. The promise is about what all others hear."),
        Doubt("One round is harmless, so a thousand are.", "Each round tells a little more. ε counts all of them together."),
    ),
    last="Ask the class: who is protected from whom? (A school from everybody who hears the server, not from the server.) "
    "And what would happen in a class of five? The noise that hides one of five drowns the other four.",
)  # fmt: skip
