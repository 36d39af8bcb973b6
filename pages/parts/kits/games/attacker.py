"""The kit of “Be the attacker”."""

from pages.parts.kits.kit import CLASS, Doubt, Exercise, Kit, Numbers, Stretch, step
from pages.parts.kits.said import in_hundred, number
from privbo_core.privacy import gaussian_epsilon, least_error

TRIES = 20


def most_right() -> Numbers:
    """Return the most right guesses of twenty to expect at ε = 0.5, 3 and 10."""
    return tuple(TRIES * (1 - least_error(0.5, epsilon, 0.0)) for epsilon in (0.5, 3.0, 10.0))


def more_noise() -> Numbers:
    """Return the ε of noise that is as large as what it hides, and of noise ten times as large, δ = 10⁻⁵."""
    return gaussian_epsilon(1e-5, 1.0, 1.0), gaussian_epsilon(1e-5, 10.0, 1.0)


def by_luck() -> Numbers:
    """Return how likely at least one of thirty is right in five tries of five by guessing."""
    return 0.5**5, 1 - (1 - 0.5**5) ** 30


ATTACKER = Kit(
    name="attacker",
    title="Be the attacker",
    what="experiment",
    lead="Phones get a released point and two candidates, one of which is real. The class attacks with its eyes, at an ε that "
    "is in a closed envelope; then it gets a test that takes one line, and the paper’s projection has no chance.",
    aims=(
        "Attack a release, and see that ε bounds how often anybody can be right.",
        "Tell a promise that holds from one that only sounds like it.",
    ),
    needs="A projector, and a phone for each pupil. No data leave the room.",
    short=(
        Stretch(3, "Open a room and let everybody come in. Choose Be the attacker, and an envelope.", (CLASS,)),
        Stretch(7, "Twenty tries. Nobody helps: everybody has points of their own."),
        Stretch(4, "Open the envelope. Was the class better than a coin, and how much could anybody have been?"),
        Stretch(6, "Now the paper’s projection, with the one-line test in hand."),
    ),
    long=(
        Stretch(4, "Open a room and let everybody come in. Choose Be the attacker, and an envelope.", (CLASS,)),
        Stretch(8, "Twenty tries. Nobody helps: everybody has points of their own."),
        Stretch(6, "Before it is opened: which ε do you think is in the envelope? Then open it."),
        Stretch(8, "Now the paper’s projection, with the one-line test in hand."),
        Stretch(8, "Why does it always work? The step of the lesson shows it on whole tables.", (step("outsourced", 4, "A promise refuted", epsilon="1"),)),
        Stretch(11, "Exercises 1 and 3, in pairs; then the misunderstandings as true or false."),
    ),
    exercises=(
        Exercise(
            "The best guess is right with a probability of at most e^ε/(1 + e^ε). How many of twenty is that at ε = 0.5, 3 "
            "and 10?",
            most_right,
            lambda *right: f"{', '.join(number(each) for each in right)} of {TRIES}. A coin gets {TRIES / 2:.0f}.",
        ),
        Exercise(
            "Gaussian noise with a standard deviation of the distance that it hides: which ε is that (δ = 10⁻⁵)? And ten "
            "times the noise?",
            more_noise,
            lambda one, ten: f"ε = {number(one)}, and {number(ten)} with ten times the noise.",
        ),
        Exercise(
            "Somebody who guesses is right in five tries of five with a chance of 1/32. How likely is it that at least "
            "one of thirty is?",
            by_luck,
            lambda one, any_of_them: f"{in_hundred(any_of_them)}, though for one alone it is {number(100 * one)} %. Somebody "
            "who is always right need not have seen anything.",
        ),
    ),
    doubts=(
        Doubt("I was right 14 times, so I saw it.", "Perhaps. Fourteen of twenty also happens by luck; look at the whole class."),
        Doubt("Nobody could tell, so it is private.", "Nobody here could. ε speaks of everybody, also of those who come with a better test."),
        Doubt("The projection mixes all numbers, so it must hide more.", "The test asks what of a candidate is left over in the release. Nothing is left over of the real one, however much is mixed."),
    ),
    last="A release is not private because an attack failed. It is private because no attack can succeed by more than its ε "
    "allows. For the projection one attack was enough.",
)  # fmt: skip
