"""The kit of the lesson about outsourced optimisation."""

from pages.parts.kits.kit import ROOM, TRADE_OFF, Doubt, Exercise, Kit, Numbers, Stretch, expert_step, step
from pages.parts.kits.said import number
from pages.parts.values.text import SIGMA_MIN
from privbo_core.data import sample
from privbo_core.outsourced import noise_deviation, omega, smallest_epsilon, spectrum
from privbo_core.privacy import group_epsilon

DELTA, R = 1e-5, 10
HIDDEN_METRES = 100.0
"""What one hidden change of the homes’ frame is on the ground, as sample_data/README.md says."""
BEST_SHARE, SURE = 0.01, 0.95


def metres_of_noise() -> Numbers:
    """Return the noise in each direction of the homes’ map at ε = 1 and at ε = 8, in metres."""
    frame = sample("homes").frame
    return tuple(
        HIDDEN_METRES * noise_deviation(epsilon, DELTA, bounds=frame.bounds, protected_distance=1.0, d=frame.d)
        for epsilon in (1.0, 8.0)
    )


def condition() -> Numbers:
    """Return ω at ε = 1, the homes’ σ_min, and the ε from which on σ_min is enough."""
    least = spectrum(sample("homes").points).sigma_min
    return omega(1.0, DELTA, R), least, smallest_epsilon(least, DELTA, R)


def neighbourhood() -> Numbers:
    """Return how many hidden changes a neighbourhood is across, and the ε that holds for a move through it at ε = 1."""
    latitude = sample("homes").frame.columns[1]
    assert latitude.lengthscale is not None  # the homes' frame says what a neighbourhood is
    changes = latitude.lengthscale / latitude.hide
    return changes, group_epsilon(1.0, DELTA, changes)


def blind_tests() -> Numbers:
    """Return how many homes there are, how many are among the best, and how many blind tests find one of these."""
    homes = sample("homes").n
    best = round(BEST_SHARE * homes)
    missed, tests = 1.0, 0
    while missed > 1 - SURE:
        missed *= (homes - best - tests) / (homes - tests)
        tests += 1
    return float(homes), float(best), float(tests)


OPENING = step("outsourced", 1, "Who sees what", told_with="homes")
CHANCE = step("outsourced", 2, "Search against chance", told_with="homes")
DISTANCES = expert_step("outsourced", 3, "Distances", tour_data="homes")
COST = expert_step("outsourced", 4, "What it costs", tour_data="homes", epsilon="1")
WHICH_R = expert_step("outsourced", 5, "Which r", tour_data="synthetic", epsilon="8")
REFUTED = step("outsourced", 4, "Is the promise kept?", told_with="homes", epsilon="1")
KEPT = step("outsourced", 5, "A promise with noise", told_with="homes", epsilon="1")
CHOICE = step("outsourced", 6, "What would you choose", told_with="hospital")

OUTSOURCED = Kit(
    name="outsourced",
    title="Somebody else chooses what to test",
    what="lesson",
    lead="A town wants to know where homes are cheap, and lets a company decide which sales to look up. The company gets a "
    "blurred map, never the table. How blurred must it be, and what does that cost?",
    aims=(
        "Say who holds the data, who chooses what to test, and what passes between them.",
        "Tell a promise that was refuted from one that holds, and say how the first one fails.",
        "Read off a curve what a smaller ε costs a search.",
    ),
    needs=f"A projector and this app. {ROOM} Play Be the attacker or Be the modeler after it.",
    short=(
        Stretch(3, "Who has the table, and who asks? Let the class answer before you uncover.", (OPENING,)),
        Stretch(4, "How much better than blind testing is a search, without any privacy?", (CHANCE,)),
        Stretch(5, "The paper’s way: project the records. Its promise is refuted with a one-line test.", (REFUTED,)),
        Stretch(5, "A way that keeps its promise: noise on every value. Drag ε, and let the class predict.", (KEPT,)),
        Stretch(3, "Which ε would you take? Show of hands, then uncover.", (CHOICE,)),
    ),
    long=(
        Stretch(4, "Who has the table, and who asks? Let the class answer before you uncover.", (OPENING,)),
        Stretch(5, "How much better than blind testing is a search, without any privacy?", (CHANCE,)),
        Stretch(5, "What does a projection do to distances, and why does a search live by them?", (DISTANCES,)),
        Stretch(5, "Drag ε: the condition is met, or it is not, and then the distances go.", (COST, WHICH_R)),
        Stretch(6, "Its promise is refuted with a one-line test. Let pupils say the test in their own words.", (REFUTED,)),
        Stretch(7, "A way that keeps its promise: noise on every value. Predict, then drag.", (KEPT,)),
        Stretch(6, "Which ε would you take? In pairs: one is the town, the other a home’s owner.", (CHOICE, TRADE_OFF)),
        Stretch(7, "Exercises 1 and 3 together; the others are homework."),
    ),
    exercises=(
        Exercise(
            "The map of the homes hides that one home moves by 100 m (δ = 10⁻⁵). How many metres of noise does each "
            "direction get at ε = 1, and how many at ε = 8? (In Expert the step “A promise with noise” says σ in hidden changes.)",
            metres_of_noise,
            lambda one, eight: f"σ = {number(one)} m at ε = 1, and {number(eight)} m at ε = 8. Eight times the ε does not "
            f"take an eighth of the noise but {number(eight / one)} of it.",
        ),
        Exercise(
            f"The paper’s condition is {SIGMA_MIN} ≥ ω with ω = 16 √(r log(2/δ)) ε⁻¹ log(16r/δ). Compute ω for ε = 1, r = 10, "
            f"δ = 10⁻⁵. The page Data shows the {SIGMA_MIN} of the homes: from which ε on do they meet the condition?",
            condition,
            lambda needed, least, epsilon: f"ω = {number(needed)}; {SIGMA_MIN} = {number(least)}. The condition is met from "
            f"ε = {number(epsilon)} on. It would promise nothing even then: the promise is refuted.",
        ),
        Exercise(
            "A neighbourhood is about 1 km across. Gaussian noise was chosen so that a move of 100 m is hidden at ε = 1, δ = 10⁻⁵. Which ε "
            "holds for a move from one end of the neighbourhood to the other?",
            neighbourhood,
            lambda changes, epsilon: f"It is {number(changes)} hidden changes: ε = {number(epsilon)} at the same δ. k changes cost kε at δ = 0 only. "
            "Who lives in which part of town is hardly hidden.",
        ),
        Exercise(
            "Somebody tests homes blindly. How many of them must be tested so that one of the best hundredth is among "
            "them in 95 of 100 cases?",
            blind_tests,
            lambda homes, best, tests: f"{number(tests)} of {number(homes)} homes, {number(best)} of which are among the "
            "best hundredth. That is what a search has to beat.",
        ),
    ),
    doubts=(
        Doubt("The names are gone, so nobody is harmed.", "Where a home stands is as good as its name. What must be hidden is that the record could have been another."),
        Doubt("A projection cannot be turned back, so it hides.", "It need not be turned back. It is enough to ask of two tables which one fits: with the paper’s release that works every time."),
        Doubt("ε = 1 is small, so everything is hidden.", "ε belongs to a distance. A move of 100 m is hidden well; one across town is not."),
        Doubt("The answers to tests are protected too.", "Here they are told as they are. What is protected is where the records lie."),
    ),
    last="Two ways were on the screen. One looked private and was not; the other costs something and keeps its word. Ask: "
    "who in this story should decide on ε, and who should pay for it?",
)  # fmt: skip
