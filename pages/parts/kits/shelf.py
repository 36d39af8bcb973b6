"""The kits: one for each lesson of the Tour, one for each experiment of a class."""

from pages.parts.kits.games.accept import ACCEPT
from pages.parts.kits.games.attacker import ATTACKER
from pages.parts.kits.games.favourite import FAVOURITE
from pages.parts.kits.games.modeler import MODELER
from pages.parts.kits.kit import Kit
from pages.parts.kits.lessons.epsilon import EPSILON
from pages.parts.kits.lessons.federated import FEDERATED
from pages.parts.kits.lessons.outsourced import OUTSOURCED
from pages.parts.kits.lessons.release import RELEASE

KITS: tuple[Kit, ...] = (OUTSOURCED, RELEASE, FEDERATED, EPSILON, FAVOURITE, ATTACKER, MODELER, ACCEPT)


def kit_of(name: str) -> Kit | None:
    """Return the kit of a lesson or of an experiment."""
    return next((kit for kit in KITS if kit.name == name), None)
