"""What “Our favourite” shows on a pupil's phone."""

from pages.parts.experiments.favourite import words
from pages.parts.thumbs.screen import Screen
from privbo_core.classroom.favourite import CODES, OWN, ROUNDS, Favourite, Question


def screen(favourite: Favourite, pupil: int) -> Screen:
    """Return what is asked of a pupil now."""
    asked = favourite.asked(pupil)
    match asked.kind:
        case "vote":
            options = [
                {"value": "noise", "text": words.WITH, "note": words.WITH_NOTE},
                {"value": "bare", "text": words.WITHOUT, "note": words.WITHOUT_NOTE},
            ]
            return Screen(asked.key, "choose", words.VOTE_TITLE, words.VOTE_TEXT, {"options": options}, asked.answer)
        case "rate":
            return _rate(asked)
        case "wait":
            return Screen(asked.key, "tell", words.WAIT, _so_far(asked))
        case "end" if asked.sure is not None:
            data = {"big": words.how_sure(asked.sure.sure), "lines": words.end_lines(asked.sure)}
            return Screen(asked.key, "tell", words.END_TITLE, words.END_TEXT, data)
        case "over":
            return Screen(asked.key, "tell", words.OVER, words.OVER_TEXT)
        case _:
            return Screen(asked.key, "tell", words.LATE, words.LATE_TEXT)


def _rate(asked: Question) -> Screen:
    assert asked.row is not None
    own = asked.key.startswith("own/")
    title = f"{asked.number} of {OWN}: do you like it?" if own else f"Round {asked.number} of {ROUNDS}: and this one?"
    data = {"colour": CODES[asked.row], "scale": list(words.SCALE)}
    return Screen(asked.key, "rate", title, words.OWN_TEXT if own else words.ROUND_TEXT, data)


def _so_far(asked: Question) -> str:
    return f"Round {asked.number} of {asked.of}." if asked.number else words.UNTIL
