"""The experiments, in the order in which a class plays them best."""

from pages.parts.experiments.accept.kind import ACCEPT
from pages.parts.experiments.attacker.kind import ATTACKER
from pages.parts.experiments.favourite.kind import FAVOURITE
from pages.parts.experiments.kind import Kind
from pages.parts.experiments.modeler.kind import MODELER
from pages.parts.experiments.poll.kind import POLL

KINDS: tuple[Kind, ...] = (FAVOURITE, ATTACKER, MODELER, ACCEPT)


def kind_of(name: str) -> Kind | None:
    """Return the experiment of a name; a question that the tour asks is one too."""
    return next((kind for kind in (*KINDS, POLL) if kind.name == name), None)
