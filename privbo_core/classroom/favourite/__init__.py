"""Our favourite, and nobody's taste: a class finds the colour that it likes best, by federated Thompson sampling."""

from privbo_core.classroom.favourite.game import MOST, VOTES, Favourite
from privbo_core.classroom.favourite.ledger import Ledger, most_right, most_sure, planned, spent, usually_sure
from privbo_core.classroom.favourite.model import (
    CODES,
    COUNT,
    HUE,
    HUES,
    LIGHTNESS,
    LIGHTNESSES,
    OWN,
    RATINGS,
    ROUNDS,
    Crowd,
    settings,
)
from privbo_core.classroom.favourite.seen import Course, Phase, Question, Seen, Sure

__all__ = [
    "CODES",
    "COUNT",
    "HUE",
    "HUES",
    "LIGHTNESS",
    "LIGHTNESSES",
    "MOST",
    "OWN",
    "RATINGS",
    "ROUNDS",
    "VOTES",
    "Course",
    "Crowd",
    "Favourite",
    "Ledger",
    "Phase",
    "Question",
    "Seen",
    "Sure",
    "most_right",
    "most_sure",
    "planned",
    "settings",
    "spent",
    "usually_sure",
]
