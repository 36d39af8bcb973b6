"""The kit of “Be the modeler”."""

from pages.parts.kits.kit import CLASS, Doubt, Exercise, Kit, Numbers, Stretch, step
from pages.parts.kits.said import number
from privbo_core.classroom.ground import COLUMNS, DELTA, FIRST, RECORDS
from privbo_core.data import sample
from privbo_core.outsourced import noise_deviation

TESTS = 8


def years_of_noise() -> Numbers:
    """Return the noise on the patients’ ages at ε = 8 and at ε = 0.3, in years."""
    frame = sample("hospital").frame.chosen(COLUMNS["hospital"])
    years = float(frame.hide[frame.names.index("age")])
    return tuple(
        years * noise_deviation(epsilon, DELTA, bounds=frame.bounds, protected_distance=1.0, d=frame.d)
        for epsilon in (8.0, 0.3)
    )


def by_chance() -> Numbers:
    """Return how likely blind taps hit the best record, and one of the best five."""
    missed = 1.0
    for test in range(TESTS):
        missed *= (RECORDS - FIRST - 5 - test) / (RECORDS - FIRST - test)
    return TESTS / (RECORDS - FIRST), 1 - missed


MODELER = Kit(
    name="modeler",
    title="Be the modeler",
    what="experiment",
    lead="Everybody searches the same blurred map for the best record: a tap tests one, and its true result comes back as a "
    "colour. Beside the class searches the machine, and chance.",
    aims=(
        "Search as a modeler does: use what was found, and look where nothing is known.",
        "See what noise on the map takes from people, from a machine, and not from chance.",
    ),
    needs="A projector, and a phone for each pupil.",
    short=(
        Stretch(3, "Open a room and let everybody come in. Choose Be the modeler.", (CLASS,)),
        Stretch(6, "Begin at ε = 8: eight tests each, everybody at their own speed."),
        Stretch(6, "Blur the map: ε = 0.3. Predict first: whom will it hurt most?"),
        Stretch(5, "End, and compare: the class, the machine, blind taps, side by side."),
    ),
    long=(
        Stretch(4, "Open a room and let everybody come in. Choose Be the modeler.", (CLASS,)),
        Stretch(8, "Begin at ε = 8: eight tests each. Afterwards: how did you choose?"),
        Stretch(7, "Blur the map: ε = 0.3. Predict first: whom will it hurt most?"),
        Stretch(6, "End, and compare: the class, the machine, blind taps, side by side."),
        Stretch(8, "Play again on the paper’s projection. It stays readable at every ε: that is what is wrong with it.", (step("outsourced", 4, "A promise refuted", epsilon="1"),)),
        Stretch(6, "How does the machine search? A step of the lesson shows it against chance.", (step("outsourced", 2, "Search against chance", told_with="hospital"),)),
        Stretch(6, "Exercises 1 and 2, in pairs."),
    ),
    exercises=(
        Exercise(
            "The map of the hospital hides four years of age (δ = 10⁻⁵). How many years of noise does each patient’s age "
            "get at ε = 8, and at ε = 0.3?",
            years_of_noise,
            lambda clear, blurred: f"σ = {number(clear)} years at ε = 8, and {number(blurred)} years at ε = 0.3: then the map "
            "says next to nothing about age.",
        ),
        Exercise(
            f"{RECORDS} records, {FIRST} are known, {TESTS} blind taps. How likely is it to hit the best record, and to hit "
            "one of the best five?",
            by_chance,
            lambda best, five: f"{number(100 * best)} % for the best, {number(100 * five)} % for one of the best five.",
        ),
    ),
    doubts=(
        Doubt("The results are blurred.", "Results are true. What is blurred is where on the map a record stands."),
        Doubt("More noise makes the machine stupid.", "It makes the map say less. The machine knows how much noise there is, and still cannot know more than the map says."),
        Doubt("Blind taps get worse too.", "They do not look at the map, so no noise can hurt them. They are what is left when a map says nothing."),
    ),
    last="The distance between a search and blind taps is what the map is worth. Ask at which ε the map was still worth "
    "handing out, and to whom.",
)  # fmt: skip
