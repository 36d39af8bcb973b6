"""The experiments, in the order in which a class plays them best."""

from pages.parts.classroom.games.accept import ACCEPT
from pages.parts.classroom.games.attacker import ATTACKER
from pages.parts.classroom.games.favourite import FAVOURITE
from pages.parts.classroom.games.game import Game
from pages.parts.classroom.games.modeler import MODELER
from pages.parts.classroom.games.poll import POLL

GAMES: tuple[Game, ...] = (FAVOURITE, ATTACKER, MODELER, ACCEPT)


def game_of(name: str) -> Game | None:
    """Return the experiment of a name; a question that the tour asks is one too."""
    return next((kind for kind in (*GAMES, POLL) if kind.name == name), None)
