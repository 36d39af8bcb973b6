"""The kit of “What would you accept?”."""

from pages.parts.kits.kit import CLASS, TRADE_OFF, Doubt, Exercise, Kit, Numbers, Stretch, step
from pages.parts.kits.said import in_hundred, number
from privbo_core.privacy import TradeOff, gaussian_sigma, least_error

DELTA = 1e-5


def right_guesses() -> Numbers:
    """Return how often the best guess may be right at ε = 0.5, 1 and 3."""
    return tuple(1 - least_error(0.5, epsilon, DELTA) for epsilon in (0.5, 1.0, 3.0))


def through_noise() -> Numbers:
    """Return the noise that keeps ε = 1 and ε = 3, and how often the best guess is right through each."""
    noises = [gaussian_sigma(epsilon, DELTA, 1.0) for epsilon in (1.0, 3.0)]
    return (*noises, *(1 - TradeOff.gaussian(1 / sigma).least_error(0.5) for sigma in noises))


def five_of_us() -> Numbers:
    """Return how likely all of five sit on one side of the median of a large class, by chance."""
    return (2 * 0.5**5,)


ACCEPT = Kit(
    name="accept",
    title="What would you accept?",
    what="experiment",
    lead="Everybody sets two sliders: how much may leak about me, and what may that cost the search. The screen shows where "
    "the two meet on the curve of what is possible, or that they do not.",
    aims=(
        "Say what an ε means for one’s own record, before seeing what others say.",
        "See that a decision needs both sides, and record one.",
    ),
    needs="A projector, and a phone for each pupil, at least five of them: the answers of fewer are not shown.",
    short=(
        Stretch(3, "Open a room and let everybody come in. Choose What would you accept?", (CLASS,)),
        Stretch(6, "Everybody sets both sliders, alone. Nobody sees the others’."),
        Stretch(5, "Close the answers. Do they meet on the curve?"),
        Stretch(6, "Talk, decide, record. The report holds the decision and no single answer."),
    ),
    long=(
        Stretch(4, "Open a room and let everybody come in. Choose What would you accept?", (CLASS,)),
        Stretch(6, "What does an ε mean for one person? A step of the lesson.", (step("epsilon", 1, "What ε means", epsilon="1"),)),
        Stretch(6, "Everybody sets both sliders, alone. Nobody sees the others’."),
        Stretch(6, "Close the answers. Do they meet on the curve?"),
        Stretch(8, "In two groups: those who accepted most and those who accepted least prepare one sentence each."),
        Stretch(8, "Talk, decide, record. Compare with the curve of the page Trade-off.", (TRADE_OFF,)),
        Stretch(7, "Exercises 1 and 2; who was not asked in this decision?"),
    ),
    exercises=(
        Exercise(
            "The best guess about one person is right with a probability of at most δ + (1 − δ) · e^ε/(1 + e^ε), δ = 10⁻⁵. "
            "How often of 100 is that at ε = 0.5, 1 and 3?",
            right_guesses,
            lambda *right: f"{', '.join(f'{100 * each:.0f}' for each in right)} times in 100.",
        ),
        Exercise(
            "Through Gaussian noise of σ hidden changes the best guess is right with probability Φ(1/(2σ)). How often is it "
            "right through the noise that keeps ε = 1 at δ = 10⁻⁵, and how often at ε = 3? (In Expert the Tour’s step “A promise with noise” says σ.)",
            through_noise,
            lambda one, three, right_one, right_three: f"σ = {number(one)}: {in_hundred(right_one)}; σ = {number(three)}: "
            f"{in_hundred(right_three)}. Exercise 1 allows more, for the promise has to hold in the rarest cases too.",
        ),
        Exercise(
            "Five pupils all accept less than half of the class does. How likely is it that five drawn by chance are all on "
            "one side of the middle?",
            five_of_us,
            lambda share: f"2 · (½)⁵ = {number(100 * share)} %: unlikely, but it happens. Ask more people before you decide for all.",
        ),
    ),
    doubts=(
        Doubt("A small ε is always right.", "It can cost the service so much that nobody is helped. That, too, has to be said aloud."),
        Doubt("The average decides.", "The average ε is somebody’s who may not be there. What counts is how many accept an offer that is possible."),
        Doubt("Who has nothing to hide accepts everything.", "Then they can: the others’ records are in the same table, under the same ε."),
    ),
    last="Read the recorded decision aloud, with the number of those who accept it, and ask those who do not what would have "
    "to change. If the sides do not meet, that is a result too: the service cannot be offered like this.",
)  # fmt: skip
