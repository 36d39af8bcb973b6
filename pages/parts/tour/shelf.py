"""The lessons in their order. Another one is a folder, and an entry here."""

from pages.parts.tour.lesson import Lesson
from pages.parts.tour.lessons.epsilon.lesson import CHOOSING
from pages.parts.tour.lessons.federated.lesson import FEDERATED
from pages.parts.tour.lessons.outsourced.lesson import OUTSOURCED
from pages.parts.tour.lessons.release.lesson import RELEASE

LESSONS: tuple[Lesson, ...] = (OUTSOURCED, RELEASE, FEDERATED, CHOOSING)
NAMES = [lesson.name for lesson in LESSONS]


def lesson_of(name: str) -> Lesson:
    """Return the lesson of a name."""
    return LESSONS[NAMES.index(name)]
